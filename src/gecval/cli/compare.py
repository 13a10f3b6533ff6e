"""gecval compare: is B better than A?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.effects import refuse_idle, refuse_idle_judging
from gecval.cli.inputs import INPUT
from gecval.cli.options import corpus_options, metric_options, resampling_options
from gecval.cli.output import output_options, show
from gecval.cli.plots import Plot, plot_options
from gecval.cli.progress import progress_bar, quiet_option
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.metrics.errant_types import DETAILS, Detail
from gecval.metrics.evaluation import Aggregate
from gecval.report.scores.charts import comparison_chart
from gecval.stats import Resampling
from gecval.stats.deciding import UNTIL, Until
from gecval.stats.multiple import CORRECTIONS, Correction
from gecval.studies.scores.all_pairs import compare_all
from gecval.studies.scores.by_type import compare_by_type
from gecval.studies.scores.comparison import compare
from gecval.studies.scores.deciding import deciding
from gecval.studies.scores.deciding_results import Deciding
from gecval.studies.scores.results import AllPairs, Comparisons

EXAMPLES = """\b
Examples:
  gecval compare old.txt new.txt -r gold.m2 -m m2
  gecval compare AMU CAMB CUUI -s src.txt -r ref0.txt -r ref1.txt -m gleu -m sari --resamples 10000
  gecval compare out/ -r gold.m2 -m m2 --all-pairs --plot pairs.svg
  gecval compare old.txt new.txt -s src.txt -r ref0.txt -m errant --by-type --correction holm
  gecval compare old.txt new.txt -r gold.m2 -m m2 --deciding 5
"""


@click.command("compare", epilog=EXAMPLES)
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="A B...")
@corpus_options
@metric_options
@click.option("--all-pairs", is_flag=True, help="Test every pair of systems, and rank them: rank ranges and clusters.")
@click.option("--by-type", is_flag=True, help="Test the scores of -m errant for every type of error.")
@click.option("--detail", type=click.Choice(DETAILS), default="category", show_default=True, help="How fine types are.")
@click.option(
    "--correction",
    type=click.Choice(CORRECTIONS),
    help="How to correct p for the number of tests; default: holm with --all-pairs, else none.",
)
@click.option(
    "--deciding",
    "most",
    type=click.IntRange(min=1),
    metavar="N",
    help="Find the smallest set of sentences without which the verdict is another; show the N most influential ones.",
)
@click.option(
    "--until",
    type=click.Choice(UNTIL),
    default="sign",
    show_default=True,
    help="With --deciding: which verdict to turn around, who is better, or whether that is more than chance.",
)
@resampling_options
@plot_options("the differences with their intervals")
@quiet_option
@output_options
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    metrics: tuple[Metric, ...],
    aggregate: Aggregate,
    edits: str | None,
    jobs: int | None,
    all_pairs: bool,
    by_type: bool,
    detail: Detail,
    correction: Correction | None,
    most: int | None,
    until: Until,
    resampling: Resampling,
    plot: Plot | None,
    style: str,
    output: Path | None,
) -> None:
    """Test B (and more) against baseline A by paired bootstrap and approximate randomisation."""
    if by_type:
        refuse_idle(["aggregate", "all_pairs", "most"], "with --by-type")
    else:
        refuse_idle(["detail"], "without --by-type")
    if all_pairs:
        refuse_idle(["most"], "with --all-pairs: it looks at systems against one baseline")
    if most is None:
        refuse_idle(["until"], "without --deciding")
    refuse_idle_judging(corpus, metrics)
    baseline, *others = load_systems(systems, corpus)
    if not others:
        raise InputError("compare needs two systems or more: the baseline first, then those to test against it")
    with progress_bar("scoring") as progress:
        if by_type:
            comparisons: Comparisons | AllPairs | Deciding = compare_by_type(
                corpus,
                baseline,
                others,
                metrics,
                detail=detail,
                resampling=resampling,
                correction=correction or "none",
                extractor=edits,
                jobs=jobs,
                progress=progress,
            )
        elif all_pairs:
            comparisons = compare_all(
                corpus,
                [baseline, *others],
                metrics,
                aggregate=aggregate,
                resampling=resampling,
                correction=correction or "holm",
                extractor=edits,
                jobs=jobs,
                progress=progress,
            )
        elif most is not None:
            comparisons = deciding(
                corpus,
                baseline,
                others,
                metrics,
                most=most,
                until=until,
                aggregate=aggregate,
                resampling=resampling,
                correction=correction or "none",
                extractor=edits,
                jobs=jobs,
                progress=progress,
            )
        else:
            comparisons = compare(
                corpus,
                baseline,
                others,
                metrics,
                aggregate=aggregate,
                resampling=resampling,
                correction=correction or "none",
                extractor=edits,
                jobs=jobs,
                progress=progress,
            )
    if plot:
        plot.save(comparison_chart(comparisons.comparisons))
    show(comparisons, style, output)
