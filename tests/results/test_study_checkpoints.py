"""Checkpoints of all studies: an interrupted one goes on; whatever else the file holds ends in one line."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import sleep
from typing import Any, Literal

import numpy as np
import pytest

from gecval import InputError, annotate, metric
from gecval.metrics import FunctionMetric
from gecval.models.device import choose_device, use_device
from gecval.results.checkpoint import (
    Checkpoint,
    Chunks,
    Part,
    Refused,
    compute_chunks,
    corpus_signature,
    decode,
    digest,
    encode,
    line_digest,
    study_signature,
    systems_digest,
    try_chunk,
)
from gecval.results.result import Result
from gecval.runtime.run import HERE, Run
from gecval.stats import Interval
from gecval.stats.resampling import Array, MaybeUndefined
from gecval.studies.scores.metric_digest import finder_signature, metric_signature
from small_studies import CHUNKS, CROWD, OUTPUTS, SOURCES, STUDIES, corpus

CHUNKED = [name for name in STUDIES if name != "maege"]  # which has a form of its own


@pytest.fixture(params=CHUNKED)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def study(name: str) -> Callable[..., Result]:
    return STUDIES[name]


def test_an_interrupted_study_goes_on(name: str, study: Callable[..., Result], tmp_path: Path) -> None:
    whole, file = study().to_json(), tmp_path / "kept"
    assert study(checkpoint=file).to_json() == whole
    header, *chunks = file.read_text().splitlines()
    assert len(chunks) == CHUNKS[name]
    file.write_text("\n".join([header, *chunks[::2], chunks[1][:40]]))  # the last was cut short
    assert study(checkpoint=str(file)).to_json() == whole
    again = file.read_text().splitlines()
    assert again[1 : 1 + len(chunks[::2])] == chunks[::2]
    dropped = [json.loads(line)["chunk"] for line in chunks[1::2]]
    assert [json.loads(line)["chunk"] for line in again[2 + len(chunks[::2]) :]] == dropped


def test_what_is_kept_is_not_computed_again(study: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "kept"
    whole = study(checkpoint=file).to_json()
    before = file.read_bytes()
    assert study(checkpoint=file).to_json() == whole
    assert file.read_bytes() == before


def test_other_settings_are_refused(study: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "kept"
    study(checkpoint=file)
    before = file.read_bytes()
    with pytest.raises(InputError, match=r"kept belongs to a study with other settings, metrics or data; choose") as no:
        study(["sari"], checkpoint=file)
    assert no.value.parameters == ("checkpoint",)
    assert file.read_bytes() == before
    with pytest.raises(InputError, match="Is a directory"):
        study(checkpoint=tmp_path)
    file.write_text("something else\n")
    with pytest.raises(InputError, match="kept is no checkpoint: choose another file"):
        study(checkpoint=file)


def test_a_line_that_somebody_changed_is_refused(study: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "kept"
    whole = study(checkpoint=file).to_json()
    lines, chance = file.read_text().splitlines(), random.Random(1)
    for _ in range(5):
        number = chance.randrange(1, len(lines))
        line = json.loads(lines[number])
        key = chance.choice(sorted(line))
        line[key] = chance.choice([None, [], {}, 0, "x", float("nan"), [line[key]]])
        file.write_text("\n".join([*lines[:number], json.dumps(line), *lines[number + 1 :]]) + "\n")
        with pytest.raises(
            InputError, match=rf"kept, line {number + 1} is no chunk of this study: somebody changed it"
        ):
            study(checkpoint=file)
    line.pop(key)
    file.write_text(f"{lines[0]}\n{json.dumps(line)}\n")
    with pytest.raises(InputError, match=r"line 2 .*: it is not an object of chunk, answer, digest; delete the line"):
        study(checkpoint=file)
    file.write_text(f"{lines[0]}\n[1\n\n")
    assert study(checkpoint=file).to_json() == whole


def test_backends_that_are_none(study: Callable[..., Result], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'spark' is no backend"):
        study(run=Run(backend="spark"), checkpoint=tmp_path / "kept")
    assert not (tmp_path / "kept").exists()  # it is refused before anything begins


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_killed_and_started_again(tmp_path: Path) -> None:
    """The command is killed (kill -9) once it has kept two chunks; the same command goes on."""
    rows = [f"{source} {i}\t{text} {i}" for i in range(12) for source, texts in CROWD.items() for text in texts]
    (tmp_path / "crowd.tsv").write_text("\n".join(["source\tcorrection", *rows]) + "\n")
    line = "coverage crowd.tsv --references 2 --format json --quiet"
    command = [sys.executable, "-m", "gecval", *line.split()]
    kept = tmp_path / "kept"
    with subprocess.Popen([*command, "--checkpoint", kept], cwd=tmp_path, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and (not kept.exists() or kept.read_bytes().count(b"\n") < 3):
            sleep(0.005)
        process.kill()
    assert process.returncode in (0, -signal.SIGKILL)
    before = kept.read_bytes()
    assert before.count(b"\n") >= 3
    resumed, whole = (
        subprocess.run([*command, *more], cwd=tmp_path, capture_output=True, check=True).stdout
        for more in (["--checkpoint", "kept"], [])
    )
    assert resumed == whole
    assert kept.read_bytes().startswith(before.rpartition(b"\n")[0])
    assert len([one for one in kept.read_bytes().splitlines() if one.endswith(b"}")]) == 37


def add_one(item: tuple[str, int]) -> int | Refused:
    return try_chunk(lambda: positive(item[1]) + 1)


def positive(number: int) -> int:
    if number < 0:
        raise InputError(f"{number} is below 0", parameter="number")
    return number


def test_refusals_are_not_kept(tmp_path: Path) -> None:
    kept = Checkpoint(tmp_path / "kept", lambda: "mine", Chunks({"part": int}))
    items = [("part", 1), ("part", -1), ("part", 2)]
    assert list(compute_chunks(add_one, items, run=HERE, finished=kept)) == [2, Refused("-1 is below 0"), 3]
    again = Checkpoint(tmp_path / "kept", lambda: "mine", Chunks({"part": int}))
    assert [item in again for item in items] == [True, False, True]
    assert Part(again, "part").get(2) == again.get(("part", 2)) == 3
    assert 2 in Part(again, "part")
    assert -1 not in Part(again, "part")
    Part(again, "part").add(7, 8)
    assert Checkpoint(tmp_path / "kept", lambda: "mine", Chunks({"part": int})).get(("part", 7)) == 8
    assert list(compute_chunks(add_one, items, run=HERE)) == [2, Refused("-1 is below 0"), 3]
    with pytest.raises(InputError, match=r"line 2 is no chunk of this study: answer is 2, not a text; delete"):
        Checkpoint(tmp_path / "kept", lambda: "mine", Chunks({"part": str}))


def where(item: int) -> tuple[str, int | None]:
    return choose_device()


def test_the_device_travels_with_the_work() -> None:
    with use_device("cpu", batch_size=3):
        assert list(compute_chunks(where, [1], run=Run(backend="processes:1"))) == [("cpu", 3)]
    assert list(compute_chunks(where, [1], run=Run(backend="processes:1"))) == [("auto", None)]


def test_different_studies_have_different_signatures() -> None:
    assert study_signature("a", "b", 3).startswith("a|b|3|gecval:")
    assert digest(["a", "b"]) != digest(["ab", ""])
    assert len(digest([])) == 16
    mine, yours = corpus().system("a", ["x"] * 5), corpus().system("b", ["x"] * 5)
    assert systems_digest([mine]) != systems_digest([yours])
    assert systems_digest([mine, yours]) != systems_digest([yours, mine])
    assert systems_digest([replace(mine, edits=[()] * 5)]) != systems_digest([mine])
    signatures = {
        corpus_signature(changed)
        for changed in (
            corpus(),
            replace(corpus(), language="en"),
            replace(corpus(), tokenize="char"),
            replace(corpus(), extractor="plain"),
            replace(corpus(), sources=[text.lower() for text in corpus().sources]),
            replace(corpus(), references=[listed[:1] for listed in corpus().references]),
        )
    }
    assert len(signatures) == 6
    assert corpus_signature(corpus()) in signatures


@dataclass(frozen=True)
class Everything:
    """All kinds of values that answers have."""

    word: str
    sure: bool
    which: Literal["a", "b"]
    count: int
    score: float
    figure: float | None
    undefined: MaybeUndefined
    interval: Interval | None
    ranks: tuple[int, int]
    array: Array
    rows: dict[str, tuple[float, ...]]
    more: list[str]


def everything(**changes: Any) -> Everything:
    values: dict[str, Any] = {
        "word": "w\ud800é", "sure": True, "which": "a", "count": 3, "score": 0.1 + 0.2, "figure": None,
        "undefined": float("nan"), "interval": Interval(-0.0, float("nan")), "ranks": (1, 2),
        "array": np.array([1e-300, np.nan, -np.inf]), "rows": {"é": (1.0, 5e-324)}, "more": ["x"],
    }  # fmt: skip
    return Everything(**values | changes)


def test_values_come_back_as_they_were() -> None:
    for value in (everything(), everything(figure=7, interval=None, score=float("inf"), array=np.zeros(0))):
        back = decode(Everything, json.loads(json.dumps(encode(value), allow_nan=False)), "value")
        assert repr(back) == repr(value)
        assert type(back.figure) is type(value.figure)
        assert back.array.dtype == np.float64


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"word": 3}, "value.word is 3, not a text"),
        ({"sure": 1}, "value.sure is 1, not true or false"),
        ({"which": "c"}, "value.which is 'c', not one of a, b"),
        ({"count": -1}, "value.count is -1, not a whole number from 0 on"),
        ({"score": "NaN"}, "value.score is 'NaN', not a number"),
        ({"figure": "high"}, "value.figure is 'high', not a number"),
        ({"interval": [0.5]}, "value.interval is not a list of 2 numbers"),
        ({"array": {}}, "value.array is not a list"),
        ({"array": ["x"]}, r"value.array[0] is 'x', not a number"),
        ({"rows": []}, "value.rows is not an object"),
        ({"more": [None]}, "value.more[0] is NoneType, not a text"),
        ({"score": True}, "value.score is True, not a number"),
        ({"score": 1e15 + 1}, "value.score is 1000000000000001.0, not a number"),
        ({"count": 10**15 + 1}, "value.count is 1000000000000001, not a whole number from 0 on"),
        ({"count": 2.0}, "value.count is 2.0, not a whole number from 0 on"),
        ({"interval": "ab"}, "value.interval is not a list of 2 numbers"),
        ({"further": 1}, f"value is not an object of {', '.join(Everything.__dataclass_fields__)}"),
    ],
)
def test_values_that_do_not_fit(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        decode(Everything, {**encode(everything()), **change}, "value")
    assert str(error.value) == message


def test_what_is_no_object_does_not_fit() -> None:
    for value in ([], None, "word", {"word": "w"}):
        with pytest.raises(ValueError, match=r"^value is not an object of word, sure, which, "):
            decode(Everything, value, "value")


def test_values_at_the_edge_fit() -> None:
    edge = everything(count=0, score=-1e15, figure=10**15)
    assert repr(decode(Everything, encode(edge), "value")) == repr(edge)
    # What is undefined may be null, or NaN; so may the ends of an interval.
    for undefined in (None, float("nan")):
        back = decode(Everything, {**encode(everything()), "undefined": undefined, "array": [undefined]}, "value")
        assert np.isnan([back.undefined, *back.array]).all()
    assert np.isnan(decode(Interval, None, "interval")).all()
    assert [decode(int | str, value, "value") for value in (3, "a")] == [3, "a"]
    with pytest.raises(ValueError, match=r"^value is NoneType, not a text$"):
        decode(int | str, None, "value")


def test_a_checkpoint_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    """The lines as they were always written: digests of 16 digits, so that a file that was begun goes on."""
    lines = [
        '{"study": "mine"}',
        '{"chunk": ["part", 1], "answer": 2, "digest": "1c099ffc00813241"}',
        '{"chunk": ["part", "\\u00e9"], "answer": 3, "digest": "cc5c268a52351ff4"}',
    ]
    kept = tmp_path / "kept"
    kept.write_text("\n".join(lines))
    opened = Checkpoint(kept, lambda: "mine", Chunks({"part": int}))
    assert [opened.get(("part", 1)), opened.get(("part", "é"))] == [2, 3]
    opened.add(("part", 4), 5)
    assert kept.read_text().splitlines()[:3] == lines
    assert Checkpoint(kept, lambda: "mine", Chunks({"part": int})).get(("part", 4)) == 5
    before = kept.read_bytes()
    with pytest.raises(ValueError, match="JSON compliant"):  # other programs read JSON too, which has no NaN
        opened.add(("part", float("nan")), 6)
    assert kept.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"other": 1}\n', "kept is no checkpoint"),
        ("[1]\n", "kept is no checkpoint"),
        ('{"study": "mine"}\n3\n', "line 2 is no chunk of this study: it is not an object of chunk, answer, digest"),
        ('{"study": "mine"}\n\n["chunk", "answer", "digest"]\n', "line 3 is no chunk of this study: it is not an"),
    ],
)
def test_lines_that_are_no_chunks(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "kept").write_text(content)
    with pytest.raises(InputError, match=says):
        Checkpoint(tmp_path / "kept", lambda: "mine", Chunks({"part": int}))


def test_chunks_of_no_part_are_refused(tmp_path: Path) -> None:
    for chunk in (["other", 1], ["part 2", 1], [], {"part": 1}, "part"):
        line = {"chunk": chunk, "answer": 2, "digest": line_digest(chunk, 2)}
        (tmp_path / "kept").write_text('{"study": "mine"}\n' + json.dumps(line) + "\n")
        with pytest.raises(InputError, match="line 2 is no chunk of this study: its chunk is of none of part, second;"):
            Checkpoint(tmp_path / "kept", lambda: "mine", Chunks({"part": int, "second": int}))


def test_scores_made_elsewhere_are_part_of_the_study(tmp_path: Path) -> None:
    """The same files with other numbers: their old scores would stand next to the new ones."""
    for place in ("scores", "scores/{system}.txt"):
        for name, score in zip(OUTPUTS, (0.1, 0.4, 0.2, 0.3), strict=True):
            (tmp_path / "scores").mkdir(exist_ok=True)
            (tmp_path / "scores" / f"{name}.txt").write_text(f"{score}\n" * len(SOURCES))
        given = f'from-file(path="{tmp_path / place}")'
        for metrics in ([given], [f"interpolated(gleu, {given}, 0.5)"]):
            (tmp_path / "kept").unlink(missing_ok=True)
            whole = STUDIES["human"](metrics, checkpoint=tmp_path / "kept").to_json()
            assert STUDIES["human"](metrics, checkpoint=tmp_path / "kept").to_json() == whole
            (tmp_path / "scores" / "wild.txt").write_text(f"{0.9 + len(metrics[0])}\n" * len(SOURCES))
            with pytest.raises(InputError, match="belongs to a study with other settings, metrics or data"):
                STUDIES["human"](metrics, checkpoint=tmp_path / "kept")


@pytest.mark.parametrize("of", ["function", "interpolated(gleu, function, 0.5)"])
@pytest.mark.parametrize("name", ["maege", "human", "validate", "reference coverage", "crowd coverage"])
def test_a_metric_that_its_author_changed(name: str, of: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "metric_of_mine.py").write_text("def length(source, hypothesis, references):\n    return len(source)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "metric_of_mine", raising=False)
    mine = [metric(of.replace("function", "metric_of_mine:length"))]
    STUDIES[name](mine, checkpoint=tmp_path / "kept")
    STUDIES[name](mine, checkpoint=tmp_path / "kept")
    (tmp_path / "metric_of_mine.py").write_text("def length(source, hypothesis, references):\n    return 2\n")
    with pytest.raises(InputError, match="belongs to a study with other settings, metrics or data"):
        STUDIES[name](mine, checkpoint=tmp_path / "kept")


def test_what_decides_the_scores_of_our_own_metrics() -> None:
    """Their names, parameters and versions do; their code has the version of gecval."""
    gleu, m2 = metric("gleu"), metric("m2")
    assert metric_signature(gleu) == f"metric:gleu:{digest([gleu.spell_in_full(), '', ''])}"
    assert finder_signature(corpus(), [gleu, m2], None) == finder_signature(corpus(), [m2], None) != []
    assert finder_signature(annotate(corpus(), "plain"), [m2], None) == []


def test_functions_of_a_script_differ_by_their_lines() -> None:
    def shorter(source: str, hypothesis: str, references: list[str]) -> float:
        return -len(hypothesis)

    def longer(source: str, hypothesis: str, references: list[str]) -> float:
        return len(hypothesis)

    shorter.__module__ = longer.__module__ = "__main__"
    first, second = (metric_signature(FunctionMetric(function, "mine")) for function in (shorter, longer))
    assert first != second
    assert first == metric_signature(FunctionMetric(shorter, "mine"))


def test_files_of_a_metric_decide_its_scores_unless_they_are_models(tmp_path: Path) -> None:
    given = metric(f'from-file(path="{tmp_path}")')

    def changes(path: Path, size: int) -> bool:
        """Whether it matters what stands in the file, which takes no place on the disk."""
        signatures = set()
        for content in (b"a", b"b"):
            path.write_bytes(content)
            os.truncate(path, size)
            signatures.add(metric_signature(given))
        return len(signatures) == 2

    (tmp_path / "folder").mkdir()
    assert changes(tmp_path / "scores.txt", size=1)
    assert changes(tmp_path / "large.txt", size=2**26)
    assert not changes(tmp_path / "large.txt", size=2**26 + 1)


def test_versions_are_part_of_a_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    before = metric_signature(metric("errant")), finder_signature(corpus(), [metric("m2")], None)
    assert metric_signature(metric("errant")) == before[0]
    assert finder_signature(corpus(), [metric("gleu")], None) == []
    assert finder_signature(corpus(), [metric("m2")], "plain") == ["plain"]
    monkeypatch.setattr("gecval.edits.errant.ErrantExtractor.signature", "errant:9.9")
    assert metric_signature(metric("errant")) != before[0]
    assert finder_signature(corpus(), [metric("m2")], None) == ["errant:9.9"] != before[1]
