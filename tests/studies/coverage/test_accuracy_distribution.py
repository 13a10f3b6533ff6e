"""How likely each accuracy of a perfect system is."""

import numpy as np
import pytest

from gecval.stats import Interval
from gecval.stats.unseen import Histogram
from gecval.studies.coverage.crowd import accuracy_distributions


def test_how_likely_each_accuracy_is() -> None:
    """Two sentences with one correction each, another of which is rarer: right with probability 1 and 0.5² + 0.5²."""
    sure, coin = Histogram(np.array([1.0]), np.array([1.0])), Histogram(np.array([0.5]), np.array([2.0]))
    one, two = accuracy_distributions([sure, coin], 2, level=0.5)
    assert one.probabilities == pytest.approx((0.0, 0.5, 0.5))
    assert (one.interval, one.deviation) == (Interval(0.5, 1.0), 0.25)
    assert two.probabilities == pytest.approx((0.0, 0.25, 0.75))
    assert two.references == 2
