"""gecval annotate: from text to typed edits."""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.options import language_option
from gecval.cli.output import PATH, print_notes
from gecval.cli.progress import progress_bar
from gecval.cores import cores
from gecval.edits.annotate import annotate
from gecval.edits.extractors import extractor
from gecval.errors import InputError
from gecval.formats import load_corpus, write_corpus

EXAMPLES = """\b
Examples:
  gecval annotate src.txt corrected.txt -o gold.m2
  gecval annotate src.txt ref0.txt ref1.txt -o gold.m2 --edits en_core_web_lg
  gecval annotate src.txt korrigiert.txt -o gold.m2 --plain
"""


@click.command("annotate", epilog=EXAMPLES)
@click.argument("source", type=PATH)
@click.argument("corrected", type=PATH, nargs=-1, required=True, metavar="CORRECTED...")
@click.option("-o", "--output", type=PATH, required=True, help="An .m2 or .jsonl file.")
@click.option(
    "--edits",
    "--model",
    "edits",
    default="errant",
    show_default=True,
    help="What finds the edits: errant, a spaCy model for errant, plain, or an extractor of your own (module:Name).",
)
@click.option("--plain", is_flag=True, help="The same as --edits plain: any language, no model, types M, R and U only.")
@language_option
@click.option("--jobs", type=click.IntRange(1, 4096), help="Processes; default: all cores.")
def command(
    source: Path,
    corrected: tuple[Path, ...],
    output: Path,
    edits: str,
    plain: bool,
    language: str | None,
    jobs: int | None,
) -> None:
    """Find the edits between SOURCE and each CORRECTED text, one annotator each, typed by ERRANT."""
    if output.suffix.lower() not in (".m2", ".jsonl"):
        raise InputError(f"{output}: edits are written as .m2 or .jsonl")
    with progress_bar("finding edits") as progress:
        corpus = annotate(
            load_corpus(source, corrected, language=language),
            extractor("plain" if plain else edits),
            jobs=jobs or cores(),
            progress=progress,
        )
    write_corpus(corpus, output)
    print_notes(corpus.notes)
