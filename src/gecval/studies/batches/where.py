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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError, shortened

Mask = NDArray[np.bool_]
Values = Mapping[str, Sequence[Any]]
MOST = 200  # words of a condition
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
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


class Word(NamedTuple):
    kind: str  # number, text, name, quoted, sign or end
    text: str


class Truth(NamedTuple):
    """Where a condition is true, and where it is false; elsewhere a value is missing."""

    true: Mask
    false: Mask


Node = Callable[[Values], Truth]


@dataclass(frozen=True)
class Condition:
    """A condition that was understood.

    >>> kept = Condition.of("gleu > 0.4 and not fp >= 3")
    >>> kept.names, kept({"gleu": [0.5, 0.5, 0.1], "fp": [2, 3, 0]}).tolist()
    (('gleu', 'fp'), [True, False, False])
    """

    text: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Condition:
        """Understand it, or refuse it in one line."""
        return cls(text, tuple(dict.fromkeys(_Parser(text).names)))

    def __call__(self, values: Values) -> Mask:
        """Which rows fulfil it. ``values`` has the columns that it names."""
        return _Parser(self.text).node(values).true


class _Parser:
    def __init__(self, text: str) -> None:
        self._text, self.names = text, list[str]()
        self._words = [*_words(text), Word("end", "the end")]
        if len(self._words) > MOST:
            raise InputError(f"the condition has more than {MOST} words", parameter="where")
        self.node = self._condition()
        if self._words[0].kind != "end":
            raise self._wrong("and, or, or the end")

    def _condition(self) -> Node:
        return self._joined("or", self._term)

    def _term(self) -> Node:
        return self._joined("and", self._factor)

    def _joined(self, word: str, part: Callable[[], Node]) -> Node:
        nodes = [part()]
        while self._take("name", word):
            nodes.append(part())

        def joined(values: Values) -> Truth:
            truths = [node(values) for node in nodes]
            any_, all_ = np.logical_or.reduce, np.logical_and.reduce
            of_true, of_false = (any_, all_) if word == "or" else (all_, any_)
            return Truth(of_true([truth.true for truth in truths]), of_false([truth.false for truth in truths]))

        return joined

    def _factor(self) -> Node:
        if self._take("name", "not"):
            node = self._factor()
            return lambda values: Truth(*reversed(node(values)))
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
        return lambda values: _compared(sign, left(values), right(values))

    def _value(self) -> Callable[[Values], _Side]:
        kind, text = self._words[0]
        if kind == "end" or kind == "sign" or (kind == "name" and text in KEYWORDS):
            raise self._wrong("a column, a number or a text")
        self._words.pop(0)
        if kind == "number":
            return lambda values: _Side([float(text)], False)
        if kind == "text":
            return lambda values: _Side([text], False)
        self.names.append(text)
        return lambda values: _column(text, values[text])

    def _take(self, kind: str, text: str) -> bool:
        if self._words[0] == (kind, text):
            self._words.pop(0)
            return True
        return False

    def _wrong(self, expected: str) -> InputError:
        return InputError(
            f"{shortened(self._text, 100)!r} is no condition: expected {expected}, not {self._words[0].text}",
            parameter="where",
        )


def _words(text: str) -> Iterator[Word]:
    place = 0
    while text[place:].strip():
        match = _WORD.match(text, place)
        if match is None:
            rest = shortened(text[place:].strip(), 20)
            raise InputError(f"{shortened(text, 100)!r} is no condition: {rest!r} is not understood", parameter="where")
        kind = match.lastgroup or ""
        word = match[kind]
        yield Word(kind, word[1:-1] if kind == "text" else word)
        place = match.end()


class _Side(NamedTuple):
    """One side of a comparison: a value for each row, or the same for all."""

    values: list[Any]
    of_column: bool


def _column(name: str, values: Sequence[Any]) -> _Side:
    listed = [None if value is None or value != value else value for value in values]
    for kind in (str, int | float):
        if all(value is None or isinstance(value, kind) for value in listed):
            return _Side(listed, True)
    raise InputError(f"the column {name!r} holds neither numbers nor texts", parameter="where")


def _compared(sign: str, left: _Side, right: _Side) -> Truth:
    compare = COMPARISONS[sign]
    rows = next((len(side.values) for side in (left, right) if side.of_column), None)
    if rows is None:
        raise InputError(f"{left.values[0]!r} {sign} {right.values[0]!r} names no column", parameter="where")
    a, b = (side.values if side.of_column else side.values * rows for side in (left, right))
    known = np.array([x is not None and y is not None for x, y in zip(a, b, strict=True)], dtype=np.bool_)
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    if pairs and isinstance(pairs[0][0], str) != isinstance(pairs[0][1], str):
        raise InputError(
            f"a text is compared with a number by {sign}: put texts, and only texts, in quotation marks",
            parameter="where",
        )
    true = np.zeros(rows, dtype=np.bool_)
    true[known] = [compare(x, y) for x, y in pairs]
    return Truth(true, known & ~true)
