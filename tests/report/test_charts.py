"""What charts say: names that can be read, colours that mean something."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from gecval.report.human.charts import ranking_chart, scatter_chart
from gecval.stats.correlation import Correlation
from gecval.stats.ranking import Standing
from gecval.stats.resampling import Interval
from gecval.studies.human.ranking import Ranking
from gecval.studies.human.results import HumanCorrelation, SystemScore

pytest.importorskip("altair", reason="needs the extra [report]")


def rows(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """All data of a chart."""
    return [row for values in spec["datasets"].values() for row in values]


def correlation(value: float, metric: list[float]) -> HumanCorrelation:
    coefficient = Correlation(value=value, p=0.5, interval=Interval(0.0, 1.0), n=len(metric))
    systems = tuple(
        SystemScore(
            system=f"SYS{i}",
            human=0.5,
            human_interval=Interval(0.4, 0.6),
            metric=score,
            metric_interval=Interval(score - 1e-17, score),
        )
        for i, score in enumerate(metric)
    )
    return HumanCorrelation(
        judgments="mine",
        target="expected-wins",
        metric="gleu",
        pearson=coefficient,
        spearman=coefficient,
        kendall=coefficient,
        systems=systems,
        signature="gleu",
    )


def test_bars_cover_the_ranks_that_chance_allows() -> None:
    ranking = Ranking(
        judgments="mine",
        method="expected-wins",
        systems=(
            Standing(system="a", score=0.75, interval=Interval(0.7, 0.8), ranks=(1, 2), cluster=1),
            Standing(system="b", score=0.5, interval=Interval(0.4, 0.6), ranks=(3, 3), cluster=2),
        ),
        level=0.95,
        signature="",
    )
    assert rows(ranking_chart([ranking]).to_dict()) == [
        {"system": "a", "best": 0.6, "worst": 2.4, "cluster": "1", "score": "0.750"},
        {"system": "b", "best": 2.6, "worst": 3.4, "cluster": "2", "score": "0.500"},
    ]


def test_systems_at_one_place_have_names_at_different_places() -> None:
    spec = scatter_chart([correlation(0.5, [0.2, 0.2, 0.2, 0.4])]).to_dict()
    named = {row["system"]: (row["label x"], row["label y"]) for row in rows(spec)}
    assert len(set(named.values())) == len(named) == 4


def test_a_constant_metric_is_called_so_and_not_zoomed_into_its_rounding() -> None:
    chart = scatter_chart([correlation(math.nan, [0.3, 0.3, 0.3, 0.3])], level=0.9).to_dict()
    assert chart["title"]["subtitle"] == "lines: 90% intervals of the scores"
    (panel,) = chart["concat"]
    assert panel["title"] == "mine: constant, so no correlation"
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
