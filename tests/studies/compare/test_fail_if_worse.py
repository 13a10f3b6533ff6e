"""gecval compare --fail-if-worse: the exit status is the verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def many(folder: Path) -> Path:
    """Sixty sentences, and systems that correct most, as many, and none of them."""
    lines = {"long": ["He go ."] * 60, "ref": ["He goes ."] * 60}
    lines |= {name: ["He goes ."] * right + ["He go ."] * (60 - right) for name, right in
              {"old": 50, "fair": 47, "bad": 5}.items()}  # fmt: skip
    for name, listed in lines.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in listed))
    return folder


def test_exit_status(gecval, many: Path) -> None:
    command = "compare old.txt {} -s long.txt -r ref.txt --fail-if-worse 'accuracy: 0.1' {}"
    for system, status, title in [("bad", 1, "Worse: "), ("fair", 3, "Undecided: "), ("old2", 0, "Equivalent: ")]:
        if system == "old2":
            (many / "old2.txt").write_text((many / "old.txt").read_text())
        result = gecval(command.format(f"{system}.txt", ""))
        assert result.status == status, result.err
        assert result.out.startswith(title)
        assert "accuracy: the 95% interval of the difference decides (studentised)" in result.out
        printed = json.loads(gecval(command.format(f"{system}.txt", "--format json")).out)
        assert printed["exit_status"] == status
        assert printed["schema"] == "gecval.not-worse/1"
    head, row = gecval(command.format("bad.txt", "--format tsv")).out.split("\n")[:2]
    assert "look" not in head.split("\t")
    assert len(row.split("\t")) == len(head.split("\t"))
    assert gecval(command.format("old2.txt fair.txt bad.txt", "")).status == 1
    assert gecval(command.format("old2.txt fair.txt", "")).status == 3


def test_the_worst_sentences_are_listed_and_the_verdict_stays(gecval, many: Path) -> None:
    command = "compare old.txt bad.txt -s long.txt -r ref.txt --fail-if-worse 'accuracy: 0.1' --sentences {}"
    said = gecval(command.format("worst"))
    assert said.status == 1
    assert "--sentences" not in said.err
    assert "bad: 45 of 60 sentences got worse, 0 better, and 15 have the same score" in said.out
    assert said.out.count("bad      0.0000") == 10
    printed = json.loads(gecval(command.format("best --format json")).out)
    [decision] = printed["decisions"]
    assert decision["pair"]["influential"] == []
    assert (decision["pair"]["worsened"], decision["pair"]["improved"]) == (45, 0)


def test_looks(gecval, many: Path) -> None:
    command = "compare old.txt bad.txt -s long.txt -r ref.txt --fail-if-worse 'accuracy: 0.1' --looks looks.json"
    assert (
        "look 1, the 97.5% interval of the difference decides (studentised), so that all looks together keep 95%"
        in gecval(command).out
    )
    head, row = gecval(f"{command} --format tsv").out.split("\n")[:2]
    by_name = dict(zip(head.split("\t"), row.split("\t"), strict=True))
    assert (by_name["verdict"], by_name["look"], by_name["level"]) == ("worse", "1", "0.975")
    assert float(by_name["difference low"]) < -0.75 < float(by_name["difference high"])


def test_a_metric_that_a_rule_names_may_be_named_with_m_too(gecval, folder: Path) -> None:
    command = "compare good.txt wild.txt -r gold.m2 --fail-if-worse 'm2: 0.1'"
    twice, once = gecval(f"{command} -m m2"), gecval(command)
    assert (twice.status, twice.out) == (once.status, once.out)
    assert "note: --metric changes nothing with --fail-if-worse" in twice.err


def test_refusals(refused) -> None:
    base = "compare good.txt wild.txt -r gold.m2"
    rule = f"{base} --fail-if-worse 'm2: 0.1'"
    assert "--metric changes nothing" in refused(f"{rule} -m gleu")
    assert "--level" in refused(f"{rule} --level 0.9")
    assert "--all-pairs changes nothing" in refused(f"{rule} --all-pairs")
    assert "--looks changes nothing without" in refused(f"{base} -m m2 --looks x.json")
    assert "write a rule as" in refused(f"{base} --fail-if-worse m2")
    assert refused(f"{base} --fail-if-worse 'm2: 0.3'") == (
        "m2 goes from 0 to 1, and 0.3 is much of it: write '0.3 points' for 0.003, or '30%' if it is meant "
        "(option --fail-if-worse)"
    )


@pytest.mark.parametrize(
    ("written", "margin"),
    [
        ("0.005", 0.005),
        ("0.5 points", 0.005),
        ("half a point", 0.005),
        ("0.5%", 0.005),
        ("1 point", 0.01),
        ("30%", 0.3),
    ],
)
def test_margins_as_people_write_them(gecval, folder: Path, written: str, margin: float) -> None:
    out = gecval(f"compare good.txt wild.txt -r gold.m2 --fail-if-worse 'm2: {written} @ 0.9' --format json").out
    [decision] = json.loads(out)["decisions"]
    assert decision["margin"] == pytest.approx(margin)


def test_a_scale_that_is_not_from_0_to_1(gecval, refused, folder: Path) -> None:
    (folder / "mine.py").write_text("def words(source, hypothesis, references): return 5.0 + len(hypothesis)\n")
    base = "compare good.txt wild.txt -r gold.m2 --fail-if-worse"
    assert gecval(f"{base} 'mine:words: 0.5'").status in (0, 1, 3)
    assert "mine:words does not go from 0 to 1" in refused(f"{base} 'mine:words: half a point'")
