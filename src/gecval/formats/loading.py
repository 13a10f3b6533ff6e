"""From paths, as given on a command line, to a Corpus and its Systems."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz, process

from gecval.clusters import Cluster
from gecval.corpus import Corpus, Reference, System
from gecval.errors import InputError
from gecval.formats.files import read_sentences, unzipped_name
from gecval.formats.imeasure_xml import read_imeasure_xml
from gecval.formats.jsonl import read_corpus_jsonl, read_hypotheses_jsonl
from gecval.formats.m2 import Missing, read_m2

AnyPath = str | Path

EDITS = (".m2", ".xml")  # they hold edits, and with .jsonl bring their own source
# What the names of outputs end in. Other dots belong to the name: GPT-3.5, nts.t7_12_h1 and nts.t7_12_h2.
OUTPUTS = (".txt", ".text", ".out", ".output", ".hyp", ".pred", ".tok", ".1best", ".1rerank")


def load_corpus(
    source: AnyPath | Corpus | None = None,
    references: Sequence[AnyPath] = (),
    *,
    missing: Missing = "absent",
    jobs: int | None = None,
) -> Corpus:
    """Source and references from files: ``.m2``, ``.jsonl`` and ``.xml`` bring their own source, others are texts.

    The source may also be that of a corpus already loaded.
    """
    if isinstance(source, Corpus):
        return _gather(list(source.sources), Path(source.origin), references, missing, jobs)
    origin = None if source is None else Path(source)
    if origin and brings_source(origin):
        raise InputError(
            f"{origin} brings its own source: give it as a reference, and leave out the source",
            parameter=("references", "source"),
        )
    return _gather(read_sentences(origin) if origin else None, origin, references, missing, jobs)


def brings_source(path: Path) -> bool:
    """Whether a file holds its own source sentences, by its name; texts do not."""
    return _kind(path) in (*EDITS, ".jsonl")


def _kind(path: Path) -> str:
    return unzipped_name(path).suffix.lower()


def _gather(
    sources: list[str] | None, origin: Path | None, references: Sequence[AnyPath], missing: Missing, jobs: int | None
) -> Corpus:
    gathered: Sequence[list[Reference]] = []
    listed: Sequence[list[Reference]]
    notes = []
    clusters: list[list[Cluster]] | None = None
    for path in map(Path, references):
        kind = _kind(path)
        if kind == ".m2":
            file = read_m2(path, jobs=jobs)
            found, listed = file.sources, file.references(missing)
            notes += file.notes(missing)
        elif kind == ".jsonl":
            found, listed = read_corpus_jsonl(path)
        elif kind == ".xml":
            found, listed, clusters = read_imeasure_xml(path)
        else:
            texts = read_sentences(path)
            if sources is None or origin is None:
                raise InputError(f"{path} is plain text, so the source is needed too", parameter="source")
            check_lengths(path, texts, origin, sources)
            found, listed = sources, [[Reference(text, annotator=_printable(path.name))] for text in texts]
        if sources is None or origin is None:
            sources, origin = found, path
        if found is not sources:
            _check_same_source(path, found, origin, sources)
        gathered = [[*a, *b] for a, b in zip(gathered, listed, strict=True)] if gathered else listed
    if sources is None:
        raise InputError(
            "the source is missing: give it, or references that bring their own (.m2, .jsonl or .xml)",
            parameter=("source", "references"),
        )
    # A file's own grouping holds for its edits alone, not for those of other references beside it.
    own = clusters if len(references) == 1 else None
    return Corpus(sources, gathered or [[] for _ in sources], tuple(notes), str(origin), clusters=own)


def load_systems(paths: Sequence[AnyPath], corpus: Corpus) -> list[System]:
    """Each path is a text file with one output a line, a .jsonl file, or a folder of text files."""
    systems: dict[str, System] = {}
    for path in map(Path, paths):
        files = sorted(p for p in path.iterdir() if p.is_file() and p.name[0] != ".") if path.is_dir() else [path]
        if not files:
            raise InputError(f"{path} is a folder without files")
        for file in files:
            if _kind(file) in EDITS:
                raise InputError(
                    f"{file} holds edits, and a system's output is plain text; is it a reference?",
                    parameter="references",
                )
            jsonl = _kind(file) == ".jsonl"
            outputs = read_hypotheses_jsonl(file) if jsonl else {system_name(file): read_sentences(file)}
            for name, hypotheses in outputs.items():
                check_lengths(file, hypotheses, corpus.origin, corpus.sources)
                if name in systems:
                    raise InputError(f"two systems are named {name!r} ({file} is the second); rename one")
                systems[name] = corpus.system(name, hypotheses)
    return list(systems.values())


def system_name(path: Path) -> str:
    """What a file of outputs calls its system.

    >>> [system_name(Path(name)) for name in ("out/AMU.txt", "GPT-3.5", "mine.v2.txt.gz")]
    ['AMU', 'GPT-3.5', 'mine.v2']
    """
    path = unzipped_name(path)
    return _printable(path.stem if path.suffix.lower() in OUTPUTS else path.name)


def _printable(name: str) -> str:
    """A file name, which need not be Unicode and may hold codes that move a terminal's cursor, as text."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join("\ufffd" if unicodedata.category(c) == "Cc" else c for c in text)


def check_lengths(path: Path, lines: Sequence[str], source: Path | str, sources: Sequence[str]) -> None:
    """Refuse a file with more or fewer lines than the source, saying where the two seem to part."""
    if len(lines) == len(sources):
        return
    unit = "sentence" if brings_source(path) else "line"
    part = parting_line(lines, sources)
    where = f"after {unit} {part}" if part else f"at the first {unit}"
    raise InputError(f"{path} has {len(lines)} {unit}s, {source} {len(sources)}; they part {where}")


def parting_line(lines: Sequence[str], sources: Sequence[str]) -> int:
    """After how many lines one file goes out of step, taking a single gap: where likeness before plus likeness after,
    with the rest shifted, is greatest."""
    common = min(len(lines), len(sources))
    shift = len(sources) - len(lines)

    def likeness(a: Sequence[str], b: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return process.cpdist(a[:common], b[:common], scorer=fuzz.ratio, dtype=np.float64).astype(np.float64)

    before = likeness(lines, sources)
    after = likeness(lines[max(0, -shift) :], sources[max(0, shift) :])
    gain = np.concatenate([[0.0], np.cumsum(before)]) + np.concatenate([np.cumsum(after[::-1])[::-1], [0.0]])
    return int(np.argmax(gain))


def _check_same_source(path: Path, found: Sequence[str], origin: Path, sources: Sequence[str]) -> None:
    check_lengths(path, found, origin, sources)
    for number, (mine, theirs) in enumerate(zip(sources, found, strict=True), start=1):
        if mine.split() != theirs.split():
            raise InputError(f"{path}: sentence {number} differs from {origin}: {theirs[:60]!r} against {mine[:60]!r}")
