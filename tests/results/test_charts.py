"""What charts say: names that can be read, colours that mean something."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from gecval.stats.resampling import Interval
from gecval.studies.human.charts import scatter_chart
from gecval.studies.human.result import HumanCorrelation, SystemScore
from results.examples import correlated, fill

pytest.importorskip("altair", reason="needs the extra [report]")


def rows(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """All data of a chart."""
    return [row for values in spec["datasets"].values() for row in values]


def correlation(value: float, metric: list[float]) -> HumanCorrelation:
    systems = tuple(
        fill(SystemScore, system=f"SYS{i}", metric=score, metric_interval=Interval(score - 1e-17, score))
        for i, score in enumerate(metric)
    )
    coefficient = replace(correlated("gleu").pearson, value=value)
    return replace(correlated("gleu"), pearson=coefficient, spearman=coefficient, kendall=coefficient, systems=systems)


def test_systems_at_one_place_have_names_at_different_places() -> None:
    spec = scatter_chart([correlation(0.5, [0.2, 0.2, 0.2, 0.4])]).to_dict()
    named = {row["system"]: (row["label x"], row["label y"]) for row in rows(spec)}
    assert len(set(named.values())) == len(named) == 4


def test_a_constant_metric_is_called_so_and_not_zoomed_into_its_rounding() -> None:
    chart = scatter_chart([correlation(math.nan, [0.3, 0.3, 0.3, 0.3])], level=0.9).to_dict()
    assert chart["title"]["subtitle"] == "lines: 90% intervals of the scores"
    (panel,) = chart["concat"]
    assert panel["title"] == "judgments: constant, so no correlation"
    assert panel["layer"][0]["encoding"]["x"]["scale"]["domain"] == pytest.approx([0.27, 0.33])


@pytest.mark.parametrize(
    ("scores", "domain"),
    [([1e6, 1e6 + 1e-7], [0.9e6, 1.1e6]), ([1.0, 3.0], [0.9, 3.1]), ([-3.0, -1.0], [-3.1, -0.9])],
)
def test_a_margin_is_a_twentieth_of_what_is_shown(scores: list[float], domain: list[float]) -> None:
    """Or a tenth of the scores, where they differ by rounding only."""
    (panel,) = scatter_chart([correlation(0.5, scores)]).to_dict()["concat"]
    assert panel["layer"][0]["encoding"]["x"]["scale"]["domain"] == pytest.approx(domain)


def test_systems_without_a_single_point_have_an_axis_around_0() -> None:
    nothing = correlation(math.nan, [0.0, 0.0])
    nothing = replace(nothing, systems=tuple(replace(system, metric_interval=None) for system in nothing.systems))
    (panel,) = scatter_chart([nothing]).to_dict()["concat"]
    assert panel["layer"][0]["encoding"]["x"]["scale"]["domain"] == [-1, 1]
