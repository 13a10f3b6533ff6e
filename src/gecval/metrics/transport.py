"""Unbalanced optimal transport with entropy (Chizat et al. 2018), by the library POT.

    T = argmin ⟨T, M⟩ + reg·KL(T ‖ a bᵀ) + reg_m·KL(T1 ‖ a) + reg_m·KL(Tᵀ1 ‖ b)

a and b are the masses of two sides, M what it costs to carry a unit from one place to another. Mass may be made or lost
at a price, so more or less than a mass may leave its place.

The library's search stops before it began if a place has no mass. ``plan`` leaves such places out first. The library
also rescales large numbers on the way, and then ends far from the minimum where reg_m is above reg. ``plan`` forbids
it. Where reg_m is many times reg and places lie far apart, the search still stops early: such plans are rough.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from gecval.errors import MissingExtraError
from gecval.metrics.base import Array

NEVER = 1e300
LIBRARY = 1e5  # the library's default


def library() -> Any:
    """POT, refused with the install line where it is not installed."""
    check_library()
    return import_module("ot")


def check_library() -> None:
    """The same without loading it, which takes seconds."""
    if find_spec("ot") is None:
        raise MissingExtraError("uot (POT)", "uot")


def plan(a: Array, b: Array, cost: Array, *, reg: float, reg_m: float) -> Array:
    """How much goes from each place to each. Places without mass take no part.

    >>> plan(np.array([1.0, 0.0]), np.array([1.0]), np.array([[0.0], [2.0]]), reg=0.1, reg_m=0.1).round(4).tolist()
    [[1.0], [0.0]]
    """
    carried: Array = np.zeros(cost.shape)
    left, right = np.flatnonzero(a > 0), np.flatnonzero(b > 0)
    if len(left) and len(right):
        part = np.ix_(left, right)
        carried[part] = plan_of_library(a[left], b[right], cost[part], reg=reg, reg_m=reg_m, rescale_above=NEVER)
    return carried


def plan_of_library(
    a: Array, b: Array, cost: Array, *, reg: float, reg_m: float, rescale_above: float = LIBRARY
) -> Array:
    """What POT gives, whatever it is given."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):  # of places without mass, and of digits not yet settled
        warnings.simplefilter("ignore")
        carried: Array = library().unbalanced.sinkhorn_unbalanced(
            a, b, cost, reg=reg, reg_m=reg_m, method="sinkhorn_stabilized", tau=rescale_above
        )
    return carried


def distances(a: Array, b: Array, metric: str) -> Array:
    """Between all vectors of two sides, euclidean or cosine."""
    between: Array = library().dist(a, b, metric=metric)
    return between
