"""The sentences that decide, as tables: what the footnotes say of a set, and how long texts are cut."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gecval.studies.compare.deciding import DecidingPair, InfluentialSentence, _set_table, cut, pair_table

SENTENCE = InfluentialSentence(
    sentence=7,
    influence=0.125,
    decides=True,
    source="He go .",
    baseline_hypothesis="He go .",
    hypothesis="He goes .",
    baseline_score=0.25,
    score=0.75,
)
PAIR = DecidingPair(
    metric="gleu",
    baseline="old",
    system="new",
    difference=0.5,
    sentences=(7, 2, 9),
    of=20,
    difference_without=-0.25,
    at_least=3,
    influential=(SENTENCE, replace(SENTENCE, sentence=1, influence=-0.25, decides=False)),
)
INFLUENCE = "influence: new − old over all sentences, minus the same without this one"


def facts(**changed: object) -> list[str]:
    *said, influence = pair_table(replace(PAIR, **changed)).footnotes
    assert influence == INFLUENCE
    return said


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "without them -0.2500; no smaller set does it"),
        ({"sentences": (7,), "at_least": 1}, "without it -0.2500; no smaller set does it"),
        ({"at_least": 2}, "without them -0.2500; no smaller set was found; it takes 2 at least"),
        (
            {"at_least": 1},
            "without them -0.2500; no smaller set was found; this is no proof that there is none",
        ),
        (
            {"at_least": 1, "proven_as_chosen": True},
            "without them -0.2500; no smaller set does it while every sentence keeps the reference that the whole "
            "corpus chose",
        ),
        (
            {"until": "significance", "p_without": 0.06251},
            "without them -0.2500, p = 0.063, not corrected; one sentence fewer, in the order of influence, does not "
            "do it",
        ),
    ],
)
def test_what_is_said_of_a_set(changed: dict[str, object], said: str) -> None:
    assert facts(**changed)[0] == f"new − old: +0.5000; {said}"


@pytest.mark.parametrize("changed", [{"sentences": None}, {"sentences": ()}, {"difference_without": None}])
def test_where_no_set_was_found_nothing_is_said_of_it(changed: dict[str, object]) -> None:
    assert facts(**changed) == []


def test_forty_numbers_of_sentences_are_listed() -> None:
    def listed(count: int) -> str:
        return facts(sentences=tuple(range(1, count + 1)), of=100)[1]

    forty = f"sentences: {', '.join(map(str, range(1, 41)))}"
    assert listed(3) == "sentences: 1, 2, 3"
    assert (listed(40), listed(41), listed(42)) == (forty, f"{forty} and 1 more", f"{forty} and 2 more")


def test_three_rows_for_each_sentence() -> None:
    assert pair_table(PAIR).rows[:4] == [
        [7, 0.125, "yes", "source", None, "He go ."],
        [None, None, None, "old", 0.25, "He go ."],
        [None, None, None, "new", 0.75, "He goes ."],
        [1, -0.25, "no", "source", None, "He go ."],
    ]


def test_a_row_for_each_set() -> None:
    table = _set_table([PAIR, replace(PAIR, sentences=None, difference_without=None, at_least=1)])
    assert table.rows == [
        ["gleu", "old", "new", 0.5, "sign", 3, 20, 3, "yes", -0.25, None, "7 2 9"],
        ["gleu", "old", "new", 0.5, "sign", None, 20, 1, "no", None, None, ""],
    ]
    [row] = _set_table([replace(PAIR, p_without=0.25)]).rows
    assert row[-2:] == [0.25, "7 2 9"]


WORDS = " ".join(f"word{k}" for k in range(20))


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (["x" * 70, "y"], ["x" * 70, "y"]),  # all of it is shown
        (["x" * 71, "y"], ["x" * 69 + "…", "y"]),
        (["x" * 68 + " yyyy", "z"], ["x" * 68 + "…", "z"]),  # no blank before the dots
        (["a " + "x" * 80, "a z"], ["a " + "x" * 67 + "…", "a z"]),  # fewer than four words are alike: all are shown
        (
            ["a b c d e " + "x" * 80, "a b c d e z"],
            ["…b c d e " + "x" * 60 + "…", "…b c d e z"],
        ),
        (["a b c d e " + "x" * 61, "a b c d e z"], ["…b c d e " + "x" * 61, "…b c d e z"]),  # 70 signs
        ([WORDS] * 2, [WORDS[:69].rstrip() + "…"] * 2),  # nothing differs
        ([WORDS, f"{WORDS} more"], ["…word16 word17 word18 word19", "…word16 word17 word18 word19 more"]),
    ],
)
def test_long_texts_are_cut_around_what_differs(texts: list[str], shown: list[str]) -> None:
    assert cut(texts) == shown
