"""CLEME and CLEME2.0 against the public tool, and against a plain oracle."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, load_corpus
from gecval.metrics.cleme import CLEME, ChunkMetric, references_that_count, shared_chunks
from gecval.metrics.cleme2 import CLEME2
from gecval.metrics.evaluation import Evaluation, sentence_scores_against
from gecval.runtime.run import Run
from oracles import cleme as oracle
from strategies import WORDS, gold_edits

Edits = list[tuple[Edit, ...]]
WEIGHTED = {"none": "unweighted", "length": "weighted"}
DROPPED = ", unchanged references removed"


def close(value: float) -> Any:
    return pytest.approx(value, abs=1e-9, rel=0)


def corpus_of(path: Path, folder: Path) -> Corpus:
    """The tool's files end in .errant; those of golden are packed."""
    if path.suffix == ".errant":
        named = folder / f"{path.stem}.m2"
        named.write_bytes(path.read_bytes())
        path = named
    return load_corpus(None, [path])


def edits_of(path: Path, folder: Path) -> Edits:
    return [reference.edits or () for [reference] in corpus_of(path, folder).references]


def evaluate(metric: ChunkMetric, corpus: Corpus, edits: Edits) -> Evaluation:
    return Evaluation(metric, metric.statistics_of_edits(corpus, edits))


def check(expected: dict[str, Any], corpus: Corpus, edits: Edits, mode: str, *, dropped: bool) -> None:
    """One system, one mode: CLEME and CLEME2.0, corpus and sentence level."""
    for weights, name in WEIGHTED.items():
        metric = CLEME(mode, weights=weights, drop_unchanged=dropped)
        evaluation = evaluate(metric, corpus, edits)
        parts, stored = evaluation.parts(), expected["length weights"]
        assert metric.rows(corpus, edits)[1] == close(expected["mean_length_b"])
        golden = stored[f"prf_corpus_{name}"]
        assert {key: parts[key] for key in ("tp", "fp", "fn", "tn")} == close(
            {key: golden[key] for key in ("tp", "fp", "fn", "tn")}
        )
        assert round(evaluation.score(), 4) == golden["f"]
        assert [round(parts[key], 4) for key in ("precision", "recall")] == [golden["p"], golden["r"]]
        assert np.mean([round(score, 4) for score in evaluation.sentence_scores()]) == close(
            stored[f"prf_sentence_{name}"]["f"]
        )
        rows = expected.get(f"sentence {'counts' if weights == 'none' else 'length-weighted sums'}, per reference")
        if rows:
            check_rows(evaluation, rows)
    for weights, key in (("none", "cleme2"), ("length", "cleme2, length weights (no one's default)")):
        for label, golden in expected[key].items():
            factors = tuple(map(float, label.split()[-1].split("/")))
            evaluation = evaluate(CLEME2(mode, factors, weights=weights, drop_unchanged=dropped), corpus, edits)
            stored = golden[f"heuo_corpus_{WEIGHTED[weights]}"]
            assert evaluation.score() == close(stored["com"])
            names = {"hit": "hit", "wrong": "err", "under": "und", "over": "ove"}
            assert evaluation.parts() == close({ours: stored[theirs] for ours, theirs in names.items()})
            if f"heuo_sentence_{WEIGHTED[weights]}" in golden:
                mean = golden[f"heuo_sentence_{WEIGHTED[weights]}"]["com"]
                assert evaluation.sentence_scores().mean() == close(mean)


def check_rows(evaluation: Evaluation, expected: list[list[list[float]]]) -> None:
    """The tool lists tp, fp, fn, tn, fp_ne, fp_un, and repeats an independent row for each reference."""
    statistics = evaluation.statistics
    for i, golden in enumerate(expected):
        rows = statistics.rows[statistics.offsets[i] : statistics.offsets[i + 1]].tolist()
        rows = rows * len(golden) if len(rows) == 1 else rows[-len(golden) :] if len(golden) == 1 else rows
        theirs = [[tp, ne, un, fn, tn] for tp, _, fn, tn, ne, un in golden]
        assert np.allclose(rows, theirs, atol=1e-9), i


def test_the_tool(golden: Path, data: Path, tmp_path: Path) -> None:
    results = json.loads((golden / "modern" / "cleme.json").read_text())["results"]
    corpus = corpus_of(data / "cleme" / "conll14.errant", tmp_path)
    assert isinstance(results.pop("demo-AMU (demo.errant)"), str)  # a file of its own that the tool cannot read
    assert len(results) == 13
    for name, by_mode in results.items():
        edits = edits_of(data / "cleme" / f"conll14-{name}.errant", tmp_path)
        for label, expected in by_mode.items():
            check(expected, corpus, edits, label.removesuffix(DROPPED), dropped=label.endswith(DROPPED))


def test_the_tool_on_newer_edits(golden: Path, tmp_path: Path) -> None:
    results = json.loads((golden / "modern" / "cleme_errant3.json").read_text())["results"]
    corpus = corpus_of(golden / "errant" / "nucle2_ref.m2.gz", tmp_path)
    assert list(results) == ["AMU", "CAMB", "POST", "INPUT"]
    for name, by_mode in results.items():
        edits = edits_of(golden / "errant" / f"hyp_{name}.m2.gz", tmp_path)
        for mode, expected in by_mode.items():
            check(expected, corpus, edits, mode, dropped=False)


def test_version_1(golden: Path, data: Path, tmp_path: Path) -> None:
    """With the weights of SentCLEME in force. The tool drops POST's empty output of sentence 23."""
    results = json.loads((golden / "modern" / "cleme_v1.json").read_text())["results"]
    corpus = corpus_of(data / "cleme" / "conll14.errant", tmp_path)
    assert len(results) == 13
    for name, by_mode in results.items():
        edits = edits_of(data / "cleme" / f"conll14-{name}.errant", tmp_path)
        tolerance = 3e-4 if name == "POST" else 1e-9
        for mode, by_scorer in by_mode.items():
            for label, expected in by_scorer.items():
                scorer, weights = (part.partition("=")[2] for part in label.split(", "))
                weights = {"corpus": "length"}.get(weights, weights.partition("-")[0])
                evaluation = evaluate(CLEME(mode, weights=weights), corpus, edits)
                score = evaluation.score()
                if scorer == "sentence":
                    score = float(np.mean([round(score, 4) for score in evaluation.sentence_scores()]))
                assert round(score, 4) == pytest.approx(expected["F"], abs=tolerance), (name, mode, label)
                rows = expected.get("sentences, per reference: tp fp fn tn")
                if rows and name != "POST":
                    ours = [[hit, wrong + over, missed, kept] for hit, wrong, over, missed, kept in rows_of(evaluation)]
                    assert np.allclose(ours, [row for listed in filled(rows, evaluation) for row in listed], atol=1e-9)


def rows_of(evaluation: Evaluation) -> list[list[float]]:
    rows: list[list[float]] = evaluation.statistics.rows.tolist()
    return rows


def filled(rows: list[list[list[float]]], evaluation: Evaluation) -> list[list[list[float]]]:
    """The tool lists no row for an empty reference; ours repeats that of the other."""
    counts = np.diff(evaluation.statistics.offsets).tolist()
    return [listed * count if len(listed) < count else listed for listed, count in zip(rows, counts, strict=True)]


def test_handmade_cases(golden: Path) -> None:
    cases = json.loads((golden / "modern" / "handmade.json").read_text())["cases"]
    checked = 0
    for case in cases:
        stored = case["errant edits"]
        if isinstance(stored, str) or isinstance(case["cleme dependent"], str):
            continue
        edits = [tuple(Edit(a, b, (text,), kind) for a, b, text, kind in stored["hypothesis"])]
        references = [
            Reference(text, tuple(Edit(a, b, (words,), kind) for a, b, words, kind in listed))
            for text, listed in zip(case["references"], stored["references"], strict=True)
        ]
        corpus = Corpus([case["source"]], [references])
        for mode in ("dependent", "independent"):
            expected = case[f"cleme {mode}"]
            evaluation = evaluate(CLEME(mode, weights="none"), corpus, edits)
            check_rows(evaluation, [expected["counts"]])
            assert round(evaluation.score(), 4) == expected["f_unweighted"], case["case"]
            weighted = evaluate(CLEME(mode), corpus, edits)
            if expected["b"] is not None:  # the tool's weights are NaN without it
                assert round(weighted.score(), 4) == expected["f_weighted"], case["case"]
            else:
                assert rows_of(weighted) == rows_of(evaluation)
            for label, score in expected["cleme2"].items():
                factors = tuple(map(float, label.split()[-1].split("/")))
                assert evaluate(CLEME2(mode, factors), corpus, edits).score() == close(score), case["case"]
            checked += 1
    assert checked == 40


@st.composite
def annotated(draw: st.DrawFn) -> tuple[list[str], tuple[Edit, ...], list[tuple[Edit, ...]]]:
    source = draw(st.lists(WORDS, max_size=5))
    clean = draw(st.booleans())
    edits = gold_edits(len(source), clean=clean)
    return source, draw(edits), draw(st.lists(edits, min_size=1, max_size=3))


MODES = st.sampled_from(["dependent", "independent"])


@given(
    st.lists(annotated(), min_size=1, max_size=4),
    MODES,
    st.sampled_from(["length", "sentence", "none"]),
    st.booleans(),
    st.sampled_from([(0.45, 0.35, 0.15, 0.05), (0.25, 0.25, 0.25, 0.25), (1.0, 0.0, 0.0, 0.0)]),
)
def test_against_the_oracle(
    drawn: list[Any], mode: str, weights: str, dropped: bool, factors: tuple[float, float, float, float]
) -> None:
    sources, hypotheses, references = (list(column) for column in zip(*drawn, strict=True))
    golds = [[Reference(edits=edits) for edits in listed] for listed in references]
    corpus = Corpus([" ".join(source) for source in sources], golds)
    expected, b = oracle.rows(sources, hypotheses, references, mode=mode, weights=weights, drop_unchanged=dropped)
    metric = CLEME(mode, weights=weights, drop_unchanged=dropped)
    rows, mean_length = metric.rows(corpus, hypotheses, run=Run(jobs=2))
    assert mean_length == b or (isnan(mean_length) and isnan(b))
    kept = [oracle.counting(source, golds, dropped) for source, golds in zip(sources, references, strict=True)]
    first = np.arange(len(sources)) if mode == "independent" else corpus.reference_slots[:-1]
    for i, listed in enumerate(expected):
        places = [0] if mode == "independent" else kept[i]
        assert rows[[first[i] + place for place in places]] == pytest.approx(np.array(listed), abs=1e-12)
    f = oracle.f if mode == "independent" else lambda row: round(oracle.f(row), 4)
    score = evaluate(metric, corpus, hypotheses).score()
    assert score == pytest.approx(oracle.f(oracle.running_totals(expected, f)), abs=1e-9)
    if weights == "none":
        heuo = oracle.heuo(oracle.running_totals(expected, lambda row: oracle.heuo(row, factors)), factors)
        score = evaluate(CLEME2(mode, factors, drop_unchanged=dropped), corpus, hypotheses).score()
        assert score == pytest.approx(heuo, abs=1e-9)


@given(annotated())
def test_chunks_against_the_oracle(drawn: Any) -> None:
    source, hypothesis, references = drawn
    targets = [hypothesis, *references]
    cut = oracle.spans(len(source), oracle.intervals(targets))
    ours = shared_chunks(source, targets)
    assert [(chunk.start, chunk.end) for chunk in ours] == [(start, end) for start, end, _ in cut]
    for t, edits in enumerate(targets):
        assert [(chunk.texts[t].split(), chunk.changed[t]) for chunk in ours] == oracle.chunks(source, edits, cut)


def test_other_references_cut_the_chunks() -> None:
    """So a score against some of the references is made anew, not picked."""
    long, short = Reference(edits=(Edit(0, 3, ("x",)),)), Reference(edits=(Edit(0, 1, ("b",)),))
    corpus = Corpus(["a c d"], [[long, short]])
    metric, system = CLEME(weights="none", edits="plain"), corpus.system("mine", ["b c e"])
    both, second = np.array([0, 1]), np.array([1])
    scores = list(sentence_scores_against(metric, corpus, system, [[both], [second]]))
    assert scores[0].tolist() == [0.0]  # one chunk, in which "b c e" is not "b c d"
    assert scores[1].tolist() == pytest.approx([1.25 * 0.5 / (0.25 * 0.5 + 1)])


@pytest.mark.parametrize(
    ("factors", "reason"),
    [((1, 2, 3), "4 numbers"), ((1, 2, 3, -1), "4 numbers"), ((0, 0, 0, 0), "above 0"), ([1, 2, 3, 4], "4 numbers")],
)
def test_factors_that_mean_nothing(factors: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        CLEME2(factors=factors)


def test_of_references_that_are_all_left_out_the_first_that_counted_stays() -> None:
    corpus = Corpus.from_texts(["a b", "c"], [["a b", ""], ["c", "d"]])
    assert references_that_count(corpus).tolist() == [True, False, True, True]
    assert references_that_count(corpus, drop_unchanged=True).tolist() == [False, True, False, True]
    alone = Corpus.from_texts(["x", "a b"], [["y"], ["a b"]])
    assert references_that_count(alone, drop_unchanged=True).tolist() == [True, True]
