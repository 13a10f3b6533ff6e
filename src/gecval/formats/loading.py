"""From paths, as given on a command line, to a Corpus and its Systems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gecval.clusters import Cluster
from gecval.corpus import Corpus, Reference, System
from gecval.edit import Edit, apply_edits
from gecval.errors import InputError
from gecval.formats.essays import PLACEHOLDER, in_order, read_essays
from gecval.formats.faults import is_fault
from gecval.formats.files import printable, read_sentences, readable, unzipped_name
from gecval.formats.jsonl import read_hypotheses_jsonl
from gecval.formats.kinds import HOLD_EDITS, brings_source, kind_of, may_be_output
from gecval.formats.lengths import check_lengths, check_same_source
from gecval.formats.m2 import Missing, read_m2
from gecval.formats.presets import preset_named
from gecval.formats.reading import Known, read_references
from gecval.formats.realign import realign_lines
from gecval.formats.tabular import is_tabular, outputs_beside
from gecval.tokenization import characters

AnyPath = str | Path

# What the names of outputs end in. Other dots belong to the name: GPT-3.5, nts.t7_12_h1 and nts.t7_12_h2.
OUTPUTS = (".txt", ".text", ".out", ".output", ".hyp", ".pred", ".tok", ".1best", ".1rerank", ".m2", ".md", ".para")


def load_corpus(
    source: AnyPath | Corpus | None = None,
    references: AnyPath | Sequence[AnyPath] = (),
    *,
    missing: Missing | None = None,
    preset: str | None = None,
    lenient: bool = False,
    language: str | None = None,
    tokenize: str | None = None,
    jobs: int | None = None,
) -> Corpus:
    """Source and references from files: ``.m2``, ``.jsonl``, ``.xml`` and others bring their own source, or are texts.

    The source may also be that of a corpus already loaded. ``missing`` says what an annotator without a line did, by
    default ``absent``, or what ``preset`` says (``multigec``). ``lenient`` drops what a file has wrong, and notes it.
    ``language`` is a code such as ``en``; where it is not given, judges of one language look at the text itself.
    ``tokenize="char"`` cuts all texts into characters, those of systems too.
    """
    if isinstance(references, str | Path):
        references = [references]
    if preset is not None:
        missing = missing or preset_named(preset).missing
    settings: dict[str, Any] = {
        "missing": missing or "absent",
        "lenient": lenient,
        "language": language,
        "tokenize": tokenize,
        "jobs": jobs,
    }
    paths = list(map(Path, references))
    if isinstance(source, Corpus):
        settings |= {"language": language or source.language, "tokenize": tokenize or source.tokenize}
        known = Known(sources=list(source.sources), essays=source.essays)
        return _gather(known, Path(source.origin), paths, **settings)
    file = None if source is None else Path(source)
    if file and brings_source(file):
        raise InputError(
            f"{file} brings its own source: give it as a reference, and leave out the source",
            parameter=("references", "source"),
        )
    if file and kind_of(file) == "essays":
        essays, notes = read_essays(file)
        known = Known(sources=list(essays.values()), essays=tuple(essays))
        return _gather(known, file, paths, notes=notes, **settings)
    return _gather(Known(sources=_source(file) if file else None), file, paths, **settings)


def _source(path: Path) -> list[str]:
    """The sentences of a text. Read as one, a file with columns would give wrong scores without a word."""
    sentences = read_sentences(path)
    if len(sentences) > 1 and all("\t" in sentence for sentence in sentences):  # one line shows no columns
        raise InputError(
            f"{path} has a tab in every line, and a source has one text a line; if it holds references too, give it as "
            "a reference, and leave out the source",
            parameter=("source", "references"),
        )
    return sentences


def load_files(paths: Sequence[AnyPath], *, missing: Missing | None = None, lenient: bool = False) -> Corpus:
    """A corpus from one file that holds source and references, or from a source text and its corrected texts."""
    first, *others = map(Path, paths)
    if brings_source(first) or (not others and is_tabular(first)):
        if others:
            raise InputError(f"give {first} alone, or a source text followed by its corrected texts")
        return load_corpus(None, [first], missing=missing, lenient=lenient)
    if not others:
        raise InputError(f"{first} is plain text; give its corrected texts after it")
    return load_corpus(first, others, missing=missing, lenient=lenient)


def _gather(
    known: Known,
    origin: Path | None,
    references: list[Path],
    *,
    missing: Missing,
    lenient: bool,
    language: str | None,
    tokenize: str | None,
    jobs: int | None,
    notes: Sequence[str] = (),
) -> Corpus:
    """The corpus of a source and the references of all files, each annotator after the other."""
    sources = known.sources
    gathered: Sequence[list[Reference]] = []
    said = list(notes)
    clusters: list[list[Cluster]] | None = None
    for path in references:
        known = Known(sources=sources, essays=known.essays, references=gathered)
        loaded = read_references(path, known, missing=missing, lenient=lenient, jobs=jobs)
        if sources is None or origin is None:
            if loaded.sources is None:
                raise InputError(f"{path} is plain text, so the source is needed too", parameter="source")
            sources, origin = loaded.sources, path
        if loaded.sources is None:
            texts = [reference.text or "" for [reference, *_] in map(_at_least_one, loaded.references)]
            check_lengths(path, texts, sources=sources, origin=origin)
        elif loaded.sources is not sources:
            check_same_source(path, loaded.sources, sources=sources, origin=origin, blanks=tokenize is None)
        pairs = zip(gathered, loaded.references, strict=True)
        gathered = [[*before, *new] for before, new in pairs] if gathered else loaded.references
        said += loaded.notes
        # A file's own grouping holds for its edits alone, not for those of other references beside it.
        clusters = loaded.clusters if len(references) == 1 else None
    if sources is None:
        raise InputError(
            "the source is missing: give it, or references that bring their own (.m2, .jsonl or .xml)",
            parameter=("source", "references"),
        )
    if lenient and not any(map(is_fault, said)):
        said.append("lenient reading dropped nothing: no fault was found in the references")
    return Corpus(
        sources,
        gathered or [[] for _ in sources],
        notes=tuple(said),
        origin=str(origin),
        clusters=clusters,
        language=language,
        essays=known.essays,
        tokenize=tokenize,
    )


def _at_least_one(references: list[Reference]) -> list[Reference]:
    return references or [Reference("")]


class _Output(NamedTuple):
    """A system's output, and its edits where these are what the file holds."""

    hypotheses: list[str]
    edits: list[tuple[Edit, ...]] | None = None
    notes: tuple[str, ...] = ()


def load_systems(
    paths: AnyPath | Sequence[AnyPath],
    corpus: Corpus,
    *,
    lenient: bool = False,
    realign: bool = False,
    jobs: int | None = None,
) -> list[System]:
    """The systems of text files with one output a line, ``.jsonl`` files, M2 files, essays, or folders of texts.

    An M2 file holds the edits of a system: metrics that compare edits take them as they are. Files of a folder that
    cannot be outputs, such as a README, are skipped; a note of the first system says which. With ``realign``, texts
    that break lines elsewhere than the source are cut anew where it does; a note says what was moved.
    """
    systems: dict[str, System] = {}
    moved = False
    for path in map(Path, [paths] if isinstance(paths, str | Path) else paths):
        files, notes = output_files(path)
        for file in files:
            unit = "sentence" if brings_source(file) else "line"
            for name, read in _outputs(file, corpus, lenient=lenient, jobs=jobs).items():
                output = _realigned(file, read, corpus) if realign and kind_of(file) == "text" else read
                moved = moved or output is not read
                check_lengths(
                    file,
                    output.hypotheses,
                    sources=corpus.sources,
                    origin=corpus.origin,
                    unit=unit,
                    parameter="realign" if unit == "line" else (),
                )
                if name in systems:
                    raise InputError(f"two systems are named {name!r} ({file} is the second); rename one")
                systems[name] = corpus.system(
                    name,
                    output.hypotheses,
                    notes=notes + output.notes,
                    edits=output.edits,
                    realigned=output is not read,
                )
                notes = ()
    if realign and not moved:
        raise InputError(
            "all outputs break their lines where the source does: nothing to re-align", parameter="realign"
        )
    return list(systems.values())


def _realigned(path: Path, output: _Output, corpus: Corpus) -> _Output:
    """The output with the lines of the source; the same where it has them."""
    texts = output.hypotheses
    if corpus.tokenize:  # the sources are cut already
        texts = [" ".join(characters(text)) for text in texts]
    lines, moved = realign_lines(texts, corpus.sources)
    # A line that is empty on both sides has no output, and was not moved.
    if not moved or lines == [" ".join(text.split()) for text in texts]:
        return output
    return output._replace(hypotheses=lines, notes=(*output.notes, moved.note(path, corpus.origin)))


def output_files(path: Path) -> tuple[list[Path], tuple[str, ...]]:
    """The file, or the files of a folder, with a note on those that were skipped."""
    with readable(path):
        if not path.is_dir():
            return [path], ()
        listed = sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
        files = [file for file in listed if _may_be_output(file)]
    skipped = ", ".join(printable(file.name) for file in listed if file not in files)
    if not files:
        raise InputError(f"{path} is a folder without outputs" + (f"; it holds {skipped}" if skipped else ""))
    return files, (f"{path}: {skipped} skipped: not an output",) if skipped else ()


def _may_be_output(path: Path) -> bool:
    kind = kind_of(path)
    return kind == "essays" or (may_be_output(path) and kind not in HOLD_EDITS)


def _outputs(path: Path, corpus: Corpus, *, lenient: bool, jobs: int | None) -> dict[str, _Output]:
    """The outputs in a file, by the name of their system."""
    kind = kind_of(path)
    if kind == "jsonl":
        return {name: _Output(texts) for name, texts in read_hypotheses_jsonl(path).items()}
    if kind == "m2":
        return {system_name(path): _edits(path, corpus, lenient=lenient, jobs=jobs)}
    if kind in HOLD_EDITS:
        raise InputError(
            f"{path} holds edits, and a system's output is plain text or M2; is it a reference?", parameter="references"
        )
    if kind == "essays":
        return {system_name(path): _essays(path, corpus)}
    texts = read_sentences(path)
    # A pipe can be read only once.
    beside = outputs_beside(path, corpus.sources) if path.is_file() and any("\t" in text for text in texts) else None
    return {system_name(path): _Output(beside or texts)}


def _edits(path: Path, corpus: Corpus, *, lenient: bool, jobs: int | None) -> _Output:
    """A system's edits, as errant_parallel writes them."""
    file = read_m2(path, lenient=lenient, jobs=jobs)
    check_same_source(path, file.sources, sources=corpus.sources, origin=Path(corpus.origin))
    if len(file.annotators) > 1:
        raise InputError(
            f"{path} has edits of {len(file.annotators)} annotators ({', '.join(file.annotators[:5])}), and a system "
            "has one; is it a reference?",
            parameter="references",
        )
    edits = [references[0].edits or () for references in file.references()]
    pairs = zip(file.sources, edits, strict=True)
    texts = [apply_edits(source.split(), listed) for source, listed in pairs]
    return _Output(texts, edits, tuple(file.notes("absent")))


def _essays(path: Path, corpus: Corpus) -> _Output:
    if corpus.essays is None:
        raise InputError(f"{path} holds essays, so the source must be a file of essays too", parameter="source")
    essays, notes = read_essays(path)
    lacking = f"the token {PLACEHOLDER} stands for them, as in MultiGEC's code"
    texts, more = in_order(path, essays, corpus.essays, lacking=lacking)
    return _Output([PLACEHOLDER if text is None else text for text in texts], notes=(*notes, *more))


def system_name(path: Path) -> str:
    """What a file of outputs calls its system.

    >>> [system_name(Path(name)) for name in ("out/AMU.txt", "GPT-3.5", "mine.v2.txt.gz")]
    ['AMU', 'GPT-3.5', 'mine.v2']
    """
    path = unzipped_name(path)
    return printable(path.stem if path.suffix.lower() in OUTPUTS else path.name)
