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


UKRAINIAN_GOLD = """S Він пішов до дома і не прийшов .
A 2 4|||G/Case|||додому|||REQUIRED|||-NONE-|||0
A 4 4|||Punctuation|||,|||REQUIRED|||-NONE-|||0

S Це дуже добре що ти є .
A 3 3|||Punctuation|||,|||REQUIRED|||-NONE-|||0

"""
# The same text as gold's first sentence, in other edits: no extractor would cut it so.
UKRAINIAN_MINE = """S Він пішов до дома і не прийшов .
A 2 4|||G/Case|||додому|||REQUIRED|||-NONE-|||0
A 4 5|||Punctuation|||, і|||REQUIRED|||-NONE-|||0

S Це дуже добре що ти є .
A 3 3|||Punctuation|||,|||REQUIRED|||-NONE-|||0
A 5 6|||F/Style|||був|||REQUIRED|||-NONE-|||0

"""


@pytest.fixture
def ukrainian(folder):
    (folder / "gold.m2").write_text(UKRAINIAN_GOLD)
    (folder / "mine.m2").write_text(UKRAINIAN_MINE)
    (folder / "same.m2").write_text(UKRAINIAN_GOLD)
    return folder


def test_a_report_shows_given_edits_in_any_language(gecval, ukrainian):
    assert gecval("report mine.m2 same.m2 -r gold.m2 -o page.html --resamples 20").status == 0
    result = gecval("report mine.m2 same.m2 -r gold.m2 -o page.json --resamples 20")
    assert result.status == 0
    page = json.loads((ukrainian / "page.json").read_text())
    assert page["metrics"] == ["m2", "errant", "gleu"]
    [mine] = [row for row in page["scores"] if (row["system"], row["metric"]) == ("mine", "errant")]
    assert (mine["parts"]["tp"], mine["parts"]["fp"], mine["parts"]["fn"]) == (2, 2, 1)
    assert "|hypotheses:given|" in mine["signature"]
    types = {(row["system"], row["type"]): row for row in page["types"]}
    # The replaced word of the first sentence stands next to gold's comma, and shares no word with it.
    counts = [types["mine", "Punctuation"][name] for name in ("right", "wrong", "missed", "unneeded")]
    assert counts == [1, 0, 1, 1]
    assert types["mine", "F/Style"]["unneeded"] == 1
    noted = gecval("report mine.m2 -r gold.m2 -o page.json --edits plain")
    assert noted.status == 0
    assert "note: --edits changes nothing with outputs and references that bring their edits\n" in noted.err


def test_explain_shares_the_gain_among_given_edits(gecval, ukrainian):
    status, out, _ = gecval("explain mine.m2 -r gold.m2 -m errant --format json")
    explained = json.loads(out)
    first, second = explained["sentences"]
    assert status == 0
    assert [(e["start"], e["end"], e["correction"]) for e in first["edits"]] == [(2, 4, "додому"), (4, 5, ", і")]
    assert [(e["start"], e["end"], e["type"]) for e in second["edits"]] == [(3, 3, "Punctuation"), (5, 6, "F/Style")]
    # tp 1, fp 1, fn 1 of the first sentence: F0.5 = 0.5, and what its wrong edit costs.
    assert (first["score"], first["edits"][0]["value"] > 0 > first["edits"][1]["value"]) == (0.5, True)
    assert "|hypotheses:given|" in explained["signatures"][0]
    assert explained["signatures"][0].endswith("|edits:given")
    assert not any("found by" in note for note in explained["notes"])
    _, out, _ = gecval("explain mine.m2 -r gold.m2 -m m2 --edits plain --format json")
    found = json.loads(out)
    assert [(e["start"], e["end"]) for e in found["sentences"][0]["edits"]] == [(2, 3), (3, 4)]
    assert found["signatures"][0].endswith("|edits:plain")
    refused = gecval("explain mine.m2 -r gold.m2 -m errant --edits errant")
    assert refused.status == 2
    assert "errant judges English only" in refused.err


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
