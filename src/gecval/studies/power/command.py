"""gecval power: is the test set large enough?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.effects import note_idle_judging
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import corpus_options, scoring_options, seed_option
from gecval.cli.output import Output, output_options, plot_option
from gecval.cli.progress_option import show_progress
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.metrics.base import find_proper_names
from gecval.metrics.evaluation import Aggregate
from gecval.runtime.run import Run
from gecval.studies.power.study import CHANCE, SIMULATIONS, power, power_chart

EXAMPLES = """\b
Examples:
  gecval power old.txt new.txt -r gold.m2 -m m2
  gecval power old.txt new.txt -r gold.m2 -m m2 -m errant --difference 0.01 --difference 0.02 --plot power.svg
  gecval power AMU CAMB -r BN.m2 -m m2 --annotators 1 --annotators 5 --annotators 10 --sentences 500
"""


@click.command("power", cls=Command, everyday="--difference", epilog=EXAMPLES)
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="A B...")
@corpus_options
@scoring_options()
@click.option(
    "--difference",
    "differences",
    multiple=True,
    metavar="SIZE",
    help="A true difference: 0.01, '1 point' or '1%' of a score from 0 to 1. Repeat for more. Default: the observed "
    "one.",
)
@click.option(
    "--sentences",
    type=int,
    multiple=True,
    help="A size of the test set. Repeat for more. Default: from an eighth to eight times those of the corpus.",
)
@click.option(
    "--annotators",
    type=int,
    multiple=True,
    help="A number of references a sentence, up to those of the corpus. Repeat for more. Default: all.",
)
@click.option(
    "--chance", type=float, default=CHANCE, show_default=True, help="The chance for which to count the sentences."
)
@click.option(
    "--simulations", type=int, default=SIMULATIONS, show_default=True, help="Test sets to draw for each number."
)
@seed_option
@plot_option("the chance over the number of sentences")
@output_options(intervals=False)
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    metrics: tuple[Metric, ...],
    aggregate: Aggregate,
    edits: str | None,
    run: Run,
    differences: tuple[str, ...],
    sentences: tuple[int, ...],
    annotators: tuple[int, ...],
    chance: float,
    simulations: int,
    seed: int,
    output: Output,
) -> None:
    """Say how likely `compare` is to find a difference between A and B, and how many sentences that takes."""
    note_idle_judging(corpus, metrics)
    baseline, *others = load_systems(systems, corpus)
    if not others:
        raise InputError(
            "power needs two systems or more: the baseline first, then those to compare with it. With one output, the "
            "baseline may be an earlier version, or the source text"
        )
    with show_progress(run, "drawing test sets") as run:
        result = power(
            corpus,
            baseline,
            others,
            metrics,
            differences=differences,
            sentences=sentences,
            annotators=annotators,
            chance=chance,
            simulations=simulations,
            seed=seed,
            aggregate=aggregate,
            edits=edits,
            run=run,
        )
    output.show(result, chart=lambda drawn: power_chart(drawn, find_proper_names(metrics)))
