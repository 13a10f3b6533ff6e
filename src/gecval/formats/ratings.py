"""Sentences that people judged for grammaticality, in the form of the GUG data (Heilman et al. 2014).

    Id<TAB>Sentence<TAB>…<TAB>Average<TAB>Dataset

``Average`` is the judgment, from 1 (incomprehensible) to 4 (perfect); ``Dataset`` is train, dev or test, and sentences
of any other are left out. Sentences that hold quotation marks stand in such marks, theirs doubled, and no others do.
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
    """A sentence of normal text and what people, on average, think of it."""

    sentence: str
    judgment: float
    split: Split


def read_judged(path: Path) -> list[Judged]:
    """The judged sentences of all three splits."""
    names, rows = read_table(path)
    if lacking := [name for name in COLUMNS if name not in names]:
        raise InputError(f"{path}: line 1 names no column {lacking[0]!r}; it should, as in gug_annotations.tsv")
    sentence, average, dataset = map(names.index, COLUMNS)
    judged = []
    for number, cells in rows:
        for split in SPLITS:
            if cells[dataset].strip() == split:
                judged.append(Judged(_unquoted(cells[sentence]), _judgment(cells[average], path, number), split))
    for split in SPLITS:
        if len({one.judgment for one in judged if one.split == split}) < 2:
            raise InputError(f"{path}: the {split} sentences, if there are any, are not judged in two different ways")
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
