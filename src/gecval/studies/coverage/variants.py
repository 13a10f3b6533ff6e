"""How many corrections does a sentence have, and which share of them do M references cover? (Low-coverage paper, §2)

    b_M = 1 − 1/N · Σᵢ P(y ∈ Yᵢ),   y ~ Dᵢ,  Yᵢ ~ Dᵢᴹ

is what accuracy hides from a perfect system. UnseenEst estimates Dᵢ from crowd corrections, one sentence at a time.
Everything after that is computed, not sampled. While M is below the number of corrections, the corrections themselves
give b_M without bias. The histogram is needed for larger M, and for the number of corrections.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, get_args

import numpy as np

from gecval.edits.matching import match_words
from gecval.errors import InputError
from gecval.formats.corrections import Corrections, read_histogram
from gecval.progress import Progress, silent
from gecval.stats import Interval, Resampling, bootstrap_interval
from gecval.stats.coverage import coverage, coverage_without_replacement, observed_coverage
from gecval.stats.means import SentenceMean
from gecval.stats.unseen import MOST_VARIANTS, Histogram, Programme, fingerprint

Unit = Literal["exact", "index"]
UNITS = get_args(Unit)
THRESHOLDS = (0.0, 0.001, 0.01, 0.1)


def normalised(text: str) -> str:
    """The words alone, in lower case. Two corrections are equal if these are.

    >>> normalised("However , it 's fine.")
    'however it s fine'
    """
    return re.sub(r"\W+", " ", text).strip().lower()


def variant(source: str, correction: str, unit: Unit) -> Hashable:
    """What makes two corrections equal.

    ``exact``: their words. ``index``: which source words they change, and how many words they add.
    """
    words = normalised(correction)
    if unit == "exact":
        return words
    before, after = normalised(source).split(), words.split()
    pairs = match_words(before, after)
    changed = tuple(i for i, j in pairs if i is not None and (j is None or before[i] != after[j]))
    return changed, sum(i is None for i, _ in pairs)


def without_unchanged(corrections: Iterable[Corrections], limit: int) -> list[Corrections]:
    """The sentences that fewer than ``limit`` people left unchanged (the authors' code: 8)."""
    return [
        sentence
        for sentence in corrections
        if sum(normalised(text) == normalised(sentence.source) for text in sentence.texts) < limit
    ]


@dataclass(frozen=True, kw_only=True)
class VariantEstimate:
    """The corrections of a sentence: how many people gave each, and the histogram of all there are.

    ``range`` is the least and the largest number of variants of all histograms that explain the corrections nearly as
    well. The number of variants is the least certain figure of a histogram.
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
    for done, sentence in enumerate(corrections, start=1):
        estimates.append(estimate_sentence(sentence, unit))
        progress(done, len(corrections))
    return estimates


def estimate_sentence(sentence: Corrections, unit: Unit) -> VariantEstimate:
    """UnseenEst for one sentence."""
    check_corrections(sentence)
    variants = [variant(sentence.source, text, unit) for text in sentence.texts]
    programme = Programme(fingerprint(variants))
    histogram = programme.histogram()
    return VariantEstimate(
        sentence=sentence.source,
        counts=tuple(Counter(variants).values()),
        objective=programme.objective(histogram.variants),
        histogram=histogram,
        range=programme.bounds(np.ones_like),
    )


def check_corrections(sentence: Corrections) -> None:
    """Refuse a sentence that nothing can be estimated from."""
    if len(sentence.texts) < 2:
        raise InputError(f"{sentence.source[:60]!r} has one correction; every sentence needs two or more")


def published_histogram(path: Path) -> Histogram:
    """A histogram that UnseenEst has written to a file."""
    frequencies, variants = np.array(read_histogram(path)).T
    if variants.sum() > MOST_VARIANTS:
        raise InputError(f"{path} has {variants.sum():g} variants; UnseenEst gives {MOST_VARIANTS:,.0f} at most")
    return Histogram(frequencies, variants)


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """The corrections that have at least this frequency: how many, and their probability. Means over sentences."""

    frequency: float
    variants: float
    mass: float


def thresholds(histograms: Sequence[Histogram], frequencies: Sequence[float] = THRESHOLDS) -> list[Threshold]:
    """The rows of the paper's Tables 1 and 4."""
    rows = []
    for frequency in frequencies:
        variants, mass = np.mean([histogram.above(frequency) for histogram in histograms], axis=0)
        rows.append(Threshold(frequency=frequency, variants=float(variants), mass=float(mass)))
    return rows


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """The expected accuracy of a perfect system with M references.

    ``with_replacement`` is the coverage of M people's corrections by the histograms, with its ``interval``. A single
    sentence has no interval. ``without_replacement`` is the coverage of M corrections that all differ. ``observed`` is
    what the corrections show without a histogram. It is None where a sentence has M corrections or fewer.
    """

    derived: ClassVar[tuple[str, ...]] = ("bias",)

    references: int
    with_replacement: float
    interval: Interval | None
    without_replacement: float
    observed: float | None = None

    @property
    def bias(self) -> float:
        """What the references hide: from ``observed`` where it is known, else from ``with_replacement``."""
        return 1 - (self.with_replacement if self.observed is None else self.observed)


def coverage_curve(
    histograms: Sequence[Histogram],
    most: int = 20,
    *,
    counts: Sequence[Sequence[int]] = (),
    resampling: Resampling | None = None,
) -> list[Coverage]:
    """Coverage for 1, 2, … ``most`` references, the mean over sentences (Figure 1a).

    ``counts`` says how many people gave each correction of a sentence, where that is known.
    """
    resampling = resampling or Resampling()
    references = np.arange(1, most + 1)
    gathered = min(map(sum, counts), default=0)
    drawn = np.array([coverage(histogram, references) for histogram in histograms])
    different = np.array([coverage_without_replacement(histogram, most) for histogram in histograms]).mean(axis=0)
    return [
        Coverage(
            references=number,
            with_replacement=float(values.mean()),
            interval=bootstrap_interval(SentenceMean(values), resampling) if len(histograms) > 1 else None,
            without_replacement=float(without),
            observed=float(np.mean([observed_coverage(given, number) for given in counts]))
            if number < gathered
            else None,
        )
        for number, values, without in zip(references.tolist(), drawn.T, different, strict=True)
    ]
