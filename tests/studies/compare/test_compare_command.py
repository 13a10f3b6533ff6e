"""gecval compare: paired tests as typed."""

from __future__ import annotations

import csv

import pytest

KEYS = {
    "metric", "baseline", "baseline_score", "system", "score", "difference", "interval", "level", "p_bootstrap",
    "p_randomisation", "p_studentised", "p", "test", "correction", "family", "type", "signature", "notes",
    "higher_is_better", "significant",
}  # fmt: skip


def comparisons(result) -> list[dict]:
    assert result.status == 0, result.err
    printed = result.json
    assert set(printed) == {"schema", "notes", "comparisons"}
    return printed["comparisons"]


@pytest.fixture
def conll(data):
    systems = data / "conll14" / "systems"
    reference = data / "conll14" / "official-2014.combined.m2"
    return lambda *names: [*(systems / name for name in names), "-r", reference]


def test_against_a_baseline(gecval, conll):
    pairs = comparisons(gecval("compare --format json --resamples 300 -m m2 -m gleu", *conll("AMU", "CAMB", "IPN")))
    assert [(pair["metric"], pair["baseline"], pair["system"]) for pair in pairs] == [
        ("m2", "AMU", "CAMB"),
        ("m2", "AMU", "IPN"),
        ("gleu", "AMU", "CAMB"),
        ("gleu", "AMU", "IPN"),
    ]
    for pair in pairs:
        assert set(pair) == KEYS
        assert pair["difference"] == pytest.approx(pair["score"] - pair["baseline_score"])
        assert pair["interval"][0] < pair["difference"] < pair["interval"][1]
        assert "|bca:0.95|resamples:300|seed:1|" in pair["signature"]
    camb, ipn = pairs[:2]
    assert round(camb["baseline_score"], 5) == 0.35007
    # CAMB is 2.3 points better, IPN far worse; no resample in 300 may do what IPN does by chance.
    assert camb["difference"] == pytest.approx(0.0233, abs=0.0002)
    assert ipn["p_bootstrap"] == ipn["p_randomisation"] == pytest.approx(1 / 301)
    assert ipn["p"] == ipn["p_studentised"] == pytest.approx(1 / 100_001)
    assert "|test:studentised|flips:100000|" in ipn["signature"]


def test_the_same_output_twice(gecval, folder):
    (folder / "again.txt").write_text((folder / "good.txt").read_text())
    for pair in comparisons(gecval("compare good.txt again.txt -r gold.m2 -m m2 -m gleu -m sari --format json")):
        assert pair["difference"] == 0
        assert pair["interval"] == [0, 0]
        assert pair["p_bootstrap"] == pair["p_randomisation"] == pair["p"] == 1


def test_turning_the_pair_round(gecval, conll):
    [there] = comparisons(gecval("compare --format json --resamples 200 -m sari", *conll("AMU", "CUUI")))
    [back] = comparisons(gecval("compare --format json --resamples 200 -m sari", *conll("CUUI", "AMU")))
    assert back["difference"] == -there["difference"]
    assert back["p_bootstrap"] == there["p_bootstrap"]
    assert back["p_randomisation"] == there["p_randomisation"]


def test_deterministic_for_a_seed(gecval, folder):
    command = "compare copy.txt good.txt wild.txt -r gold.m2 -m sari --format json"
    assert gecval(f"{command} --seed 3") == gecval(f"{command} --seed 3 --jobs 1")
    assert gecval(f"{command} --seed 3").out != gecval(f"{command} --seed 4").out


def test_mean_of_sentence_scores(gecval, folder):
    [pair] = comparisons(gecval("compare copy.txt good.txt -r gold.m2 -m m2 --aggregate mean --format json"))
    # Copying the source: right where nothing is wrong, and for annotator 1's noop in sentence 2.
    assert pair["baseline_score"] == pytest.approx(2 / 4)
    assert pair["score"] == pytest.approx((3 + 1.25 * 0.5 / 0.75) / 4)


def test_one_p_by_default_and_the_two_others_on_request(gecval, folder) -> None:
    command = "compare copy.txt good.txt -r gold.m2 -m m2"
    [single], [larger] = (comparisons(gecval(f"{command} --format json {how}")) for how in ("", "--test larger"))
    assert single["p"] == single["p_studentised"]
    assert larger["p"] == max(larger["p_bootstrap"], larger["p_randomisation"])
    assert ("|test:studentised|" in single["signature"], "|test:larger|" in larger["signature"]) == (True, True)
    shown = [gecval(f"{command} {how}").out.splitlines()[1].split("  ") for how in ("", "--test larger")]
    assert [[cell.strip() for cell in line if cell.strip()[:2] in ("p", "p ")] for line in shown] == [
        ["p"], ["p bootstrap", "p randomisation"],
    ]  # fmt: skip


@pytest.mark.parametrize("style", ["text", "tsv", "markdown", "latex"])
def test_tables(gecval, conll, style):
    result = gecval(f"compare --resamples 100 -m accuracy --test larger --format {style}", *conll("INPUT", "AMU"))
    assert result.status == 0
    if style == "tsv":
        [row] = csv.DictReader(result.out.splitlines(), delimiter="\t")
        assert (row["metric"], row["baseline"], row["system"]) == ("accuracy", "INPUT", "AMU")
        assert 0 < float(row["p randomisation"]) <= 1
    for word in ("INPUT", "AMU", "accuracy", "p bootstrap" if style != "latex" else r"{p\\bootstrap}"):
        assert word in result.out


def test_significant_differences_are_bold(gecval, conll):
    lines = gecval("compare --resamples 100 -m m2 --format markdown", *conll("AMU", "IPN")).out.splitlines()
    assert "**-0." in lines[2]
    assert "bold: p < 0.05, and the better score" in lines
