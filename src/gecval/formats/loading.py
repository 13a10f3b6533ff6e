"""From paths, as given on a command line, to a Corpus and its Systems."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gecval.clusters import Cluster
from gecval.corpus import Corpus, Reference, System
from gecval.errors import InputError
from gecval.formats.files import read_sentences, readable, unzipped_name
from gecval.formats.imeasure_xml import read_imeasure_xml
from gecval.formats.jsonl import read_corpus_jsonl, read_hypotheses_jsonl
from gecval.formats.kinds import HOLD_EDITS, brings_source, kind_of, may_be_output
from gecval.formats.lengths import check_lengths, check_same_source
from gecval.formats.m2 import Missing, read_m2

AnyPath = str | Path

# What the names of outputs end in. Other dots belong to the name: GPT-3.5, nts.t7_12_h1 and nts.t7_12_h2.
OUTPUTS = (".txt", ".text", ".out", ".output", ".hyp", ".pred", ".tok", ".1best", ".1rerank")


def load_corpus(
    source: AnyPath | Corpus | None = None,
    references: AnyPath | Sequence[AnyPath] = (),
    *,
    missing: Missing = "absent",
    language: str | None = None,
    jobs: int | None = None,
) -> Corpus:
    """Source and references from files: ``.m2``, ``.jsonl`` and ``.xml`` bring their own source, others are texts.

    The source may also be that of a corpus already loaded. ``language`` is a code such as ``en``; where it is not
    given, judges of one language look at the text itself.
    """
    if isinstance(references, str | Path):
        references = [references]
    settings: dict[str, Any] = {"missing": missing, "language": language, "jobs": jobs}
    if isinstance(source, Corpus):
        settings["language"] = language or source.language
        return _gather(list(source.sources), Path(source.origin), list(map(Path, references)), **settings)
    file = None if source is None else Path(source)
    if file and brings_source(file):
        raise InputError(
            f"{file} brings its own source: give it as a reference, and leave out the source",
            parameter=("references", "source"),
        )
    texts = read_sentences(file) if file else None
    return _gather(texts, file, list(map(Path, references)), **settings)


def load_files(paths: Sequence[AnyPath], *, missing: Missing = "absent") -> Corpus:
    """A corpus from one file that holds source and references, or from a source text and its corrected texts."""
    first, *others = map(Path, paths)
    if brings_source(first):
        if others:
            raise InputError(f"give {first} alone, or a source text followed by its corrected texts")
        return load_corpus(None, [first], missing=missing)
    if not others:
        raise InputError(f"{first} is plain text; give its corrected texts after it")
    return load_corpus(first, others, missing=missing)


class _Loaded(NamedTuple):
    """What one file of references says."""

    sources: list[str] | None  # None: the file is text, and has no source of its own
    references: Sequence[list[Reference]]
    notes: Sequence[str] = ()
    clusters: list[list[Cluster]] | None = None


def _gather(
    sources: list[str] | None,
    origin: Path | None,
    references: list[Path],
    *,
    missing: Missing,
    language: str | None,
    jobs: int | None,
) -> Corpus:
    """The corpus of a source and the references of all files, each annotator after the other."""
    gathered: Sequence[list[Reference]] = []
    notes: list[str] = []
    clusters: list[list[Cluster]] | None = None
    for path in references:
        loaded = _read(path, missing=missing, jobs=jobs)
        if sources is None or origin is None:
            if loaded.sources is None:
                raise InputError(f"{path} is plain text, so the source is needed too", parameter="source")
            sources, origin = loaded.sources, path
        if loaded.sources is None:
            texts = [reference.text or "" for [reference] in loaded.references]
            check_lengths(path, texts, sources=sources, origin=origin)
        elif loaded.sources is not sources:
            check_same_source(path, loaded.sources, sources=sources, origin=origin)
        pairs = zip(gathered, loaded.references, strict=True)
        gathered = [[*before, *new] for before, new in pairs] if gathered else loaded.references
        notes += loaded.notes
        # A file's own grouping holds for its edits alone, not for those of other references beside it.
        clusters = loaded.clusters if len(references) == 1 else None
    if sources is None:
        raise InputError(
            "the source is missing: give it, or references that bring their own (.m2, .jsonl or .xml)",
            parameter=("source", "references"),
        )
    return Corpus(
        sources,
        gathered or [[] for _ in sources],
        notes=tuple(notes),
        origin=str(origin),
        clusters=clusters,
        language=language,
    )


def _read(path: Path, *, missing: Missing, jobs: int | None) -> _Loaded:
    kind = kind_of(path)
    if kind == "m2":
        file = read_m2(path, jobs=jobs)
        return _Loaded(file.sources, file.references(missing), file.notes(missing))
    if kind == "jsonl":
        return _Loaded(*read_corpus_jsonl(path))
    if kind == "xml":
        sources, references, clusters = read_imeasure_xml(path)
        return _Loaded(sources, references, clusters=clusters)
    annotator = _printable(path.name)
    texts = read_sentences(path)
    _check_tabs(path, texts)
    return _Loaded(None, [[Reference(text, annotator=annotator)] for text in texts])


def _check_tabs(path: Path, texts: Sequence[str]) -> None:
    """Refuse a file with several references in a line, as GECCC and MuCGEC have them: read as one, it is too long."""
    for number, text in enumerate(texts, start=1):
        if "\t" in text:
            raise InputError(
                f"{path}: line {number} holds a tab, so it seems to hold several references; "
                "give each reference as a file of its own (cut -f1, cut -f2, ...)"
            )


def load_systems(paths: AnyPath | Sequence[AnyPath], corpus: Corpus) -> list[System]:
    """The systems of text files with one output a line, ``.jsonl`` files, or folders of them.

    Files of a folder that cannot be outputs, such as a README, are skipped; a note of the first system says which.
    """
    systems: dict[str, System] = {}
    for path in map(Path, [paths] if isinstance(paths, str | Path) else paths):
        files, notes = _output_files(path)
        for file in files:
            unit = "sentence" if brings_source(file) else "line"
            for name, hypotheses in _outputs(file).items():
                check_lengths(file, hypotheses, sources=corpus.sources, origin=corpus.origin, unit=unit)
                if name in systems:
                    raise InputError(f"two systems are named {name!r} ({file} is the second); rename one")
                systems[name] = corpus.system(name, hypotheses, notes=notes)
                notes = ()
    return list(systems.values())


def _output_files(path: Path) -> tuple[list[Path], tuple[str, ...]]:
    """The file, or the files of a folder, with a note on those that were skipped."""
    with readable(path):
        if not path.is_dir():
            return [path], ()
        listed = sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
        files = [file for file in listed if may_be_output(file) and kind_of(file) not in HOLD_EDITS]
    skipped = ", ".join(_printable(file.name) for file in listed if file not in files)
    if not files:
        raise InputError(f"{path} is a folder without outputs" + (f"; it holds {skipped}" if skipped else ""))
    return files, (f"{path}: {skipped} skipped: not an output",) if skipped else ()


def _outputs(path: Path) -> dict[str, list[str]]:
    """The outputs in a file, by the name of their system."""
    kind = kind_of(path)
    if kind in HOLD_EDITS:
        raise InputError(
            f"{path} holds edits, and a system's output is plain text; is it a reference?", parameter="references"
        )
    return read_hypotheses_jsonl(path) if kind == "jsonl" else {system_name(path): read_sentences(path)}


def system_name(path: Path) -> str:
    """What a file of outputs calls its system.

    >>> [system_name(Path(name)) for name in ("out/AMU.txt", "GPT-3.5", "mine.v2.txt.gz")]
    ['AMU', 'GPT-3.5', 'mine.v2']
    """
    path = unzipped_name(path)
    return _printable(path.stem if path.suffix.lower() in OUTPUTS else path.name)


def _printable(name: str) -> str:
    """A file name as text. It need not be Unicode, and may hold codes that move a terminal's cursor."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join("\ufffd" if unicodedata.category(c) == "Cc" else c for c in text)
