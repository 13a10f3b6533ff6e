"""Metrics by name: ``m2``, ``gleu(n=3)``, ``my_package.my_module:MyMetric(weight=2)``.

A name is one of ours, an entry point of the group ``gecval.metrics``, or ``module:Name`` of the user's own (see
``plugins.py``). Behind it is a Metric class, or a plain function f(source, hypothesis, references).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, is_dataclass
from math import isfinite
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError, shorten
from gecval.metrics.base import AveragedMetric, Metric, Need, Statistics, with_count
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.runtime.plugins import Plugins, parse_spelling
from gecval.runtime.run import SERIAL, Run

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
        "lfm": "gecval.metrics.lfm.metric:LFM",
        "scribendi": "gecval.metrics.scribendi:Scribendi",
        "perplexity": "gecval.metrics.perplexity:Perplexity",
        "some": "gecval.metrics.some:SOME",
        "impara": "gecval.metrics.impara:IMPARA",
        "reward": "gecval.metrics.reward:Reward",
        "llm-judge": "gecval.metrics.llm_judge.metric:LLMJudge",
        "levenshtein": "gecval.metrics.scribendi:LevenshteinRatio",
        "token-sort": "gecval.metrics.scribendi:TokenSortRatio",
        "from-file": "gecval.metrics.from_file:FromFile",
        "interpolated": "gecval.metrics.interpolated:Interpolated",
    },
)


def metric_names() -> list[str]:
    """The names of all available metrics, ours first."""
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
        raise InputError(f"cannot make {shorten(spelling, 80)!r}: {error}") from error


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


# A user's own metric as a plain function ``f(source, hypothesis, references) -> float``.


SentenceFunction = Callable[[str, str, Sequence[str]], float]


@dataclass(frozen=True, repr=False)
class FunctionMetric(AveragedMetric):
    """The sentence scores are what the function gives. The corpus score is their mean.

    >>> shorter = FunctionMetric(lambda source, hypothesis, references: len(source) / len(hypothesis), "shorter")
    >>> corpus = Corpus.from_texts(["very very good"])
    >>> shorter.statistics(corpus, corpus.system("mine", ["very good"])).rows.tolist()
    [[1.5555555555555556, 1.0]]
    """

    function: SentenceFunction
    spelling: str

    name: ClassVar[str] = "function"
    summary: ClassVar[str] = "a function of source, hypothesis and references"
    paper: ClassVar[str] = ""
    needs: ClassVar[Need | None] = "optional"
    is_function: ClassVar[bool] = True
    rule: ClassVar[ReferenceRule] = Pooled()

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        values = np.empty(len(corpus))
        for i, (source, hypothesis) in enumerate(zip(corpus.sources, system.hypotheses, strict=True)):
            try:
                value = self.function(source, hypothesis, corpus.texts_of(i))
            except Exception as error:
                raise InputError(
                    f"{self.spelling} failed on sentence {i + 1} of {system.name}: {type(error).__name__}: {error}"
                ) from error
            if not isinstance(value, Real) or not isfinite(value):
                raise InputError(f"{self.spelling} gave {value!r}, not a number, on sentence {i + 1} of {system.name}")
            values[i] = value
        return Statistics.one_per_sentence(with_count(values))

    def description(self) -> str:
        return inspect.getdoc(self.function) or ""

    def __repr__(self) -> str:
        return self.spelling

    def parameters(self) -> dict[str, Any]:
        return {"function": self.spelling}
