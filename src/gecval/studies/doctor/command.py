"""gecval doctor: what is in a corpus, and what is suspicious?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.effects import refuse_idle_missing
from gecval.cli.inputs import INPUT
from gecval.cli.options import missing_annotator_option, run_options
from gecval.cli.output import Output, output_options
from gecval.cli.progress import show_progress
from gecval.formats import Missing
from gecval.runtime.run import Run
from gecval.studies.doctor.fixing import FIX_NAMES
from gecval.studies.doctor.study import doctor_files

EXAMPLES = """\b
Examples:
  gecval doctor gold.m2
  gecval doctor gold.m2 out/AMU.txt out/CAMB.txt
  gecval doctor src.txt ref0.txt ref1.txt --systems out/
  gecval doctor gold.m2 out/AMU.txt --fix preambles   out/AMU.fixed.txt
  gecval doctor gold.m2 --fix all                     gold.fixed.m2
  gecval doctor gold.m2 --strict || echo "look at it first"

\b
Exit status: 0; 2 for bad input. With --strict: 1 where something is suspicious.
"""


@click.command("doctor", epilog=EXAMPLES)
@click.argument("files", type=INPUT, nargs=-1, required=True, metavar="FILE...")
@click.option("--systems", type=INPUT, multiple=True, help="Outputs for these sources, or a folder of them. Repeat.")
@missing_annotator_option("absent")
@click.option(
    "--fix",
    "fixes",
    type=click.Choice(FIX_NAMES),
    multiple=True,
    metavar="NAME",
    help="Write a fixed copy of each file next to it. The findings name the fixes; 'all' is all of these. Repeat.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 where something is suspicious.")
@run_options(models=False)
@output_options(intervals=False)
def command(
    files: tuple[Path, ...],
    systems: tuple[Path, ...],
    missing: Missing,
    fixes: tuple[str, ...],
    strict: bool,
    run: Run,
    output: Output,
) -> None:
    """Say what is in a corpus and what is suspicious, what it does to a score, and how to fix it.

    FILE is gold that brings its source (.m2, .jsonl) and then outputs for it, or a source text and then its corrected
    texts, or one text. No FILE is changed.
    """
    refuse_idle_missing(files[:1])
    with show_progress(run, "looking") as run:
        diagnosis = doctor_files(files, systems, missing=missing, fixes=fixes, run=run)
    output.show(diagnosis)
    if strict and not diagnosis.healthy:
        click.get_current_context().exit(1)
