"""What charts say: names that can be read, colours that mean something."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from gecval.report.human.charts import scatter_chart
from gecval.report.undercorrection.tables import changes_chart
from gecval.stats.correlation import Correlation
from gecval.stats.resampling import Interval
from gecval.studies.human.results import HumanCorrelation, SystemScore
from gecval.studies.undercorrection.changes import Changes

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


def test_every_corrector_is_named_at_the_end_of_its_line_and_the_least_daring_are_grey() -> None:
    sizes = [9, *range(13)]
    names = ["(reference)", *(f"SYS{i}" for i in range(13))]
    changes = [
        Changes(name, np.zeros(20, dtype=np.int64), np.array([0.9] * size + [1.0] * (20 - size)), 0, 0)
        for name, size in zip(names, sizes, strict=True)
    ]
    spec = changes_chart(changes).to_dict()
    ends = {row["corrector"]: row for row in rows(spec) if "place" in row and "end" in row}
    assert list(ends) == names
    places = sorted(row["place"] for row in ends.values())
    height, top = spec["vconcat"][1]["height"], 0.6 * 1.05
    assert min(b - a for a, b in pairwise(places)) * height / top >= 12 - 1e-9
    colours = {name: row["colour"] for name, row in ends.items()}
    assert colours["(reference)"] == "black"
    assert {name for name, colour in colours.items() if colour == "#999999"} == {f"SYS{i}" for i in range(5)}
    assert len({colours[f"SYS{i}"] for i in range(5, 13)}) == 8
