"""gecval coverage as typed, and what it refuses."""

from __future__ import annotations

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


def test_corrections_give_variants_coverage_and_scores(gecval, crowd: Path) -> None:
    run = gecval("coverage crowd.tsv -m m2 -m accuracy --sentences 50 --correct 5 --references 3 --format json")
    assert run.err == ""
    crowd = run.json
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
    exact, index = (gecval(f"coverage crowd.tsv --unit {unit} --format json").json for unit in ("exact", "index"))
    assert exact["curve"][0]["with_replacement"] < index["curve"][0]["with_replacement"]


def test_what_makes_two_corrections_equal(gecval, folder: Path) -> None:
    """Case, punctuation and rejected rows are left out, unless asked for; the result says so."""
    rows = ["He goes .\tok", "he goes!\tok", "He  goes .\tok", "He went .\tok", "He gone .\tRejected"]
    (folder / "crowd.tsv").write_text("\n".join(["source\tcorrection\tstatus", *(f"He go .\t{row}" for row in rows)]))

    def different(options: str) -> list[int]:
        [estimate] = gecval(f"coverage crowd.tsv --references 1 --format json {options}").json["estimates"]
        return sorted(estimate["counts"])

    assert different("") == [1, 3]
    assert different("--unit cased") == [1, 1, 2]
    assert different("--unit text") == [1, 1, 2]
    assert different("--keep-rejected") == [1, 1, 3]
    run = gecval("coverage crowd.tsv --references 1 --unit cased")
    assert run.err == "gecval: note: 1 corrections are left out: their status is Rejected\n"
    assert "two corrections are equal if they have the same words, with case; punctuation does not count" in run.out


def test_whether_rare_corrections_are_valid(gecval, crowd: Path, folder: Path, refused) -> None:
    answers = ["He goes home .\tYes", "he goes home\tNo", "he went home\tyes", "he go to home\tno"]
    lines = ["source\tcorrection\tanswer", *(f"he go home\t{answer}" for answer in answers)]
    (folder / "valid.tsv").write_text("\n".join(lines))
    listed = gecval("coverage crowd.tsv --validity valid.tsv --format json").json["validity"]
    shown = [
        (row["least"], row["most"], row["corrections"], row["answers"], row["yes"], row["share"]) for row in listed
    ]
    assert shown == [(1, 1, 1, 1, 1, 1.0), (2, 2, 1, 2, 1, 0.5), (None, None, 3, 4, 2, 0.5)]
    assert " 1 person " in gecval("coverage crowd.tsv --validity valid.tsv").out
    (folder / "valid.tsv").write_text("source\tcorrection\tanswer\nhe go home\the goes\tmaybe\n")
    assert refused("coverage crowd.tsv --validity valid.tsv") == (
        "valid.tsv: line 2: the answer is yes or no, not 'maybe'"
    )
    (folder / "valid.tsv").write_text("source\tcorrection\tanswer\nOther\the goes\tyes\n")
    assert refused("coverage crowd.tsv --validity valid.tsv") == (
        "the judgements are on other sentences than the corrections (option --validity)"
    )
    (folder / "valid.tsv").write_text("\n".join([*lines, "Other\the goes\tyes"]))
    run = gecval("coverage crowd.tsv --validity valid.tsv")
    assert run.err == "gecval: note: 1 answers are left out: they are on other sentences\n"


@pytest.mark.usefixtures("data")
def test_rare_corrections_of_the_paper_are_as_valid_as_others(gecval, data: Path) -> None:
    """The paper: 78 % of the rarest are called valid; 2,568 of all 3,264 answers are yes."""
    folder = data / "ibgec"
    options = ["--references", "1", "--format", "json", "--validity", folder / "validity_judgements.tsv"]
    listed = gecval("coverage", folder / "gec_corrections.tsv", *options).json["validity"]
    rarest, everything = listed[0], listed[-1]
    assert (everything["yes"], everything["answers"]) == (2568, 3264)
    assert (rarest["yes"], rarest["answers"], round(rarest["share"], 2)) == (2037, 2610, 0.78)


def test_dropping_may_leave_one_sentence(gecval, crowd: Path) -> None:
    with crowd.open("a") as table:
        table.writelines(["they is\tthey is\n", "they is\tthey are\n"])
    dropped = gecval("coverage crowd.tsv --drop-unchanged 1 --references 2 --format json")
    assert dropped.json["sentences"] == 2
    assert dropped.err == "gecval: note: 1 of 3 sentences are left out: 1 person or more left them unchanged\n"
    crowd.write_text("".join(f"{line}\n" for line in [*TABLE[:5], "they is\tthey is", "they is\tthey are"]))
    single = gecval("coverage crowd.tsv --drop-unchanged 1 --references 2 --format json").json
    assert (single["sentences"], [row["interval"] for row in single["curve"]]) == (1, [None, None])


def test_once_draws_each_correction_once(gecval, crowd: Path) -> None:
    line = "coverage crowd.tsv -m accuracy --references 3 --sentences 200 --correct 0 --format json"
    again, once = gecval(line).json, gecval(f"{line} --once").json
    assert (again["test_set"]["replacement"], once["test_set"]["replacement"]) == (True, False)
    assert once["scores"][2]["score"] < again["scores"][2]["score"]  # a system met its own output as a reference


def test_histograms(gecval, folder: Path) -> None:
    (folder / "hist.txt").write_text("frequency\t# of variants\n0.5\t1\n0.25\t2\n")
    crowd = gecval("coverage hist.txt --references 2 --format json").json
    assert [row["variants"] for row in crowd["thresholds"]] == [3, 3, 3, 3]
    assert [row["with_replacement"] for row in crowd["curve"]] == pytest.approx([0.375, 0.59375])


def test_own_references(gecval, folder: Path) -> None:
    options = "-m gleu --alpha 0.5 --resamples 20 --level 0.9"
    covered = gecval(f"coverage good.txt copy.txt {TEXTS} {options} --format json").json
    assert covered["schema"] == "gecval.reference-coverage/1"
    assert (covered["references"], covered["alpha"], covered["level"]) == (2, 0.5, 0.9)
    assert [row["system"] for row in covered["true_scores"]] == ["good", "copy"]
    assert all(row["true_accuracy"] >= row["accuracy"] for row in covered["true_scores"])
    assert [(row["system"], row["metric"], row["interval"]) for row in covered["people"]] == [
        ("good", "gleu", None),
        ("copy", "gleu", None),
    ]
    surer = gecval(f"coverage good.txt copy.txt {TEXTS} {options} --ci --format json").json
    assert all(row["interval"] and row["people_interval"] for row in surer["people"])
    assert gecval(f"coverage {TEXTS}").out.startswith(
        "These references hold about 75% of the valid corrections. Add at least 1 to "
    )


def test_people_are_scored_by_edits_found_in_texts(gecval, folder: Path) -> None:
    from_text = gecval(f"coverage good.txt {TEXTS} -m m2 --edits plain --format json").json
    assert gecval("annotate src.txt ref0.txt ref1.txt --edits plain -o plain.m2").status == 0
    from_m2 = gecval("coverage good.txt -r plain.m2 -m m2 --format json").json
    [row], [same] = from_text["people"], from_m2["people"]
    assert (row["metric"], row["score"], row["people"]) == ("m2", same["score"], same["people"])


@pytest.mark.parametrize(
    "line",
    [
        "coverage crowd.tsv -m gleu --sentences 40 --correct 4 --references 3",
        f"coverage good.txt copy.txt {TEXTS} -m gleu --ci --resamples 20",
    ],
)
def test_plots(gecval, crowd: Path, line: str) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    assert gecval(f"{line} --plot figure.svg").status == 0
    assert Path("figure.svg").read_text().startswith("<svg")


def test_refusals(answered, crowd: Path, folder: Path, matches_transcript) -> None:
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
    matches_transcript("refusals/coverage.txt", answered)


def test_options_of_draws_that_few_sentences_do_not_take(gecval, answered, refused, folder: Path) -> None:
    """From 5 to 199 sentences intervals are studentised."""
    rows = [f"he go home {n}\the goes home {n}\n" for n in range(6) for _ in range(3)]
    (folder / "many.tsv").write_text("source\tcorrection\n" + "".join(rows))
    assert answered("coverage many.tsv --seed 3 --resamples 9") == (
        "note: --resamples and --seed change nothing with so few sentences: studentised intervals take no resamples"
    )
    assert gecval("coverage many.tsv --seed 3 --resamples 9 --interval-method percentile").status == 0
