"""Judgments in Appraise's XML, as GJG15, NSPT15 and SEEDA have them.

    <ranking-item src-id="307" user="annotator01"><translation rank="2" system="RAC SJTU"/>...</ranking-item>

Systems with the same output stand in one translation. Blanks separate them in GJG15 and SEEDA, commas in NSPT15. The
number of the sentence is ``src-id``; NSPT15, which has no ``src-id``, gives it as ``id``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gecval.errors import InputError
from gecval.formats.files import read_lines
from gecval.formats.judgments.judgment import Judgment, Judgments, Placement, checked_rank

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def read_xml(path: Path) -> Judgments:
    """Read all ranking items, skipped ones too. Entities and document types are refused."""
    items = tuple(_items(path))
    if not items:
        raise InputError(f"{path} holds no <ranking-item>")
    return Judgments(path.stem, items)


def _items(path: Path) -> Iterator[Judgment]:
    for number, element in enumerate(_root(path).iter("ranking-item"), start=1):
        where = f"{path}: ranking-item {number}"
        placements = []
        for translation in element.iterfind("translation"):
            systems = tuple(translation.get("system", "").replace(",", " ").split()) or ("",)
            placements.append(Placement(systems, checked_rank(translation.get("rank"), " ".join(systems), where)))
        yield Judgment.checked(element.get("src-id", element.get("id")), element.get("user"), placements, where=where)


def _root(path: Path) -> Element:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    text = "\n".join(read_lines(path))
    try:
        root: Element = fromstring(text.encode(), forbid_dtd=True)
    except DefusedXmlException:
        raise InputError(f"{path}: refused, XML may not bring entities or document types") from None
    except ParseError as error:
        raise InputError(f"{path}: line {error.position[0]} is not XML: {error}") from None
    except (ValueError, LookupError) as error:
        raise InputError(f"{path} is not XML in UTF-8: {error}") from None
    return root
