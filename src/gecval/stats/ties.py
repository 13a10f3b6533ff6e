"""When are two scores equal? The same sum in another order may differ in its last bits. This must decide nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
TOLERANCE = 1e-12


def sign(difference: Array) -> Array:
    """1, −1, or 0 where two scores differ by rounding alone; NaN where one of them is missing.

    >>> sign(np.array([0.1 + 0.2 - 0.3, -0.5, np.nan])).tolist()
    [0.0, -1.0, nan]
    """
    with np.errstate(invalid="ignore"):  # some builds of numpy warn of NaN
        signs: Array = np.where(np.abs(difference) <= TOLERANCE, 0.0, np.sign(difference))
    return signs


def share_as_large(differences: Array, observed: float) -> float:
    """The share of differences that lie as far from 0 as the observed one.

    >>> share_as_large(np.array([-0.3, 0.2, 0.1 + 0.2, 0.0]), -0.3)
    0.5
    """
    return float(np.mean(sign(np.abs(differences) - abs(observed)) >= 0))
