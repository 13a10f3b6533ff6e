"""gecval human as typed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

JUDGMENTS = [
    {"sentence": 1, "judge": "anna", "ranks": {"good": 1, "wild": 3, "copy": 2}},
    {"sentence": 2, "judge": "anna", "ranks": {"good": 2, "wild": 1, "copy": 3}},
    {"sentence": 4, "judge": "ben", "ranks": {"good": 1, "wild": 3, "copy": 3, "INPUT": 3}},
]
HUMAN = "human judged.jsonl --runs 2 --resamples 20"
METRICS = f"{HUMAN} --systems good.txt --systems wild.txt --systems copy.txt -r gold.m2"


@pytest.fixture(autouse=True)
def judged(folder: Path) -> Path:
    path = folder / "judged.jsonl"
    path.write_text("".join(f"{json.dumps(item)}\n" for item in JUDGMENTS))
    return path


def test_rankings_alone(gecval: Callable[..., object]) -> None:
    status, out, err = gecval(f"{HUMAN} --format json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert [one["method"] for one in found["rankings"]] == ["expected-wins", "trueskill"]
    first = found["rankings"][0]["systems"]
    # good beat copy three times out of three, INPUT once out of once, wild twice out of three times.
    assert (first[0]["system"], first[0]["score"]) == ("good", pytest.approx((1 + 1 + 2 / 3) / 3))
    assert found["judgments"][0]["pairs"] == 12
    assert found["correlations"] == []
    _, text, _ = gecval(HUMAN)
    assert "judged: expected-wins" in text
    assert "--unit sentences" in text


def test_metrics_against_people(gecval: Callable[..., object]) -> None:
    status, out, err = gecval(f"{METRICS} -m m2 -m 'interpolated(gleu, ld, 0.2)' --sweep gleu ld --format json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert {one["metric"] for one in found["correlations"]} == {"m2", "interpolated(gleu, ld, 0.2)"}
    assert {one["target"] for one in found["correlations"]} == {"expected-wins", "trueskill"}
    m2 = found["correlations"][0]
    assert [one["system"] for one in m2["systems"]] == ["INPUT", "copy", "good", "wild"]
    assert m2["spearman"]["value"] > 0.5
    accuracy = found["accuracies"][0]
    assert accuracy["agree"] + accuracy["disagree"] + accuracy["ties"] == 9
    assert len(found["hybrids"]) == 4
    assert len(found["hybrids"][0]["swept"]["correlations"]) == 101


@pytest.mark.parametrize("style", ["text", "tsv", "markdown", "latex"])
def test_every_style(gecval: Callable[..., object], style: str) -> None:
    status, out, _ = gecval(f"{METRICS} -m ld --window 3 --sweep gleu ld --format {style} --ranking expected-wins")
    assert status == 0
    for word in ("expected-wins", "ld", "good"):
        assert word in out


def test_two_sets_and_both_combined(gecval: Callable[..., object], judged: Path, folder: Path) -> None:
    (folder / "more.csv").write_text("sentence,judge,system,rank\n1,cleo,good,1\n1,cleo,src,2\n")
    status, out, _ = gecval(f"{HUMAN} more.csv --combined --ranking expected-wins --format json")
    assert status == 0
    found = json.loads(out)["rankings"]
    assert [one["judgments"] for one in found] == ["judged", "more", "combined"]
    assert {one["system"] for one in found[2]["systems"]} == {"good", "wild", "copy", "INPUT"}


def test_plots(gecval: Callable[..., object], folder: Path) -> None:
    pytest.importorskip("vl_convert")
    assert gecval(f"{HUMAN} --plot ranks.svg")[0] == 0
    assert gecval(f"{METRICS} -m m2 --plot scatter.png")[0] == 0
    assert "expected-wins" in (folder / "ranks.svg").read_text()
    assert (folder / "scatter.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("human nothing.xml", "nothing.xml: no such file"),
        ("human gold.m2", "gold.m2: judgments are read from .xml, .csv, .jsonl"),
        (f"{HUMAN} judged.jsonl", "the same file of judgments is given twice"),
        (f"{HUMAN} -m m2", "outputs and metrics need the source: give it with -s, or references as .m2 with -r"),
        (
            f"{HUMAN} -r gold.m2 --systems good.txt --systems copy.txt -m m2",
            "judged judges wild, of which there is no output: "
            "give it with --systems, or leave it out with --without wild",
        ),
        (
            f"{METRICS} -m m2 --without AMU",
            "there is no judged system 'AMU' to leave out; there is INPUT, copy, good, wild",
        ),
        (f"{METRICS} -m m2 --window 9", "a window takes 3 to 4 systems, not 9"),
        (f"{HUMAN} --level 2", "the confidence level must lie between 0 and 1, not 2.0"),
        (f"{HUMAN} --resamples 1", "ranking needs 2 resamples and 1 run or more, not 1 and 2"),
        (f"{HUMAN} --plot ranks.doc", "ranks.doc: a plot is saved as .svg, .png, .pdf, .html, .json"),
    ],
)
def test_refusals(refused: Callable[..., str], command: str, message: str) -> None:
    assert refused(command) == message


def test_hostile_xml_is_refused(refused: Callable[..., str], folder: Path) -> None:
    (folder / "bomb.xml").write_text('<!DOCTYPE r [<!ENTITY a "aaaa">]><r><ranking-item id="&a;"/></r>')
    assert refused("human bomb.xml") == "bomb.xml: refused, XML may not bring entities or document types"
