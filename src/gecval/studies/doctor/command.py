"""gecval doctor: what is in a corpus, and what is suspicious?"""

from __future__ import annotations

from math import isnan
from pathlib import Path

import click

from gecval.cli.effects import note_idle, note_idle_missing
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import missing_annotator_option, run_options
from gecval.cli.output import EXACT, Output, output_options
from gecval.cli.progress_option import show_progress
from gecval.formats import Missing
from gecval.runtime.run import Run
from gecval.studies.doctor.fixing import FIX_NAMES
from gecval.studies.doctor.study import doctor_files

EXAMPLES = """\b
Examples:
  gecval doctor gold.m2
  gecval doctor out/AMU.txt out/CAMB.txt -r gold.m2
  gecval doctor src.txt ref0.txt ref1.txt --systems out/
  gecval doctor gold.m2 out/AMU.txt --fix preambles   out/AMU.fixed.txt
  gecval doctor gold.m2 --fix all                     gold.fixed.m2
  gecval doctor gold.m2 --strict || echo "look at it first"

\b
Exit status: 0; 2 where a file cannot be read. With --strict: 1 where something is suspicious.
"""


@click.command("doctor", cls=Command, everyday="--fix --full", epilog=EXAMPLES)
@click.argument("files", type=INPUT, nargs=-1, metavar="[FILE]...")
@click.option("-s", "--source", type=INPUT, help="Source sentences, where references are plain text.")
@click.option("-r", "--reference", "references", type=INPUT, multiple=True, help="References. Repeat for more.")
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
@click.option("--full", is_flag=True, help="Also say what each finding does to a score; and gold against itself.")
@click.option("--strict", is_flag=True, help="Exit with 1 where something is suspicious.")
@run_options(models=False)
@output_options(intervals=False)
def command(
    files: tuple[Path, ...],
    source: Path | None,
    references: tuple[Path, ...],
    systems: tuple[Path, ...],
    missing: Missing,
    fixes: tuple[str, ...],
    full: bool,
    strict: bool,
    run: Run,
    output: Output,
) -> None:
    """Say what is in a corpus and what is suspicious, what it does to a score, and how to fix it.

    FILE is gold that brings its source (.m2, .jsonl) and then outputs for it, or a source text and then its corrected
    texts, or one text; with -r, outputs only. An M2 file of one annotator, 0, after another counts as an output. No
    FILE is changed. Findings about outputs come first.
    """
    if source or references:  # as in other verbs; FILE are outputs then
        files, systems = (*([source] if source else []), *references), (*files, *systems)
    elif not files:
        raise click.MissingParameter(param_hint="'FILE'", param_type="argument", ctx=click.get_current_context())
    note_idle_missing(files[:1])
    if output.style in EXACT:
        note_idle(["full"], f"with --format {output.style}, which has everything")
    with show_progress(run, "looking") as run:
        diagnosis = doctor_files(
            files, systems, missing=missing, fixes=fixes, named=bool(source or references), run=run
        )
    if not full and all(isnan(finding.score) for finding in diagnosis):
        note_idle(["digits"], "here: no finding has a score")
    output.show(diagnosis, full=full)
    if diagnosis.holds_unreadable():
        click.get_current_context().exit(2)
    if strict and not diagnosis.healthy:
        click.get_current_context().exit(1)
