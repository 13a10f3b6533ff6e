"""Sentences that people judged for grammaticality, in the form of the GUG data (Heilman et al. 2014).

    Id<TAB>Sentence<TAB>…<TAB>Average<TAB>Dataset

``Average`` is the judgment, from 1 (incomprehensible) to 4 (perfect). ``Dataset`` is train, dev or test; sentences of
any other are left out. A sentence that holds quotation marks stands in quotation marks, and its own are doubled. No
other sentence is quoted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from gecval.errors import InputError
from gecval.formats.files import parse_json, read_lines, read_table

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
    """Read sentences that people judged for grammaticality.

    Parameters
    ----------
    path
        A file like the GUG data: tab-separated, with columns ``Sentence``, ``Average`` and ``Dataset``.

    Returns
    -------
    list of Judged
        The sentences of the splits train, dev and test.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> rows = [f"He go .\\t1.5\\t{split}\\nFine .\\t4\\t{split}" for split in SPLITS]
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "gug.tsv")
    ...     _ = file.write_text("\\n".join(["Sentence\\tAverage\\tDataset", *rows]))
    ...     read_judged(file)[0]
    Judged(sentence='He go .', judgment=1.5, split='train')
    """
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


# Single edits that people judged valid or not, in the form of SEEDA's judgments: JSON lines.
#
#     {"sentence": 28, "source": "He go .", "corrections": [
#       {"text": "He goes .", "systems": ["A", "B"], "edits": [[1, 2, "go", "goes", true], ...]}, ...]}
#
# A line is what a person saw: a sentence by its number from 0, and corrected texts, each the output of some systems. An
# edit is its span of tokens, the words before and after, and whether it is valid; null where that is not known. Lines
# with ``"source_as_in_corpus": false`` are left out: their spans are those of another sentence.


@dataclass(frozen=True, kw_only=True)
class JudgedCorrection:
    """A corrected text, the systems that gave it, and its judged edits: (start, end, correction) and the verdict."""

    sentence: int
    text: str
    systems: tuple[str, ...]
    edits: tuple[tuple[tuple[int, int, str], bool], ...]


def read_judged_edits(path: str | Path, sources: Sequence[str]) -> list[JudgedCorrection]:
    """The judged corrections of a file; each must be of its sentence in ``sources``."""
    path = Path(path)
    made: list[JudgedCorrection] = []
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        try:
            item = parse_json(line)
            sentence, as_in_corpus = item["sentence"], item.get("source_as_in_corpus", True) is not False
            if type(sentence) is not int:
                raise TypeError
            words = item["source"].split()
            if as_in_corpus:
                made += [_correction(sentence, correction) for correction in item["corrections"]]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{path}: line {number} holds no judged edits; see docs/how-to/valid-edits.md for the form"
            ) from None
        if not 0 <= sentence < len(sources):
            raise InputError(f"{path}: line {number} is of sentence {sentence}; there are {len(sources)} from 0 on")
        if as_in_corpus and words != sources[sentence].split():
            raise InputError(f"{path}: line {number}: the source is not that of sentence {sentence} of the corpus")
    if not any(correction.edits for correction in made):
        raise InputError(f"{path} holds no judged edits")
    return made


def _correction(sentence: int, given: dict[str, Any]) -> JudgedCorrection:
    if not isinstance(given["text"], str):
        raise TypeError
    edits = []
    for start, end, _, correction, valid in given["edits"]:
        if not (type(start) is int and type(end) is int and isinstance(correction, str)):
            raise TypeError
        if valid is not None and not isinstance(valid, bool):
            raise TypeError
        if valid is not None:
            edits.append(((start, end, correction), valid))
    return JudgedCorrection(
        sentence=sentence, text=given["text"], systems=tuple(map(str, given["systems"])), edits=tuple(edits)
    )
