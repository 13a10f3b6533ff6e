"""Data sets as tables: sizes, what must be got by hand, and what is left out."""

from __future__ import annotations

import pytest

from gecval.formats.datasets.folder import State
from gecval.studies.data.study import DatasetCard, DatasetList, DatasetRow, FileRow, card_tables, list_tables


def file(name: str, size: int | None, state: State) -> FileRow:
    return FileRow(name=name, state=state, why="", path=f"/d/{name}", address=None, bytes=size, sha256="00")


def card(*files: FileRow, by_hand: str = "") -> DatasetCard:
    return DatasetCard(
        name="toy",
        title="Toy",
        language="en",
        licence="CC0",
        citation="Nobody 2020.",
        terms="",
        sources=("a/b@1", "c/d@2"),
        by_hand=by_hand,
        folder="/d",
        state="partial",
        files=files,
        unknown=(),
    )


def test_a_card_leaves_out_what_it_does_not_have() -> None:
    [table] = card_tables(card(file("a", 1_540_000, "present"), file("b", 20_000, "missing")))
    assert table.columns == ["name", "toy"]
    assert table.rows == [
        ["what", "Toy"],
        ["licence", "CC0"],
        ["cite", "Nobody 2020."],
        ["from", "github.com/a/b@1, github.com/c/d@2"],
        ["files", "2, 1.6 MB; 1 of them here"],
        ["folder", "/d"],
        ["state", "partial"],
    ]


def test_files_of_unknown_size_count_nothing() -> None:
    [table] = card_tables(card(file("a", None, "missing"), by_hand="Ask for it."))
    shown = {str(name): text for name, text in table.rows}
    assert (shown["files"], shown["by hand"]) == ("1, ?; 0 of them here", "Ask for it.")
    # 50 kB more than 1.45 MB would be 1.5 MB; a file without a size adds none.
    [table] = card_tables(card(file("a", 1_449_999, "different"), file("b", None, "present")))
    assert {str(name): text for name, text in table.rows}["files"] == "2, 1.4 MB; 1 of them here"


@pytest.mark.parametrize("style", ["tsv", "csv"])
def test_programs_get_a_row_for_each_file(style: str) -> None:
    [table] = card_tables(card(file("a", 3, "present"), file("b", None, "missing")), style)
    assert table.columns == ["file", "state", "bytes", "sha256", "address", "path"]
    assert table.rows == [["a", "present", 3, "00", None, "/d/a"], ["b", "missing", None, "00", None, "/d/b"]]


@pytest.mark.parametrize(("by_hand", "shown"), [(0, ""), (2, "2 of 3"), (3, "all")])
def test_the_list_says_what_is_got_by_hand(by_hand: int, shown: str) -> None:
    row = DatasetRow(
        name="toy",
        title="Toy",
        language="en",
        licence="CC0",
        files=3,
        bytes=250_000,
        by_hand=by_hand,
        state="absent",
        folder="/d/toy",
    )
    [table] = list_tables(DatasetList(folder="/d", datasets=(row,)))
    assert table.columns == ["name", "state", "language", "size", "by hand", "licence", "what"]
    assert table.rows == [["toy", "absent", "en", "0.2 MB", shown, "CC0", "Toy"]]
    assert table.footnotes[0] == "Data folder: /d (set GECVAL_DATA to use another)"
