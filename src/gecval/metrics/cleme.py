"""CLEME (Ye et al. 2023): F over chunks that hypothesis and references share, weighted by their length.

    P = tp / (tp + fp)      R = tp / (tp + fn)      F_β = (1 + β²)PR / (β²P + R)

Without a false positive P = 1, without a false negative R = 1. ``mode`` says whether a sentence is compared with one
reference at a time (``dependent``) or with all of them at once (``independent``). ``weights`` is ``length`` (those of
the corpus score), ``sentence`` (those of SentCLEME, for the mean of sentence scores) or ``none``. The tool rounds
every score to four decimals. This one does not, but chooses references by rounded scores as the tool does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gecval import _native
from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit, apply_edits
from gecval.corpus.encoding import Encoded, Tokens
from gecval.metrics.base import (
    Array,
    EditFindingMetric,
    PageFormula,
    Ratio,
    Statistics,
    check_flag,
    check_one_of,
    check_positive,
    f_score,
    ratio,
)
from gecval.metrics.reference_rules import NativeRunningRule, Pooled, ReferenceRule
from gecval.runtime.run import SERIAL, Run

# What CLEME and CLEME2.0 share: chunks, what became of each, and how much it weighs.
#
# A hypothesis is compared chunk by chunk. A row is (hit, wrong, over, missed, kept):
#
#     hypothesis changed, as the reference is   hit (tp)        hypothesis unchanged, the reference not   missed (fn)
#     ..., otherwise than the reference         wrong (fp)      both unchanged                            kept (tn)
#     ..., where the reference is unchanged     over (fp)
#
# ``mode="dependent"`` has one row for each reference, and the reference that helps the totals so far most counts
# (``running-best``). ``mode="independent"`` has one row for each sentence: a change is a hit if any reference has it,
# and a chunk is missed only if all references change it.
#
# A weight grows with ℓ, the words of the chunk, for hits and missed chunks, and falls with it for false ones:
#
#     α / (1 + (α − 1)·exp(±(b − ℓ))), clipped      b: the mean ℓ over the changed chunks of all references
#
# b is a constant of corpus and output. Resamples keep it. Where no reference changes anything, all weights are 1.


MODES = ("dependent", "independent")
WEIGHTS = ("length", "sentence", "none")

# α, least and most weight of hits, of wrong and needless changes, and of missed chunks.
_NONE = (1.0, 1.0, 1.0)
_LENGTH = (2.0, 0.75, 1.25)
_SENTENCE = {
    "dependent": ((10.0, 1.0, 10.0), (10.0, 0.25, 1.0), _NONE),
    "independent": ((10.0, 2.5, 10.0), (10.0, 0.25, 1.0), _NONE),
}


@dataclass(frozen=True, repr=False)
class ChunkMetric(EditFindingMetric):
    weightings: ClassVar[tuple[str, ...]] = WEIGHTS

    mode: str = "dependent"
    weights: str = field(default="length", kw_only=True)
    drop_unchanged: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_one_of(self.name, MODES, mode=self.mode)
        check_one_of(self.name, self.weightings, weights=self.weights)
        check_flag(self.name, drop_unchanged=self.drop_unchanged)

    @property
    def whole_corpus(self) -> str | None:
        return None if self.weights in ("none", "similarity") else 'it takes a mean over all chunks, but weights="none"'

    @property
    def exact_on_subsets(self) -> bool:
        """Weights compare a chunk with the mean length of all chunks."""
        return super().exact_on_subsets and self.weights == "none"

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        return self.statistics_of_edits(corpus, self.hypothesis_edits(corpus, system, run=run), run=run)

    def statistics_of_edits(
        self, corpus: Corpus, hypothesis_edits: Sequence[Sequence[Edit]], *, run: Run = SERIAL
    ) -> Statistics:
        """The same for hypotheses that come as edits."""
        rows, _ = self.rows(corpus, hypothesis_edits, run=run)
        if self.mode == "independent":
            return Statistics.one_per_sentence(rows)
        return Statistics(rows, corpus.reference_slots)

    def rows(
        self, corpus: Corpus, hypothesis_edits: Sequence[Sequence[Edit]], *, run: Run = SERIAL
    ) -> tuple[NDArray[np.float64], float]:
        """The rows, and b: NaN where no reference changes anything."""
        encoded = Encoded.of(corpus)
        independent = self.mode == "independent"
        counting = self.counting(corpus)
        rows, mean_length = _native.cleme(
            *encoded.source_tokens(run=run),
            encoded.edits(hypothesis_edits),
            encoded.gold_edits,
            corpus.reference_slots,
            counting.references,
            independent=independent,
            weights=self._weights(),
            jobs=run.threads,
        )
        if counting.stand_ins is not None and not independent:
            rows = rows[counting.stand_ins]
        return rows, mean_length

    def counting(self, corpus: Corpus) -> Counting:
        """Which references take part."""
        return corpus.derive(Counting.unchanged_dropped if self.drop_unchanged else Counting.all)

    def _weights(self) -> tuple[tuple[float, float, float], ...]:
        if self.weights == "sentence":
            return _SENTENCE[self.mode]
        return (_LENGTH if self.weights == "length" else _NONE,) * 3


@dataclass(frozen=True)
class Counting:
    """Which references take part. The row of one that does not repeats that of the first that does: none sees it."""

    references: NDArray[np.bool_]
    stand_ins: NDArray[np.int64] | None  # None: all take part

    @classmethod
    def all(cls, corpus: Corpus) -> Counting:
        return cls._of(corpus, references_that_count(corpus))

    @classmethod
    def unchanged_dropped(cls, corpus: Corpus) -> Counting:
        return cls._of(corpus, references_that_count(corpus, drop_unchanged=True))

    @classmethod
    def _of(cls, corpus: Corpus, counts: NDArray[np.bool_]) -> Counting:
        if counts.all():
            return cls(counts, None)
        places = np.arange(len(counts))
        first = np.minimum.reduceat(np.where(counts, places, len(counts)), corpus.reference_slots[:-1])
        return cls(counts, np.where(counts, places, np.repeat(first, np.diff(corpus.reference_slots))))


@dataclass(frozen=True, repr=False)
class CLEME(ChunkMetric):
    name: ClassVar[str] = "cleme"
    title: ClassVar[str] = "CLEME"
    summary: ClassVar[str] = "F over chunks that hypothesis and references share"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Ye et al. 2023"

    beta: float = field(default=0.5, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self.name, beta=self.beta)

    @property
    def rule(self) -> ReferenceRule:
        return Pooled() if self.mode == "independent" else BestChunks(self.beta, "cleme")

    def score(self, totals: Array) -> Array:
        precision, recall = _precision_recall(totals)
        return f_score(precision, recall, self.beta)

    def as_ratio(self) -> Ratio | None:
        """F = (1 + β²)·tp / ((1 + β²)·tp + fp + β²·fn)."""
        squared = self.beta**2
        return (1 + squared, 0, 0, 0, 0), (1 + squared, 1, 1, squared, 0)

    def page_formula(self) -> PageFormula | None:
        return {"name": "cleme", "beta": self.beta}

    def parts(self, totals: Array) -> dict[str, float]:
        precision, recall = _precision_recall(totals)
        hit, wrong, over, missed, kept = map(float, totals)
        return {
            "precision": float(precision),
            "recall": float(recall),
            "tp": hit,
            "fp": wrong + over,
            "fn": missed,
            "tn": kept,
        }


def _precision_recall(totals: Array) -> tuple[Array, Array]:
    tp, fp, fn = totals[..., 0], totals[..., 1] + totals[..., 2], totals[..., 3]
    return ratio(tp, tp + fp, empty=1.0), ratio(tp, tp + fn, empty=1.0)


@dataclass(frozen=True)
class BestChunks(NativeRunningRule):
    """The choice of CLEME and CLEME2.0, among rows of five. A row depends on all references: they cut the chunks."""

    beta: float = 0.5
    preference: Literal["cleme", "cleme2"] = "cleme"
    factors: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    columns: ClassVar[int | None] = 5
    rows_stand_alone: ClassVar[bool] = False

    def page_rule(self) -> PageFormula | None:
        return {"name": "runningRows", "preference": self.preference, "beta": self.beta, "factors": self.factors}


# Chunks that a hypothesis and its references share (Ye et al. 2023): CLEME's cut of a sentence.
#
#     all edits of all texts, by start: an edit that starts within the current chunk or at its end joins it
#
# So a chunk is the same stretch of the source in every text. In a text it is *changed* if one of the text's edits lies
# in it. Two texts agree on a chunk if they have the same words there, whatever the number and the cut of their edits.
#
# A reference whose text is empty is left out while another remains. With ``drop_unchanged``, those that equal the
# source are left out first.


@dataclass(frozen=True, slots=True)
class Chunk:
    """Source tokens ``start:end``, and what each text has there; ``changed`` says which texts have an edit in it."""

    start: int
    end: int
    texts: tuple[str, ...]
    changed: tuple[bool, ...]


def shared_chunks(source: Sequence[str], targets: Sequence[Sequence[Edit]]) -> list[Chunk]:
    """The chunks of a source, given the edits of each text. Stretches that no text changes are chunks too.

    >>> he_goes, he_went = [Edit(1, 2, ("goes",)), Edit(2, 2, ("back",))], [Edit(1, 2, ("went",))]
    >>> for chunk in shared_chunks("He go home .".split(), [he_goes, he_went, []]):
    ...     print(chunk.start, chunk.end, chunk.texts, chunk.changed)
    0 1 ('He', 'He', 'He') (False, False, False)
    1 2 ('goes back', 'went', 'go') (True, True, False)
    2 4 ('home .', 'home .', 'home .') (False, False, False)
    """
    chunks: list[Chunk] = []
    reached = 0
    for start, end in _intervals(targets):
        if reached < start:
            chunks.append(_keep_chunk(source, reached, start, texts=len(targets)))
        chunks.append(_change_chunk(source, targets, start, end))
        reached = end
    if reached < len(source) or not chunks:
        chunks.append(_keep_chunk(source, reached, len(source), texts=len(targets)))
    return chunks


def _intervals(targets: Sequence[Sequence[Edit]]) -> list[tuple[int, int]]:
    intervals: list[tuple[int, int]] = []
    for start, end in sorted((edit.start, edit.end) for edits in targets for edit in edits):
        if intervals and start <= intervals[-1][1]:
            intervals[-1] = intervals[-1][0], max(intervals[-1][1], end)
        else:
            intervals.append((start, end))
    return intervals


def _keep_chunk(source: Sequence[str], start: int, end: int, *, texts: int) -> Chunk:
    return Chunk(start, end, (" ".join(source[start:end]),) * texts, (False,) * texts)


def _change_chunk(source: Sequence[str], targets: Sequence[Sequence[Edit]], start: int, end: int) -> Chunk:
    inside = [
        [Edit(e.start - start, e.end - start, e.corrections) for e in edits if start <= e.start <= end]
        for edits in targets
    ]
    texts = tuple(apply_edits(source[start:end], edits) for edits in inside)
    return Chunk(start, end, texts, tuple(map(bool, inside)))


def references_that_count(corpus: Corpus, *, drop_unchanged: bool = False) -> NDArray[np.bool_]:
    """Whether each reference takes part in the cut. At least one of every sentence does.

    >>> corpus = Corpus.from_texts(["a b", "c"], [["", "a"], [""]])
    >>> references_that_count(corpus).tolist()
    [False, True, True]
    """
    encoded, slots = Encoded.of(corpus), corpus.reference_slots
    references = encoded.reference_tokens()
    counts = np.ones(len(references.offsets) - 1, dtype=bool)
    if drop_unchanged:
        sources = encoded.source_tokens()
        sentence = np.repeat(np.arange(len(corpus)), np.diff(slots))
        same = [np.array_equal(_tokens(references, r), _tokens(sources, i)) for r, i in enumerate(sentence.tolist())]
        counts = _without(counts, np.array(same), slots)
    return _without(counts, np.diff(references.offsets) == 0, slots)


def _tokens(tokens: Tokens, i: int) -> NDArray[np.int32]:
    return tokens.ids[tokens.offsets[i] : tokens.offsets[i + 1]]


def _without(counts: NDArray[np.bool_], left_out: NDArray[np.bool_], slots: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The references that still count. Where a sentence would have none, its first one that counted stays."""
    remaining = counts & ~left_out
    for i in np.flatnonzero(np.add.reduceat(remaining, slots[:-1], dtype=np.int64) == 0):
        remaining[slots[i] + np.argmax(counts[slots[i] : slots[i + 1]])] = True
    return remaining
