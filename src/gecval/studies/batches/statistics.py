"""What the score of each sentence is made of, as columns: ``errant.tp``, ``m2.fp``, ``sari.keep``.

A sentence counts by itself here, as its score does, with the reference that suits it best where a metric chooses one.
"""

from __future__ import annotations

import numpy as np

from gecval.metrics.base import Array
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.rules import AdditiveRule, Sampled
from gecval.metrics.running_best import RunningRule


def parts_of_sentences(evaluation: Evaluation) -> dict[str, Array]:
    """The parts of each sentence's score, by name. M²'s correct, proposed and gold edits are tp, fp and fn as well."""
    rows = _rows_alone(evaluation)
    if rows is None:
        return {}
    # Counts of edits are small numbers: millions of sentences have a few hundred different rows.
    different, which = np.unique(rows, axis=0, return_inverse=True)
    with np.errstate(all="ignore"):
        listed = [_with_counts(evaluation.metric.parts(row)) for row in different]
    names = listed[0] if listed else {}
    return {name: np.array([parts[name] for parts in listed], dtype=np.float64)[which.ravel()] for name in names}


def _rows_alone(evaluation: Evaluation) -> Array | None:
    """One row for each sentence."""
    metric, statistics = evaluation.metric, evaluation.statistics
    rule = metric.rule
    if isinstance(rule, Sampled):
        return None  # with several references, no row is the sentence's
    if len(statistics.rows) == len(statistics):
        return statistics.rows
    if isinstance(rule, RunningRule):
        return rule.totals_over(statistics, np.arange(len(statistics), dtype=np.int64)[:, None], jobs=1)
    return next(rule.repetitions(metric, statistics)) if isinstance(rule, AdditiveRule) else None


def _with_counts(parts: dict[str, float]) -> dict[str, float]:
    if "correct" not in parts:
        return parts
    correct = parts["correct"]
    return {**parts, "tp": correct, "fp": parts["proposed"] - correct, "fn": parts["gold"] - correct}
