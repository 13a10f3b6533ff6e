"""UOT-ERRANT (Goto et al. 2026): the edits of two texts as vectors, and how much of one side reaches the other.

    vector of an edit  what it does to the vector of the sentence
    mass of an edit    the length of its vector, or 1 / number of edits
    T                  the cheapest plan that carries the output's masses a to the reference's b
    tp = Σ T     fp = Σ a − tp     fn = Σ b − tp     P = tp / (tp + fp)     R = tp / (tp + fn)     F_β as ever

No edit must equal another: one that means nearly the same is carried nearly in full. A plan may carry more than a mass,
so fp or fn may be below 0. An edit that the encoder does not see has no mass and takes no part. In the authors' tool it
stops the search for a plan, so the other edits of its sentence are hardly carried: ``form="tool"``.

enc is the mean vector over the tokens of a text. The published encoder could not be had where this was made. Everything
else is checked against the authors' tool with a toy encoder.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit, apply_edits
from gecval.errors import MissingExtraError
from gecval.metrics.base import (
    Array,
    EditFindingMetric,
    PageFormula,
    Ratio,
    Statistics,
    check_one_of,
    check_positive,
    check_text,
    f_score,
    precision_recall,
)
from gecval.metrics.reference_rules import ExactBest, ReferenceRule
from gecval.models.model_files import language_notes
from gecval.models.text_model import TextModel
from gecval.runtime.run import SERIAL, Run

COSTS = ("euclidean", "cosine")
MASSES = ("norm", "uniform")
FORMS = ("paper", "tool")


@dataclass(frozen=True, repr=False)
class UOT(EditFindingMetric):
    """``model`` is a name on the model hub, a folder, or ``minilm``."""

    name: ClassVar[str] = "uot"
    title: ClassVar[str] = "UOT-ERRANT"
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
        check_text(self.name, model=self.model)
        check_one_of(self.name, VECTORS, vectors=self.vectors)
        check_one_of(self.name, COSTS, cost=self.cost)
        check_one_of(self.name, MASSES, mass=self.mass)
        check_one_of(self.name, FORMS, form=self.form)
        check_positive(self.name, reg=self.reg, reg_m=self.reg_m, beta=self.beta)

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

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Ask the encoder about the edits of all systems in one go."""
        rows = [row for system in systems for row in self._sides(corpus, system, run=run)]
        self._encode(rows, run=run)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        sides = self._sides(corpus, system, run=run)
        encoded = self._encode(sides, run=run.quiet())
        rows = []
        for proposed, *golds in sides:
            vectors = differences(proposed, encoded)
            rows += [self._row(vectors, differences(gold, encoded)) for gold in golds]
        return Statistics(np.array(rows), corpus.reference_slots, language_notes(self.name, self.model, corpus))

    def _sides(self, corpus: Corpus, system: System, *, run: Run) -> list[list[EditTexts]]:
        """For each sentence: the hypothesis, then its references."""
        proposed = self.hypothesis_edits(corpus, system, run=run)
        rows = []
        for source, edits, references in zip(corpus.sources, proposed, corpus.references, strict=True):
            tokens = source.split()
            golds = (reference.edits or () for reference in references)
            rows.append([side(tokens, listed, self.vectors) for listed in (edits, *golds)])
        return rows

    def _encode(self, rows: Sequence[Sequence[EditTexts]], *, run: Run) -> dict[str, Array]:
        texts = list(dict.fromkeys(text for row in rows for one_side in row for part in one_side for text in part))
        if not texts:
            return {}
        return dict(zip(texts, self.encoder.numbers(texts, run=run), strict=True))

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

    def page_formula(self) -> PageFormula | None:
        return {"name": "errant", "beta": self.beta}

    def parts(self, totals: Array) -> dict[str, float]:
        precision, recall = precision_recall(totals)
        counts = dict(zip(("tp", "fp", "fn"), map(float, totals), strict=True))
        return {"precision": float(precision), "recall": float(recall), **counts}


# Unbalanced optimal transport with entropy (Chizat et al. 2018), by the library POT.
#
#     T = argmin ⟨T, M⟩ + reg·KL(T ‖ a bᵀ) + reg_m·KL(T1 ‖ a) + reg_m·KL(Tᵀ1 ‖ b)
#
# a and b are the masses of two sides, M what it costs to carry a unit from one place to another. Mass may be made or
# lost at a price, so more or less than a mass may leave its place.
#
# The library's search stops before it began if a place has no mass. ``plan`` leaves such places out first. The library
# also rescales large numbers on the way, and then ends far from the minimum where reg_m is above reg. ``plan`` forbids
# it. Where reg_m is many times reg and places lie far apart, the search still stops early: such plans are rough.


NEVER = 1e300
LIBRARY = 1e5  # the library's default


def library() -> Any:
    """POT, refused with the install line where it is not installed."""
    check_library()
    return import_module("ot")


def check_library() -> None:
    """The same without loading it, which takes seconds."""
    if find_spec("ot") is None:
        raise MissingExtraError("uot (POT)", "uot")


def plan(a: Array, b: Array, cost: Array, *, reg: float, reg_m: float) -> Array:
    """How much goes from each place to each. Places without mass take no part.

    >>> plan(np.array([1.0, 0.0]), np.array([1.0]), np.array([[0.0], [2.0]]), reg=0.1, reg_m=0.1).round(4).tolist()
    [[1.0], [0.0]]
    """
    carried: Array = np.zeros(cost.shape)
    left, right = np.flatnonzero(a > 0), np.flatnonzero(b > 0)
    if len(left) and len(right):
        part = np.ix_(left, right)
        carried[part] = plan_of_library(a[left], b[right], cost[part], reg=reg, reg_m=reg_m, rescale_above=NEVER)
    return carried


def plan_of_library(
    a: Array, b: Array, cost: Array, *, reg: float, reg_m: float, rescale_above: float = LIBRARY
) -> Array:
    """What POT gives, whatever it is given."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):  # of places without mass, and of digits not yet settled
        warnings.simplefilter("ignore")
        carried: Array = library().unbalanced.sinkhorn_unbalanced(
            a, b, cost, reg=reg, reg_m=reg_m, method="sinkhorn_stabilized", tau=rescale_above
        )
    return carried


def distances(a: Array, b: Array, metric: str) -> Array:
    """Between all vectors of two sides, euclidean or cosine."""
    between: Array = library().dist(a, b, metric=metric)
    return between


# What an edit does to a sentence, as a vector: the difference of two sentence vectors.
#
# ref-remove   enc(all edits of its side applied) − enc(all but this one)
# src-add      enc(the source with this edit) − enc(the source)


VECTORS = ("ref-remove", "src-add")
NOISE = 1e-6  # of the numbers of a network, in float32, relative to the largest of them: a difference so small is none
NO_EDITS = ("noop", "UNK")  # types of annotations that correct nothing


class EditTexts(NamedTuple):
    """The texts of each edit of a hypothesis or a reference: one that has the edit, and one that lacks it."""

    having: Sequence[str]
    lacking: Sequence[str]


def side(source: Sequence[str], edits: Sequence[Edit], vectors: str) -> EditTexts:
    """The texts that the vectors of the edits need.

    >>> edits = [Edit(1, 2, ("goes",)), Edit(3, 3, (".",))]
    >>> side("He go home".split(), edits, "ref-remove").lacking
    ['He go home .', 'He goes home']
    """
    real = [edit for edit in edits if edit.type not in NO_EDITS]
    if vectors == "src-add":
        return EditTexts([apply_edits(source, [edit]) for edit in real], [" ".join(source)] * len(real))
    without = [apply_edits(source, real[:k] + real[k + 1 :]) for k in range(len(real))]
    return EditTexts([apply_edits(source, real)] * len(real), without)


def differences(texts: EditTexts, encoded: Mapping[str, Array]) -> Array:
    """The vectors of the edits, [edit, number]."""
    if not texts.having:
        return np.zeros((0, 1))
    return np.array([_difference(encoded[a], encoded[b]) for a, b in zip(texts.having, texts.lacking, strict=True)])


def _difference(a: Array, b: Array) -> Array:
    difference: Array = a - b
    return difference if np.abs(difference).max() > NOISE * np.abs(a).max() else np.zeros_like(difference)
