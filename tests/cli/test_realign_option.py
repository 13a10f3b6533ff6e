"""--realign as typed: refused without it, scored with it, and told what was moved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

BROKEN = "He goes home . She likes apple .\nFine .\nI have two cats .\n"
NOTE = "gecval: note: broken.txt is re-aligned to gold.m2: 2 lines fit; 1 output lines were joined from several (1)\n"


@pytest.fixture(autouse=True)
def _broken(folder: Path) -> None:
    (folder / "broken.txt").write_text(BROKEN)


def test_refused_without_it(refused) -> None:
    for verb in ("score", "compare", "explain"):
        systems = "good.txt broken.txt" if verb == "compare" else "broken.txt"
        assert refused(f"{verb} {systems} -r gold.m2 -m m2") == (
            "broken.txt has 3 lines, gold.m2 4; they part at the first line (option --realign)"
        )


def test_scored_as_if_its_lines_were_the_sources(gecval) -> None:
    result = gecval("score broken.txt good.txt -r gold.m2 -m m2 -m gleu --format json --realign")
    assert NOTE in result.err
    scores = {(row["system"], row["metric"]): row["score"] for row in json.loads(result.out)["scores"]}
    assert scores["broken", "m2"] == scores["good", "m2"] == pytest.approx(25 / 26)
    assert scores["broken", "gleu"] == scores["good", "gleu"]


def test_compared(gecval) -> None:
    result = gecval("compare good.txt broken.txt -r gold.m2 -m m2 --realign --format json --resamples 20")
    [row] = json.loads(result.out)["comparisons"]
    assert row["difference"] == 0
    assert NOTE in result.err


def test_a_report_keeps_it_in_its_commands(gecval, folder: Path) -> None:
    result = gecval("report good.txt broken.txt -r gold.m2 -m m2 -o out.json --resamples 20 --realign")
    assert result.status == 0, result.err
    assert NOTE in result.err
    commands = json.loads((folder / "out.json").read_text())["commands"]
    assert all("--realign" in str(command) and "True" not in str(command) for command in commands)


def test_refused_where_nothing_is_to_move(refused) -> None:
    assert refused("score good.txt -r gold.m2 -m m2 --realign") == (
        "all outputs break their lines where the source does: nothing to re-align (option --realign)"
    )


@pytest.mark.parametrize(
    "typed",
    [
        "-m m2 -m gleu --ci --resamples 20",
        "-m m2 --aggregate expected-wins",
        "-m m2 --aggregate trueskill-pass",
        "-m m2 --clusters --resamples 20",
    ],
)
def test_the_signature_of_what_was_moved_says_so(gecval, typed: str) -> None:
    rows = json.loads(gecval(f"score broken.txt good.txt -r gold.m2 {typed} --format json --realign").out)["scores"]
    plain = json.loads(gecval(f"score copy.txt good.txt -r gold.m2 {typed} --format json").out)["scores"]
    for row, other in zip(rows, plain, strict=True):
        moved = "|hypotheses:realigned|" if row["system"] == "broken" else "|"
        assert ("|hypotheses:realigned|" in row["signature"]) == (row["system"] == "broken")
        unlike = "rivals:" in row["signature"]  # the other system is another here
        assert unlike or row["signature"].replace(moved, "|") == other["signature"]


def test_signatures_of_pairs_of_types_and_of_edits(gecval, folder: Path) -> None:
    def signatures(typed: str, rows: str) -> list[bool]:
        listed = json.loads(gecval(f"{typed} -r gold.m2 --realign --format json").out)[rows]
        return ["|hypotheses:realigned|" in (row if isinstance(row, str) else row["signature"]) for row in listed]

    (folder / "copy.txt").write_text((folder / "good.txt").read_text())
    pairs = "good.txt copy.txt broken.txt -m m2 --resamples 20"
    assert signatures(f"compare {pairs}", "comparisons") == [False, True]
    assert signatures("compare broken.txt good.txt -m m2 --resamples 20", "comparisons") == [True]
    assert sum(signatures(f"compare {pairs} --all-pairs", "comparisons")) == 2
    assert signatures("explain broken.txt -m m2", "signatures") == [True]
    plain = "'errant(model=\"plain\")'"
    typed = json.loads(gecval(f"score broken.txt -m {plain} --by-type -r gold.m2 --realign --format json").out)
    assert "|hypotheses:realigned|" in typed["signature"]
    assert all(signatures(f"compare good.txt broken.txt -m {plain} --by-type --resamples 20", "comparisons"))
