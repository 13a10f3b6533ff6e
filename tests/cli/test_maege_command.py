"""gecval maege as typed."""

import json

import numpy as np
import pytest

from gecval.sample import load_sample


@pytest.fixture
def learners(folder):
    from importlib.resources import files

    (folder / "learners.m2").write_text((files("gecval") / "sample" / "learners.m2").read_text())
    return folder


def test_tables(gecval, learners):
    run = "maege learners.m2 -r learners.m2 -m gleu -m ld --replicates 3 --by-type --format json"
    status, out, err = gecval(run)
    assert (status, err) == (0, "")
    agreement, against, types = json.loads(out)["tables"]
    assert {row["metric"] for row in agreement["rows"]} == {"gleu", "ld"}
    for row in agreement["rows"]:
        for figure in ("corpus ρ", "corpus r", "sentence τ", "sentence r"):
            low, high = row[f"{figure} 95%"]
            assert -1 <= low <= row[figure] <= high <= 1
    assert [row["figure"] for row in against["rows"]] == ["corpus ρ", "sentence τ"]
    assert {"R:SPELL", "M:DET"} <= {row["type"] for row in types["rows"]}
    assert gecval(run)[1] == out  # the same seed, the same figures


def test_options_change_what_they_say(gecval, learners):
    run = "maege learners.m2 -r learners.m2 -m ld --format json"
    default, original, kept = (
        json.loads(gecval(f"{run} {option}")[1])["tables"][0]
        for option in ("", "--source original", "--keep-unchanged")
    )
    assert original["rows"][0]["sentence τ"] < -0.8 < default["rows"][0]["sentence τ"]
    edited = sum(all(one.edits for one in references) for references in load_sample()[0].references)
    assert f"of {edited} sentences" in default["notes"][0]
    assert f"of {edited} sentences" not in kept["notes"][0]


def test_plots(gecval, learners):
    pytest.importorskip("vl_convert", reason="needs the extra [report]")
    plots = " ".join(f"--plot {kind} {kind}.svg" for kind in ("types", "corpora", "originals", "lattice"))
    assert gecval(f"maege learners.m2 -r learners.m2 -m gleu {plots}")[0] == 0
    for kind, text in (("types", "R:SPELL"), ("corpora", "gleu"), ("originals", "gleu"), ("lattice", "edits applied")):
        assert text in (learners / f"{kind}.svg").read_text()


ADDED = "A 0 0|||M:PRON|||He|||REQUIRED|||-NONE-|||0"
CHANGED = "A 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0"
EMPTY = f"S \n{ADDED}\n\nS He go .\n{CHANGED}\n"


def test_an_empty_source_counts_as_one_token(gecval, folder):
    (folder / "empty.m2").write_text(EMPTY)
    status, out, err = gecval("maege empty.m2 -r empty.m2 -m accuracy --source original --format json")
    assert (status, err) == (0, "")
    (row,) = json.loads(out)["tables"][0]["rows"]
    # Accuracy is 0, 1 and 0, 1 on the way up; the linear scores are 1 - 1/1, 1 and 1 - 1/3, 1.
    assert row["sentence r"] == pytest.approx(np.corrcoef([0, 1, 0, 1], [0, 1, 2 / 3, 1])[0, 1])


def test_chains_need_the_annotators_that_a_preset_asks_for(gecval, folder):
    (folder / "empty.m2").write_text(EMPTY)
    status, out, err = gecval("maege empty.m2 -r empty.m2 -m accuracy --preset code")
    message = "no sentence is edited by 2 annotators: there are no chains to draw"
    assert (status, out, err) == (2, "", f"gecval: {message}\n")


def test_a_metric_without_human_correlation_is_left_out_of_the_plot(gecval, learners):
    pytest.importorskip("vl_convert", reason="needs the extra [report]")
    listed = [{"metric": "ld", "spearman": {"value": None}}, {"metric": "gleu", "spearman": {"value": 0.5}}]
    (learners / "human.json").write_text(json.dumps({"correlations": listed}))
    run = "maege learners.m2 -r learners.m2 -m gleu -m ld --human human.json --plot human human.json.svg"
    assert gecval(run)[0] == 0
    assert "gleu" in (learners / "human.json.svg").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("-m m2", "m2 needs edits from each sampled source: choose how to find them with --edits"),
        ("-m ld --models 1,x", "--models takes numbers separated by commas, not '1,x'"),
        ("-m ld --models 1,2", "--models needs three numbers or more, not 2"),
        ("-m ld --models ''", "--models takes numbers separated by commas, not ''"),
        ("-m ld --models nan,1,inf", "a model makes 0 to 1000000 edits on average, not nan"),
        ("-m ld --models 0,1,inf", "a model makes 0 to 1000000 edits on average, not inf"),
        ("-m ld --models 1,2,-1", "a model makes 0 to 1000000 edits on average, not -1.0"),
        ("-m ld --plot types t.doc", "t.doc: a plot is saved as .svg, .png, .pdf, .html, .json"),
    ],
)
def test_refusals(gecval, learners, options, message):
    status, out, err = gecval(f"maege learners.m2 -r learners.m2 {options}")
    assert (status, out, err) == (2, "", f"gecval: {message}\n")
