"""A corpus as integers, in the layouts that the native kernels read.

    corpus ──► Encoded.of(corpus) ──┬─► tokens of sources, references and hypotheses
                                    ├─► gold edits
                                    └─► error clusters (I-measure)

The corpus keeps each layout, so the next metric and the next system find it made. A kernel that needs another layout
adds it here or in a file of its own: ``corpus.derive(MyLayout)`` keeps that too.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval._native import ErrorClusters, GoldEdits, Vocabulary, corrected_texts
from gecval.corpus.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.corpus.references import ReferenceTable, offsets_of
from gecval.runtime.run import SERIAL, Run

# What separates tokens: every Unicode blank, the ASCII ones, or each single space (as in split(" "): empty tokens).
Blanks = Literal["unicode", "ascii", "space"]
KEPT = 10_000_000  # tokens and ends of hypotheses; some 100 MB with their texts
MANY = 200_000  # sentences: more are encoded stretch by stretch, for kernels that look at each alone
STRETCH = 50_000


class Tokens(NamedTuple):
    """Sentences as integers: sentence *i* is ``ids[offsets[i]:offsets[i + 1]]``."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]


class Stretch(NamedTuple):
    """Sentences that follow each other: sentence *i* of them has ``golds`` from ``slots[i]`` to ``slots[i + 1]``."""

    sources: Tokens
    hypotheses: Tokens
    golds: GoldEdits
    slots: NDArray[np.int64]


def characters(texts: Sequence[str]) -> Tokens:
    """Every character is a token, blanks too; its code point is its number."""
    ids = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.int32)
    return Tokens(ids, offsets_of(map(len, texts)))


class Encoded:
    """The layouts of one corpus, each made when it is first asked for.

    >>> encoded = Encoded.of(Corpus.from_texts(["a b a"]))
    >>> encoded.source_tokens().ids.tolist()
    [0, 1, 0]
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._tokens: dict[tuple[Hashable, str], Tokens] = {}
        self._room = KEPT
        self._lower_case = np.zeros(0, dtype=np.int32)
        self.vocabulary = Vocabulary()

    @classmethod
    def of(cls, corpus: Corpus) -> Encoded:
        """The layouts that the corpus keeps."""
        return corpus.derive(cls)

    def source_tokens(self, blanks: Blanks = "unicode", *, run: Run = SERIAL) -> Tokens:
        return self._cache_tokens("source", self._corpus.sources, blanks, run=run)

    def reference_tokens(self, blanks: Blanks = "unicode", *, run: Run = SERIAL) -> Tokens:
        if self._corpus.table:
            return self._correct_tokens(blanks, run)
        return self._cache_tokens("reference", self._corpus.reference_texts, blanks, run=run)

    def hypothesis_tokens(self, system: System, blanks: Blanks = "unicode", *, run: Run = SERIAL) -> Tokens:
        """Kept for the next metric, but for those of very many or very large outputs."""
        texts = tuple(system.hypotheses)  # these cannot change
        return self._cache_tokens(texts, texts, blanks, run=run, bounded=True)

    def lower_case_ids(self) -> NDArray[np.int32]:
        """For each token, the id of its lower-cased form. Two ids are equal if and only if these forms are."""
        kept = self._lower_case
        if len(kept) >= len(self.vocabulary):
            return kept
        ids: dict[str, int] = {}
        numbered = [ids.setdefault(token.lower(), len(ids)) for token in self.vocabulary.tokens()]
        # Another thread may keep those of fewer tokens at the same moment: what was made here is given back.
        self._lower_case = made = np.array(numbered, dtype=np.int32)
        return made

    def _cache_tokens(
        self, which: Hashable, sentences: Sequence[str], blanks: Blanks, *, run: Run, bounded: bool = False
    ) -> Tokens:
        """Kept for the next system. One copy serves all kinds of blanks if they make no difference to these texts."""
        for key in ((which, "any"), (which, blanks)):
            if key in self._tokens:
                return self._tokens[key]
        ids, offsets, same_for_all = self.vocabulary.encode(list(sentences), blanks=blanks, jobs=run.threads)
        tokens = Tokens(ids, offsets)
        if bounded:
            self._room -= len(ids) + len(offsets)
        if not bounded or self._room >= 0:
            self._tokens[which, "any" if same_for_all else blanks] = tokens
        return tokens

    def _correct_tokens(self, blanks: Blanks, run: Run) -> Tokens:
        """The tokens of ``reference_texts``, made from edits without making the texts."""
        key = "corrected", "any"
        if key not in self._tokens:
            sources = self.source_tokens(run=run)
            slots = self._corpus.reference_slots
            self._tokens[key] = Tokens(*corrected_texts(*sources, self.gold_edits, slots, jobs=run.threads))
        ids, offsets = self._tokens[key]
        empty = np.diff(offsets) == 0
        if blanks != "space" or not empty.any():
            return Tokens(ids, offsets)
        # Split at each single space, an empty text is one empty token.
        [token], _, _ = self.vocabulary.encode([""], blanks="space")
        return Tokens(np.insert(ids, offsets[:-1][empty], token), offsets + np.append(0, np.cumsum(empty)))

    def stretches(self, system: System, *, run: Run = SERIAL) -> Iterator[Stretch]:
        """All sentences: at once, or where there are very many, so many at a time that tokens need little memory."""
        size, slots = len(self._corpus), self._corpus.reference_slots
        if size <= MANY:
            yield Stretch(self.source_tokens(run=run), self.hypothesis_tokens(system, run=run), self.gold_edits, slots)
            return
        for start in range(0, size, STRETCH):
            some = slice(start, start + STRETCH)
            ends = slots[start : start + STRETCH + 1]
            yield Stretch(
                self._encode(self._corpus.sources[some], run=run),
                self._encode(system.hypotheses[some], run=run),
                self._gold_edits_of(slice(int(ends[0]), int(ends[-1]))),
                ends - ends[0],
            )

    @cached_property
    def gold_edits(self) -> GoldEdits:
        """The edits of every reference."""
        return self._gold_edits_of(slice(None))

    def _gold_edits_of(self, references: slice) -> GoldEdits:
        table, (ends, tokens) = self._table, self._corrections
        spans = table.spans[references]
        some = spans[spans[:, 0] < spans[:, 1]]  # a reference without edits may point anywhere
        first, last = (int(some.min()), int(some.max())) if len(some) else (0, 0)
        return GoldEdits(np.maximum(spans - first, 0), table.edits[first:last], ends, *tokens)

    @cached_property
    def _table(self) -> ReferenceTable:
        return self._corpus.table or ReferenceTable.of(self._corpus.references)

    @cached_property
    def _corrections(self) -> tuple[NDArray[np.int64], Tokens]:
        """The corrections of all edits: those of entry *e* are number ``ends[e]`` to ``ends[e + 1]``."""
        corrections = self._table.corrections
        return offsets_of(map(len, corrections)), self._encode(list(chain.from_iterable(corrections)))

    def _encode(self, texts: Sequence[str], *, run: Run = SERIAL) -> Tokens:
        ids, offsets, _ = self.vocabulary.encode(list(texts), jobs=run.threads)
        return Tokens(ids, offsets)

    def edits(self, listed: Sequence[Sequence[Edit]]) -> GoldEdits:
        """The edits of hypotheses: one list for each sentence, and of each edit the first correction."""
        flat = list(chain.from_iterable(listed))
        ends = offsets_of(map(len, listed))
        ids, offsets, _ = self.vocabulary.encode([edit.corrections[0] for edit in flat])
        rows = np.ones((len(flat), 5), dtype=np.int32)
        rows[:, 0], rows[:, 1] = [edit.start for edit in flat], [edit.end for edit in flat]
        rows[:, 2] = np.arange(len(flat))
        one_each = np.arange(len(flat) + 1, dtype=np.int64)
        return GoldEdits(np.stack([ends[:-1], ends[1:]], axis=1), rows, one_each, ids, offsets)

    @cached_property
    def error_clusters(self) -> ErrorClusters:
        """The clusters of alternative edits: those that were given, or those of the references' edits."""
        clusters = self._corpus.clusters
        if not clusters:
            return ErrorClusters(self.gold_edits, self._corpus.reference_slots)
        errors = list(chain.from_iterable(clusters))
        choices = [[_join_corrections(choice) for choice in cluster.choices()] for cluster in errors]
        alternatives = list(chain.from_iterable(choices))
        spans = [span for alternative in alternatives for span in alternative]
        corrections = [text for alternative in alternatives for text in alternative.values()]
        ids, offsets, _ = self.vocabulary.encode(corrections)
        return ErrorClusters(
            offsets_of(map(len, clusters)),
            offsets_of(map(len, choices)),
            offsets_of(map(len, alternatives)),
            np.array([start for start, _ in spans], dtype=np.int32),
            np.array([end for _, end in spans], dtype=np.int32),
            ids,
            offsets,
        )


def _join_corrections(edits: Sequence[Edit]) -> dict[tuple[int, int], str]:
    """The correction of each span: several of one span are joined."""
    corrections: dict[tuple[int, int], str] = {}
    for edit in edits:
        span = edit.start, edit.end
        corrections[span] = f"{corrections[span]} {edit.correction}" if span in corrections else edit.correction
    return corrections
