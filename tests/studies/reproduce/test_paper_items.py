"""Nothing of a paper is forgotten: its tables and figures are counted here, and its module declares each of them.

Numbered findings are listed where they are declared only: what counts as one is a matter of reading.
"""

from __future__ import annotations

import json

import pytest

from gecval.studies.reproduce.result import Figure, ItemStatus, PaperItem, PaperTable
from gecval.studies.reproduce.study import PAPERS, PaperParts, paper_items

# How many tables and figures each paper has, counted in the paper.
PRINTED = {"m2": (2, 2), "no-comparison": (4, 1), "scribendi": (5, 0), "maege": (4, 5), "coverage": (4, 4)}


@pytest.mark.parametrize("paper", PRINTED)
def test_every_table_and_figure_of_a_paper_is_declared(paper: str) -> None:
    tables, figures = PRINTED[paper]
    names = [item.name for item in PaperParts(paper=paper).items]
    missing = [
        name
        for kind, count in (("Table", tables), ("Figure", figures))
        for name in (f"{kind} {number}" for number in range(1, count + 1))
        if not any(declared.rstrip("abc") == name for declared in names)
    ]
    assert missing == []
    assert len(set(names)) == len(names)


def test_every_item_has_a_command_or_a_reason() -> None:
    listed = paper_items().items
    assert {item.paper for item in listed} == set(PRINTED)
    assert [f"{item.paper}: {item.item}" for item in listed if not item.command and not item.why] == []
    assert [f"{item.paper}: {item.item}" for item in listed if item.status != "equal" and not item.why] == []


@pytest.mark.parametrize("paper", PRINTED)
def test_every_item_names_a_part_that_there_is(paper: str) -> None:
    parts = PaperParts(paper=paper)
    assert {item.part for item in parts.items if item.part} <= set(parts.names)
    assert PAPERS[paper].name == paper


def test_the_list_as_a_user_asks_for_it(gecval) -> None:
    status, out, err = gecval("reproduce --status --format json")
    assert (status, err) == (0, "")
    printed = json.loads(out)
    assert printed["schema"] == "gecval.paper-items/1"
    row = next(item for item in printed["items"] if (item["paper"], item["item"]) == ("maege", "Table 2"))
    assert (row["command"], row["status"]) == ('gecval reproduce maege --only "Table 2"', "explained")
    assert gecval("reproduce maege --status").err == (
        "gecval: --status changes nothing with PAPER, whose status stands below its tables\n"
    )


def test_the_examples_of_the_scribendi_paper(gecval) -> None:
    """GLEU .22 and most ratios come out; M2 .37 does not."""
    pytest.importorskip("torch", reason="needs the extra: pip install 'gecval[lm]'")
    ratios, repeated = (
        table["rows"] for table in gecval("reproduce scribendi --only examples --format json").json["tables"]
    )
    assert [round(row["Levenshtein"]["ours"], 2) for row in ratios.values()] == [94.35, 97.67, 0.55]
    assert [round(row["token sort"]["ours"], 3) for row in ratios.values()] == [100.0, 82.051, 0.929]
    assert round(repeated["GLEU"]["score"]["ours"], 2) == 0.22
    assert repeated["M2"]["score"]["ours"] == 0


@pytest.mark.parametrize(("ours", "status", "missing"), [(2.0, "equal", 0), (None, "equal", 1), (3.0, "open", 0)])
def test_a_figure_that_was_left_out_is_no_difference(ours: float | None, status: str, missing: int) -> None:
    """With --skip, an item whose other figures are equal was called open."""
    cells = {"gleu": {"rank": Figure(published=1, ours=1.0)}, "lt": {"rank": Figure(published=2, ours=ours)}}
    table = PaperTable(title="Table 3: ranks", columns=("rank",), rows=cells)
    found = ItemStatus.of("no-comparison", PaperItem("Table 3", "ranks", part="ranks"), [table])
    assert (found.status, found.missing) == (status, missing)
