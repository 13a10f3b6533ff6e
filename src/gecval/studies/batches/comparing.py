"""Comparisons of columns with each other, with numbers and with texts.

A comparison with a missing value is neither true nor false. Columns of TSV have no type: beside a number, and where two
of them are compared by size, their cells are numbers, and an empty one is missing. Otherwise they are texts.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError, shortened

Mask = NDArray[np.bool_]
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
EQUALITY = ("==", "!=")


class Rows(NamedTuple):
    """Some rows of a file."""

    values: Mapping[str, Sequence[Any]]  # by column
    untyped: Collection[str] = ()  # columns whose values are texts, whatever they mean
    first: int = 0  # number of the first row, from 0


class Truth(NamedTuple):
    """Where a condition is true, and where it is false; elsewhere a value is missing."""

    true: Mask
    false: Mask


class Side(NamedTuple):
    """One side of a comparison: a value for each row of a column, or the same for all."""

    values: list[Any]
    column: str | None = None

    def known(self) -> Any:
        """Some value, which tells the kind of all."""
        return next((value for value in self.values if value is not None), None)


def column_of(name: str, rows: Rows) -> Side:
    return _checked(name, rows.values[name])


def _checked(name: str, values: Sequence[Any]) -> Side:
    listed = [None if value is None or value != value else value for value in values]
    for kind in (str, int | float):
        if all(value is None or isinstance(value, kind) for value in listed):
            return Side(listed, name)
    raise InputError(f"the column {name!r} holds neither numbers nor texts", parameter="where")


def compared(sign: str, left: Side, right: Side, rows: Rows) -> Truth:
    compare = COMPARISONS[sign]
    left, right = _typed(left, right, sign, rows), _typed(right, left, sign, rows)
    length = next((len(side.values) for side in (left, right) if side.column is not None), None)
    if length is None:
        raise InputError(f"{left.values[0]!r} {sign} {right.values[0]!r} names no column", parameter="where")
    a, b = (side.values if side.column is not None else side.values * length for side in (left, right))
    known = np.array([x is not None and y is not None for x, y in zip(a, b, strict=True)], dtype=np.bool_)
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    if pairs and isinstance(pairs[0][0], str) != isinstance(pairs[0][1], str):
        raise InputError(
            f"a text is compared with a number by {sign}: put texts, and only texts, in quotation marks",
            parameter="where",
        )
    true = np.zeros(length, dtype=np.bool_)
    true[known] = [compare(x, y) for x, y in pairs]
    return Truth(true, known & ~true)


def _typed(side: Side, other: Side, sign: str, rows: Rows) -> Side:
    """The side as numbers, where its column has no type and the comparison is one of numbers."""
    if side.column is None or side.column not in rows.untyped:
        return side
    by_size = other.column in rows.untyped and sign not in EQUALITY
    if not by_size and isinstance(other.known(), str | None):
        return side
    if by_size:
        advice = f"columns of TSV are compared as numbers by {sign}; texts have their order in .jsonl and .parquet"
    elif other.column is None:
        advice = "put a text that it is compared with in quotation marks"
    else:
        advice = f"it is compared with the numbers of the column {other.column!r}"
    return _checked(side.column, list(_numbers(side.values, side.column, rows, advice)))


def number_of(text: str) -> float:
    """The number that a text means. An integer stays one: a float has no place for all 17 digits of an id.

    >>> number_of("12345678901234567"), number_of("1e3")
    (12345678901234567, 1000.0)
    """
    plain = text.replace("_", "?")  # Python takes 1_0 for 10
    try:
        return int(plain)
    except ValueError:
        return float(plain)


def _numbers(cells: Sequence[str], column: str, rows: Rows, advice: str) -> Iterator[float | None]:
    for number, cell in enumerate(cells, start=rows.first + 1):
        try:
            yield number_of(cell) if cell else None
        except ValueError:
            raise InputError(
                f"row {number}: {shortened(cell, 40)!r} in the column {column!r} is no number; {advice}",
                parameter="where",
            ) from None
