"""Metrics by name: ``m2``, ``gleu(n=3)``, ``my_package.my_module:MyMetric(weight=2)``.

A name is one of ours, an entry point of the group ``gecval.metrics``, or ``module:Name`` of the user's own (see
``plugins.py``). Behind it is a Metric class, or a plain function f(source, hypothesis, references).
"""

import inspect
from dataclasses import is_dataclass
from typing import Any

from gecval.errors import InputError, shortened
from gecval.metrics.base import Metric
from gecval.metrics.function import FunctionMetric
from gecval.plugins import Plugins
from gecval.spelling import parse_spelling

METRICS = Plugins(
    kind="metric",
    group="gecval.metrics",
    built_in={
        "m2": "gecval.metrics.m2:M2",
        "errant": "gecval.metrics.errant:Errant",
        "weighted": "gecval.metrics.weighted:Weighted",
        "uot": "gecval.metrics.uot:UOT",
        "cleme": "gecval.metrics.cleme:CLEME",
        "cleme2": "gecval.metrics.cleme2:CLEME2",
        "gotoscorer": "gecval.metrics.gotoscorer:GoToScorer",
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
        "some": "gecval.metrics.some:SOME",
        "impara": "gecval.metrics.impara:IMPARA",
        "reward": "gecval.metrics.reward:Reward",
        "llm-judge": "gecval.metrics.llm_judge:LLMJudge",
        "levenshtein": "gecval.metrics.similarity:LevenshteinRatio",
        "token-sort": "gecval.metrics.similarity:TokenSortRatio",
        "from-file": "gecval.metrics.from_file:FromFile",
        "interpolated": "gecval.metrics.interpolated:Interpolated",
    },
)


def metric_names() -> list[str]:
    """The names of all metrics at hand, ours first."""
    return METRICS.names()


def metric(spelling: str) -> Metric:
    """The metric that a spelling means.

    Examples
    --------
    >>> metric("gleu(n=3)")
    gleu(n=3)
    >>> metric("M2(beta=1.0)").beta
    1.0
    """
    name, positional, named = parse_spelling(spelling, metric)
    factory = _find(name)
    if not (isinstance(factory, type) and issubclass(factory, Metric)):
        if positional or named:
            raise InputError(f"{name} is a plain function and takes no parameters")
        return FunctionMetric(factory, METRICS.canonical(name))
    allowed = [field.name for field in factory.parameter_fields()]
    for parameter in named:
        if parameter not in allowed:
            raise InputError(f"{name} has no parameter {parameter!r}; it has {', '.join(allowed) or 'none'}")
    try:
        return factory(*positional, **named)
    except InputError:
        raise
    except Exception as error:  # too many parameters, or whatever the check of a user's own metric raises
        raise InputError(f"cannot make {shortened(spelling, 80)!r}: {error}") from error


def _find(name: str) -> Any:
    """The class or function behind a name."""
    loaded = METRICS.load(name)
    if loaded is None:
        raise METRICS.unknown(name)
    if not callable(loaded):
        raise InputError(f"{name} is neither a metric class nor a function")
    if inspect.isclass(loaded):
        _check_class(loaded, name)
    return loaded


def _check_class(loaded: type, path: str) -> None:
    if not issubclass(loaded, Metric):
        raise InputError(f"{path} is a class but not a gecval.Metric")
    if not is_dataclass(loaded):
        raise InputError(f"{path} is no dataclass: write @dataclass(frozen=True, repr=False) above the class")
    if not hasattr(loaded, "name"):
        raise InputError(f"{path} has no name: write name: ClassVar[str] = {loaded.__name__.lower()!r} into the class")
