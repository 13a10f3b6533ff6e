"""Is the test set large enough? What the study computes, refuses and notes."""

from __future__ import annotations

import pytest

from gecval import Corpus, InputError, System, metric, power
from gecval.studies.power import study as run

CORPUS = Corpus.from_texts(["a"] * 40, [["b", "c"]] * 40)
OLD = CORPUS.system("old", ["a"] * 30 + ["b"] * 10)
NEW = {"new": ["b"] * 4 + ["c"] * 6 + ["a"] * 30}
WIDE = {"differences": [0.1, 0.2], "sentences": [10, 500], "annotators": [1, 2]}


def test_a_curve_for_each_metric_number_of_references_and_difference() -> None:
    result = power(CORPUS, OLD, NEW, ["accuracy", "ld"], **WIDE)
    assert [(c.metric, c.annotators, abs(c.difference)) for c in result] == [
        (name, number, size) for name in ("accuracy", "ld") for number in (1, 2) for size in (0.1, 0.2)
    ]
    assert [point.sentences for point in result[0].points] == [10, 40, 500]
    for curve in result:
        assert curve.sentences == 40
        assert curve.chance == curve.points[1].chance
        assert not curve.observed
        assert curve.more == max(0, curve.needed - 40)
        assert curve.points[0].chance < curve.points[2].chance
        assert curve.carriers < 40  # the mean over choices of references
    assert result[0].needed > result[1].needed


def test_with_one_of_two_references_half_of_what_is_right_counts() -> None:
    one, two = power(CORPUS, OLD, NEW, ["accuracy"], annotators=[1, 2], simulations=4000)
    assert two.difference == 0.0
    assert one.difference == pytest.approx(0, abs=0.1)
    assert one.detectable < two.detectable  # fewer sentences differ
    assert two.needed is None  # no number of sentences shows a difference that is none
    assert two.more is None
    assert two.chance == pytest.approx(0.05, abs=0.001)


def test_all_references_are_the_default() -> None:
    [every], [two] = (power(CORPUS, OLD, NEW, ["accuracy"], annotators=some, differences=[0.1]) for some in ((), (2,)))
    assert (every.chance, every.needed) == (two.chance, two.needed)
    assert (every.annotators, two.annotators) == (None, 2)


def test_sizes_have_the_sign_of_the_observed_difference() -> None:
    better, worse = CORPUS.system("better", ["b"] * 40), {"worse": ["a"] * 20 + ["b"] * 20}
    [curve] = power(CORPUS, better, worse, ["accuracy"], differences=[0.3])
    assert curve.difference == -0.3
    [observed] = power(CORPUS, better, worse, ["accuracy"])
    assert (observed.difference, observed.observed) == (-0.5, True)
    assert [point.sentences for point in observed.points] == [5, 10, 20, 40, 80, 160, 320]
    assert (observed.sentences, observed.signature.split("|")[-2:]) == (40, ["simulations:2000", "seed:1"])
    assert observed.needed < 40
    assert observed.more == 0


def test_few_carriers_are_a_note() -> None:
    one_sentence = {"new": ["a"] * 29 + ["b"] * 11}
    [note] = power(CORPUS, OLD, one_sentence, ["accuracy"], simulations=100, sentences=[40]).notes
    assert "rests on the weight of about 1 of 40 sentences" in note
    assert power(CORPUS, OLD, NEW, ["accuracy"], sentences=[40]).notes == ()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"differences": [0]}, "a difference is a number above 0, not 0"),
        ({"differences": [float("inf")]}, "a difference is a number above 0, not inf"),
        ({"sentences": [1]}, "a test set has from 2 to 1,000,000,000 sentences, not 1"),
        ({"annotators": [3]}, "sentences here have up to 2 references, so nothing shows what 3 of them would do"),
        ({"annotators": [0]}, "sentences here have up to 2 references"),
        ({"chance": 1}, "the chance lies between 0.05 and 1, not 1"),
        ({"chance": 0.05}, "the chance lies between 0.05 and 1, not 0.05"),
        ({"simulations": 1}, "a power takes from 2 to 100,000 simulations, not 1"),
    ],
)
def test_refusals(wrong: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        power(CORPUS, OLD, NEW, ["accuracy"], **wrong)


@pytest.mark.parametrize(
    ("held", "shown", "said"),
    [
        (3.0, 133, "below 134 sentences"),  # ten times 40 / 3
        (3.0, 134, None),
        (0.5, 799, "about 0 of 40 sentences; the chances below 800 sentences"),
        (0.0, 39, "below 40 sentences"),
        (0.0, 40, None),
    ],
)
def test_where_chances_are_rough(held: float, shown: int, said: str | None) -> None:
    notes = run._rough(metric("accuracy"), CORPUS.system("new", NEW["new"]), held, 40, [shown])
    assert [said in note for note in notes] == ([] if said is None else [True])


def test_choices_of_references() -> None:
    """Eight, of so many references of each sentence; all where it has no more. One where none has more."""
    corpus = Corpus.from_texts(["a", "b"], [["x", "y", "z"], ["x"]])
    for number, choices in ((1, 8), (2, 8), (3, 1)):
        made = [[of_sentence.tolist() for of_sentence in choice] for choice in run._choices(corpus, number, 1)]
        assert len(made) == choices
        for first, second in made:
            assert (len(first), second) == (number, [0])
            assert first == sorted(set(first))
    assert [curve.annotators for curve in power(corpus, *two(corpus), ["accuracy"], annotators=[3])] == [3]


def two(corpus: Corpus) -> tuple[System, dict[str, list[str]]]:
    return corpus.system("old", list(corpus.sources)), {"new": ["x", *corpus.sources[1:]]}


def test_sizes_of_a_small_corpus() -> None:
    seven = Corpus.from_texts(["a"] * 7, [["x"]] * 7)
    [curve] = power(seven, *two(seven), ["accuracy"])
    assert [point.sentences for point in curve.points] == [2, 4, 7, 14, 28, 56]


def test_what_is_just_allowed() -> None:
    pair = Corpus.from_texts(["a", "b"], [["x"]] * 2)
    [curve] = power(pair, *two(pair), ["accuracy"], sentences=[2], chance=0.06, simulations=20)
    assert curve.sentences == 2
    run._check(pair, [1e-9], [2, 1_000_000_000], [1], chance=0.06, simulations=2)
    run._check(pair, [], [], [], chance=0.99, simulations=100_000)
    with pytest.raises(InputError, match="from 2 to 100,000 simulations, not 100,001"):
        run._check(pair, [], [], [], chance=0.8, simulations=100_001)


def test_samples_that_all_look_alike_show_nothing() -> None:
    """Of four draws of two sentences, none has the only sentence that differs; of forty, some do."""
    one_sentence = {"new": ["a"] * 29 + ["b"] * 11}
    with pytest.raises(InputError, match="accuracy scores new and old alike on all samples"):
        power(CORPUS, OLD, one_sentence, ["accuracy"], simulations=4, sentences=[2])


def test_equal_outputs_show_nothing() -> None:
    with pytest.raises(InputError, match="accuracy scores same and old alike on all samples"):
        power(CORPUS, OLD, {"same": OLD.hypotheses}, ["accuracy"])
    one = Corpus.from_texts(["a"], [["b"]])
    with pytest.raises(InputError, match="two sentences or more"):
        power(one, one.system("x", ["a"]), {"y": ["b"]}, ["accuracy"])
