"""The verification of a passport as tables."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.results.table import DELIMITED, Cell, P, Signed, Table
from gecval.studies.verify.study import Verification

SAYS = {
    True: "The passport holds: its statistics give the same bytes again (exit status 0)",
    False: "The passport does not hold: its statistics give something else (exit status 1)",
}


def verification_tables(result: Verification, style: str = "text") -> list[Table]:
    """A row for each score, and one for each test, as they are computed again."""
    rows: list[Sequence[Cell]] = [
        [row.system, row.metric, row.score, row.interval, row.claimed, "yes" if row.same else "no", row.output]
        for row in result.scores
    ]
    columns = ["system", "metric", "score", "interval", "claimed score", "same", "output"]
    notes = list(dict.fromkeys(row.signature for row in result.scores))
    scores = Table(columns, rows, title=SAYS[result.same], level=result.level, footnotes=notes)
    tests: list[Sequence[Cell]] = []
    for test in result.tests:
        cells: list[Cell] = [test.metric, test.baseline, test.system, Signed(test.difference), test.interval]
        tests.append([*cells, P(test.p_bootstrap), P(test.p_randomisation), "yes" if test.same else "no"])
    names = ["metric", "baseline", "system", "difference", "interval", "p bootstrap", "p randomisation", "same"]
    compared = Table(names, tests, title="Tests", level=result.level, interval_digits=4)
    if style in DELIMITED:
        scores.title, compared.title = "scores", "tests"
    return [scores, *([compared] if tests else [])]
