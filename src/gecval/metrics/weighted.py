"""Weighted edits: PT-ERRANT and PT-M² (Gong et al. 2022), with any similarity of sentences.

    w(e) = |f(source with e alone, reference) − f(source, reference)|

    errant   tp, fp, fn                sums of w over matched, false and missed edits
    m2       correct, proposed, gold   sums of w over matched, proposed and gold edits

P, R and F are those of the base. So an edit that hardly changes the meaning hardly counts, right or wrong. ``by`` names
f (``models/similarities.py``); the paper's is BERTScore of bert-base-uncased. Without weight nothing is wrong: a
sentence whose edits all weigh 0 scores 1. The weights of a model that is not on this machine could not be checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.edit import Edit, apply_edits
from gecval.edits.extractors import Extractor
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Need, Ratio, Statistics
from gecval.metrics.edit_weights import Variants, edit_weights
from gecval.metrics.errant import Errant
from gecval.metrics.exact_best import ExactBest
from gecval.metrics.m2 import M2
from gecval.metrics.model_notes import language_notes
from gecval.metrics.parameters import text
from gecval.metrics.running_best import RunningBest
from gecval.models.model_files import DEFAULT_ENCODER
from gecval.models.similarities import Similarity, similarity
from gecval.progress import Progress, silent

_ERRANT = Errant()


class Pair(NamedTuple):
    """The edits of a hypothesis and of a reference, and which of them match."""

    proposed: Sequence[Edit]
    gold: Sequence[Edit]
    matched: Sequence[bool]  # of the proposed
    found: Sequence[bool]  # of the gold


@dataclass(frozen=True, repr=False)
class Weighted(Metric):
    """Spelled ``weighted(errant)``, ``weighted(m2, by="bert-base-uncased")``.

    >>> Weighted(M2(), "words")
    weighted(m2, by='words')
    """

    name: ClassVar[str] = "weighted"
    summary: ClassVar[str] = "F of errant or m2, each edit weighted by how much it changes the meaning"
    paper: ClassVar[str] = "Gong et al. 2022"
    needs: ClassVar[Need | None] = "edits"

    base: Errant | M2 = _ERRANT
    by: str = DEFAULT_ENCODER

    def __post_init__(self) -> None:
        _check_base(self.base)
        text(self.name, by=self.by)

    @property
    def similarity(self) -> Similarity:
        return similarity(self.by)

    @property
    def rule(self) -> RunningBest:
        return RunningBest(self.base.beta) if isinstance(self.base, M2) else ExactBest(self.base.beta)

    @property
    def extractor(self) -> Extractor | None:
        return self.base.extractor

    @property
    def compares_types(self) -> bool:
        return self.base.compares_types

    @property
    def whole_corpus(self) -> str | None:
        return self.base.whole_corpus

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1, progress: Progress = silent) -> None:
        """Ask a model about the edits of all systems in one go, and keep the rows that its answers give."""
        asked = self.similarity
        if not asked.asks_model:
            return
        of_systems = [self._pairs(corpus, system, jobs=jobs) for system in systems]
        pairs = [pair for of_system in of_systems for pair in of_system]
        weights = iter(edit_weights(asked, _variants(corpus, pairs), jobs=jobs, progress=progress))
        for system, of_system in zip(systems, of_systems, strict=True):
            corpus.derived(_Kept).rows[self, system.name] = (
                system,
                self._rows(of_system, list(islice(weights, len(of_system)))),
            )

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        kept, rows = corpus.derived(_Kept).rows.get((self, system.name), (None, None))
        if rows is None or kept != system:
            pairs = self._pairs(corpus, system, jobs=jobs)
            rows = self._rows(pairs, edit_weights(self.similarity, _variants(corpus, pairs), jobs=jobs))
        return Statistics(rows, corpus.reference_slots, language_notes(self.name, self.by, corpus))

    def _rows(self, pairs: Sequence[Pair], weights: Sequence[Sequence[float]]) -> Array:
        rows = [self._row(pair, weighed) for pair, weighed in zip(pairs, weights, strict=True)]
        return np.array(rows, dtype=np.float64)

    def _row(self, pair: Pair, weights: Sequence[float]) -> tuple[float, float, float]:
        proposed, gold = weights[: len(pair.proposed)], weights[len(pair.proposed) :]
        tp, fp = (
            sum(w for w, hit in zip(proposed, pair.matched, strict=True) if hit is is_hit) for is_hit in (True, False)
        )
        missed = sum(w for w, hit in zip(gold, pair.found, strict=True) if not hit)
        return (tp, tp + fp, sum(gold)) if isinstance(self.base, M2) else (tp, fp, missed)

    def _pairs(self, corpus: Corpus, system: System, *, jobs: int) -> list[Pair]:
        """For each reference of each sentence."""
        slots, counts = corpus.reference_slots, np.diff(corpus.reference_slots)
        pairs: list[Pair | None] = [None] * int(slots[-1])
        for number in range(int(counts.max())):
            # Sentences with fewer references look at their first again: M² finds other edits for each reference.
            looked_at = slots[:-1] + np.where(number < counts, number, 0)
            proposed = self.base.proposed_edits(corpus, system, looked_at, jobs=jobs)
            for i, slot in enumerate(looked_at.tolist()):
                reference = corpus.references[i][slot - int(slots[i])].edits or ()
                pairs[slot] = _compared(self.base, proposed[i], reference)
        return [pair for pair in pairs if pair is not None]

    def proposed_edits(
        self, corpus: Corpus, system: System, slots: NDArray[np.int64], *, jobs: int = 1
    ) -> list[tuple[Edit, ...]]:
        return self.base.proposed_edits(corpus, system, slots, jobs=jobs)

    def score(self, totals: Array) -> Array:
        return self.base.score(totals)

    def as_ratio(self) -> Ratio | None:
        return self.base.as_ratio()

    def parts(self, totals: Array) -> dict[str, float]:
        parts = self.base.parts(totals)
        return parts | dict(zip(list(parts)[-3:], map(float, totals), strict=True))

    def parameters(self) -> dict[str, Any]:
        return {"base": self.base.in_full(), "by": self.similarity.signature}

    def __repr__(self) -> str:
        by = "" if self.by == DEFAULT_ENCODER else f", by={self.by!r}"
        return f"{self.name}({self.base!r}{by})"


class _Kept:
    """The rows that ``prepare`` has made for a corpus, by metric and name of the system."""

    def __init__(self, corpus: Corpus) -> None:
        self.rows: dict[tuple[Weighted, str], tuple[System, Array]] = {}


def _check_base(base: object) -> None:
    if isinstance(base, Errant):
        if base.level in ("correction", "classification") and base.average == "micro" and not base.weights:
            return
        raise InputError(
            'weighted: errant takes level "correction" or "classification", and neither average nor weights'
        )
    if isinstance(base, M2):
        plain = not base.bonus and not base.ignore_whitespace_casing
        if base.level == "correction" and plain and (base.nested, base.version) == ("kept", "head"):
            return
        raise InputError("weighted: m2 takes beta and max_unchanged, and no other parameter")
    other = 'for CLEME2.0 write cleme2(weights="similarity")' if getattr(base, "name", "") == "cleme2" else ""
    raise InputError(f"weighted: the base must be errant or m2, not {base!r}" + (f"; {other}" if other else ""))


def _compared(base: Errant | M2, proposed: Sequence[Edit], reference: Sequence[Edit]) -> Pair:
    if isinstance(base, Errant):
        gold = base.counted(reference)
        ours, theirs = [base.key(edit) for edit in proposed], [base.key(edit) for edit in gold]
        return Pair(proposed, gold, [key in theirs for key in ours], [key in ours for key in theirs])
    matched = [any(_fits(edit, other) for other in reference) for edit in proposed]
    # Of alternatives, the one that the hypothesis chose.
    fitting = [next((edit for edit in proposed if _fits(edit, other)), None) for other in reference]
    chosen = [edit or other for edit, other in zip(fitting, reference, strict=True)]
    return Pair(proposed, chosen, matched, [edit is not None for edit in fitting])


def _fits(edit: Edit, gold: Edit) -> bool:
    return (edit.start, edit.end) == (gold.start, gold.end) and edit.correction in gold.corrections


def _variants(corpus: Corpus, pairs: Sequence[Pair]) -> list[Variants]:
    """A row for each reference: those of the same systems' sentences follow each other, system after system."""
    sources = [source.split() for source in corpus.sources]
    references = [(sources[i], " ".join(gold.split())) for i in range(len(corpus)) for gold in corpus.texts_of(i)]
    systems = len(pairs) // len(references)
    rows = []
    for pair, (source, reference) in zip(pairs, references * systems, strict=True):
        texts = [apply_edits(source, [edit]) for edit in (*pair.proposed, *pair.gold)]
        rows.append(Variants(" ".join(source), reference, texts))
    return rows
