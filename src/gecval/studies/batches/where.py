"""Conditions on columns, as people type them: ``gleu > 0.4 and errant.fp < 3``.

    condition  = term ("or" term)*
    term       = factor ("and" factor)*
    factor     = "not" factor | "(" condition ")" | value ("<" | "<=" | ">" | ">=" | "==" | "!=") value
    value      = number | text in quotation marks | name | name in backquotes, such as `gleu(n=3)`

Nothing is run but these comparisons. As in SQL, a comparison with a missing value is neither true nor false, and a row
is kept where the condition is true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gecval.errors import InputError, shortened
from gecval.studies.batches.comparing import COMPARISONS, Mask, Rows, Side, Truth, column_of, compared, number_of

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


class Word(NamedTuple):
    kind: str  # number, text, name, quoted, sign or end
    text: str


Node = Callable[[Rows], Truth]


@dataclass(frozen=True)
class Condition:
    """A condition that was understood.

    >>> kept = Condition.of("gleu > 0.4 and not fp >= 3")
    >>> kept.names, kept(Rows({"gleu": [0.5, 0.5, 0.1], "fp": [2, 3, 0]})).tolist()
    (('gleu', 'fp'), [True, False, False])
    """

    text: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Condition:
        """Understand it, or refuse it in one line."""
        return cls(text, tuple(dict.fromkeys(_Parser(text).names)))

    def __call__(self, rows: Rows) -> Mask:
        """Which of the rows fulfil it; they have the columns that it names."""
        return _Parser(self.text).node(rows).true


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

        def joined(rows: Rows) -> Truth:
            truths = [node(rows) for node in nodes]
            any_, all_ = np.logical_or.reduce, np.logical_and.reduce
            of_true, of_false = (any_, all_) if word == "or" else (all_, any_)
            return Truth(of_true([truth.true for truth in truths]), of_false([truth.false for truth in truths]))

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

    def _value(self) -> Callable[[Rows], Side]:
        kind, text = self._words[0]
        if kind == "end" or kind == "sign" or (kind == "name" and text in KEYWORDS):
            raise self._wrong("a column, a number or a text")
        self._words.pop(0)
        if kind == "number":
            return lambda rows: Side([number_of(text)])
        if kind == "text":
            return lambda rows: Side([text])
        self.names.append(text)
        return lambda rows: column_of(text, rows)

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
