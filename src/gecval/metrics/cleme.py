"""CLEME (Ye et al. 2023): F over chunks that hypothesis and references share, weighted by their length.

    P = tp / (tp + fp)      R = tp / (tp + fn)      F_β = (1 + β²)PR / (β²P + R)

Without a false positive P = 1, without a false negative R = 1. ``mode`` says whether a sentence is compared with one
reference at a time (``dependent``) or with all of them at once (``independent``). ``weights`` is ``length`` (those of
the corpus score), ``sentence`` (those of SentCLEME, for the mean of sentence scores) or ``none``. What a chunk is, and
what it weighs: ``chunked.py`` and ``edits/chunks.py``. The tool rounds every score to four decimals. This one does not,
but chooses references by rounded scores as the tool does.
"""

from dataclasses import dataclass, field
from typing import ClassVar

from gecval.metrics.base import Array, Ratio
from gecval.metrics.chunked import ChunkMetric
from gecval.metrics.parameters import positive
from gecval.metrics.ratios import f_score, ratio
from gecval.metrics.rules import Pooled, ReferenceRule
from gecval.metrics.running_best import BestChunks


@dataclass(frozen=True, repr=False)
class CLEME(ChunkMetric):
    name: ClassVar[str] = "cleme"
    summary: ClassVar[str] = "F over chunks that hypothesis and references share"
    paper: ClassVar[str] = "Ye et al. 2023"

    beta: float = field(default=0.5, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self.name, beta=self.beta)

    @property
    def rule(self) -> ReferenceRule:
        return Pooled() if self.mode == "independent" else BestChunks(self.beta, "cleme")

    def score(self, totals: Array) -> Array:
        precision, recall = _precision_recall(totals)
        return f_score(precision, recall, self.beta)

    def as_ratio(self) -> Ratio | None:
        """F = (1 + β²)·tp / ((1 + β²)·tp + fp + β²·fn)."""
        squared = self.beta**2
        return (1 + squared, 0, 0, 0, 0), (1 + squared, 1, 1, squared, 0)

    def parts(self, totals: Array) -> dict[str, float]:
        precision, recall = _precision_recall(totals)
        hit, wrong, over, missed, kept = map(float, totals)
        return {
            "precision": float(precision),
            "recall": float(recall),
            "tp": hit,
            "fp": wrong + over,
            "fn": missed,
            "tn": kept,
        }


def _precision_recall(totals: Array) -> tuple[Array, Array]:
    tp, fp, fn = totals[..., 0], totals[..., 1] + totals[..., 2], totals[..., 3]
    return ratio(tp, tp + fp, empty=1.0), ratio(tp, tp + fn, empty=1.0)
