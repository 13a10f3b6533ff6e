"""Sentences that people judged for grammaticality, in the form of the GUG data (Heilman et al. 2014).

    Id<TAB>Sentence<TAB>…<TAB>Average<TAB>Dataset

``Average`` is the judgment, from 1 (incomprehensible) to 4 (perfect). ``Dataset`` is train, dev or test; sentences of
any other are left out. A sentence that holds quotation marks stands in quotation marks, and its own are doubled. No
other sentence is quoted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from gecval.errors import InputError
from gecval.formats.files import read_table

Split = Literal["train", "dev", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
COLUMNS = ("sentence", "average", "dataset")


@dataclass(frozen=True)
class Judged:
    """A sentence of normal text, its average judgment by people, and the split that it belongs to."""

    sentence: str
    judgment: float
    split: Split


def read_judged(path: str | Path) -> list[Judged]:
    """The judged sentences of all three splits, from a file like the GUG data."""
    path = Path(path)
    names, rows = read_table(path)
    if lacking := [name for name in COLUMNS if name not in names]:
        raise InputError(f"{path}: line 1 names no column {lacking[0]!r}; it should, as in gug_annotations.tsv")
    text, average, dataset = map(names.index, COLUMNS)
    judged = []
    for number, cells in rows:
        for split in SPLITS:
            if cells[dataset].strip() == split:
                judged.append(Judged(_unquoted(cells[text]), _judgment(cells[average], path, number), split))
    for split in SPLITS:
        if len({sentence.judgment for sentence in judged if sentence.split == split}) < 2:
            raise InputError(f"{path}: the split {split} needs sentences with two different judgments or more")
    return judged


def _unquoted(cell: str) -> str:
    text = cell.strip()
    quoted = len(text) > 1 and text[0] == text[-1] == '"' and '""' in text[1:-1]
    return text[1:-1].replace('""', '"') if quoted else text


def _judgment(cell: str, path: Path, number: int) -> float:
    try:
        judgment = float(cell)
    except ValueError:
        judgment = math.nan
    if not 1 <= judgment <= 4:
        raise InputError(f"{path}: line {number}: the average {cell!r} is no number from 1 to 4")
    return judgment
