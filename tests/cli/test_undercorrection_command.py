"""gecval undercorrection as typed, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TEXTS = "-s src.txt -r ref0.txt -r ref1.txt"
OUTPUTS = "undercorrection good.txt wild.txt copy.txt"


def result(run) -> dict:
    """What a command printed as JSON."""
    status, out, _ = run
    assert status == 0
    return json.loads(out)


def test_under_correction(gecval, folder: Path) -> None:
    compared = result(gecval("undercorrection good.txt wild.txt -r gold.m2 --format json"))
    assert compared["schema"] == "gecval.undercorrection/1"
    assert [row["corrector"] for row in compared["correctors"]] == ["(reference)", "good", "wild"]
    assert [sum(row["sentences"]) for row in compared["correctors"]] == [4, 4, 4]
    assert (compared["annotator"], compared["types"], compared["extractor"]) == (0, [], "")
    typed = result(gecval(f"undercorrection good.txt {TEXTS} --types plain --format json"))
    assert typed["extractor"] == "plain"
    assert [(row["type"], row["systems"], row["references"]) for row in typed["types"]] == [
        ("U", 1.0, 0.5),
        ("R", 4.0, 4.5),
        ("M", 0.0, 0.5),
    ]


def test_another_annotator(gecval, folder: Path) -> None:
    (folder / "ref1.txt").write_text("He left .\nShe like apple .\nFine .\nI has two cat .\n")
    first, second = (
        result(gecval(f"undercorrection good.txt {TEXTS} --annotator {number} --format json")) for number in (0, 1)
    )
    assert (first["annotator"], second["annotator"]) == (0, 1)
    assert [first["correctors"][0]["word_changes"], second["correctors"][0]["word_changes"]] == [1.5, 0.75]
    assert first["correctors"][1] == second["correctors"][1]


def test_reranking(gecval, folder: Path) -> None:
    choices = result(gecval(f"{OUTPUTS} {TEXTS} --rerank max-sari --repetitions 3 --format json"))
    assert choices["schema"] == "gecval.reranking/1"
    assert [row["references"] for row in choices["choices"]] == [1, 2]
    assert (choices["metric"], choices["repetitions"]) == ("max-sari", 3)
    assert choices["candidates"] == ["good", "wild", "copy"]


def test_reranking_finds_the_edits_it_needs(gecval, folder: Path) -> None:
    from_text = result(gecval(f"{OUTPUTS} {TEXTS} --rerank m2 --edits plain --format json"))
    assert gecval("annotate src.txt ref0.txt ref1.txt --plain -o plain.m2").status == 0
    from_m2 = result(gecval(f"{OUTPUTS} -r plain.m2 --rerank m2 --format json"))
    assert from_text["choices"] == from_m2["choices"]
    assert "|plain|" in from_text["signature"]


@pytest.mark.parametrize(
    "line",
    [
        "undercorrection good.txt wild.txt -r gold.m2",
        f"undercorrection good.txt wild.txt {TEXTS} --rerank sari --repetitions 2",
    ],
)
def test_plots(gecval, folder: Path, line: str) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    assert gecval(f"{line} --plot figure.svg").status == 0
    assert Path("figure.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "undercorrection good.txt -s src.txt",
            "there is no annotator 0 for sentence 1, which has 0 references (option -r)",
        ),
        (
            "undercorrection good.txt -r gold.m2 --annotator 1",
            "there is no annotator 1 for sentence 3, which has 1 references (option --annotator)",
        ),
        (
            f"undercorrection good.txt {TEXTS} --rerank sari",
            "re-ranking needs a list: give two outputs or more for the same sentences",
        ),
        (
            "undercorrection good.txt wild.txt -s src.txt --rerank sari",
            "re-ranking draws references, and sentence 1 has none (option -r)",
        ),
        (
            "undercorrection good.txt wild.txt -s src.txt -r ref0.txt --rerank sari --plot x.svg",
            "the chart compares numbers of references, and there is one number only: add references",
        ),
        # Options that would change nothing.
        (
            f"undercorrection good.txt wild.txt {TEXTS} --rerank sari --annotator 1 --types plain",
            "--annotator and --types change nothing with --rerank",
        ),
        (
            f"undercorrection good.txt {TEXTS} --repetitions 2 --seed 3 --edits plain --device cpu --batch-size 2",
            "--repetitions, --seed, --edits, --device and --batch-size change nothing without --rerank",
        ),
    ],
)
def test_refuses(refused, folder: Path, line: str, message: str) -> None:
    assert refused(line) == message
