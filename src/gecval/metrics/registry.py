"""Metrics by name: ``m2``, ``gleu(n=3)``, ``my_package.my_module:MyMetric(weight=2)``.

A name is one of ours, an entry point of the group ``gecval.metrics``, or ``module:Name`` of the user's own (see
``plugins.py``). Behind it is a Metric class, or a plain function f(source, hypothesis, references).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, is_dataclass
from math import isfinite
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.edits.errant import ErrantExtractor
from gecval.edits.extractors import choose_extractor
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
        "graded-scribendi": "gecval.metrics.scribendi:GradedScribendi",
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
    elsewhere={
        **dict.fromkeys(("m2scorer", "maxmatch", "max-match", "m^2", "m²", "f0.5", "f05", "f-0.5"), "m2"),
        **dict.fromkeys(("f1", "f", "fscore", "f-score"), "m2(beta=1.0)"),
        **dict.fromkeys(("all", "default"), "errant,m2,gleu"),
        **dict.fromkeys(("errant-f0.5", "errantscorer", "span"), "errant"),
        **dict.fromkeys(("pt-errant", "pterrant"), "weighted(errant)"),
        **dict.fromkeys(("pt-m2", "ptm2"), "weighted(m2)"),
        **dict.fromkeys(("gleuofficial", "gleu-official", "compute-gleu"), "gleu"),
        **dict.fromkeys(("i-measure", "imeasure-score", "iscore"), "imeasure"),
        **dict.fromkeys(("em", "exact-match", "exactmatch", "acc"), "accuracy"),
        **dict.fromkeys(("edit-distance", "wer", "cer"), "ld"),
        **dict.fromkeys(("ppl", "gpt2"), "perplexity"),
        **dict.fromkeys(("languagetool", "language-tool"), "lt"),
        **dict.fromkeys(("chatgpt", "gpt4", "gpt-4", "llm", "llm-s", "llm-e"), "llm-judge"),
        **dict.fromkeys(("sacrebleu",), "bleu"),
        **dict.fromkeys(("cherrant",), "errant (with --lang zh)"),
    },
    absent=dict.fromkeys(
        ("bertscore", "bert-score", "bleurt", "comet", "chrf", "chrf++", "meteor", "rouge", "ter"),
        "it was made for other tasks; for corrections: errant, m2, gleu or green (docs/choosing.md)",
    ),
)


def metric_names() -> list[str]:
    """The names of all available metrics, ours first."""
    return METRICS.names()


def default_metrics(corpus: Corpus) -> list[Metric]:
    """The metrics where the user names none: ERRANT, M² and GLEU, as far as the corpus and the installation allow.

    ERRANT is among them where its extra is installed and the text is not clearly in another language than English, M²
    where the references come with edits. GLEU needs nothing but references.

    Examples
    --------
    >>> from gecval.corpus import Corpus
    >>> default_metrics(Corpus.from_texts(["Він пішов до дому .", "Це дуже добре ."], [["Він пішов ."], ["Добре ."]]))
    [gleu]
    """
    if not corpus.reference_slots[-1]:
        raise InputError(
            "there are no references: give some, or name a metric that needs none, such as lt, scribendi or perplexity",
            parameter=("references", "metrics"),
        )
    typed = isinstance(choose_extractor(corpus).extractor, ErrantExtractor)
    names = [*(["errant"] if typed else []), *(["m2"] if corpus.has_edits() else []), "gleu"]
    return [metric(name) for name in names]


SentenceFunction = Callable[[str, str, Sequence[str]], float]


def metric(
    spelling: str | Metric | SentenceFunction, *, name: str | None = None, higher_is_better: bool | None = None
) -> Metric:
    """The metric that a name means, or a metric made of a function.

    Parameters
    ----------
    spelling
        A name such as ``gleu(n=3)``, or a function ``f(source, hypothesis, references)`` that gives a number for one
        sentence. The corpus score is the mean.
    name
        What to call a function in tables, by default its own name.
    higher_is_better
        Whether a higher number of a function is better: it is, unless you say no.

    Examples
    --------
    >>> metric("gleu(n=3)")
    gleu(n=3)
    >>> metric("M2(beta=1.0)").beta
    1.0
    >>> def changed(source, hypothesis, references):
    ...     return float(source != hypothesis)
    >>> metric(changed, higher_is_better=False).higher_is_better
    False
    """
    if not isinstance(spelling, str | Metric) and callable(spelling):
        better = True if higher_is_better is None else higher_is_better
        return FunctionMetric(spelling, _function_name(spelling, name), higher=better)
    if name is not None or higher_is_better is not None:
        raise InputError(f"{spelling!r} has a name and a direction: only a function is given them")
    if isinstance(spelling, Metric):
        return spelling
    if not isinstance(spelling, str):
        raise InputError(f"{spelling!r} is neither a metric, nor the name of one, nor a function", parameter="metrics")
    return _named(spelling)


def _function_name(function: SentenceFunction, name: str | None) -> str:
    """The name of a function in tables and signatures; it must not be that of another metric."""
    chosen = name if name is not None else getattr(function, "__name__", "")
    example = 'metric(function, name="mine")'
    if inspect.isclass(function):
        raise InputError(f"{chosen} is a class: give a metric made by it, or a function", parameter="metrics")
    if not re.fullmatch(r"[\w.:-]+", chosen):
        given = f"{chosen!r} is no name for a metric" if name else "a function without a name needs one"
        raise InputError(f"{given}; take letters, digits and -_.: as in {example}")
    if chosen in METRICS.names():
        raise InputError(f"there is a metric {chosen} already: give the function another name, as in {example}")
    return chosen


def _named(spelling: str) -> Metric:
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
    higher: bool = field(default=True, kw_only=True)

    name: ClassVar[str] = "function"
    summary: ClassVar[str] = "a function of source, hypothesis and references"
    paper: ClassVar[str] = ""
    needs: ClassVar[Need | None] = "optional"
    is_function: ClassVar[bool] = True
    rule: ClassVar[ReferenceRule] = Pooled()

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return self.higher

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        values = np.empty(len(corpus))
        for i, (source, hypothesis) in enumerate(zip(corpus.sources, system.hypotheses, strict=True)):
            try:
                value = self.function(source, hypothesis, corpus.texts_of(i))
            except Exception as error:
                raise InputError(
                    f"{self.spelling} failed on sentence {i + 1} of {system.name}: {type(error).__name__}: {error}"
                ) from error
            try:
                finite = isinstance(value, Real) and isfinite(value)
            except OverflowError:
                raise InputError(
                    f"{self.spelling} gave a number beyond 1e308 on sentence {i + 1} of {system.name}"
                ) from None
            if not finite:
                raise InputError(f"{self.spelling} gave {value!r}, not a number, on sentence {i + 1} of {system.name}")
            values[i] = value
        return Statistics.one_per_sentence(with_count(values))

    def description(self) -> str:
        return inspect.getdoc(self.function) or ""

    def __repr__(self) -> str:
        return self.spelling

    def parameters(self) -> dict[str, Any]:
        return {"function": self.spelling} | ({} if self.higher else {"higher_is_better": False})
