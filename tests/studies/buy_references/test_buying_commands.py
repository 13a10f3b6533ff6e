"""gecval buy-references and gecval true-precision, as typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TEXTS = "good.txt wild.txt -s src.txt -r ref0.txt -r ref1.txt"


def test_the_list_for_annotators(gecval, folder: Path) -> None:
    result = json.loads(gecval(f"buy-references {TEXTS} -m accuracy -n 2 --format json").out)
    assert [row["sentence"] for row in result["sentences"]] == [1, 2]
    assert result["sentences"][0]["source"] == "He go to home ."
    assert (result["metric"], result["systems"]) == ("accuracy", 2)
    listed = gecval(f"buy-references {TEXTS} -m accuracy -n 2 --format tsv -o list.tsv")
    assert listed.status == 0
    head, *rows = (folder / "list.tsv").read_text().splitlines()
    assert head.split("\t") == ["sentence", "references", "wrong", "gain", "spread", "source"]
    assert [row.split("\t")[0] for row in rows] == ["1", "2"]


def test_long_sources_are_cut_on_a_terminal_only(gecval, folder: Path) -> None:
    long = "He go " + "very " * 40 + "far ."
    for name in ("src.txt", "ref0.txt", "ref1.txt", "good.txt", "wild.txt"):
        lines = (folder / name).read_text().split("\n")
        (folder / name).write_text("\n".join([long if name == "src.txt" else f"{long} {name}", *lines[1:]]))
    line = f"buy-references {TEXTS} -m accuracy -n 1"
    assert long[:60] in gecval(line).out
    assert long not in gecval(line).out
    assert long in gecval(f"{line} --format tsv").out


def test_what_cannot_be_bought(refused) -> None:
    assert "choose m2, errant or accuracy" in refused(f"buy-references {TEXTS} -m gleu")
    assert "no sentence has two references" in refused("buy-references good.txt -s src.txt -r ref0.txt -m accuracy")
    assert "is not in the range" in refused(f"buy-references {TEXTS} -n 0")


def test_true_precision(gecval, folder: Path) -> None:
    pytest.importorskip("errant")
    result = json.loads(gecval(f"true-precision {TEXTS} --resamples 20 --format json").out)
    wild = result["systems"][1]
    assert wild["system"] == "wild"
    assert wild["found"] + wild["unmatched"] == wild["edits"]
    assert wild["precision"] < wild["true_precision"] < 1
    assert wild["like_judged"] is False
    assert any("than of any judged system" in note for note in result["notes"])


def test_true_precision_refuses(refused) -> None:
    assert "needs two references or more for every sentence" in refused(
        "true-precision good.txt -s src.txt -r ref0.txt"
    )
