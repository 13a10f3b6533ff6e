"""A corpus from files: the source, and the references of one or several files of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz import fuzz, process

from gecval.corpus import Corpus
from gecval.corpus.corpus import Cluster
from gecval.corpus.mismatch import check_references
from gecval.corpus.references import Reference
from gecval.errors import InputError
from gecval.formats.character_edits import read_nucle, read_wi_json
from gecval.formats.essays import PLACEHOLDER, in_order, read_essays
from gecval.formats.files import Faults, is_fault, printable, read_sentences
from gecval.formats.imeasure_xml import read_imeasure_xml
from gecval.formats.jsonl import read_corpus_jsonl
from gecval.formats.kinds import MANY, brings_source, kind_of, score_first
from gecval.formats.m2_files import Missing, read_m2
from gecval.formats.tabular import is_tabular, read_tabular
from gecval.runtime.run import HERE, Run

AnyPath = str | Path


def load_corpus(
    source: AnyPath | Corpus | None = None,
    references: AnyPath | Sequence[AnyPath] = (),
    *,
    missing: Missing | None = None,
    preset: str | None = None,
    lenient: bool = False,
    language: str | None = None,
    tokenize: str | None = None,
    run: Run = HERE,
) -> Corpus:
    """Read source and references from files.

    Parameters
    ----------
    source
        A file with one sentence a line, or a corpus whose source is used again. Leave it out where a file of
        references brings its own source. Such a file may also stand here alone.
    references
        One file or several: ``.m2``, ``.jsonl``, ``.xml`` and others bring their own source; or texts, one reference a
        line.
    missing
        What an annotator without a line did. Default: ``absent``, or what ``preset`` says.
    preset
        The protocol of a shared task, such as ``multigec``.
    lenient
        Drop what is wrong in a file, and say so in a note. Default: refuse the file.
    language
        A code such as ``en``. Default: detected, where a metric knows only one language.
    tokenize
        ``auto`` cuts outputs that are running text like the source, and all texts where the source is running text;
        ``spacy`` and ``ptb`` say how. ``char`` cuts all texts into characters, those of systems too.
    run
        Threads and progress.

    Returns
    -------
    Corpus

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "gold.m2")
    ...     _ = file.write_text("S He go home .\\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\\n")
    ...     load_corpus(file)
    <Corpus of 1 sentence with 1 reference>
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
        "run": run,
    }
    alone = Path(source) if isinstance(source, str | Path) and not references else None
    if alone and brings_source(alone):
        source, references = None, [alone]
    paths = list(map(Path, references))
    if isinstance(source, Corpus):
        settings |= {"language": language or source.language, "tokenize": tokenize or source.tokenize}
        context = SourceContext(sources=list(source.sources), essays=source.essays)
        return _gather(context, Path(source.origin), paths, **settings)
    file = None if source is None else Path(source)
    if file and brings_source(file):
        raise InputError(
            f"{file} brings its own source: give it as a reference, and leave out the source",
            parameter=("references", "source"),
        )
    if file and kind_of(file) == "essays":
        essays, notes = read_essays(file)
        context = SourceContext(sources=list(essays.values()), essays=tuple(essays))
        return _gather(context, file, paths, notes=notes, **settings)
    return _gather(SourceContext(sources=_source(file) if file else None), file, paths, **settings)


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
    """A corpus from files that hold source and references, or from a source text and its corrected texts."""
    first, *others = map(Path, paths)
    if brings_source(first) or (not others and is_tabular(first)):
        if others:
            if not all(map(brings_source, [first, *others])):
                raise InputError(f"give {first} alone, or a source text followed by its corrected texts")
            return _join_annotators([first, *others], missing=missing, lenient=lenient)
        return load_corpus(None, [first], missing=missing, lenient=lenient)
    if not others:
        raise InputError(f"{first} is plain text; give its corrected texts after it")
    return load_corpus(first, others, missing=missing, lenient=lenient)


def _join_annotators(paths: Sequence[Path], *, missing: Missing | None, lenient: bool) -> Corpus:
    """The annotators of several files of the same sentences. Those with the same name get that of their file."""
    first = paths[0]
    if len(set(paths)) < len(paths):
        raise InputError("a file is given twice; give one file for each annotator")
    corpora = [load_corpus(None, [path], missing=missing, lenient=lenient) for path in paths]
    names: list[list[str]] = []
    for path, corpus in zip(paths, corpora, strict=True):
        check_same_source(path, corpus.sources, sources=corpora[0].sources, origin=first)
        names.append(list(dict.fromkeys(r.annotator for listed in corpus.references for r in listed)))
    if len(set(chain(*names))) < sum(map(len, names)):
        files = [path.stem for path in paths] if len({path.stem for path in paths}) == len(paths) else map(str, paths)
        renamed = [
            {name: file if len(listed) == 1 else f"{file} {name}" for name in listed}
            for file, listed in zip(files, names, strict=True)
        ]
    else:
        renamed = [{name: name for name in listed} for listed in names]
    references = [
        [
            replace(reference, annotator=new[reference.annotator])
            for new, listed in zip(renamed, of_sentence, strict=True)
            for reference in listed
        ]
        for of_sentence in zip(*(corpus.references for corpus in corpora), strict=True)
    ]
    notes = tuple(dict.fromkeys(note for corpus in corpora for note in corpus.notes))
    return replace(corpora[0], references=references, clusters=None, notes=notes)


def _gather(
    context: SourceContext,
    origin: Path | None,
    references: list[Path],
    *,
    missing: Missing,
    lenient: bool,
    language: str | None,
    tokenize: str | None,
    run: Run,
    notes: Sequence[str] = (),
) -> Corpus:
    """The corpus of a source and the references of all files, each annotator after the other."""
    sources = context.sources
    gathered: Sequence[list[Reference]] = []
    said = list(notes)
    clusters: list[list[Cluster]] | None = None
    files: list[tuple[str, Sequence[list[Reference]]]] = []
    for path in references:
        context = SourceContext(sources=sources, essays=context.essays, references=gathered)
        loaded = read_references(path, context, missing=missing, lenient=lenient, run=run)
        if sources is None or origin is None:
            if loaded.sources is None:
                raise InputError(f"{path} is plain text, so the source is needed too", parameter="source")
            sources, origin = loaded.sources, path
        if loaded.sources is None:
            texts = [reference.text or "" for [reference, *_] in map(_at_least_one, loaded.references)]
            check_lengths(path, texts, sources=sources, origin=origin)
        elif loaded.sources is not sources:
            check_same_source(path, loaded.sources, sources=sources, origin=origin, blanks=tokenize != "char")
        pairs = zip(gathered, loaded.references, strict=True)
        gathered = [[*before, *new] for before, new in pairs] if gathered else loaded.references
        said += loaded.notes
        files.append((printable(path.name), loaded.references))
        # A file's own grouping holds for its edits alone, not for those of other references next to it.
        clusters = loaded.clusters if len(references) == 1 else None
    if sources is None:
        raise InputError(
            "the source is missing: give it, or references that bring their own (.m2, .jsonl or .xml)",
            parameter=("source", "references"),
        )
    said += [misfit.note(name) for name, misfit in check_references(files, sources)]
    if lenient and not any(map(is_fault, said)):
        said.append("lenient reading dropped nothing: no fault was found in the references")
    return Corpus(
        sources,
        gathered or [[] for _ in sources],
        notes=tuple(said),
        origin=str(origin),
        clusters=clusters,
        language=language,
        essays=context.essays,
        tokenize=tokenize,
    )


def _at_least_one(references: list[Reference]) -> list[Reference]:
    return references or [Reference("")]


# Whether two files hold the same sentences: as many, and in step. Files of unequal length are never scored.


def check_lengths(
    path: Path,
    lines: Sequence[str],
    *,
    sources: Sequence[str],
    origin: Path | str,
    unit: str = "line",
    parameter: str | tuple[str, ...] = (),
) -> None:
    """Refuse a file with more or fewer lines than the source, and say where the two seem to part.

    ``parameter`` names what would fix it, unless lines lack or are too many: then they are to be written or taken out.
    """
    if len(lines) == len(sources):
        return
    part = find_parting_line(lines, sources)
    where = f"after {unit} {part}" if part else f"at the first {unit}"
    remedy = _remedy(lines, sources, part) if parameter else ""
    if part == len(lines) < len(sources) - MANY and _mean_likeness(lines, sources[:part]) >= ALIKE:
        raise InputError(
            f"{path} has the first {part:,} of the {len(sources):,} sentences of {origin}; write the others too, "
            f"or {score_first(part, origin)}"
        )
    raise InputError(
        f"{path} has {len(lines)} {unit}s, {origin} {len(sources)}; they part {where}{remedy}",
        parameter=() if remedy else parameter,
    )


def _remedy(lines: Sequence[str], sources: Sequence[str], part: int) -> str:
    """What to do where one stretch of lines lacks, or is too many; empty where line breaks stand elsewhere."""
    gap = len(sources) - len(lines)
    shorter, longer = (lines, sources) if gap > 0 else (sources, lines)
    rest = [*longer[:part], *longer[part + abs(gap) :]]
    if not shorter or _mean_likeness(shorter, rest) < ALIKE:
        return ""
    stretch = sum(map(len, longer[part : part + abs(gap)]))
    for number in (part - 1, part):  # the neighbours; one of them may have taken in the stretch
        if 0 <= number < len(shorter) and len(shorter[number]) > len(rest[number]) + stretch / 2:
            return ""
    named = f"line{'s' * (abs(gap) > 1)} {part + 1}" + (f" to {part + abs(gap)}" if abs(gap) > 1 else "")
    if gap > 0:
        return f": there is no output for {named}; write one for each, the source where the system gave none"
    are, them = ("is", "it") if gap == -1 else ("are", "them")
    return f": {named} {are} too many; take {them} out"


def _mean_likeness(lines: Sequence[str], others: Sequence[str]) -> float:
    return float(np.mean(process.cpdist(list(lines), list(others), scorer=fuzz.ratio, dtype=np.float64)))


ALIKE = 60.0  # how alike (0 to 100) lines are, in the mean, that stand next to their own source


def find_parting_line(lines: Sequence[str], sources: Sequence[str]) -> int:
    """After how many lines one file goes out of step, if it lacks one stretch of the other.

    For each line, the likeness of the lines before it and, shifted by the gap, that of the lines after it are added up.
    The files part where the sum is greatest.
    """
    common = min(len(lines), len(sources))
    shift = len(sources) - len(lines)

    def likeness(a: Sequence[str], b: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return process.cpdist(a[:common], b[:common], scorer=fuzz.ratio, dtype=np.float64).astype(np.float64)

    before = likeness(lines, sources)
    after = likeness(lines[max(0, -shift) :], sources[max(0, shift) :])
    gain = np.concatenate([[0.0], np.cumsum(before)]) + np.concatenate([np.cumsum(after[::-1])[::-1], [0.0]])
    return int(np.argmax(gain))


def check_same_source(
    path: Path, its_sources: Sequence[str], *, sources: Sequence[str], origin: Path, blanks: bool = True
) -> None:
    """Refuse a file that brings another source. Without ``blanks``, texts that differ in blanks alone are the same."""
    between = " " if blanks else ""
    check_lengths(path, its_sources, sources=sources, origin=origin, unit="sentence")
    for number, (ours, theirs) in enumerate(zip(sources, its_sources, strict=True), start=1):
        if between.join(ours.split()) != between.join(theirs.split()):
            raise InputError(f"{path}: sentence {number} differs from {origin}: {theirs[:60]!r} against {ours[:60]!r}")


UNTOKENISED = "the texts are running text, not tokenised; tokens are what blanks separate"


class LoadedReferences(NamedTuple):
    """The references of a file, sentence by sentence."""

    sources: list[str] | None  # None: the file has no source of its own
    references: Sequence[list[Reference]]
    notes: Sequence[str] = ()
    clusters: list[list[Cluster]] | None = None


@dataclass(frozen=True, kw_only=True)
class SourceContext:
    """What is known before a file is read: the source, ids where it holds essays, and the references of other files."""

    sources: list[str] | None = None
    essays: Sequence[str] | None = None
    references: Sequence[Sequence[Reference]] = ()


def read_references(
    path: Path, context: SourceContext, *, missing: Missing, lenient: bool, run: Run
) -> LoadedReferences:
    kind = kind_of(path)
    faults = Faults(path, lenient)
    if kind == "m2":
        file = read_m2(path, lenient=lenient, run=run)
        return LoadedReferences(file.sources, file.references(missing), file.notes(missing))
    if kind == "jsonl":
        return LoadedReferences(*read_corpus_jsonl(path))
    if kind == "xml":
        sources, references, clusters = read_imeasure_xml(path)
        return LoadedReferences(sources, references, clusters=clusters)
    if kind == "wi-json" or kind == "nucle":
        sources, references = (read_wi_json if kind == "wi-json" else read_nucle)(path, faults)
        return LoadedReferences(sources, references, [*faults.notes(), f"{path}: {UNTOKENISED}"])
    if kind == "essays":
        return _essays(path, context, missing)
    texts = read_sentences(path)
    if path.is_file() and any("\t" in text for text in texts):  # a pipe can be read only once
        table = read_tabular(path, context.sources, faults)
        references = _filled(path, table.references, table.sources or context.sources or [], missing)
        return LoadedReferences(table.sources, references, faults.notes())
    annotator = printable(path.name)
    return LoadedReferences(None, [[Reference(text, annotator=annotator)] for text in texts])


def _filled(
    path: Path, references: list[list[Reference]], sources: Sequence[str], missing: Missing
) -> list[list[Reference]]:
    """The references of lines with several texts. ``missing`` says what stands for those that a line lacks."""
    most = max(map(len, references))
    ragged = sum(len(listed) < most for listed in references)
    if not ragged or missing in ("absent", "placeholder") or len(sources) != len(references):
        return references
    if missing == "ask":
        raise InputError(
            f"{path}: lines with fewer references than others: {ragged}; choose whether the annotators that they lack "
            "left the source 'unchanged' or 'agreed' with the first one",
            parameter="missing",
        )
    return [
        listed + [_stand_in(listed, source, missing, annotator=str(place)) for place in range(len(listed), most)]
        for listed, source in zip(references, sources, strict=True)
    ]


def _stand_in(listed: list[Reference], source: str, missing: Missing, *, annotator: str) -> Reference:
    if missing == "unchanged" or not listed:
        return Reference(source, annotator=annotator)
    return replace(listed[0], annotator=annotator)


def _essays(path: Path, context: SourceContext, missing: Missing) -> LoadedReferences:
    """The essays of an annotator. ``missing`` says what stands for one that the file lacks."""
    if context.sources is None or context.essays is None:
        raise InputError(f"{path} holds essays, so the source must be a file of essays too", parameter="source")
    meaning = {
        "absent": "they have one reference less",
        "inferred": "they have one reference less",
        "unchanged": "the source stands for them",
        "agreed": "the first reference stands for them too",
        "placeholder": f"the token {PLACEHOLDER} stands for them, as in MultiGEC's code",
    }
    essays, notes = read_essays(path)
    lacking = [name for name in context.essays if name not in essays]
    if lacking and missing == "ask":
        raise InputError(
            f"{path} lacks essays: {len(lacking)}; choose whether the annotator left them 'unchanged' or 'agreed' with "
            "the first one",
            parameter="missing",
        )
    texts, more = in_order(path, essays, context.essays, lacking=meaning.get(missing, ""))
    annotator = printable(path.name)
    references = []
    for i, text in enumerate(texts):
        if text is None and missing == "unchanged":
            text = context.sources[i]
        elif text is None and missing == "agreed" and context.references and context.references[i]:
            text = context.references[i][0].text
        elif text is None and missing == "placeholder":
            text = PLACEHOLDER
        references.append([] if text is None else [Reference(text, annotator=annotator)])
    return LoadedReferences(None, references, [*notes, *more])


# Protocols of shared tasks: which metrics, and what stands for what a file lacks.
#
# ``multigec`` is MultiGEC-2025 (Masciolini et al. 2025): essays as one line of syntok's tokens, GLEU, and ERRANT's
# alignment over tokens without tags. Its public code puts the token ``!`` in the place of a missing essay.
#
# ``estgec`` is the scorer of Estonian's EstGEC (TartuNLP): M² with its rule for edits within edits, up to 15 unchanged
# words in an edit, and row 0 of version 3.2 of the M2 scorer.


@dataclass(frozen=True, kw_only=True)
class Preset:
    metrics: tuple[str, ...]
    missing: Missing
    essays: bool = False


PRESETS = {
    "multigec": Preset(metrics=("gleu", 'errant(model="multigec")'), missing="placeholder", essays=True),
    "estgec": Preset(metrics=('m2(nested="estgec", max_unchanged=15, version="3.2")',), missing="absent"),
}


def preset_named(name: str) -> Preset:
    """The preset of this name.

    >>> preset_named("multigec").missing
    'placeholder'
    """
    if name not in PRESETS:
        raise InputError(f"there is no preset {name!r}; choose {' or '.join(PRESETS)}", parameter="preset")
    return PRESETS[name]
