"""CLEME2.0 (Ye et al. 2025): how much is hit, wrong, missed and needless, as one weighted sum.

    hit = tp / necessary    wrong = fp where the reference has a change / necessary    under = fn / necessary
    over = fp where it has none / (tp + fp)          necessary = tp + fn + such fp
    score = a₁·hit + a₂(1 − wrong) + a₃(1 − under) + a₄(1 − over)

A share of nothing is 0. So a sentence with nothing to do and nothing done scores a₂ + a₃ + a₄, not 1. ``factors`` are
a₁ … a₄; the default is the paper's. The tool takes (0.35, 0.25, 0.2, 0.2) for sentences, and (0.5, 0.4, 0.05, 0.05)
where it is called as a library. Modes, weights and chunks are CLEME's: ``chunked.py`` and ``edits/chunks.py``.
"""

from dataclasses import dataclass, field
from typing import ClassVar

from gecval.errors import InputError
from gecval.metrics.base import Array
from gecval.metrics.chunked import ChunkMetric
from gecval.metrics.parameters import numbers
from gecval.metrics.ratios import ratio
from gecval.metrics.rules import Pooled, ReferenceRule
from gecval.metrics.running_best import BestChunks


@dataclass(frozen=True, repr=False)
class CLEME2(ChunkMetric):
    name: ClassVar[str] = "cleme2"
    summary: ClassVar[str] = "chunks hit, wrong, missed and needlessly changed, as a weighted sum"
    paper: ClassVar[str] = "Ye et al. 2025"

    factors: tuple[float, float, float, float] = (0.45, 0.35, 0.15, 0.05)
    weights: str = field(default="none", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        numbers(self.name, count=4, factors=self.factors)
        if sum(self.factors) <= 0:
            raise InputError(f"{self.name}: one of the factors must be above 0, not {self.factors!r}")

    @property
    def rule(self) -> ReferenceRule:
        return Pooled() if self.mode == "independent" else BestChunks(preference="cleme2", factors=self.factors)

    def score(self, totals: Array) -> Array:
        hit, wrong, under, over = _shares(totals)
        a, b, c, d = self.factors
        score: Array = a * hit + b * (1 - wrong) + c * (1 - under) + d * (1 - over)
        return score

    def parts(self, totals: Array) -> dict[str, float]:
        return dict(zip(("hit", "wrong", "under", "over"), map(float, _shares(totals)), strict=True))


def _shares(totals: Array) -> tuple[Array, Array, Array, Array]:
    hit, wrong, over, missed = (totals[..., column] for column in range(4))
    necessary = hit + wrong + missed
    return (
        ratio(hit, necessary, empty=0.0),
        ratio(wrong, necessary, empty=0.0),
        ratio(missed, necessary, empty=0.0),
        ratio(over, hit + wrong + over, empty=0.0),
    )
