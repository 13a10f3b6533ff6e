"""How likely is an edit valid that no reference has?

The coverage model: if a share v of a system's edits of type t is valid, and references have a valid edit of this type
with probability c_t (its coverage), then the share p_t = v·c_t of its edits is found among the references, and of those
that are not found there, p_t (1/c_t − 1) / (1 − p_t) are valid. This assumes that systems choose among valid edits as
people do, which they do not quite. So people's judgments of edits calibrate it, for M references:

    logit P(valid | in no reference) = a + b·logit c_t + d·log M + u_t + w_s

u_t is held back by a ridge. w_s is what sets a system apart; nobody knows it for a system without judgments. Its spread
τ comes from the S systems that were judged, each held out. Intervals include it: w is drawn as τ·√(1 + 1/S) times
Student's t with S − 1 degrees of freedom, since the mean of S systems is not that of all, and τ is an estimate too.

This holds for systems like those that were judged. If references have fewer of a system's edits than of any judged
system's (``least``), the calibration knows nothing of it: then the coverage model alone makes the estimate, and the
interval reaches from there to the calibrated share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.edits.extractors import Extractor, extract
from gecval.edits.matching import touch
from gecval.metrics.error_types import at_detail
from gecval.runtime.run import SERIAL, Run
from gecval.stats.coverage import ReferenceAgreement, agreed_coverage, subset_pmf
from gecval.stats.resampling import Array

PRIOR = 5.0  # edits: types with few edits are near the coverage, and the share found, of all types
LEAST, MOST = 0.02, 0.98  # shares nearer to 0 or 1 say no more
BASE = 3  # coefficients before those of the types


@dataclass(frozen=True, eq=False)
class Calibration:
    """What judgments say: a, b, d and u of each type, their covariance, τ by number of references, and S."""

    types: tuple[str, ...]
    coefficients: Array
    covariance: Array
    spread: Mapping[int, float]
    systems: int
    least: Mapping[int, float]  # the least share of a judged system's edits that M references have

    def shifts(self, references: int, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
        """Draws of w, where there are so many references."""
        wide = self.spread_at(references) * np.sqrt(1 + 1 / self.systems)
        return np.asarray(wide * rng.standard_t(max(1, self.systems - 1), size=shape))

    def spread_at(self, references: int) -> float:
        """τ for so many references."""
        known = sorted(self.spread)
        return float(np.interp(references, known, [self.spread[number] for number in known]))

    def least_at(self, references: int) -> float:
        """The least share of a judged system's edits that so many references have."""
        known = sorted(self.least)
        return float(np.interp(references, known, [self.least[number] for number in known]))

    def columns(self, types: Sequence[str]) -> list[int | None]:
        """Where the coefficient of each type stands; None for types that nobody judged."""
        return [BASE + self.types.index(name) if name in self.types else None for name in types]


def coverages(totals: Array, references: int, share: float) -> Array:
    """c of every type, from sums ``[..., type, 3]`` of agreement rows, each drawn towards that of all types."""
    together = agreed_coverage(totals.sum(axis=-2), share)[..., None]
    given = totals[..., 0] / references
    return np.minimum((given * agreed_coverage(totals, share) + PRIOR * together) / (given + PRIOR), 1.0)


def found_shares(found: Array, edits: Array) -> Array:
    """p of every type, ``[..., type]``, each drawn towards that of all types."""
    total = edits.sum(axis=-1, keepdims=True)
    # Without any edit there is nothing to say, and nothing to correct.
    together = np.divide(found.sum(axis=-1, keepdims=True), total, out=np.full_like(total, 0.5), where=total > 0)
    shares: Array = (found + PRIOR * together) / (edits + PRIOR)
    return shares


def coverage_model(covered: Array, found: Array) -> Array:
    """The share of valid edits among those that no reference has, without any judgment.

    >>> coverage_model(np.array([0.8]), np.array([0.4])).round(4).tolist()
    [0.1667]
    """
    shares: Array = np.minimum(found * (1 / np.maximum(covered, 1e-12) - 1) / np.maximum(1 - found, 1e-12), 1.0)
    return shares


def features(covered: Array, references: int) -> Array:
    """The columns of a, b and d."""
    known = logit(np.clip(covered, LEAST, MOST))
    return np.stack([np.ones_like(known), known, np.full_like(known, np.log(references))], axis=-1)


def valid_shares(
    covered: Array, references: int, calibration: Calibration, types: Sequence[str], *, draws: Array | None = None
) -> Array:
    """P(valid) of an edit of every type that no reference has.

    ``draws[n, coefficient]``, the last of which is w, go with ``covered[n, type]``.
    """
    b = calibration.coefficients[None] if draws is None else draws[:, :-1]
    shift = 0.0 if draws is None else draws[:, -1:]
    type_terms = np.zeros((len(b), len(types)))
    for t, column in enumerate(calibration.columns(types)):
        if column is not None:
            type_terms[:, t] = b[:, column]
    linear = np.einsum("...tk,...k->...t", features(np.atleast_2d(covered), references), b[:, :BASE])
    shares: Array = expit(linear + type_terms + shift)
    return shares[0] if draws is None else shares


# The edits of outputs, compared with those of all references
#
#     agree       how many references have the same edit: the same words become the same correction
#     settled     a gold edit of the chosen reference that the output lacks, but where another edit of the output that
#                 some reference has touches its words: the error is fixed in another way
#     open        such a gold edit that only an edit without any reference touches; if that is valid, the error is
#                 fixed
#
# Edits of outputs and of references are found by the same extractor, so that their spans agree.


Gold = Sequence[Sequence[Sequence[Edit]]]  # the edits of each reference of each sentence
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ProposedEdits:
    """All edits of all systems: whose, where, of which type, and how many references have each."""

    system: Integers
    sentence: Integers
    kind: Integers
    agree: Integers
    keys: Sequence[tuple[int, int, str]]

    @property
    def unmatched(self) -> NDArray[np.bool_]:
        return np.asarray(self.agree == 0)


def type_of(edit: Edit) -> str:
    """The category of an edit's type, such as NOUN:NUM."""
    return at_detail(edit.type, "category")


def key_of(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, edit.correction


def gold_edits(corpus: Corpus, extractor: Extractor, *, run: Run = SERIAL) -> list[list[tuple[Edit, ...]]]:
    """The edits of every reference, found again from its text."""
    counts = np.diff(corpus.reference_slots).tolist()
    pairs = [(source, text) for i, source in enumerate(corpus.sources) for text in corpus.texts_of(i)]
    found = iter(extract(extractor, pairs, run=run))
    return [[next(found) for _ in range(count)] for count in counts]


def system_edits(
    corpus: Corpus, systems: Sequence[System], extractor: Extractor, *, run: Run = SERIAL
) -> list[list[tuple[Edit, ...]]]:
    """The edits of every output, ``[system][sentence]``."""
    pairs = [pair for system in systems for pair in zip(corpus.sources, system.hypotheses, strict=True)]
    found = iter(extract(extractor, pairs, run=run))
    return [[next(found) for _ in corpus.sources] for _ in systems]


def proposed_edits(outputs: Sequence[Sequence[Sequence[Edit]]], gold: Gold, types: Sequence[str]) -> ProposedEdits:
    """The edits of all outputs, each with the number of references that have it."""
    number = {name: t for t, name in enumerate(types)}
    agree = [Counter(key for edits in references for key in set(map(key_of, edits))) for references in gold]
    rows = [
        (s, i, number[type_of(edit)], agree[i][key_of(edit)], key_of(edit))
        for s, sentences in enumerate(outputs)
        for i, edits in enumerate(sentences)
        for edit in edits
    ]
    columns = np.array([row[:4] for row in rows], dtype=np.int64).reshape(-1, 4).T
    return ProposedEdits(columns[0], columns[1], columns[2], columns[3], [row[4] for row in rows])


def agreement_rows(gold: Gold, types: Sequence[str]) -> tuple[Array, int, float]:
    """How the references agree: ``rows[sentence, type]`` of ``ReferenceAgreement``, M, and ρ of all types together."""
    least = min(map(len, gold))
    number = {name: t for t, name in enumerate(types)}
    fingerprints = np.zeros((len(gold), len(types), least))
    for i, references in enumerate(gold):
        kinds = {key_of(edit): number[type_of(edit)] for edits in references for edit in edits}
        counts = Counter(key for edits in references for key in set(map(key_of, edits)))
        for key, times in counts.items():
            fingerprints[i, kinds[key]] += subset_pmf(len(references), times, least)
    together = ReferenceAgreement(fingerprints.sum(axis=1))
    given = together.rows[:, 0].sum()
    share = together.remaining_share(together.histogram()) if given > 1 else 0.0
    rows = np.stack([ReferenceAgreement(fingerprints[:, t]).rows for t in range(len(types))], axis=1)
    return rows, least, share


def missed_edits(
    proposed: Sequence[Edit], agree: Sequence[int], gold: Sequence[Edit], kinds: Sequence[int], types: int
) -> tuple[int, Array]:
    """How many gold edits of a reference nothing fixes, and how many are open, by type of the first edit there."""
    have = set(map(key_of, proposed))
    missed, opened = 0, np.zeros(types)
    for edit in gold:
        if key_of(edit) in have:
            continue
        touching = [e for e, other in enumerate(proposed) if touch(edit, other)]
        if any(agree[e] for e in touching):
            continue
        if touching:
            opened[kinds[touching[0]]] += 1
        else:
            missed += 1
    return missed, opened
