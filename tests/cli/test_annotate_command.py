"""From text to edits and to scores, as typed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SOURCE = "He go to home .\nالولد يلعب في البيت .\n彼 は 学校 に 行く 。\nFine .\n"
CORRECTED = "He goes home .\nالولد لعب في البيت .\n彼 は 学校 へ 行く 。\nFine .\n"


@pytest.fixture
def texts(folder):
    (folder / "s.txt").write_text(SOURCE, encoding="utf-8")
    (folder / "c.txt").write_text(CORRECTED, encoding="utf-8")
    return folder


def test_plain_edits_in_three_scripts(gecval, texts):
    assert gecval("annotate s.txt c.txt -o e.m2 --edits plain")[0] == 0
    assert (texts / "e.m2").read_text(encoding="utf-8").splitlines() == [
        "S He go to home .",
        "A 1 2|||R|||goes|||REQUIRED|||-NONE-|||0",
        "A 2 3|||U||||||REQUIRED|||-NONE-|||0",
        "",
        "S الولد يلعب في البيت .",
        "A 1 2|||R|||لعب|||REQUIRED|||-NONE-|||0",
        "",
        "S 彼 は 学校 に 行く 。",
        "A 3 4|||R|||へ|||REQUIRED|||-NONE-|||0",
        "",
        "S Fine .",
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0",
        "",
    ]


def test_m2_from_text_in_one_step(gecval, texts):
    status, out, _ = gecval("score c.txt -s s.txt -r c.txt -m m2 --edits plain --format json")
    [score] = json.loads(out)["scores"]
    assert (status, score["score"]) == (0, 1.0)
    assert (score["parts"]["correct"], score["parts"]["gold"]) == (4, 4)
    assert "plain" in score["signature"]


def test_the_score_is_that_of_the_written_edits(gecval, texts):
    (texts / "h.txt").write_text(SOURCE.replace("go to", "goes to"), encoding="utf-8")
    gecval("annotate s.txt c.txt -o e.m2 --edits plain")
    direct, written = (
        json.loads(gecval(f"score h.txt {rest} --format json")[1])["scores"][0]["parts"]
        for rest in ("-s s.txt -r c.txt -m m2 --edits plain", "-r e.m2 -m m2")
    )
    assert direct == written
    assert direct["correct"] == 1


def test_errant_types(gecval, texts):
    pytest.importorskip("errant", reason="needs the extra [errant]")
    (texts / "s.txt").write_text("She like tea .\n")
    (texts / "c.txt").write_text("She likes tea .\n")
    assert gecval("annotate s.txt c.txt -o e.m2")[0] == 0
    assert (texts / "e.m2").read_text().splitlines()[1] == "A 1 2|||R:VERB:SVA|||likes|||REQUIRED|||-NONE-|||0"
    status, out, _ = gecval("score c.txt -s s.txt -r c.txt -m errant --by-type --detail full --format tsv")
    assert status == 0
    assert "c\tR:VERB:SVA\t1\t0\t0\t1.0\t1.0\t1.0" in out.splitlines()


def test_a_corrected_text_of_another_length(gecval, texts):
    (texts / "short.txt").write_text("He goes home .\n", encoding="utf-8")
    status, out, err = gecval("annotate s.txt short.txt -o e.m2 --edits plain")
    assert (status, out) == (2, "")
    assert err == "gecval: short.txt has 1 lines, s.txt 4; they part after line 1\n"
    assert not (texts / "e.m2").exists()


def test_notes_of_the_corpus_are_told(gecval, texts):
    (texts / "s.txt").write_text("a b c\n")
    lines = ["S a b c", "A 0 2|||R|||x|||REQUIRED|||-NONE-|||0", "A 1 3|||R|||y|||REQUIRED|||-NONE-|||0", "", ""]
    (texts / "gold.m2").write_text("\n".join(lines))
    result = gecval("annotate s.txt gold.m2 -o e.m2 --edits plain")
    assert (result.status, result.out) == (0, "")
    assert result.err == "gecval: note: gold.m2: 1 annotations have overlapping edits; their text may be garbled\n"


# Grammaticality as typed: scores and, by category, counts.


Gecval = Callable[..., Any]
METRIC = 'gecval.metrics.grammaticality:Grammaticality(checker="counts.tsv")'


pytestmark = pytest.mark.usefixtures("folder")


def test_counts_made_elsewhere(gecval: Gecval) -> None:
    lines = zip((2, 1, 0, 2), Path("src.txt").read_text("utf-8").splitlines(), strict=True)
    Path("counts.tsv").write_text("".join(f"{count}\t{line}\n" for count, line in lines), "utf-8")
    scored = json.loads(gecval(f"score copy.txt -s src.txt -m '{METRIC}' --format json").out)["scores"][0]
    assert scored["parts"] == {"errors": 5, "tokens": 16}
    assert scored["score"] == 1 - 5 / 16
    assert gecval(f"score copy.txt -s src.txt -m '{METRIC}' --by-type --format tsv").out.split() == [
        *("category", "copy"),
        *("counted", "5"),
    ]


def test_a_sentence_without_a_count_is_named(gecval: Gecval) -> None:
    Path("counts.tsv").write_text("0\tFine .\n", "utf-8")
    refused = gecval(f"score copy.txt -s src.txt -m '{METRIC}'")
    assert refused.status == 2
    assert refused.err == "gecval: counts.tsv has no count for 'He go to home.'\n"
