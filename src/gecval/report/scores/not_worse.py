"""Ship or don't ship, as tables short enough for the log of a build."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.report.grid import Signed
from gecval.report.scores.deciding import pair_table, sentence_table
from gecval.report.scores.footnotes import directions, signatures
from gecval.report.table import DELIMITED, Cell, Table, percent
from gecval.studies.scores.not_worse_results import Decision, NotWorse

SAYS = {
    "not worse": "Not worse: no system is worse by more than the margin (exit status 0)",
    "worse": "Worse: a system is worse by more than the margin (exit status 1)",
    "undecided": "Undecided: the data cannot tell whether a system is worse by more than the margin (exit status 3)",
}


def not_worse_tables(result: NotWorse, style: str = "text") -> list[Table]:
    """A row for each decision; then the sentences that move the differences most. Programs get these as rows too."""
    table = _decision_table(result.decisions, exact=style in DELIMITED)
    pairs = [decision.pair for decision in result.decisions]
    if style in DELIMITED:
        table.title = "decisions"
        return [table, sentence_table(pairs)]
    table.title = SAYS[result.verdict]
    return [table, *(pair_table(pair) for pair in pairs if pair.influential)]


def _decision_table(decisions: Sequence[Decision], *, exact: bool) -> Table:
    columns = ["metric", "baseline", "system", "verdict", "margin", "baseline score", "score", "difference"]
    columns += ["interval", "level", "method", "look"]
    if all(decision.look is None for decision in decisions):
        columns.pop()
    rows: list[Sequence[Cell]] = [_row(decision, exact=exact)[: len(columns)] for decision in decisions]
    comparisons = [decision.comparison for decision in decisions]
    notes = dict.fromkeys(map(_interval_note, decisions))
    table = Table(columns, rows, interval_digits=4)
    table.footnotes = [*notes, *directions(comparisons), *signatures(comparisons)]
    return table


def _row(decision: Decision, *, exact: bool) -> list[Cell]:
    compared = decision.comparison
    cells: list[Cell] = [decision.metric, decision.baseline, decision.system, decision.verdict, decision.margin]
    cells += [compared.baseline_score, compared.score, Signed(decision.difference), decision.interval]
    level = decision.interval_level if exact else percent(decision.interval_level)
    return [*cells, level, decision.interval_method, decision.look]


def _interval_note(decision: Decision) -> str:
    """Which interval decides."""
    if decision.look is None:
        return (
            f"{decision.metric}: the {percent(decision.level)} interval of the difference decides "
            f"({decision.interval_method} bootstrap): worse if all of it lies beyond the margin, not worse if none does"
        )
    return (
        f"{decision.metric}: look {decision.look}, so the {percent(decision.interval_level)} interval of the "
        f"difference decides (normal, jackknife): all looks together keep {percent(decision.level)}"
    )
