"""What a metric must beat: the amount of change alone, and how far a second judge agrees."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, System
from gecval.formats.judgments import Judgment, Judgments, Placement
from gecval.metrics import FunctionMetric
from gecval.metrics.evaluation import Evaluation
from gecval.studies.human.preferences import (
    CONTROLS,
    AmountOfChange,
    Control,
    count_preferred,
    explain_confound,
    measure_accuracy,
)
from gecval.studies.human.ranking import Ranker
from gecval.studies.human.study import human
from gecval.studies.human.system_scores import Evaluations, HumanOptions

SOURCE = "one two three four five six"
# With 0, 1, 1 and 2 edits; the second edit of a sentence changes more letters than the first.
OUTPUTS = {
    "same": SOURCE,
    "short": "one two three four five six .",
    "other": "one two three four five sixteen",
    "both": "an two three four five sixteen",
}
RANKS = st.lists(st.integers(1, 3), min_size=4, max_size=4)


def judged(*items: tuple[int, str, list[int]], sentences: int = 3) -> tuple[Judgments, Corpus, list[System]]:
    """Each item: a sentence, a judge, and the ranks of the four outputs."""
    listed = tuple(
        Judgment(sentence, judge, tuple(Placement((name,), rank) for name, rank in zip(OUTPUTS, ranks, strict=True)))
        for sentence, judge, ranks in items
    )
    corpus = Corpus.from_texts([SOURCE] * sentences)
    return (
        Judgments("mine", listed, first=0),
        corpus,
        [corpus.system(name, [text] * sentences) for name, text in OUTPUTS.items()],
    )


def test_the_amount_of_change() -> None:
    _, corpus, systems = judged((0, "anna", [1, 2, 3, 3]))
    change = AmountOfChange.of(corpus, systems)
    assert change.edits[:, 0].tolist() == [0, 1, 1, 2]
    assert (np.diff(change.likeness[:, 0]) < 0).all()
    assert change.only(["both", "same"]).edits.tolist() == [[2] * 3, [0] * 3]


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("ab"), RANKS), min_size=1, max_size=6))
def test_shares_are_those_of_all_pairs(items: list[tuple[int, str, list[int]]]) -> None:
    judgments, corpus, systems = judged(*items)
    edits = {name: int(number) for name, number in zip(OUTPUTS, [0, 1, 1, 2], strict=True)}
    more = fewer = pairs = 0
    second = []
    for sentence, judge, ranks in items:
        of = dict(zip(OUTPUTS, ranks, strict=True))
        for a, b in combinations(OUTPUTS, 2):
            better, worse = (a, b) if of[a] < of[b] else (b, a)
            if of[a] == of[b]:
                continue
            pairs += 1
            more += edits[better] > edits[worse]
            fewer += edits[better] < edits[worse]
            for elsewhere, other, others in items:
                if elsewhere == sentence and other != judge:
                    theirs = dict(zip(OUTPUTS, others, strict=True))
                    difference = theirs[worse] - theirs[better]
                    second.append(0.5 if difference == 0 else float(difference > 0))
    found = count_preferred(judgments, AmountOfChange.of(corpus, systems), resamples=5)
    assert (found.more_edits.pairs, found.second_judge.pairs) == (pairs, len(second))
    if pairs:
        assert (found.more_edits.value, found.fewer_edits.value) == (more / pairs, fewer / pairs)
    if second:
        assert found.second_judge.value == pytest.approx(np.mean(second))


def test_accuracy_over_pairs_with_equal_edits() -> None:
    """Only *short* and *other* have equally many edits; a metric of length prefers *other*."""
    length = FunctionMetric(lambda source, hypothesis, references: float(len(hypothesis)), "length")
    judgments, corpus, systems = judged((0, "anna", [1, 2, 3, 4]), (1, "anna", [4, 3, 2, 1]), (2, "ben", [4, 3, 2, 1]))
    evaluations, change = Evaluations.of(length, corpus, systems), AmountOfChange.of(corpus, systems)
    accuracy = measure_accuracy(judgments, evaluations, change=change)
    assert accuracy.equal_edits is not None
    assert accuracy.over_more_changes is not None
    assert (accuracy.equal_edits.pairs, accuracy.equal_edits.value) == (3, pytest.approx(2 / 3))
    by_change = measure_accuracy(judgments, Evaluations.of(Control("more changes"), corpus, systems))
    assert by_change.accuracy == pytest.approx(2 / 3)
    assert accuracy.over_more_changes.value == pytest.approx(accuracy.accuracy - by_change.accuracy)
    assert measure_accuracy(judgments, evaluations).equal_edits is None


def test_controls_see_no_grammar() -> None:
    _, corpus, systems = judged((0, "anna", [1, 2, 3, 3]))
    scores = {name: [Evaluation.of(Control(name), corpus, system).score() for system in systems] for name in CONTROLS}
    assert scores["more changes"] == sorted(scores["more changes"])
    assert scores["fewer changes"] == [-score for score in scores["more changes"]]
    assert scores["longer"] == [len(text) for text in OUTPUTS.values()]
    assert scores["the source"] == [1, 0, 0, 0]
    assert len(set(scores["random"])) == 4
    again = [Evaluation.of(Control("random"), corpus, system).score() for system in systems]
    assert again == scores["random"]
    assert all(0 <= score < 1 for score in again)


def test_a_metric_of_change_is_said_not_to_be_distinguishable() -> None:
    """People prefer what was changed most. So does the metric, to the letter; another one does not."""
    items = [(i, "anna", [4, 3, 2, 1]) for i in range(3)]
    judgments, corpus, systems = judged(*items)
    options = HumanOptions(ranker=Ranker(methods=("expected-wins",), resamples=50))
    result = human(judgments, corpus, systems, ["levenshtein", FunctionMetric(_unlike, "unlike")], options=options)
    assert [(row.metric, row.over_more_changes.value) for row in result.accuracies if row.over_more_changes] == [
        ("levenshtein", -1.0),
        ("unlike", 0.0),
    ]
    assert [row.metric for row in result.control_accuracies] == list(CONTROLS)
    assert [row.metric for row in result.controls] == list(CONTROLS)
    assert result.controls[0].pearson.value > 0.9
    [pairs] = result.preferred
    assert (pairs.more_edits.value, pairs.fewer_edits.value, pairs.second_judge.pairs) == (5 / 6, 0.0, 0)
    assert list(explain_confound("mine", result.accuracies)) == [
        "mine: over pairs of outputs, not distinguishable from *more changes*: unlike",
        "mine: over pairs of outputs, *more changes* agrees better with people than levenshtein",
    ]
    assert set(explain_confound("mine", result.accuracies)) <= set(result.notes)


def _unlike(source: str, hypothesis: str, references: object) -> float:
    return float(list(OUTPUTS.values()).index(hypothesis))


def test_without_metrics_there_are_no_controls() -> None:
    result = human(judged((0, "anna", [1, 2, 3, 4]))[0])
    assert (result.controls, result.control_accuracies, result.preferred) == ((), (), ())
