"""MAEGE: validate any metric without human rankings."""

from gecval.studies.maege.run import Maege, maege
from gecval.studies.maege.settings import PRESETS, Settings
from gecval.studies.maege.summary import Difference, ReplicateMean, Summary, differences, summaries, type_deltas

__all__ = [
    "PRESETS",
    "Difference",
    "Maege",
    "ReplicateMean",
    "Settings",
    "Summary",
    "differences",
    "maege",
    "summaries",
    "type_deltas",
]
