"""gecval annotate: from text to typed edits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from gecval.cli.effects import note_idle
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.languages import parsed_extractor, parses_option, words_option
from gecval.cli.options import language_option, run_options, tokenize_option
from gecval.cli.output import PATH, print_notes
from gecval.cli.progress_option import show_progress
from gecval.edits.annotate import annotate
from gecval.edits.extractors import extractor
from gecval.errors import InputError
from gecval.formats import load_corpus, write_corpus
from gecval.runtime.run import Run

EXAMPLES = """\b
Examples:
  gecval annotate src.txt corrected.txt -o gold.m2
  gecval annotate src.txt ref0.txt ref1.txt -o gold.m2 --edits en_core_web_lg
  gecval annotate src.txt korrigiert.txt -o gold.m2 --edits plain
  gecval annotate zh.txt zh.corrected.txt -o gold.m2 --edits cherrant
  gecval annotate src.txt corrected.txt -o gold.m2 --edits 'errant(merging="all-split")'
  gecval annotate it.txt it.corrected.txt -o gold.m2 --parses it.conllu --parses it.corrected.conllu
"""


@click.command("annotate", cls=Command, epilog=EXAMPLES)
@click.argument("source", type=INPUT)
@click.argument("corrected", type=INPUT, nargs=-1, required=True, metavar="CORRECTED...")
@click.option("-o", "--output", type=PATH, required=True, help="An .m2 or .jsonl file.")
@click.option(
    "--edits",
    "--model",
    "edits",
    default="errant",
    show_default=True,
    help="What finds the edits: errant, a spaCy model for errant, plain (any language, types M, R and U only), or an "
    "extractor of your own (module:Name).",
)
@language_option
@tokenize_option
@parses_option
@words_option
@run_options(models=False)
def command(
    source: Path,
    corrected: tuple[Path, ...],
    output: Path,
    edits: str,
    language: str | None,
    tokenize: str | None,
    parses: tuple[Path, ...],
    words: Path | None,
    run: Run,
) -> None:
    """Find the edits between SOURCE and each CORRECTED text. Each text is one annotator; ERRANT types the edits."""
    if output.suffix.lower() not in (".m2", ".jsonl"):
        raise InputError(f"{output}: edits are written as .m2 or .jsonl")
    texts = load_corpus(source, corrected, language=language, tokenize=tokenize)
    if parses:
        note_idle(["edits"], "with --parses")
        finder = parsed_extractor(texts, parses, words)
    else:
        note_idle(["words"], "without --parses")
        finder = extractor(edits)
    with show_progress(replace(run, jobs=run.threads), "finding edits") as run:
        corpus = annotate(texts, finder, run=run)
    write_corpus(corpus, output)
    print_notes(corpus.notes)
