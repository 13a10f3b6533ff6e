"""Examples that papers print, computed on the real data."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given

from gecval.corpus.edit import apply_edits
from gecval.studies.reproduce.m2 import find_wdiff_edits, levenshtein_matrix
from gecval.studies.reproduce.study import reproduce
from oracles import m2_paper
from strategies import sentences


def test_the_m2_paper(data: Path) -> None:
    """What can be computed from its text is what it prints. Table 1 has data that are not public."""
    result = reproduce("m2", only=["§1", "Figure 1", "Figure 2", "Table 2"])
    assert [(item.item, item.figures, item.equal, item.status) for item in result.items] == [
        ("§1", 4, 4, "equal"),
        ("Figure 1", 110, 110, "equal"),
        ("Figure 2", 15, 15, "equal"),
        ("Table 2", 12, 12, "equal"),
    ]
    chart = result[2].chart
    assert chart is not None
    assert [(edge.start, edge.end, edge.cost) for edge in chart.edges if edge.label == "word → a word"] == [(4, 6, -45)]


def test_max_match_finds_more_valid_edits_than_wdiff(data: Path) -> None:
    """As in Table 1 of the M² paper, here for the twelve systems of CoNLL-2014."""
    [table] = reproduce("m2", only=["CoNLL-2014"])
    for name in ("AMU", "CAMB", "UFC"):
        wdiff, paper, tool = (table.rows[f"{name}, {way}"] for way in ("HOO (wdiff)", "M2", "M2, the tool"))
        assert wdiff["right"].ours <= paper["right"].ours <= tool["right"].ours
        assert wdiff["F1"].ours <= paper["F1"].ours <= tool["F1"].ours
    assert {name: table.rows["CAMB, HOO (wdiff)"][name].ours for name in ("found", "right")} == {
        "found": 1936,
        "right": 643,
    }
    assert {name: table.rows["CAMB, M2"][name].ours for name in ("found", "right")} == {"found": 1908, "right": 733}


@given(sentences(), sentences())
def test_edits_of_wdiff_make_the_text_and_stand_apart(source: list[str], output: list[str]) -> None:
    edits = find_wdiff_edits(source, output)
    assert apply_edits(source, edits).split() == output
    assert all(one.end < other.start for one, other in pairwise(edits))


@given(sentences(), sentences())
def test_the_matrix_is_that_of_the_oracle(source: list[str], output: list[str]) -> None:
    assert levenshtein_matrix(source, output) == m2_paper.levenshtein_matrix(source, output)


def test_the_examples_of_no_comparison(data: Path) -> None:
    """§1: an output that 36 % of the others score lower than. Table 3: GLEU's order, with two references."""
    example, table_3 = reproduce("no-comparison", only=["§1", "Table 3"], skip=["LT"])
    assert example.title.startswith("§1: AMU's output for sentence 1266")
    assert example.rows["GLEU"]["score"].ours == pytest.approx(0.4254, abs=5e-5)
    assert example.rows["GLEU"]["lower, %"].ours == pytest.approx(35.6, abs=0.1)
    assert example.rows["M2"]["score"].ours == 0
    assert table_3.title.endswith("sentence 124")
    ranks = [row["rank by GLEU"] for row in table_3.rows.values()]
    assert [(rank.published, rank.ours) for rank in ranks] == [(1, 1), (2, 2), (3, 3)]
