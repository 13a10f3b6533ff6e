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


def test_edits_are_found_in_plain_references(gecval: Callable[..., object]) -> None:
    assert gecval("annotate src.txt ref0.txt --plain -o plain.m2").status == 0
    outputs = METRICS.replace("-r gold.m2", "")
    from_m2 = json.loads(gecval(f"{outputs} -r plain.m2 -m m2 --format json").out)["correlations"]
    from_text = json.loads(gecval(f"{outputs} -s src.txt -r ref0.txt -m m2 --edits plain --format json").out)
    assert from_text["correlations"] == from_m2


@pytest.mark.parametrize("style", ["text", "tsv", "markdown", "latex"])
def test_every_style(gecval: Callable[..., object], style: str) -> None:
    status, out, _ = gecval(f"{METRICS} -m ld --window 3 --sweep gleu ld --format {style} --ranking expected-wins")
    assert status == 0
    for word in ("expected-wins", "ld", "good"):
        assert word in out


def test_the_level_reaches_every_interval(gecval: Callable[..., object], folder: Path) -> None:
    run = (
        f"{METRICS} -m gleu --ranking expected-wins --unit sentences --resamples 200 --plot scatter.json --format json"
    )
    narrow, wide = (json.loads(gecval(f"{run} --level {level}")[1]) for level in (0.5, 0.95))
    assert (narrow["level"], wide["level"]) == (0.5, 0.95)

    def widths(found: dict) -> list[float]:
        (one,) = found["correlations"]
        system = next(system for system in one["systems"] if system["system"] == "wild")
        (accuracy,) = found["accuracies"]
        intervals = [
            found["rankings"][0]["systems"][1]["interval"],
            *(one[name]["interval"] for name in ("pearson", "spearman")),
            system["metric_interval"],
            accuracy["interval"],
        ]
        return [high - low for low, high in intervals]

    assert [small < large for small, large in zip(widths(narrow), widths(wide), strict=True)] == [True] * 5


def test_intervals_are_labelled_with_their_level(gecval: Callable[..., object]) -> None:
    _, out, _ = gecval(f"{METRICS} -m ld --level 0.5 --format tsv")
    headers = [line.split("\t") for line in out.splitlines() if "interval" in line]
    labels = {name for header in headers for name in header if "interval" in name}
    assert labels == {"50% interval", "r 50% interval", "ρ 50% interval", "τ 50% interval"}


def test_too_few_runs_and_resamples_are_named(gecval: Callable[..., object]) -> None:
    _, out, _ = gecval(HUMAN)
    assert "2 runs are too few for ranges of 95%: take 40 or more" in out
    assert "20 resamples are too few for ranges of 95%: take 40 or more" in out
    _, out, _ = gecval("human judged.jsonl --runs 4 --resamples 4 --level 0.5")
    assert "too few" not in out


def test_judges_who_only_tie_leave_kappa_blank(gecval: Callable[..., object], folder: Path) -> None:
    tied = [{"sentence": 1, "judge": judge, "ranks": {"A": 1, "B": 1}} for judge in ("anna", "ben")]
    (folder / "tied.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in tied))
    status, out, err = gecval("human tied.jsonl --format json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["judgments"][0]["between_judges"] == {"kappa": None, "agree": 1.0, "comparisons": 1}
    for ranking in found["rankings"]:
        assert [(one["ranks"], one["cluster"]) for one in ranking["systems"]] == [([1, 2], 1), ([1, 2], 1)]
    assert "nan" not in gecval("human tied.jsonl")[1]


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
        (f"{METRICS} -m m2 --window 2", "a window takes 3 to 4 systems, not 2"),
        (f"{HUMAN} --window 3", "--window changes nothing without metrics: give some with -m"),
        (
            f"{METRICS} --sweep gleu ld --ties skip",
            "--ties changes nothing without metrics: give some with -m",
        ),
        (f"{HUMAN} --without wild", "--without changes nothing without metrics: give some with -m"),
        ("human judged.jsonl --runs 1", "ranges of ranks need 2 resamples and 2 runs or more, not 1000 and 1"),
        (f"{HUMAN} --level 2", "the confidence level must lie between 0 and 1, not 2.0"),
        (f"{HUMAN} --resamples 1", "ranges of ranks need 2 resamples and 2 runs or more, not 1 and 2"),
        (f"{HUMAN} --plot ranks.doc", "ranks.doc: a plot is saved as .svg, .png, .pdf, .html, .json"),
    ],
)
def test_refusals(refused: Callable[..., str], command: str, message: str) -> None:
    assert refused(command) == message


def test_hostile_xml_is_refused(refused: Callable[..., str], folder: Path) -> None:
    (folder / "bomb.xml").write_text('<!DOCTYPE r [<!ENTITY a "aaaa">]><r><ranking-item id="&a;"/></r>')
    assert refused("human bomb.xml") == "bomb.xml: refused, XML may not bring entities or document types"
