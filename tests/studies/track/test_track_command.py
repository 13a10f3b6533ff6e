"""gecval track, as typed."""

from __future__ import annotations

from pathlib import Path

ADD = "track add scores.history {}.txt -s src.txt -r ref0.txt -m accuracy -m gleu --commit {} --time 2026-01-0{}"


def test_add_and_show(gecval, folder: Path) -> None:
    (folder / "mine.txt").write_text((folder / "copy.txt").read_text())
    first = gecval(ADD.format("mine", "one", 1))
    assert first.status == 0
    assert first.out.startswith("Series 1: mine, accuracy\n")
    (folder / "mine.txt").write_text((folder / "good.txt").read_text())
    assert gecval(ADD.format("mine", "two", 2)).status == 0
    shown = gecval("track show scores.history --format json").json
    assert [(s["commit"], s["metric"], s["score"]) for s in shown["scores"]][:2] == [
        ("one", "accuracy", 0.25),
        ("two", "accuracy", 0.75),
    ]
    assert shown["scores"][1]["since"] == "one"
    assert shown["level"] == 0.95
    head, *rows = gecval("track show scores.history --format tsv").out.strip().split("\n")
    assert head.split("\t")[:6] == ["series", "system", "metric", "commit", "time", "score"]
    assert len(rows) == 4


def test_chart(gecval, folder: Path) -> None:
    for commit, name, day in (("o'ne", "copy", 1), ("two", "good", 2)):
        (folder / "mine.txt").write_text((folder / f"{name}.txt").read_text())
        assert gecval(ADD.format("mine", f'"{commit}"', day)).status == 0
    assert gecval("track show scores.history --plot history.svg").status == 0
    drawn = (folder / "history.svg").read_text()
    assert "Series 2: mine, gleu" in drawn
    assert "lines: 95% intervals; diamonds: changes beyond chance" in drawn
    assert "two" in drawn


def test_a_torn_line_is_a_note(gecval, folder: Path) -> None:
    gecval(ADD.format("good", "one", 1))
    path = folder / "scores.history"
    path.write_bytes(path.read_bytes()[:-30])
    status, out, err = gecval("track show scores.history")
    assert status == 0
    assert "Series 1" in out
    assert "line 2 is torn" in err


def test_refusals(refused) -> None:
    assert refused("track show none.history") == "none.history is no file"
    assert refused("track show src.txt").startswith("src.txt: line 1 is no score of a history (gecval.history/1)")
    add = "track add scores.history good.txt -s src.txt -r ref0.txt -m accuracy"
    assert refused(f"{add} --commit ' '") == "the commit has no name (option --commit)"
    assert refused(f"{add} --commit c --time noon").endswith("(option --time)")


def test_help(gecval, folder: Path) -> None:
    assert "Keep scores per commit in one file" in gecval("track").out
