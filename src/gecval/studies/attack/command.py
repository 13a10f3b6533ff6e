"""gecval attack: how much score can be gained from a metric without correcting anything?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.effects import note_idle_judging
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import (
    complete_metrics,
    corpus_options,
    distinct_metrics,
    edits_option,
    run_options,
    seed_option,
)
from gecval.cli.output import Output, output_options
from gecval.cli.progress_option import show_progress
from gecval.corpus import Corpus
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.runtime.run import Run
from gecval.studies.attack.study import attack

EXAMPLES = """\b
Examples:
  gecval attack m2 -r gold.m2
  gecval attack m2,gleu,errant out/ -s src.txt -r ref0.txt -r ref1.txt
  gecval attack my_metrics:novelty out/AMU out/CAMB -r gold.m2 --format json
"""


def _metrics(ctx: click.Context, param: click.Parameter, spelling: str) -> tuple[Metric, ...]:
    return distinct_metrics(ctx, param, (spelling,))


@click.command("attack", cls=Command, epilog=EXAMPLES)
@click.argument("metrics", metavar="METRIC[,METRIC...]", callback=_metrics, shell_complete=complete_metrics)
@click.argument("systems", type=INPUT, nargs=-1, metavar="[SYSTEM]...")
@corpus_options
@edits_option(None)
@seed_option
@run_options()
@output_options(intervals=False)
def command(
    metrics: tuple[Metric, ...],
    systems: tuple[Path, ...],
    corpus: Corpus,
    edits: str | None,
    seed: int,
    run: Run,
    output: Output,
) -> None:
    """Say how many points METRIC gives to outputs that correct nothing.

    Adversaries hand in the source as it is, empty lines, one constant sentence, shuffled words and the like. Their
    scores stand next to those of real SYSTEM outputs, if any are given, and of people.
    """
    note_idle_judging(corpus, metrics)
    with show_progress(run, "attacking") as run:
        result = attack(
            corpus,
            metrics,
            systems=load_systems(systems, corpus) if systems else (),
            seed=seed,
            edits=edits,
            run=run,
        )
    output.show(result)
