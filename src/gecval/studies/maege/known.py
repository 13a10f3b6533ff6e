"""Statistics of pairs that an earlier replicate had: they are computed once.

    (sentence, source, correction) ──► rows of S, under each metric

Replicates draw from the same lattices. Most sentences have few edits, so the same pairs come again and again: of 100
replicates' pairs on CoNLL-2014 seven in ten were seen before. A metric's rows depend on the pair and its references
alone, unless ``whole_corpus`` says otherwise. So rows that were kept are those that it would give again, bit by bit.

Memory has a limit. When it is reached, the pairs that are kept stay, since those that recur most come early.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Statistics

Pair = tuple[int, str, str]  # number of the sentence, source and correction
LIMIT = 400_000_000  # bytes, in each process
OF_PAIR = 400  # bytes that a pair takes besides its rows: its numbers, and its share of texts
PACKED = (np.uint8, np.uint16, np.float32, np.float64)  # most rows are small counts


class KnownPairs:
    """The rows of pairs under these metrics. Threads may share it."""

    def __init__(self, metrics: Sequence[Metric], *, limit: int = LIMIT) -> None:
        self._limit = limit
        self._rows = [KeptRows(repr(metric)) for metric in metrics]
        self._pairs: dict[Pair, int] = {}  # pair → its place in the rows
        self._texts: dict[str, str] = {}  # a text is in many pairs, and in memory once
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._pairs)

    @property
    def size(self) -> int:
        """Bytes, about."""
        return OF_PAIR * len(self._pairs) + sum(rows.size for rows in self._rows)

    def statistics(
        self, pairs: Sequence[Pair], compute: Callable[[Sequence[Pair]], Sequence[Statistics]]
    ) -> list[Statistics]:
        """The statistics of these pairs under each metric; ``compute`` is asked for those of new pairs alone."""
        with self._lock:
            new = list(dict.fromkeys(pair for pair in pairs if pair not in self._pairs))
        computed = compute(new) if new else ()
        with self._lock:
            # Another thread may have computed some of them in the meantime.
            fresh = [n for n, pair in enumerate(new) if pair not in self._pairs]
            kept = len(self._pairs)
            if fresh:
                for rows, statistics in zip(self._rows, computed, strict=True):
                    rows.append(statistics.take(np.array(fresh, dtype=np.int64)))
            added = {new[n]: kept + k for k, n in enumerate(fresh)}
            listed = [added[pair] if pair in added else self._pairs[pair] for pair in pairs]
            taken = [rows.take(np.array(listed, dtype=np.int64)) for rows in self._rows]
            self._keep(added)
            return taken

    def _keep(self, pairs: Collection[Pair]) -> None:
        """Keep these pairs, whose rows are the last; or drop their rows where there is no room."""
        if self.size + OF_PAIR * len(pairs) > self._limit:
            for rows in self._rows:
                rows.cut(len(self._pairs))
            return
        text = self._texts.setdefault
        for sentence, source, correction in pairs:
            self._pairs[sentence, text(source, source), text(correction, correction)] = len(self._pairs)


class KeptRows:
    """The rows of one metric, pair after pair, as the smallest numbers that hold them exactly."""

    def __init__(self, metric: str) -> None:
        self._metric = metric
        self._rows: NDArray[np.generic] | None = None  # more of them than are in use, so that few appends copy
        self._offsets = np.zeros(1, dtype=np.int64)

    @property
    def size(self) -> int:
        return self._offsets.nbytes + (0 if self._rows is None else self._rows.nbytes)

    def append(self, statistics: Statistics) -> None:
        new, used = packed(statistics.rows), int(self._offsets[-1])
        rows = new[:0] if self._rows is None else self._rows
        if rows.shape[1] != new.shape[1]:
            raise InputError(
                f"{self._metric} has rows of {rows.shape[1]} numbers for some sentences and of {new.shape[1]} for "
                "others: if they depend on the whole corpus, its whole_corpus must say so",
                parameter="metrics",
            )
        kind, needed = np.result_type(rows, new), used + len(new)
        if kind != rows.dtype or needed > len(rows):
            larger = np.empty((max(needed, len(rows) * 5 // 4), rows.shape[1]), dtype=kind)
            larger[:used] = rows[:used]
            rows = larger
        rows[used:needed] = new
        self._rows = rows
        self._offsets = np.concatenate([self._offsets, statistics.offsets[1:] + used])

    def take(self, places: NDArray[np.int64]) -> Statistics:
        assert self._rows is not None
        taken = Statistics(self._rows, self._offsets).take(places)  # type: ignore[arg-type]
        return Statistics(taken.rows.astype(np.float64), taken.offsets)

    def cut(self, pairs: int) -> None:
        """Forget all pairs but the first so many; what they took is used for the next."""
        self._offsets = self._offsets[: pairs + 1]


def packed(rows: Array) -> NDArray[np.generic]:
    """The rows as the smallest numbers that are equal to them bit by bit.

    >>> packed(np.array([[1.0, 255.0]])).dtype, packed(np.array([[0.1, 2.0]])).dtype
    (dtype('uint8'), dtype('float64'))
    """
    bits = np.ascontiguousarray(rows).view(np.int64)
    for kind in PACKED:
        with np.errstate(all="ignore"):
            smaller = rows.astype(kind)
        if np.array_equal(smaller.astype(np.float64).view(np.int64), bits):
            return smaller
    return rows
