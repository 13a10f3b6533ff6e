"""Parts that are chosen by name: metrics, extractors, checkers. A name is looked for in three places, in this order.

1. Our own parts: ``gleu``, ``plain``.
2. Installed packages. They bring a part by an entry point of its group:

       [project.entry-points."gecval.extractors"]
       zh = "my_package:ChineseExtractor"

3. A module of the user's: ``my_module:Name``. It may lie in the current folder.

Names of the first two kinds are read in any case, and with ``_`` for ``-``.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from inspect import Parameter
from pathlib import Path
from typing import Any, NamedTuple

from gecval.errors import InputError, shorten

MANY = 12  # more names are not listed in an error
_BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


@dataclass(frozen=True)
class Plugins:
    """The parts of one kind. ``built_in`` maps the names of our own to ``module:Name``."""

    kind: str
    group: str
    built_in: Mapping[str, str]
    elsewhere: Mapping[str, str] = field(default_factory=dict)  # names in other tools, and what they are called here
    absent: Mapping[str, str] = field(default_factory=dict)  # names in other tools of what is not here, and why

    def names(self) -> list[str]:
        """All names, ours first."""
        return [*self.built_in, *sorted(self._find_installed().keys() - self.built_in.keys())]

    def canonical(self, name: str) -> str:
        """A name as it is registered: ``GLEU`` is ``gleu``."""
        return next((known for known in self.names() if _normal(known) == _normal(name)), name)

    def load(self, name: str) -> Any:
        """The class, function or object behind a name; None where nothing has this name."""
        # Ours first: to look at all installed packages takes time.
        place = _place(self.built_in, name) or _place(self._find_installed(), name) or name
        if ":" not in place:
            return None
        if place is name and "" not in sys.path:
            sys.path.append("")  # the current folder comes last: it hides no installed package
        module, _, attribute = place.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except Exception as error:  # somebody else's module may fail in any way
            raise InputError(f"cannot load the {self.kind} {place!r}: {type(error).__name__}: {error}") from error

    def make(self, name: str, needs: Iterable[str], parameters: Mapping[str, Any] | None = None) -> Any:
        """An object with these attributes: the one behind a name, or an instance of the class behind it."""
        loaded = self.load(name)
        if loaded is None:
            return None
        if parameters:
            self._check_parameters(loaded, name, parameters)
        try:
            part = loaded(**(parameters or {})) if isinstance(loaded, type) else loaded
        except InputError:
            raise
        except Exception as error:
            raise InputError(f"cannot make the {self.kind} {name!r}: {type(error).__name__}: {error}") from error
        if lacking := [attribute for attribute in needs if not _has(part, attribute)]:
            raise InputError(f"{name} is no {self.kind}: it has no {' and no '.join(lacking)}")
        return part

    def _check_parameters(self, loaded: Any, name: str, parameters: Iterable[str]) -> None:
        takes = _parameters(loaded) if isinstance(loaded, type) else []
        allowed = [parameter.name for parameter in takes if parameter.kind in _BY_NAME]
        if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in takes):
            return  # whoever takes any name says which ones it knows
        for parameter in parameters:
            if parameter not in allowed:
                has = f"it has {', '.join(allowed)}" if allowed else "it has none"
                raise InputError(f"the {self.kind} {name} has no parameter {parameter!r}; {has}")

    def unknown(self, name: str, *, others: str = "") -> InputError:
        """What to say of a name that nothing has: its name here, one much like it, else what there is."""
        close = get_close_matches(_normal(name), self.names(), n=1, cutoff=0.7)
        elsewhere = self.elsewhere.get(_normal(name))
        if _normal(name) in self.absent:
            hint = self.absent[_normal(name)]
        elif elsewhere or close:
            hint = f"did you mean {elsewhere or close[0]}?"
        elif len(self.names()) > MANY:
            hint = f"`gecval {self.kind}s` lists all {len(self.names())}{others}"
        else:
            hint = f"there is {', '.join(self.names())}{others}"
        return InputError(f"there is no {self.kind} {name[:60]!r}; {hint}")

    def is_known_elsewhere(self, name: str) -> bool:
        """Whether other tools have a part of this name."""
        return _normal(name) in self.elsewhere or _normal(name) in self.absent

    def _find_installed(self) -> Mapping[str, str]:
        return _entry_points(self.group, tuple((folder, _last_change(folder)) for folder in sys.path))


@lru_cache(maxsize=32)
def _entry_points(group: str, folders: tuple[tuple[str, int | None], ...]) -> Mapping[str, str]:
    """Names and places of a group. They are read again only where a folder of packages has changed: it takes time."""
    return {entry.name: entry.value for entry in entry_points(group=group)}


def _last_change(folder: str) -> int | None:
    try:
        return Path(folder).stat().st_mtime_ns
    except OSError:
        return None


def _parameters(loaded: type) -> list[Parameter]:
    try:
        return list(inspect.signature(loaded).parameters.values())
    except (ValueError, TypeError):  # some classes of C modules do not say
        return []


def _place(places: Mapping[str, str], name: str) -> str | None:
    return next((place for known, place in places.items() if _normal(known) == _normal(name)), None)


def _normal(name: str) -> str:
    return name if ":" in name else name.lower().replace("_", "-")


def _has(part: object, attribute: str) -> bool:
    """Without asking for its value: a signature may need a package that is not installed."""
    return hasattr(type(part), attribute) or attribute in getattr(part, "__dict__", {})


# How metrics and extractors are spelled: ``gleu``, ``gleu(n=3)``, ``interpolated(gleu, my_module:my_metric, 0.2)``.
#
# Parameters are Python literals. A metric, spelled like any other, may itself be a parameter.


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
        hint = _find_slip(spelling) or f"write it like {bare} or {full!r}"
        raise InputError(f"cannot read the {kind} {_shorten(spelling)}; {hint}")
    try:
        call = _parse(f"f({match['arguments'] or ''})")
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):  # such as m2(1)(2)
            raise SyntaxError
        named = {keyword.arg or "": _read_word(keyword, part) for keyword in call.keywords}
        if len(named) < len(call.keywords):
            raise InputError(f"a parameter of {_shorten(spelling)} is given twice")
        return Spelling(match["name"], [_value(argument, part) for argument in call.args], named)
    except InputError:
        raise
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):  # the last two: a thousand brackets
        raise InputError(f"cannot read the parameters of {_shorten(spelling)}; write them like {parameters}") from None


def _find_slip(spelling: str) -> str:
    """What is wrong with a spelling where it is a bracket that is not closed, or another sign in place of a comma.

    >>> _find_slip("m2(beta=1"), _find_slip("m2; gleu")
    ("a bracket is not closed: 'm2(beta=1)'", 'commas separate several, without blanks: m2,gleu')
    """
    several = [part for part in re.split(r"[;+/&|\s]+", spelling.strip()) if part]
    if len(several) > 1 and all(re.fullmatch(r"[^\W\d][\w.-]*", part) for part in several):
        return f"commas separate several, without blanks: {','.join(several)}"
    signs = [sign[0] for sign in _TEXT_OR_SIGN.finditer(spelling) if not sign["text"]]
    closed = spelling.rstrip() + ")" * (signs.count("(") - signs.count(")"))
    if closed == spelling.rstrip() or not (match := _SPELLING.fullmatch(closed)):
        return ""
    try:
        _parse(f"f({match['arguments']})")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return f"a bracket is not closed: {closed!r}"


def parse_expression(text: str) -> ast.expr:
    """The expression that a user typed. Python would print warnings about some, such as ``2independent``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        return ast.parse(text, mode="eval").body


def _shorten(spelling: str) -> str:
    return repr(shorten(spelling, 80))


def _parse(text: str) -> ast.expr:
    """The expression, whose names may be any part's: the parser sees a plain name in the place of each."""
    names: dict[str, str] = {}

    def plain(match: re.Match[str]) -> str:
        return match[0] if match["text"] else names.setdefault(match[0], f"_part_{len(names)}")

    tree = parse_expression(_TEXT_OR_NAME.sub(plain, text))
    meant = {stand_in: name for name, stand_in in names.items()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = meant.get(node.id, node.id)
    return tree


def _value(node: ast.expr, part: Callable[[str], Any]) -> Any:
    if isinstance(node, ast.Call | ast.Name):
        return part(ast.unparse(node))
    return ast.literal_eval(node)


def _read_word(keyword: ast.keyword, part: Callable[[str], Any]) -> Any:
    """A word without quotes names a part; whoever meant a text hears of the quotes, which a shell may have taken."""
    try:
        return _value(keyword.value, part)
    except InputError:
        if not isinstance(keyword.value, ast.Name):
            raise
        name, typed = keyword.arg, keyword.value.id
        raise InputError(
            f'{name}={typed}: a value is a number, a text in quotes ({name}="{typed}") or a part that there is; in a '
            "shell, single quotes go around it all"
        ) from None
