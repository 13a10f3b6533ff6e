"""Coverage of real crowd corrections beside the paper, and of simulated ones whose truth is known."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from gecval import Corpus, InputError, Resampling, metric
from gecval.formats.corrections import Corrections, read_corrections
from gecval.stats.unseen import Histogram, fingerprint
from gecval.studies.coverage.annotators import against_people
from gecval.studies.coverage.perfect_system import Simulation, perfect_scores
from gecval.studies.coverage.true_score import break_even, reference_coverage, true_scores
from gecval.studies.coverage.variants import (
    coverage_curve,
    estimate,
    published_histogram,
    thresholds,
    variant,
    without_unchanged,
)

QUICK = Resampling(50)
CROWD = [
    Corrections("he go home", ("he goes home", "he went home", "he goes home", "he is going home")),
    Corrections("she like it", ("she likes it", "she likes it", "she liked it", "she likes that")),
]


@pytest.fixture(scope="module")
def corrections(data: Path) -> list[Corrections]:
    return read_corrections(data / "ibgec" / "gec_corrections.tsv")


def test_table_1_from_the_published_histograms_is_exact(data: Path) -> None:
    paths = sorted((data / "ibgec" / "histograms").glob("*_exact_output_hist.txt"))
    assert len(paths) == 48
    found = thresholds([published_histogram(path) for path in paths])
    assert [round(one.variants, 2) for one in found] == [1351.24, 74.34, 8.72, 1.35]
    assert [round(one.mass, 2) for one in found] == [1, 0.75, 0.58, 0.37]


def test_tables_from_our_estimates_are_close(data: Path, corrections: list[Corrections]) -> None:
    gec = thresholds([one.histogram for one in estimate(corrections)])
    assert [one.variants for one in gec] == pytest.approx([1343.94, 62.55, 9.42, 1.43], abs=0.01)
    assert [one.mass for one in gec] == pytest.approx([1, 0.75, 0.58, 0.37], abs=0.011)
    simple = thresholds([one.histogram for one in estimate(read_corrections(data / "ibgec" / "simplifications.tsv"))])
    # What the original tool gives on the same fingerprints; the published table was made from others.
    assert [one.variants for one in simple] == pytest.approx([2535.5, 128.52, 4.78, 0.18], rel=0.03)


def test_fingerprints_are_those_of_the_authors(data: Path, golden: Path, corrections: list[Corrections]) -> None:
    stored = json.loads((golden / "unseenest" / "unseenest_golden.json").read_text())
    ours = {name: [] for name in ("exact", "index")}
    for one in corrections:
        for unit, equal in ours.items():
            # Files are named by six letters, so that some sentences have overwritten each other's.
            file = stored[f"{re.sub(r'[^a-zA-Z]', '', one.source)[:6]}_{unit}_input_hist.txt"]
            equal.append(fingerprint(variant(one.source, text, unit) for text in one.texts) == file["fingerprint"])
    assert sum(ours["exact"]) == 48
    assert sum(ours["index"]) == 26  # their word alignment is not ours
    simplifications = read_corrections(data / "ibgec" / "simplifications.tsv")
    for one in simplifications:
        file = stored[f"simplification/{re.sub(r'[^a-z0-9]', '', one.source.lower())[:6]}_exact_input_hist.txt"]
        assert fingerprint(variant(one.source, text, "exact") for text in one.texts) == file["fingerprint"]


def test_figure_1a(corrections: list[Corrections]) -> None:
    curve = coverage_curve([one.histogram for one in estimate(corrections)], resampling=QUICK)
    assert curve[19].with_replacement == pytest.approx(0.5, abs=0.02)
    assert curve[19].interval.low < curve[19].with_replacement < curve[19].interval.high
    assert curve[9].without_replacement == pytest.approx(0.47, abs=0.02)
    assert all(a.bias > b.bias for a, b in pairwise(curve))
    index = coverage_curve([one.histogram for one in estimate(corrections, unit="index")], 10, resampling=QUICK)
    assert index[9].with_replacement == pytest.approx(0.54, abs=0.005)


def test_sampled_accuracy_agrees_with_computed(corrections: list[Corrections]) -> None:
    simulation = Simulation(corrections, correct=0, replacement=False)
    sampled = perfect_scores(simulation, metric("accuracy"), (2, 20), resampling=QUICK)
    estimates = estimate(corrections)
    curve = coverage_curve(
        [one.histogram for one in estimates], counts=[one.counts for one in estimates], resampling=QUICK
    )
    for one in sampled:
        assert one.score == pytest.approx(curve[one.references - 1].observed, abs=0.03)
    # UnseenEst takes frequent corrections for more frequent than they are; with M the difference goes.
    assert curve[1].with_replacement - curve[1].observed == pytest.approx(0.029, abs=0.001)
    assert curve[19].with_replacement - curve[19].observed == pytest.approx(0.007, abs=0.001)


def test_sentences_that_many_left_alone_are_dropped(corrections: list[Corrections]) -> None:
    assert len(without_unchanged(corrections, 8)) == 38


def test_a_sentence_with_one_correction_is_refused() -> None:
    with pytest.raises(InputError, match="'he go' has one correction; the unseen needs two or more"):
        estimate([Corrections("he go", ("he goes",))])


def test_a_lucky_system_is_always_right_and_correct_sentences_stay() -> None:
    simulation = Simulation(CROWD, sentences=200, correct=50, most_references=3)
    for one in perfect_scores(simulation, metric("accuracy"), (1, 3), lucky=True, resampling=QUICK):
        assert one.score == 1
    corpus = simulation.corpus(3)
    assert all(set(corpus.texts_of(i)) == {corpus.sources[i]} for i in range(50))
    assert all(corpus.sources[i] in ("he go home", "she like it") for i in range(50, 200))
    assert simulation.perfect(corpus).hypotheses[:50] == list(corpus.sources[:50])


@pytest.mark.parametrize("name", ["m2", "gleu", "sari", "max-sari", "bleu", "accuracy"])
def test_more_references_are_those_before_and_one_more(name: str) -> None:
    simulation = Simulation(CROWD, sentences=100, correct=10, most_references=4)
    assert [listed[:2] for listed in simulation.corpus(4).references] == [
        list(listed) for listed in simulation.corpus(2).references
    ]
    found = perfect_scores(simulation, metric(name), (1, 4), resampling=QUICK)
    assert all(one.interval.low <= one.score <= one.interval.high for one in found)
    if name in ("m2", "max-sari", "accuracy"):
        assert found[0].score <= found[1].score


def test_a_simulation_refuses_what_it_cannot_draw() -> None:
    with pytest.raises(InputError, match="has 4 corrections, too few for 4 references and one output"):
        Simulation(CROWD, most_references=4, replacement=False)
    with pytest.raises(InputError, match="3 references of 2 that were drawn"):
        Simulation(CROWD, most_references=2).corpus(3)
    with pytest.raises(InputError, match="136 correct sentences do not fit into 100"):
        Simulation(CROWD, sentences=100)


def crowd_corpus(sentences: int, references: int, seed: int) -> tuple[Corpus, np.random.Generator]:
    """Every sentence has 30 corrections of falling probability, and nobody leaves it alone."""
    rng = np.random.default_rng(seed)
    drawn = rng.choice(30, size=(sentences, references), p=PROBABILITIES)
    return Corpus.from_texts(["x"] * sentences, [[f"w{c}" for c in row] for row in drawn]), rng


PROBABILITIES = 1 / np.arange(2, 32)
PROBABILITIES /= PROBABILITIES.sum()


@pytest.mark.parametrize("references", [2, 5])
def test_true_accuracy_is_found_behind_few_references(references: int) -> None:
    corpus, rng = crowd_corpus(3000, references, seed=references)
    valid = rng.random(len(corpus)) < 0.6
    outputs = [
        f"w{c}" if good else "wrong" for c, good in zip(rng.choice(30, 3000, p=PROBABILITIES), valid, strict=True)
    ]
    [found] = true_scores(corpus, [corpus.system("mine", outputs)], resampling=Resampling(200))
    assert found.accuracy < 0.3
    assert found.true_accuracy == pytest.approx(0.6, abs=0.06)
    assert found.true_interval.low < 0.6 < found.true_interval.high
    covered = reference_coverage(corpus)
    truth = float(PROBABILITIES @ (1 - (1 - PROBABILITIES) ** references))
    assert covered.coverage == pytest.approx(truth, abs=0.02)
    assert covered.changed == pytest.approx(truth, abs=0.02)


def test_real_references_cover_less_than_half(data: Path) -> None:
    from gecval import load_corpus, load_systems

    corpus = load_corpus(None, [data / "conll14" / "official-2014.combined.m2"], missing="agreed")
    covered = reference_coverage(corpus)
    assert covered.references == 2
    assert covered.changed < covered.coverage < covered.unchanged
    assert covered.range.low <= covered.coverage <= covered.range.high
    systems = load_systems([data / "conll14" / "systems" / name for name in ("AMU", "INPUT")], corpus)
    amu, source = true_scores(corpus, systems, resampling=QUICK)
    # Accuracy prefers not to correct at all; what is hidden turns that round.
    assert amu.accuracy < source.accuracy
    assert amu.true_accuracy > source.true_accuracy


def test_ragged_references_count_like_subsets() -> None:
    ragged = Corpus.from_texts(["x", "y"], [["a", "a", "b"], ["c", "d"]])
    assert reference_coverage(ragged).references == 2
    with pytest.raises(InputError, match="sentence 2 has 1"):
        reference_coverage(Corpus.from_texts(["x", "y"], [["a", "b"], ["c"]]))


def test_what_references_cannot_tell() -> None:
    agreed = reference_coverage(Corpus.from_texts(["x", "y"], [["a", "a"], ["b", "b"]]))
    assert (agreed.coverage, agreed.changed, agreed.unchanged) == (pytest.approx(1), 1, None)
    assert agreed.to_halve is None
    untouched = reference_coverage(Corpus.from_texts(["x", "y"], [["x", "x"], ["y", "y"]]))
    assert (untouched.changed, untouched.unchanged, untouched.to_halve) == (None, 1, None)
    parted = reference_coverage(Corpus.from_texts(["x", "y"], [["a", "b"], ["y", "y"]]))
    assert (parted.changed, parted.unchanged) == (0, 1)
    assert 0 < parted.to_halve.low <= parted.to_halve.high


def test_one_sentence_has_no_intervals() -> None:
    corpus = Corpus.from_texts(["x"], [["a", "a"]])
    [found] = true_scores(corpus, [corpus.system("mine", ["a"])], resampling=QUICK)
    assert (found.accuracy, found.interval, found.true_accuracy, found.true_interval) == (1, None, 1, None)
    [point] = coverage_curve([Histogram(np.array([0.5]), np.array([2.0]))], 1, resampling=QUICK)
    assert (point.with_replacement, point.interval) == (0.5, None)
    with pytest.raises(InputError, match="a simulated test set needs two sentences or more: one has no interval"):
        Simulation(CROWD, sentences=1, correct=0)


def test_equation_7() -> None:
    for p_detect, p_coverage, alpha in [(0.8, 0.4, 0.0), (0.9, 0.5, 0.0), (0.9, 0.9, 0.2)]:
        p_correct = break_even(p_detect, p_coverage, alpha=alpha)
        rewarded = p_correct * p_coverage
        assert rewarded - (1 - rewarded) * alpha == pytest.approx(1 - p_detect)
    assert break_even(0.5, 0.0) == float("inf")
    with pytest.raises(InputError, match="p_detect is a probability"):
        break_even(1.5, 0.5)
    with pytest.raises(InputError, match="alpha"):
        break_even(0.5, 0.5, alpha=-1)


def test_people_beside_systems() -> None:
    corpus = Corpus.from_texts(["a b", "c d"], [["a x", "a x"], ["c y", "c z"]])
    [found] = against_people(corpus, [corpus.system("mine", ["a x", "c y"])], [metric("accuracy")])
    assert (found.people, found.score, found.ratio) == (0.5, 0.75, 1.5)
    with pytest.raises(InputError, match="sentence 1 has 1 of 2"):
        against_people(Corpus.from_texts(["a", "b"], [["x"], ["y", "z"]]), [], [metric("accuracy")])


def test_thresholds_count_from_the_frequency_itself() -> None:
    [at] = thresholds([Histogram(np.array([0.1, 0.2]), np.array([2.0, 4.0]))], [0.1])
    assert (at.variants, at.mass) == (6, pytest.approx(1))
