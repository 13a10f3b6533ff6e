"""gecval compare: is B better than A?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gecval.cli.effects import note_idle, note_idle_judging
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import (
    USUAL,
    corpus_options,
    is_lenient,
    realign_option,
    resampling_options,
    scoring_options,
    table_option,
    unit_option,
)
from gecval.cli.output import PATH, Output, output_options, plot_option
from gecval.cli.progress_option import show_progress
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.metrics.base import find_proper_names
from gecval.metrics.error_types import DETAILS, Detail
from gecval.metrics.evaluation import Aggregate
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.stats.deciding_sentences import UNTIL, Until
from gecval.stats.paired_tests import CORRECTIONS, FAMILIES, TESTS, Correction, Family, Test
from gecval.stats.ranking import Contest
from gecval.studies.compare.deciding import Deciding, Listed, deciding
from gecval.studies.compare.gate import Rule, not_worse
from gecval.studies.compare.paper import paper_table
from gecval.studies.compare.result import AllPairs, Comparisons
from gecval.studies.compare.study import compare, compare_all
from gecval.studies.scores.by_type import compare_by_type
from gecval.studies.scores.charts import comparison_chart

EXAMPLES = """\b
Examples:
  gecval compare old.txt new.txt -r gold.m2 -m m2
  gecval compare base.txt mine.txt theirs.txt -r gold.m2 --table paper -o table.tex
  gecval compare AMU CAMB CUUI -s src.txt -r ref0.txt -r ref1.txt -m gleu -m sari --resamples 10000
  gecval compare out/ -r gold.m2 -m m2 --all-pairs --plot pairs.svg
  gecval compare old.txt new.txt -s src.txt -r ref0.txt -m errant --by-type --correction holm
  gecval compare old.txt new.txt -r gold.m2 -m m2 --deciding 5
  gecval compare old.txt new.txt -r gold.m2 -m m2 --sentences worst
  gecval compare out/ -r gold.m2 -m gleu --all-pairs --aggregate expected-wins
  gecval compare old.txt new.txt -r gold.m2 --fail-if-worse 'm2: 0.005' --looks looks.json --planned-looks 100

\b
Exit status: 0; 2 for bad input. With --fail-if-worse: 0 not worse or equivalent, 1 worse, 3 the data cannot tell.
"""


@click.command("compare", cls=Command, everyday="--fail-if-worse --sentences --all-pairs", epilog=EXAMPLES)
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="A B...")
@corpus_options
@realign_option
@scoring_options(f"those of --fail-if-worse; else {USUAL}", contests=True)
@click.option("--all-pairs", is_flag=True, help="Test every pair of systems, and rank them: rank ranges and clusters.")
@click.option("--by-type", is_flag=True, help="Test the scores of -m errant for every type of error.")
@click.option("--detail", type=click.Choice(DETAILS), default="category", show_default=True, help="How fine types are.")
@click.option(
    "--test",
    type=click.Choice(TESTS),
    default="studentised",
    show_default=True,
    help="Which p counts: the studentised one, or the larger of paired bootstrap and approximate randomisation; then "
    "both are shown.",
)
@click.option(
    "--correction",
    type=click.Choice(CORRECTIONS),
    help="How to correct p for the number of tests; default: holm with --all-pairs, else none.",
)
@click.option(
    "--family",
    type=click.Choice(FAMILIES),
    default="all",
    show_default=True,
    help="What is corrected together, and what shares the level of --fail-if-worse: all tests, or those of one metric.",
)
@click.option(
    "--deciding",
    "most",
    type=click.IntRange(min=1),
    metavar="N",
    help="Find the smallest set of sentences whose removal changes the result; show the N most influential ones.",
)
@click.option(
    "--sentences",
    "listed",
    type=click.Choice(["worst", "best"]),
    help="Show the sentences on which B is worse than A, or better, the largest differences first: as many as "
    "--deciding says, or 10. It also says how many got worse and better.",
)
@click.option(
    "--until",
    type=click.Choice(UNTIL),
    default="sign",
    show_default=True,
    help="With --deciding: the result to change, which system is better (sign) or whether it is significantly so.",
)
@click.option(
    "--fail-if-worse",
    "rules",
    multiple=True,
    metavar="RULE",
    callback=lambda ctx, param, texts: tuple(map(Rule.parse, texts)),
    help="Exit with 1 if B is worse than A by more than a margin, with 0 if it is not, with 3 if the data cannot tell. "
    "A rule is 'METRIC: MARGIN @ LEVEL', e.g. 'm2: half a point'; @ LEVEL may be left out (0.95). Repeat "
    "for more.",
)
@click.option(
    "--looks",
    type=PATH,
    help="With --fail-if-worse: a file that counts looks, so that nightly looks together err as rarely as one.",
)
@click.option(
    "--planned-looks",
    "planned",
    type=click.IntRange(min=1),
    metavar="K",
    help="With --looks, from the first look on: K looks share the level in equal parts, so that late ones see as much "
    "as early ones.",
)
@table_option
@resampling_options()
@unit_option()
@plot_option("the differences with their intervals")
@output_options()
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    realign: bool,
    metrics: tuple[Metric, ...],
    aggregate: Aggregate | Contest,
    edits: str | None,
    run: Run,
    all_pairs: bool,
    by_type: bool,
    detail: Detail,
    test: Test,
    correction: Correction | None,
    family: Family,
    most: int | None,
    listed: Listed | None,
    until: Until,
    rules: tuple[Rule, ...],
    table: str | None,
    looks: Path | None,
    planned: int | None,
    resampling: Resampling,
    output: Output,
) -> None:
    """Test B (and more) against baseline A on the same sentences."""
    if table:
        note_idle(["by_type", "all_pairs", "most", "listed", "test", "family"], "with --table paper")
        note_idle(["percent", "compact"], "with --table paper, which is in percent, with ±")
    if by_type:
        note_idle(["aggregate", "all_pairs", "most", "listed"], "with --by-type")
    else:
        note_idle(["detail"], "without --by-type")
    if all_pairs:
        note_idle(["most", "listed"], "with --all-pairs: it looks at systems against one baseline")
    view: dict[str, Any] = {}  # of --sentences alone: nobody asked who decides
    if listed and most is None and not rules:
        most, view = 10, {"sets": False} if not (all_pairs or by_type) else {}
    if most is None:
        note_idle(["until"], "without --deciding")
    if rules:
        named = {repr(rule.metric) for rule in rules}
        contradicted = any(repr(metric) not in named for metric in metrics)
        note_idle(["metrics"], "with --fail-if-worse: its rules name metrics and levels", refused=contradicted)
        note_idle(["level"], "with --fail-if-worse: its rules name metrics and levels", refused=True)
        idle = ["all_pairs", "by_type", "table", "detail", "test", "correction", "until", "plot"]
        note_idle(idle, "with --fail-if-worse")
        note_idle(["interval_method"], "with --fail-if-worse: its intervals are studentised")
        if looks is None:
            note_idle(["planned"], "without --looks")
        metrics = tuple(rule.metric for rule in rules)
    else:
        note_idle(["looks", "planned"], "without --fail-if-worse")
    note_idle_judging(corpus, metrics)
    baseline, *others = load_systems(systems, corpus, realign=realign, lenient=is_lenient())
    if not others:
        raise InputError("compare needs two systems or more: the baseline first, then those to test against it")
    with show_progress(run, "scoring") as run:
        # What all ways to compare share.
        how: dict[str, Any] = {"confidence": resampling, "edits": edits, "run": run}
        p_values = correction or ("holm" if all_pairs else "none")
        if p_values == "none" and not rules and not table:
            note_idle(["family"], "without --correction")
        if rules and len({rule.metric for rule in rules}) == 1:
            note_idle(["family"], "with one metric")
        tests: dict[str, Any] = {"test": test, "correction": p_values, "family": family}
        if rules:
            shown = most if most is not None else 10 if listed else 3
            looking: dict[str, Any] = {"looks": looks, "planned": planned, "family": family}
            looking["listed"] = listed or "influential"
            decided = not_worse(corpus, baseline, others, rules, most=shown, aggregate=aggregate, **looking, **how)
            output.show(decided)
            click.get_current_context().exit(decided.exit_status)
        if table:
            output.show(
                paper_table(
                    corpus,
                    [baseline, *others],
                    metrics,
                    baseline=baseline.name,
                    aggregate=aggregate,
                    correction=correction or "holm",
                    **how,
                ),
                chart=lambda result: comparison_chart(result.comparisons, find_proper_names(metrics)),
            )
            return
        comparisons: Comparisons | AllPairs | Deciding
        if by_type:
            comparisons = compare_by_type(corpus, baseline, others, metrics, detail=detail, **tests, **how)
        elif all_pairs:
            systems_of_pairs = [baseline, *others]
            comparisons = compare_all(corpus, systems_of_pairs, metrics, aggregate=aggregate, **tests, **how)
        elif most is not None:
            asked: dict[str, Any] = {"most": most, "until": until, "listed": listed or "influential"}
            comparisons = deciding(corpus, baseline, others, metrics, aggregate=aggregate, **tests, **asked, **how)
        else:
            comparisons = compare(corpus, baseline, others, metrics, aggregate=aggregate, **tests, **how)
    output.show(
        comparisons, chart=lambda result: comparison_chart(result.comparisons, find_proper_names(metrics)), **view
    )
