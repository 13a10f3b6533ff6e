"""What docs/coming-from.md says of the original tools is what they gave, and the names that it gives are ours."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import gecval
from docs.pages import ROOT, steps
from gecval.metrics.evaluation import Evaluation

PAGE = "docs/coming-from.md"
TEXT = (ROOT / PAGE).read_text("utf-8")


def test_the_scorer_s_numbers(golden: Path) -> None:
    with (golden / "m2" / "m2_conll14_corpus.tsv").open() as file:
        rows = {(row["system"], row["refset"]): row for row in csv.DictReader(file, delimiter="\t")}
    amu = rows["AMU", "NUCLE"]
    shown = re.findall(r"^(Precision|Recall|F_0\.5) +: (.*)$", TEXT, flags=re.MULTILINE)
    assert shown == [
        (name, f"{float(amu[key]):.4f}") for name, key in (("Precision", "P"), ("Recall", "R"), ("F_0.5", "F0.5"))
    ]
    [ours] = [step for step in steps(PAGE) if step.code.startswith("gecval score systems/AMU")]
    assert [value for _, value in shown] == [ours.shown[-1].split()[i] for i in (1, 2, 6)]


def test_the_library_s_numbers(golden: Path) -> None:
    """To the last digit that the page prints, and all sentences."""
    [ours] = [step for step in steps(PAGE) if step.code.startswith("python amu.py")]
    printed = dict(line.split() for line in ours.shown[:2])
    errant = json.loads((golden / "modern" / "gec-metrics_errant.json").read_text())["results"]["AMU"]
    green = json.loads((golden / "modern" / "gec-metrics_green.json").read_text())["results"]["AMU"]["beta=0.5"]
    assert abs(float(printed["errant"]) - errant["corpus"]["f"]) < 1e-12
    assert abs(float(printed["green(beta=0.5)"]) - green["corpus"]) < 1e-12
    assert [float(value) for value in ours.shown[2].strip("[]").split()] == [row[3] for row in errant["sentences"][:4]]


def test_metrics_and_extractors_of_the_tables_can_be_made() -> None:
    metrics = re.findall(r"`-m '([^']+)'`", TEXT)
    assert len(metrics) >= 6
    corpus, [system, *_] = gecval.load_sample()
    for spelling in metrics:
        assert 0 < Evaluation.of(gecval.metric(spelling), corpus, system).score() < 1
    assert [gecval.extractor(spelling) for spelling in re.findall(r"--edits '([^']+)'", TEXT)]
