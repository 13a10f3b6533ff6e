"""I-measure's XML: errors of a sentence, each with the alternatives of the annotators.

    <sentence id="1" numann="2"><text>He go home .</text><error-list>
    <error id="1" req="yes" type="SVA"><alt ann="0"><c start="1" end="2">goes</c></alt></error></error-list></sentence>

``numann`` annotators saw the sentence. If fewer of them have an alternative, one of them left it alone. The file may be
gzipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gecval.corpus.corpus import Cluster
from gecval.corpus.edit import Edit
from gecval.corpus.references import Reference
from gecval.errors import InputError, shorten
from gecval.formats.files import open_binary, readable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def read_imeasure_xml(path: Path) -> tuple[list[str], list[list[Reference]], list[list[Cluster]]]:
    """Sources, the references of each, and its clusters of edits."""
    sources, references, clusters = [], [], []
    for number, sentence in enumerate(_sentences(path), start=1):
        where = f"{path}: sentence {shorten(sentence.get('id', number), 60)}"
        tokens = (sentence.findtext("text") or "").split()
        annotators: dict[str, list[Edit]] = {}
        errors = []
        for error in sentence.iterfind("error-list/error"):
            alternatives = []
            for alternative in error.iterfind("alt"):
                edits = tuple(
                    _edit(c, error.get("type", ""), len(tokens), where=where) for c in alternative.iterfind("c")
                )
                annotators.setdefault(alternative.get("ann", "0"), []).extend(edits)
                alternatives.append(edits)
            errors.append(Cluster(tuple(alternatives), error.get("req") == "yes"))
        listed = [Reference(edits=tuple(edits), annotator=name) for name, edits in sorted(annotators.items())]
        if len(listed) < max(1, _integer(sentence, "numann", where)):
            listed.append(Reference(edits=(), annotator="unchanged"))
        sources.append(" ".join(tokens))
        references.append(listed)
        clusters.append(errors)
    if not sources:
        raise InputError(f"{path} holds no <sentence>")
    return sources, references, clusters


def _sentences(path: Path) -> Iterator[Element]:
    """The sentences, one after the other: a large file never lies in memory as a tree. Entities are refused."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    try:
        with readable(path), open_binary(path) as file:
            for _, element in iterparse(file):
                if element.tag == "sentence":
                    yield element
                    element.clear()
    except ParseError as error:
        raise InputError(f"{path}: line {error.position[0]} is not XML: {error}") from None
    except DefusedXmlException as error:
        raise InputError(f"{path}: refused, XML may not bring entities or document types: {error}") from None
    except InputError:
        raise
    except (LookupError, ValueError) as error:  # an encoding that the parser does not know, or cannot read
        raise InputError(f"{path}: {error}; write the file in UTF-8") from None


def _edit(correction: Element, kind: str, length: int, *, where: str) -> Edit:
    start, end = _integer(correction, "start", where), _integer(correction, "end", where)
    if not 0 <= start <= end <= length:
        raise InputError(f"{where}: edit {start} {end} is out of range; the sentence has {length} tokens")
    return Edit(start, end, ((correction.text or "").strip(),), type=kind)


def _integer(element: Element, attribute: str, where: str) -> int:
    try:
        return int(element.get(attribute, ""))
    except ValueError:
        raise InputError(f"{where}: <{element.tag}> needs a whole number {attribute!r}") from None
