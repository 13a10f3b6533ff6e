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
WINS = "human judged.jsonl --ranking expected-wins --resamples 20"
OUTPUTS = "--systems good.txt --systems wild.txt --systems copy.txt"
METRICS = f"{HUMAN} {OUTPUTS} -r gold.m2"
WINS_METRICS = f"{WINS} {OUTPUTS} -r gold.m2"


@pytest.fixture(autouse=True)
def judged(folder: Path) -> Path:
    path = folder / "judged.jsonl"
    path.write_text("".join(f"{json.dumps(item)}\n" for item in JUDGMENTS))
    return path


def test_rankings_alone(gecval: Callable[..., object]) -> None:
    status, out, err = gecval(f"{HUMAN} --format json")
    assert (status, err) == (0, "")
    printed = json.loads(out)
    assert [ranking["method"] for ranking in printed["rankings"]] == ["expected-wins", "trueskill"]
    first = printed["rankings"][0]["systems"]
    # good beat copy three times out of three, INPUT once out of once, wild twice out of three times.
    assert (first[0]["system"], first[0]["score"]) == ("good", pytest.approx((1 + 1 + 2 / 3) / 3))
    assert printed["judgments"][0]["pairs"] == 12
    assert printed["correlations"] == []
    _, text, _ = gecval(HUMAN)
    assert "judged: expected-wins" in text
    assert "ties:ignored|opponents:met|unit:judges+sentences|resamples:20" in text


def test_the_preset_of_the_tools_draws_pairs_and_says_what_that_means(gecval: Callable[..., object]) -> None:
    _, text, _ = gecval(f"{HUMAN} --preset tools")
    assert "unit:pairs" in text
    assert "these ranges are too narrow" in text
    assert text == gecval(f"{HUMAN} --unit pairs --opponents all")[1]


def test_metrics_against_people(gecval: Callable[..., object]) -> None:
    status, out, err = gecval(f"{METRICS} -m m2 -m 'interpolated(gleu, ld, 0.2)' --sweep gleu ld --format json")
    assert status == 0
    assert err == (
        "gecval: note: judged: 4 systems are too few for intervals of correlations, and p is never below 0.083\n"
        "gecval: note: judged: with 4 systems there are 16 ways to swap two metrics, so the permutation test cannot "
        "give a p below 0.125\n"
        "gecval: note: judged: over pairs of outputs, not distinguishable from *more changes*: m2, "
        "interpolated(gleu, ld, 0.2)\n"
    )
    printed = json.loads(out)
    correlations = printed["correlations"]
    assert {correlation["metric"] for correlation in correlations} == {"m2", "interpolated(gleu, ld, 0.2)"}
    assert {correlation["target"] for correlation in correlations} == {"expected-wins", "trueskill"}
    m2 = correlations[0]
    assert [system["system"] for system in m2["systems"]] == ["INPUT", "copy", "good", "wild"]
    assert m2["spearman"]["value"] > 0.5
    assert m2["signature"].startswith("m2|")
    accuracy = printed["accuracies"][0]
    assert accuracy["agree"] + accuracy["disagree"] + accuracy["ties"] == 9
    assert len(printed["hybrids"]) == 4
    assert len(printed["hybrids"][0]["swept"]["correlations"]) == 101


def test_edits_are_found_in_plain_references(gecval: Callable[..., object]) -> None:
    assert gecval("annotate src.txt ref0.txt --edits plain -o plain.m2").status == 0
    outputs = METRICS.replace("-r gold.m2", "")
    from_m2 = gecval(f"{outputs} -r plain.m2 -m m2 --format json").json
    from_text = gecval(f"{outputs} -s src.txt -r ref0.txt -m m2 --edits plain --format json").json
    signatures = [correlation.pop("signature") for correlation in from_text["correlations"]]
    assert all("|plain|" in signature for signature in signatures)
    for correlation in from_m2["correlations"]:
        del correlation["signature"]
    assert from_text["correlations"] == from_m2["correlations"]


@pytest.mark.parametrize("style", ["text", "tsv", "markdown", "latex"])
def test_every_style(gecval: Callable[..., object], style: str) -> None:
    status, out, _ = gecval(f"{WINS_METRICS} -m ld --window 3 --sweep gleu ld --format {style}")
    assert status == 0
    for word in ("expected-wins", "ld", "good"):
        assert word in out


def test_the_level_reaches_every_interval(gecval: Callable[..., object], folder: Path) -> None:
    run = f"{WINS_METRICS} -m gleu --resamples 200 --plot scatter.json --format json"
    narrow, wide = (json.loads(gecval(f"{run} --level {level}")[1]) for level in (0.5, 0.95))
    assert (narrow["level"], wide["level"]) == (0.5, 0.95)

    def widths(printed: dict) -> list[float]:
        (correlation,) = printed["correlations"]
        system = next(system for system in correlation["systems"] if system["system"] == "wild")
        (accuracy,) = printed["accuracies"]
        intervals = [
            printed["rankings"][0]["systems"][1]["interval"],
            system["metric_interval"],
            accuracy["interval"],
        ]
        return [high - low for low, high in intervals]

    assert [small < large for small, large in zip(widths(narrow), widths(wide), strict=True)] == [True] * 3


def test_intervals_are_labelled_with_their_level(gecval: Callable[..., object]) -> None:
    _, out, _ = gecval(f"{METRICS} -m ld --level 0.5")
    assert out.count("50% interval") == 6  # two rankings, correlations, accuracies, controls, pairs
    assert "95%" not in out


def test_programs_get_one_table_with_numbers_in_columns_of_their_own(gecval: Callable[..., object]) -> None:
    _, out, _ = gecval(f"{WINS_METRICS} -m ld --sweep gleu ld --format tsv")
    header, *lines = (line.split("\t") for line in out.splitlines())
    assert len(set(header)) == len(header)
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    (judgments,) = (row for row in rows if row["table"] == "Judgments")
    # Who gave the same output is not known here, so judges saw as many outputs as there are systems.
    pairs = [judgments[name] for name in ("output pairs", "output ties", "system pairs", "system ties")]
    assert pairs == ["12", "3", "12", "3"]
    good = next(row for row in rows if row["table"] == "Rankings")
    assert (good["system"], good["best rank"], good["cluster"]) == ("good", "1", "1")
    assert float(good["low"]) <= float(good["score"]) <= float(good["high"])
    assert good["level"] == "0.95"
    metric = next(row for row in rows if row["correlation"])
    assert metric["low"] == "" != metric["correlation low"]
    hybrid = next(row for row in rows if row["table"] == "Hybrids")
    assert 0 <= float(hybrid["lowest λ"]) <= float(hybrid["highest λ"]) <= 1


def test_too_few_runs_and_resamples_are_named(gecval: Callable[..., object]) -> None:
    _, out, _ = gecval(HUMAN)
    assert out.count("20 resamples are too few for ranges of 95%: take 40 or more") == 2
    _, out, _ = gecval(f"{HUMAN} --unit pairs")
    assert "2 runs are too few for ranges of 95%: take 40 or more" in out
    _, out, _ = gecval("human judged.jsonl --runs 4 --resamples 4 --level 0.5")
    assert "too few" not in out


def test_tables_as_printed(gecval: Callable[..., object], folder: Path) -> None:
    """All judges agree on A; B and C take turns."""
    orders = ["ABC", "ACB"] * 4
    lines = [{"sentence": i, "judge": "anna", "ranks": {n: 1 + o.index(n) for n in o}} for i, o in enumerate(orders, 1)]
    (folder / "turns.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    texts = {"A": "x", "B": "x x", "C": "x x"}
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(f"{text}\n" * 8)
    (folder / "source.txt").write_text("x x x\n" * 8)
    outputs = " ".join(f"--systems {name}.txt" for name in texts)
    run = f"human turns.jsonl --ranking expected-wins -s source.txt {outputs} -m ld --ties skip"
    lines = [line.split() for line in gecval(run).out.splitlines()]
    assert ["A", "1.0000", "[1.000,", "1.000]", "1", "1"] in lines
    assert [line[-2:] for line in lines if line and line[0] in "BC"] == [["2-3", "2"], ["2-3", "2"]]
    # In 16 pairs of outputs people prefer A, the farthest from the source; in 8, B or C, which are equal to the metric.
    ld = ["turns", "ld", "0", "16", "8", "0.000", "[0.000,", "0.000]", "-1.000"]
    assert [*ld, "0.000", "[0.000,", "0.000]", "-1.000"] in lines  # one edit each, and all changes favour people
    assert ["turns", "expected-wins", "more", "changes", "1.000"] in [line[:5] for line in lines]
    assert ["turns", "expected-wins", "ld", "r", "3"] in [line[:5] for line in lines]


def test_judges_who_only_tie_leave_kappa_blank(gecval: Callable[..., object], folder: Path) -> None:
    tied = [{"sentence": 1, "judge": judge, "ranks": {"A": 1, "B": 1}} for judge in ("anna", "ben")]
    (folder / "tied.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in tied))
    status, out, err = gecval("human tied.jsonl --format json")
    assert (status, err) == (0, "")
    printed = json.loads(out)
    assert printed["judgments"][0]["between_judges"] == {"kappa": None, "agree": 1.0, "comparisons": 1}
    for ranking in printed["rankings"]:
        assert [(system["ranks"], system["cluster"]) for system in ranking["systems"]] == [([1, 2], 1), ([1, 2], 1)]
    assert "nan" not in gecval("human tied.jsonl")[1]


def test_two_sets_and_both_combined(gecval: Callable[..., object], judged: Path, folder: Path) -> None:
    (folder / "more.csv").write_text("sentence,judge,system,rank\n1,cleo,good,1\n1,cleo,src,2\n")
    rankings = gecval(f"{WINS} more.csv --combined --format json").json["rankings"]
    assert [ranking["judgments"] for ranking in rankings] == ["judged", "more", "combined"]
    assert {system["system"] for system in rankings[2]["systems"]} == {"good", "wild", "copy", "INPUT"}


def test_outputs_without_metrics_tell_how_sets_that_are_combined_count_sentences(
    gecval: Callable[..., object], folder: Path
) -> None:
    """The XML has src-id 0, the JSONL sentence 1: the same sentence. A note tells that outputs were looked at."""
    (folder / "more.xml").write_text(
        '<r><ranking-item src-id="0" user="cleo"><translation rank="1" system="good wild"/>'
        '<translation rank="2" system="copy"/></ranking-item></r>'
    )
    outputs = f"{WINS_METRICS} more.xml --combined"
    assert "are these the outputs that were judged?" in gecval(outputs).err
    (folder / "wild.txt").write_text((folder / "good.txt").read_text())
    status, out, err = gecval(f"{outputs} --format json")
    assert (status, err) == (0, "")
    assert json.loads(out)["judgments"][2]["sentences"] == 3


def test_judges_are_left_out_by_name(gecval: Callable[..., object], folder: Path) -> None:
    run = "human judged.jsonl --ranking expected-wins --format json"
    _, out, err = gecval(f"{run} --skip-judge ben")
    assert "1 rankings by ben are left out" in err
    assert json.loads(out)["judgments"][0]["judges"] == 1
    lines = (folder / "judged.jsonl").read_text().replace("ben", "admin")
    (folder / "judged.jsonl").write_text(lines)
    assert gecval(run).json["judgments"][0]["judges"] == 1
    status, out, err = gecval(f"{run} --skip-judge ''")
    assert (status, err, json.loads(out)["judgments"][0]["judges"]) == (0, "", 2)


def test_plots(gecval: Callable[..., object], folder: Path) -> None:
    pytest.importorskip("vl_convert")
    assert gecval(f"{HUMAN} --plot ranks.svg")[0] == 0
    assert gecval(f"{METRICS} -m m2 --plot scatter.png")[0] == 0
    assert "Expected Wins" in (folder / "ranks.svg").read_text()
    assert (folder / "scatter.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("human nothing.xml", "nothing.xml: no such file"),
        ("human gold.m2", "gold.m2: judgments are read from .xml, .csv, .jsonl"),
        (f"{HUMAN} judged.jsonl", "the same file of judgments is given twice"),
        (
            f"{HUMAN} -m m2",
            "metrics need what was judged: the corpus and the systems (options -s and -r and --systems)",
        ),
        (f"{HUMAN} --systems good.txt", "outputs need the source that they correct (options -s and -r)"),
        (
            f"{HUMAN} -r gold.m2 --systems good.txt --systems copy.txt -m m2",
            "judged ranks wild, but systems lacks it: add its outputs, or leave it out by without "
            "(options --systems and --without wild)",
        ),
        (
            f"{HUMAN} -r gold.m2 --systems good.txt -m m2",
            "judged ranks copy, wild, but systems lacks them: add their outputs, or leave them out by without "
            "(options --systems and --without copy,wild)",
        ),
        (
            f"{METRICS} -m m2 --without AMU",
            "there is no judged system 'AMU' to leave out; there is INPUT, copy, good, wild (option --without)",
        ),
        (f"{METRICS} -m m2 --window 9", "a window takes 3 to 4 systems, not 9 (option --window)"),
        (f"{METRICS} -m m2 --window 2", "a window takes 3 to 4 systems, not 2 (option --window)"),
        (
            f"{METRICS} --sweep gleu ld --without copy",
            "choosing a weight needs four systems or more, not 3 (option --sweep)",
        ),
        (METRICS, "the corpus and the systems change nothing without metrics (option -m)"),
        (f"{HUMAN} --window 3", "window changes nothing without metrics (options --window and -m)"),
        (
            f"{METRICS} --sweep gleu ld --ties skip",
            "ties changes nothing without metrics (options --ties and -m)",
        ),
        (f"{HUMAN} --without wild", "without changes nothing without metrics (options --without and -m)"),
        (f"{HUMAN} --combined", "combined changes nothing with one set of judgments (option --combined)"),
        (
            f"{HUMAN} --ranking expected-wins",
            "runs changes nothing without trueskill (options --runs and --ranking)",
        ),
        (
            "human judged.jsonl --ranking trueskill --human-ties both-win",
            "human_ties changes nothing without expected-wins (options --human-ties and --ranking)",
        ),
        (
            "human judged.jsonl --preset tools --unit sentences",
            "the preset tools sets unit: leave one out (options --preset and --unit)",
        ),
        (
            "human judged.jsonl --skip-judge cleo",
            "there is no judge 'cleo' to leave out; there is anna, ben (option --skip-judge)",
        ),
        (f"{HUMAN} --missing-annotator agreed", "--missing-annotator changes nothing without -r"),
        (f"{HUMAN} --edits plain", "--edits changes nothing without -r"),
        (f"{HUMAN} --device cpu --batch-size 2", "--device and --batch-size change nothing without -m"),
        ("human judged.jsonl --runs 1", "ranges of ranks need two runs or more, not 1 (option --runs)"),
        (f"{HUMAN} --level 2", "the confidence level must lie between 0 and 1, not 2.0 (option --level)"),
        (
            "human judged.jsonl --resamples 1",
            "ranges of ranks need two resamples or more, not 1 (option --resamples)",
        ),
        (f"{HUMAN} --plot ranks.doc", "ranks.doc: a plot is saved as .svg, .png, .pdf, .html, .json"),
    ],
)
def test_refusals(answered: Callable[..., str], command: str, message: str) -> None:
    assert answered(command).removeprefix("note: ") == message


def test_hostile_xml_is_refused(refused: Callable[..., str], folder: Path) -> None:
    (folder / "bomb.xml").write_text('<!DOCTYPE r [<!ENTITY a "aaaa">]><r><ranking-item id="&a;"/></r>')
    assert refused("human bomb.xml") == "bomb.xml: refused, XML may not bring entities or document types"


def test_train_here_test_there(gecval: Callable[..., object], judged: Path) -> None:
    (judged.parent / "again.jsonl").write_text(judged.read_text())
    typed = f"human judged.jsonl again.jsonl {OUTPUTS} -r gold.m2 --resamples 20"
    chosen = gecval(f"{typed} -m gleu -m levenshtein --train judged --test again --format json")
    printed = chosen.json
    assert (printed["train"], printed["test"]) == (["judged"], ["again"])
    assert [candidate["criterion"] for candidate in printed["candidates"]] == ["accuracy"] * 3 + ["r"] * 3
    by_file = f"{typed} -m gleu -m levenshtein --train judged.jsonl --test again.jsonl --format json"
    assert gecval(by_file)[:2] == (0, chosen.out)
    for wrong, said in (
        ("-m gleu -m ld --train judged", "a choice needs sets of judgments for both"),
        ("--train judged --test again", "a choice needs metrics, references and the judged outputs"),
    ):
        status, _, err = gecval(f"{typed} {wrong}")
        assert status == 2
        assert said in err
    noted = gecval(f"{typed} -m gleu -m levenshtein --train judged --test again --window 3").err
    assert "note: --window changes nothing with --train and --test" in noted


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        (WINS, ["judged: 12 pairs of systems in 3 sentences by 2 judges"]),
        (f"{WINS_METRICS} -m gleu", ["gold, 4 sentences", "judged: 12 pairs of systems in 3 sentences by 2 judges"]),
    ],
)
def test_a_chart_says_what_was_judged(
    gecval: Callable[..., object], folder: Path, command: str, lines: list[str]
) -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    status, _, _ = gecval(f"{command} --plot plot.json")
    assert status == 0
    assert json.loads((folder / "plot.json").read_text())["title"]["subtitle"][: len(lines)] == lines
