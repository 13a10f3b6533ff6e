"""gecval coverage buy-references: which references should I buy next?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.effects import note_idle_judging
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import complete_metrics, corpus_options, edits_option, run_options
from gecval.cli.output import Output, output_options
from gecval.cli.progress_option import show_progress
from gecval.corpus import Corpus
from gecval.formats import load_systems
from gecval.metrics import metric as metric_of
from gecval.runtime.run import Run
from gecval.studies.buy_references.study import buy_references

EXAMPLES = """\b
Examples:
  gecval coverage buy-references out/ -r gold.m2 -n 100
  gecval coverage buy-references out/ -s src.txt -r ref0.txt -r ref1.txt -m errant -n 50 -o for-annotators.tsv
"""


@click.command("buy-references", cls=Command, epilog=EXAMPLES)
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="SYSTEM...")
@corpus_options
@click.option("-n", "--count", type=click.IntRange(1), default=100, show_default=True, help="Sentences to list.")
@click.option(
    "-m",
    "--metric",
    metavar="METRIC",
    default="m2",
    show_default=True,
    shell_complete=complete_metrics,
    help="The metric whose scores are to be improved: m2, errant, accuracy.",
)
@edits_option(None)
@run_options(models=False)
@output_options()
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    count: int,
    metric: str,
    edits: str | None,
    run: Run,
    output: Output,
) -> None:
    """List the sentences that one more annotator should correct: where this changes the scores of SYSTEMs most."""
    note_idle_judging(corpus, [metric_of(metric)])
    loaded = load_systems(systems, corpus)
    with show_progress(run, "scoring") as run:
        bought = buy_references(corpus, loaded, count=count, metric=metric, edits=edits, run=run)
    output.show(bought)
