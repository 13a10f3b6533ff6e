"""gecval power, as typed."""

from __future__ import annotations

from pathlib import Path

COMMAND = "power copy.txt good.txt -s src.txt -r ref0.txt -r ref1.txt -m accuracy"


def test_table_and_json(gecval, folder: Path) -> None:
    shown = gecval(f"{COMMAND} --difference 25% --sentences 16 --chance 0.9")
    assert shown.status == 0
    assert "The chance to find a difference (p < 0.05)" in shown.out
    assert "needed for 90%" in shown.out
    assert "|simulations:2000|seed:1" in shown.out
    [curve] = gecval(f"{COMMAND} --difference 25% --sentences 16 --chance 0.9 --format json").json["curves"]
    assert (curve["baseline"], curve["system"], curve["difference"]) == ("copy", "good", 0.25)
    assert [point["sentences"] for point in curve["points"]] == [4, 16]
    assert curve["points"][1]["chance"] > curve["points"][0]["chance"] > 0.05
    assert curve["more"] == curve["needed"] - 4


def test_a_row_per_point_for_programs(gecval, folder: Path) -> None:
    head, *rows = gecval(f"{COMMAND} --annotators 1 --annotators 2 --sentences 9 --format tsv").out.strip().split("\n")
    assert head.split("\t")[:6] == ["metric", "baseline", "system", "references", "difference", "sentences"]
    assert [tuple(row.split("\t")[3:6:2]) for row in rows] == [("1", "4"), ("1", "9"), ("2", "4"), ("2", "9")]


def test_chart(gecval, folder: Path) -> None:
    assert gecval(f"{COMMAND} --plot power.svg").status == 0
    drawn = (folder / "power.svg").read_text()
    assert all(text in drawn for text in ("The chance to find a difference", ">Accuracy<"))
    assert "good − copy: +0.5000" in drawn
    assert "dashed: 80%; dotted: the 4 sentences of the corpus" in drawn


def test_refusals(refused) -> None:
    assert refused("power copy.txt -s src.txt -r ref0.txt -m accuracy").startswith("power needs two systems or more")
    assert refused(f"{COMMAND} --annotators 3").endswith("what 3 of them would do (option --annotators)")
    assert refused(f"{COMMAND} --difference -1") == "a difference is a number above 0, not -1.0 (option --difference)"
    assert refused(f"{COMMAND} --sentences 1").endswith("(option --sentences)")
