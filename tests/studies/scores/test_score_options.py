"""gecval score and compare: how numbers are written, rankings, types of errors, plots; and what is refused."""

from __future__ import annotations

import csv
import io
import json
import struct

import pytest

SCORE = "score good.txt copy.txt wild.txt -r gold.m2"
COMPARE = "compare copy.txt good.txt wild.txt -r gold.m2"


@pytest.fixture(autouse=True)
def _folder(folder):
    """All commands run among the small files."""


def cells(result) -> list[list[str]]:
    assert result.status == 0, result.err
    lines = [line for line in result.out.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


class TestNumbers:
    def test_csv(self, gecval, folder):
        result = gecval(f"{SCORE} -m m2 --format csv")
        assert result.out.count("\r\n") == result.out.count("\n") == 4
        rows = list(csv.DictReader(io.StringIO(result.out, newline="")))
        tabs = list(csv.DictReader(gecval(f"{SCORE} -m m2 --format tsv").out.splitlines(), delimiter="\t"))
        assert rows == tabs
        assert gecval(f"{SCORE} -m m2 --format csv -o out.csv").status == 0
        assert (folder / "out.csv").read_bytes().decode() == result.out

    def test_p_values_are_never_zero(self, gecval, folder):
        sentences = [f"w{i} x ." for i in range(40)]
        for name, right in (("a", 0), ("b", 40)):
            lines = [f"w{i} y ." if i < right else sentence for i, sentence in enumerate(sentences)]
            (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
        (folder / "s.txt").write_text("".join(f"{line}\n" for line in sentences))
        command = "compare a.txt b.txt -s s.txt -r b.txt -m accuracy --resamples 5000"
        assert cells(gecval(f"{command} --format markdown"))[2][-2:] == ["[1.0000, 1.0000]", "< 0.001"]
        [row] = csv.DictReader(gecval(f"{command} --format tsv").out.splitlines(), delimiter="\t")
        assert float(row["p"]) == pytest.approx(1 / 100_001)
        assert [float(row[name]) for name in ("difference low", "difference high", "level")] == [1, 1, 0.95]


class TestRankings:
    def test_all_pairs(self, gecval):
        printed = gecval(f"{COMPARE} -m accuracy --all-pairs --format json").json
        assert printed["schema"] == "gecval.all-pairs/1"
        assert printed["correction"] == "holm"
        assert [(pair["system"], pair["baseline"]) for pair in printed["comparisons"]] == [
            ("good", "copy"),
            ("good", "wild"),
            ("copy", "wild"),
        ]
        assert [score["system"] for score in printed["scores"]] == ["good", "copy", "wild"]

    def test_correction(self, gecval):
        plain, holm = (
            gecval(f"{COMPARE} -m ld --correction {name} --format json").json["comparisons"]
            for name in ("none", "holm")
        )
        least = min(pair["p"] for pair in plain)
        assert min(pair["p"] for pair in holm) == min(1, 2 * least)
        assert "p holm" in gecval(f"{COMPARE} -m ld --correction holm").out
        assert "p holm" not in gecval(f"{COMPARE} -m ld").out


class TestPlots:
    @pytest.fixture(autouse=True)
    def _altair(self):
        pytest.importorskip("vl_convert", reason="needs the extra [report]")

    def width(self, path) -> int:
        return struct.unpack(">I", path.read_bytes()[16:20])[0]

    def test_scores(self, gecval, folder):
        assert gecval(f"{SCORE} -m m2 -m gleu --ci --plot scores.png").status == 0
        assert gecval(f"{SCORE} -m m2 -m gleu --ci --plot small.png --plot-size 1").status == 0
        assert self.width(folder / "scores.png") > 900
        assert self.width(folder / "scores.png") == pytest.approx(2 * self.width(folder / "small.png"), abs=2)
        assert gecval(f"{SCORE} -m m2 --plot scores.json").status == 0
        drawn = json.loads((folder / "scores.json").read_text())
        assert drawn["title"]["text"] == ["Scores of 3 systems"]
        assert [panel["title"]["text"] for panel in drawn["hconcat"]] == ["M²"]

    def test_differences(self, gecval, folder):
        assert gecval(f"{COMPARE} -m m2 --plot pairs.json").status == 0
        [panel] = json.loads((folder / "pairs.json").read_text())["vconcat"]
        assert panel["title"]["text"] == "M²"


class TestLines:
    def test_a_line_for_each_score(self, gecval):
        lines = [json.loads(line) for line in gecval(f"{SCORE} -m m2 -m ld --format jsonl").out.splitlines()]
        assert lines == gecval(f"{SCORE} -m m2 -m ld --format json").json["scores"]


def test_what_is_printed(printed, matches_transcript):
    matches_transcript("transcripts/scores.txt", printed)


def test_scores_by_type_as_printed(printed, matches_transcript):
    pytest.importorskip("errant", reason="needs the extra [errant]")
    matches_transcript("transcripts/scores_by_type.txt", printed)


def test_refusals(answered, matches_transcript):
    matches_transcript("refusals/score_options.txt", answered)
