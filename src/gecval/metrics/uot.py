"""UOT-ERRANT (Goto et al. 2026): the edits of two texts as vectors, and how much of one side reaches the other.

    vector of an edit  what it does to the vector of the sentence (``edit_vectors.py``)
    mass of an edit    the length of its vector, or 1 / number of edits
    T                  the cheapest plan that carries the output's masses a to the reference's b (``transport.py``)
    tp = Σ T     fp = Σ a − tp     fn = Σ b − tp     P = tp / (tp + fp)     R = tp / (tp + fn)     F_β as ever

No edit must equal another: one that means nearly the same is carried nearly in full. A plan may carry more than a mass,
so fp or fn may be below 0. An edit that the encoder does not see has no mass and takes no part. In the authors' tool it
stops the search for a plan, so the other edits of its sentence are hardly carried: ``form="tool"``.

enc is the mean vector over the tokens of a text. The published encoder could not be had where this was made. Everything
else is checked against the authors' tool with a toy encoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.metrics.base import Array, Ratio, Statistics
from gecval.metrics.edit_vectors import VECTORS, Side, differences, side
from gecval.metrics.exact_best import ExactBest
from gecval.metrics.found_edits import EditFindingMetric
from gecval.metrics.model_notes import language_notes
from gecval.metrics.parameters import one_of, positive, text
from gecval.metrics.ratios import f_score, precision_recall
from gecval.metrics.rules import ReferenceRule
from gecval.metrics.transport import check_library, distances, plan, plan_of_library
from gecval.models.text_model import TextModel
from gecval.progress import Progress, silent

COSTS = ("euclidean", "cosine")
MASSES = ("norm", "uniform")
FORMS = ("paper", "tool")


@dataclass(frozen=True, repr=False)
class UOT(EditFindingMetric):
    """``model`` is a name on the model hub, a folder, or ``minilm``."""

    name: ClassVar[str] = "uot"
    summary: ClassVar[str] = "F over edits as vectors, matched by optimal transport"
    paper: ClassVar[str] = "Goto et al. 2026"

    model: str = "google/electra-base-discriminator"
    vectors: str = "ref-remove"
    cost: str = "euclidean"
    mass: str = "norm"
    reg: float = 0.1
    reg_m: float = 0.1
    beta: float = 0.5
    form: str = "paper"

    def __post_init__(self) -> None:
        super().__post_init__()
        text(self.name, model=self.model)
        one_of(self.name, VECTORS, vectors=self.vectors)
        one_of(self.name, COSTS, cost=self.cost)
        one_of(self.name, MASSES, mass=self.mass)
        one_of(self.name, FORMS, form=self.form)
        positive(self.name, reg=self.reg, reg_m=self.reg_m, beta=self.beta)

    @property
    def encoder(self) -> TextModel:
        return TextModel(self.model, "mean-pooled")

    @property
    def rule(self) -> ReferenceRule:
        return ExactBest(self.beta)

    def parameters(self) -> dict[str, Any]:
        check_library()
        return super().parameters() | {"model": self.encoder.signature, "POT": version("POT")}

    def check(self, corpus: Corpus) -> None:
        super().check(corpus)
        check_library()

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1, progress: Progress = silent) -> None:
        """Ask the encoder about the edits of all systems in one go."""
        rows = [row for system in systems for row in self._sides(corpus, system, jobs=jobs)]
        self._encoded(rows, jobs=jobs, progress=progress)

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        sides = self._sides(corpus, system, jobs=jobs)
        encoded = self._encoded(sides, jobs=jobs)
        rows = []
        for proposed, *golds in sides:
            vectors = differences(proposed, encoded)
            rows += [self._row(vectors, differences(gold, encoded)) for gold in golds]
        return Statistics(np.array(rows), corpus.reference_slots, language_notes(self.name, self.model, corpus))

    def _sides(self, corpus: Corpus, system: System, *, jobs: int) -> list[list[Side]]:
        """For each sentence: the hypothesis, then its references."""
        proposed = self.hypothesis_edits(corpus, system, jobs=jobs)
        rows = []
        for source, edits, references in zip(corpus.sources, proposed, corpus.references, strict=True):
            tokens = source.split()
            golds = (reference.edits or () for reference in references)
            rows.append([side(tokens, of_side, self.vectors) for of_side in (edits, *golds)])
        return rows

    def _encoded(self, rows: Sequence[Sequence[Side]], *, jobs: int, progress: Progress = silent) -> dict[str, Array]:
        texts = list(dict.fromkeys(text for row in rows for of_side in row for part in of_side for text in part))
        if not texts:
            return {}
        return dict(zip(texts, self.encoder.numbers(texts, jobs=jobs, progress=progress), strict=True))

    def _row(self, proposed: Array, gold: Array) -> tuple[float, float, float]:
        a, b = self._masses(proposed), self._masses(gold)
        tp = float(self._plan(proposed, gold, a, b).sum()) if len(a) and len(b) else 0.0
        return tp, float(a.sum()) - tp, float(b.sum()) - tp

    def _masses(self, vectors: Array) -> Array:
        if self.mass == "uniform":
            return np.full(len(vectors), 1 / max(len(vectors), 1))
        lengths: Array = np.linalg.norm(vectors, axis=1)
        return lengths

    def _plan(self, proposed: Array, gold: Array, a: Array, b: Array) -> Array:
        if self.cost == "cosine":  # a vector of length 0 has no angle, so its mass stays where it is
            a, b = (np.where(v.any(axis=1), mass, 0.0) for v, mass in ((proposed, a), (gold, b)))
            with np.errstate(invalid="ignore"):
                cost = np.nan_to_num(distances(proposed, gold, "cosine"))
            return plan(a, b, cost, reg=self.reg, reg_m=self.reg_m)
        search = plan_of_library if self.form == "tool" else plan
        return search(a, b, distances(proposed, gold, "euclidean"), reg=self.reg, reg_m=self.reg_m)

    def score(self, totals: Array) -> Array:
        return f_score(*precision_recall(totals), self.beta)

    def as_ratio(self) -> Ratio | None:
        """F = (1 + β²)·tp / ((1 + β²)·tp + fp + β²·fn)."""
        squared = self.beta**2
        return (1 + squared, 0, 0), (1 + squared, 1, squared)

    def parts(self, totals: Array) -> dict[str, float]:
        precision, recall = precision_recall(totals)
        counts = dict(zip(("tp", "fp", "fn"), map(float, totals), strict=True))
        return {"precision": float(precision), "recall": float(recall), **counts}
