"""gecval maege as typed."""

import json

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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("-m m2", "m2 needs edits from each sampled source: choose how to find them with --edits"),
        ("-m ld --models 1,x", "--models takes numbers separated by commas, not '1,x'"),
        ("-m ld --models 1,2", "--models needs three numbers or more, none below 0"),
        ("-m ld --plot types t.doc", "t.doc: a plot is saved as .svg, .png, .pdf, .html, .json"),
    ],
)
def test_refusals(gecval, learners, options, message):
    status, out, err = gecval(f"maege learners.m2 -r learners.m2 {options}")
    assert (status, out, err) == (2, "", f"gecval: {message}\n")
