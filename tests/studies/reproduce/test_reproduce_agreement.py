"""gecval reproduce agreement, with three metrics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import gecval.studies.reproduce.agreement as agreement
from gecval import metric
from gecval.results.chart_files import check_plot_path
from gecval.studies.reproduce.charts import paper_charts
from gecval.studies.reproduce.study import Reproduction, reproduce

SETS = (
    "GJG15, all",
    "NSPT15, all",
    "SEEDA-S, base",
    "SEEDA-S, with fluent",
    "SEEDA-E, base",
    "SEEDA-E, with fluent",
)


@pytest.fixture(scope="module")
def made(data: Path) -> Iterator[Reproduction]:
    """Two metrics that look at references and one that does not."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GECVAL_DATA", str(data))
        patched.setattr(agreement, "list_default_metrics", lambda: [metric(name) for name in ("gleu", "m2", "ld")])
        agreement._score_benchmarks.cache_clear()
        yield reproduce("agreement", only=["two references", "ten references", "blind choices, two references"])
        agreement._score_benchmarks.cache_clear()


def test_figures_of_two_and_ten_references(made: Reproduction) -> None:
    tables = {table.title.partition(":")[0]: table for table in made}
    two, ten = tables["Accuracy with two references"], tables["Accuracy with ten references"]
    assert two.columns == ten.columns == SETS
    assert [round(two.rows["gleu"][name].ours or 0, 2) for name in SETS] == [0.69, 0.66, 0.68, 0.61, 0.67, 0.62]
    assert [round(two.rows["ld"][name].ours or 0, 2) for name in SETS] == [0.51, 0.59, 0.23, 0.21, 0.27, 0.25]
    assert "ld" not in ten.rows  # it sees no reference
    assert "control: more changes" in two.rows
    assert round(two.rows["second judge"]["NSPT15, all"].ours or 0, 3) == 0.833
    assert [round(tables["r with two references"].rows["m2"][name].ours or 0, 2) for name in SETS[:2]] == [0.63, 0.07]


def test_the_picture_has_a_spot_for_each_metric_and_control(made: Reproduction) -> None:
    [table] = [table for table in made if table.title.startswith("The confound, two")]
    assert table.chart is not None
    spots = {(spot.panel, spot.name): spot for spot in table.chart.spots}
    assert len(spots) == len(SETS) * (3 + 5)
    change = spots["SEEDA-S, base", "control: more changes"]
    assert change.x > 0.7 > 0.6 > change.y  # it lives on the amount of change
    drawn = dict(paper_charts(made))
    assert "the-confound-two-references-does-a-metric-see-more-than-the" in drawn
    check_plot_path(Path("x.svg"))


def test_choices_are_blind_and_summed_up(made: Reproduction) -> None:
    tables = [table for table in made if table.title.startswith("Blind choice")]
    assert [table.title for table in tables] == [
        f"Blind choice by {criterion}, two references: 6 candidates" for criterion in ("accuracy", "r")
    ]
    by_accuracy = tables[0]
    assert len(by_accuracy.rows) == 2 * 5 + 4 * 4
    assert "SEEDA-S, base → SEEDA-E, base, same outputs" in by_accuracy.rows
    assert not any("SEEDA-S, base → SEEDA-S" in label for label in by_accuracy.rows)
    for row in by_accuracy.rows.values():
        chosen, alone, gain = (row[name].ours or 0 for name in (agreement.CHOSEN, agreement.ALONE, agreement.GAIN))
        assert gain == pytest.approx(chosen - alone)
        assert chosen <= (row["best of all in hindsight"].ours or 0) + 1e-9
    assert by_accuracy.notes[0].startswith("outputs that nothing was chosen on: the best of all beats")
    assert "of 16 choices" in by_accuracy.notes[0]
