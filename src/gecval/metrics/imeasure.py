"""I-measure (Felice & Briscoe 2015): is the output better than the source, and by how much?

Source, hypothesis and reference are aligned three ways; each column is a TP, TN, FP, FN, or FP and FN at once (FPN).

    WAcc = (w·TP + TN) / (w·(TP + FP) + TN + FN − (w + 1)·FPN / 2)
    I    = (W − W₀) / (1 − W₀) if W > W₀,   W / W₀ − 1 if W < W₀,   ⌊W⌋ if they are equal

W₀ is the WAcc of the source itself. Both are taken against the reference that maximises WAcc. With ``mix``, every
combination of the annotators' independent corrections is a reference. docs/metrics/imeasure-exactness.md says why we
need not enumerate them.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from gecval import _native
from gecval.corpus import Corpus, System
from gecval.encoding import Encoded, Tokens
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Need, Statistics
from gecval.metrics.imeasure_rules import BestCounts, Mixed, Objective, RunningBestCounts
from gecval.metrics.parameters import flag, one_of, positive
from gecval.metrics.ratios import f_score, ratio
from gecval.metrics.rules import ReferenceRule

MEASURES = tuple(a + m for a in "cd" for m in ("tp", "tn", "fp", "fn", "p", "r", "f", "acc", "wacc", "i"))


@dataclass(frozen=True, repr=False)
class IMeasure(Metric):
    name: ClassVar[str] = "imeasure"
    summary: ClassVar[str] = "improvement over the source in weighted word accuracy"
    paper: ClassVar[str] = "Felice & Briscoe 2015"

    mix: bool = True
    aspect: str = "correction"
    maximise: str = "cwacc"
    optimise: str = "sentence"
    weight: float = 2.0
    beta: float = 1.0

    def __post_init__(self) -> None:
        positive(self.name, weight=self.weight, beta=self.beta)
        _ratio_of_small_numbers(weight=self.weight, beta=self.beta)
        flag(self.name, mix=self.mix)
        one_of(self.name, ("correction", "detection"), aspect=self.aspect)
        one_of(self.name, MEASURES, maximise=self.maximise)
        one_of(self.name, ("sentence", "corpus"), optimise=self.optimise)

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

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        """Rows (tp, tn, fp, fn, fpn) of the correction aspect and (tn, fn) of the baseline."""
        encoded = Encoded.of(corpus)
        sources, hypotheses = encoded.source_tokens(jobs=jobs), encoded.hypothesis_tokens(system, jobs=jobs)
        try:
            if self.mix:
                return self._mixed(encoded, system.name, hypotheses, jobs=jobs)
            references = encoded.reference_tokens(jobs=jobs)
            if corpus.has_edits():
                references = Tokens(*_native.imeasure_references(*sources, encoded.gold_edits, corpus.reference_slots))
            rows = _native.imeasure_rows(*sources, *hypotheses, *references, corpus.reference_slots, jobs=jobs)
            return Statistics(rows, corpus.reference_slots)
        except ValueError as error:  # sentences beyond any alignment
            raise InputError(f"imeasure cannot score {system.name}: {error}") from None

    def _mixed(self, encoded: Encoded, system: str, hypotheses: Tokens, *, jobs: int) -> Statistics:
        rows, bounds = _native.imeasure_mixed(
            *encoded.source_tokens(jobs=jobs),
            *hypotheses,
            encoded.error_clusters,
            **self.objective.arguments(),
            running=self.optimise == "corpus",
            jobs=jobs,
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
        scores: Array = np.where(weighted == baseline, np.floor(weighted), np.where(weighted > baseline, better, worse))
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


def _ratio_of_small_numbers(**values: float) -> None:
    """Candidates are compared in exact arithmetic, which has room for these."""
    for name, value in values.items():
        nearest = Fraction(value).limit_denominator(1000)
        if float(nearest) != value or nearest.numerator > 1000:
            raise InputError(f"imeasure: {name} must be a ratio of whole numbers up to 1000, not {value!r}")
