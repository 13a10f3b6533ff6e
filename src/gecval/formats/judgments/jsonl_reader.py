"""Judgments as JSONL, a line per ranking. Sentences count from 1, as lines do.

{"sentence": 308, "judge": "anna", "ranks": {"RAC": 2, "SJTU": 2, "CAMB": 4}}
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gecval.errors import InputError
from gecval.formats.jsonl import read_values
from gecval.formats.judgments.judgment import Judgment, Judgments, Placement, checked_rank


def read_jsonl(path: Path) -> Judgments:
    """Read all rankings."""
    return Judgments(path.stem, tuple(_items(path)), first=1)


def _items(path: Path) -> Iterator[Judgment]:
    for where, item in read_values(path):
        ranks = item.get("ranks") if isinstance(item, dict) else None
        if not isinstance(ranks, dict):
            raise InputError(f'{where}: expected {{"sentence": 1, "judge": "...", "ranks": {{"system": 1, ...}}}}')
        placements = [Placement((name,), checked_rank(rank, name, where)) for name, rank in ranks.items()]
        yield Judgment.checked(item.get("sentence"), item.get("judge"), placements, where=where)
