"""Files with a pair of source and hypothesis in each row, too large to be held: read and written a piece at a time.

    pairs.parquet ──► units ──► batches ──► parts ──► scored.parquet

A unit is a row group of a Parquet file, or some thousand lines of a JSONL or TSV file. Any unit can be read without the
others, and becomes a part: a file of its own that is there whole or not at all. At the end all parts become one file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, get_args

from gecval.errors import InputError
from gecval.formats.sentence_pairs.engines import Batch
from gecval.formats.sentence_pairs.parquet import ParquetPairs, join_parquet, write_parquet
from gecval.formats.sentence_pairs.text_files import TextPairs, join_texts, write_texts

PairKind = Literal["parquet", "jsonl", "tsv"]
KINDS: tuple[PairKind, ...] = get_args(PairKind)


def pair_kind(path: Path) -> PairKind | None:
    """What a file of pairs is, by its name; None for other files.

    >>> pair_kind(Path("a/PAIRS.Parquet")), pair_kind(Path("mine.txt"))
    ('parquet', None)
    """
    return next((kind for kind in KINDS if path.suffix.lower() == f".{kind}"), None)


def open_pairs(path: Path) -> ParquetPairs | TextPairs:
    """A file of pairs."""
    kind = pair_kind(path)
    if kind is None:
        raise InputError(f"{path}: pairs are in a .parquet, .jsonl or .tsv file")
    return ParquetPairs.of(path) if kind == "parquet" else TextPairs.of(path, kind)


def write_pairs(path: Path, kind: PairKind, batches: Iterable[Batch]) -> None:
    """Write batches to a file, whole or not at all."""
    if kind == "parquet":
        write_parquet(path, batches)
    else:
        write_texts(path, kind, batches)


def join_pairs(parts: Sequence[Path], path: Path, kind: PairKind) -> None:
    """All parts as one file, which is there whole or not at all."""
    if kind == "parquet":
        join_parquet(parts, path)
    else:
        join_texts(parts, path, kind)
