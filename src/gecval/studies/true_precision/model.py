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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from gecval.stats.reference_agreement import agreed_coverage
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
    of_types = np.zeros((len(b), len(types)))
    for t, column in enumerate(calibration.columns(types)):
        if column is not None:
            of_types[:, t] = b[:, column]
    linear = np.einsum("...tk,...k->...t", features(np.atleast_2d(covered), references), b[:, :BASE])
    shares: Array = expit(linear + of_types + shift)
    return shares[0] if draws is None else shares
