"""Coverage of real crowd corrections beside the paper, and of simulated ones whose truth is known."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from gecval import Corpus, InputError, Resampling, metric
from gecval.formats.corrections import Corrections, read_corrections
from gecval.runtime.run import Run
from gecval.stats import Interval, bootstrap_interval
from gecval.stats.resampling import SHARE, SentenceMean
from gecval.stats.unseen_corrections import Histogram, fingerprint
from gecval.studies.coverage.crowd import (
    accuracy_distributions,
    coverage_curve,
    crowd_coverage,
    estimate,
    load_crowd,
    published_histogram,
    thresholds,
    variant,
    without_unchanged,
)
from gecval.studies.coverage.own_references import break_even, break_even_values, reference_coverage, true_scores
from gecval.studies.coverage.perfect_system import Simulation, perfect_scores
from gecval.studies.scores.people import compare_with_people

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
    rows = thresholds([published_histogram(path) for path in paths])
    assert [round(row.variants, 2) for row in rows] == [1351.24, 74.34, 8.72, 1.35]
    assert [round(row.mass, 2) for row in rows] == [1, 0.75, 0.58, 0.37]


def test_tables_from_our_estimates_are_close(data: Path, corrections: list[Corrections]) -> None:
    gec = thresholds([sentence.histogram for sentence in estimate(corrections)])
    assert [row.variants for row in gec] == pytest.approx([1343.94, 62.55, 9.42, 1.43], abs=0.01)
    assert [row.mass for row in gec] == pytest.approx([1, 0.75, 0.58, 0.37], abs=0.011)
    simplifications = estimate(read_corrections(data / "ibgec" / "simplifications.tsv"))
    simple = thresholds([sentence.histogram for sentence in simplifications])
    # What the original tool gives on the same fingerprints; the published table was made from others.
    assert [row.variants for row in simple] == pytest.approx([2535.5, 128.52, 4.78, 0.18], rel=0.03)


def test_fingerprints_are_those_of_the_authors(data: Path, golden: Path, corrections: list[Corrections]) -> None:
    stored = json.loads((golden / "unseenest" / "unseenest_golden.json").read_text())
    ours = {name: [] for name in ("exact", "index")}
    for sentence in corrections:
        for unit, equal in ours.items():
            # Files are named by six letters, so that some sentences have overwritten each other's.
            file = stored[f"{re.sub(r'[^a-zA-Z]', '', sentence.source)[:6]}_{unit}_input_hist.txt"]
            seen = fingerprint(variant(sentence.source, text, unit) for text in sentence.texts)
            equal.append(seen == file["fingerprint"])
    assert sum(ours["exact"]) == 48
    assert sum(ours["index"]) == 26  # their word alignment is not ours
    simplifications = read_corrections(data / "ibgec" / "simplifications.tsv")
    for sentence in simplifications:
        file = stored[f"simplification/{re.sub(r'[^a-z0-9]', '', sentence.source.lower())[:6]}_exact_input_hist.txt"]
        seen = fingerprint(variant(sentence.source, text, "exact") for text in sentence.texts)
        assert seen == file["fingerprint"]


def test_figure_1a(corrections: list[Corrections]) -> None:
    curve = crowd_coverage(corrections, confidence=QUICK).curve
    assert curve[19].with_replacement == pytest.approx(0.5, abs=0.02)
    assert curve[19].interval.low < curve[19].with_replacement < curve[19].interval.high
    assert curve[9].without_replacement == pytest.approx(0.47, abs=0.02)
    assert all(a.bias > b.bias for a, b in pairwise(curve))
    index = crowd_coverage(corrections, unit="index", most_references=10, confidence=QUICK).curve
    assert index[9].with_replacement == pytest.approx(0.54, abs=0.005)


def test_sampled_accuracy_agrees_with_computed(corrections: list[Corrections]) -> None:
    simulation = Simulation(corrections=corrections, correct=0, replacement=False)
    sampled = perfect_scores(simulation, metric("accuracy"), (2, 20), resampling=QUICK)
    estimates = estimate(corrections)
    histograms, counts = ([getattr(sentence, name) for sentence in estimates] for name in ("histogram", "counts"))
    curve = coverage_curve(histograms, counts=counts, resampling=QUICK)
    for perfect in sampled:
        assert perfect.score == pytest.approx(curve[perfect.references - 1].observed, abs=0.03)
    # UnseenEst takes frequent corrections for more frequent than they are; with M the difference goes.
    assert curve[1].with_replacement - curve[1].observed == pytest.approx(0.029, abs=0.001)
    assert curve[19].with_replacement - curve[19].observed == pytest.approx(0.007, abs=0.001)


def test_sentences_that_many_left_alone_are_dropped(corrections: list[Corrections]) -> None:
    assert len(without_unchanged(corrections, 8)) == 38


def test_a_sentence_with_one_correction_is_refused() -> None:
    with pytest.raises(InputError, match="'he go' has one correction; every sentence needs two or more"):
        estimate([Corrections("he go", ("he goes",))])
    counted: list[tuple[int, int]] = []
    pairs = [Corrections("he go", ("he goes", "he went"))] * 2
    assert [pair.counts for pair in estimate(pairs, run=Run(progress=lambda *numbers: counted.append(numbers)))] == [
        (1, 1)
    ] * 2
    assert counted == [(1, 2), (2, 2)]


def test_such_a_sentence_is_refused_before_the_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gecval.studies.coverage.crowd.estimate_sentence", lambda *_: pytest.fail("estimated"))
    with pytest.raises(InputError, match="'he go' has one correction"):
        crowd_coverage([*CROWD, Corrections("he go", ("he goes",))])


def test_what_a_crowd_study_says_while_it_works() -> None:
    class Heard:
        def __init__(self) -> None:
            self.numbers, self.words = list[tuple[int, int]](), list[str]()

        def __call__(self, done: int, total: int) -> None:
            self.numbers.append((done, total))

        def announce(self, what: str) -> None:
            self.words.append(what)

    heard = Heard()
    options = {"most_references": 2, "sentences": 4, "correct": 0, "confidence": QUICK}
    crowd_coverage(CROWD, ["ld", "accuracy"], run=Run(progress=heard), **options)
    assert heard.numbers == [(done, 6) for done in range(7)]
    by_ld, by_accuracy = (f"scoring a perfect system by {name}" for name in ("ld", "accuracy"))
    assert heard.words == ["estimating", by_ld, by_accuracy]


@pytest.mark.parametrize(
    "other",
    [
        {"most_references": 1},
        {"sentences": 13},
        {"correct": 3},
        {"replacement": False},
        {"confidence": Resampling(51)},
        {"confidence": Resampling(50, seed=2)},
        {"unit": "index"},
    ],
)
def test_a_crowd_study_goes_on_only_with_the_same_settings(other: dict[str, object], tmp_path: Path) -> None:
    options = {"most_references": 2, "sentences": 12, "correct": 2, "confidence": QUICK}
    crowd_coverage(CROWD, ["ld"], checkpoint=tmp_path / "kept", **options)
    with pytest.raises(InputError, match="belongs to a study with other settings, metrics or data"):
        crowd_coverage(CROWD, ["ld"], checkpoint=tmp_path / "kept", **{**options, **other})


def test_what_corrections_show_ends_before_the_last_of_them() -> None:
    """A reference more than there are corrections besides the output shows nothing; the smaller crowd decides."""
    crowd = [CROWD[0], Corrections("she like it", CROWD[1].texts[:3])]
    curve = crowd_coverage(crowd, most_references=4, confidence=QUICK).curve
    assert [point.observed is None for point in curve] == [False, False, True, True]
    # "goes" is twice among four, "likes" twice among three: two of six pairs of people agree, and two of six.
    assert curve[0].observed == pytest.approx((2 / 12 + 2 / 6) / 2)
    assert [point.bias for point in curve[2:]] == [1 - point.with_replacement for point in curve[2:]]
    assert len(crowd_coverage(crowd, most_references=1, confidence=QUICK).curve) == 1


def test_a_lucky_system_is_always_right_and_correct_sentences_stay() -> None:
    simulation = Simulation(corrections=CROWD, sentences=200, correct=50, most_references=3)
    for lucky in perfect_scores(simulation, metric("accuracy"), (1, 3), lucky=True, resampling=QUICK):
        assert lucky.score == 1
    corpus = simulation.corpus(3)
    assert all(set(corpus.texts_of(i)) == {corpus.sources[i]} for i in range(50))
    assert all(corpus.sources[i] in ("he go home", "she like it") for i in range(50, 200))
    assert simulation.perfect(corpus).hypotheses[:50] == list(corpus.sources[:50])


@pytest.mark.parametrize("replacement", [True, False])
def test_what_is_drawn_hangs_on_the_seed_alone(replacement: bool) -> None:
    """Drawn here once more: sources, then the references and the output of each, then which reference is lucky."""
    made = Simulation(corrections=CROWD, sentences=30, correct=4, most_references=3, replacement=replacement, seed=7)
    rng = np.random.default_rng(7)
    chosen = rng.integers(2, size=30)
    drawn = [rng.choice(4, 4, replace=replacement) for _ in chosen]
    luck = rng.integers(2**31, size=30)
    texts = [[CROWD[s].texts[c] for c in row] for s, row in zip(chosen, drawn, strict=True)]
    for references in (1, 3):
        corpus = made.corpus(references)
        assert corpus.sources == [
            row[-1] if i < 4 else CROWD[s].source for i, (s, row) in enumerate(zip(chosen, texts, strict=True))
        ]
        listed = [[row[-1]] * references if i < 4 else row[:references] for i, row in enumerate(texts)]
        assert [corpus.texts_of(i) for i in range(30)] == listed
        assert made.perfect(corpus).hypotheses == [row[-1] for row in texts]
        assert made.lucky(corpus).hypotheses == [row[k % references] for row, k in zip(listed, luck, strict=True)]
        assert not corpus.has_edits()
        cut = made.corpus(references, edits=True)
        assert (cut.extractor, [cut.texts_of(i) for i in range(30)]) == ("plain", listed)


def test_a_metric_with_an_extractor_cuts_references_as_it_cuts_outputs() -> None:
    moved = [Corrections("a b c d", ("b c d a", "d a b c"))] * 2
    simulation = Simulation(corrections=moved, sentences=20, correct=0, most_references=2, cut="matching")
    for lucky in perfect_scores(simulation, metric('errant(model="plain")'), (1, 2), lucky=True, resampling=QUICK):
        assert lucky.score == 1
        assert "|plain|" in lucky.signature


@pytest.mark.parametrize("name", ["m2", "gleu", "sari", "max-sari", "bleu", "accuracy"])
def test_more_references_are_those_before_and_one_more(name: str) -> None:
    simulation = Simulation(corrections=CROWD, sentences=100, correct=10, most_references=4)
    assert [listed[:2] for listed in simulation.corpus(4).references] == [
        list(listed) for listed in simulation.corpus(2).references
    ]
    few, many = perfect_scores(simulation, metric(name), (1, 4), resampling=QUICK)
    assert all(perfect.interval.low <= perfect.score <= perfect.interval.high for perfect in (few, many))
    if name in ("m2", "max-sari", "accuracy"):
        assert few.score <= many.score


def test_a_simulation_refuses_what_it_cannot_draw() -> None:
    with pytest.raises(InputError, match="has 4 corrections, too few for 4 references and one output"):
        Simulation(corrections=CROWD, most_references=4, replacement=False)
    with pytest.raises(InputError, match="3 references are asked for, but 2 were drawn"):
        Simulation(corrections=CROWD, most_references=2).corpus(3)
    with pytest.raises(InputError, match="136 correct sentences do not fit into a test set of 100"):
        Simulation(corrections=CROWD, sentences=100)
    assert (
        len(Simulation(corrections=CROWD, sentences=2, correct=0, most_references=3, replacement=False).corpus(3)) == 2
    )
    with pytest.raises(InputError, match="from 2 to 1,000,000 sentences, not 1,000,000,000"):
        Simulation(corrections=CROWD, sentences=10**9)


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
    [score] = true_scores(corpus, [corpus.system("mine", outputs)], resampling=Resampling(200))
    assert score.accuracy < 0.3
    assert score.true_accuracy == pytest.approx(0.6, abs=0.06)
    assert score.true_interval.low < 0.6 < score.true_interval.high
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
    alone = reference_coverage(Corpus.from_texts(["x", "y"], [["a", "x"], ["y", "y"]]))
    assert alone.changed == 0  # a single reference changes something, so none agrees with it


def test_only_metrics_want_blanks_between_words() -> None:
    """Whole corrections are compared; to cut the texts would change nothing."""
    source, other = "他明天昨天去学校上课。", "他昨天去学校上课了。"
    corpus = Corpus.from_texts([source, source + "吗"], [[other, source]] * 2)
    [few] = reference_coverage(corpus, {"mine": [source, other]}).notes
    assert few == "0 corrections were given by two annotators or more: so few that intervals may be too narrow"
    note, _ = reference_coverage(corpus, {"mine": [source, other]}, ["gleu"]).notes
    assert "no blanks between words" in note


def test_one_sentence_has_no_intervals() -> None:
    corpus = Corpus.from_texts(["x"], [["a", "a"]])
    [score] = true_scores(corpus, [corpus.system("mine", ["a"])], resampling=QUICK)
    assert (score.accuracy, score.interval, score.true_accuracy, score.true_interval) == (1, None, 1, None)
    [beside] = compare_with_people(corpus, [corpus.system("mine", ["a"])], [metric("accuracy")], resampling=QUICK)
    assert (beside.score, beside.interval, beside.people_interval) == (1, None, None)
    [point] = coverage_curve([Histogram(np.array([0.5]), np.array([2.0]))], 1, resampling=QUICK)
    assert (point.with_replacement, point.interval) == (0.5, None)
    with pytest.raises(InputError, match="a simulated test set has from 2 to 1,000,000 sentences, not 1"):
        Simulation(corrections=CROWD, sentences=1, correct=0)


def test_equation_7() -> None:
    for p_detect, p_coverage, alpha in [(0.8, 0.4, 0.0), (0.9, 0.5, 0.0), (0.9, 0.9, 0.2)]:
        p_correct = break_even(p_detect, p_coverage, alpha=alpha)
        rewarded = p_correct * p_coverage
        assert rewarded - (1 - rewarded) * alpha == pytest.approx(1 - p_detect)
    assert break_even(0.5, 0.0) == float("inf")
    with pytest.raises(InputError, match="p_detect is a probability"):
        break_even(1.5, 0.5)
    for alpha in (-1, float("nan"), float("inf")):
        with pytest.raises(InputError, match="alpha, the price of a wrong correction, cannot be"):
            break_even(0.5, 0.5, alpha=alpha)


def test_break_even_values_of_a_coverage() -> None:
    assert [value.ever_pays for value in break_even_values(0.5, alpha=0.0)] == [True] * 4  # p_correct = 1 is the edge
    with pytest.raises(InputError, match="alpha, the price of a wrong correction, cannot be -1"):
        break_even_values(None, alpha=-1)
    values = break_even_values(0.25, alpha=0.0)
    assert [value.p_correct for value in values] == pytest.approx([2, 0.8, 0.4, 0.2])
    assert [value.ever_pays for value in values] == [False, True, True, True]
    for unknown in (None, 0.0):
        values = break_even_values(unknown, alpha=0.0)
        assert [(value.p_detect, value.p_correct, value.ever_pays) for value in values] == [
            (0.5, None, None),
            (0.8, None, None),
            (0.9, None, None),
            (0.95, None, None),
        ]


def test_people_beside_systems() -> None:
    corpus = Corpus.from_texts(["a b", "c d"], [["a x", "a x"], ["c y", "c z"]])
    [row] = compare_with_people(corpus, [corpus.system("mine", ["a x", "c y"])], [metric("accuracy")])
    assert (row.people, row.score, row.ratio, row.above_people) == (0.5, 0.75, 1.5, True)
    assert row.signature.endswith("|annotators:all-but-one")
    assert (row.interval, row.people_interval, row.notes) == (None, None, ())
    [copy] = compare_with_people(corpus, [corpus.system("copy", ["a x", "c d"])], [metric("accuracy")])
    assert (copy.score, copy.ratio, copy.above_people) == (0.5, 1.0, False)  # as good as people is not above them
    assert [replace(copy, score=s, higher_is_better=False).above_people for s in (0.4, 0.5, 0.6)] == [
        True,
        False,
        False,
    ]
    assert replace(copy, people=0.0).ratio is None
    assert compare_with_people(corpus, [corpus.system("copy", ["a x", "c d"])], []) == []
    with pytest.raises(InputError, match="sentence 1 has 1 of 2"):
        compare_with_people(Corpus.from_texts(["a", "b"], [["x"], ["y", "z"]]), [], [metric("accuracy")])


def test_intervals_beside_people_are_those_of_means_over_annotators() -> None:
    """Accuracy is a mean over sentences, so the mean over annotators is one too."""
    references = [["a", "a"], ["b", "c"], ["d", "d"], ["e", "f"], ["g", "g"], ["h", "i"]]
    output = ["a", "b", "x", "f", "g", "y"]
    corpus = Corpus.from_texts(["s"] * 6, references)
    [row] = compare_with_people(corpus, [corpus.system("mine", output)], [metric("accuracy")], resampling=QUICK)
    of_system = [np.mean([text == b, text == a]) for text, (a, b) in zip(output, references, strict=True)]
    of_people = [float(a == b) for a, b in references]
    for score, interval, values in (
        (row.score, row.interval, of_system),
        (row.people, row.people_interval, of_people),
    ):
        assert score == pytest.approx(np.mean(values))
        assert interval == pytest.approx(bootstrap_interval(SentenceMean(np.array(values), SHARE), QUICK))
    assert f"|{QUICK.signature(len(corpus))}|" in row.signature


def test_thresholds_count_from_the_frequency_itself() -> None:
    [at] = thresholds([Histogram(np.array([0.1, 0.2]), np.array([2.0, 4.0]))], [0.1])
    assert (at.variants, at.mass) == (6, pytest.approx(1))


def test_true_accuracy_is_1_at_most() -> None:
    # A system that always gives the most popular correction matches half of the sentences, twice as many as people do.
    corpus = Corpus.from_texts(["x"] * 4, [["a", "b"], ["a", "c"], ["a", "a"], ["d", "e"]])
    [score] = true_scores(corpus, [corpus.system("popular", ["a"] * 4)], resampling=QUICK)
    assert (score.accuracy, score.true_accuracy, score.true_interval.high) == (0.75, 1, 1)


def test_a_crowd_in_one_call() -> None:
    crowd = {sentence.source: sentence.texts for sentence in CROWD}
    options = {"most_references": 2, "sentences": 40, "correct": 4, "confidence": QUICK}
    result = crowd_coverage(crowd, ["accuracy", "gleu"], **options)
    assert (result.sentences, result.unit, result.level, result.metrics) == (2, "exact", 0.95, ("accuracy", "gleu"))
    assert (result.summary.corrections, result.summary.different) == (4, 3)
    assert result.summary.variants.low == pytest.approx(np.mean([row.range.low for row in result.estimates]))
    assert [row.counts for row in result.estimates] == [(2, 1, 1), (2, 1, 1)]
    assert all((row.histogram.variants > 0).all() for row in result.estimates)
    assert [point.observed for point in result.curve] == pytest.approx([1 / 6, 1 / 3])
    assert [point.bias for point in result.curve] == pytest.approx([5 / 6, 2 / 3])
    assert [(score.metric, score.references) for score in result.scores] == [
        ("accuracy", 1),
        ("accuracy", 2),
        ("gleu", 1),
        ("gleu", 2),
    ]
    assert all("source:" in score.signature and "|gecval:" in score.signature for score in result.scores)
    assert (result.test_set.sentences, result.test_set.correct, result.test_set.seed) == (40, 4, 1)
    assert crowd_coverage(CROWD, ["accuracy", "gleu"], **options).to_dict() == result.to_dict()
    other = crowd_coverage(CROWD, ["accuracy"], **{**options, "confidence": Resampling(50, seed=2)})
    assert other.test_set.seed == 2
    assert other.scores[0].signature.split("|")[2:5] != result.scores[0].signature.split("|")[2:5]  # other sentences


def test_sentences_of_a_crowd_are_left_out_and_one_is_enough() -> None:
    crowd = [*CROWD, Corrections("fine", ("fine", "fine", "Fine .", "good"))]
    result = crowd_coverage(crowd, drop_unchanged=3, most_references=2, confidence=QUICK)
    assert (result.sentences, result.notes) == (
        2,
        ("1 of 3 sentences are left out: 3 people or more left them unchanged",),
    )
    single = crowd_coverage([CROWD[0], crowd[2]], ["gleu"], drop_unchanged=3, most_references=2, confidence=QUICK)
    assert (single.sentences, [point.interval for point in single.curve]) == (1, [None, None])
    with pytest.raises(InputError, match="no sentence is left: 1 person or more left them unchanged"):
        crowd_coverage(crowd[2:], drop_unchanged=1)


@pytest.mark.parametrize("crowd", [[], ["he goes"], [CROWD[0], Histogram(np.array([0.5]), np.array([2.0]))]])
def test_a_crowd_is_corrections_or_histograms(crowd: list[object]) -> None:
    with pytest.raises(InputError, match="give a dict from each source to its corrections, or what load_crowd returns"):
        crowd_coverage(crowd)


def test_histograms_have_no_texts() -> None:
    histograms = [Histogram(np.array([0.5]), np.array([2.0]))] * 3
    result = crowd_coverage(histograms, most_references=2, confidence=QUICK)
    assert (result.sentences, result.unit, result.summary, result.estimates) == (3, None, None, ())
    assert [point.with_replacement for point in result.curve] == [0.5, 0.75]
    with pytest.raises(InputError, match="histograms have no texts to score"):
        crowd_coverage(histograms, ["gleu"])
    with pytest.raises(InputError, match="most_references must lie between 1 and 1000, not 0"):
        crowd_coverage(histograms, most_references=0)


def test_files_of_a_crowd_are_of_one_kind(tmp_path: Path) -> None:
    table, histogram, large = (tmp_path / name for name in ("crowd.tsv", "hist.txt", "large.txt"))
    table.write_text("source\tcorrection\na\tx\na\ty\n")
    histogram.write_text("frequency\tvariants\n0.5\t2\n")
    large.write_text("frequency\tvariants\n1e-9\t1e9\n")
    assert load_crowd([table]) == load_crowd([str(table)]) == [Corrections("a", ("x", "y"))]
    with pytest.raises(InputError, match=r"load_crowd takes a list of files: load_crowd\(\["):
        load_crowd(str(table))
    assert [read.variants.tolist() for read in load_crowd([histogram, histogram])] == [[2], [2]]
    with pytest.raises(InputError, match=r"hist.txt is a histogram, .*crowd.tsv is not"):
        load_crowd([table, histogram])
    (tmp_path / "most.txt").write_text("frequency\tvariants\n1.5384615384615385e-8\t65000000\n")
    assert load_crowd([tmp_path / "most.txt"])[0].variants.tolist() == [65_000_000]
    with pytest.raises(InputError, match=r"large.txt has 1e\+09 variants; UnseenEst gives 65,000,000 at most"):
        load_crowd([large])
    with pytest.raises(InputError, match="there is no file"):
        load_crowd([])


def test_own_references_in_one_call() -> None:
    corpus = Corpus.from_texts(["a b", "c d", "e f"], [["a x", "a x"], ["c y", "c z"], ["e f", "e f"]])
    outputs = {"mine": ["a x", "c y", "e f"], "copy": ["a b", "c d", "e f"]}
    result = reference_coverage(corpus, outputs, ["accuracy"], alpha=0.5, score_intervals=True, confidence=QUICK)
    assert (result.sentences, result.references, result.alpha, result.level) == (3, 2, 0.5, 0.95)
    assert [value.p_correct for value in result.break_even] == pytest.approx(
        [break_even(p_detect, result.changed, alpha=0.5) for p_detect in (0.5, 0.8, 0.9, 0.95)]
    )
    assert [score.system for score in result.true_scores] == ["mine", "copy"]
    assert [(row.system, row.metric, row.score) for row in result.people] == [
        ("mine", "accuracy", pytest.approx(5 / 6)),
        ("copy", "accuracy", pytest.approx(1 / 3)),
    ]
    assert all(row.interval and row.people_interval for row in result.people)
    unsure = reference_coverage(corpus, outputs, ["accuracy"], confidence=QUICK)
    assert {(row.interval, row.people_interval) for row in unsure.people} == {(None, None)}
    alone = reference_coverage(corpus)
    assert (alone.coverage, alone.true_scores, alone.people) == (result.coverage, (), ())
    with pytest.raises(InputError, match="metrics compare systems with people: give the systems' outputs too"):
        reference_coverage(corpus, metrics=["accuracy"])


def test_the_observed_figure_has_an_interval_and_what_lies_beyond_a_range() -> None:
    """Four people corrected each sentence: of three references or fewer the coverage is seen, of more it is not."""
    rng = np.random.default_rng(4)
    crowd = {f"s{i}": [f"c{c}" for c in rng.integers(1, 4 + i % 3, size=4)] for i in range(30)}
    result = crowd_coverage(crowd, most_references=6)
    seen, beyond = result.curve[:3], result.curve[3:]
    for point in seen:
        assert point.observed_interval.low < point.observed < point.observed_interval.high
        assert point.range is None
    for point in beyond:
        assert (point.observed, point.observed_interval) == (None, None)
        assert point.range.low < point.with_replacement < point.range.high
    assert "range" in str(result)
    assert "range" not in str(crowd_coverage(crowd, most_references=3))
    few = crowd_coverage(dict(list(crowd.items())[:5]), most_references=2)
    assert "intervals of fewer than 20 sentences are too narrow" in str(few)


def test_coverage_of_references_has_an_interval_that_is_wider_than_the_range_of_histograms() -> None:
    """Half of the sentences have two equal references, half two that differ."""
    references = [["a", "a"] if i % 2 else ["a", "b"] for i in range(40)]
    result = reference_coverage(Corpus.from_texts(["x"] * 40, references))
    assert result.interval.low < result.range.low <= result.coverage <= result.range.high < result.interval.high
    wide = reference_coverage(Corpus.from_texts(["x"] * 40, references), confidence=Resampling(level=0.99))
    assert wide.interval.low < result.interval.low
    assert reference_coverage(Corpus.from_texts(["x"], [["a", "b"]])).interval is None


def test_how_likely_each_accuracy_is() -> None:
    """Two sentences with one correction each, another of which is rarer: right with probability 1 and 0.5² + 0.5²."""
    sure, coin = Histogram(np.array([1.0]), np.array([1.0])), Histogram(np.array([0.5]), np.array([2.0]))
    one, two = accuracy_distributions([sure, coin], 2, level=0.5)
    assert one.probabilities == pytest.approx((0.0, 0.5, 0.5))
    assert (one.interval, one.deviation) == (Interval(0.5, 1.0), 0.25)
    assert two.probabilities == pytest.approx((0.0, 0.25, 0.75))
    assert two.references == 2
