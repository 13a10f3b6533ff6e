"""gecval coverage undercorrection as typed, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

TEXTS = "-s src.txt -r ref0.txt -r ref1.txt"
OUTPUTS = "coverage undercorrection good.txt wild.txt copy.txt"


def test_under_correction(gecval, folder: Path) -> None:
    compared = gecval("coverage undercorrection good.txt wild.txt -r gold.m2 --format json").json
    assert compared["schema"] == "gecval.undercorrection/1"
    assert [row["corrector"] for row in compared["correctors"]] == ["(reference)", "good", "wild"]
    assert [sum(row["sentences"]) for row in compared["correctors"]] == [4, 4, 4]
    assert (compared["annotator"], compared["types"], compared["extractor"]) == (0, [], "")
    typed = gecval(f"coverage undercorrection good.txt {TEXTS} --types plain --format json").json
    assert typed["extractor"] == "plain"
    assert [(row["type"], row["systems"], row["references"]) for row in typed["types"]] == [
        ("U", 1.0, 0.5),
        ("R", 4.0, 4.5),
        ("M", 0.0, 0.5),
    ]


def test_another_annotator(gecval, folder: Path) -> None:
    (folder / "ref1.txt").write_text("He left .\nShe like apple .\nFine .\nI has two cat .\n")
    first, second = (
        gecval(f"coverage undercorrection good.txt {TEXTS} --annotator {number} --format json").json
        for number in (0, 1)
    )
    assert (first["annotator"], second["annotator"]) == (0, 1)
    assert [first["correctors"][0]["word_changes"], second["correctors"][0]["word_changes"]] == [1.5, 0.75]
    assert first["correctors"][1] == second["correctors"][1]


def test_reranking(gecval, folder: Path) -> None:
    choices = gecval(f"{OUTPUTS} {TEXTS} --rerank max-sari --repetitions 3 --format json").json
    assert choices["schema"] == "gecval.reranking/1"
    assert [row["references"] for row in choices["choices"]] == [1, 2]
    assert (choices["metric"], choices["repetitions"]) == ("max-sari", 3)
    assert choices["candidates"] == ["good", "wild", "copy"]


def test_reranking_finds_the_edits_it_needs(gecval, folder: Path) -> None:
    from_text = gecval(f"{OUTPUTS} {TEXTS} --rerank m2 --edits plain --format json").json
    assert gecval("annotate src.txt ref0.txt ref1.txt --edits plain -o plain.m2").status == 0
    from_m2 = gecval(f"{OUTPUTS} -r plain.m2 --rerank m2 --format json").json
    assert from_text["choices"] == from_m2["choices"]
    assert "|plain|" in from_text["signature"]


@pytest.mark.parametrize(
    "line",
    [
        "coverage undercorrection good.txt wild.txt -r gold.m2",
        f"coverage undercorrection good.txt wild.txt {TEXTS} --rerank sari --repetitions 2",
    ],
)
def test_plots(gecval, folder: Path, line: str) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    assert gecval(f"{line} --plot figure.svg").status == 0
    assert Path("figure.svg").read_text().startswith("<svg")


def test_refusals(answered, folder: Path, matches_transcript) -> None:
    matches_transcript("refusals/undercorrection.txt", answered)
