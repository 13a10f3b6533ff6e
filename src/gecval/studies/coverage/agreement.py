"""How often do the references of a corpus agree?

References that leave the source alone and references that change it are counted apart. If sentences have different
numbers of references, each sentence stands for all its subsets of the smallest number.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.stats import hypergeom

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.base import Array
from gecval.stats.reference_agreement import ReferenceAgreement, agreed_coverage


class Agreements(NamedTuple):
    """The agreement of references that leave the source alone, and of those that change it."""

    unchanged: ReferenceAgreement
    changed: ReferenceAgreement


def agreements(corpus: Corpus) -> Agreements:
    """How often the references of a corpus agree. Every sentence needs two references or more."""
    counts = np.diff(corpus.reference_slots)
    least = int(counts.min())
    if least < 2:
        raise InputError(
            f"coverage needs two references or more for every sentence; sentence {int(np.argmin(counts)) + 1} has "
            f'{least}. Where an .m2 file leaves out annotators who agree, load it with missing="agreed"',
            parameter="missing",
        )
    rows = np.zeros((2, len(corpus), least))
    for i, source in enumerate(corpus.sources):
        for text, times in Counter(" ".join(text.split()) for text in corpus.texts_of(i)).items():
            rows[int(text != " ".join(source.split())), i] += subset_pmf(int(counts[i]), times, least)
    return Agreements(*map(ReferenceAgreement, rows))


def remaining_share(agreement: ReferenceAgreement) -> float:
    """ρ of ``stats.reference_agreement``; 0 where there are too few references to estimate it."""
    return agreement.remaining_share(agreement.histogram()) if agreement.rows[:, 0].sum() > 1 else 0.0


def known_coverage(agreement: ReferenceAgreement) -> float | None:
    """The coverage of this kind of correction; None where no reference is of this kind.

    An estimate from few sentences can pass 1, which a probability cannot.
    """
    totals = agreement.rows.sum(axis=0)
    return min(1.0, float(agreed_coverage(totals, remaining_share(agreement)))) if totals[0] > 0 else None


@lru_cache(maxsize=10_000)
def subset_pmf(references: int, times: int, least: int) -> Array:
    """The probability that 1, 2, … of ``least`` references hold a text that ``times`` of all references hold."""
    pmf: Array = hypergeom.pmf(np.arange(1, least + 1), references, times, least)
    return pmf
