"""What comparing systems gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from gecval.results.result import ResultSequence
from gecval.results.table import DELIMITED, Cell, P, Signed, Table
from gecval.stats import Interval
from gecval.stats.paired_tests import NAMES, Correction, Family, Test
from gecval.stats.resampling import MaybeUndefined
from gecval.studies.scores.result import Score, Scores, directions, long_table, score_table, signatures

SIGNIFICANT = 0.05


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A system against the baseline under one metric: the difference, its interval, and tests of it.

    ``p`` is that of the ``test`` that counts: ``p_studentised``, or the ``larger`` of the two others. Where a
    ``correction`` was asked for, it is corrected for the number of tests of the ``family``: all of one call, or those
    under one metric. ``type`` is the type of error that the scores are of, None for all errors.
    """

    derived: ClassVar[tuple[str, ...]] = ("significant",)

    metric: str
    baseline: str
    baseline_score: float
    system: str
    score: float
    difference: float
    interval: Interval
    level: float
    p_studentised: float
    p_bootstrap: MaybeUndefined
    p_randomisation: MaybeUndefined
    p: float
    test: Test = "studentised"
    correction: Correction = "none"
    family: Family = "all"
    type: str | None = None
    signature: str
    notes: tuple[str, ...] = ()
    higher_is_better: bool = True

    @property
    def significant(self) -> bool:
        """Whether p < 0.05, corrected where that was asked for."""
        return self.p < SIGNIFICANT

    @property
    def system_is_better(self) -> bool:
        """Whether the system scores better than the baseline, be it by chance."""
        return self.difference > 0 if self.higher_is_better else self.difference < 0


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparisons(ResultSequence[Comparison]):
    """Systems against a baseline: a sequence of ``Comparison``, metric after metric."""

    kind: ClassVar[str] = "comparisons"
    view: ClassVar[str] = "comparison_tables"
    main: ClassVar[str] = "comparisons"

    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class AllPairs(ResultSequence[Comparison]):
    """Every system against every other: who ranks where, and which differences are more than chance.

    ``scores`` go from best to worst under each metric, with ranges of ranks and clusters. In every comparison the
    system is the better of the two, and the baseline the other.
    """

    kind: ClassVar[str] = "all-pairs"
    view: ClassVar[str] = "all_pairs_tables"
    main: ClassVar[str] = "comparisons"

    correction: Correction
    scores: tuple[Score, ...]
    comparisons: tuple[Comparison, ...]


# Comparisons as tables: systems against a baseline, or every pair with a ranking.


def comparison_tables(comparisons: Comparisons, style: str = "text") -> list[Table]:
    """A row per metric and system: both scores, their difference with its interval, and p."""
    return [comparison_table(comparisons)]


def comparison_table(comparisons: Iterable[Comparison]) -> Table:
    """The row of every comparison; significant differences are bold, with the better score."""
    comparisons = list(comparisons)
    typed = any(comparison.type is not None for comparison in comparisons)
    correction = comparisons[0].correction if comparisons else "none"
    # What names a row comes first: a narrow terminal repeats it next to the following columns.
    columns = ["metric", *(["type"] if typed else []), "baseline", "system", "baseline score", "score", "difference"]
    test = comparisons[0].test if comparisons else "studentised"
    p_values = ["p"] if test == "studentised" else ["p bootstrap", "p randomisation"]
    columns += ["interval", *p_values, *([f"p {correction}"] if correction != "none" else [])]
    rows: list[Sequence[Cell]] = []
    bold = set()
    for r, comparison in enumerate(comparisons):
        if comparison.significant:
            better = "score" if comparison.system_is_better else "baseline score"
            bold |= {(r, columns.index("difference")), (r, columns.index(better))}
        row: list[Cell] = [comparison.metric, *([comparison.type] if typed else [])]
        row += [comparison.baseline, comparison.system, comparison.baseline_score, comparison.score]
        row += [Signed(comparison.difference), comparison.interval]
        single = [comparison.p_studentised]
        if test == "larger":
            single = [comparison.p_bootstrap, comparison.p_randomisation]
        row += map(P, single)
        rows.append([*row, *([P(comparison.p)] if correction != "none" else [])])
    notes: list[str] = []
    significant = "p < 0.05" if test == "studentised" else "both tests give p < 0.05"
    if correction != "none":
        which = "p" if test == "studentised" else "the larger p"
        notes = [f"p {correction}: {which}, corrected by {NAMES[correction]} method for {_families(comparisons)}"]
        significant = f"p {correction} < 0.05"
    table = Table(columns, rows, bold=bold, bold_note=f"{significant}, and the better score", interval_digits=4)
    table.level = comparisons[0].level if comparisons else None
    table.footnotes = [*notes, *directions(comparisons), *signatures(comparisons)]
    return table


def _families(comparisons: Sequence[Comparison]) -> str:
    """How many tests are corrected together: all of them, or those under each metric."""
    counts = Counter(comparison.metric for comparison in comparisons)
    if comparisons[0].family == "all":
        of = f" of {', '.join(counts)}" if len(counts) > 1 else ""
        return f"all {len(comparisons)} tests{of}" if len(comparisons) > 1 else "one test"
    each = (f"{metric} ({count} {'test' if count == 1 else 'tests'})" for metric, count in counts.items())
    return f"the tests under each metric: {', '.join(each)}"


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
        "ranks: what chance allows; systems of one cluster are not significantly different",
        *directions(scores),
    ]
    return table


def _by_metric(scores: Iterable[Score]) -> list[list[Score]]:
    by_metric: dict[str, list[Score]] = {}
    for score in scores:
        by_metric.setdefault(score.metric, []).append(score)
    return list(by_metric.values())
