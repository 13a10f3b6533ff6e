"""Do systems correct less than people do? (Low-coverage paper, §3.2)

    WORDCHANGE   words that were changed, deleted or added, after an optimal matching of the words
    word order   Spearman's ρ between the places of matched words in source and correction
    sentences    split in two, or joined with the next

Only letters and digits count, and no case: a system's output that was made lower-case is not a correction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.edits.matching import match_words
from gecval.errors import InputError
from gecval.progress import Progress, silent

_INNER_END = re.compile(r"[.!?]+['\")\]]*\s+(?=\S*\w)")
_FINAL_END = re.compile(r"[.!?]+[\s'\")\]]*$")


@dataclass(frozen=True, eq=False)
class Changes:
    """What one corrector does to the source, sentence by sentence, and in how many it moves a sentence's end."""

    corrector: str
    word_changes: NDArray[np.int64]
    order: NDArray[np.float64]
    split: int
    joined: int

    def histogram(self, most: int = 10) -> list[int]:
        """In how many sentences 0, 1, … words are changed; the last number is for ``most`` or more."""
        counts: list[int] = np.bincount(np.minimum(self.word_changes, most), minlength=most + 1).tolist()
        return counts

    def reordered(self, threshold: float = 1.0) -> float:
        """The share of sentences whose ρ stays below a threshold."""
        return float(np.mean(self.order < threshold - 1e-12))


def under_correction(
    corpus: Corpus, systems: Sequence[System], *, annotator: int = 0, progress: Progress = silent
) -> list[Changes]:
    """The changes of one annotator, then those of each system."""
    counts = np.diff(corpus.reference_slots)
    if annotator >= counts.min():
        number = int(np.argmin(counts)) + 1
        raise InputError(
            f"there is no annotator {annotator} for sentence {number}, which has {counts.min()} references"
        )
    texts = [corpus.texts_of(i)[annotator] for i in range(len(corpus))]
    correctors = [System("(reference)", texts), *systems]
    found = []
    for done, corrector in enumerate(correctors, start=1):
        found.append(changes(corrector.name, corpus.sources, corrector.hypotheses))
        progress(done, len(correctors))
    return found


def changes(corrector: str, sources: Sequence[str], corrected: Sequence[str]) -> Changes:
    """What one corrector does."""
    compared = [_compare(source, text) for source, text in zip(sources, corrected, strict=True)]
    boundaries = [_boundaries(source, text) for source, text in zip(sources, corrected, strict=True)]
    return Changes(
        corrector,
        np.array([changed for changed, _ in compared], dtype=np.int64),
        np.array([order for _, order in compared], dtype=np.float64),
        sum(more > 0 for more in boundaries),
        sum(more < 0 for more in boundaries),
    )


def word_changes(sources: Sequence[str], corrected: Sequence[str]) -> NDArray[np.int64]:
    """WORDCHANGE of each sentence.

    >>> word_changes(["He go home ."], ["He goes home now ."]).tolist()
    [2]
    """
    return np.array([_compare(*pair)[0] for pair in zip(sources, corrected, strict=True)], dtype=np.int64)


def _compare(source: str, corrected: str) -> tuple[int, float]:
    """How many words change, and ρ of those that are matched."""
    mine, theirs = _words(source), _words(corrected)
    if mine == theirs:
        return 0, 1.0
    pairs = match_words(mine, theirs)
    changed = sum(i is None or j is None or mine[i] != theirs[j] for i, j in pairs)
    places = [j for i, j in pairs if i is not None and j is not None]
    return changed, _spearman(np.array(places, dtype=np.int64))


def _words(text: str) -> list[str]:
    letters = (re.sub(r"[\W_]+", "", token) for token in text.lower().split())
    return [word for word in letters if word]


def _spearman(places: NDArray[np.int64]) -> float:
    """ρ between 0, 1, 2, … and places that all differ; 1 where there are not two to compare."""
    n = len(places)
    if n < 2:
        return 1.0
    moved = np.argsort(np.argsort(places)) - np.arange(n)
    return float(1 - 6 * np.sum(moved**2) / (n * (n**2 - 1)))


def _boundaries(source: str, corrected: str) -> int:
    """How many ends of sentences are added; a last one that is lost joins the sentence with the next."""
    inner = len(_INNER_END.findall(corrected)) - len(_INNER_END.findall(source))
    lost = bool(_FINAL_END.search(source)) and bool(corrected.strip()) and not _FINAL_END.search(corrected)
    return inner - lost
