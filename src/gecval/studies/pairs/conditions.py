"""Conditions on columns, as people type them: ``gleu > 0.4 and errant.fp < 3``.

    condition  = term ("or" term)*
    term       = factor ("and" factor)*
    factor     = "not" factor | "(" condition ")" | value ("<" | "<=" | ">" | ">=" | "==" | "!=") value
    value      = number | text in quotation marks | name | name in backquotes, such as `gleu(n=3)`

Nothing is run but these comparisons. As in SQL, a comparison with a missing value is neither true nor false, and a row
is kept where the condition is true.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError, shorten

# Comparisons of columns with each other, with numbers and with texts.
#
# A comparison with a missing value is neither true nor false. Columns of TSV have no type: next to a number, and where
# two of them are compared by size, their cells are numbers, and an empty one is missing. Otherwise they are texts.


Mask = NDArray[np.bool_]
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
EQUALITY = ("==", "!=")


class ColumnRows(NamedTuple):
    """Some rows of a file."""

    values: Mapping[str, Sequence[Any]]  # by column
    untyped: Collection[str] = ()  # columns whose values are texts, whatever they mean
    first: int = 0  # number of the first row, from 0


class Truth(NamedTuple):
    """Where a condition is true, and where it is false; elsewhere a value is missing."""

    true: Mask
    false: Mask


class Operand(NamedTuple):
    """One side of a comparison: a value for each row of a column, or the same for all."""

    values: list[Any]
    column: str | None = None

    def known(self) -> Any:
        """Some value, which tells the kind of all."""
        return next((value for value in self.values if value is not None), None)


def column_of(name: str, rows: ColumnRows) -> Operand:
    return _check(name, rows.values[name])


def _check(name: str, values: Sequence[Any]) -> Operand:
    listed = [None if value is None or value != value else value for value in values]
    for kind in (str, int | float):
        if all(value is None or isinstance(value, kind) for value in listed):
            return Operand(listed, name)
    raise InputError(f"the column {name!r} holds neither numbers nor texts", parameter="where")


def compared(sign: str, left: Operand, right: Operand, rows: ColumnRows) -> Truth:
    compare = COMPARISONS[sign]
    left, right = _as_numbers(left, right, sign, rows), _as_numbers(right, left, sign, rows)
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


def _as_numbers(side: Operand, other: Operand, sign: str, rows: ColumnRows) -> Operand:
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
    return _check(side.column, list(_numbers(side.values, side.column, rows, advice)))


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


def _numbers(cells: Sequence[str], column: str, rows: ColumnRows, advice: str) -> Iterator[float | None]:
    for number, cell in enumerate(cells, start=rows.first + 1):
        try:
            yield number_of(cell) if cell else None
        except ValueError:
            raise InputError(
                f"row {number}: {shorten(cell, 40)!r} in the column {column!r} is no number; {advice}",
                parameter="where",
            ) from None


MOST = 200  # words of a condition
_WORD = re.compile(
    r"""\s*(?:
        (?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))
      | (?P<text>"[^"]*"|'[^']*')
      | `(?P<quoted>[^`]+)`
      | (?P<sign><=|>=|==|!=|<|>|\(|\))
      | (?P<name>[^\W\d][\w.]*(?:-[^\W\d][\w.]*)*)
    )""",
    re.VERBOSE,
)
KEYWORDS = ("and", "or", "not")


class ConditionToken(NamedTuple):
    kind: str  # number, text, name, quoted, sign or end
    text: str


Node = Callable[[ColumnRows], Truth]


@dataclass(frozen=True)
class Condition:
    """A condition that was understood.

    >>> kept = Condition.of("gleu > 0.4 and not fp >= 3")
    >>> kept.names, kept(ColumnRows({"gleu": [0.5, 0.5, 0.1], "fp": [2, 3, 0]})).tolist()
    (('gleu', 'fp'), [True, False, False])
    """

    text: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Condition:
        """Understand it, or refuse it in one line."""
        return cls(text, tuple(dict.fromkeys(_Parser(text).names)))

    def __call__(self, rows: ColumnRows) -> Mask:
        """Which of the rows fulfil it; they have the columns that it names."""
        return _Parser(self.text).node(rows).true


class _Parser:
    def __init__(self, text: str) -> None:
        self._text, self.names = text, list[str]()
        self._words = [*_words(text), ConditionToken("end", "the end")]
        if len(self._words) > MOST:
            raise InputError(f"the condition has more than {MOST} words", parameter="where")
        self.node = self._condition()
        if self._words[0].kind != "end":
            raise self._wrong("and, or, or the end")

    def _condition(self) -> Node:
        return self._join("or", self._term)

    def _term(self) -> Node:
        return self._join("and", self._factor)

    def _join(self, word: str, part: Callable[[], Node]) -> Node:
        nodes = [part()]
        while self._take("name", word):
            nodes.append(part())

        def joined(rows: ColumnRows) -> Truth:
            truths = [node(rows) for node in nodes]
            any_, all_ = np.logical_or.reduce, np.logical_and.reduce
            join_true, join_false = (any_, all_) if word == "or" else (all_, any_)
            return Truth(join_true([truth.true for truth in truths]), join_false([truth.false for truth in truths]))

        return joined

    def _factor(self) -> Node:
        if self._take("name", "not"):
            node = self._factor()
            return lambda rows: Truth(*reversed(node(rows)))
        if self._take("sign", "("):
            node = self._condition()
            if not self._take("sign", ")"):
                raise self._wrong("a closing bracket")
            return node
        left = self._value()
        sign = self._words[0].text
        if self._words[0].kind != "sign" or sign not in COMPARISONS:
            raise self._wrong("one of " + " ".join(COMPARISONS))
        self._words.pop(0)
        right = self._value()
        return lambda rows: compared(sign, left(rows), right(rows), rows)

    def _value(self) -> Callable[[ColumnRows], Operand]:
        kind, text = self._words[0]
        if kind == "end" or kind == "sign" or (kind == "name" and text in KEYWORDS):
            raise self._wrong("a column, a number or a text")
        self._words.pop(0)
        if kind == "number":
            return lambda rows: Operand([number_of(text)])
        if kind == "text":
            return lambda rows: Operand([text])
        self.names.append(text)
        return lambda rows: column_of(text, rows)

    def _take(self, kind: str, text: str) -> bool:
        if self._words[0] == (kind, text):
            self._words.pop(0)
            return True
        return False

    def _wrong(self, expected: str) -> InputError:
        return InputError(
            f"{shorten(self._text, 100)!r} is no condition: expected {expected}, not {self._words[0].text}",
            parameter="where",
        )


def _words(text: str) -> Iterator[ConditionToken]:
    place = 0
    while text[place:].strip():
        match = _WORD.match(text, place)
        if match is None:
            rest = shorten(text[place:].strip(), 20)
            raise InputError(f"{shorten(text, 100)!r} is no condition: {rest!r} is not understood", parameter="where")
        kind = match.lastgroup or ""
        word = match[kind]
        yield ConditionToken(kind, word[1:-1] if kind == "text" else word)
        place = match.end()
