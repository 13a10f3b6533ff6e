"""gecval score and compare: how numbers are written, rankings, types of errors, plots; and what is refused."""

from __future__ import annotations

import csv
import io
import json
import struct

import pytest

SCORE = "score good.txt copy.txt wild.txt -r gold.m2"
COMPARE = "compare copy.txt good.txt wild.txt -r gold.m2"
TYPES = "-s src.txt -r ref0.txt -m errant --by-type"


@pytest.fixture(autouse=True)
def _folder(folder):
    """All commands run among the small files."""


def cells(result) -> list[list[str]]:
    assert result.status == 0, result.err
    lines = [line for line in result.out.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


class TestNumbers:
    def test_percent(self, gecval):
        result = gecval(f"{SCORE} -m m2 --percent --format markdown")
        assert cells(result)[2] == ["good", "100.00", "83.33", "5", "5", "6", "**96.15**"]
        assert "in percent: precision, recall, m2" in result.out

    def test_digits(self, gecval):
        assert cells(gecval(f"{SCORE} -m m2 --digits 1 --format markdown"))[2][-1] == "**1.0**"
        assert cells(gecval(f"{SCORE} -m m2 --digits 2 --percent --format markdown"))[2][-1] == "**96.15**"

    def test_compact(self, gecval):
        rows = cells(gecval(f"{SCORE} -m accuracy --confidence --compact --format markdown"))
        assert rows[0] == ["system", "accuracy"]
        assert rows[2][1].startswith("**0.7500 ± 0.")

    def test_programs_get_exact_numbers(self, refused):
        for style in ("json", "tsv", "csv"):
            assert refused(f"{SCORE} -m m2 --percent --format {style}") == (
                f"--percent is for people: --format {style} has exact numbers; leave --percent out"
            )
        assert refused(f"{COMPARE} -m m2 --digits 2 --format tsv").startswith("--digits is for people")
        assert refused(f"{COMPARE} -m m2 --compact --format csv").startswith("--compact is for people")

    def test_csv(self, gecval, folder):
        result = gecval(f"{SCORE} -m m2 --format csv")
        assert result.out.count("\r\n") == result.out.count("\n") == 4
        rows = list(csv.DictReader(io.StringIO(result.out, newline="")))
        tabs = list(csv.DictReader(gecval(f"{SCORE} -m m2 --format tsv").out.splitlines(), delimiter="\t"))
        assert rows == tabs
        assert gecval(f"{SCORE} -m m2 --format csv -o out.csv").status == 0
        assert (folder / "out.csv").read_bytes().decode() == result.out

    def test_parts_with_several_metrics(self, gecval):
        head = cells(gecval(f"{SCORE} -m m2 -m gleu --parts --format markdown"))[0]
        assert head == ["system", "m2 precision", "m2 recall", "m2 correct", "m2 proposed", "m2 gold", "m2", "gleu"]
        assert cells(gecval(f"{SCORE} -m m2 --no-parts --format markdown"))[0] == ["system", "m2"]

    def test_p_values_are_never_zero(self, gecval, folder):
        sentences = [f"w{i} x ." for i in range(40)]
        for name, right in (("a", 0), ("b", 40)):
            lines = [f"w{i} y ." if i < right else sentence for i, sentence in enumerate(sentences)]
            (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
        (folder / "s.txt").write_text("".join(f"{line}\n" for line in sentences))
        command = "compare a.txt b.txt -s s.txt -r b.txt -m accuracy --resamples 5000"
        assert cells(gecval(f"{command} --format markdown"))[2][-2:] == ["< 0.001", "< 0.001"]
        [row] = csv.DictReader(gecval(f"{command} --format tsv").out.splitlines(), delimiter="\t")
        assert float(row["p randomisation"]) == pytest.approx(1 / 5001)
        assert [float(row[name]) for name in ("difference low", "difference high", "level")] == [1, 1, 0.95]


class TestRankings:
    def test_clusters(self, gecval):
        rows = cells(gecval(f"{SCORE} -m accuracy --clusters --format markdown"))
        assert rows[0] == ["system", "accuracy", "95% interval", "ranks", "cluster"]
        assert [row[-2:] for row in rows[2:]] == [
            ["1-3", "1"],
            ["1-3", "1"],
            ["1-3", "1"],
        ]  # four sentences tell nothing

    def test_all_pairs(self, gecval):
        printed = json.loads(gecval(f"{COMPARE} -m accuracy --all-pairs --format json").out)
        assert printed["schema"] == "gecval.all-pairs/1"
        assert printed["correction"] == "holm"
        assert [(pair["system"], pair["baseline"]) for pair in printed["comparisons"]] == [
            ("good", "copy"),
            ("good", "wild"),
            ("copy", "wild"),
        ]
        assert [score["system"] for score in printed["scores"]] == ["good", "copy", "wild"]

    def test_all_pairs_as_tables(self, gecval):
        result = gecval(f"{COMPARE} -m accuracy -m ld --all-pairs")
        assert result.out.startswith("Ranking by accuracy\n")
        assert "\nRanking by ld\n" in result.out
        assert "\nEvery pair\n" in result.out
        header = next(line for line in gecval(f"{COMPARE} -m m2 --all-pairs").out.splitlines() if "system" in line)
        assert header.split() == ["system", "m2", "95%", "interval", "ranks", "cluster"]
        assert "p holm: the larger p, corrected for the number of comparisons under a metric" in result.out
        rows = list(
            csv.DictReader(gecval(f"{COMPARE} -m accuracy --all-pairs --format tsv").out.splitlines(), delimiter="\t")
        )
        assert [row["table"] for row in rows] == ["Ranking"] * 3 + ["Every pair"] * 3
        assert (rows[0]["best rank"], rows[0]["worst rank"], rows[0]["cluster"]) == ("1", "3", "1")

    def test_correction(self, gecval):
        plain, holm = (
            json.loads(gecval(f"{COMPARE} -m ld --correction {name} --format json").out)["comparisons"]
            for name in ("none", "holm")
        )
        assert max(pair["p"] for pair in holm) == min(1, 2 * min(pair["p"] for pair in plain))
        assert "p holm" in gecval(f"{COMPARE} -m ld --correction holm").out
        assert "p holm" not in gecval(f"{COMPARE} -m ld").out


class TestTypes:
    def test_systems_are_columns(self, gecval):
        rows = cells(gecval(f"score good.txt wild.txt {TYPES} --format markdown"))
        assert rows[0] == ["type", "good", "wild"]
        verb = next(row for row in rows if row[0] == "VERB:SVA")
        assert verb[1] == "**1.0000**"
        wide = cells(gecval(f"score good.txt wild.txt {TYPES} --parts --format markdown"))
        assert wide[0][:7] == ["type", "good tp", "good fp", "good fn", "good precision", "good recall", "good"]

    def test_recall_of_m2(self, gecval):
        columns = ["system", "type", "gold", "correct", "span", "overlap", "recall", "span recall", "overlap recall"]
        assert cells(gecval("score good.txt -r gold.m2 -m m2 --by-type --format markdown"))[0] == columns

    def test_intervals(self, gecval):
        head = cells(gecval(f"score good.txt wild.txt {TYPES} --confidence --level 0.9 --format markdown"))[0]
        assert head == ["type", "good", "good 90% interval", "wild", "wild 90% interval"]
        rows = csv.DictReader(
            gecval(f"score good.txt {TYPES} --confidence --format tsv").out.splitlines(), delimiter="\t"
        )
        for row in rows:
            assert float(row["low"]) <= float(row["F"]) <= float(row["high"])
            assert row["level"] == "0.95"

    def test_in_compare(self, gecval):
        printed = json.loads(gecval(f"compare copy.txt good.txt {TYPES} --format json").out)
        by_type = {pair["type"]: pair["difference"] for pair in printed["comparisons"]}
        assert by_type["VERB:SVA"] == 1
        head, *_ = cells(gecval(f"compare copy.txt good.txt {TYPES} --correction holm --format markdown"))
        assert head[:2] == ["metric", "type"]
        assert head[-1] == "p holm"


class TestPlots:
    @pytest.fixture(autouse=True)
    def _altair(self):
        pytest.importorskip("vl_convert", reason="needs the extra [report]")

    def width(self, path) -> int:
        return struct.unpack(">I", path.read_bytes()[16:20])[0]

    def test_scores(self, gecval, folder):
        assert gecval(f"{SCORE} -m m2 -m gleu --confidence --plot scores.png").status == 0
        assert gecval(f"{SCORE} -m m2 -m gleu --confidence --plot small.png --scale 1").status == 0
        assert self.width(folder / "scores.png") > 900
        assert self.width(folder / "scores.png") == pytest.approx(2 * self.width(folder / "small.png"), abs=2)
        assert gecval(f"{SCORE} -m m2 --plot scores.json").status == 0
        [panel] = json.loads((folder / "scores.json").read_text())["vconcat"]
        assert panel["title"]["text"] == "m2"

    def test_differences(self, gecval, folder):
        assert gecval(f"{COMPARE} -m m2 --plot pairs.json").status == 0
        [panel] = json.loads((folder / "pairs.json").read_text())["vconcat"]
        assert panel["title"]["text"] == "Differences of m2"

    def test_refusals(self, refused):
        assert refused(f"{SCORE} -m m2 --scale 3") == (
            "--scale sets the pixels of a .png: add --plot FILE.png, or leave --scale out"
        )
        assert refused(f"{SCORE} -m m2 --plot x.svg --scale 3").startswith("--scale sets the pixels of a .png")
        assert refused(f"{SCORE} -m m2 --plot x.bmp").startswith("x.bmp: a plot is saved as .svg, .png")


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (f"{SCORE} -m m2 --resamples 10", "--resamples"),
        (f"{SCORE} -m m2 --level 0.9", "--level"),
        (f"{SCORE} -m m2 --interval-method bca", "--interval-method"),
        (f"{SCORE} -m m2 --seed 2", "--seed"),
        (f"{SCORE} -m m2 --compact", "--compact"),
        (f"{SCORE} -m m2 --detail full", "--detail"),
        (f"{SCORE} -m m2 --sentences --confidence", "--confidence"),
        (f"{SCORE} -m m2 --sentences --clusters", "--clusters"),
        (f"{SCORE} -m m2 --sentences --parts", "--parts"),
        (f"{SCORE} -m m2 --parts --format json", "--parts"),
        (f"score good.txt {TYPES} --sentences", "--sentences"),
        (f"score good.txt {TYPES} --clusters", "--clusters"),
        (f"score good.txt {TYPES} --aggregate mean", "--aggregate"),
        (f"score good.txt {TYPES} --plot x.svg", "--plot"),
        (f"score good.txt {TYPES} --level 0.9", "--level"),
        ("score good.txt -s src.txt -m lt --by-type --confidence", "--confidence"),
        ("score good.txt -s src.txt -m lt --by-type --detail full", "--detail"),
        (f"{COMPARE} -m m2 --detail full", "--detail"),
        (f"compare copy.txt good.txt {TYPES} --all-pairs", "--all-pairs"),
        (f"compare copy.txt good.txt {TYPES} --aggregate mean", "--aggregate"),
    ],
)
def test_options_that_would_change_nothing_are_refused(refused, command, option):
    assert refused(command).startswith(f"{option} changes nothing with")


class TestLines:
    def test_sentences_with_texts_and_edits(self, gecval):
        lines = [json.loads(line) for line in gecval(f"{SCORE} -m m2 --sentences --format jsonl").out.splitlines()]
        assert [(line["sentence"], line["system"]) for line in lines[:5]] == [
            (1, "good"),
            (2, "good"),
            (3, "good"),
            (4, "good"),
            (1, "copy"),
        ]
        assert lines[0]["hypothesis"] == "He goes home ."
        assert [lines[0]["scores"]["m2"][name] for name in ("tp", "fp", "fn", "reference")] == [2, 0, 0, 1]

    def test_a_line_for_each_score(self, gecval):
        lines = [json.loads(line) for line in gecval(f"{SCORE} -m m2 -m ld --format jsonl").out.splitlines()]
        assert lines == json.loads(gecval(f"{SCORE} -m m2 -m ld --format json").out)["scores"]

    def test_refusals(self, refused):
        assert refused(f"{SCORE} -m m2 --sentences --format jsonl --confidence").startswith(
            "--confidence changes nothing"
        )
        assert refused(f"{SCORE} -m m2 --sentences --format jsonl --aggregate mean").startswith(
            "--aggregate changes nothing"
        )
