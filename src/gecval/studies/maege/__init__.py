"""MAEGE: validate any metric without human rankings."""

from gecval.studies.maege.run import Maege, maege
from gecval.studies.maege.settings import PRESETS, Settings
from gecval.studies.maege.summary import Difference, Estimate, Summary, differences, summaries, type_deltas

__all__ = [
    "PRESETS",
    "Difference",
    "Estimate",
    "Maege",
    "Settings",
    "Summary",
    "differences",
    "maege",
    "summaries",
    "type_deltas",
]
