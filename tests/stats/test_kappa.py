"""Agreement of judges: the published figure, a small case by hand, and where there is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gecval.formats.judgments import read_judgments
from gecval.stats.kappa import judge_kappa


def test_kappa_of_gjg15_is_near_the_published(data: Path) -> None:
    """Published: 0.29 between judges, 0.46 within."""
    gjg15 = read_judgments(data / "gjg15" / "judgments.xml")
    for same, published in ((False, 0.29), (True, 0.46)):
        kappa = judge_kappa(gjg15.output_preferences, gjg15.sentences, gjg15.judges, same_judge=same)
        assert kappa.kappa == pytest.approx(published, abs=0.02)


def test_kappa_is_undefined_where_all_is_tied_or_nothing_compared() -> None:
    sentences, judges = np.array([1, 1]), np.array(["a", "b"])
    tied = judge_kappa(np.ones((2, 2)), sentences, judges, same_judge=False)
    assert (tied.agree, tied.comparisons) == (1.0, 1)
    assert np.isnan(tied.kappa)
    alone = judge_kappa(np.array([[1.0, np.nan]] * 2), sentences, judges, same_judge=False)
    assert np.isnan([alone.kappa, alone.agree]).all()
    # They agree on a > b alone, and one pair in six is tied: P(A) = 1/3, P(E) = 1/36 + 25/72 = 3/8.
    both = judge_kappa(np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 3.0]]), sentences, judges, same_judge=False)
    assert both.comparisons == 3
    assert both.kappa == pytest.approx((1 / 3 - 3 / 8) / (5 / 8))
