"""gecval track: keep scores per commit in one file, and see where they changed."""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.effects import note_idle_judging
from gecval.cli.help import Family
from gecval.cli.inputs import INPUT
from gecval.cli.options import corpus_options, resampling_options, scoring_options, unit_option
from gecval.cli.output import PATH, Output, output_options, plot_option
from gecval.cli.progress_option import show_progress
from gecval.corpus import Corpus
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.metrics.evaluation import Aggregate
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.studies.track.result import history_chart
from gecval.studies.track.study import LEVEL, history, track

EXAMPLES = """\b
Examples:
  gecval track add scores.history out.txt -r gold.m2 -m m2 -m errant    the commit comes from git
  gecval track add scores.history out.txt -r gold.m2 -m m2 --commit v1.2 --time 2026-11-16
  gecval track show scores.history --plot history.svg
"""


@click.group("track", cls=Family, epilog=EXAMPLES)
def command() -> None:
    """Keep scores per commit in one file, and see where they changed."""


@command.command("add")
@click.argument("file", type=PATH)
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="SYSTEM...")
@corpus_options
@scoring_options()
@click.option("--commit", help="What the scores are of; default: what git says of this folder.")
@click.option("--time", help="When, e.g. 2026-11-16; default: now.")
@resampling_options()
@unit_option("sentence", "document")
@plot_option("the history with its intervals and changes")
@output_options()
def add(
    file: Path,
    systems: tuple[Path, ...],
    corpus: Corpus,
    metrics: tuple[Metric, ...],
    aggregate: Aggregate,
    edits: str | None,
    run: Run,
    commit: str | None,
    time: str | None,
    resampling: Resampling,
    output: Output,
) -> None:
    """Score SYSTEM..., add the scores to FILE, and show the history."""
    note_idle_judging(corpus, metrics)
    listed = load_systems(systems, corpus)
    with show_progress(run, "scoring") as run:
        result = track(
            file,
            corpus,
            listed,
            metrics,
            commit=commit,
            time=time,
            aggregate=aggregate,
            confidence=resampling,
            edits=edits,
            run=run,
        )
    output.show(result, chart=history_chart)


@command.command("show")
@click.argument("file", type=PATH)
@click.option(
    "--level", type=float, default=LEVEL, show_default=True, help="What all looks of a stretch keep together."
)
@plot_option("the history with its intervals and changes")
@output_options()
def show_(file: Path, level: float, output: Output) -> None:
    """Show the history in FILE, and where the scores changed beyond chance."""
    output.show(history(file, level=level), chart=history_chart)
