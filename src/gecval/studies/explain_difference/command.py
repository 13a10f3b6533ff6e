"""gecval explain-difference: why is my number not the paper's?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.effects import refuse_idle
from gecval.cli.inputs import INPUT
from gecval.cli.options import run_options
from gecval.cli.output import Output, output_options
from gecval.cli.progress import show_progress
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.runtime.run import Run
from gecval.studies.explain_difference.settings import list_corpora, load_first_corpus
from gecval.studies.explain_difference.study import explain_difference

EXAMPLES = """\b
Examples:
  gecval explain-difference 'gleu|n:4|…|gecval:0.1.0' 'gleu|n:3|…|gecval:0.1.0'
  gecval explain-difference mine.json theirs.json
  gecval explain-difference mine.json theirs.json out/AMU -r official-2014.0.m2 -r official-2014.combined.m2
"""


@click.command("explain-difference", epilog=EXAMPLES)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.argument("systems", type=INPUT, nargs=-1, metavar="[SYSTEM]...")
@click.option("-s", "--source", type=INPUT, help="Source sentences, where the references are plain text.")
@click.option(
    "-r",
    "--reference",
    "references",
    type=INPUT,
    multiple=True,
    help="References of A and of B; repeat for more. Which of them belong to A and to B is found by their hashes.",
)
@run_options(models=False)
@output_options(intervals=False)
def command(
    a: str,
    b: str,
    systems: tuple[Path, ...],
    source: Path | None,
    references: tuple[Path, ...],
    run: Run,
    output: Output,
) -> None:
    """Say why two scores differ. A and B are signatures in quotes, or JSON files of `gecval score --format json`.

    With the data (-r, and the outputs of SYSTEMs), settings go from A's to B's one at a time, and all is scored
    after each.
    """
    if not (references or source):
        if systems:
            raise InputError("to score systems step by step, give the data: -r, and -s for plain text")
        refuse_idle(["jobs"], "without data")
    corpora = list_corpora(source, references, run=run) if references or source else {}
    with show_progress(run, "scoring") as run:
        explained = explain_difference(
            a if "|" in a else Path(a),
            b if "|" in b else Path(b),
            corpora=corpora,
            systems=load_systems(systems, load_first_corpus(corpora)) if corpora and systems else (),
            run=run,
        )
    output.show(explained)
