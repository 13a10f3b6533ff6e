"""How metrics are spelled: ``gleu``, ``gleu(n=3)``, ``interpolated(gleu, my_module:my_metric, 0.2)``.

Parameters are Python literals. A metric, spelled like any other, may itself be a parameter.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from gecval.errors import InputError, shortened

# Inside brackets: a text, or a name that Python would read as something else, such as max-sari or my_module:name.
_TEXT_OR_NAME = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<!\w)(?P<name>[^\W\d]\w*(?:[.:-][^\W\d]\w*)+)""", re.DOTALL
)
_SPELLING = re.compile(r"\s*(?P<name>[\w.:-]+)\s*(?:\((?P<arguments>.*)\))?\s*", re.DOTALL)
_TEXT_OR_SIGN = re.compile(r"""(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|[()\[\]{},]""", re.DOTALL)


class Spelling(NamedTuple):
    """The name of a metric and its parameters, by position and by name."""

    name: str
    positional: list[Any]
    named: dict[str, Any]


def split_spellings(text: str) -> list[str]:
    """The spellings in a list: commas outside brackets and quotes separate them.

    >>> split_spellings('gleu,m2(beta=1.0, level="detection"), ld')
    ['gleu', 'm2(beta=1.0, level="detection")', 'ld']
    """
    parts, depth, start = [], 0, 0
    for match in _TEXT_OR_SIGN.finditer(text):
        if match[0] in "([{":
            depth += 1
        elif match[0] in ")]}":
            depth -= 1
        elif match[0] == "," and depth == 0:
            parts.append(text[start : match.start()].strip())
            start = match.end()
    return [*parts, text[start:].strip()]


def parse_spelling(spelling: str, metric: Callable[[str], Any]) -> Spelling:
    """What a spelling says; ``metric`` makes the metrics that are parameters."""
    match = _SPELLING.fullmatch(spelling)
    if match is None:
        raise InputError(f"cannot read the metric {_shown(spelling)}; write it like m2 or 'm2(beta=1.0)'")
    try:
        call = _parsed(f"f({match['arguments'] or ''})")
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):  # such as m2(1)(2)
            raise SyntaxError
        named = {keyword.arg or "": _value(keyword.value, metric) for keyword in call.keywords}
        if len(named) < len(call.keywords):
            raise InputError(f"a parameter of {_shown(spelling)} is given twice")
        return Spelling(match["name"], [_value(argument, metric) for argument in call.args], named)
    except InputError:
        raise
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):  # the last two: a thousand brackets
        raise InputError(
            f'cannot read the parameters of {_shown(spelling)}; write them like (beta=1.0, form="paper")'
        ) from None


def _shown(spelling: str) -> str:
    return repr(shortened(spelling, 80))


def _parsed(text: str) -> ast.expr:
    """The expression, whose names may be any metric's: the parser sees a plain name in the place of each."""
    names: dict[str, str] = {}

    def plain(match: re.Match[str]) -> str:
        return match[0] if match["text"] else names.setdefault(match[0], f"_metric_{len(names)}")

    tree = ast.parse(_TEXT_OR_NAME.sub(plain, text), mode="eval").body
    meant = {stand_in: name for name, stand_in in names.items()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = meant.get(node.id, node.id)
    return tree


def _value(node: ast.expr, metric: Callable[[str], Any]) -> Any:
    if isinstance(node, ast.Call | ast.Name):
        return metric(ast.unparse(node))
    return ast.literal_eval(node)
