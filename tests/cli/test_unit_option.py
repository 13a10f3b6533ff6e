"""--unit document as typed: what is drawn are documents, by marks in the source or by a file of names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

SOURCE = ["# 1", "He go .", "She go .", "# 2", "Fine .", "They goes .", "# 3", "I is ."]
GOOD = ["# 1", "He goes .", "She goes .", "# 2", "Fine .", "They goes .", "# 3", "I am ."]
REFERENCE = ["# 1", "He goes .", "She goes .", "# 2", "Fine .", "They go .", "# 3", "I am ."]
CORPUS = "-s marked.txt -r right.txt"


@pytest.fixture(autouse=True)
def _marked(folder: Path) -> None:
    for name, lines in (("marked", SOURCE), ("mine", GOOD), ("right", REFERENCE)):
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    (folder / "ids.txt").write_text("a\na\na\nb\nb\nb\nc\nc\n")


def scores(gecval, typed: str) -> list[dict]:
    how = "--resamples 200 --interval-method bca"
    result = gecval(f"score mine.txt {CORPUS} -m accuracy {how} --format json {typed}")
    return json.loads(result.out)["scores"]


def test_marks_and_names_give_the_same_documents(gecval) -> None:
    [sentences] = scores(gecval, "--ci")
    [marked] = scores(gecval, "--ci --unit document")
    assert [marked] == scores(gecval, "--ci --unit ids.txt")
    assert marked["score"] == sentences["score"] == 0.875
    assert marked["interval"] != sentences["interval"]
    # In the worst resample all documents are the second one, of which two in three are right.
    assert marked["interval"][0] == pytest.approx(2 / 3)
    drawn = re.search(r"\|documents:3\|borders:[0-9a-f]{8}(?=\|gecval:)", marked["signature"])
    assert marked["signature"].replace(drawn[0], "") == sentences["signature"]
    assert scores(gecval, "--ci --unit sentence") == [sentences]


def test_compared(gecval) -> None:
    typed = f"compare marked.txt mine.txt {CORPUS} -m accuracy --resamples 100 --format json"
    [row] = json.loads(gecval(f"{typed} --unit document").out)["comparisons"]
    assert (row["difference"], "|documents:3|" in row["signature"]) == (0.375, True)
    # With three documents there are eight ways to swap, and two of them are as far apart.
    assert row["p_randomisation"] > 0.05
    gate = f"compare marked.txt mine.txt {CORPUS} --fail-if-worse 'accuracy: 0.1' --unit document --format json"
    assert "|documents:3|" in json.loads(gecval(gate).out)["decisions"][0]["comparison"]["signature"]
    [by_sentence] = json.loads(gecval(typed).out)["comparisons"]
    assert row["interval"] != by_sentence["interval"]


def test_what_is_answered(answered, matches_transcript) -> None:
    matches_transcript("refusals/documents.txt", answered)


def test_one_document_and_essays(answered, refused, folder: Path) -> None:
    (folder / "ids.txt").write_text("a\n" * 8)
    assert refused(f"score mine.txt {CORPUS} -m ld --ci --unit ids.txt") == (
        "resampling documents needs two or more: one does not show what chance can do (option --unit)"
    )
    for name in ("orig", "ref", "out"):
        (folder / f"{name}.md").write_text("### essay_id = 1\nHe go .\n\n### essay_id = 2\nFine .\n\n")
    pytest.importorskip("syntok")
    assert answered("score out.md -s orig.md -r ref.md -m gleu --ci --unit document") == (
        "note: --unit changes nothing with essays: each is one line, and drawn as such"
    )


@pytest.mark.parametrize("old", ["--documents ids.txt --unit document", "--unit document --documents=ids.txt"])
def test_the_old_spelling_is_understood(gecval, old: str) -> None:
    typed = f"score mine.txt {CORPUS} -m accuracy --ci --resamples 100"
    said = gecval(f"{typed} {old}")
    assert said.out == gecval(f"{typed} --unit ids.txt").out
    assert "note: --documents is part of --unit now: write --unit ids.txt\n" in said.err
