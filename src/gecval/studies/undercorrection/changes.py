"""Do systems correct less than people do? (Low-coverage paper, §3.2)

    WORDCHANGE   words that were changed, deleted or added, after an optimal matching of the words
    word order   Spearman's ρ between the places of matched words in source and correction
    sentences    split in two, or joined with the next

Only letters and digits count, and case does not: an output that was made lower-case is not a correction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.edits.matching import match_words

MOST_CHANGES = 10  # words; sentences with more are counted together
THRESHOLDS = tuple(round(0.8 + 0.01 * step, 2) for step in range(21))  # of ρ, up to 1
_NO_LETTERS = re.compile(r"[\W_]+")
_INNER_END = re.compile(r"[.!?]+['\")\]]*\s+(?=\S*\w)")
_FINAL_END = re.compile(r"[.!?]+[\s'\")\]]*$")


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What one corrector does to the source.

    ``word_changes`` is the mean number of words changed in a sentence. ``sentences[k]`` is the number of sentences with
    k words changed, in the last place k or more. ``order`` is the mean ρ; ``below[t]`` is the share of sentences whose
    ρ is below the t-th of ``THRESHOLDS``. ``split`` and ``joined`` count sentences.
    """

    derived: ClassVar[tuple[str, ...]] = ("reordered",)

    corrector: str
    word_changes: float
    sentences: tuple[int, ...]
    order: float
    below: tuple[float, ...]
    split: int
    joined: int

    @property
    def reordered(self) -> float:
        """The share of sentences in which words changed places: ρ is below 1."""
        return self.below[-1]


def changes(corrector: str, sources: Sequence[str], corrected: Sequence[str]) -> Changes:
    """What one corrector does to the sources.

    >>> changes("mine", ["He go home ."], ["He goes home now ."]).sentences
    (0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
    """
    compared = [_compare(source, text) for source, text in zip(sources, corrected, strict=True)]
    words = np.array([changed for changed, _ in compared], dtype=np.int64)
    order = np.array([rho for _, rho in compared], dtype=np.float64)
    boundaries = [_boundaries(source, text) for source, text in zip(sources, corrected, strict=True)]
    return Changes(
        corrector=corrector,
        word_changes=float(words.mean()),
        sentences=tuple(np.bincount(np.minimum(words, MOST_CHANGES), minlength=MOST_CHANGES + 1).tolist()),
        order=float(order.mean()),
        below=tuple(float(np.mean(order < threshold - 1e-12)) for threshold in THRESHOLDS),
        split=sum(more > 0 for more in boundaries),
        joined=sum(more < 0 for more in boundaries),
    )


def word_changes(sources: Sequence[str], corrected: Sequence[str]) -> NDArray[np.int64]:
    """WORDCHANGE of each sentence.

    >>> word_changes(["He go home ."], ["He goes home now ."]).tolist()
    [2]
    """
    return np.array([_compare(*pair)[0] for pair in zip(sources, corrected, strict=True)], dtype=np.int64)


def _compare(source: str, corrected: str) -> tuple[int, float]:
    """How many words change, and ρ of the words that are matched."""
    before, after = _words(source), _words(corrected)
    if before == after:
        return 0, 1.0
    pairs = match_words(before, after)
    changed = sum(i is None or j is None or before[i] != after[j] for i, j in pairs)
    places = [j for i, j in pairs if i is not None and j is not None]
    return changed, _spearman(np.array(places, dtype=np.int64))


def _words(text: str) -> list[str]:
    tokens = text.lower().split()
    letters = (token if token.isalnum() else _NO_LETTERS.sub("", token) for token in tokens)  # isalnum is fast
    return [word for word in letters if word]


def _spearman(places: NDArray[np.int64]) -> float:
    """ρ between 0, 1, 2, … and places that all differ. It is 1 where there are not two words to compare."""
    n = len(places)
    if n < 2:
        return 1.0
    moved = np.argsort(np.argsort(places)) - np.arange(n)
    return float(1 - 6 * np.sum(moved**2) / (n * (n**2 - 1)))


def _boundaries(source: str, corrected: str) -> int:
    """How many ends of sentences are added. If the last one is lost, the sentence is joined with the next."""
    inner = len(_INNER_END.findall(corrected)) - len(_INNER_END.findall(source))
    lost = bool(_FINAL_END.search(source)) and bool(corrected.strip()) and not _FINAL_END.search(corrected)
    return inner - lost
