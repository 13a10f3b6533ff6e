"""Comparisons as tables: systems against a baseline, or every pair with a ranking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gecval.report.grid import P, Signed
from gecval.report.scores.footnotes import directions, signatures
from gecval.report.scores.tables import long_table, score_table
from gecval.report.table import DELIMITED, Cell, Table
from gecval.stats.multiple import NAMES
from gecval.studies.scores.results import AllPairs, Comparison, Comparisons, Score, Scores


def comparison_tables(comparisons: Comparisons, style: str = "text") -> list[Table]:
    """A row per metric and system: both scores, their difference with its interval, and two p-values."""
    return [comparison_table(comparisons)]


def comparison_table(comparisons: Iterable[Comparison]) -> Table:
    """The row of every comparison; significant differences are bold, with the better score."""
    comparisons = list(comparisons)
    typed = any(comparison.type is not None for comparison in comparisons)
    correction = comparisons[0].correction if comparisons else "none"
    # What names a row comes first: a narrow terminal repeats it beside the next columns.
    columns = ["metric", *(["type"] if typed else []), "baseline", "system", "baseline score", "score", "difference"]
    columns += ["interval", "p bootstrap", "p randomisation", *([f"p {correction}"] if correction != "none" else [])]
    rows: list[Sequence[Cell]] = []
    bold = set()
    for r, comparison in enumerate(comparisons):
        if comparison.significant:
            better = "score" if comparison.system_is_better else "baseline score"
            bold |= {(r, columns.index("difference")), (r, columns.index(better))}
        row: list[Cell] = [comparison.metric, *([comparison.type] if typed else [])]
        row += [comparison.baseline, comparison.system, comparison.baseline_score, comparison.score]
        row += [Signed(comparison.difference), comparison.interval]
        row += [P(comparison.p_bootstrap), P(comparison.p_randomisation)]
        rows.append([*row, *([P(comparison.p)] if correction != "none" else [])])
    notes: list[str] = []
    significant = "both tests give p < 0.05"
    if correction != "none":
        notes = [f"p {correction}: the larger p, corrected for the number of comparisons under a metric"]
        notes += [f"{NAMES[correction]} correction, families: {_families(comparisons)}"]
        significant = f"p {correction} < 0.05"
    table = Table(columns, rows, bold=bold, bold_note=f"{significant}, and the better score", interval_digits=4)
    table.level = comparisons[0].level if comparisons else None
    table.footnotes = [*notes, *directions(comparisons), *signatures(comparisons)]
    return table


def _families(comparisons: Iterable[Comparison]) -> str:
    """The metrics, with the number of tests under each: these are corrected together."""
    counts = Counter(comparison.metric for comparison in comparisons)
    return ", ".join(f"{metric} ({count} {'test' if count == 1 else 'tests'})" for metric, count in counts.items())


def all_pairs_tables(pairs: AllPairs, style: str = "text") -> list[Table]:
    """For each metric the ranking; then a row for every pair."""
    compared = comparison_table(pairs.comparisons)
    compared.title = "Every pair"
    if style in DELIMITED:
        scores = long_table(pairs.scores)
        scores.title = "Ranking"
        return [scores, compared]
    return [*map(_ranking_table, _by_metric(pairs.scores)), compared]


def _ranking_table(scores: Sequence[Score]) -> Table:
    table = score_table(Scores(scores=tuple(scores)), parts=False)
    table.title = f"Ranking by {scores[0].metric}"
    table.footnotes = [
        "ranks: what chance allows; systems of one cluster cannot be told apart",
        *directions(scores),
    ]
    return table


def _by_metric(scores: Iterable[Score]) -> list[list[Score]]:
    by_metric: dict[str, list[Score]] = {}
    for score in scores:
        by_metric.setdefault(score.metric, []).append(score)
    return list(by_metric.values())
