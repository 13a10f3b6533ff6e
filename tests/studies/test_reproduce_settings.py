"""The tables in docs/ come from these settings: with another seed or number of experiments they would be others."""

from __future__ import annotations

from types import ModuleType

import pytest

from gecval.studies.reproduce import (
    coverage,
    coverage_undercorrection,
    decisions_agreement,
    decisions_buying,
    decisions_coverage,
    decisions_errors,
    decisions_looks,
    decisions_power,
    decisions_track,
    decisions_true_precision,
    maege,
    results,
    seeda,
    seeda_tests,
)
from gecval.studies.reproduce.papers import LISTED

SETTINGS: dict[ModuleType, dict[str, object]] = {
    results: {"LEVEL": 0.95},
    coverage: {"REFERENCES": (1, 2, 5, 10, 20)},
    coverage_undercorrection: {
        "LARGE": 6,
        "CONLL_REFERENCES": (1, 2, 3, 5, 8, 10),
        "UNCHANGED": {1: 50, 8: 29},  # the paper's
    },
    decisions_agreement: {"SEED": 1, "CARELESS": 0.5},
    decisions_buying: {"SHARES": (0.1, 0.25, 0.5), "SEEDS": 20, "KNOWN": 2},
    decisions_coverage: {"SENTENCES": 200, "EXPERIMENTS": 4000, "FEWER": 1000, "SEED": 1, "LEVEL": 0.95},
    decisions_errors: {
        "SENTENCES": 200, "EXPERIMENTS": 4000, "FAMILIES": 2000, "SEED": 1, "ALPHA": 0.05,
        "SYSTEMS": (12, 48), "SWAPS": 4096, "AGREEMENT": 0.7, "ALIKE": 0.8,
    },
    decisions_looks: {
        "LOOKS": 100, "EXPERIMENTS": 400, "LEVEL": 0.95, "SEED": 1, "ANEW": 500, "FIRST": 200, "MORE": 10,
        "ONE_SIDE": pytest.approx(0.025),
    },
    decisions_power: {
        "SENTENCES": 200, "EXPERIMENTS": 400, "SEED": 1, "EDGES": (0.0, 0.1, 0.25, 0.5, 0.75, 1.01),
    },
    decisions_track: {
        "COMMITS": 30, "SENTENCES": 500, "EXPERIMENTS": 200, "SEED": 1, "LEVEL": 0.95, "SHARE": 0.9,
    },
    decisions_true_precision: {"SHOWN": (2, 5, 10)},
    maege: {"REPLICATES": 4},
    seeda: {"ORDERS": 100},
    seeda_tests: {"CHANCE": pytest.approx(0.05)},
}  # fmt: skip


@pytest.mark.parametrize("module", SETTINGS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_settings(module: ModuleType) -> None:
    assert {name: getattr(module, name) for name in SETTINGS[module]} == SETTINGS[module]


def test_papers_that_ask_no_language_model() -> None:
    asks_none = [paper.name for paper in LISTED if not paper.language_model]
    assert asks_none == ["coverage", "decisions", "maege"]
