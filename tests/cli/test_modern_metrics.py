"""CLEME, GoToScorer, prices, scores from files and contests, as typed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

SYSTEMS = "good.txt copy.txt wild.txt"
Run = Callable[..., tuple[int, str, str]]
Refused = Callable[..., str]


def scores(gecval: Run, line: str) -> dict[str, float]:
    status, out, err = gecval(f"score {SYSTEMS} {line} --format json")
    assert (status, err) == (0, "")
    return {entry["system"]: entry["score"] for entry in json.loads(out)["scores"]}


def test_cleme(gecval: Run, folder: Path) -> None:
    options = "-s src.txt -r ref0.txt -r ref1.txt"
    dependent = scores(gecval, f'{options} -m \'cleme(edits="plain", weights="none")\'')
    independent = scores(gecval, f'{options} -m \'cleme(mode="independent", edits="plain", weights="none")\'')
    # "goes", "have" and "cats" are right. "like apple" is one chunk, and "likes apple" is not as any reference has it.
    assert dependent["good"] == pytest.approx(1.25 * 0.75 / (0.25 * 0.75 + 1))
    assert dependent["copy"] == independent["copy"] == 0.0
    assert independent["wild"] >= dependent["wild"]
    heuo = scores(gecval, f"{options} -m 'cleme2(edits=\"plain\", factors=(1, 0, 0, 0))'")
    assert heuo["good"] == pytest.approx(3 / 4)


def test_gotoscorer(gecval: Run, folder: Path) -> None:
    """Against annotator 0: only good writes goes, so this weighs 2/3."""
    weighted = scores(gecval, "-r gold.m2 -m 'gotoscorer(edits=\"plain\")'")
    assert weighted["good"] > weighted["wild"]
    assert weighted["copy"] == 0.0
    status, out, _ = gecval(f"score {SYSTEMS} -r gold.m2 -m 'gotoscorer(edits=\"plain\")'")
    assert status == 0
    assert "|pool-hash:" in out


def test_prices(gecval: Run, folder: Path) -> None:
    (folder / "prices.json").write_text('{"R": 3}')
    written = scores(gecval, '-r gold.m2 -m \'errant(model="plain", weights="prices.json")\'')
    assert written == scores(gecval, '-r gold.m2 -m \'errant(model="plain", weights={"R": 3})\'')
    assert written != scores(gecval, "-r gold.m2 -m 'errant(model=\"plain\")'")
    macro = scores(gecval, '-s src.txt -r ref0.txt -m \'errant(model="plain", average="macro")\'')
    assert macro["copy"] == 0.0


def test_scores_from_files(gecval: Run, folder: Path) -> None:
    for name, values in {"good": "1 1 1 0.5", "copy": "0 0 1 0", "wild": "0 1 1 0"}.items():
        (folder / f"{name}.score").write_text("".join(f"{value}\n" for value in values.split()))
    spelled = '-s src.txt -m \'from-file("{system}.score", label="judge")\''
    assert scores(gecval, spelled) == {"good": 0.875, "copy": 0.25, "wild": 0.5}
    wins = scores(gecval, f"{spelled} --aggregate expected-wins")
    assert wins == pytest.approx({"good": 1.0, "copy": 0.0, "wild": 0.5})
    status, out, _ = gecval(f"score {SYSTEMS} {spelled} --aggregate trueskill")
    assert status == 0
    assert "spread" in out
    assert "judge" in out
    status, out, _ = gecval(f"compare good.txt copy.txt {spelled}")
    assert status == 0
    assert "judge" in out


def test_refusals(answered: Refused, matches_transcript) -> None:
    matches_transcript("refusals/modern_metrics.txt", answered)
