"""GREEN against both public tools, and against a plain oracle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Reference, System, load_corpus, load_systems
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.green import Green
from gecval.runtime.run import Run
from oracles.green import green


def close(value: float) -> Any:
    return pytest.approx(value, abs=1e-9, rel=0)


@pytest.fixture(scope="module")
def nucle(data: Path) -> Corpus:
    return load_corpus(data / "conll14" / "source.txt", [data / "references" / f"NUCLE{a}" for a in "AB"])


@pytest.fixture(scope="module")
def outputs(data: Path, nucle: Corpus) -> dict[str, System]:
    return {system.name: system for system in load_systems([data / "conll14" / "systems"], nucle)}


@pytest.mark.parametrize("unit", ["word", "char"])
def test_the_authors_tool(golden: Path, nucle: Corpus, outputs: dict[str, System], unit: str) -> None:
    results = json.loads((golden / "modern" / f"green_{unit}.json").read_text())["results"]
    checked = 0
    for name, by_beta in results.items():
        for label, expected in by_beta.items():
            metric = Green(float(label.removeprefix("beta=")), unit=unit, form="author")
            evaluation = Evaluation.of(metric, nucle, outputs[name])
            assert evaluation.score() == close(expected["corpus"])
            assert evaluation.parts() == close({key: expected[key] for key in ("precision", "recall")})
            assert evaluation.sentence_scores().mean() == close(expected["mean"])
            if "sentences" in expected:
                assert evaluation.sentence_scores().tolist() == close(expected["sentences"])
            checked += 1
    assert checked == (39 if unit == "word" else 3)


def test_gec_metrics(golden: Path, nucle: Corpus, outputs: dict[str, System]) -> None:
    results = json.loads((golden / "modern" / "gec-metrics_green.json").read_text())["results"]
    assert len(results) == 13
    for name, by_beta in results.items():
        for label, expected in by_beta.items():
            unit = "char" if label.startswith("char") else "word"
            evaluation = Evaluation.of(Green(float(label.rpartition("=")[2]), unit=unit), nucle, outputs[name])
            assert evaluation.score() == close(expected["corpus"])
            if "counts" in expected:
                assert evaluation._totals.reshape(-1, 3).tolist() == expected["counts"]
            if "mean" in expected:
                assert evaluation.sentence_scores().mean() == close(expected["mean"])
            if "sentences" in expected:
                assert evaluation.sentence_scores().tolist() == close(expected["sentences"])


def test_ten_references(golden: Path, data: Path, outputs: dict[str, System]) -> None:
    stored = json.loads((golden / "modern" / "green_word.json").read_text())["results_bn10"]
    corpus = load_corpus(data / "conll14" / "source.txt", [data / "references" / f"BN{a}" for a in range(1, 11)])
    for name, by_beta in stored["results"].items():
        for label, expected in by_beta.items():
            metric = Green(float(label.removeprefix("beta=")), form="author")
            assert Evaluation.of(metric, corpus, outputs[name]).score() == close(expected["corpus"])


def test_handmade_cases(golden: Path) -> None:
    cases = json.loads((golden / "modern" / "handmade.json").read_text())["cases"]
    assert len(cases) == 20
    for case in cases:
        corpus = Corpus.from_texts([case["source"]], [case["references"]])
        system = corpus.system("case", [case["hypothesis"]])
        for beta in (0.5, 1.0, 2.0):
            score, _ = case[f"green author beta={beta}"]
            assert Evaluation.of(Green(beta, form="author"), corpus, system).score() == close(score), case["case"]
            score = case[f"green gec-metrics beta={beta}"]
            assert Evaluation.of(Green(beta), corpus, system).score() == close(score), case["case"]
        score = case["green gec-metrics char beta=2"]
        assert Evaluation.of(Green(unit="char"), corpus, system).score() == close(score), case["case"]


texts = st.text(alphabet="ab \u00a0", max_size=12)


@given(
    st.lists(st.tuples(texts, texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4),
    st.sampled_from([0.5, 1.0, 2.0]),
    st.integers(1, 5),
    st.sampled_from(["word", "char"]),
    st.sampled_from(["gec-metrics", "author"]),
)
def test_against_the_oracle(rows: list[Any], beta: float, n: int, unit: str, form: str) -> None:
    sources, hypotheses, references = (list(column) for column in zip(*rows, strict=True))
    expected, sentences = green(sources, hypotheses, references, beta=beta, n=n, unit=unit, form=form)
    # Not from_texts: what is drawn may look like lists the other way round, which it refuses.
    corpus = Corpus(sources, [[Reference(text) for text in listed] for listed in references])
    evaluation = Evaluation.of(Green(beta, n, unit, form), corpus, corpus.system("any", hypotheses), run=Run(jobs=2))
    assert evaluation.sentence_scores() == pytest.approx(np.array(sentences), abs=1e-12)
    assert evaluation.score() == pytest.approx(expected, abs=1e-9)
