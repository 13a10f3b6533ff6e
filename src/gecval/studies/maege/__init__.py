"""MAEGE: validate any metric without human rankings."""

from gecval.studies.maege.results import (
    CorpusScore,
    Maege,
    MetricDifference,
    MetricReplicates,
    MetricSummary,
    OriginalsScore,
    ReplicateMean,
    TypeDelta,
)
from gecval.studies.maege.run import maege
from gecval.studies.maege.settings import PRESETS, MaegeSettings, Settings

__all__ = [
    "PRESETS",
    "CorpusScore",
    "Maege",
    "MaegeSettings",
    "MetricDifference",
    "MetricReplicates",
    "MetricSummary",
    "OriginalsScore",
    "ReplicateMean",
    "Settings",
    "TypeDelta",
    "maege",
]
