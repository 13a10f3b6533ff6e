"""gecval compare: is B better than A?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gecval.cli.effects import refuse_idle, refuse_idle_judging
from gecval.cli.inputs import INPUT
from gecval.cli.options import (
    corpus_options,
    is_lenient,
    realign_option,
    resampling_options,
    scoring_options,
    unit_options,
)
from gecval.cli.output import PATH, Output, output_options, plot_options
from gecval.cli.progress import show_progress
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.metrics.error_types import DETAILS, Detail
from gecval.metrics.evaluation import Aggregate
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.stats.deciding import UNTIL, Until
from gecval.stats.paired import CORRECTIONS, FAMILIES, TESTS, Correction, Family, Test
from gecval.stats.ranking import Contest
from gecval.studies.compare.deciding import Deciding, deciding
from gecval.studies.compare.gate import Rule, not_worse
from gecval.studies.compare.result import AllPairs, Comparisons
from gecval.studies.compare.study import compare, compare_all
from gecval.studies.scores.by_type import compare_by_type
from gecval.studies.scores.charts import comparison_chart

EXAMPLES = """\b
Examples:
  gecval compare old.txt new.txt -r gold.m2 -m m2
  gecval compare AMU CAMB CUUI -s src.txt -r ref0.txt -r ref1.txt -m gleu -m sari --resamples 10000
  gecval compare out/ -r gold.m2 -m m2 --all-pairs --plot pairs.svg
  gecval compare old.txt new.txt -s src.txt -r ref0.txt -m errant --by-type --correction holm
  gecval compare old.txt new.txt -r gold.m2 -m m2 --deciding 5
  gecval compare out/ -r gold.m2 -m gleu --all-pairs --aggregate expected-wins
  gecval compare old.txt new.txt -r gold.m2 --fail-if-worse 'm2: 0.005' --looks looks.json --planned-looks 100

\b
Exit status: 0; 2 for bad input. With --fail-if-worse: 0 not worse or equivalent, 1 worse, 3 the data cannot tell.
"""


@click.command("compare", epilog=EXAMPLES)
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="A B...")
@corpus_options
@realign_option
@scoring_options("those of --fail-if-worse", contests=True)
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
    "A rule is 'METRIC: MARGIN @ LEVEL'; @ LEVEL may be left out (0.95). Repeat for more.",
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
@resampling_options()
@unit_options
@plot_options("the differences with their intervals")
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
    until: Until,
    rules: tuple[Rule, ...],
    looks: Path | None,
    planned: int | None,
    resampling: Resampling,
    output: Output,
) -> None:
    """Test B (and more) against baseline A on the same sentences."""
    if by_type:
        refuse_idle(["aggregate", "all_pairs", "most"], "with --by-type")
    else:
        refuse_idle(["detail"], "without --by-type")
    if all_pairs:
        refuse_idle(["most"], "with --all-pairs: it looks at systems against one baseline")
    if most is None:
        refuse_idle(["until"], "without --deciding")
    if rules:
        refuse_idle(["metrics", "level"], "with --fail-if-worse: its rules name metrics and levels")
        refuse_idle(["all_pairs", "by_type", "detail", "test", "correction", "until", "plot"], "with --fail-if-worse")
        refuse_idle(["method"], "with --fail-if-worse: its intervals are studentised")
        if looks is None:
            refuse_idle(["planned"], "without --looks")
        metrics = tuple(rule.metric for rule in rules)
    else:
        refuse_idle(["looks", "planned"], "without --fail-if-worse")
        if not metrics:
            raise InputError("name a metric", parameter="metrics")
    refuse_idle_judging(corpus, metrics)
    baseline, *others = load_systems(systems, corpus, realign=realign, lenient=is_lenient())
    if not others:
        raise InputError("compare needs two systems or more: the baseline first, then those to test against it")
    with show_progress(run, "scoring") as run:
        # What all ways to compare share.
        how: dict[str, Any] = {"resampling": resampling, "extractor": edits, "run": run}
        p_values = correction or ("holm" if all_pairs else "none")
        if p_values == "none" and not rules:
            refuse_idle(["family"], "without --correction")
        if rules and len({rule.metric for rule in rules}) == 1:
            refuse_idle(["family"], "with one metric")
        tests: dict[str, Any] = {"test": test, "correction": p_values, "family": family}
        if rules:
            shown = 3 if most is None else most
            looking: dict[str, Any] = {"looks": looks, "planned": planned, "family": family}
            decided = not_worse(corpus, baseline, others, rules, most=shown, aggregate=aggregate, **looking, **how)
            output.show(decided)
            click.get_current_context().exit(decided.exit_status)
        comparisons: Comparisons | AllPairs | Deciding
        if by_type:
            comparisons = compare_by_type(corpus, baseline, others, metrics, detail=detail, **tests, **how)
        elif all_pairs:
            systems_of_pairs = [baseline, *others]
            comparisons = compare_all(corpus, systems_of_pairs, metrics, aggregate=aggregate, **tests, **how)
        elif most is not None:
            asked: dict[str, Any] = {"most": most, "until": until}
            comparisons = deciding(corpus, baseline, others, metrics, aggregate=aggregate, **tests, **asked, **how)
        else:
            comparisons = compare(corpus, baseline, others, metrics, aggregate=aggregate, **tests, **how)
    output.show(comparisons, chart=lambda result: comparison_chart(result.comparisons))
