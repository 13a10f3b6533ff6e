"""Judgments as CSV: a row per ranked system, or a row per pair of systems as in WMT and NSPT15.

    sentence,judge,system,rank                                           sentences count from 1, as lines do
    segmentId,judgeID,system1Id,system1rank,system2Id,system2rank        sentences count from 0 or 1: the outputs decide

In the first form, rows of the same sentence and judge make one ranking. Where a judge ranked a sentence again, a column
``item`` tells the rankings apart.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from gecval.errors import InputError
from gecval.formats.files import read_lines
from gecval.formats.judgments.judgment import Judgment, Judgments, Placement, checked_rank

LONG = ("sentence", "judge", "system", "rank")
PAIRS = ("segmentId", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank")

Row = dict[str, str]


def read_csv(path: Path) -> Judgments:
    """Read either form, told apart by the names in the first line."""
    rows = _rows(path)
    _, columns = next(rows, ("", {}))
    if columns.keys() >= set(PAIRS):
        return Judgments(path.stem, tuple(_pairs(rows)))
    if columns.keys() >= set(LONG):
        return Judgments(path.stem, tuple(_rankings(rows)), first=1)
    raise InputError(f"{path}: the first line must name the columns {','.join(LONG)} (or WMT's {','.join(PAIRS)})")


def _rows(path: Path) -> Iterator[tuple[str, Row]]:
    """Each row by column, and where it stands. The first row is that of the names themselves."""
    reader = csv.reader(read_lines(path), strict=True)
    names: list[str] = []
    try:
        for cells in reader:
            where = f"{path}: line {reader.line_num}"
            names = names or [cell.strip() for cell in cells]
            if cells and len(cells) != len(names):
                raise InputError(f"{where} has {len(cells)} cells, the first line {len(names)}")
            if cells:
                yield where, dict(zip(names, map(str.strip, cells), strict=True))
    except csv.Error as error:
        raise InputError(f"{path}: line {reader.line_num} is not CSV: {error}") from None


def _pairs(rows: Iterator[tuple[str, Row]]) -> Iterator[Judgment]:
    for where, row in rows:
        placements = [
            Placement((row[f"system{k}Id"],), checked_rank(row[f"system{k}rank"], row[f"system{k}Id"], where))
            for k in (1, 2)
        ]
        yield Judgment.checked(row["segmentId"], row["judgeID"], placements, where=where)


def _rankings(rows: Iterator[tuple[str, Row]]) -> Iterator[Judgment]:
    gathered: dict[tuple[str, str, str], list[Placement]] = defaultdict(list)
    first_row: dict[tuple[str, str, str], str] = {}
    for where, row in rows:
        key = row["sentence"], row["judge"], row.get("item", "")
        placement = Placement((row["system"],), checked_rank(row["rank"], row["system"], where))
        if any(placement.systems == other.systems for other in gathered[key]):
            raise InputError(
                f"{where}: {row['system']} is ranked twice by one judge of sentence {row['sentence']}; "
                "tell rankings of one sentence apart by a column 'item'"
            )
        gathered[key].append(placement)
        first_row.setdefault(key, where)
    for key, placements in gathered.items():
        yield Judgment.checked(key[0], key[1], placements, where=first_row[key])
