"""The ``running-best`` rule for weighted edits: ERRANT's choice, by F as it is and not by F to four decimals.

    F = (1 + β²)PR / (β²P + R) of the totals so far and the row; P = 1 without fp, R = 1 without fn
    ties: more tp, fewer fp, fewer fn, then the earlier reference

Sums of weights that differ by rounding alone (1e-12) are equal. The native core chooses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gecval.metrics.running_best import RunningBest


@dataclass(frozen=True)
class ExactBest(RunningBest):
    preference: Literal["m2", "errant", "exact"] = "exact"
