"""Reference rules: which of a sentence's references count, and how. All metrics share them.

- ``pooled``: the metric sees all references at once, and a sentence has one row (BLEU, SARI): ``reference_rule.py``;
- ``best``: of each sentence, the row with the best score (accuracy, MinLD, MAX-SARI): ``reference_rule.py``;
- ``sampled``: a random reference per sentence, many times; the scores are averaged (GLEU): ``random_reference.py``;
- ``running-best``: the annotator who gives the best totals so far (M², ERRANT, CLEME): ``best_by_running_total.py``.
"""

from gecval.metrics.reference_rules.best_by_running_total import (
    ExactBest,
    NativeRunningRule,
    RunningBest,
    RunningRule,
)
from gecval.metrics.reference_rules.random_reference import Sampled, mean_over_references
from gecval.metrics.reference_rules.reference_rule import (
    AdditiveRule,
    Best,
    Draws,
    Pooled,
    ReferenceRule,
    any_draws,
    count_draws,
)

__all__ = [
    "AdditiveRule",
    "Best",
    "Draws",
    "ExactBest",
    "NativeRunningRule",
    "Pooled",
    "ReferenceRule",
    "RunningBest",
    "RunningRule",
    "Sampled",
    "any_draws",
    "count_draws",
    "mean_over_references",
]
