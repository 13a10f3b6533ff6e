"""The judgments as JSON Lines, CSV and Appraise's XML: ``gecval human`` reads all three, and ranks the same.

XML counts sentences from 0 as GJG15 does, the others from 1. A skipped sentence stands in XML alone, without ranks.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import quoteattr

from gecval.board.database.models import Item

Answers = Sequence[tuple[Item, str]]


def as_jsonl(answers: Answers) -> str:
    return "".join(
        json.dumps(
            {
                "sentence": item.sentence + 1,
                "judge": judge,
                "ranks": {label: rank for group, rank in item.placements for label in group},
            },
            ensure_ascii=False,
        )
        + "\n"
        for item, judge in answers
        if item.ranks
    )


def csv_rows(answers: Answers) -> Iterator[list[str]]:
    """The header, then a row for each ranked system. ``item`` tells apart what one judge ranked twice."""
    yield ["sentence", "judge", "item", "system", "rank"]
    for item, judge in answers:
        for group, rank in item.placements:
            yield from ([str(item.sentence + 1), judge, str(item.number), label, str(rank)] for label in group)


def as_csv(rows: Iterator[list[str]]) -> str:
    file = io.StringIO(newline="")
    csv.writer(file).writerows(rows)
    return file.getvalue()


def as_xml(answers: Answers) -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<appraise-results>", "<error-correction-ranking-result>"]
    for item, judge in answers:
        lines.append(f'<ranking-item id="{item.number}" src-id="{item.sentence}" user={quoteattr(judge)}>')
        lines += [
            f'  <translation rank="{rank}" system={quoteattr(" ".join(group))}/>' for group, rank in item.placements
        ]
        lines.append("</ranking-item>")
    return "\n".join([*lines, "</error-correction-ranking-result>", "</appraise-results>", ""])
