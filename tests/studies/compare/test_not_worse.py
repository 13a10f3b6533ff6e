"""Ship or don't ship: verdicts, intervals that decide, and looks that are counted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gecval import Corpus, InputError, Resampling, compare, not_worse
from gecval.stats import Interval
from gecval.stats.noninferiority import level_at, verdict
from gecval.studies.compare.gate import Rule

CORPUS = Corpus.from_texts(["a"] * 60, [["b"]] * 60)


def outputs(right: int) -> list[str]:
    return ["b"] * right + ["a"] * (60 - right)


def test_four_verdicts_and_a_studentised_interval_decides() -> None:
    old = CORPUS.system("old", outputs(40))
    given = {"same": outputs(40), "more": outputs(54), "less": outputs(36), "bad": outputs(5)}
    result = not_worse(CORPUS, old, given, ["accuracy: 0.1"], family="metric")
    assert [decision.verdict for decision in result] == ["equivalent", "not worse", "undecided", "worse"]
    assert {decision.interval_level for decision in result} == {1 - 0.05 / 4}  # four systems share the level
    how = Resampling(level=result[3].interval_level, method="studentised")
    [compared] = compare(CORPUS, old, {"bad": outputs(5)}, ["accuracy"], confidence=how)
    assert result[3].interval == compared.interval
    assert (result.verdict, result.exit_status) == ("worse", 1)
    assert result.to_dict()["exit_status"] == 1
    assert [len(decision.pair.influential) for decision in result] == [3, 3, 3, 3]


def test_an_undecided_gate_says_how_many_sentences_it_takes() -> None:
    """As many more as the interval must shrink, so that equal systems pass in four of five test sets."""
    old, new = CORPUS.system("old", outputs(40)), {"new": [*outputs(36)[:40], *outputs(44)[40:]]}
    shown = str(not_worse(CORPUS, old, new, ["accuracy: 0.02"]))
    said = re.search(
        r"undecided: if old and new are equally good, it takes about ([\d,]+) sentences .* of about (\S+)", shown
    )
    assert said is not None
    needed, margin = int(said[1].replace(",", "")), float(said[2])
    assert needed == pytest.approx(60 * (margin / 0.02) ** 2, rel=0.06)
    assert not_worse(CORPUS, old, new, [f"accuracy: {margin}"]).verdict in ("equivalent", "not worse")
    assert "undecided: if" not in str(not_worse(CORPUS, old, new, [f"accuracy: {margin}"]))


def test_equal_outputs_on_few_sentences_prove_no_equality() -> None:
    """The exact bound: 1 − 0.025^(1/60)."""
    old = CORPUS.system("old", outputs(50))
    for margin, said in ((0.05, "undecided"), (0.06, "equivalent")):
        [decision] = made = not_worse(CORPUS, old, {"same": outputs(50)}, [f"accuracy: {margin}"])
        assert (decision.verdict, decision.carriers, decision.difference) == (said, 0, 0)
        assert decision.interval == pytest.approx((-0.0596, 0.0596), abs=1e-4)
        assert any("differ in none of 60 sentences" in note for note in made.notes)


def test_a_tie_of_floats_is_no_verdict() -> None:
    assert verdict(Interval(-0.0050000000000000044, 0.1), 0.005) == "undecided"
    assert verdict(Interval(-0.0049999999999999956, 0.1), 0.005) == "undecided"
    assert verdict(Interval(-0.1, -0.0050000000000000044), 0.005) == "undecided"
    assert verdict(Interval(-0.004, 0.005 + 1e-15), 0.005) == "not worse"


def test_rules_share_one_budget() -> None:
    old, new = CORPUS.system("old", outputs(50)), {"new": outputs(45)}
    rules = ["accuracy: 0.1", "ld: 0.1 @ 0.9"]
    together, apart = (not_worse(CORPUS, old, new, rules, family=family) for family in ("all", "metric"))
    assert [decision.interval_level for decision in together] == pytest.approx([0.975, 0.95])
    assert [decision.interval_level for decision in apart] == pytest.approx([0.95, 0.9])
    assert [decision.shared for decision in together] == [2, 2]


def test_a_metric_where_lower_is_better() -> None:
    old = CORPUS.system("old", outputs(50))
    result = not_worse(CORPUS, old, {"bad": ["b b b b"] * 60, "copy": ["a"] * 60}, ["ld: 0.5"])
    assert [decision.verdict for decision in result] == ["worse", "not worse"]


def test_rules_have_their_own_levels() -> None:
    old = CORPUS.system("old", outputs(50))
    few = Resampling(100, level=0.5)
    rules = ["accuracy: 0 @ 0.8", "accuracy: 0 @ 0.99"]
    result = not_worse(CORPUS, old, {"new": outputs(45)}, rules, confidence=few, family="metric")
    narrow, wide = (decision.interval for decision in result)
    assert wide.low < narrow.low < narrow.high <= wide.high
    assert [decision.interval_level for decision in result] == pytest.approx([0.8, 0.99])


def test_whole_documents_decide_with_looks_too(tmp_path: Path) -> None:
    """Two documents are worse as a whole, so sentences of one document tell less than as many of several."""
    old, how = CORPUS.system("old", outputs(60)), Resampling(100, documents=tuple(range(0, 60, 6)))
    new = {"new": outputs(48)}
    for looks in (None, tmp_path / "looks"):
        [wide] = not_worse(CORPUS, old, new, ["accuracy: 0.1"], confidence=how, looks=looks)
        [narrow] = not_worse(CORPUS, old, new, ["accuracy: 0.1"], looks=looks and tmp_path / "others")
        assert "documents:10" in wide.comparison.signature
        assert wide.interval.low < narrow.interval.low - 0.05


def test_planned_looks_share_the_level_in_equal_parts(tmp_path: Path) -> None:
    old, file = CORPUS.system("old", outputs(50)), tmp_path / "looks.json"
    for look, spent in enumerate((0.05 / 3, 0.05 / 3, 0.05 / 3 / 2, 0.05 / 3 / 6), start=1):
        planned = 2 if look == 1 else None  # the file keeps the plan
        [decision] = not_worse(CORPUS, old, {"new": outputs(look)}, ["accuracy: 0.1"], looks=file, planned=planned)
        assert (decision.look, decision.interval_level) == (look, pytest.approx(1 - spent))
    with pytest.raises(InputError, match="was begun with 2 planned looks, not 3"):
        not_worse(CORPUS, old, {"new": outputs(9)}, ["accuracy: 0.1"], looks=file, planned=3)
    with pytest.raises(InputError, match="name one"):
        not_worse(CORPUS, old, {"new": outputs(9)}, ["accuracy: 0.1"], planned=3)


def test_another_margin_between_looks_is_said(tmp_path: Path) -> None:
    old, new, file = CORPUS.system("old", outputs(50)), {"new": outputs(45)}, tmp_path / "looks.json"
    first = not_worse(CORPUS, old, new, ["accuracy: 0.1"], looks=file)
    edited = not_worse(CORPUS, old, new, ["accuracy: 0.2"], looks=file)
    said = f"{file} has looks under other rules: 'accuracy: 0.1 @ 0.95' (1)"
    assert [any(note.startswith(said) for note in result.notes) for result in (first, edited)] == [False, True]


def test_looks_are_counted_once_for_the_same_outputs(tmp_path: Path) -> None:
    old, file = CORPUS.system("old", outputs(50)), tmp_path / "looks.json"

    def look(right: int) -> tuple[int | None, float, str]:
        [decision] = not_worse(CORPUS, old, {"new": outputs(right)}, ["accuracy: 0.1"], looks=file)
        return decision.look, decision.interval_level, decision.interval_method

    assert look(40) == (1, level_at(1, 0.95), "studentised")
    assert look(41) == (2, level_at(2, 0.95), "studentised")
    assert look(40)[0] == 1  # the job was run again
    assert look(42)[0] == 3
    assert [len(seen) for seen in json.loads(file.read_text())["looks"].values()] == [3]
    once, often = (not_worse(CORPUS, old, {"new": outputs(40)}, ["accuracy: 0.1"], looks=at) for at in (None, file))
    assert [any("are few for many looks" in note for note in made.notes) for made in (once, often)] == [False, True]


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
        ("m2: nan", "write a rule as"),
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


def test_copies_of_the_source_prove_nothing() -> None:
    """Both have F 0: what a sentence can add is not seen, so it is what the scale has."""
    corpus = Corpus.from_texts(["He go home ."] * 200, [["He goes home ."]] * 200, language="en")
    copies = {"old": list(corpus.sources), "new": list(corpus.sources)}
    [said] = not_worse(corpus, corpus.system("old", copies["old"]), {"new": copies["new"]}, ["m2: 0.0001"])
    assert said.verdict == "undecided"
    assert said.interval.low < -0.01 < 0.01 < said.interval.high
