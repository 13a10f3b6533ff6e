"""gecval report as it is typed: what is written, what is said, and what is refused."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

import pytest

from gecval import load_schema
from ways import SYSTEMS, write_small_files

SHORT = f"report {SYSTEMS} -r gold.m2 -m m2,gleu --resamples 20"


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    write_small_files(folder)


def test_the_page_is_written_and_the_verdict_printed(gecval, folder: Path) -> None:
    (folder / "out").mkdir()
    result = gecval(f"{SHORT} --title Mine -o out/page.html")
    assert result.status == 0, result.err
    html = (folder / "out" / "page.html").read_text("utf-8")
    assert "<title>Mine</title>" in html
    assert html.startswith("<!doctype html>")
    assert re.fullmatch(r"m2 and gleu put good first, .*\.\n", result.out)
    assert [path.name for path in (folder / "out").iterdir()] == ["page.html"]


def test_json_has_the_numbers_of_the_other_verbs(gecval, folder: Path) -> None:
    assert gecval(f"{SHORT} -o report.json").status == 0
    seen = json.loads((folder / "report.json").read_text("utf-8"))
    jsonschema = pytest.importorskip("jsonschema", reason="needs the extra: pip install 'gecval[test]'")
    jsonschema.validate(seen, load_schema("overview"))
    pairs = gecval(f"compare {SYSTEMS} -r gold.m2 -m m2,gleu --resamples 20 --all-pairs --format json").json
    assert seen["scores"] == pairs["scores"]
    assert seen["comparisons"] == pairs["comparisons"]
    changes = gecval(f"coverage undercorrection {' '.join(order(seen))} -r gold.m2 --format json").json
    assert seen["changes"]["correctors"] == changes["correctors"]
    assert seen["types"] is None


def order(seen: dict) -> list[str]:
    return [f"{name}.txt" for name in seen["systems"]]


@pytest.mark.parametrize(
    "inputs",
    [
        "-r gold.m2 -m m2 --seed 3",
        "-r gold.m2 -m gleu --aggregate mean --level 0.9 --interval-method percentile",
        "-s src.txt -r ref0.txt -r ref1.txt -m m2 --edits plain --lang en",
        "-s src.txt -r ref0.txt -r ref1.txt -m 'errant(model=\"plain\")' -m ld",
        "-s src.txt -m ld",
    ],
)
def test_its_commands_print_the_same_numbers(gecval, folder: Path, inputs: str) -> None:
    assert gecval(f"report {SYSTEMS} {inputs} --resamples 20 -o report.json").status == 0
    seen = json.loads((folder / "report.json").read_text("utf-8"))
    printed = {}
    for command in seen["commands"]:
        result = gecval(f"{command.removeprefix('gecval ')} --format json")
        assert result.status == 0, (command, result.err)
        printed[command.split()[1], "--by-type" in command] = result.json
    by_name = {(score["system"], score["metric"]): score for score in printed["score", False]["scores"]}
    assert [by_name[score["system"], score["metric"]] for score in seen["scores"]] == seen["scores"]
    assert printed["compare", False]["comparisons"] == seen["comparisons"]
    if seen["types"] is not None:
        rows = [
            (row["system"], row["type"], row["right"], row["wrong"] + row["unneeded"], row["missed"], row["interval"])
            for row in seen["types"]
        ]
        typed = printed["score", True]["types"]
        expected = [(row["system"], row["type"], row["tp"], row["fp"], row["fn"], row["interval"]) for row in typed]
        assert sorted(rows) == sorted(expected)
    assert ("coverage", False) in printed if "ref1" in inputs else True


def test_metrics_are_chosen_where_none_is_named(gecval, folder: Path) -> None:
    assert gecval(f"report {SYSTEMS} -r gold.m2 -o report.json --resamples 20 --lang uk").status == 0
    assert json.loads((folder / "report.json").read_text("utf-8"))["metrics"] == ["m2", "gleu"]
    result = gecval(f"report {SYSTEMS} -s src.txt -o report.html")
    assert result.status == 2
    assert "without references, metrics must be named that need none, such as ld (option -m)" in result.err


def test_one_system_is_enough(gecval, folder: Path) -> None:
    result = gecval("report good.txt -r gold.m2 -m gleu -o page.html --resamples 20")
    assert result.status == 0, result.err
    assert result.out.startswith("good scores ")
    assert "There is only one system" in result.out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("-o page.txt", "a report is a page, .html, or its numbers, .json"),
        ("-m nothing -o page.html", "nothing"),
        ("", "Missing option '-o'"),
    ],
)
def test_refusals(gecval, folder: Path, more: str, message: str) -> None:
    result = gecval(f"report {SYSTEMS} -r gold.m2 {more}")
    assert result.status == 2
    assert message in result.err
    assert not list(folder.glob("page.*"))


def test_an_output_that_cannot_be_written_leaves_nothing(gecval, folder: Path) -> None:
    (folder / "page.html").mkdir()
    result = gecval(f"{SHORT} -o page.html")
    assert result.status == 2
    assert "it is a folder" in result.err
    assert list((folder / "page.html").iterdir()) == []


def test_no_folder_of_the_author_is_published(gecval, folder: Path) -> None:
    inputs = " ".join(str(folder / name) for name in SYSTEMS.split())
    assert gecval(f"report {inputs} -r {folder}/gold.m2 -m m2 --resamples 20 -o report.json").status == 0
    commands = json.loads((folder / "report.json").read_text("utf-8"))["commands"]
    assert commands[0].startswith(f"gecval score {SYSTEMS} -r gold.m2 ")  # files below this folder are relative to it
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "gold.m2").write_bytes((folder / "gold.m2").read_bytes())
    for name in SYSTEMS.split():
        (folder / name).rename(elsewhere / name)
    here = folder / "here"
    here.mkdir()
    outputs = " ".join(str(elsewhere / name) for name in SYSTEMS.split())
    assert gecval(f"report {outputs} -r {elsewhere}/gold.m2 -m m2 --resamples 20 -o {here}/report.json").status == 0
    text = (here / "report.json").read_text("utf-8")
    assert str(folder) not in text


def test_the_title_and_what_was_tested_by_default(gecval, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert gecval(f"{SHORT} -o page.html").status == 0
    html = (folder / "page.html").read_text("utf-8")
    assert f"<title>{len(SYSTEMS.split())} systems on gold</title>" in html
    [lines] = re.findall(r'id="gecval-parts">\n(.*?)\n</script>', html, re.S)
    data = json.loads(zlib.decompress(base64.b64decode(lines.split("\n")[-1])))
    assert (data["corpus"], data["date"]) == ("gold", "1970-01-01")
    assert [metric["name"] for metric in data["metrics"]] == ["M²", "GLEU"]
    assert data["verdict"][0].startswith("M² and GLEU put good first")
