"""A corpus as files: M2, JSONL, or a folder of plain texts. The name of the output says what to write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from gecval.corpus import Corpus
from gecval.corpus.references import Reference
from gecval.errors import InputError
from gecval.formats.files import write_files
from gecval.formats.jsonl import jsonl_lines
from gecval.formats.m2_files import m2_lines

Output = Literal["m2", "jsonl", "texts"]


def refuse_gzipped(path: Path) -> None:
    if path.suffix.lower() == ".gz":
        raise InputError(f"{path}: gzipped files are read, not written; gzip the result")


def output_kind(path: Path) -> Output:
    """What a name asks for. An invalid name is refused, before anything slow begins."""
    suffix = path.suffix.lower()
    refuse_gzipped(path)
    if suffix == ".m2":
        return "m2"
    if suffix == ".jsonl":
        return "jsonl"
    if suffix == ".txt" or (path.exists() and not path.is_dir()):
        raise InputError(f"{path} is a file; plain texts go to a folder (or name it .m2 or .jsonl)")
    if suffix[1:].isalpha() and not path.is_dir():
        raise InputError(f"{path}: no {suffix} is written; name it .m2 or .jsonl, or give a folder for plain texts")
    return "texts"


def write_corpus(corpus: Corpus, path: str | Path) -> None:
    """Write a corpus. All files are written, or none.

    Parameters
    ----------
    corpus
        What to write. M2 needs edits: :func:`annotate` finds them.
    path
        A name that ends in ``.m2`` or ``.jsonl``, or a folder for texts: ``source.txt``, ``reference-0.txt``, …

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> corpus = Corpus.from_texts(["He go home ."], [["He goes home ."]])
    >>> with TemporaryDirectory() as folder:
    ...     write_corpus(corpus, folder)
    ...     print(Path(folder, "reference-0.txt").read_text())
    He goes home .
    <BLANKLINE>
    """
    write_files(corpus_files(corpus, Path(path)))


def corpus_files(corpus: Corpus, path: Path) -> dict[Path, Iterable[str]]:
    """The lines of each file that a corpus is written to."""
    kind = output_kind(path)
    if kind == "m2" and not corpus.has_edits():
        raise InputError("M2 needs edits, and some references are only text: annotate them first")
    if kind == "m2":
        return {path: m2_lines(_numbered(corpus))}
    if kind == "jsonl":
        return {path: jsonl_lines(_numbered(corpus) if corpus.extractor else corpus)}
    return _texts(corpus, path)


def _numbered(corpus: Corpus) -> Corpus:
    """The corpus with annotators as M2 has them: numbers in the place of the names of files, and of equal names."""
    references = [
        [
            replace(reference, annotator=annotator)
            for reference, annotator in zip(listed, _annotators(listed, named=not corpus.extractor), strict=True)
        ]
        for listed in corpus.references
    ]
    return Corpus(corpus.sources, references, extractor=corpus.extractor)


def _texts(corpus: Corpus, folder: Path) -> dict[Path, Iterable[str]]:
    """File by file: the source, and one text for each annotator."""
    listed = [_annotators(references) for references in corpus.references]
    annotators = max(listed, key=len)
    if any(others != annotators for others in listed):
        raise InputError(
            "some sentences lack some annotators, which plain text cannot say; choose what they did, and not 'absent'",
            parameter="missing",
        )
    texts = [corpus.texts_of(i) for i in range(len(corpus))]
    files: dict[Path, Iterable[str]] = {folder / "source.txt": corpus.sources}
    for place, annotator in enumerate(annotators):
        if "/" in annotator:
            raise InputError(f"the annotator {annotator!r} cannot be part of a file name")
        files[folder / f"reference-{annotator}.txt"] = [text[place] for text in texts]
    return files


def _annotators(references: Sequence[Reference], *, named: bool = True) -> list[str]:
    """Their names, or numbers where two have the same: each of two files may have an annotator 0."""
    names = [reference.annotator for reference in references]
    return names if named and len(set(names)) == len(names) else [str(number) for number in range(len(names))]
