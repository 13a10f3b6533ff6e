"""gecval convert: between M2, JSONL and plain text."""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.effects import refuse_idle
from gecval.cli.inputs import INPUT
from gecval.cli.options import lenient_option, missing_annotator_option
from gecval.cli.output import PATH, print_notes
from gecval.corpus import Corpus
from gecval.edits.annotate import annotate
from gecval.edits.extractors import extractor
from gecval.formats import Missing, load_files, output_kind, read_sentences, write_corpus, write_files
from gecval.formats.fixes import FIXES, fix_corpus, fix_text
from gecval.formats.kinds import ESSAY, brings_source
from gecval.formats.writing import refuse_gzipped

EXAMPLES = """\b
Examples:
  gecval convert gold.m2 -o texts/             texts/source.txt, texts/reference-0.txt, ...
  gecval convert src.txt ref0.txt ref1.txt -o gold.m2
  gecval convert gold.m2 -o gold.jsonl
  gecval convert gold.m2 -o fixed.m2 --fix duplicates --fix nfc
  gecval convert out.txt -o fixed.txt --fix tokens

\b
A text file has a line for every sentence, so it must say what an .m2 annotator without a line did. No file says it,
so you must: --missing-annotator agreed (right for the official CoNLL-14 file), or unchanged (right for Bryant & Ng's).
To .m2 and .jsonl the annotator stays absent.
"""


@click.command("convert", epilog=EXAMPLES)
@click.argument("inputs", type=INPUT, nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", type=PATH, required=True, help="An .m2 or .jsonl file, or a folder for plain texts.")
@missing_annotator_option("ask")
@lenient_option
@click.option(
    "--fix",
    "fixes",
    type=click.Choice(FIXES),
    multiple=True,
    help="Fix what gecval doctor finds. A text alone may be fixed too. Repeat for more.",
)
def command(inputs: tuple[Path, ...], output: Path, missing: Missing, lenient: bool, fixes: tuple[str, ...]) -> None:
    """Convert INPUT (one file with sources and references, or a source text and its corrected texts) to OUTPUT."""
    alone = len(inputs) == 1 and not brings_source(inputs[0])
    if fixes and alone and output.suffix.lower() not in (".m2", ".jsonl"):
        refuse_idle(["missing", "lenient"], "for a text that is fixed alone")
        _fix_lines(inputs[0], output, fixes)
        return
    kind = output_kind(output)
    if missing == "ask" and kind != "texts":
        missing = "absent"
    corpus = load_files(inputs, missing=missing, lenient=lenient)
    if fixes:
        corpus = _fixed(corpus, fixes)
    write_corpus(annotate(corpus, extractor("plain")) if kind == "m2" else corpus, output)
    print_notes(corpus.notes)


def _fix_lines(text: Path, output: Path, fixes: tuple[str, ...]) -> None:
    """Fix a text that comes alone, such as a system's output. Its columns and its marks of essays stay."""
    refuse_gzipped(output)
    lines = read_sentences(text)
    fixed = [
        line if line.startswith(ESSAY) else "\t".join(fix_text(cell, fixes) for cell in line.split("\t"))
        for line in lines
    ]
    if fixed == lines:
        refuse_idle(["fixes"], f"here: {text} has nothing of the kind")
    write_files({output: fixed})


def _fixed(corpus: Corpus, fixes: tuple[str, ...]) -> Corpus:
    fixed = fix_corpus(corpus, fixes)
    if list(fixed.sources) == list(corpus.sources) and list(fixed.references) == list(corpus.references):
        refuse_idle(["fixes"], f"here: {corpus.origin} has nothing of the kind")
    return fixed
