"""Which formula of ``assets/formulas.js`` computes a metric from summed rows, and how rows are summed for a subset.

A metric that is not ours has none: its sentence scores are in the page, and a subset shows their mean. The exact class
decides, since a subclass may compute something else.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from gecval.metrics.averaged import AveragedMetric
from gecval.metrics.base import Array, Metric, Statistics
from gecval.metrics.bleu import BLEU, IBLEU
from gecval.metrics.chunked import ChunkMetric
from gecval.metrics.cleme import CLEME
from gecval.metrics.cleme2 import CLEME2
from gecval.metrics.errant import Errant
from gecval.metrics.exact_best import ExactBest
from gecval.metrics.gleu import GLEU
from gecval.metrics.gotoscorer import GoToScorer
from gecval.metrics.grammaticality import LT, Grammaticality
from gecval.metrics.green import Green
from gecval.metrics.imeasure import IMeasure
from gecval.metrics.imeasure_rules import RunningBestCounts
from gecval.metrics.interpolated import Interpolated
from gecval.metrics.lfm import LFM
from gecval.metrics.m2 import M2
from gecval.metrics.perplexity import Perplexity
from gecval.metrics.rules import AdditiveRule, Best, Pooled, ReferenceRule, Sampled
from gecval.metrics.running_best import BestChunks, MacroBest, RunningBest
from gecval.metrics.sari import SARI, MaxSARI
from gecval.metrics.scribendi import Scribendi
from gecval.metrics.uot import UOT
from gecval.metrics.weighted import Weighted
from gecval.studies.scores.duels import Duels

Formula = dict[str, Any]

# What each formula must know of the metric. Names are those of the formula in JavaScript.
_FORMULAS: dict[type[Metric], Callable[[Any], Formula]] = {
    M2: lambda metric: {"name": "m2", "beta": metric.beta},
    Errant: lambda metric: {"name": "errant" if metric.average == "micro" else "errantMacro", "beta": metric.beta},
    Weighted: lambda metric: _FORMULAS[type(metric.base)](metric.base),
    UOT: lambda metric: {"name": "errant", "beta": metric.beta},
    GoToScorer: lambda metric: {"name": "gotoscorer", "beta": metric.beta, "empty": float(metric.form != "author")},
    CLEME: lambda metric: {"name": "cleme", "beta": metric.beta},
    CLEME2: lambda metric: {"name": "cleme2", "factors": metric.factors},
    GLEU: lambda metric: {"name": "gleu"},
    BLEU: lambda metric: {"name": "bleu"},
    IBLEU: lambda metric: {"name": "ibleu", "alpha": metric.alpha, "sign": 1 if metric.sign == "plus" else -1},
    Green: lambda metric: {"name": "green", "beta": metric.beta, "noRecall": float(metric.form == "gec-metrics")},
    SARI: lambda metric: {"name": "sari" if metric.form == "tool" else "sariOfCorpus"},
    MaxSARI: lambda metric: {"name": "sari" if metric.form == "tool" else "sariOfCorpus"},
    IMeasure: lambda metric: {
        "name": "imeasure",
        "weight": metric.weight,
        "beta": metric.beta,
        "detection": metric.aspect == "detection",
    },
    Interpolated: lambda metric: {
        "name": "interpolated",
        "weight": metric.weight,
        "parts": [repr(metric.with_references), repr(metric.without)],
    },
    Duels: lambda metric: {"name": "expectedWins"},
    Grammaticality: lambda metric: {"name": "grammaticality"},
    LT: lambda metric: {"name": "grammaticality"},
    LFM: lambda metric: {"name": "mean"},
    Perplexity: lambda metric: {"name": "perplexity"},
    Scribendi: lambda metric: {
        "name": "scribendi",
        "values": [metric.better, metric.unchanged, metric.worse, metric.worse],
    },
}


def formula(metric: Metric) -> Formula | None:
    """The formula of a metric.

    >>> from gecval.metrics import metric
    >>> formula(metric("m2(beta=1.0)")), formula(metric("ld"))
    ({'name': 'm2', 'beta': 1.0}, {'name': 'mean'})
    """
    kind = type(metric)
    if rule(metric) is None:
        return None
    if kind in _FORMULAS:
        return _FORMULAS[kind](metric)
    plain = (kind.score, kind.sentence_score, kind.parts) == (
        AveragedMetric.score,
        Metric.sentence_score,
        Metric.parts,
    )
    return {"name": "mean"} if plain else None


def rule(metric: Metric) -> Formula | None:
    """How the rows of sentences are summed; None where the page does not know.

    A rule that chooses among references whatever the other sentences are has chosen already: ``rows_of`` holds what it
    chose.
    """
    chosen = metric.rule
    if type(chosen) is Sampled:
        return {"name": "sampled", "iterations": chosen.iterations}
    if type(chosen) is RunningBest:
        return {"name": "runningBest", "preference": chosen.preference, "beta": chosen.beta}
    if type(chosen) is ExactBest:
        return {"name": "runningRows", "preference": "exact", "beta": chosen.beta}
    if type(chosen) is MacroBest:
        return {"name": "runningMacro", "beta": chosen.beta}
    if type(chosen) is RunningBestCounts:
        objective = chosen.objective
        weight, beta = (Fraction(x).limit_denominator(1000) for x in (objective.weight, objective.beta))
        return {
            "name": "runningRows",
            "preference": "imeasure",
            "maximise": objective.maximise,
            "weight": [weight.numerator, weight.denominator],
            "beta": [beta.numerator, beta.denominator],
        }
    if type(chosen) is BestChunks:
        return {
            "name": "runningRows",
            "preference": chosen.preference,
            "beta": chosen.beta,
            "factors": chosen.factors,
        }
    return {"name": "sum"} if _chooses_alone(chosen) else None


def _chooses_alone(chosen: ReferenceRule) -> bool:
    """Whether a sentence counts with one row, the same in every subset."""
    return isinstance(chosen, Pooled | Best) or (isinstance(chosen, AdditiveRule) and chosen.name == "best")


def rows_of(metric: Metric, statistics: Statistics) -> Statistics:
    """The statistics that the page needs: all rows, or those that the rule has chosen for good."""
    if not _chooses_alone(metric.rule):
        return statistics
    assert isinstance(metric.rule, AdditiveRule)
    chosen: Array = next(metric.rule.repetitions(metric, statistics))
    return Statistics.one_per_sentence(np.ascontiguousarray(chosen))


def exact(metric: Metric) -> bool:
    """Whether a subset's score is that of ``gecval score`` on these sentences.

    Of I-measure's mixed references each is chosen with the totals before it, where the corpus is optimised. CLEME's
    weights compare a chunk with the mean length of all chunks. The page holds both as they are for all sentences.
    """
    metric = metric.contested if isinstance(metric, Duels) else metric
    mixed = type(metric) is IMeasure and metric.mix and metric.optimise == "corpus"
    weighted = isinstance(metric, ChunkMetric) and metric.weights != "none"
    parts = (metric.with_references, metric.without) if isinstance(metric, Interpolated) else ()
    return formula(metric) is not None and not mixed and not weighted and all(map(exact, parts))
