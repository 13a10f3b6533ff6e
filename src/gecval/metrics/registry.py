"""Metrics by name: ``m2``, ``gleu(n=3)``, ``my_package.my_module:MyMetric(weight=2)``.

A name is one of ours, an entry point of the group ``gecval.metrics``, or ``module:attribute`` of the user's own: a
Metric class or a plain function f(source, hypothesis, references). Parameters are Python literals; a metric, spelled
like any other, may itself be a parameter.
"""

import ast
import inspect
import re
import sys
from dataclasses import is_dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.function import FunctionMetric

BUILT_IN = {
    "m2": "gecval.metrics.m2:M2",
    "errant": "gecval.metrics.errant:Errant",
    "imeasure": "gecval.metrics.imeasure:IMeasure",
    "gleu": "gecval.metrics.gleu:GLEU",
    "bleu": "gecval.metrics.bleu:BLEU",
    "ibleu": "gecval.metrics.bleu:IBLEU",
    "green": "gecval.metrics.green:Green",
    "sari": "gecval.metrics.sari:SARI",
    "max-sari": "gecval.metrics.sari:MaxSARI",
    "ld": "gecval.metrics.distance:LD",
    "min-ld": "gecval.metrics.distance:MinLD",
    "accuracy": "gecval.metrics.accuracy:Accuracy",
    "index-match": "gecval.metrics.accuracy:IndexMatch",
    "lt": "gecval.metrics.grammaticality:LT",
    "grammaticality": "gecval.metrics.grammaticality:Grammaticality",
    "lfm": "gecval.metrics.lfm:LFM",
    "scribendi": "gecval.metrics.scribendi:Scribendi",
    "perplexity": "gecval.metrics.perplexity:Perplexity",
    "levenshtein": "gecval.metrics.similarity:LevenshteinRatio",
    "token-sort": "gecval.metrics.similarity:TokenSortRatio",
    "interpolated": "gecval.metrics.interpolated:Interpolated",
}

# Inside brackets: a text, or a name that Python would read as something else, such as max-sari or my_module:name.
_TEXT_OR_NAME = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<!\w)(?P<name>[^\W\d]\w*(?:[.:-][^\W\d]\w*)+)""", re.DOTALL
)
_SPELLING = re.compile(r"\s*(?P<name>[\w.:-]+)\s*(?:\((?P<arguments>.*)\))?\s*", re.DOTALL)


def metric_names() -> list[str]:
    """The names of all metrics at hand, ours first."""
    return [*BUILT_IN, *sorted({entry.name for entry in entry_points(group="gecval.metrics")} - BUILT_IN.keys())]


def metric(spelling: str) -> Metric:
    """The metric that a spelling means.

    >>> metric("gleu(n=3)")
    gleu(n=3)
    >>> metric("m2(beta=1.0)").beta
    1.0
    """
    match = _SPELLING.fullmatch(spelling)
    if match is None:
        raise InputError(f"cannot read the metric {spelling!r}; write it like m2 or 'm2(beta=1.0)'")
    factory = _find(match["name"])
    positional, named = _arguments(match["arguments"] or "", spelling)
    if not (isinstance(factory, type) and issubclass(factory, Metric)):
        if positional or named:
            raise InputError(f"{match['name']} is a plain function and takes no parameters")
        return FunctionMetric(factory, match["name"])
    allowed = [field.name for field in factory.parameter_fields()]
    for name in named:
        if name not in allowed:
            raise InputError(f"{match['name']} has no parameter {name!r}; it has {', '.join(allowed) or 'none'}")
    try:
        return factory(*positional, **named)
    except InputError:
        raise
    except Exception as error:  # too many parameters, or whatever the check of a user's own metric raises
        raise InputError(f"cannot make {spelling!r}: {error}") from error


def _find(name: str) -> Any:
    """The class or function behind a name."""
    name_with_hyphens = name.replace("_", "-")
    if name_with_hyphens in BUILT_IN:
        return _load(BUILT_IN[name_with_hyphens])
    if ":" in name:
        # A user's own metric may lie in the folder where the command is run; last, so that it hides nothing installed.
        if "" not in sys.path:
            sys.path.append("")
        return _load(name)
    for entry in entry_points(group="gecval.metrics"):
        if entry.name == name:
            return _load(entry.value)
    close = get_close_matches(name, metric_names(), n=1)
    hint = f"did you mean {close[0]}?" if close else "`gecval metrics` lists them all"
    raise InputError(f"there is no metric {name!r}; {hint}")


def _load(path: str) -> Any:
    module_name, _, attribute = path.partition(":")
    try:
        loaded = getattr(import_module(module_name), attribute)
    except Exception as error:  # a user's module may fail in any way
        raise InputError(f"cannot load the metric {path!r}: {type(error).__name__}: {error}") from error
    if not callable(loaded):
        raise InputError(f"{path} is neither a metric class nor a function")
    if inspect.isclass(loaded):
        _check_class(loaded, path)
    return loaded


def _check_class(loaded: type, path: str) -> None:
    if not issubclass(loaded, Metric):
        raise InputError(f"{path} is a class but not a gecval.Metric")
    if not is_dataclass(loaded):
        raise InputError(f"{path} is no dataclass: write @dataclass(frozen=True, repr=False) above the class")
    if not hasattr(loaded, "name"):
        raise InputError(f"{path} has no name: write name: ClassVar[str] = {loaded.__name__.lower()!r} into the class")


def _arguments(text: str, spelling: str) -> tuple[list[Any], dict[str, Any]]:
    """Literals, or metrics, from ``a, b=c``."""
    try:
        call = _parsed(f"f({text})")
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):  # such as m2(1)(2)
            raise SyntaxError
        named = {keyword.arg or "": _value(keyword.value) for keyword in call.keywords}
        if len(named) < len(call.keywords):
            raise InputError(f"a parameter of {spelling!r} is given twice")
        return [_value(argument) for argument in call.args], named
    except InputError:
        raise
    except (SyntaxError, ValueError, TypeError, RecursionError):
        raise InputError(
            f'cannot read the parameters of {spelling!r}; write them like (beta=1.0, form="paper")'
        ) from None


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


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Call | ast.Name):
        return metric(ast.unparse(node))
    return ast.literal_eval(node)
