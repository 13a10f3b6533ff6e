"""gecval convert: between M2, JSONL and plain text."""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import lenient_option, missing_annotator_option
from gecval.cli.output import PATH, print_notes
from gecval.edits.annotate import annotate
from gecval.edits.extractors import extractor
from gecval.formats import Missing, load_files, output_kind, write_corpus

EXAMPLES = """\b
Examples:
  gecval convert gold.m2 -o texts/             texts/source.txt, texts/reference-0.txt, ...
  gecval convert src.txt ref0.txt ref1.txt -o gold.m2
  gecval convert gold.m2 -o gold.jsonl

\b
A text file has a line for every sentence, so it must say what an .m2 annotator without a line did. No file says it,
so you must: --missing-annotator agreed (right for the official CoNLL-14 file), or unchanged (right for Bryant & Ng's).
To .m2 and .jsonl the annotator stays absent.
"""


@click.command("convert", cls=Command, epilog=EXAMPLES)
@click.argument("inputs", type=INPUT, nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", type=PATH, required=True, help="An .m2 or .jsonl file, or a folder for plain texts.")
@missing_annotator_option("ask")
@lenient_option
def command(inputs: tuple[Path, ...], output: Path, missing: Missing, lenient: bool) -> None:
    """Convert INPUT (one file with sources and references, or a source text and its corrected texts) to OUTPUT."""
    kind = output_kind(output)
    if missing == "ask" and kind != "texts":
        missing = "absent"
    corpus = load_files(inputs, missing=missing, lenient=lenient)
    write_corpus(annotate(corpus, extractor("plain")) if kind == "m2" else corpus, output)
    print_notes(corpus.notes)
