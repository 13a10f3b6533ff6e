"""The study of promises: which rows hold, and how the tables of all simulations become one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gecval.errors import InputError
from gecval.runtime.run import SERIAL
from gecval.stats import Interval
from gecval.stats.coverage import observed_coverage
from gecval.stats.ranking import Standing
from gecval.studies.human.ranking import Ranker, rank
from gecval.studies.reproduce import calibration, simulated_people
from gecval.studies.reproduce.calibration import Simulation, make_tables, merge_tables
from gecval.studies.reproduce.result import Promise, PValues
from gecval.studies.reproduce.study import reproduce


def promise(measured: float, **fields: Any) -> Promise:
    listed: dict[str, Any] = {"claim": "interval", "settings": "n = 30", "promised": 0.95, "experiments": 1900}
    return Promise(**{**listed, "measured": measured, **fields})


@pytest.mark.parametrize(
    ("row", "away", "holds"),
    [
        (promise(0.96), 0.0, True),  # an interval may be too wide, but not too narrow
        (promise(0.941), 1.8, True),
        (promise(0.939), 2.2, False),
        (promise(0.5, warned=1.0), 90.0, True),
        (promise(0.5, warned=0.9), 90.0, False),
        (promise(0.059, promised=0.05, at_least=False), 1.8, True),
        (promise(0.061, promised=0.05, at_least=False), 2.2, False),
        (promise(0.01, promised=0.05, at_least=False), 0.0, True),
    ],
)
def test_a_promise_holds_within_two_errors_on_its_wrong_side(row: Promise, away: float, holds: bool) -> None:
    assert row.error == pytest.approx(0.005)
    assert row.away == pytest.approx(away)
    assert row.holds is holds


def test_all_simulations_make_one_table_and_a_picture_each(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def first(experiments: int) -> list[Promise | PValues]:
        asked.append(experiments)
        return [
            promise(0.9, size=30),
            promise(0.8, settings="n = 5", warned=1.0, warnings=("5 are few",)),
            promise(0.95, settings="n = 200", size=200),
            PValues(of="two systems", test="a test", values=np.array([0.005, 0.05, 0.2, 0.8])),
        ]

    made = {
        "first": Simulation(first, 1000, 10),
        "second": Simulation(lambda _: [promise(0.04, claim="alarm", promised=0.05, at_least=False)], 1, 1),
    }
    monkeypatch.setattr(calibration, "simulations", lambda: made)
    tables = [table for part in calibration.parts(quick=True).values() for table in part(SERIAL)]
    for part in calibration.parts().values():
        part(SERIAL)
    assert asked == [10, 1000]
    rows, by_size, tests = merge_tables(tables)
    assert list(rows.rows) == [
        "interval, at least: n = 30",
        "interval, at least: n = 5",
        "interval, at least: n = 200",
        "alarm, at most: n = 30",
    ]
    assert rows.notes[:2] == ("not held: interval, at least: n = 30", "warned, n = 5: 5 are few")
    assert rows.rows["interval, at least: n = 30"]["away"].ours == pytest.approx(10.0)
    assert by_size.chart is not None
    [curve] = by_size.chart.curves
    assert [(point.x, point.y) for point in curve.points] == [(30, 0.9), (200, 0.95)]
    assert curve.points[1].interval == pytest.approx((0.94, 0.96))
    assert {column: figure.ours for column, figure in tests.rows["a test"].items()} == {
        "p ≤ 0.01": 0.25,
        "p ≤ 0.05": 0.5,
        "p ≤ 0.1": 0.5,
        "p ≤ 0.5": 0.75,
    }


def test_without_sizes_and_tests_there_are_no_pictures() -> None:
    [table] = make_tables([promise(0.95)], [])
    assert merge_tables([table])[0].notes[0].startswith("error: the Monte-Carlo error")


def test_only_calibration_is_quick(refused) -> None:
    assert refused("reproduce lfm --quick") == "quick changes nothing for lfm (option --quick)"
    with pytest.raises(InputError, match="quick changes nothing for lfm"):
        reproduce("lfm", quick=True)


@pytest.mark.parametrize(
    ("simulate", "experiments", "rows"),
    [
        (simulated_people.simulate_correlations, 40, 9),  # four systems have no interval
        (simulated_people.simulate_rankings, 2, 12),
        (simulated_people.simulate_crowds, 40, 6),
        (simulated_people.simulate_references, 6, 9),
    ],
)
def test_a_few_experiments_with_people_break_no_promise(simulate: Any, experiments: int, rows: int) -> None:
    """They are drawn with a seed: the same experiments every time."""
    found = [row for row in simulate(experiments) if isinstance(row, Promise)]
    assert len(found) == rows
    assert all(row.holds for row in found)
    noted = [row for row in found if "4 judges" in row.settings or row.settings.startswith("5 systems")]
    assert all(row.warned == 1.0 for row in noted)
    assert all(bool(row.warned) == bool(row.warnings) for row in found)


def test_the_truth_of_a_simulation_is_what_many_draws_give() -> None:
    rng = np.random.default_rng(7)
    campaign = simulated_people.SimulatedCampaign(rankings=3000, systems=12, judges=3000, taste=0.5)
    ranking = rank(campaign.draw(rng), "expected-wins", Ranker(resamples=2))
    for place, true in enumerate(campaign.expected_wins.tolist()):
        assert ranking.scores[f"s{place:02}"] == pytest.approx(true, abs=0.03)
    law = simulated_people.LAWS["5 to 40 corrections"]
    pairs = [law.draw(rng, 3) for _ in range(4000)]
    assert np.mean([observed_coverage(given, 2) for given in pairs]) == pytest.approx(law.coverage(2), abs=0.02)


@pytest.mark.parametrize(
    ("order", "clusters", "wrong"),
    [
        ("s4 s3 s2", (1, 2, 3), False),
        ("s4 s2 s3", (1, 2, 3), True),  # the neighbours s2 and s3
        ("s2 s4 s3", (1, 1, 1), False),
        ("s3 s2 s4", (1, 1, 2), True),
    ],
)
def test_clusters_are_in_wrong_order_where_a_worse_system_stands_higher(
    order: str, clusters: tuple[int, ...], wrong: bool
) -> None:
    standings = [
        Standing(system=name, score=0.0, interval=Interval(0.0, 0.0), ranks=(1, 3), cluster=cluster)
        for name, cluster in zip(order.split(), clusters, strict=True)
    ]
    assert simulated_people.clusters_in_wrong_order(standings) is wrong
