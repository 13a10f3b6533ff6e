"""gecval metrics, demo, help and version."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import click
import pytest
from click.shell_completion import BashComplete

from gecval import __version__, metric, metric_names
from gecval.cli.program import cli, entries


def test_metrics_lists_all(gecval):
    result = gecval("metrics --format tsv")
    header, *rows = [line.split("\t") for line in result.out.splitlines()]
    assert header == ["metric", "parameters", "needs", "references", "what", "paper"]
    assert [row[0] for row in rows] == metric_names()
    by_name = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    assert by_name["m2"]["needs"] == "edits"
    assert by_name["m2"]["references"] == "running-best"
    assert by_name["gleu"]["parameters"] == "n=4, form='tool', iterations=500, unit='word'"
    assert by_name["ld"]["needs"] == "source"
    assert all(row[4] and row[5] for row in rows)


def test_metrics_as_json(gecval):
    result = json.loads(gecval("metrics --format json").out)
    assert result["schema"] == "gecval.metrics/1"
    assert [row["name"] for row in result["metrics"]] == metric_names()
    [perplexity] = [row for row in result["metrics"] if row["name"] == "perplexity"]
    assert not perplexity["higher_is_better"]
    assert perplexity["needs"] == "source"
    assert {"name": "dtype", "default": "'float32'"} in perplexity["parameters"]


@pytest.mark.parametrize("style", ["text", "markdown", "latex"])
def test_metrics_in_other_styles(gecval, style):
    result = gecval(f"metrics --format {style}")
    assert (result.status, result.err) == (0, "")
    assert all(name in result.out for name in metric_names())
    if style == "text":
        assert max(map(len, result.out.splitlines())) < 110  # narrow enough to read


def test_one_metric_in_full(gecval):
    result = gecval("metrics GLEU")
    assert (result.status, result.err) == (0, "")
    assert "n=4, form='tool', iterations=500" in result.out
    assert "sampled" in result.out
    assert "GLEU = min(1, exp(1 − r/c)) · exp( 1/N · Σₙ ln(numₙ / denₙ) )" in result.out
    assert gecval("metrics gleu").out == result.out
    assert [row["name"] for row in json.loads(gecval("metrics ld M2 --format json").out)["metrics"]] == ["ld", "m2"]


@pytest.mark.parametrize("names", ["m2 gleu", "m2,gleu", "'m2(beta=1, max_unchanged=0), GLEU'"])
def test_several_metrics_in_full(gecval, names):
    result = gecval(f"metrics {names}")
    assert (result.status, result.err) == (0, "")
    assert "GLEU = min(1, exp(1 − r/c)) · exp( 1/N · Σₙ ln(numₙ / denₙ) )" in result.out
    assert "max_unchanged=2" in result.out
    assert [line.split()[1] for line in result.out.splitlines() if line.startswith(" metric ")] == ["m2", "gleu"]
    rows = json.loads(gecval(f"metrics {names} --format json").out)["metrics"]
    assert [row["name"] for row in rows] == ["m2", "gleu"]


def test_the_help_says_how_a_shell_completes(gecval):
    line = "_GECVAL_COMPLETE=bash_source"
    assert line in gecval("--help").out
    completed = subprocess.run(
        [sys.executable, "-m", "gecval"],
        env={**os.environ, "_GECVAL_COMPLETE": "bash_source"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "complete -o nosort -F _gecval_completion gecval" in completed.stdout


def test_a_function_of_the_users_own_in_full(gecval, folder):
    (folder / "mine.py").write_text(
        'def half(source, hypothesis, references):\n    """Half of all."""\n    return 0.5\n'
    )
    result = gecval("metrics mine:half")
    assert (result.status, result.err) == (0, "")
    assert "mine:half" in result.out
    assert result.out.rstrip().endswith("Half of all.")


def test_an_unknown_metric_in_full(refused):
    assert refused("metrics gluu") == "there is no metric 'gluu'; did you mean gleu?"


def test_several_metrics_in_one_option(gecval, folder):
    line = "score good.txt -s src.txt -r ref0.txt -m LD,'gleu(n=2, form=\"paper\")' -m bleu --format json"
    scores = json.loads(gecval(line).out)["scores"]
    assert [score["metric"] for score in scores] == ["ld", "gleu(n=2, form='paper')", "bleu"]


@pytest.mark.parametrize(
    ("words", "incomplete", "offered"),
    [
        (["score", "-m"], "gl", ["gleu"]),
        (["score", "-m"], "GLEU,m", ["GLEU,m2", "GLEU,max-sari", "GLEU,min-ld"]),
        (["compare", "-m"], "zzz", []),
        (["metrics"], "sc", ["scribendi"]),
    ],
)
def test_a_shell_completes_metrics(words, incomplete, offered):
    completion = BashComplete(cli, {}, "gecval", "_GECVAL_COMPLETE")
    assert [item.value for item in completion.get_completions(words, incomplete)] == offered


def test_a_thousand_brackets(refused):
    for spelling in (f"m2{'(' * 1000}", f"m2{'(' * 1000}{')' * 1000}", "interpolated(" * 1000 + ")" * 1000):
        message = refused("score good.txt -s src.txt -m", spelling)
        assert message.startswith("cannot read the ")
        assert len(message) < 250


def test_a_listed_spelling_can_be_typed(gecval):
    for line in gecval("metrics --format tsv").out.splitlines()[1:]:
        name, parameters = line.split("\t")[:2]
        assert metric(f"{name}({parameters})") == metric(name)


def tables(text: str) -> list[dict[str, list[str]]]:
    """What a text holds of tables with a column "system": rows of cells by their first cell."""
    blocks = [[line.split() for line in block.splitlines() if line.strip("─ ")] for block in text.split("\n\n")]
    return [{first: rest for first, *rest in rows} for rows in blocks if rows and rows[0][0] == "system"]


def test_demo_shows_what_it_says(gecval):
    result = gecval("demo")
    assert "gives some of it back. That is the low-coverage bias.\n" in result.out
    assert (result.status, result.err) == (0, "")
    steps = [line.split(".")[0] for line in result.out.splitlines() if line[:2] in ("1.", "2.", "3.", "4.", "5.")]
    assert steps == ["1", "2", "3", "4", "5"]
    learners = result.out.splitlines()[0]
    assert re.fullmatch(r"\d+ invented learner sentences, 3 annotators, 4 systems made to differ\.", learners)
    for step in ("2.", "3.", "4."):  # two blank lines after each table
        assert f"\n\n\n{step} " in result.out
    overview, intervals, by_references = tables(result.out)
    columns = overview.pop("system")
    scores = {name: dict(zip(columns, map(float, row), strict=True)) for name, row in overview.items()}
    systems = ["timid", "thorough", "overeager", "rewriter"]
    assert list(scores) == ["(source)", *systems]
    beaten = [name for name in systems if scores["(source)"]["bleu"] > scores[name]["bleu"]]
    assert len(beaten) == 2  # "by BLEU the untouched source beats two systems
    assert all(scores["(source)"]["ld"] > scores[name]["ld"] for name in systems)  # , by LD all of them"
    assert max(systems, key=lambda name: scores[name]["m2"]) == "thorough"
    assert "95%" in intervals["system"]
    one, two, three = map(float, by_references["rewriter"])
    assert one < two < three  # "each annotator more gives some of it back"


def test_demo_leaves_files_to_go_on_with(gecval, folder):
    shown = gecval("demo -o new").out
    for name, start in (("report.html", "<!DOCTYPE html>"), ("card-m2.html", "<!DOCTYPE html>"), ("learners.m2", "S ")):
        assert f"new/{name}: " in shown
        assert (folder / "new" / name).read_text("utf-8").lower().startswith(start.lower())
    assert sorted(path.name for path in (folder / "new").glob("*.txt")) == [
        "overeager.txt", "rewriter.txt", "thorough.txt", "timid.txt",
    ]  # fmt: skip
    again = gecval("score new/timid.txt -r new/learners.m2 -m m2 --format tsv").out
    assert float(again.splitlines()[1].split("\t")[2]) == pytest.approx(0.5789, abs=5e-5)


def test_demo_with_a_board_starts_the_one_of_serve(gecval, answered, refused, monkeypatch):
    pytest.importorskip("fastapi", reason="the board needs gecval[board]")
    started = []
    monkeypatch.setattr("gecval.board.serve.serve", lambda settings, say, **more: started.append((settings, more)))
    assert gecval("demo --board --port 0 -o there") == (0, "", "")
    assert gecval("serve --demo --data there/board --port 0") == (0, "", "")
    assert gecval("demo --board") == (0, "", "")
    assert started[0] == started[1]
    assert (started[0][0].port, started[0][1]) == (0, {"with_demo": True})
    assert (str(started[2][0].data), started[2][0].port) == ("gecval-demo/board", 8017)
    assert "--port changes nothing without --board" in answered("demo --port 80")


def test_serve_counts_uploads_in_megabytes(gecval, monkeypatch):
    pytest.importorskip("fastapi", reason="the board needs gecval[board]")
    started = []
    monkeypatch.setattr("gecval.board.serve.serve", lambda settings, say, **more: started.append(settings))
    assert gecval("serve --data there --max-upload 3") == (0, "", "")
    assert gecval("serve --data there") == (0, "", "")
    assert [settings.max_upload for settings in started] == [3_000_000, 20_000_000]


def test_what_click_itself_cannot_do_is_one_line(gecval, monkeypatch):
    def fail(*_args, **_named):
        raise click.FileError("data.txt", "gone")

    monkeypatch.setattr(click.Command, "main", fail)
    assert gecval("metrics") == (2, "", "gecval: Could not open file 'data.txt': gone\n")


@pytest.mark.parametrize("verb", ["", "score", "compare", "convert", "metrics", "demo"])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help(gecval, verb, option):
    result = gecval(f"{verb} {option}")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith(f"Usage: gecval {verb}".rstrip())
    if verb in ("score", "compare", "convert"):
        assert "Examples:" in result.out


def test_without_arguments_it_helps(gecval):
    result = gecval("")
    assert (result.status, result.err) == (0, "")
    assert result.out == gecval("--help").out


def test_all_commands_in_groups(gecval):
    """--help has 40 lines at most; --help-all has the commands of two words as well."""
    short, full = gecval("--help").out, gecval("--help-all").out
    assert short.count("\n") <= 40
    listed = full.partition("Every day:\n")[2].splitlines()
    names = [line.strip().split("  ")[0] for line in listed if re.match(r"  [a-z]", line)]
    assert sorted(names) == sorted(entries())
    assert names.index("explain verify") == names.index("explain") + 2
    assert [name for name in entries() if " " in name and name in short] == []
    assert gecval("files --help-all").out == gecval("files --help").out


def test_version(gecval):
    assert gecval("--version") == (0, f"gecval, version {__version__}\n", "")
