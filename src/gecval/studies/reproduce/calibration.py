"""Do our intervals and tests hold what they promise? Each row of the table is one promise, tried out by simulation.

No data is needed: a simulation draws from a population whose truth is known, asks gecval as a user would, and counts.
An interval of 95% promises to have the truth in at least 95% of all experiments; a test at 0.05 promises to reject a
true hypothesis in at most 5%. A row holds if its share is not further than two Monte-Carlo errors from the promise, on
the wrong side,

    error = √( promised · (1 − promised) / experiments ),

or if gecval warned in these experiments. To add rows, write a function that yields ``Promise`` (and ``PValues`` for the
picture of a test), and list it in ``simulations``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from gecval.runtime.run import Run, announce
from gecval.stats import Interval
from gecval.studies.reproduce import simulated_people, simulated_scores
from gecval.studies.reproduce.result import (
    ERRORS,
    Curve,
    Figure,
    PaperChart,
    PaperTable,
    Point,
    Promise,
    PValues,
)

TABLE = "Promises, and what simulations found"
BY_SIZE = "Share of intervals that have the truth, by number of sentences"
QQ = "Tests of {} where nothing is true: the share of p-values below each level"
COLUMNS = ("promised", "measured", "error", "away", "warned")
LEVELS = (0.01, 0.05, 0.1, 0.5)  # of p, in the table
GRID = np.round(np.arange(0.01, 0.21, 0.01), 2)  # in the picture: the levels that people test at


class Simulation(NamedTuple):
    """Rows of the table, how many experiments they take, and how many with ``--quick``."""

    simulate: Callable[[int], Iterable[Promise | PValues]]
    experiments: int
    quick: int


def simulations() -> dict[str, Simulation]:
    """All simulations, by name: each is a part of the study."""
    return {
        "intervals": Simulation(simulated_scores.simulate_intervals, 2000, 50),
        "annotators": Simulation(simulated_scores.simulate_annotators, 2000, 20),
        "tests": Simulation(simulated_scores.simulate_tests, 2000, 50),
        "gates": Simulation(simulated_scores.simulate_gates, 4000, 100),
        "looks": Simulation(simulated_scores.simulate_looks, 800, 5),
        "correlations": Simulation(simulated_people.simulate_correlations, 2000, 100),
        "rankings": Simulation(simulated_people.simulate_rankings, 400, 20),
        "TrueSkill": Simulation(simulated_people.simulate_trueskill, 100, 4),
        "crowds": Simulation(simulated_people.simulate_crowds, 400, 40),
        "references": Simulation(simulated_people.simulate_references, 200, 10),
    }


def parts(*, quick: bool = False) -> dict[str, Callable[[Run], list[PaperTable]]]:
    return {name: partial(tables_of, name, quick) for name in simulations()}


def tables_of(name: str, quick: bool, run: Run) -> list[PaperTable]:
    """The tables of one simulation."""
    simulation = simulations()[name]
    announce(run.progress, name)
    found = list(simulation.simulate(simulation.quick if quick else simulation.experiments))
    return make_tables(
        [row for row in found if isinstance(row, Promise)], [row for row in found if isinstance(row, PValues)]
    )


def make_tables(promises: Sequence[Promise], tests: Sequence[PValues]) -> list[PaperTable]:
    """The table of all promises, intervals by size and tests as pictures."""
    notes = [f"not held: {label_of(row)}" for row in promises if not row.holds]
    notes += [f"warned, {row.settings}: {said}" for row in promises for said in row.warnings]
    tables = [
        PaperTable(
            title=TABLE,
            columns=COLUMNS,
            rows={
                label_of(row): {
                    "promised": Figure(ours=row.promised),
                    "measured": Figure(ours=row.measured),
                    "error": Figure(ours=row.error),
                    "away": Figure(ours=row.away),
                    "warned": Figure(ours=row.warned),
                }
                for row in promises
            },
            row_name="promise",
            notes=tuple(dict.fromkeys(notes)),
        )
    ]
    sized = [row for row in promises if row.size is not None]
    if sized:
        curves = [
            Curve(name=claim, points=tuple(_point(row) for row in sized if row.claim == claim))
            for claim in dict.fromkeys(row.claim for row in sized)
        ]
        chart = PaperChart(x="sentences", y="share", curves=tuple(curves))
        tables.append(PaperTable(title=BY_SIZE, columns=(), rows={}, chart=chart))
    kinds = dict.fromkeys(test.of for test in tests)
    return [*tables, *(_test_table(of, [test for test in tests if test.of == of]) for of in kinds)]


def label_of(row: Promise) -> str:
    """A row's name: what is promised, and where it was tried.

    >>> promise = Promise(claim="power", settings="n = 30", promised=0.8, measured=0.9, experiments=9)
    >>> label_of(promise)
    'power, at least: n = 30'
    """
    return f"{row.claim}, {'at least' if row.at_least else 'at most'}: {row.settings}"


def merge_tables(tables: Sequence[PaperTable]) -> list[PaperTable]:
    """The tables of all simulations as one table of promises, and one table for each picture."""
    arranged = []
    for title in sorted(dict.fromkeys(table.title for table in tables), key=lambda title: title != TABLE):
        same = [table for table in tables if table.title == title]
        curves = tuple(curve for table in same if table.chart for curve in table.chart.curves)
        chart = same[0].chart
        arranged.append(
            PaperTable(
                title=title,
                columns=same[0].columns,
                rows={label: cells for table in same for label, cells in table.rows.items()},
                notes=tuple(dict.fromkeys([*(note for table in same for note in table.notes), *NOTES.get(title, ())])),
                row_name=same[0].row_name,
                chart=PaperChart(x=chart.x, y=chart.y, curves=curves) if chart else None,
            )
        )
    return arranged


NOTES = {
    TABLE: (
        "error: the Monte-Carlo error of the measured share; away: how many errors it lies on the wrong side of its "
        f"promise, of which {ERRORS:g} may be chance: of 40 rows that hold exactly, about one is further away",
        "warned: the share of experiments in which gecval said so itself, in the words above",
    )
}


def _point(row: Promise) -> Point:
    assert row.size is not None
    reach = ERRORS * row.error
    return Point(
        x=row.size, y=row.measured, interval=Interval(max(0.0, row.measured - reach), min(1.0, row.measured + reach))
    )


def _test_table(of: str, tests: Sequence[PValues]) -> PaperTable:
    promised = Curve(name="promised", points=tuple(Point(x=x, y=x) for x in (0.0, float(GRID[-1]))))
    curves = (Curve(name=test.test, points=tuple(Point(x=x, y=test.below(x)) for x in GRID.tolist())) for test in tests)
    return PaperTable(
        title=QQ.format(of),
        columns=tuple(f"p ≤ {level:g}" for level in LEVELS),
        rows={test.test: {f"p ≤ {level:g}": Figure(ours=test.below(level)) for level in LEVELS} for test in tests},
        row_name="test",
        chart=PaperChart(x="level", y="share of p-values below", curves=(promised, *curves)),
    )
