"""A metric with statistics of its own, which an installed package brings. Nothing of gecval need change.

The file MODULE is all that its author writes. Everything else, from the spelling of its parameters to intervals and
paired tests, comes with the statistics.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from gecval import Resampling, compare, evaluate, load_corpus, load_systems, metric, metric_names
from gecval.cli.program import cli
from gecval.metrics.evaluation import Evaluation
from packages import install, use

MODULE = '''
"""Word overlap: the share of a hypothesis's words that the best reference has, each as often as the reference."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gecval import Metric, Statistics
from gecval.metrics.reference_rules import Best


@dataclass(frozen=True, repr=False)
class Overlap(Metric):
    name: ClassVar[str] = "word-overlap"
    summary: ClassVar[str] = "share of words that the best reference has"
    paper: ClassVar[str] = "nobody 2030"
    rule = Best()

    cased: bool = True

    def statistics(self, corpus, system, *, run=None):
        rows = []
        for i, hypothesis in enumerate(system.hypotheses):
            words = self._words(hypothesis)
            for reference in corpus.texts_of(i):
                shared = words & self._words(reference)
                rows.append([shared.total(), words.total()])
        return Statistics(np.array(rows, dtype=np.float64), corpus.reference_slots)

    def _words(self, text):
        return Counter((text if self.cased else text.lower()).split())

    def score(self, totals):
        return totals[..., 0] / np.maximum(totals[..., 1], 1)

    def parts(self, totals):
        return {"shared": int(totals[0]), "words": int(totals[1])}
'''
TEXTS = {
    "source.txt": "He go home .\nshe like it .\n",
    "reference-0.txt": "He goes home .\nShe likes it .\n",
    "reference-1.txt": "He went home .\nShe loves it .\n",
    "mine": "He goes home .\nshe loves it .\n",  # shares 4 of 4 words, then 3 of 4, and 4 where case does not count
    "yours": "He go go\nshe like it .\n",  # shares 1 of 3 words, then 2 of 4
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    install(tmp_path / "site", "word_overlap", MODULE, "[gecval.metrics]\nword-overlap = word_overlap:Overlap\n")
    use(tmp_path / "site", monkeypatch)
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("word_overlap", None)


CORPUS = ["-s", "source.txt", "-r", "reference-0.txt", "-r", "reference-1.txt"]


def run(*words: str) -> dict[str, object]:
    result = CliRunner().invoke(cli, [*words, "--format", "json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    printed: dict[str, object] = json.loads(result.stdout)
    return printed


@pytest.mark.usefixtures("folder")
def test_it_is_a_metric_like_any_other() -> None:
    assert metric_names()[-1] == "word-overlap"
    assert metric("Word_Overlap(cased=False)") == metric("word_overlap:Overlap(cased=False)")
    assert repr(metric("word-overlap(cased=False)")) == "word-overlap(cased=False)"
    [listed] = run("metrics", "word-overlap")["metrics"]  # type: ignore[misc]
    assert (listed["name"], listed["references"], listed["paper"]) == ("word-overlap", "best", "nobody 2030")


@pytest.mark.usefixtures("folder")
def test_the_command_line_scores_and_compares() -> None:
    printed = run("score", "mine", "yours", *CORPUS, "-m", "word-overlap", "-m", "word-overlap(cased=False)",
                  "--ci", "--resamples", "100", "--sentences")  # fmt: skip
    scores = {(row["system"], row["metric"]): row for row in printed["scores"]}  # type: ignore[attr-defined]
    mine = scores["mine", "word-overlap"]
    assert (mine["score"], mine["parts"], mine["sentences"]) == (7 / 8, {"shared": 7, "words": 8}, [1.0, 0.75])
    assert mine["interval"] == [0.75, 1.0]
    assert mine["signature"].startswith("word-overlap|cased:True|")
    assert scores["mine", "word-overlap(cased=False)"]["score"] == 1.0
    assert scores["yours", "word-overlap"]["score"] == 3 / 7
    [test] = run("compare", "yours", "mine", *CORPUS, "-m", "word-overlap")["comparisons"]  # type: ignore[misc]
    assert test["difference"] == 7 / 8 - 3 / 7


def test_python_users_get_the_same(folder: Path) -> None:
    lines = {name: text.splitlines() for name, text in TEXTS.items()}
    references = list(zip(lines["reference-0.txt"], lines["reference-1.txt"], strict=True))
    [score] = evaluate(lines["source.txt"], lines["mine"], references, metrics=["word-overlap"])
    assert score.score == 7 / 8
    corpus = load_corpus(folder / "source.txt", [folder / "reference-0.txt", folder / "reference-1.txt"])
    mine, yours = load_systems([folder / "mine", folder / "yours"], corpus)
    [test] = compare(corpus, mine, [yours], ["word-overlap"], confidence=Resampling(50))
    assert test.difference == 3 / 7 - 7 / 8
    evaluation = Evaluation.of(metric("word-overlap"), corpus, mine)
    assert evaluation.scores_without([slice(0, 1), slice(1, 2)]).tolist() == [0.75, 1.0]
