"""What the study of true precision gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gecval.results.result import ResultSequence
from gecval.stats import Interval
from gecval.stats.resampling import MaybeUndefined


@dataclass(frozen=True, kw_only=True)
class TrueScores:
    """Precision, recall and F of a system as measured, and with the edits that are valid though no reference has them.

    ``edits`` of the system, ``found`` among any of the references, and the rest ``unmatched``; ``valid_share`` of the
    unmatched is estimated to be valid. It is undefined where there are none. ``like_judged`` is false
    where references have fewer of the system's edits than of any that was judged: then the estimate is that of coverage
    alone, and the interval reaches from there to the calibrated share.
    """

    system: str
    edits: int
    found: int
    unmatched: int
    like_judged: bool
    valid_share: MaybeUndefined
    valid_interval: Interval | None
    precision: float
    true_precision: float
    precision_interval: Interval | None
    recall: float
    true_recall: float
    recall_interval: Interval | None
    score: float
    true_score: float
    score_interval: Interval | None


@dataclass(frozen=True, kw_only=True)
class TypeValidity:
    """Edits of one type, of all systems together. ``coverage`` is the chance that references have a valid edit.

    ``coverage_model`` is the share of valid edits among the ``unmatched`` by coverage alone, ``valid_share`` that after
    calibration, the mean over the systems, weighted by these edits.
    """

    type: str
    edits: int
    found: int
    unmatched: int
    coverage: float
    coverage_model: float
    valid_share: float
    valid_interval: Interval | None


@dataclass(frozen=True, kw_only=True, repr=False)
class TruePrecision(ResultSequence[TrueScores]):
    """What precision, recall and F are if valid edits count that no reference has.

    ``spread`` is τ: how far systems differ in the share of valid edits, on the logit scale, beyond what types explain.
    """

    kind: ClassVar[str] = "true-precision"
    view: ClassVar[str] = "true_precision_tables"
    main: ClassVar[str] = "systems"

    systems: tuple[TrueScores, ...]
    types: tuple[TypeValidity, ...]
    references: int
    beta: float
    spread: float
    calibration: str
    level: float | None
    signature: str
