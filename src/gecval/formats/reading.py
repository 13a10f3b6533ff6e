"""What one file of references says, whatever its kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from gecval.clusters import Cluster
from gecval.corpus import Reference
from gecval.errors import InputError
from gecval.formats.essays import PLACEHOLDER, in_order, read_essays
from gecval.formats.faults import Faults
from gecval.formats.files import printable, read_sentences
from gecval.formats.imeasure_xml import read_imeasure_xml
from gecval.formats.jsonl import read_corpus_jsonl
from gecval.formats.kinds import kind_of
from gecval.formats.m2 import Missing, read_m2
from gecval.formats.nucle import read_nucle
from gecval.formats.tabular import read_tabular
from gecval.formats.wi_json import read_wi_json

UNTOKENISED = "the texts are running text, not tokenised; tokens are what blanks separate"


class Loaded(NamedTuple):
    """The references of a file, sentence by sentence."""

    sources: list[str] | None  # None: the file has no source of its own
    references: Sequence[list[Reference]]
    notes: Sequence[str] = ()
    clusters: list[list[Cluster]] | None = None


@dataclass(frozen=True, kw_only=True)
class Known:
    """What is known before a file is read: the source, ids where it holds essays, and the references of other files."""

    sources: list[str] | None = None
    essays: Sequence[str] | None = None
    references: Sequence[Sequence[Reference]] = ()


def read_references(path: Path, known: Known, *, missing: Missing, lenient: bool, jobs: int | None) -> Loaded:
    kind = kind_of(path)
    faults = Faults(path, lenient)
    if kind == "m2":
        file = read_m2(path, lenient=lenient, jobs=jobs)
        return Loaded(file.sources, file.references(missing), file.notes(missing))
    if kind == "jsonl":
        return Loaded(*read_corpus_jsonl(path))
    if kind == "xml":
        sources, references, clusters = read_imeasure_xml(path)
        return Loaded(sources, references, clusters=clusters)
    if kind == "wi-json" or kind == "nucle":
        sources, references = (read_wi_json if kind == "wi-json" else read_nucle)(path, faults)
        return Loaded(sources, references, [*faults.notes(), f"{path}: {UNTOKENISED}"])
    if kind == "essays":
        return _essays(path, known, missing)
    texts = read_sentences(path)
    if path.is_file() and any("\t" in text for text in texts):  # a pipe can be read only once
        table = read_tabular(path, known.sources, faults)
        references = _filled(path, table.references, table.sources or known.sources or [], missing)
        return Loaded(table.sources, references, faults.notes())
    annotator = printable(path.name)
    return Loaded(None, [[Reference(text, annotator=annotator)] for text in texts])


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


def _essays(path: Path, known: Known, missing: Missing) -> Loaded:
    """The essays of an annotator. ``missing`` says what stands for one that the file lacks."""
    if known.sources is None or known.essays is None:
        raise InputError(f"{path} holds essays, so the source must be a file of essays too", parameter="source")
    meaning = {
        "absent": "they have one reference less",
        "inferred": "they have one reference less",
        "unchanged": "the source stands for them",
        "agreed": "the first reference stands for them too",
        "placeholder": f"the token {PLACEHOLDER} stands for them, as in MultiGEC's code",
    }
    essays, notes = read_essays(path)
    lacking = [name for name in known.essays if name not in essays]
    if lacking and missing == "ask":
        raise InputError(
            f"{path} lacks essays: {len(lacking)}; choose whether the annotator left them 'unchanged' or 'agreed' with "
            "the first one",
            parameter="missing",
        )
    texts, more = in_order(path, essays, known.essays, lacking=meaning.get(missing, ""))
    annotator = printable(path.name)
    references = []
    for i, text in enumerate(texts):
        if text is None and missing == "unchanged":
            text = known.sources[i]
        elif text is None and missing == "agreed" and known.references and known.references[i]:
            text = known.references[i][0].text
        elif text is None and missing == "placeholder":
            text = PLACEHOLDER
        references.append([] if text is None else [Reference(text, annotator=annotator)])
    return Loaded(None, references, [*notes, *more])
