"""Every pair of systems: who is tested against whom, corrected p-values, ranges of ranks, clusters."""

from __future__ import annotations

from itertools import combinations

import pytest

from gecval import Corpus, InputError, Resampling, compare, compare_all, score
from gecval.stats.paired_tests import correct_p_values

SENTENCES = 60
SOURCES = [f"a{i} b ." for i in range(SENTENCES)]
REFERENCES = [[f"a{i} c ."] for i in range(SENTENCES)]


def outputs(right: int) -> list[str]:
    """The first so many sentences are right, the others unchanged."""
    return [REFERENCES[i][0] if i < right else SOURCES[i] for i in range(SENTENCES)]


CORPUS = Corpus.from_texts(SOURCES, REFERENCES)
SYSTEMS = {"poor": outputs(3), "good": outputs(50), "like": outputs(49), "half": outputs(25)}


def test_every_pair_once_the_better_as_the_system() -> None:
    pairs = compare_all(CORPUS, SYSTEMS, ["accuracy", "ld"])
    order = ["good", "like", "half", "poor"]
    assert [(pair.system, pair.baseline) for pair in pairs if pair.metric == "accuracy"] == list(combinations(order, 2))
    assert len(pairs) == 12
    # Under LD the source is best: whoever changes least.
    assert [score.system for score in pairs.scores] == [*order, *reversed(order)]
    assert all(pair.difference > 0 for pair in pairs)


def test_each_pair_is_what_compare_gives() -> None:
    systems = [CORPUS.system(name, hypotheses) for name, hypotheses in SYSTEMS.items()]
    by_name = {system.name: system for system in systems}
    """How many others are tested changes no p before the correction."""
    how = Resampling(500)
    pairs = compare_all(CORPUS, systems, ["accuracy"], confidence=how, correction="none")
    for pair in pairs:
        [alone] = compare(CORPUS, by_name[pair.baseline], [by_name[pair.system]], ["accuracy"], confidence=how)
        assert pair == alone
    plain = [pair.p for pair in pairs]
    holm = compare_all(CORPUS, systems, ["accuracy"], confidence=Resampling(500))
    assert [pair.p for pair in holm] == correct_p_values(plain, "holm")
    assert [pair.p_bootstrap for pair in holm] == [pair.p_bootstrap for pair in pairs]
    assert {pair.correction for pair in holm} == {"holm"}


def test_a_correction_counts_all_tests_of_a_call_or_those_of_each_metric() -> None:
    first, *others = (CORPUS.system(name, hypotheses) for name, hypotheses in SYSTEMS.items())
    plain = compare(CORPUS, first, others, ["accuracy", "ld"])
    p_values = [pair.p for pair in plain]
    together = compare(CORPUS, first, others, ["accuracy", "ld"], correction="holm")
    assert [pair.p for pair in together] == correct_p_values(p_values, "holm")
    apart = compare(CORPUS, first, others, ["accuracy", "ld"], correction="holm", family="metric")
    assert [pair.p for pair in apart] == [
        *correct_p_values(p_values[:3], "holm"),
        *correct_p_values(p_values[3:], "holm"),
    ]
    assert p_values == [pair.p_studentised for pair in plain]
    larger = compare(CORPUS, first, others, ["accuracy", "ld"], test="larger")
    assert [pair.p for pair in larger] == [max(pair.p_bootstrap, pair.p_randomisation) for pair in plain]


def test_clusters_are_told_apart_by_chance() -> None:
    scores = score(CORPUS, SYSTEMS, ["accuracy", "ld"], clusters=True)
    places = {system: (scores[system, "accuracy"].ranks, scores[system, "accuracy"].cluster) for system in SYSTEMS}
    # One sentence more is chance, twenty more are not.
    assert places == {"good": ((1, 2), 1), "like": ((1, 2), 1), "half": ((3, 3), 2), "poor": ((4, 4), 3)}
    # Each score has its interval, the same as without clusters.
    alone = score(CORPUS, SYSTEMS, ["accuracy", "ld"], confidence=Resampling())
    assert [entry.interval for entry in scores] == [entry.interval for entry in alone]
    assert [entry.score for entry in scores] == [entry.score for entry in alone]
    assert {entry.ranks for entry in alone} == {None}


def test_where_lower_is_better_the_lowest_ranks_first() -> None:
    from gecval.metrics.accuracy import Accuracy

    class Errors(Accuracy):
        higher_is_better = False

    pairs = compare_all(CORPUS, SYSTEMS, [Errors()])
    assert [entry.system for entry in pairs.scores] == ["poor", "half", "like", "good"]
    assert pairs.scores[0].score == 3 / SENTENCES
    assert pairs.scores[0].ranks == (1, 1)
    assert all(pair.difference < 0 and pair.system_is_better for pair in pairs)


def test_too_few_resamples_for_so_many_pairs() -> None:
    pairs = compare_all(CORPUS, SYSTEMS, ["accuracy"], confidence=Resampling(100), test="larger")
    assert pairs.notes[0] == (
        "with 6 comparisons and 100 resamples no corrected p can be below 0.05; take 1000 resamples"
    )
    assert not any(pair.significant for pair in pairs)
    enough = compare_all(CORPUS, SYSTEMS, ["accuracy"], confidence=Resampling(120), test="larger")
    uncorrected = compare_all(
        CORPUS, SYSTEMS, ["accuracy"], confidence=Resampling(100), correction="none", test="larger"
    )
    assert not any("resamples" in note for note in enough.notes + uncorrected.notes)


def test_what_cannot_be_ranked() -> None:
    with pytest.raises(InputError, match="there is no pair: give two systems or more"):
        compare_all(CORPUS, {"good": outputs(3)}, ["accuracy"])
    with pytest.raises(InputError, match="a ranking needs two systems or more"):
        score(CORPUS, {"good": outputs(3)}, ["accuracy"], clusters=True)
    single = Corpus.from_texts(["a"], [["b"]])
    with pytest.raises(InputError, match="a ranking needs two sentences or more"):
        score(single, {"x": ["a"], "y": ["b"]}, ["accuracy"], clusters=True)


def test_notes_of_the_corpus_are_those_of_the_comparisons() -> None:
    corpus = Corpus(CORPUS.sources, CORPUS.references, notes=("a note of the corpus",))
    first, *others = (corpus.system(name, hypotheses) for name, hypotheses in SYSTEMS.items())
    for compared in (compare(corpus, first, others, ["accuracy"]), compare_all(corpus, SYSTEMS, ["accuracy"])):
        assert compared.notes[-1] == "a note of the corpus"
