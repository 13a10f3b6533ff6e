"""gecval coverage as typed, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TABLE = ["source\tcorrection", *(f"he go home\the {verb} home" for verb in ("goes", "goes", "went", "is going"))]
TABLE += [f"she like it\tshe {verb} it" for verb in ("likes", "likes", "liked", "loves")]
TEXTS = "-s src.txt -r ref0.txt -r ref1.txt"


@pytest.fixture
def crowd(folder: Path) -> Path:
    path = folder / "crowd.tsv"
    path.write_text("".join(f"{line}\n" for line in TABLE))
    return path


def result(run) -> dict:
    """What a command printed as JSON."""
    status, out, _ = run
    assert status == 0
    return json.loads(out)


def test_corrections_give_variants_coverage_and_scores(gecval, crowd: Path) -> None:
    run = gecval("coverage crowd.tsv -m m2 -m accuracy --sentences 50 --correct 5 --references 3 --format json")
    assert run.err == ""
    crowd = result(run)
    assert crowd["schema"] == "gecval.crowd-coverage/1"
    assert [row["frequency"] for row in crowd["thresholds"]] == [0, 0.001, 0.01, 0.1]
    assert [row["references"] for row in crowd["curve"]] == [1, 2, 3]
    assert all(0 < row["with_replacement"] < 1 for row in crowd["curve"])
    assert all(row["bias"] == pytest.approx(1 - row["observed"]) for row in crowd["curve"])
    assert [(row["metric"], row["references"]) for row in crowd["scores"]] == [
        (metric, references) for metric in ("m2", "accuracy") for references in (1, 2, 3)
    ]
    assert all(0 <= row["score"] <= 1 and row["interval"] for row in crowd["scores"])
    assert crowd["test_set"] == {"sentences": 50, "correct": 5, "replacement": True, "seed": 1}


def test_units_and_dropping(gecval, crowd: Path) -> None:
    exact, index = (result(gecval(f"coverage crowd.tsv --unit {unit} --format json")) for unit in ("exact", "index"))
    assert exact["curve"][0]["with_replacement"] < index["curve"][0]["with_replacement"]


def test_dropping_may_leave_one_sentence(gecval, crowd: Path) -> None:
    with crowd.open("a") as table:
        table.writelines(["they is\tthey is\n", "they is\tthey are\n"])
    dropped = gecval("coverage crowd.tsv --drop-unchanged 1 --references 2 --format json")
    assert result(dropped)["sentences"] == 2
    assert dropped.err == "gecval: note: 1 of 3 sentences are left out: 1 person or more left them unchanged\n"
    crowd.write_text("".join(f"{line}\n" for line in [*TABLE[:5], "they is\tthey is", "they is\tthey are"]))
    single = result(gecval("coverage crowd.tsv --drop-unchanged 1 --references 2 --format json"))
    assert (single["sentences"], [row["interval"] for row in single["curve"]]) == (1, [None, None])


def test_once_draws_each_correction_once(gecval, crowd: Path) -> None:
    line = "coverage crowd.tsv -m accuracy --references 3 --sentences 200 --correct 0 --format json"
    again, once = result(gecval(line)), result(gecval(f"{line} --once"))
    assert (again["test_set"]["replacement"], once["test_set"]["replacement"]) == (True, False)
    assert once["scores"][2]["score"] < again["scores"][2]["score"]  # a system met its own output as a reference


def test_histograms(gecval, folder: Path) -> None:
    (folder / "hist.txt").write_text("frequency\t# of variants\n0.5\t1\n0.25\t2\n")
    crowd = result(gecval("coverage hist.txt --references 2 --format json"))
    assert [row["variants"] for row in crowd["thresholds"]] == [3, 3, 3, 3]
    assert [row["with_replacement"] for row in crowd["curve"]] == pytest.approx([0.375, 0.59375])


def test_own_references(gecval, folder: Path) -> None:
    options = "-m gleu --alpha 0.5 --resamples 20 --level 0.9"
    covered = result(gecval(f"coverage good.txt copy.txt {TEXTS} {options} --format json"))
    assert covered["schema"] == "gecval.reference-coverage/1"
    assert (covered["references"], covered["alpha"], covered["level"]) == (2, 0.5, 0.9)
    assert [row["system"] for row in covered["true_scores"]] == ["good", "copy"]
    assert all(row["true_accuracy"] >= row["accuracy"] for row in covered["true_scores"])
    assert [(row["system"], row["metric"], row["interval"]) for row in covered["people"]] == [
        ("good", "gleu", None),
        ("copy", "gleu", None),
    ]
    surer = result(gecval(f"coverage good.txt copy.txt {TEXTS} {options} --confidence --format json"))
    assert all(row["interval"] and row["people_interval"] for row in surer["people"])
    assert gecval(f"coverage {TEXTS}").out.startswith("2 references a sentence\n")


def test_people_are_scored_by_edits_found_in_texts(gecval, folder: Path) -> None:
    from_text = result(gecval(f"coverage good.txt {TEXTS} -m m2 --edits plain --format json"))
    assert gecval("annotate src.txt ref0.txt ref1.txt --plain -o plain.m2").status == 0
    from_m2 = result(gecval("coverage good.txt -r plain.m2 -m m2 --format json"))
    [row], [same] = from_text["people"], from_m2["people"]
    assert (row["metric"], row["score"], row["people"]) == ("m2", same["score"], same["people"])


@pytest.mark.parametrize(
    "line",
    [
        "coverage crowd.tsv -m gleu --sentences 40 --correct 4 --references 3",
        f"coverage good.txt copy.txt {TEXTS} -m gleu --confidence --resamples 20",
    ],
)
def test_plots(gecval, crowd: Path, line: str) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    assert gecval(f"{line} --plot figure.svg").status == 0
    assert Path("figure.svg").read_text().startswith("<svg")


def test_refusals(refused, crowd: Path, folder: Path, matches_transcript) -> None:
    for name, text in {
        "empty.tsv": "",
        "wide.tsv": "source\tcorrection\na\tb\tc\n",
        "single.tsv": "source\tcorrection\na\tx\na\ty\nb\tz\n",
        "negative.txt": "frequency\tvariants\n0.5\t-2\n",
        "half.txt": "frequency\tvariants\n0.5\n",
        "hist.txt": "frequency\tvariants\n0.5\t2\n",
        "huge.txt": "frequency\tvariants\n0.5\t1e300\n",
        "unchanged.tsv": "source\tcorrection\nthey is\tthey is\nthey is\tthey are\n",
    }.items():
        (folder / name).write_text(text)
    matches_transcript("refusals/coverage.txt", refused)
