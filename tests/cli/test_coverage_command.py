"""gecval coverage and gecval undercorrection as typed, and what they refuse."""

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


def tables(out: str) -> list[dict]:
    return json.loads(out)["tables"]


def test_corrections_give_variants_coverage_and_scores(gecval, crowd: Path) -> None:
    status, out, err = gecval(
        "coverage crowd.tsv -m m2 -m accuracy --sentences 50 --correct 5 --references 3 --format json"
    )
    assert (status, err) == (0, "")
    variants, curve = tables(out)
    assert [row["frequency at least"] for row in variants["rows"]] == [0, 0.001, 0.01, 0.1]
    assert [row["references"] for row in curve["rows"]] == [1, 2, 3]
    assert all(0 < row["coverage"] < 1 for row in curve["rows"])
    assert all(row["hidden"] == pytest.approx(1 - row["observed"]) for row in curve["rows"])
    assert all(0 <= row["m2"] <= 1 and row["accuracy interval"] for row in curve["rows"])


def test_units_and_dropping(gecval, crowd: Path) -> None:
    exact, index = (
        tables(gecval(f"coverage crowd.tsv --unit {unit} --format json").out) for unit in ("exact", "index")
    )
    assert exact[1]["rows"][0]["coverage"] < index[1]["rows"][0]["coverage"]


def test_histograms(gecval, folder: Path) -> None:
    (folder / "hist.txt").write_text("frequency\t# of variants\n0.5\t1\n0.25\t2\n")
    variants, curve = tables(gecval("coverage hist.txt --references 2 --format json").out)
    assert [row["variants"] for row in variants["rows"]] == [3, 3, 3, 3]
    assert [row["coverage"] for row in curve["rows"]] == pytest.approx([0.375, 0.59375])


def test_own_references(gecval, folder: Path) -> None:
    status, out, _ = gecval(f"coverage good.txt copy.txt {TEXTS} -m gleu --alpha 0.5 --resamples 20 --format json")
    assert status == 0
    covered, true, people = tables(out)
    assert covered["title"] == "2 references a sentence"
    assert [row["system"] for row in true["rows"]] == ["good", "copy"]
    assert all(row["true accuracy"] >= row["accuracy"] for row in true["rows"])
    assert {row["metric"] for row in people["rows"]} == {"gleu"}
    assert gecval(f"coverage {TEXTS}").status == 0


def test_people_are_scored_by_edits_found_in_texts(gecval, folder: Path) -> None:
    [_, _, from_text] = tables(gecval(f"coverage good.txt {TEXTS} -m m2 --edits plain --format json").out)
    assert gecval("annotate src.txt ref0.txt ref1.txt --plain -o plain.m2").status == 0
    [_, _, from_m2] = tables(gecval("coverage good.txt -r plain.m2 -m m2 --format json").out)
    assert from_text["rows"] == from_m2["rows"]
    assert from_text["rows"][0]["metric"] == "m2"


def test_under_correction(gecval, folder: Path) -> None:
    [table] = tables(gecval("undercorrection good.txt wild.txt -r gold.m2 --format json").out)
    assert [row["corrector"] for row in table["rows"]] == ["(reference)", "good", "wild"]
    assert [sum(row[f"{k}"] for k in [*range(10), "10+"]) for row in table["rows"]] == [4, 4, 4]
    _, types = tables(gecval("undercorrection good.txt -r gold.m2 --types plain --format json").out)
    assert {row["type"] for row in types["rows"]} <= {"M", "R", "U"}


def test_reranking(gecval, folder: Path) -> None:
    line = f"undercorrection good.txt wild.txt copy.txt {TEXTS} --rerank max-sari --repetitions 3 --format json"
    [table] = tables(gecval(line).out)
    assert [row["references"] for row in table["rows"]] == [1, 2]


def test_reranking_finds_the_edits_it_needs(gecval, folder: Path) -> None:
    outputs = "undercorrection good.txt wild.txt copy.txt"
    from_text = gecval(f"{outputs} {TEXTS} --rerank m2 --edits plain --format json")
    assert gecval("annotate src.txt ref0.txt ref1.txt --plain -o plain.m2").status == 0
    assert from_text.out == gecval(f"{outputs} -r plain.m2 --rerank m2 --format json").out
    assert from_text.status == 0


@pytest.mark.parametrize(
    "line",
    [
        "coverage crowd.tsv -m gleu --sentences 40 --correct 4 --references 3",
        f"coverage good.txt copy.txt {TEXTS} -m gleu --confidence --resamples 20",
        "undercorrection good.txt wild.txt -r gold.m2",
        f"undercorrection good.txt wild.txt {TEXTS} --rerank sari --repetitions 2",
    ],
)
def test_plots(gecval, crowd: Path, line: str) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    assert gecval(f"{line} --plot figure.svg").status == 0
    assert Path("figure.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("coverage", "give a table of corrections, or your own references with -r"),
        ("coverage nothing.tsv", "nothing.tsv: no such file"),
        ("coverage src.txt", "src.txt: line 1 names no column source or sentence; the columns are separated by tabs"),
        ("coverage empty.tsv", "empty.tsv is empty"),
        ("coverage wide.tsv", "wide.tsv: line 2 has 3 columns, the header 2"),
        ("coverage single.tsv", "'b' has one correction; the unseen needs two or more a sentence"),
        ("coverage negative.txt", "negative.txt: line 2: -2 is no number of variants"),
        ("coverage half.txt", "half.txt: line 2 is not a frequency, a tab and a number of variants"),
        ("coverage hist.txt -m gleu", "a histogram has no texts to score; give the table of corrections instead"),
        (
            "coverage crowd.tsv -m gleu --once --references 4",
            "'he go home' has 4 corrections, too few for 4 references and one output; take fewer references, "
            "or draw with replacement",
        ),
        ("coverage crowd.tsv -m gleu --sentences 5 --correct 5", "5 correct sentences do not fit into 5"),
        (
            "coverage crowd.tsv --drop-unchanged 1 --plot x.doc",
            "x.doc: a plot is saved as .svg, .png, .pdf, .html, .json",
        ),
        ("coverage crowd.tsv -m sarri", "there is no metric 'sarri'; did you mean sari?"),
        (
            "coverage good.txt -s src.txt -r ref0.txt",
            "coverage needs two references or more for every sentence; sentence 1 has 1 (where an .m2 file leaves out "
            "annotators who agree: --missing-annotator agreed)",
        ),
        (
            "coverage -r gold.m2",
            "coverage needs two references or more for every sentence; sentence 3 has 1 (where an .m2 file leaves out "
            "annotators who agree: --missing-annotator agreed)",
        ),
        (
            f"coverage {TEXTS} --plot x.svg",
            "with -r, --plot draws systems beside people under one metric: give one with -m",
        ),
        (
            f"coverage {TEXTS} -m gleu --plot x.svg",
            "with -r, -m sets systems beside people: give the systems' outputs",
        ),
        (f"coverage good.txt {TEXTS} -m gleu -m gleu", "the metric gleu is asked for twice"),
        ("undercorrection good.txt -s src.txt", "there is no annotator 0 for sentence 1, which has 0 references"),
        (
            "undercorrection good.txt -r gold.m2 --annotator 1",
            "there is no annotator 1 for sentence 3, which has 1 references",
        ),
        (
            f"undercorrection good.txt {TEXTS} --rerank sari",
            "re-ranking needs a list: give two outputs or more for the same sentences",
        ),
        ("undercorrection good.txt wild.txt -s src.txt --rerank sari", "sari needs references (option -r)"),
    ],
)
def test_refuses(refused, crowd: Path, folder: Path, line: str, message: str) -> None:
    for name, text in {
        "empty.tsv": "",
        "wide.tsv": "source\tcorrection\na\tb\tc\n",
        "single.tsv": "source\tcorrection\na\tx\na\ty\nb\tz\n",
        "negative.txt": "frequency\tvariants\n0.5\t-2\n",
        "half.txt": "frequency\tvariants\n0.5\n",
        "hist.txt": "frequency\tvariants\n0.5\t2\n",
    }.items():
        (folder / name).write_text(text)
    assert refused(line) == message
