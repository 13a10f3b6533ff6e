"""gecval agreement, as typed."""

from __future__ import annotations

import json


def test_annotators_without_a_line_are_absent(gecval, folder) -> None:
    result = json.loads(gecval("agreement gold.m2 --format json").out)
    # Sentence 3 has no line at all, and sentence 4 one of annotator 0 alone.
    assert result["overall"]["sentences"] == 2
    assert [row["sentences"] for row in result["annotators"]] == [2, 2]
    filled = json.loads(gecval("agreement gold.m2 --missing-annotator agreed --format json").out)
    assert filled["overall"]["sentences"] == 4
    assert [row["edits"] for row in filled["annotators"]] == [6, 3]
    assert filled["overall"]["f"] == 2 * 2 / 9


def test_texts_bring_the_names_of_their_files(gecval, folder) -> None:
    result = json.loads(gecval("agreement src.txt ref0.txt ref1.txt --edits plain --format json").out)
    assert [row["annotator"] for row in result["annotators"]] == ["ref0.txt", "ref1.txt"]
    assert result["types"][0]["type"] == "M"


def test_refusals(refused) -> None:
    assert "needs two annotators" in refused("agreement src.txt ref0.txt --edits plain")
    assert "changes nothing with references that bring" in refused("agreement gold.m2 --edits plain")
    assert "plain text" in refused("agreement src.txt")
