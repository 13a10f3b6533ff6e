"""The linguistic-feature model of grammaticality (Heilman et al. 2014): features of a sentence, and their weights."""

from gecval.models.lfm.features import GROUPS, features, judges, usual_groups
from gecval.models.lfm.weights import Weights, read_weights

__all__ = ["GROUPS", "Weights", "features", "judges", "read_weights", "usual_groups"]
