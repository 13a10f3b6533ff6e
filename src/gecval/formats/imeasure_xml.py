"""I-measure's XML: errors of a sentence, each with the alternatives of the annotators.

    <sentence id="1" numann="2"><text>He go home .</text><error-list>
    <error id="1" req="yes" type="SVA"><alt ann="0"><c start="1" end="2">goes</c></alt></error></error-list></sentence>

``numann`` annotators saw the sentence; where fewer have an alternative, one of them left it alone. The file may be
gzipped.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from gecval.clusters import Cluster
from gecval.corpus import Reference
from gecval.edit import Edit
from gecval.errors import InputError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def read_imeasure_xml(path: Path) -> tuple[list[str], list[list[Reference]], list[list[Cluster]]]:
    """Sources, the references of each, and its clusters of edits."""
    sources, references, clusters = [], [], []
    for number, sentence in enumerate(_sentences(path), start=1):
        where = f"{path}: sentence {sentence.get('id', number)}"
        tokens = (sentence.findtext("text") or "").split()
        annotators: dict[str, list[Edit]] = {}
        found = []
        for error in sentence.iterfind("error-list/error"):
            alternatives = []
            for alternative in error.iterfind("alt"):
                edits = tuple(_edit(c, error.get("type", ""), len(tokens), where) for c in alternative.iterfind("c"))
                annotators.setdefault(alternative.get("ann", "0"), []).extend(edits)
                alternatives.append(edits)
            found.append(Cluster(tuple(alternatives), error.get("req") == "yes"))
        made = [Reference(edits=tuple(edits), annotator=name) for name, edits in sorted(annotators.items())]
        if len(made) < max(1, _integer(sentence, "numann", where)):
            made.append(Reference(edits=(), annotator="unchanged"))
        sources.append(" ".join(tokens))
        references.append(made)
        clusters.append(found)
    if not sources:
        raise InputError(f"{path} holds no <sentence>")
    return sources, references, clusters


def _sentences(path: Path) -> Iterator[Element]:
    """Sentence by sentence, so that a large file does not lie in memory as a tree; entities are refused."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    try:
        with _open(path) as file:
            for _, element in iterparse(file):
                if element.tag == "sentence":
                    yield element
                    element.clear()
    except ParseError as error:
        raise InputError(f"{path}: line {error.position[0]} is not XML: {error}") from None
    except DefusedXmlException as error:
        raise InputError(f"{path}: refused, XML may not bring entities or document types: {error}") from None
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, EOFError) as error:
        raise InputError(f"{path}: {error}") from None


def _open(path: Path) -> BinaryIO:
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def _edit(correction: Element, kind: str, length: int, where: str) -> Edit:
    start, end = _integer(correction, "start", where), _integer(correction, "end", where)
    if not 0 <= start <= end <= length:
        raise InputError(f"{where}: edit {start} {end} is out of range; the sentence has {length} tokens")
    return Edit(start, end, ((correction.text or "").strip(),), kind)


def _integer(element: Element, attribute: str, where: str) -> int:
    try:
        return int(element.get(attribute, ""))
    except ValueError:
        raise InputError(f"{where}: <{element.tag}> needs a whole number {attribute!r}") from None
