"""Under-correction as tables and charts: names that can be read, colours that mean something."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from gecval import InputError, Reranking, UnderCorrection
from gecval.results import theme
from gecval.studies.undercorrection.charts import BOLD, changes_chart, reranking_chart
from gecval.studies.undercorrection.reranking import Reranked
from gecval.studies.undercorrection.study import THRESHOLDS, Changes, FrequencyCorrelation, TypeRatio
from gecval.studies.undercorrection.tables import changes_table, reranking_tables, type_table, undercorrection_tables


def compared(*reordered: float) -> UnderCorrection:
    """A reference and systems that reorder such shares of sentences."""
    names = ["(reference)", *(f"SYS{i}" for i in range(len(reordered) - 1))]
    correctors = [
        Changes(
            corrector=name,
            word_changes=1.5,
            sentences=(12, 8, 0),
            order=0.9,
            below=(0.0,) * (len(THRESHOLDS) - 1) + (share,),
            split=1,
            joined=2,
        )
        for name, share in zip(names, reordered, strict=True)
    ]
    return UnderCorrection(annotator=1, sentences=20, correctors=tuple(correctors))


RERANKED = Reranking(
    metric="sari",
    candidates=("a", "b", "c"),
    repetitions=3,
    seed=1,
    choices=(
        Reranked(references=1, score=0.5, word_changes=1.0, sentences=(1 / 3, 2 / 3), gained=(0.0, 0.0)),
        Reranked(references=2, score=0.25, word_changes=2.0, sentences=(0.0, 1.0), gained=(-1 / 3, 1 / 3)),
    ),
    signature="",
)


def values(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """All data of a chart."""
    return [row for dataset in spec["datasets"].values() for row in dataset]


def test_a_row_per_corrector() -> None:
    result = compared(0.2, 0.1)
    [table] = undercorrection_tables(result)
    assert table.columns == [
        "corrector",
        "words changed",
        "0",
        "1",
        "2+",
        "mean ρ",
        "reordered",
        "split",
        "joined",
    ]
    assert table.rows[1] == ["SYS0", 1.5, 12, 8, 0, 0.9, 0.1, 1, 2]
    assert changes_table(result).footnotes[0] == "(reference): annotator 1"


def test_types_and_their_correlation() -> None:
    types = tuple(TypeRatio(type=name, systems=1.0, references=n) for n, name in enumerate(("VERB", "DET"), start=1))
    result = replace(compared(0.2, 0.1), types=types)
    assert [table.title for table in undercorrection_tables(result)][1:] == ["Edits by error type"]
    assert type_table(result).rows == [["VERB", "open", 1.0, 1, 1.0], ["DET", "closed", 1.0, 2, 0.5]]
    assert len(type_table(result).footnotes) == 1
    for rho, p, expected in (
        (-0.35, 0.094, "Spearman's ρ = -0.35, p = 0.094"),
        (-0.9, 1e-9, "Spearman's ρ = -0.90, p < 0.001"),
        (-0.9, 0.001, "Spearman's ρ = -0.90, p = 0.001"),
        (float("nan"), float("nan"), "no correlation, since one of them is constant"),
    ):
        correlated = replace(result, correlation=FrequencyCorrelation(rho=rho, p=p))
        assert type_table(correlated).footnotes[1] == f"frequency of a type against its ratio: {expected}"


def test_a_row_per_number_of_references() -> None:
    [table] = reranking_tables(RERANKED)
    assert table.columns == ["references", "sari", "words changed", "0", "1+"]
    assert table.rows == [[1, 0.5, 1.0, "0.3", "0.7"], [2, 0.25, 2.0, "0.0", "1.0"]]
    assert table.footnotes == ["the oracle chooses among 3 candidates by sari; means over 3 draws of references"]
    assert reranking_tables(RERANKED, "tsv")[0].rows[0][3] == 1 / 3
    [table] = reranking_tables(replace(RERANKED, higher_is_better=False))
    assert table.footnotes[-1] == "sari: lower is better"


def test_one_row_is_a_table_too() -> None:
    [table] = reranking_tables(replace(RERANKED, choices=RERANKED.choices[:1]))
    assert table.rows == [[1, 0.5, 1.0, "0.3", "0.7"]]
    assert changes_table(compared(0.2)).rows == [["(reference)", 1.5, 12, 8, 0, 0.9, 0.2, 1, 2]]


def test_numbers_have_three_decimals() -> None:
    types = (TypeRatio(type="VERB", systems=1.0, references=3),)
    tables = [*undercorrection_tables(replace(compared(0.2, 0.1), types=types)), *reranking_tables(RERANKED)]
    assert [table.digits for table in tables] == [3, 3, 3]


def test_every_corrector_is_named_at_the_end_of_its_line_and_those_that_reorder_least_are_grey() -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    result = compared(0.45, *(k / 20 for k in range(13)))
    spec = changes_chart(result).to_dict()
    ends = {row["corrector"]: row for row in values(spec) if "place" in row and "end" in row}
    assert list(ends) == [corrector.corrector for corrector in result]
    places = sorted(row["place"] for row in ends.values())
    height, top = spec["vconcat"][1]["height"], 0.6 * 1.05
    assert min(b - a for a, b in pairwise(places)) * height / top >= 12 - 1e-9
    colours = {name: row["colour"] for name, row in ends.items()}
    assert colours["(reference)"] == theme.PEOPLE
    assert {name for name, colour in colours.items() if colour == theme.REMAINDER} == {f"SYS{i}" for i in range(8)}
    assert len({colours[f"SYS{i}"] for i in range(8, 13)} | {theme.PEOPLE}) == 6
    many = changes_chart(compared(0.45, *(k / 50 for k in range(29)))).to_dict()
    assert (height, many["vconcat"][1]["height"]) == (200, 30 * 12)
    widths = {layer["mark"].get("strokeWidth") for layer in spec["vconcat"][1]["layer"]}
    assert BOLD in widths


def test_charts_say_what_they_show() -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    spec = changes_chart(compared(0.2, 0.1)).to_dict()
    assert spec["title"]["text"] == "How much do systems change, and how much does the reference?"
    assert spec["title"]["subtitle"] == "(reference): what annotator 1 changed in the same 20 sentences"
    words, order, ends = (panel.get("title") or panel["layer"][0]["title"] for panel in spec["vconcat"])
    assert [title["text"] for title in (words, order, ends)] == [
        "Words changed",
        "Word order",
        "Sentences split and joined",
    ]
    assert order["subtitle"] == "lines: the share of sentences whose words keep their order less well than ρ"


def test_numbers_can_be_read_on_dark_cells() -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    _, numbers = changes_chart(compared(0.2, 0.1)).to_dict()["vconcat"][0]["layer"]
    ink = numbers["encoding"]["color"]
    assert ink["condition"]["test"] == f"datum.sentences > {21**0.65}"
    assert (ink["condition"]["value"], ink["value"]) == (theme.ON_DARK_CELL, theme.ON_LIGHT_CELL)


def test_the_chart_of_reranking_shows_what_is_gained() -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    spec = reranking_chart(RERANKED).to_dict()
    assert [(row["references"], row["words"], row["more"]) for row in values(spec)] == [
        (2, "0", -1 / 3),
        (2, "1+", 1 / 3),
    ]
    assert spec["title"]["subtitle"] == [
        "an oracle chooses among 3 candidates by sari and M references",
        "bars: sentences gained or lost against M = 1, means of 3 draws",
    ]
    with pytest.raises(InputError, match="there is one number only: add references"):
        reranking_chart(replace(RERANKED, choices=RERANKED.choices[:1]))
