"""Studies: one file per question that a user asks."""

from gecval.studies.scores.comparison import Comparison, compare
from gecval.studies.scores.scoring import Score, score, signature

__all__ = ["Comparison", "Score", "compare", "score", "signature"]
