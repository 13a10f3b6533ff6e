"""What people type by mistake: every answer is one line that names what to type instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import FILES


def test_every_mistake_is_told_what_to_type(refused, folder: Path, matches_transcript) -> None:
    good = FILES["good.txt"]
    (folder / "short.txt").write_text("".join(f"{line}\n" for line in good[:-1]))
    (folder / "long.txt").write_text("".join(f"{line}\n" for line in [*good, "One more ."]))
    matches_transcript("refusals/mistakes.txt", refused)


@pytest.mark.parametrize(
    "line",
    [
        "score --hyp good.txt --ref gold.m2 --metrics m2",
        "score --hypothesis=good.txt --gold gold.m2 -m m2",
        "score good.txt --references gold.m2 -m m2 --seed 7",
        "score good.txt --refs=gold.m2 -m m2,m2",
        "score good.txt -r gold.m2 -m m2 --lang en",
    ],
)
def test_what_other_tools_call_it_is_understood(gecval, folder: Path, line: str) -> None:
    assert gecval(line).out == gecval("score good.txt -r gold.m2 -m m2").out


def test_help_and_version(gecval, folder: Path) -> None:
    assert gecval("help").out == gecval("--help").out
    assert gecval("help score").out == gecval("score --help").out
    assert gecval("version").out == gecval("--version").out


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("a.csv", "system,metric,score"),
        ("a.tsv", "system\tmetric\tscore"),
        ("a.json", "{\n"),
        ("a.jsonl", '{"system"'),
        ("a.md", "| system |"),
        ("a.tex", "\\begin{tabular}"),
        ("a.html", "<!DOCTYPE html>"),
        ("a.txt", "\n system"),
        ("scores", "\n system"),
    ],
)
def test_a_file_is_written_as_its_name_ends(gecval, folder: Path, name: str, begins: str) -> None:
    assert gecval(f"score good.txt -r gold.m2 -m m2 -o {name}").out == ""
    assert Path(name).read_text("utf-8").startswith(begins)


def test_a_format_that_is_named_counts_more_than_an_ending_without_one(gecval, folder: Path) -> None:
    gecval("score good.txt -r gold.m2 -m m2 -o a.txt --format json")
    assert Path("a.txt").read_text("utf-8").startswith("{")


def test_metrics_where_none_is_named(gecval, folder: Path) -> None:
    said = gecval("score good.txt -r gold.m2")
    pytest.importorskip("errant", reason="needs the extra [errant]")
    assert said.out.split()[:4] == ["system", "errant", "m2", "gleu"]
    assert "note: no metric is named: errant, m2, gleu by default; choose with -m" in said.err
