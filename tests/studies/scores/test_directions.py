"""Where lower is better, every study gives what it gives for the negated metric; two directions are never mixed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from gecval import Corpus, Metric, metric
from gecval.corpus import System
from gecval.formats.judgments import Judgment, Judgments, Placement
from gecval.metrics import FunctionMetric
from gecval.metrics.base import Statistics
from gecval.metrics.distance import LD
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.interpolated import Interpolated
from gecval.metrics.reference_rules import Best, ReferenceRule
from gecval.results.result import Result
from gecval.runtime.run import SERIAL, Run
from gecval.sample import load_sample
from gecval.studies.human.ranking import Ranker
from gecval.studies.human.study import human
from gecval.studies.human.system_scores import AGGREGATIONS, HumanOptions
from gecval.studies.maege.study import maege
from gecval.studies.reproduce.no_comparison import reference_curve
from gecval.studies.undercorrection.reranking import rerank


@dataclass(frozen=True, repr=False)
class Lower(FunctionMetric):
    """As perplexity: the lower, the better."""

    name: ClassVar[str] = "lower"
    higher_is_better: ClassVar[bool] = False


def surprise(source: str, hypothesis: str, references: object) -> float:
    """Some number for every text, without ties among the sample's."""
    return sum(ord(letter) * (i % 7 + 1) for i, letter in enumerate(hypothesis)) / (len(hypothesis) + 1)


LOWER = Lower(surprise, "surprise")
NEGATED = FunctionMetric(lambda *texts: -surprise(*texts), "negated")
OTHER_LOWER = Lower(lambda source, hypothesis, references: float(len(hypothesis)), "length")
OTHER_NEGATED = FunctionMetric(lambda source, hypothesis, references: -float(len(hypothesis)), "shortness")
FAST = Ranker(methods=("expected-wins",), resamples=50)


def people(corpus: Corpus, systems: list[System]) -> Judgments:
    rng = np.random.default_rng(3)
    names = [system.name for system in systems]
    orders = [rng.permutation(len(names)) + 1 for _ in range(len(corpus))]
    items = [
        Judgment(i, "anna", tuple(Placement((name,), int(rank)) for name, rank in zip(names, order, strict=True)))
        for i, order in enumerate(orders)
    ]
    return Judgments("mine", tuple(items), first=0)


def values(result: object, *ignored: str) -> list[object]:
    """All fields but names and signatures."""
    return [value for name, value in asdict(result).items() if name not in ("metric", "signature", *ignored)]  # type: ignore[call-overload]


@pytest.mark.parametrize("aggregate", AGGREGATIONS)
def test_people(aggregate: str) -> None:
    corpus, systems = load_sample()
    judgments = people(corpus, systems)
    options = HumanOptions(ranker=FAST, aggregate=aggregate, window=3, confidence=False)  # type: ignore[arg-type]
    lower = human(judgments, corpus, systems, [LOWER, OTHER_LOWER], options=options)
    higher = human(judgments, corpus, systems, [NEGATED, OTHER_NEGATED], options=options)
    for ours, theirs in zip(lower.correlations, higher.correlations, strict=True):
        assert abs(theirs.spearman.value) > 0
        ignored = ("higher_is_better", "systems")
        assert repr(values(ours, *ignored)) == repr(values(theirs, *ignored))
        sign = -1 if aggregate in ("corpus", "mean") else 1
        shown = [score.metric for score in theirs.systems]
        assert [sign * score.metric for score in ours.systems] == pytest.approx(shown)  # scores are shown as they are
    for ours, theirs in zip(lower.accuracies, higher.accuracies, strict=True):
        assert values(ours, "higher_is_better") == values(theirs, "higher_is_better")
        assert ours.accuracy != 0.5
    for ours, theirs in zip(lower.comparisons, higher.comparisons, strict=True):
        assert values(ours, "other") == values(theirs, "other")
    tables = {table.title: table for table in Result.to_tables(lower)}
    note = "surprise: lower is better, so that the figures are those of the negated score"
    assert (note in tables["Metrics against people, over systems"].footnotes) == (aggregate in ("corpus", "mean"))
    assert note in tables["Metrics against people, over pairs of outputs"].footnotes
    assert not any("lower is better" in table.render("text") for table in Result.to_tables(higher))


def test_hybrids_of_one_direction() -> None:
    corpus, systems = load_sample()
    judgments = people(corpus, systems)
    options = HumanOptions(ranker=FAST)
    pairs = [(LOWER, OTHER_LOWER), (NEGATED, OTHER_NEGATED)]
    lower, higher = (
        human(judgments, corpus, systems, pair, options=replace(options, hybrids=(pair,))).hybrids for pair in pairs
    )
    for ours, theirs in zip(lower, higher, strict=True):
        assert np.array_equal(ours.swept.correlations, theirs.swept.correlations)
        assert ours.swept.cross_validated == theirs.swept.cross_validated
    assert not Interpolated(*pairs[0], 0.5).higher_is_better
    assert Interpolated(*pairs[1], 0.5).higher_is_better
    ranked = np.arange(len(systems), dtype=float)
    curves = [
        reference_curve(ranked, corpus, systems, with_references=first, without=second, repeats=2)
        for first, second in pairs
    ]
    assert [point.oracle for point in curves[0]] == [point.oracle for point in curves[1]]


def test_a_part_that_is_better_if_lower_counts_negative() -> None:
    corpus, systems = load_sample()
    judgments = people(corpus, systems)
    mixed, same = Interpolated(metric("ld"), LOWER, 0.5), Interpolated(metric("ld"), NEGATED, 0.5)
    assert mixed.higher_is_better
    ours, theirs = (Evaluation.of(hybrid, corpus, systems[0]).sentence_scores() for hybrid in (mixed, same))
    assert np.array_equal(ours, theirs)
    swept = [
        human(
            judgments, corpus, systems, ["ld"], options=HumanOptions(ranker=FAST, hybrids=((metric("ld"), other),))
        ).hybrids
        for other in (LOWER, NEGATED)
    ]
    for first, second in zip(*swept, strict=True):
        assert np.array_equal(first.swept.correlations, second.swept.correlations)
    ranked = np.arange(len(systems), dtype=float)
    curves = [
        reference_curve(ranked, corpus, systems, with_references=metric("ld"), without=other, repeats=2)
        for other in (LOWER, NEGATED)
    ]
    assert [point.oracle for point in curves[0]] == [point.oracle for point in curves[1]]


def test_maege() -> None:
    corpus, _ = load_sample()
    lower = maege(corpus, corpus, [LOWER, OTHER_LOWER], replicates=2, by_type=True)
    higher = maege(corpus, corpus, [NEGATED, OTHER_NEGATED], replicates=2, by_type=True)
    for ours, theirs in zip(lower, higher, strict=True):
        assert repr(values(ours, "higher_is_better")) == repr(values(theirs, "higher_is_better"))
        assert (ours.higher_is_better, theirs.higher_is_better) == (False, True)
    assert [value.difference for value in lower.differences] == [value.difference for value in higher.differences]
    # Scores, and what edits change in them, are shown as they are.
    assert [row.score.mean for row in lower.corpora] == [-row.score.mean for row in higher.corpora]
    assert [row.delta.mean for row in lower.types] == [-row.delta.mean for row in higher.types]
    note = "surprise: lower is better, so that the figures are those of the negated score"
    assert note in Result.to_tables(lower)[0].footnotes


def test_reranking() -> None:
    corpus, systems = load_sample()
    lower, higher = (rerank(corpus, systems, oracle, repetitions=2) for oracle in (LOWER, NEGATED))
    for ours, theirs in zip(lower, higher, strict=True):
        assert (ours.score, ours.word_changes, ours.sentences) == (-theirs.score, theirs.word_changes, theirs.sentences)


@dataclass(frozen=True, repr=False)
class Distance(LD):
    """How far from the nearest reference, in letters; lower is better. The other way round under another sign."""

    name: ClassVar[str] = "distance"
    needs = "references"
    higher_is_better: ClassVar[bool] = False
    sign: ClassVar[int] = 1

    @property
    def rule(self) -> ReferenceRule:  # type: ignore[override]
        return Best()

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        rows = [
            [self.sign * float(abs(len(text) - len(hypothesis))), 1.0]
            for i, hypothesis in enumerate(system.hypotheses)
            for text in corpus.texts_of(i)
        ]
        return Statistics(np.array(rows), corpus.reference_slots)

    def score(self, totals: np.ndarray) -> np.ndarray:
        return totals[..., 0] / totals[..., 1]


class Nearness(Distance):
    name: ClassVar[str] = "nearness"
    higher_is_better: ClassVar[bool] = True
    sign: ClassVar[int] = -1


def test_the_best_reference_is_the_nearest() -> None:
    corpus = Corpus.from_texts(["a", "b"], [["aaa", "aaaaa"], ["bbbbbb", "b"]])
    system = corpus.system("mine", ["aaaa a", "bb"])
    distance, nearness = (Evaluation.of(judge, corpus, system) for judge in (Distance(), Nearness()))
    assert distance.sentence_scores().tolist() == [1.0, 1.0]
    assert (distance.score(), nearness.score()) == (1.0, -1.0)
    assert isinstance(distance.metric, Metric)
