"""Scores by type of error: with intervals, and compared. Edits come from a table, so no parser is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pytest

from gecval import Corpus, Edit, InputError, Reference, Resampling, compare_by_type, load_sample, score_by_type
from gecval.edits.annotate import retype
from gecval.edits.extractors import extractor
from gecval.metrics.errant import Errant
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import SERIAL, Run
from gecval.stats import bootstrap_interval
from gecval.studies.scores.by_type import TypeScores

SENTENCES = 40


@dataclass(frozen=True)
class Table:
    """An extractor that knows one sentence: noun and verb are right or not."""

    signature: str = "edits:table"
    language: str | None = None

    def edits(self, pairs: Sequence[tuple[str, str]], *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        return [
            tuple(
                Edit(place, place + 1, (word,), kind)
                for place, (before, word, kind) in enumerate(
                    zip(source.split(), hypothesis.split(), ["R:VERB", "R:NOUN"], strict=True)
                )
                if before != word
            )
            for source, hypothesis in pairs
        ]


@dataclass(frozen=True, repr=False)
class ErrantByTable(Errant):
    @cached_property
    def extractor(self) -> Table:  # type: ignore[override]
        return Table()


GOLD = (Edit(0, 1, ("V",), "R:VERB"), Edit(1, 2, ("N",), "R:NOUN"))
CORPUS = Corpus(["v n"] * SENTENCES, [[Reference(edits=GOLD)]] * SENTENCES)
SYSTEMS = {
    "verbs": ["V n"] * SENTENCES,
    "nouns": ["v N"] * SENTENCES,
    "half": ["V n"] * (SENTENCES // 2) + ["x n"] * (SENTENCES // 2),
}


@pytest.fixture
def metric() -> Errant:
    return ErrantByTable()


def test_rows_by_hand(metric: Errant) -> None:
    scores = score_by_type(CORPUS, SYSTEMS, [metric])
    rows = {(row.system, row.type): (row.tp, row.fp, row.fn, row.interval) for row in scores.types}
    assert rows == {
        ("verbs", "NOUN"): (0, 0, 40, None),
        ("verbs", "VERB"): (40, 0, 0, None),
        ("nouns", "NOUN"): (40, 0, 0, None),
        ("nouns", "VERB"): (0, 0, 40, None),
        ("half", "NOUN"): (0, 0, 40, None),
        ("half", "VERB"): (20, 20, 20, None),
    }
    assert scores.level is None
    assert "resamples" not in scores.signature


def test_intervals(metric: Errant) -> None:
    scores = score_by_type(CORPUS, SYSTEMS, [metric], confidence=Resampling(500, level=0.9))
    rows = {(row.system, row.type): row for row in scores.types}
    assert scores.level == 0.9
    assert "|studentised:0.9|resamples:500|seed:1|" in scores.signature
    assert rows["verbs", "VERB"].interval == (1, 1)
    low, high = rows["half", "VERB"].interval or (0, 0)
    # F is here the share of right sentences: 20 of 40, whose standard error is 0.079.
    assert rows["half", "VERB"].score == 0.5
    assert (low, high) == pytest.approx((0.5 - 1.645 * 0.079, 0.5 + 1.645 * 0.079), abs=0.03)


def test_comparisons(metric: Errant) -> None:
    baseline = CORPUS.system("half", SYSTEMS["half"])
    others = {name: SYSTEMS[name] for name in ("verbs", "nouns")}
    comparisons = compare_by_type(CORPUS, baseline, others, [metric], correction="holm")
    assert [(pair.system, pair.type, pair.difference, pair.significant) for pair in comparisons] == [
        ("verbs", "NOUN", 0.0, False),
        ("verbs", "VERB", 0.5, True),
        ("nouns", "NOUN", 1.0, True),
        ("nouns", "VERB", -0.5, True),
    ]
    assert comparisons[0].p == 1
    # The smallest of four p-values counts four times.
    assert min(pair.p for pair in comparisons) == pytest.approx(4 / 100_001)


def test_a_type_that_one_system_never_has() -> None:
    corpus = Corpus(["v n"] * 4, [[Reference(edits=())]] * 4)
    baseline = corpus.system("copy", ["v n"] * 4)
    [pair] = compare_by_type(corpus, baseline, {"wild": ["v N"] * 4}, [ErrantByTable()])
    assert (pair.type, pair.baseline_score, pair.score) == ("NOUN", 1.0, 0.0)


def test_other_metrics_have_no_types() -> None:
    with pytest.raises(InputError, match="scores by type of error are those of errant, and of no other metric"):
        score_by_type(CORPUS, SYSTEMS, ["gleu"])
    with pytest.raises(InputError, match="scores by type of error are those of errant"):
        compare_by_type(CORPUS, CORPUS.system("a", SYSTEMS["half"]), SYSTEMS, ["m2"])


@pytest.mark.parametrize("documents", [None, (0, 10, 11, 50)])
def test_intervals_of_all_types_at_once_are_those_of_each_alone(documents: tuple[int, ...] | None) -> None:
    corpus, systems = load_sample()
    errant, resampling = Errant(model="plain"), Resampling(60, documents=documents)
    scores = score_by_type(corpus, systems[:1], [errant], detail="full", confidence=resampling)
    assert isinstance(scores, TypeScores)
    corpus = retype(corpus, extractor("plain"), by_type=True)  # plain edits have no types such as M:DET
    counts = errant.counts_by_type(corpus, systems[0], errant.statistics(corpus, systems[0]))
    assert {row.type: row.interval for row in scores.types} == {
        kind: bootstrap_interval(Evaluation(errant, of_type.statistics), resampling) for kind, of_type in counts.items()
    }
