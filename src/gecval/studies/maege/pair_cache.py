"""The statistics of pairs that an earlier replicate of MAEGE had: they are computed once.

    (sentence, source, correction) ──► rows of S, under each metric

Replicates draw from the same lattices. Most sentences have few edits, so the same pairs come again and again: of 100
replicates' pairs on CoNLL-2014 seven in ten were seen before. A metric's rows depend on the pair and its references
alone, unless ``whole_corpus`` says otherwise. So cached rows are those that the metric would give again, bit by bit.

Memory has a limit. When it is reached, the cached pairs stay, since those that recur most come early.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from sys import getsizeof
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Statistics

Pair = tuple[int, str, str]  # number of the sentence, source and correction
LIMIT = 400_000_000  # bytes, in each process
OF_PAIR = 400  # bytes that a pair takes besides its rows and texts
PACKED_TYPES = (np.uint8, np.uint16, np.float32, np.float64)  # most rows are small counts


class PairCache:
    """The rows of pairs under these metrics. Threads may share it."""

    def __init__(self, metrics: Sequence[Metric], *, limit: int = LIMIT) -> None:
        self._limit = limit
        self._rows = [PackedRows(repr(metric)) for metric in metrics]
        self._pairs: dict[Pair, int] = {}  # pair → its place in the rows
        self._texts: dict[str, str] = {}  # a text is in many pairs, and in memory once
        self._besides_rows = 0  # bytes
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._pairs)

    @property
    def size(self) -> int:
        """Bytes, about."""
        return self._besides_rows + sum(rows.size for rows in self._rows)

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
            if not fresh:
                return self._take([self._pairs[pair] for pair in pairs])
            added = [of_new.take(np.array(fresh, dtype=np.int64)) for of_new in computed]
            places = {new[n]: len(self._pairs) + k for k, n in enumerate(fresh)}
            listed = [places[pair] if pair in places else self._pairs[pair] for pair in pairs]
            if self._add(places, added):
                return self._take(listed)
            seen = np.unique([place for place in listed if place < len(self._pairs)])
            listed = [
                int(np.searchsorted(seen, place)) if place < len(self._pairs) else place - len(self._pairs) + len(seen)
                for place in listed
            ]
            order = np.array(listed, dtype=np.int64)
            if not len(seen):
                return [of_new.take(order) for of_new in added]
            return [old.concatenate(of_new).take(order) for old, of_new in zip(self._take(seen), added, strict=True)]

    def _take(self, places: Sequence[int] | NDArray[np.int64]) -> list[Statistics]:
        return [rows.take(np.array(places, dtype=np.int64)) for rows in self._rows]

    def _add(self, pairs: Collection[Pair], added: Sequence[Statistics]) -> bool:
        """Add these pairs with their rows, if the limit allows it; say whether it did."""
        smaller = [Statistics(pack(of_new.rows), of_new.offsets) for of_new in added]  # type: ignore[arg-type]
        texts = {text for _, *both in pairs for text in both if text not in self._texts}
        pairs_and_texts = OF_PAIR * len(pairs) + sum(map(getsizeof, texts))
        larger = sum(rows.size_with(of_new) for rows, of_new in zip(self._rows, smaller, strict=True))
        if self._besides_rows + pairs_and_texts + larger > self._limit:
            return False
        for rows, of_new in zip(self._rows, smaller, strict=True):
            rows.append(of_new)
        self._besides_rows += pairs_and_texts
        text = self._texts.setdefault
        for sentence, source, correction in pairs:
            self._pairs[sentence, text(source, source), text(correction, correction)] = len(self._pairs)
        return True


class PackedRows:
    """The rows of one metric, pair after pair, as the smallest numbers that hold them exactly."""

    def __init__(self, metric: str) -> None:
        self._metric = metric
        self._rows: NDArray[np.generic] | None = None  # more of them than are in use, so that few appends copy
        self._offsets = np.zeros(1, dtype=np.int64)

    @property
    def size(self) -> int:
        return self._offsets.nbytes + (0 if self._rows is None else self._rows.nbytes)

    def size_with(self, statistics: Statistics) -> int:
        """Bytes, once these packed rows are appended; numbers of another kind make all rows larger."""
        rows, length, kind = self._larger(statistics)
        return int(length * rows.shape[1] * kind.itemsize + self._offsets.nbytes + statistics.offsets[1:].nbytes)

    def append(self, statistics: Statistics) -> None:
        """Add packed rows."""
        rows, length, kind = self._larger(statistics)
        used = int(self._offsets[-1])
        if kind != rows.dtype or length > len(rows):
            larger = np.empty((length, rows.shape[1]), dtype=kind)
            larger[:used] = rows[:used]
            rows = larger
        rows[used : used + len(statistics.rows)] = statistics.rows
        self._rows = rows
        self._offsets = np.concatenate([self._offsets, statistics.offsets[1:] + used])

    def _larger(self, statistics: Statistics) -> tuple[NDArray[np.generic], int, np.dtype[Any]]:
        """The rows that there are; how many, and numbers of which kind, there must be for more."""
        new = statistics.rows
        rows = new[:0] if self._rows is None else self._rows
        if rows.shape[1] != new.shape[1]:
            raise InputError(
                f"{self._metric} has rows of {rows.shape[1]} numbers for some sentences and of {new.shape[1]} for "
                "others: if they depend on the whole corpus, its whole_corpus must say so",
                parameter="metrics",
            )
        needed = int(self._offsets[-1]) + len(new)
        length = len(rows) if needed <= len(rows) else max(needed, len(rows) * 5 // 4)
        return rows, length, np.result_type(rows, new)

    def take(self, places: NDArray[np.int64]) -> Statistics:
        assert self._rows is not None
        taken = Statistics(self._rows, self._offsets).take(places)  # type: ignore[arg-type]
        return Statistics(taken.rows.astype(np.float64), taken.offsets)


def pack(rows: Array) -> NDArray[np.generic]:
    """The rows as the smallest numbers that are equal to them bit by bit.

    >>> pack(np.array([[1.0, 255.0]])).dtype, pack(np.array([[0.1, 2.0]])).dtype
    (dtype('uint8'), dtype('float64'))
    """
    bits = np.ascontiguousarray(rows).view(np.int64)
    for kind in PACKED_TYPES:
        with np.errstate(all="ignore"):
            smaller = rows.astype(kind)
        if np.array_equal(smaller.astype(np.float64).view(np.int64), bits):
            return smaller
    return rows
