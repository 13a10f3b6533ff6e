"""How many corrections does a sentence have, and how much of them do M references cover? (Low-coverage paper, §2.1–2.2)

    b_M = 1 − 1/N · Σᵢ P(y ∈ Yᵢ),   y ~ Dᵢ,  Yᵢ ~ Dᵢᴹ

is what accuracy hides from a perfect system. Dᵢ is estimated from crowd corrections by UnseenEst, one sentence at a
time, and everything after that is computed, not sampled. As long as M is below the number of corrections gathered, they
tell b_M themselves, without bias; the histogram is needed for what lies beyond, and for the number of corrections.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from gecval.edits.matching import match_words
from gecval.errors import InputError
from gecval.formats.corrections import Corrections, read_histogram
from gecval.progress import Progress, silent
from gecval.stats import Interval, Resampling, bootstrap_interval
from gecval.stats.coverage import coverage, coverage_without_replacement, observed_coverage
from gecval.stats.means import SentenceMean
from gecval.stats.unseen import Histogram, Programme, fingerprint

Unit = Literal["exact", "index"]
UNITS = get_args(Unit)
THRESHOLDS = (0.0, 0.001, 0.01, 0.1)


def normalised(text: str) -> str:
    """Words alone, in lower case: what two corrections must share to be one.

    >>> normalised("However , it 's fine.")
    'however it s fine'
    """
    return re.sub(r"\W+", " ", text).strip().lower()


def variant(source: str, correction: str, unit: Unit) -> Hashable:
    """What counts as one correction: its words, or only which source words it changes and how many it adds."""
    words = normalised(correction)
    if unit == "exact":
        return words
    mine, theirs = normalised(source).split(), words.split()
    pairs = match_words(mine, theirs)
    changed = tuple(i for i, j in pairs if i is not None and (j is None or mine[i] != theirs[j]))
    return changed, sum(i is None for i, _ in pairs)


def without_unchanged(corrections: Iterable[Corrections], limit: int) -> list[Corrections]:
    """The sentences that fewer than ``limit`` people left unchanged (the authors' code: 8)."""
    return [one for one in corrections if sum(normalised(text) == normalised(one.source) for text in one.texts) < limit]


@dataclass(frozen=True)
class VariantEstimate:
    """The corrections of a sentence: how often each was given, and the histogram of all there are.

    ``range`` is what the number of variants may be where the fingerprint is explained nearly as well: the histogram is
    one of many, and this number the least certain thing about it.
    """

    sentence: str
    counts: tuple[int, ...]
    objective: float
    histogram: Histogram
    range: Interval


def estimate(
    corrections: Sequence[Corrections], *, unit: Unit = "exact", progress: Progress = silent
) -> list[VariantEstimate]:
    """UnseenEst for each sentence."""
    estimates = []
    for done, one in enumerate(corrections, start=1):
        if len(one.texts) < 2:
            raise InputError(f"{one.source[:60]!r} has one correction; the unseen needs two or more a sentence")
        variants = [variant(one.source, text, unit) for text in one.texts]
        programme = Programme(fingerprint(variants))
        histogram = programme.histogram()
        estimates.append(
            VariantEstimate(
                one.source,
                tuple(Counter(variants).values()),
                programme.objective(histogram.variants),
                histogram,
                programme.bounds(np.ones_like),
            )
        )
        progress(done, len(corrections))
    return estimates


def published_histogram(path: Path) -> Histogram:
    """A histogram that UnseenEst has written to a file."""
    frequencies, variants = np.array(read_histogram(path)).T
    return Histogram(frequencies, variants)


@dataclass(frozen=True)
class Threshold:
    """A row of the paper's Tables 1 and 4: means over sentences."""

    frequency: float
    variants: float
    mass: float


def thresholds(histograms: Sequence[Histogram], frequencies: Sequence[float] = THRESHOLDS) -> list[Threshold]:
    """How many corrections have at least each frequency, and their probability together."""
    return [Threshold(gamma, *np.mean([one.above(gamma) for one in histograms], axis=0)) for gamma in frequencies]


@dataclass(frozen=True)
class Coverage:
    """The expected accuracy of a perfect system with M references; ``interval`` is that of ``with_replacement``.

    ``observed`` is what the corrections tell without a histogram, where each sentence has more than M. A single
    sentence has no interval.
    """

    references: int
    with_replacement: float
    interval: Interval | None
    without_replacement: float
    observed: float | None = None

    @property
    def bias(self) -> float:
        """What is hidden, by the surest estimate there is."""
        return 1 - (self.with_replacement if self.observed is None else self.observed)


def coverage_curve(
    histograms: Sequence[Histogram],
    most: int = 20,
    *,
    counts: Sequence[Sequence[int]] = (),
    resampling: Resampling | None = None,
) -> list[Coverage]:
    """Coverage for 1, 2, … ``most`` references, the mean over sentences (Figure 1a).

    ``counts`` says how often each correction of a sentence was given, where that is known.
    """
    resampling = resampling or Resampling()
    references = np.arange(1, most + 1)
    gathered = min(map(sum, counts), default=0)
    drawn = np.array([coverage(one, references) for one in histograms])
    different = np.array([coverage_without_replacement(one, most) for one in histograms]).mean(axis=0)
    return [
        Coverage(
            number,
            float(values.mean()),
            bootstrap_interval(SentenceMean(values), resampling) if len(histograms) > 1 else None,
            float(without),
            float(np.mean([observed_coverage(one, number) for one in counts])) if number < gathered else None,
        )
        for number, values, without in zip(references.tolist(), drawn.T, different, strict=True)
    ]
