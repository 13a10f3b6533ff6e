"""MAEGE's charts: what they show, and that it can be read."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gecval import metric
from gecval.edit import Edit
from gecval.edits import Lattice
from gecval.report.maege.charts import _colour_end, lattice_chart, type_heat_map
from gecval.sample import load_sample
from gecval.studies.maege import Maege, maege, type_deltas

pytest.importorskip("altair", reason="needs the extra [report]")


@pytest.fixture(scope="module")
def study() -> Maege:
    corpus, _ = load_sample()
    found = maege(corpus, corpus, [metric("ld"), metric("gleu")], replicates=1)
    types = found.replicates[0]["ld"].types
    # One type whose Δ is a hundred times any other's.
    types["M:DET"] = dataclasses.replace(types["M:DET"], delta=100 * max(abs(one.delta) for one in types.values()))
    return found


def test_an_outlier_does_not_take_the_colour_from_other_types(study: Maege) -> None:
    chart = type_heat_map(study).to_dict()
    [values] = chart["datasets"].values()
    cells = {(cell["type"], cell["metric"]): cell for cell in values}
    assert cells["M:DET", "ld"]["share"] == 1
    sizes = [abs(by["ld"].mean) for by in type_deltas(study).values()]
    for (kind, name), cell in cells.items():
        assert cell["delta"] == type_deltas(study)[kind][name].mean
        assert name == "gleu" or cell["share"] == pytest.approx(
            float(np.clip(cell["delta"] / np.quantile(sizes, 0.9), -1, 1))
        )
    assert sum(abs(cell["share"]) > 0.1 for (_, name), cell in cells.items() if name == "ld") > 5
    assert "darkest from the 90% quantile of |Δ| on" in chart["layer"][0]["title"]["subtitle"]


def test_where_colours_are_darkest() -> None:
    assert _colour_end([-1.0, *[0.5] * 10, 0.0]) == 0.5
    assert _colour_end([*[0.0] * 19, -2.0]) == 2.0  # the quantile is 0
    assert _colour_end([0.0, 0.0]) == 1.0


def test_figures_on_dark_squares_are_white(study: Maege) -> None:
    [colour] = [layer["encoding"]["color"] for layer in type_heat_map(study).to_dict()["layer"][1:]]
    assert colour["condition"] == {"test": "abs(datum.share) > 0.7", "value": "white"}
    assert colour["value"] == "black"


def test_sentences_stand_above_and_below_the_lattice() -> None:
    edits = (Edit(0, 1, ("A",)), Edit(1, 1, ("x",)), Edit(2, 3, ("",)))
    chart = lattice_chart(Lattice(("a", "b", "c"), edits)).to_dict()
    shifts = {
        chart["datasets"][layer["data"]["name"]][0]["text"]: layer["mark"]["dy"]
        for layer in chart["layer"]
        if layer["mark"].get("fontWeight") == "bold"
    }
    assert shifts == {"a b c": 18, "A x b": -14}
