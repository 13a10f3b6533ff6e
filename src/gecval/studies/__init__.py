"""Studies: one file per question that a user asks."""

from gecval.studies.compare import Comparison, compare
from gecval.studies.score import Score, score, signature

__all__ = ["Comparison", "Score", "compare", "score", "signature"]
