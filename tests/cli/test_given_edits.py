"""Outputs in M2, lenient reading and MultiGEC's preset, as typed."""

from __future__ import annotations

import json

import pytest

from ways import write_small_files

BAD = "S He go home .\nA 1 9|||R|||x|||REQUIRED|||-NONE-|||0\nA 1 2|||R|||goes|||REQUIRED|||-NONE-|||0\n\n"


@pytest.fixture
def small(folder):
    write_small_files(folder)
    return folder


def test_an_m2_file_is_scored_as_errant_compare_does(gecval, folder):
    (folder / "ref.m2").write_text(
        "S a b c\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||0\nA 2 3|||U||||||REQUIRED|||-NONE-|||0\n\n"
    )
    (folder / "hyp.m2").write_text(
        "S a b c\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||0\nA 1 2|||R|||y|||REQUIRED|||-NONE-|||0\n\n"
    )
    status, out, _ = gecval("score hyp.m2 -r ref.m2 -m errant --format json")
    [row] = json.loads(out)["scores"]
    assert (status, row["system"], row["score"]) == (0, "hyp", 0.5)
    assert row["parts"] == {"precision": 0.5, "recall": 0.5, "tp": 1, "fp": 1, "fn": 1}
    status, out, _ = gecval("compare hyp.m2 other.m2 -r ref.m2 -m errant --format json")
    assert status == 2
    (folder / "other.m2").write_text("S a b c\n\n")
    assert gecval("compare hyp.m2 other.m2 -r ref.m2 -m errant --resamples 20 --format json").status == 0


def test_lenient_reading_of_references_and_outputs(gecval, folder):
    (folder / "bad.m2").write_text(BAD)
    (folder / "hyp.m2").write_text(BAD)
    status, out, err = gecval("score hyp.m2 -r bad.m2 -m errant")
    assert (status, out) == (2, "")
    assert err == "gecval: bad.m2: line 2: edit 1 9 is out of range; the sentence has 4 tokens (option --lenient)\n"
    status, out, err = gecval("score hyp.m2 -r bad.m2 -m errant --lenient --format tsv")
    assert (status, out.split("\n")[1].split("\t")[2]) == (0, "1.0")
    assert [line for line in err.split("\n") if "dropped" in line] == [
        "gecval: note: hyp.m2: dropped 1: edits out of range (line 2)",
        "gecval: note: bad.m2: dropped 1: edits out of range (line 2)",
    ]
    assert gecval("convert bad.m2 -o texts").status == 2
    assert gecval("convert bad.m2 -o texts --lenient").status == 0
    assert (folder / "texts/reference-0.txt").read_text() == "He goes home .\n"


def test_multigecs_preset(gecval, small):
    status, out, err = gecval("score mine.md -s orig.md -r first.md -r second.md --preset multigec --format json")
    assert status == 0
    gleu, errant = json.loads(out)["scores"]
    assert (gleu["metric"], errant["metric"]) == ("gleu", "errant(model='multigec')")
    assert "second.md lacks 1 essay (c); the token ! stands for them, as in MultiGEC's code" in err
    typed = "score mine.md -s orig.md -r first.md -r second.md -m gleu --format json"
    [alone] = json.loads(gecval(f"{typed} --missing-annotator placeholder").out)["scores"]
    assert alone["score"] == gleu["score"]
    [absent] = json.loads(gecval(f"{typed} --preset multigec --missing-annotator absent").out)["scores"]
    assert absent["score"] > gleu["score"]
    assert gecval("score good.txt -r gold.m2 --preset multigec").err == (
        "gecval: the preset multigec scores essays; give the source and all others as .md files\n"
    )
