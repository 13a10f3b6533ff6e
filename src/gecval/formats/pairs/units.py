"""A piece of a file of pairs, and how many rows are held at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

ROWS = 25_000  # of a batch, whatever the size of units: some ten megabytes of texts


class Unit(NamedTuple):
    """Rows ``first`` to ``first + rows`` of a file; ``start`` and ``stop`` are bytes of a text file."""

    number: int
    first: int
    rows: int
    start: int = 0
    stop: int = 0


def units_of(sizes: Iterable[int]) -> Iterator[Unit]:
    """Units of so many rows, one after the other.

    >>> [unit.first for unit in units_of([3, 2, 4])]
    [0, 3, 5]
    """
    first = 0
    for number, rows in enumerate(sizes):
        yield Unit(number, first, rows)
        first += rows
