"""Weighted edits: PT-ERRANT and PT-M² (Gong et al. 2022), with any similarity of sentences.

    w(e) = |f(source with e alone, reference) − f(source, reference)|

    errant   tp, fp, fn                sums of w over matched, false and missed edits
    m2       correct, proposed, gold   sums of w over matched, proposed and gold edits

P, R and F are those of the base. So an edit that hardly changes the meaning hardly counts, right or wrong. ``by`` names
f (``models/text_similarity.py``); the paper's is BERTScore of bert-base-uncased. Without weight nothing is wrong: a
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
from gecval.corpus.edit import Edit, apply_edits
from gecval.edits.extractors import Extractor
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Need, PageFormula, Ratio, Statistics, check_text
from gecval.metrics.errant import Errant
from gecval.metrics.m2 import M2
from gecval.metrics.reference_rules import ExactBest, RunningBest
from gecval.models.model_files import DEFAULT_ENCODER, language_notes
from gecval.models.text_similarity import Similarity, similarity
from gecval.runtime.run import SERIAL, Run

_ERRANT = Errant()


class MatchedEdits(NamedTuple):
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
    title: ClassVar[str] = "Weighted edits"
    summary: ClassVar[str] = "F of errant or m2, each edit weighted by how much it changes the meaning"
    paper: ClassVar[str] = "Gong et al. 2022"
    needs: ClassVar[Need | None] = "edits"

    base: Errant | M2 = _ERRANT
    by: str = DEFAULT_ENCODER

    def __post_init__(self) -> None:
        _check_base(self.base)
        check_text(self.name, by=self.by)

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

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Ask a model about the edits of all systems in one go, and cache the rows that its answers give."""
        asked = self.similarity
        if not asked.asks_model:
            return
        by_system = [self._pairs(corpus, system, run=run.quiet()) for system in systems]
        pairs = [pair for listed in by_system for pair in listed]
        weights = iter(edit_weights(asked, _variants(corpus, pairs), run=run))
        for system, listed in zip(systems, by_system, strict=True):
            corpus.derive(_CachedRows).rows[self, system.name] = (
                system,
                self._rows(listed, list(islice(weights, len(listed)))),
            )

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        cached, rows = corpus.derive(_CachedRows).rows.get((self, system.name), (None, None))
        if rows is None or cached != system:
            pairs = self._pairs(corpus, system, run=run.quiet())
            rows = self._rows(pairs, edit_weights(self.similarity, _variants(corpus, pairs), run=run.quiet()))
        return Statistics(rows, corpus.reference_slots, language_notes(self.name, self.by, corpus))

    def _rows(self, pairs: Sequence[MatchedEdits], weights: Sequence[Sequence[float]]) -> Array:
        rows = [self._row(pair, weighed) for pair, weighed in zip(pairs, weights, strict=True)]
        return np.array(rows, dtype=np.float64)

    def _row(self, pair: MatchedEdits, weights: Sequence[float]) -> tuple[float, float, float]:
        proposed, gold = weights[: len(pair.proposed)], weights[len(pair.proposed) :]
        tp, fp = (
            sum(w for w, hit in zip(proposed, pair.matched, strict=True) if hit is is_hit) for is_hit in (True, False)
        )
        missed = sum(w for w, hit in zip(gold, pair.found, strict=True) if not hit)
        return (tp, tp + fp, sum(gold)) if isinstance(self.base, M2) else (tp, fp, missed)

    def _pairs(self, corpus: Corpus, system: System, *, run: Run) -> list[MatchedEdits]:
        """For each reference of each sentence."""
        base = self.base.for_language(corpus) if isinstance(self.base, Errant) else self.base
        slots, counts = corpus.reference_slots, np.diff(corpus.reference_slots)
        pairs: list[MatchedEdits | None] = [None] * int(slots[-1])
        for number in range(int(counts.max())):
            # Sentences with fewer references look at their first again: M² finds other edits for each reference.
            looked_at = slots[:-1] + np.where(number < counts, number, 0)
            proposed = base.proposed_edits(corpus, system, looked_at, run=run)
            for i, slot in enumerate(looked_at.tolist()):
                reference = corpus.references[i][slot - int(slots[i])].edits or ()
                pairs[slot] = _match_edits(base, proposed[i], reference)
        return [pair for pair in pairs if pair is not None]

    def proposed_edits(
        self, corpus: Corpus, system: System, slots: NDArray[np.int64], *, run: Run = SERIAL
    ) -> list[tuple[Edit, ...]]:
        return self.base.proposed_edits(corpus, system, slots, run=run)

    def score(self, totals: Array) -> Array:
        return self.base.score(totals)

    def as_ratio(self) -> Ratio | None:
        return self.base.as_ratio()

    def page_formula(self) -> PageFormula | None:
        return self.base.page_formula()

    def parts(self, totals: Array) -> dict[str, float]:
        parts = self.base.parts(totals)
        return parts | dict(zip(list(parts)[-3:], map(float, totals), strict=True))

    def parameters(self) -> dict[str, Any]:
        return {"base": self.base.spell_in_full(), "by": self.similarity.signature}

    def __repr__(self) -> str:
        by = "" if self.by == DEFAULT_ENCODER else f", by={self.by!r}"
        return f"{self.name}({self.base!r}{by})"


class _CachedRows:
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
        if base == M2(beta=base.beta, max_unchanged=base.max_unchanged):
            return
        raise InputError("weighted: m2 takes beta and max_unchanged, and no other parameter")
    other = 'for CLEME2.0 write cleme2(weights="similarity")' if getattr(base, "name", "") == "cleme2" else ""
    raise InputError(f"weighted: the base must be errant or m2, not {base!r}" + (f"; {other}" if other else ""))


def _match_edits(base: Errant | M2, proposed: Sequence[Edit], reference: Sequence[Edit]) -> MatchedEdits:
    if isinstance(base, Errant):
        gold = base.counted_edits(reference)
        ours, theirs = [base.key(edit) for edit in proposed], [base.key(edit) for edit in gold]
        return MatchedEdits(proposed, gold, [key in theirs for key in ours], [key in ours for key in theirs])
    matched = [any(_fits(edit, other) for other in reference) for edit in proposed]
    # Of alternatives, the one that the hypothesis chose.
    fitting = [next((edit for edit in proposed if _fits(edit, other)), None) for other in reference]
    chosen = [edit or other for edit, other in zip(fitting, reference, strict=True)]
    return MatchedEdits(proposed, chosen, matched, [edit is not None for edit in fitting])


def _fits(edit: Edit, gold: Edit) -> bool:
    return (edit.start, edit.end) == (gold.start, gold.end) and edit.correction in gold.corrections


def _variants(corpus: Corpus, pairs: Sequence[MatchedEdits]) -> list[Variants]:
    """A row for each reference: those of the same systems' sentences follow each other, system after system."""
    sources = [source.split() for source in corpus.sources]
    references = [(sources[i], " ".join(gold.split())) for i in range(len(corpus)) for gold in corpus.texts_of(i)]
    systems = len(pairs) // len(references)
    rows = []
    for pair, (source, reference) in zip(pairs, references * systems, strict=True):
        texts = [apply_edits(source, [edit]) for edit in (*pair.proposed, *pair.gold)]
        rows.append(Variants(" ".join(source), reference, texts))
    return rows


# What an edit weighs: by how much it alone moves the source towards the reference, or away from it.
#
#     w(e) = |f(source with e, reference) − f(source, reference)|      f: a similarity of texts (``text_similarity.py``)
#
# A network's numbers depend a little on the texts that it reads at the same time. A difference that small is none: an
# edit of case weighs 0 for a network that does not see case.


NOISE = 1e-6  # of the numbers of a network, in float32


@dataclass(frozen=True)
class Variants:
    """A source and a reference, and the texts that single edits make of the source."""

    source: str
    reference: str
    texts: Sequence[str]


def edit_weights(similarity: Similarity, rows: Sequence[Variants], *, run: Run = SERIAL) -> list[list[float]]:
    """The weight of each text of each row. The similarity is asked once, about all distinct pairs."""
    pairs = dict.fromkeys((text, row.reference) for row in rows if row.texts for text in (row.source, *row.texts))
    values = similarity.of([text for text, _ in pairs], [gold for _, gold in pairs], run=run)
    likeness = dict(zip(pairs, values.tolist(), strict=True))
    noise = NOISE if similarity.asks_model else 0.0

    def weight(text: str, row: Variants) -> float:
        difference = abs(likeness[text, row.reference] - likeness[row.source, row.reference])
        return difference if difference > noise else 0.0

    return [[weight(text, row) for text in row.texts] for row in rows]
