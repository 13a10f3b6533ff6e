"""gecval doctor agreement: how far do the annotators agree?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.effects import note_idle, note_idle_missing
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import edits_option, missing_annotator_option, resampling_options, run_options
from gecval.cli.output import Output, output_options
from gecval.cli.progress_option import show_progress
from gecval.formats import Missing, load_files
from gecval.metrics.error_types import DETAILS, Detail
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.studies.agreement.study import FAR, agreement

EXAMPLES = """\b
Examples:
  gecval doctor agreement gold.m2
  gecval doctor agreement anna.m2 ben.m2
  gecval doctor agreement official-2014.combined.m2 --missing-annotator agreed
  gecval doctor agreement src.txt anna.txt ben.txt carla.txt --detail full --format json
"""


@click.command("agreement", cls=Command, everyday="--missing-annotator", epilog=EXAMPLES)
@click.argument("inputs", type=INPUT, nargs=-1, required=True, metavar="GOLD...")
@missing_annotator_option("absent")
@click.option(
    "--far",
    type=click.FloatRange(min=0),
    default=FAR,
    show_default=True,
    help="How much lower F with the others must be than F among them, beyond chance, to make an outlier.",
)
@click.option("--detail", type=click.Choice(DETAILS), default="category", show_default=True, help="How fine types are.")
@edits_option(None)
@resampling_options()
@run_options(models=False)
@output_options()
def command(
    inputs: tuple[Path, ...],
    missing: Missing,
    far: float,
    detail: Detail,
    edits: str | None,
    resampling: Resampling,
    run: Run,
    output: Output,
) -> None:
    """Say how far annotators agree, and on which sentences they differ most.

    GOLD is one or more files that bring their source (.m2, .jsonl), or a source and its corrected texts.
    """
    note_idle_missing(inputs)
    corpus = load_files(inputs, missing=missing)
    if corpus.has_edits():
        note_idle(["edits"], "with references that bring their edits")
    with show_progress(run, "comparing") as run:
        agreed = agreement(
            corpus,
            far=far,
            detail=detail,
            confidence=resampling,
            edits=edits,
            run=run,
        )
    output.show(agreed)
