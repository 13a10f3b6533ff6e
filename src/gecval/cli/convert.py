"""gecval convert: between M2, JSONL and plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from gecval.cli.options import missing_annotator_option
from gecval.cli.output import PATH, print_notes
from gecval.corpus import Corpus, Reference
from gecval.edits import plain_edits
from gecval.errors import InputError
from gecval.formats import Missing, jsonl_lines, load_corpus, m2_lines, write_files
from gecval.formats.loading import brings_source

EXAMPLES = """\b
Examples:
  gecval convert gold.m2 -o texts/             texts/source.txt, texts/reference-0.txt, ...
  gecval convert src.txt ref0.txt ref1.txt -o gold.m2
  gecval convert gold.m2 -o gold.jsonl

\b
What an .m2 annotator without a line did cannot stay open in a text file. By default it is inferred: where the
file marks unchanged sentences by noop, a silent annotator was dropped because the two agreed (as in the official
CoNLL-14 file); where it has no noop at all, a silent annotator changed nothing (as in Bryant & Ng's).
"""


@click.command("convert", epilog=EXAMPLES)
@click.argument("inputs", type=PATH, nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", type=PATH, required=True, help="An .m2 or .jsonl file, or a folder for plain texts.")
@missing_annotator_option("inferred")
def command(inputs: tuple[Path, ...], output: Path, missing: Missing) -> None:
    """Convert INPUT (one .m2, .jsonl or .xml file, or a source text and its corrected texts) to the kind of OUTPUT."""
    kind = output.suffix.lower()
    if kind == ".gz":
        raise InputError(f"{output}: gzipped files are read, not written; gzip the result")
    corpus = _load(inputs, missing)
    if kind == ".m2":
        write_files({output: m2_lines(_with_edits(corpus))})
    elif kind == ".jsonl":
        write_files({output: jsonl_lines(corpus)})
    else:
        if kind == ".txt" or (output.exists() and not output.is_dir()):
            raise InputError(f"{output} is a file; plain texts go to a folder (or name it .m2 or .jsonl)")
        write_files(_texts(corpus, output, missing))
    print_notes(corpus.notes)


def _load(inputs: tuple[Path, ...], missing: Missing) -> Corpus:
    first, *others = inputs
    if brings_source(first):
        if others:
            raise InputError(f"give {first} alone, or a source text followed by its corrected texts")
        return load_corpus(None, [first], missing=missing)
    if not others:
        raise InputError(f"{first} is plain text; give its corrected texts after it")
    return load_corpus(first, others, missing=missing)


def _with_edits(corpus: Corpus) -> Corpus:
    """The corpus with plain token edits where a reference has only text; then annotators are numbered, as M2 wants."""
    named = corpus.has_edits()
    references = []
    for i, source in enumerate(corpus.sources):
        tokens = source.split()
        annotators = _annotators(corpus.references[i], named=named)
        references.append(
            [
                Reference(text, plain_edits(tokens, text.split()) if one.edits is None else one.edits, annotator)
                for annotator, one, text in zip(annotators, corpus.references[i], corpus.texts_of(i), strict=True)
            ]
        )
    return Corpus(corpus.sources, references, corpus.notes)


def _texts(corpus: Corpus, folder: Path, missing: Missing) -> dict[Path, Iterable[str]]:
    """File by file: the source, and one text for each annotator."""
    listed = [_annotators(references) for references in corpus.references]
    annotators = max(listed, key=len)
    if any(others != annotators for others in listed):
        raise InputError(
            "some sentences lack some annotators, which plain text cannot say; "
            f"choose what they did with --missing-annotator (not {missing})"
        )
    texts = [corpus.texts_of(i) for i in range(len(corpus))]
    files: dict[Path, Iterable[str]] = {folder / "source.txt": corpus.sources}
    for a, annotator in enumerate(annotators):
        if "/" in annotator:
            raise InputError(f"the annotator {annotator!r} cannot be part of a file name")
        files[folder / f"reference-{annotator}.txt"] = [text[a] for text in texts]
    return files


def _annotators(references: Sequence[Reference], *, named: bool = True) -> list[str]:
    """Their names, or numbers where two have the same (each of two files may have an annotator 0)."""
    names = [reference.annotator for reference in references]
    return names if named and len(set(names)) == len(names) else [str(number) for number in range(len(names))]
