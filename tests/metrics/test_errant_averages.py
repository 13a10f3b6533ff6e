"""ERRANT's macro average against the tool that has it and an oracle; edits at a price."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, load_corpus, metric, score
from gecval.metrics.base import Statistics
from gecval.metrics.errant import Errant, count_by_type, rows_by_type
from gecval.metrics.error_types import at_detail
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import Run
from oracles.errant_macro import macro_f, running_totals


def compare(corpus: Corpus, edits: list[tuple[Edit, ...]]) -> list[dict[str, list[int]]]:
    return [count_by_type(proposed, gold) for proposed, golds in Errant().match(corpus, edits) for gold in golds]


def test_the_tool_with_a_macro_average(golden: Path) -> None:
    """It adds types in the order of a set, so its choice among references varies a little from run to run."""
    results = json.loads((golden / "modern" / "errant_macro.json").read_text())["results"]
    corpus = load_corpus(None, [golden / "errant" / "nucle2_ref.m2.gz"])
    metric = Errant(average="macro")
    assert len(results) == 13
    for name, expected in results.items():
        hypotheses = load_corpus(None, [golden / "errant" / f"hyp_{name}.m2.gz"])
        by_type = compare(corpus, [reference.edits or () for [reference] in hypotheses.references])
        evaluation = Evaluation(metric, Statistics(rows_by_type(corpus, by_type), corpus.reference_slots))
        overall, parts = expected["overall"], evaluation.parts()
        assert evaluation.score() == pytest.approx(overall["f05"], abs=2e-4)
        assert [parts[count] for count in ("tp", "fp", "fn")] == pytest.approx(
            [overall[count] for count in ("tp", "fp", "fn")], abs=5
        )
        if "categories" in expected.get("-cat 1", {}):
            chosen = metric.rule.choose_rows(evaluation.statistics)
            for kind, (tp, fp, fn, *_) in expected["-cat 1"]["categories"].items():
                rows = [
                    counts
                    for slot in chosen
                    for full, counts in by_type[slot].items()
                    if at_detail(full, "operation") == kind
                ]
                assert np.sum(rows, axis=0) == pytest.approx([tp, fp, fn], abs=5)


counts = st.dictionaries(st.sampled_from(["M:DET", "R:SPELL", "own", "U"]), st.tuples(*[st.integers(0, 3)] * 3))


@given(
    st.lists(st.lists(counts, min_size=1, max_size=3), min_size=1, max_size=6),
    st.sampled_from([0.5, 1.0, 2.0]),
)
def test_macro_against_the_oracle(drawn: list[list[dict[str, Any]]], beta: float) -> None:
    own = Edit(0, 1, ("b",), type="own")  # so that the corpus knows the type
    corpus = Corpus(["a"] * len(drawn), [[Reference(edits=(own,))] * len(options) for options in drawn])
    statistics = Statistics(
        rows_by_type(corpus, [counts for options in drawn for counts in options]), corpus.reference_slots
    )
    evaluation = Evaluation(Errant(beta, average="macro"), statistics, run=Run(jobs=2))
    assert evaluation.score() == pytest.approx(macro_f(running_totals(drawn, beta), beta), abs=1e-9)
    chosen = evaluation.metric.rule.choose_rows(statistics)  # type: ignore[attr-defined]
    assert statistics.rows[chosen].sum(axis=0) == pytest.approx(evaluation._totals[0])


SOURCES = ["He go to teh park .", "Fine ."]
GOLD = [
    [Reference(edits=(Edit(1, 2, ("goes",), type="R:VERB:SVA"), Edit(3, 4, ("the",), type="R:SPELL")))],
    [Reference(edits=(Edit(1, 1, ("!",), type="M:PUNCT"),))],
]
CORPUS = Corpus(SOURCES, GOLD)
PROPOSED = ["He go to the park .", "Fine ."]  # tp R (plain types), fn R:VERB:SVA and M:PUNCT


def f05(tp: float, fp: float, fn: float) -> float:
    return 1.25 * tp / (1.25 * tp + fp + 0.25 * fn)


@pytest.mark.parametrize(
    ("prices", "expected"),
    [
        ({}, f05(1, 0, 2)),
        ({"R:SPELL": 2}, f05(2, 0, 2)),
        ({"SPELL": 2, "R": 4}, f05(2, 0, 5)),
        ({"R": 4, "M": 0}, f05(4, 0, 4)),
        ({"R:SPELL": 0.5, "SPELL": 7, "PUNCT": 3}, f05(0.5, 0, 4)),
    ],
)
def test_edits_at_a_price(tmp_path: Path, prices: dict[str, float], expected: float) -> None:
    file = tmp_path / "prices.json"
    file.write_text(json.dumps(prices))
    signatures = set()
    for weights in (prices, str(file)):
        metric = Errant(model="plain", weights=weights)  # type: ignore[arg-type]
        evaluation = Evaluation.of(metric, CORPUS, CORPUS.system("mine", PROPOSED))
        assert evaluation.score() == pytest.approx(expected)
        signatures.add(str(metric.parameters()))
    assert len(signatures) == 1  # prices decide the score, not where they were written


def test_signatures_of_plain_errant_stay() -> None:
    assert list(Errant().parameters()) == ["beta", "level", "model", "size", "ignore"]
    assert Errant(average="macro").parameters()["average"] == "macro"
    assert Errant(weights={"R": 2, "M:DET": 0.5}).parameters()["weights"] == "M:DET=0.5,R=2"  # type: ignore[arg-type]
    near = [Errant(weights={"R": price}).parameters()["weights"] for price in (0.1, 0.1000001)]  # type: ignore[arg-type]
    assert near == ["R=0.1", "R=0.1000001"]


def test_spellings_with_prices() -> None:
    made = metric('errant(model="plain", weights={"R:SPELL": 2, "M": 0.5})')
    assert made == Errant(model="plain", weights={"R:SPELL": 2, "M": 0.5})  # type: ignore[arg-type]
    assert metric(repr(made)) == made
    assert {made: "a key"}[metric(repr(made))] == "a key"
    [result] = score(CORPUS, {"mine": PROPOSED}, [made])
    assert result.parts["tp"] == 2.0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "line 1 is no JSON"),
        ("[1]", "must be prices"),
        ('{"R": "two"}', "the price of R must be a number"),
        ('{"R": true}', "the price of R must be a number"),
        ('{"R": -1}', "the price of R must be a number"),
        ('{"R": NaN}', "the price of R must be a number"),
        (f'{{"R": {"9" * 5000}}}', "a number is too long"),
        ("[" * 200_000, "brackets are too deep"),
    ],
)
def test_files_without_prices(tmp_path: Path, content: str, reason: str) -> None:
    file = tmp_path / "prices.json"
    file.write_text(content)
    with pytest.raises(InputError, match=reason):
        score(CORPUS, {"mine": PROPOSED}, [Errant(model="plain", weights=str(file))])
    with pytest.raises(InputError, match="no such file"):
        score(CORPUS, {"mine": PROPOSED}, [Errant(model="plain", weights="nowhere.json")])


def test_prices_for_types_that_do_not_occur() -> None:
    [result] = score(CORPUS, {"mine": PROPOSED}, ['errant(model="plain", weights={"R:SPEL": 2, "R": 1})'])
    assert result.notes == ("errant has a price for R:SPEL, and no edit is of that type",)


def test_macro_takes_no_prices() -> None:
    with pytest.raises(InputError, match="takes no weights"):
        Errant(average="macro", weights={"R": 2})  # type: ignore[arg-type]
