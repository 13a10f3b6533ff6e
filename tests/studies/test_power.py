"""Is the test set large enough? What the study computes, refuses and notes."""

from __future__ import annotations

import pytest

from gecval import Corpus, InputError, power

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


def test_equal_outputs_show_nothing() -> None:
    with pytest.raises(InputError, match="accuracy scores same and old alike on all samples"):
        power(CORPUS, OLD, {"same": OLD.hypotheses}, ["accuracy"])
    one = Corpus.from_texts(["a"], [["b"]])
    with pytest.raises(InputError, match="two sentences or more"):
        power(one, one.system("x", ["a"]), {"y": ["b"]}, ["accuracy"])
