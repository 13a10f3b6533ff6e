"""Passports: every metric's figures come out of the file again, byte for byte; hostile files are refused."""

from __future__ import annotations

import hashlib
import json
import os
import re
from math import isnan
from pathlib import Path

import pytest

from gecval import (
    Corpus,
    Edit,
    InputError,
    Metric,
    Reference,
    Resampling,
    compare,
    metric_names,
    score,
    verify,
)
from gecval.metrics import metric
from gecval.metrics.registry import FunctionMetric
from gecval.studies.scores import passport as reading
from gecval.studies.scores.passport import read_passport

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
MODELS = (
    "scribendi",
    "graded-scribendi",
    "perplexity",
    "some",
    "impara",
    "reward",
    "llm-judge",
    "lfm",
    "lt",
    "grammaticality",
    "uot",
)
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
    made = score(CORPUS, OUTPUTS, [scored], aggregate=aggregate, confidence=FEW, edits="plain")
    made.save_passport(file)
    verified = verify(file)
    assert verified.same
    assert verified.exit_status == 0
    for ours, theirs in zip(made, verified, strict=True):
        assert (theirs.score, theirs.interval, theirs.signature) == (ours.score, ours.interval, ours.signature)
    assert verified.to_tables()[0].footnotes == list(dict.fromkeys(row.signature for row in made))
    old = CORPUS.system("old", OUTPUTS["old"])
    new = {"new": OUTPUTS["new"]}
    [test] = compare(CORPUS, old, new, [scored], aggregate=aggregate, confidence=FEW, edits="plain")
    [again] = verified.tests
    assert (again.difference, again.interval) == (test.difference, test.interval)
    assert again.p == test.p


def test_it_holds_no_text(tmp_path: Path) -> None:
    score(CORPUS, OUTPUTS, ["gleu", "m2"], edits="plain").save_passport(tmp_path / "p")
    text = (tmp_path / "p").read_text()
    assert not any(word in text for word in ("apple", "home", "cats"))
    assert verify(tmp_path / "p").tests == ()


@pytest.fixture
def passport(tmp_path: Path) -> Path:
    file = tmp_path / "p"
    score(CORPUS, OUTPUTS, ["gleu", "ld"], confidence=FEW).save_passport(file)
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
    assert (after.sentences, after.level) == (4, 0.95)
    assert isnan(verify(changed(passport, 1, score="0.5"))[0].claimed)


@pytest.mark.parametrize("fields", [{"p": 0.001}, {"extra": 1}])
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


RESAMPLING = {"resamples": 30, "level": 0.95, "method": "bca", "seed": 1, "jackknife_blocks": 2000}


@pytest.mark.parametrize(
    ("line", "fields", "why"),
    [
        (0, {"schema": "gecval.passport/9"}, "does not name"),
        (0, {"sentences": 10**9}, "whole number from 1 to 100,000,000 is missing"),
        (0, {"sentences": 0}, "whole number from 1 to"),
        (0, {"sentences": 5}, "number of rows"),
        (0, {"sentences": True}, "whole number"),
        (0, {"aggregate": "median"}, "aggregate"),
        (0, {"resampling": {"resamples": 10**9}}, "whole number from 2 to 100,000 is missing"),
        (0, {"resampling": {**RESAMPLING, "seed": -1}}, "whole number from 0 to 9,223,372,036,854,775,808 is missing"),
        (0, {"resampling": {**RESAMPLING, "jackknife_blocks": 1}}, "whole number from 2 to 100,000 is missing"),
        (0, {"resampling": {**RESAMPLING, "level": "x" * 99}}, f"could not convert string to float: '{'x' * 44}$"),
        (0, {"shard": [0, 3]}, "whole number from 1 to 3 is missing"),
        (0, {"shard": [1, 10**9]}, "whole number from 1 to 1,000,000 is missing"),
        (0, {"resampling": 3}, "TypeError"),
        (1, {"metric": "os:system"}, "no metric of gecval's own"),
        (1, {"metric": "interpolated(gleu, os:system)"}, "no metric of gecval's own"),
        (1, {"metric": "gleu(iterations=10001)"}, "draws more than 10,000 references"),
        (1, {"metric": "x" * 99}, f" '{'x' * 60}' is no metric of gecval's own"),
        (1, {"metric": "m2"}, "no passport"),
        (1, {"rows": [1.0]}, "number of rows"),
        (1, {"rows": None}, "number of rows"),
        (1, {"references": [0, 1, 1, 2]}, "whole number from 1 to 100,000 is missing"),
        (1, {"columns": 0}, "whole number from 1 to 1,000 is missing"),
        (1, {"signature": "x" * 100_001}, "text is missing or too long"),
        (1, {"system": ["x"]}, "text is missing"),
        (1, {"system": "new"}, "every system needs one score"),
    ],
)
def test_hostile_files_are_refused_in_one_line(passport: Path, line: int, fields, why: str) -> None:
    with pytest.raises(InputError, match=why) as refused:
        verify(changed(passport, line, **fields))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400 + len(str(passport))


def test_what_is_just_not_too_much(passport: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    most = {"resamples": 100_000, "seed": 2**63, "jackknife_blocks": 100_000}
    changed(passport, 0, resampling={**RESAMPLING, **most}, shard=[1_000_000, 1_000_000])
    changed(passport, 1, signature="x" * 100_000, metric="gleu(iterations=10000)")
    changed(passport, 2, metric="gleu(iterations=10000)")
    read = read_passport(passport)
    assert read.resampling == Resampling(100_000, method="bca", seed=2**63, jackknife_blocks=100_000)
    assert read.shard == (1_000_000, 1_000_000)
    changed(passport, 0, resampling={**RESAMPLING, "resamples": 2, "seed": 0, "jackknife_blocks": 2}, shard=[1, 1])
    assert read_passport(passport).resampling == Resampling(2, method="bca", seed=0, jackknife_blocks=2)
    size = passport.stat().st_size
    monkeypatch.setattr(reading, "MAX_BYTES", size)
    read_passport(passport)
    monkeypatch.setattr(reading, "MAX_BYTES", size - 1)
    with pytest.raises(InputError, match=f"a passport has up to {size - 1:,} bytes"):
        read_passport(passport)


def test_the_largest_file(tmp_path: Path) -> None:
    (tmp_path / "p").touch()
    os.truncate(tmp_path / "p", 500_000_001)
    with pytest.raises(InputError, match="a passport has up to 500,000,000 bytes"):
        verify(tmp_path / "p")


def test_scores_that_lack_are_refused(passport: Path) -> None:
    lines = passport.read_text().split("\n")
    for kept in ([0], [0, 5, 6], [0, 1, 2, 3], [0, 1, 2, 3, 4, 4]):
        passport.write_text("\n".join(lines[k] for k in kept) + "\n")
        with pytest.raises(InputError, match="every system needs one score under every metric"):
            verify(passport)
    passport.write_text("\n".join([lines[0], "[]"]))
    with pytest.raises(InputError, match="line 2 is no JSON object"):
        verify(passport)


def test_what_a_line_holds(tmp_path: Path) -> None:
    score(CORPUS, OUTPUTS, ["ld", 'errant(model="plain")']).save_passport(tmp_path / "p")
    lines = [json.loads(line) for line in (tmp_path / "p").read_text().splitlines()]
    assert [line.get("references") for line in lines[1:]] == [None, None, [2, 1, 1, 2], [2, 1, 1, 2]]
    output = hashlib.sha256("".join(f"{text}\n" for text in OUTPUTS["old"]).encode()).hexdigest()
    assert lines[1]["output"] == output[:16]
    made = verify(tmp_path / "p")
    assert (made.sentences, made.level, made.notes) == (4, None, ())


def test_outputs_that_bring_their_edits_need_no_finder(tmp_path: Path) -> None:
    """Nobody found these edits, so the signature names no model; it fits all the same."""
    edits = tuple(Edit(1, 2, ("goes",), "R:VERB") for _ in range(2))
    gold = [[Reference(edits=(edit,))] for edit in edits]
    corpus = Corpus(["He go .", "She go ."], gold)
    mine = corpus.system("mine", ["He goes .", "She goes ."], edits=[(edit,) for edit in edits])
    scores = score(corpus, [mine], ["errant"])
    scores.save_passport(tmp_path / "p")
    [made] = scores
    assert "|hypotheses:given|" in made.signature
    assert "model:" not in made.signature
    assert verify(tmp_path / "p").same
    assert not verify(changed(tmp_path / "p", 1, signature=made.signature.replace("|hypotheses:given|", "|"))).same


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
    own = FunctionMetric(lambda source, hypothesis, references: len(hypothesis), "mine:length")
    both = score(CORPUS, OUTPUTS, ["ld"]).with_more(score(CORPUS, OUTPUTS, ["gleu"]))
    for scores, why in (
        (score(CORPUS, OUTPUTS, ["gleu"], aggregate="expected-wins"), "expected-wins has no passport"),
        (score(CORPUS, OUTPUTS, ["gleu"], aggregate="trueskill"), "trueskill has no passport"),
        (score(CORPUS, OUTPUTS, ["ld"], confidence=Resampling(9, documents=(0, 2))), "draws sentences, not documents"),
        (score(CORPUS, OUTPUTS, [own]), "names code"),
        (both, "save each of them"),
    ):
        with pytest.raises(InputError, match=why):
            scores.save_passport(tmp_path / "p")
    assert not (tmp_path / "p").exists()


def test_a_score_of_hundreds_of_digits_is_not_verified(tmp_path: Path) -> None:
    corpus = Corpus.from_texts(["He go ."], [["He goes ."]])
    score(corpus, {"mine": ["He goes ."]}, ["accuracy"]).save_passport(tmp_path / "passport")
    lines = (tmp_path / "passport").read_text("utf-8").split("\n")
    lines[1] = re.sub(r'"score": ?1.0', f'"score":{10**400}', lines[1])
    (tmp_path / "passport").write_text("\n".join(lines))
    [row] = verify(tmp_path / "passport")
    assert (row.score, row.same) == (1.0, False)
    assert isnan(row.claimed)


def test_a_passport_knows_its_random_signs(tmp_path: Path) -> None:
    score(CORPUS, OUTPUTS, ["accuracy"], confidence=Resampling(flips=999)).save_passport(tmp_path / "p")
    assert verify(tmp_path / "p").same
