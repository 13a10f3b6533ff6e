"""I-measure (Felice & Briscoe 2015): is the output better than the source, and by how much?

Source, hypothesis and reference are aligned three ways; each column is a TP, TN, FP, FN, or FP and FN at once (FPN).

    WAcc = (w·TP + TN) / (w·(TP + FP) + TN + FN − (w + 1)·FPN / 2)
    I    = (W − W₀) / (1 − W₀) if W > W₀,   W / W₀ − 1 if W < W₀,   ⌊W⌋ if they are equal

With ``unchanged="zero"``, I is 0 instead of ⌊W⌋: a sentence that the system left alone scores 0, even where it was
right. The means of sentence scores in Napoles et al. 2016 are such ones.

W₀ is the WAcc of the source itself. Both are taken against the reference that maximises WAcc. With ``mix``, every
combination of the annotators' independent corrections is a reference. docs/metrics/imeasure-exactness.md says why we
need not enumerate them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypedDict

import numpy as np

from gecval import _native
from gecval.corpus import Corpus, System
from gecval.corpus.encoding import Encoded, Tokens
from gecval.errors import InputError
from gecval.metrics.base import (
    Array,
    Metric,
    Need,
    PageFormula,
    Statistics,
    check_flag,
    check_one_of,
    check_positive,
    f_score,
    ratio,
)
from gecval.metrics.reference_rules import AdditiveRule, Draws, Pooled, ReferenceRule, RunningRule
from gecval.runtime.run import SERIAL, Run

MOST_CELLS = 25_000_000  # words times words of the longest texts that are aligned: 5,000 words, 1.2 GB
MEASURES = tuple(a + m for a in "cd" for m in ("tp", "tn", "fp", "fn", "p", "r", "f", "acc", "wacc", "i"))


@dataclass(frozen=True, repr=False)
class IMeasure(Metric):
    name: ClassVar[str] = "imeasure"
    title: ClassVar[str] = "I-measure"
    summary: ClassVar[str] = "improvement over the source in weighted word accuracy"
    scale: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    paper: ClassVar[str] = "Felice & Briscoe 2015"

    mix: bool = True
    aspect: str = "correction"
    maximise: str = "cwacc"
    optimise: str = "sentence"
    weight: float = 2.0
    beta: float = 1.0
    unchanged: str = "scored"

    def __post_init__(self) -> None:
        check_positive(self.name, weight=self.weight, beta=self.beta)
        _ratio_of_small_numbers(weight=self.weight, beta=self.beta)
        check_flag(self.name, mix=self.mix)
        check_one_of(self.name, ("correction", "detection"), aspect=self.aspect)
        check_one_of(self.name, MEASURES, maximise=self.maximise)
        check_one_of(self.name, ("sentence", "corpus"), optimise=self.optimise)
        check_one_of(self.name, ("scored", "zero"), unchanged=self.unchanged)

    def parameters(self) -> dict[str, Any]:
        """As signatures have them: ``unchanged`` came later, and is not in those of plain ``imeasure``."""
        later = ("unchanged", "scored")
        return {name: value for name, value in super().parameters().items() if (name, value) != later}

    @property
    def needs(self) -> Need | None:  # type: ignore[override]
        return "edits" if self.mix else "references"

    @property
    def objective(self) -> Objective:
        return Objective(self.maximise, self.weight, self.beta)

    @property
    def rule(self) -> ReferenceRule:
        if self.mix:
            return Mixed()
        return BestCounts(self.objective) if self.optimise == "sentence" else RunningBestCounts(self.objective)

    @property
    def whole_corpus(self) -> str | None:
        chosen = self.mix and self.optimise == "corpus"
        return "it chooses by the sentences before" if chosen else None

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        """Rows (tp, tn, fp, fn, fpn) of the correction aspect and (tn, fn) of the baseline."""
        encoded = Encoded.of(corpus)
        sources, hypotheses = encoded.source_tokens(run=run), encoded.hypothesis_tokens(system, run=run)
        _check_lengths(system.name, sources, hypotheses)
        try:
            if self.mix:
                return self._mix_references(encoded, system.name, hypotheses, run=run)
            references = encoded.reference_tokens(run=run)
            if corpus.has_edits():
                references = Tokens(*_native.imeasure_references(*sources, encoded.gold_edits, corpus.reference_slots))
            rows = _native.imeasure_rows(*sources, *hypotheses, *references, corpus.reference_slots, jobs=run.threads)
            return Statistics(rows, corpus.reference_slots)
        except ValueError as error:  # sentences beyond any alignment
            raise InputError(f"imeasure cannot score {system.name}: {error}") from None

    def _mix_references(self, encoded: Encoded, system: str, hypotheses: Tokens, *, run: Run) -> Statistics:
        rows, bounds = _native.imeasure_mixed(
            *encoded.source_tokens(run=run),
            *hypotheses,
            encoded.error_clusters,
            **self.objective.arguments(),
            running=self.optimise == "corpus",
            jobs=run.threads,
        )
        unproven = np.flatnonzero(bounds[:, 0] == 0)
        notes = tuple(
            f"{system}: sentence {i + 1} is not proven best within the budget; its {self.maximise} lies between "
            f"{bounds[i, 1]:.4f} and {bounds[i, 2]:.4f}"
            for i in unproven[:3]
        )
        if len(unproven) > 3:
            notes += (f"{system}: {len(unproven)} sentences in all are not proven best within the budget",)
        return Statistics.one_per_sentence(rows, notes)

    def score(self, totals: Array) -> Array:
        _, _, _, _, _, base_tn, base_fn = np.moveaxis(totals, -1, 0)
        weighted = self._weighted_accuracy(totals)
        baseline = ratio(base_tn, base_tn + base_fn, empty=1.0)
        better = ratio(weighted - baseline, 1 - baseline, empty=0.0)
        worse = ratio(weighted, baseline, empty=1.0) - 1
        equal = np.zeros_like(weighted) if self.unchanged == "zero" else np.floor(weighted)
        scores: Array = np.where(weighted == baseline, equal, np.where(weighted > baseline, better, worse))
        return scores

    def _counts(self, totals: Array) -> tuple[Array, Array, Array, Array, Array]:
        tp, tn, fp, fn, fpn = np.moveaxis(totals[..., :5], -1, 0)
        if self.aspect == "detection":  # a word changed in the wrong way is still detected
            return tp + fpn, tn, fp - fpn, fn - fpn, np.zeros_like(fpn)
        return tp, tn, fp, fn, fpn

    def _weighted_accuracy(self, totals: Array) -> Array:
        tp, tn, fp, fn, fpn = self._counts(totals)
        w = self.weight
        return ratio(w * tp + tn, w * (tp + fp) + tn + fn - (w + 1) * fpn / 2, empty=1.0)

    def page_formula(self) -> PageFormula | None:
        return {
            "name": "imeasure",
            "weight": self.weight,
            "beta": self.beta,
            "detection": self.aspect == "detection",
            **({"unchanged": "zero"} if self.unchanged == "zero" else {}),
        }

    @property
    def exact_on_subsets(self) -> bool:
        """Mixed references are chosen with the totals before them, where the corpus is optimised."""
        return super().exact_on_subsets and not (self.mix and self.optimise == "corpus")

    def parts(self, totals: Array) -> dict[str, float]:
        tp, tn, fp, fn, fpn = self._counts(totals)
        precision, recall = ratio(tp, tp + fp, empty=1.0), ratio(tp, tp + fn, empty=1.0)
        base_tn, base_fn = totals[5:]
        accuracy = ratio(tp + tn, tp + tn + fp + fn - fpn, empty=1.0)
        baseline = ratio(base_tn, base_tn + base_fn, empty=1.0)
        whole = {"tp": tp, "tn": tn, "fp": fp, "fn": fn, "fpn": fpn, "base_tn": base_tn, "base_fn": base_fn}
        shares = {
            "precision": precision,
            "recall": recall,
            "f": f_score(precision, recall, self.beta),
            "acc": accuracy,
            "wacc": self._weighted_accuracy(totals),
            "base_acc": baseline,
            "base_wacc": baseline,
        }
        return {name: int(n) for name, n in whole.items()} | {name: float(share) for name, share in shares.items()}


def _check_lengths(system: str, sources: Tokens, hypotheses: Tokens) -> None:
    """Refuse texts whose alignment would take all memory."""
    ours, theirs = np.diff(sources.offsets), np.diff(hypotheses.offsets)
    for i in np.flatnonzero((ours + 1) * (theirs + 1) > MOST_CELLS)[:1].tolist():
        raise InputError(
            f"imeasure: sentence {i + 1} of {system} has {theirs[i]:,} words, and its source {ours[i]:,}: too many to "
            "align; split it into sentences, or choose m2"
        )


def _ratio_of_small_numbers(**values: float) -> None:
    """Candidates are compared in exact arithmetic, which can hold these."""
    for name, value in values.items():
        nearest = Fraction(value).limit_denominator(1000)
        if float(nearest) != value or nearest.numerator > 1000:
            raise InputError(f"imeasure: {name} must be a ratio of whole numbers up to 1000, not {value!r}")


# How I-measure chooses among annotators' references, where they are not mixed.
#
# The reference with the greatest objective wins; by default this is the WAcc of the correction aspect. Ties go by I,
# WAcc and Acc of that aspect, then of the other aspect. Either the sentence counts alone, or with the totals before it.


class Arguments(TypedDict):
    maximise: str
    weight: float
    beta: float


@dataclass(frozen=True)
class Objective:
    """What the chosen reference maximises, as the original's ``-max``: c or d, and a measure."""

    maximise: str
    weight: float
    beta: float

    def arguments(self) -> Arguments:
        return {"maximise": self.maximise, "weight": self.weight, "beta": self.beta}

    def choose_rows(self, statistics: Statistics, draws: Draws, *, running: bool) -> Draws:
        """The row chosen for each sentence of a list."""
        return _native.imeasure_choose(statistics.rows, statistics.offsets, draws, **self.arguments(), running=running)


@dataclass(frozen=True)
class BestCounts(AdditiveRule):
    objective: Objective
    name: ClassVar[str] = "best"
    columns: ClassVar[int | None] = 7

    def repetitions(self, metric: Metric, statistics: Statistics) -> Iterator[Array]:
        yield self._best(statistics)

    def sentence_scores(self, metric: Metric, statistics: Statistics) -> Array:
        return metric.sentence_score(self._best(statistics))

    def _best(self, statistics: Statistics) -> Array:
        everything = np.arange(len(statistics), dtype=np.int64)
        best: Array = statistics.rows[self.objective.choose_rows(statistics, everything, running=False)]
        return best


@dataclass(frozen=True)
class Mixed(Pooled):
    """The search has already seen every combination of the annotators' corrections: a sentence has one row."""

    name: ClassVar[str] = "mixed"


@dataclass(frozen=True)
class RunningBestCounts(RunningRule):
    objective: Objective
    name: ClassVar[str] = "running-best"
    columns: ClassVar[int | None] = 7

    def totals_over(self, statistics: Statistics, draws: Draws, *, run: Run) -> Array:
        return np.array(
            [statistics.rows[self.objective.choose_rows(statistics, draw, running=True)].sum(axis=0) for draw in draws]
        )

    def page_rule(self) -> PageFormula | None:
        weight, beta = (Fraction(x).limit_denominator(1000) for x in (self.objective.weight, self.objective.beta))
        return {
            "name": "runningRows",
            "preference": "imeasure",
            "maximise": self.objective.maximise,
            "weight": [weight.numerator, weight.denominator],
            "beta": [beta.numerator, beta.denominator],
        }
