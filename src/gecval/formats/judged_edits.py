"""Single edits that people judged valid or not, in the form of SEEDA's judgments: JSON lines.

    {"sentence": 28, "source": "He go .", "corrections": [
      {"text": "He goes .", "systems": ["A", "B"], "edits": [[1, 2, "go", "goes", true], ...]}, ...]}

A line is what a person saw: a sentence by its number from 0, and corrected texts, each the output of some systems. An
edit is its span of tokens, the words before and after, and whether it is valid; null where that is not known. Lines
with ``"source_as_in_corpus": false`` are left out: their spans are those of another sentence.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gecval.errors import InputError
from gecval.formats.files import read_lines


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
            item = json.loads(line)
            sentence, as_in_corpus = item["sentence"], item.get("source_as_in_corpus", True) is not False
            if type(sentence) is not int:
                raise TypeError
            words = item["source"].split()
            if as_in_corpus:
                made += [_correction(sentence, correction) for correction in item["corrections"]]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{path}: line {number} holds no judged edits; see docs/decisions.md for the form"
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
