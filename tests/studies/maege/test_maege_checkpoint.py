"""Checkpoints of MAEGE: a study that was interrupted goes on; whatever else the file holds ends in one line."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gecval import Corpus, InputError, metric
from gecval.results.checkpoint import decode
from gecval.sample import load_sample
from gecval.stats import Interval
from gecval.stats.correlation import Correlation
from gecval.studies.maege.lattices import MaegeSettings
from gecval.studies.maege.result import Maege
from gecval.studies.maege.study import maege


@pytest.fixture
def sample() -> Corpus:
    return load_sample()[0]


def test_an_interrupted_study_goes_on(sample: Corpus, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    metrics = [metric("gleu"), metric("ld")]
    whole = maege(sample, sample, metrics, replicates=4)
    maege(sample, sample, metrics, replicates=2, checkpoint=file)
    with file.open("a") as cut_short:
        cut_short.write('{"replicate": 2, "metr')
    assert maege(sample, sample, metrics, replicates=4, checkpoint=file) == whole
    with pytest.raises(InputError, match="other settings"):
        maege(sample, sample, metrics[:1], replicates=4, checkpoint=file)


def test_a_line_that_was_cut_short_spoils_no_other(sample: Corpus, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    maege(sample, sample, ["ld"], replicates=1, checkpoint=file)
    with file.open("a") as cut_short:
        cut_short.write('{"replicate": 1, "metr')
    maege(sample, sample, ["ld"], replicates=3, checkpoint=str(file))
    cut, *complete = sorted(file.read_text().splitlines()[1:], key=len)
    assert cut == '{"replicate": 1, "metr'
    assert sorted(json.loads(line)["replicate"] for line in complete) == [0, 1, 2]


def test_what_is_undefined_comes_back_undefined(sample: Corpus, tmp_path: Path) -> None:
    """A constant metric has no correlation: null in the file, and NaN in the result, as without a file."""
    file = tmp_path / "run.jsonl"
    constant = metric("accuracy")
    hopeless = Corpus.from_texts(sample.sources, [["never"] for _ in sample.sources])
    first = maege(sample, hopeless, [constant], replicates=2, checkpoint=file)
    assert "NaN" not in file.read_text()
    again = maege(sample, hopeless, [constant], replicates=2, checkpoint=file)
    assert again.to_dict() == first.to_dict()
    assert first.to_dict()["metrics"][0]["corpus_spearman"]["mean"] is None


def test_an_empty_file_is_a_new_checkpoint(sample: Corpus, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.touch()
    maege(sample, sample, ["ld"], checkpoint=file)
    assert len(file.read_text().splitlines()) == 2


def changed(value: Any, chance: random.Random) -> Any:
    """Something else in place of a value."""
    return chance.choice(
        [
            None,
            True,
            -1,
            0,
            0.5,
            "x",
            "",
            [],
            {},
            [1, 2],
            {"x": 1},
            10**20,
            10**400,
            1e300,
            float("nan"),
            float("inf"),
            [value],
        ]
    )


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(inner, (*path, key))


def mutated(item: Any, path: tuple[Any, ...], chance: random.Random) -> Any:
    """The item with one value replaced, removed or renamed."""
    if not path:
        return changed(item, chance)
    copy = json.loads(json.dumps(item))
    holder = copy
    for key in path[:-1]:
        holder = holder[key]
    how = chance.choice(["replace", "remove", "rename"])
    value = holder[path[-1]]
    if how == "replace" or isinstance(holder, list):
        holder[path[-1]] = changed(value, chance)
    else:
        del holder[path[-1]]
        if how == "rename":
            holder[f"{path[-1]}?"] = value
    return copy


@pytest.fixture
def run(tmp_path: Path) -> Callable[[], Maege]:
    """A small study with a checkpoint of two replicates."""
    full, _ = load_sample()
    corpus = Corpus(full.sources[:6], full.references[:6])
    settings = MaegeSettings(models=(0, 2, 4))
    return lambda: maege(
        corpus, corpus, ["ld", "gleu"], settings=settings, replicates=2, by_type=True, checkpoint=tmp_path / "c.jsonl"
    )


def test_mutated_checkpoints_end_in_results_or_in_one_line(run: Callable[[], Maege], tmp_path: Path) -> None:
    whole = run()
    file = tmp_path / "c.jsonl"
    lines = file.read_text().splitlines()
    chance = random.Random(1)
    refusals = []
    for number, line in enumerate(lines):
        item = json.loads(line)
        everywhere = list(places(item))
        for path in chance.sample(everywhere, min(150, len(everywhere))):
            changed_line = json.dumps(mutated(item, path, chance))
            file.write_text("\n".join([*lines[:number], changed_line, *lines[number + 1 :]]) + "\n")
            try:
                study = run()
            except InputError as error:
                refusals.append(str(error))
            else:
                assert len(study.to_json()) > 1000  # every number can be shown
                assert str(study)
    assert len(refusals) > 150
    for message in refusals:
        assert message.startswith(str(file))
        assert message.endswith("choose another file")
        assert "\n" not in message
    file.write_text("\n".join(lines) + "\n")
    assert run() == whole


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\n",
        b"[" * 100_000,
        b"[]\n",
        b"3\n",
        b'{"study": 3}\n',
        b'{"study": "x"}\n',
        b"9" * 5000 + b"\n",
        b"\0",
    ],
)
def test_other_files_are_refused(run: Callable[[], Maege], tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c.jsonl").write_bytes(content)
    with pytest.raises(InputError, match=r"c\.jsonl (is no checkpoint|belongs to a study with other).*another file"):
        run()
    assert (tmp_path / "c.jsonl").read_bytes() == content


def test_a_folder_is_no_checkpoint(sample: Corpus, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Is a directory"):
        maege(sample, sample, ["ld"], checkpoint=tmp_path)


def test_the_line_that_does_not_fit_is_named(run: Callable[[], Maege], tmp_path: Path) -> None:
    run()
    file = tmp_path / "c.jsonl"
    lines = file.read_text().splitlines()
    item = json.loads(lines[2])
    item["metrics"]["ld"]["corpus"]["scores"][1] = "high"
    file.write_text("\n".join([*lines[:2], json.dumps(item)]) + "\n")
    message = r"line 3 is no replicate of this study: metrics\.ld\.corpus\.scores\[1\] is 'high', not a number; delete"
    with pytest.raises(InputError, match=message):
        run()


@pytest.mark.parametrize("change", ["a score", "the number of the replicate"])
def test_a_line_that_somebody_changed(run: Callable[[], Maege], tmp_path: Path, change: str) -> None:
    """A number that would do as well as the one that was there."""
    run()
    file = tmp_path / "c.jsonl"
    lines = file.read_text().splitlines()
    item = json.loads(lines[2])
    if change == "a score":
        item["metrics"]["ld"]["corpus"]["scores"][1] += 0.25
    else:
        item["replicate"] = 0
    file.write_text("\n".join([*lines[:2], json.dumps(item)]) + "\n")
    with pytest.raises(InputError, match=r"line 3 is no replicate of this study: somebody changed it; delete the line"):
        run()


@pytest.mark.parametrize("wrong", [None, True, "0.5", [], 10**400, float("nan"), float("inf"), -1e16])
def test_numbers_that_are_none(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"^scores\[1\] is .*, not a number$"):
        decode(tuple[float, ...], [0.5, wrong], "scores")


def test_correlations_may_be_undefined() -> None:
    written = {"value": None, "p": float("nan"), "interval": None, "n": 2}
    correlation = decode(Correlation, written, "r")
    assert math.isnan(correlation.value)
    assert math.isnan(correlation.p)
    assert all(map(math.isnan, correlation.interval))
    assert decode(Correlation, {**written, "interval": [-1, 0.5]}, "r").interval == Interval(-1.0, 0.5)
    for wrong, message in (
        ({"n": 2.0}, r"r\.n is 2\.0, not a whole number from 0 on"),
        ({"n": -1}, r"r\.n is -1, not a whole number"),
        ({"interval": [0.5]}, r"r\.interval is not a list of 2 numbers"),
        ({"more": 1}, r"r is not an object of value, p, interval, n"),
    ):
        with pytest.raises(ValueError, match=message):
            decode(Correlation, {**written, **wrong}, "r")


def test_a_replicate_must_fit_the_study(run: Callable[[], Maege], tmp_path: Path) -> None:
    run()
    file = tmp_path / "c.jsonl"
    header, first, *_ = file.read_text().splitlines()
    for change, message in (
        (lambda m: m["ld"]["corpus"]["scores"].pop(), "ld has 2 corpora, not 3"),
        (lambda m: m["ld"]["sentence"]["counts"].update(concordant=0, discordant=0, ties=0), "ld has no pairs"),
        (lambda m: m["ld"]["types"].popitem(), "types of edits of gleu are not those of the other metrics"),
        (lambda m: next(iter(m["gleu"]["types"].values())).update(edits=0), "types of edits of gleu are not those"),
        (lambda m: m.pop("gleu"), "its metrics are not ld, gleu"),
    ):
        item = json.loads(first)
        change(item["metrics"])
        file.write_text(f"{header}\n{json.dumps(item)}\n")
        with pytest.raises(InputError, match=message):
            run()
