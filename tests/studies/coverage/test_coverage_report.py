"""Coverage as tables and charts: what cannot be told is a dash with its reason."""

from __future__ import annotations

import pytest

from gecval.stats import Interval
from gecval.studies.coverage.charts import crowd_chart
from gecval.studies.coverage.result import Coverage, CrowdCoverage, Threshold


def point(interval: Interval | None) -> Coverage:
    return Coverage(references=1, with_replacement=0.5, interval=None, range=interval, without_replacement=0.5)


def curve(interval: Interval | None) -> CrowdCoverage:
    thresholds = (Threshold(frequency=0.0, variants=2.0, mass=1.0),)
    return CrowdCoverage(sentences=1, thresholds=thresholds, curve=(point(interval),), level=0.9)


@pytest.mark.parametrize(("low", "high", "domain"), [(0.0, 1.0, [0, 1]), (-0.1, 0.9, None), (0.1, 1.5, None)])
def test_shares_have_an_axis_from_0_to_1(low: float, high: float, domain: list[int] | None) -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    band = crowd_chart(curve(Interval(low, high))).to_dict()["layer"][0]
    assert band["encoding"]["y"]["scale"].get("domain") == domain
