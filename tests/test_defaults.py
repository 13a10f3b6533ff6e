"""The defaults of the library: what a call means that names no options. To change one is to change results."""

from __future__ import annotations

import inspect

import pytest

import gecval
from gecval.stats.correlation import correlate
from gecval.studies.attack.result import Attack
from gecval.studies.coverage.crowd import coverage_curve
from gecval.studies.coverage.own_references import break_even
from gecval.studies.coverage.perfect_system import Simulation, perfect_score, perfect_scores
from gecval.studies.coverage.result import PerfectScore
from gecval.studies.human.preferences import SentenceAccuracy, measure_accuracy
from gecval.studies.human.result import HumanCorrelation
from gecval.studies.human.system_scores import Evaluations
from gecval.studies.pairs.scorer import BatchScorer
from gecval.studies.reproduce.no_comparison import reference_curve
from gecval.studies.scores.people import AgainstPeople
from gecval.studies.scores.preparation import prepare

KINDS = (str, int, float, tuple)


def defaults(call: object, names: object) -> dict[str, object]:
    parameters = inspect.signature(call).parameters  # type: ignore[arg-type]
    return {name: parameters[name].default for name in names}  # type: ignore[attr-defined]


def test_public_calls(matches_file) -> None:
    """Defaults that are values. None stands for nothing given."""
    found = {}
    for name in gecval.__all__:
        if callable(call := getattr(gecval, name)) and not (isinstance(call, type) and issubclass(call, Exception)):
            given = {key: parameter.default for key, parameter in inspect.signature(call).parameters.items()}
            plain = {
                key: value
                for key, value in given.items()
                if isinstance(value, str | int | float | tuple) and value != ()
            }
            found |= {name: plain} if plain else {}
    matches_file("defaults.json", found)


def test_calls_within() -> None:
    assert defaults(correlate, ["coefficient", "level"]) == {"coefficient": "pearson", "level": 0.95}
    expected = {"ties": "half", "resamples": 1000, "level": 0.95, "seed": 1}
    assert defaults(measure_accuracy, expected) == expected
    drawn = {"sentences": 1312, "correct": 136, "most_references": 20, "cut": "plain", "replacement": True, "seed": 1}
    assert defaults(Simulation, drawn) == drawn
    assert defaults(coverage_curve, ["most"]) == {"most": 20}
    assert defaults(prepare, ["types", "paid", "scored"]) == {"types": False, "paid": True, "scored": False}
    assert [defaults(call, ["lucky"]) for call in (perfect_scores, perfect_score)] == [{"lucky": False}] * 2
    assert defaults(break_even, ["alpha"]) == {"alpha": 0.0}
    assert defaults(reference_curve, ["repeats"]) == {"repeats": 10}
    assert defaults(Evaluations.scores, ["runs", "seed"]) == {"runs": 50, "seed": 1}
    assert defaults(BatchScorer, ["statistics", "bad_rows"]) == {"statistics": False, "bad_rows": "refuse"}


@pytest.mark.parametrize("row", [AgainstPeople, Attack, HumanCorrelation, PerfectScore, SentenceAccuracy])
def test_higher_is_better_where_nobody_says_otherwise(row: type) -> None:
    assert defaults(row, ["higher_is_better"]) == {"higher_is_better": True}
