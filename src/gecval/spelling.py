"""How metrics and extractors are spelled: ``gleu``, ``gleu(n=3)``, ``interpolated(gleu, my_module:my_metric, 0.2)``.

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
# By kind: a name, the same with a parameter, and parameters alone.
_EXAMPLES = {
    "metric": ("m2", "m2(beta=1.0)", '(beta=1.0, form="paper")'),
    "extractor": ("errant", 'errant(merging="all-split")', '(alignment="levenshtein", merging="all-split")'),
}


class Spelling(NamedTuple):
    """The name of a part and its parameters, by position and by name."""

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


def parse_spelling(spelling: str, part: Callable[[str], Any], *, kind: str = "metric") -> Spelling:
    """What a spelling says; ``part`` makes the parts of this kind that are parameters."""
    match = _SPELLING.fullmatch(spelling)
    bare, full, parameters = _EXAMPLES[kind]
    if match is None:
        raise InputError(f"cannot read the {kind} {_shown(spelling)}; write it like {bare} or {full!r}")
    try:
        call = _parsed(f"f({match['arguments'] or ''})")
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):  # such as m2(1)(2)
            raise SyntaxError
        named = {keyword.arg or "": _named_value(keyword, part) for keyword in call.keywords}
        if len(named) < len(call.keywords):
            raise InputError(f"a parameter of {_shown(spelling)} is given twice")
        return Spelling(match["name"], [_value(argument, part) for argument in call.args], named)
    except InputError:
        raise
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):  # the last two: a thousand brackets
        raise InputError(f"cannot read the parameters of {_shown(spelling)}; write them like {parameters}") from None


def _shown(spelling: str) -> str:
    return repr(shortened(spelling, 80))


def _parsed(text: str) -> ast.expr:
    """The expression, whose names may be any part's: the parser sees a plain name in the place of each."""
    names: dict[str, str] = {}

    def plain(match: re.Match[str]) -> str:
        return match[0] if match["text"] else names.setdefault(match[0], f"_part_{len(names)}")

    tree = ast.parse(_TEXT_OR_NAME.sub(plain, text), mode="eval").body
    meant = {stand_in: name for name, stand_in in names.items()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = meant.get(node.id, node.id)
    return tree


def _value(node: ast.expr, part: Callable[[str], Any]) -> Any:
    if isinstance(node, ast.Call | ast.Name):
        return part(ast.unparse(node))
    return ast.literal_eval(node)


def _named_value(keyword: ast.keyword, part: Callable[[str], Any]) -> Any:
    """A word without quotes names a part; whoever meant a text hears of the quotes, which a shell may have taken."""
    try:
        return _value(keyword.value, part)
    except InputError as error:
        if not isinstance(keyword.value, ast.Name):
            raise
        raise InputError(f'{error}; if it is a text, write it in quotes: {keyword.arg}="{keyword.value.id}"') from None
