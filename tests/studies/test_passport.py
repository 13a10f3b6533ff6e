"""Passports: every metric's figures come out of the file again, byte for byte; hostile files are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gecval import Corpus, InputError, Metric, Resampling, compare, metric_names, score, verify
from gecval.metrics import metric

CORPUS = Corpus.from_texts(
    ["He go to home now .", "She like apple .", "Fine .", "I has two cat ."],
    [
        ["He goes home now .", "He went home ."],
        ["She likes apples ."],
        ["Fine ."],
        ["I have two cats .", "I have cats ."],
    ],
)
OUTPUTS = {
    "old": ["He go home now .", "She like apples .", "Fine .", "I has two cats ."],
    "new": ["He goes home now .", "She likes apple .", "Fine !", "I have two cat ."],
}
FEW = Resampling(30)
MODELS = ("scribendi", "perplexity", "some", "impara", "reward", "llm-judge", "lfm", "lt", "grammaticality", "uot")
SKIPPED = (*MODELS, "from-file", "weighted")  # models, files, and what needs a similarity of texts


WITHOUT_MODELS = {"errant": 'errant(model="plain")'} | {
    name: f'{name}(edits="plain")' for name in ("cleme", "cleme2", "gotoscorer")
}


def own_metrics() -> list[Metric]:
    return [metric(WITHOUT_MODELS.get(name, name)) for name in metric_names() if name not in SKIPPED]


@pytest.mark.parametrize("scored", own_metrics(), ids=repr)
@pytest.mark.parametrize("aggregate", ["corpus", "mean"])
def test_every_figure_comes_out_of_the_file_again(scored: Metric, aggregate, tmp_path: Path) -> None:
    file = tmp_path / "passport"
    made = score(CORPUS, OUTPUTS, [scored], aggregate=aggregate, resampling=FEW, extractor="plain", passport=file)
    assert made == score(CORPUS, OUTPUTS, [scored], aggregate=aggregate, resampling=FEW, extractor="plain")
    verified = verify(file)
    assert verified.same
    assert verified.exit_status == 0
    for ours, theirs in zip(made, verified, strict=True):
        assert (theirs.score, theirs.interval, theirs.signature) == (ours.score, ours.interval, ours.signature)
    old = CORPUS.system("old", OUTPUTS["old"])
    new = {"new": OUTPUTS["new"]}
    [test] = compare(CORPUS, old, new, [scored], aggregate=aggregate, resampling=FEW, extractor="plain")
    [again] = verified.tests
    assert (again.difference, again.interval) == (test.difference, test.interval)
    assert (again.p_bootstrap, again.p_randomisation) == (test.p_bootstrap, test.p_randomisation)


def test_it_holds_no_text(tmp_path: Path) -> None:
    score(CORPUS, OUTPUTS, ["gleu", "m2"], extractor="plain", passport=tmp_path / "p")
    text = (tmp_path / "p").read_text()
    assert not any(word in text for word in ("apple", "home", "cats"))
    assert verify(tmp_path / "p").tests == ()


@pytest.fixture
def passport(tmp_path: Path) -> Path:
    file = tmp_path / "p"
    score(CORPUS, OUTPUTS, ["gleu", "ld"], resampling=FEW, passport=file)
    return file


def changed(file: Path, line: int, **fields: object) -> Path:
    lines = file.read_text().split("\n")
    lines[line] = json.dumps({**json.loads(lines[line]), **fields})
    file.write_text("\n".join(lines))
    return file


def test_whoever_changes_a_figure_is_seen(passport: Path) -> None:
    before = verify(passport)
    after = verify(changed(passport, 1, score=0.999))
    assert (after.same, after.exit_status) == (False, 1)
    assert [row.same for row in after] == [False, True, True, True]
    assert (after[0].claimed, after[0].score) == (0.999, before[0].score)


@pytest.mark.parametrize("fields", [{"p_bootstrap": 0.001}, {"extra": 1}])
def test_tests_are_compared_too(passport: Path, fields) -> None:
    after = verify(changed(passport, 5, **fields))
    assert not after.same
    assert [row.same for row in after.tests] == [False, True]


def test_a_signature_of_something_else_is_seen(passport: Path) -> None:
    signature = json.loads(passport.read_text().split("\n")[1])["signature"]
    for other in (signature.replace("n:4", "n:3"), signature.replace("seed:1", "seed:2"), "gleu", ""):
        after = verify(changed(passport, 1, signature=other))
        assert [row.same for row in after] == [False, True, True, True]
        assert (after.same, after.exit_status) == (False, 1)


def test_lines_that_lack_are_seen(passport: Path) -> None:
    passport.write_text("\n".join(passport.read_text().split("\n")[:-2]) + "\n")
    assert not verify(passport).same


def test_another_version_is_told(passport: Path) -> None:
    assert "gecval 99 made it" in verify(changed(passport, 0, gecval="99")).notes[0]


@pytest.mark.parametrize(
    ("line", "fields", "why"),
    [
        (0, {"schema": "gecval.passport/9"}, "does not name"),
        (0, {"sentences": 10**9}, "whole number"),
        (0, {"sentences": 5}, "number of rows"),
        (0, {"sentences": True}, "whole number"),
        (0, {"aggregate": "median"}, "aggregate"),
        (0, {"resampling": {"resamples": 10**9}}, "whole number"),
        (0, {"resampling": 3}, "TypeError"),
        (1, {"metric": "os:system"}, "no metric of gecval's own"),
        (1, {"metric": "interpolated(gleu, os:system)"}, "no metric of gecval's own"),
        (1, {"metric": "gleu(iterations=1000000)"}, "draws more than"),
        (1, {"metric": "m2"}, "no passport"),
        (1, {"rows": [1.0]}, "number of rows"),
        (1, {"rows": None}, "number of rows"),
        (1, {"references": [0, 1, 1, 2]}, "whole number"),
        (1, {"columns": 0}, "whole number"),
        (1, {"system": ["x"]}, "text is missing"),
        (1, {"system": "new"}, "every system needs one score"),
    ],
)
def test_hostile_files_are_refused_in_one_line(passport: Path, line: int, fields, why: str) -> None:
    with pytest.raises(InputError, match=why) as refused:
        verify(changed(passport, line, **fields))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400 + len(str(passport))


@pytest.mark.parametrize(
    "content", [b"", b"\x80\x04K\x01.", b"[1]", b"{" * 100_000, b"[" * 100_000, b'{"schema": NaN}']
)
def test_what_is_no_passport_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "p").write_bytes(content)
    with pytest.raises(InputError, match="no passport"):
        verify(tmp_path / "p")


def test_rows_that_are_no_numbers(passport: Path) -> None:
    rows = json.loads(passport.read_text().split("\n")[1])["rows"]
    for value in ("1", None, 1e999, [1.0]):
        content = passport.read_bytes()
        with pytest.raises(InputError, match=r"no number|no passport"):
            verify(changed(passport, 1, rows=[value, *rows[1:]]))
        passport.write_bytes(content)


def test_what_has_no_passport(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="meet each other"):
        score(CORPUS, OUTPUTS, ["gleu"], aggregate="expected-wins", passport=tmp_path / "p")
    with pytest.raises(InputError, match="names code"):
        score(CORPUS, OUTPUTS, ['from-file(path="a/b")'], passport=tmp_path / "p")
    assert not (tmp_path / "p").exists()
