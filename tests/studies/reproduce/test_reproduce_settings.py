"""The tables in docs/ come from these settings: with another seed or number of experiments they would be others."""

from __future__ import annotations

from types import ModuleType

import pytest

from gecval.studies.reproduce import coverage, decisions, maege, seeda, simulated_decisions, simulations
from gecval.studies.reproduce import result as results
from gecval.studies.reproduce.study import LISTED

SETTINGS: dict[ModuleType, dict[str, object]] = {
    results: {"LEVEL": 0.95},
    coverage: {
        "REFERENCES": (1, 2, 5, 10, 20),
        "LARGE": 6,
        "CONLL_REFERENCES": (1, 2, 3, 5, 8, 10),
        "UNCHANGED": {1: 50, 8: 29},  # the paper's
    },
    decisions: {
        "AGREEMENT_SEED": 1, "CARELESS": 0.5, "SHARES": (0.1, 0.25, 0.5), "SEEDS": 20, "KNOWN": 2, "SHOWN": (2, 5, 10),
    },
    simulations: {
        "SENTENCES": 200, "EXPERIMENTS": 4000, "FEWER": 1000, "SEED": 1, "LEVEL": 0.95,
        "ERROR_SENTENCES": 200, "ERROR_EXPERIMENTS": 4000, "FAMILIES": 2000, "ERROR_SEED": 1, "ALPHA": 0.05,
        "SYSTEMS": (12, 48), "SWAPS": 4096, "AGREEMENT": 0.7, "ALIKE": 0.8,
    },
    simulated_decisions: {
        "LOOKS": 100, "EXPERIMENTS": 400, "LEVEL": 0.95, "SEED": 1, "FRESH": 500, "FIRST": 200, "MORE": 10,
        "ONE_SIDE": pytest.approx(0.025),
        "POWER_SENTENCES": 200, "POWER_EXPERIMENTS": 400, "POWER_SEED": 1, "EDGES": (0.0, 0.1, 0.25, 0.5, 0.75, 1.01),
        "COMMITS": 30, "TRACK_SENTENCES": 500, "TRACK_EXPERIMENTS": 200, "TRACK_SEED": 1, "TRACK_LEVEL": 0.95,
        "SHARE": 0.9,
    },
    maege: {"REPLICATES": 4},
    seeda: {"ORDERS": 100, "CHANCE": pytest.approx(0.05)},
}  # fmt: skip


@pytest.mark.parametrize("module", SETTINGS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_settings(module: ModuleType) -> None:
    assert {name: getattr(module, name) for name in SETTINGS[module]} == SETTINGS[module]


def test_papers_that_ask_no_language_model() -> None:
    asks_none = [paper.name for paper in LISTED if not paper.language_model]
    assert asks_none == ["calibration", "coverage", "decisions", "m2", "maege"]
