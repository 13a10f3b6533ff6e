"""Ship or don't ship: verdicts, intervals that decide, and looks that are counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gecval import Corpus, InputError, Resampling, compare, not_worse
from gecval.stats.noninferiority import level_at
from gecval.studies.compare.gate import Rule

CORPUS = Corpus.from_texts(["a"] * 60, [["b"]] * 60)


def outputs(right: int) -> list[str]:
    return ["b"] * right + ["a"] * (60 - right)


def test_three_verdicts_and_the_interval_of_compare_decides() -> None:
    old = CORPUS.system("old", outputs(50))
    result = not_worse(CORPUS, old, {"same": outputs(50), "less": outputs(46), "bad": outputs(5)}, ["accuracy: 0.1"])
    assert [decision.verdict for decision in result] == ["not worse", "undecided", "worse"]
    compared = compare(CORPUS, old, {"bad": outputs(5)}, ["accuracy"])
    assert result[2].interval == compared[0].interval
    assert result[2].comparison.signature == compared[0].signature
    assert (result.verdict, result.exit_status) == ("worse", 1)
    assert result.to_dict()["exit_status"] == 1
    assert [len(decision.pair.influential) for decision in result] == [3, 3, 3]


def test_equal_outputs_are_not_worse_even_without_a_margin(tmp_path: Path) -> None:
    old = CORPUS.system("old", outputs(50))
    assert not_worse(CORPUS, old, {"same": outputs(50)}, ["accuracy: 0"]).exit_status == 0
    assert not_worse(CORPUS, old, {"same": outputs(50)}, ["accuracy: 0"], looks=tmp_path / "looks").exit_status == 0


def test_a_metric_where_lower_is_better() -> None:
    old = CORPUS.system("old", outputs(50))
    result = not_worse(CORPUS, old, {"bad": ["b b b b"] * 60, "copy": ["a"] * 60}, ["ld: 0.5"])
    assert [decision.verdict for decision in result] == ["worse", "not worse"]


def test_rules_have_their_own_levels() -> None:
    old = CORPUS.system("old", outputs(50))
    few = Resampling(100, level=0.5)
    result = not_worse(CORPUS, old, {"new": outputs(45)}, ["accuracy: 0 @ 0.8", "accuracy: 0 @ 0.99"], resampling=few)
    narrow, wide = (decision.interval for decision in result)
    assert wide.low < narrow.low < narrow.high <= wide.high
    assert [decision.interval_level for decision in result] == [0.8, 0.99]


def test_looks_do_not_know_documents(tmp_path: Path) -> None:
    """Their interval leaves out sentences: with documents it would be too narrow."""
    old, how = CORPUS.system("old", outputs(50)), Resampling(100, documents=tuple(range(0, 60, 6)))
    [decision] = not_worse(CORPUS, old, {"new": outputs(45)}, ["accuracy: 0.1"], resampling=how)
    assert "documents:10" in decision.comparison.signature
    with pytest.raises(InputError, match="with looks, the interval leaves out sentences, not documents"):
        not_worse(CORPUS, old, {"new": outputs(45)}, ["accuracy: 0.1"], resampling=how, looks=tmp_path / "looks")
    assert not (tmp_path / "looks").exists()


def test_looks_are_counted_once_for_the_same_outputs(tmp_path: Path) -> None:
    old, file = CORPUS.system("old", outputs(50)), tmp_path / "looks.json"

    def look(right: int) -> tuple[int | None, float, str]:
        [decision] = not_worse(CORPUS, old, {"new": outputs(right)}, ["accuracy: 0.1"], looks=file)
        return decision.look, decision.interval_level, decision.interval_method

    assert look(40) == (1, level_at(1, 0.95), "normal")
    assert look(41) == (2, level_at(2, 0.95), "normal")
    assert look(40)[0] == 1  # the job was run again
    assert look(42)[0] == 3
    assert [len(seen) for seen in json.loads(file.read_text())["looks"].values()] == [3]


@pytest.mark.parametrize(
    "content",
    [
        *("", "[]", "{", '{"schema": "gecval.looks/1", "looks": {"m2": 3}}', '{"looks": {}}', "[" * 100_000),
        '{"schema": "gecval.looks/1", "looks": {"gleu": ["3f"], "m2": 3}}',
        '{"schema": "gecval.looks/1", "looks": {"m2": ["3f", 3]}}',
    ],
)
def test_another_file_is_no_file_of_looks(tmp_path: Path, content: str) -> None:
    file = tmp_path / "looks.json"
    file.write_text(content)
    with pytest.raises(InputError, match=r"looks\.json is"):
        not_worse(CORPUS, CORPUS.system("old", outputs(5)), {"new": outputs(5)}, ["accuracy: 0"], looks=file)
    assert file.read_text() == content


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("m2", "write a rule as"),
        (": 0.1", "write a rule as"),
        ("m2: much", "write a rule as"),
        ("m2: 0.1 @ often", "write a rule as"),
        ("m2: -0.1", "0 or more"),
        ("m2: nan", "0 or more"),
        ("m2: 0.1 @ 1", "between 0 and 1"),
        ("nothing: 0.1", "nothing"),
    ],
)
def test_rules_that_cannot_be_meant(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        Rule.parse(text)


def test_what_is_refused() -> None:
    old = CORPUS.system("old", outputs(50))
    with pytest.raises(InputError, match="no rules"):
        not_worse(CORPUS, old, {"new": outputs(1)}, [])
    with pytest.raises(InputError, match="given twice"):
        not_worse(CORPUS, old, {"new": outputs(1)}, ["ld: 0.1", "ld:0.10"])
    single = Corpus.from_texts(["a"], [["b"]])
    with pytest.raises(InputError, match="two sentences or more"):
        not_worse(single, single.system("old", ["a"]), {"new": ["b"]}, ["ld: 0.1"])
