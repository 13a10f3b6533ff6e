"""Change points: each entry against the beginning of its stretch, with looks that are counted."""

from __future__ import annotations

import numpy as np
import pytest

from gecval import Corpus, Resampling, metric
from gecval.metrics.evaluation import Evaluation
from gecval.stats.noninferiority import interval_of_difference, level_at, steps

SIZE = 60
CORPUS = Corpus.from_texts(["a"] * SIZE, [["b"]] * SIZE)


def accuracy(right: int) -> Evaluation:
    outputs = ["b"] * right + ["a"] * (SIZE - right)
    return Evaluation.of(metric("accuracy"), CORPUS, CORPUS.system("s", outputs))


def walk(*right: int, level: float = 0.95) -> list[tuple[int, int, bool]]:
    made = steps([accuracy(n) for n in right], [str(n) for n in right], level)
    return [(step.since, step.look, step.changed) for step in made]


def test_a_jump_is_a_change_and_begins_a_stretch() -> None:
    assert walk(10, 11, 50, 49, 12) == [(0, 0, False), (0, 1, False), (0, 2, True), (2, 1, False), (2, 2, True)]


def test_a_slow_drift_is_found() -> None:
    made = walk(*range(10, 26, 2))
    assert sum(changed for _, _, changed in made) == 1
    assert not any(changed for _, _, changed in made[:3])


def test_the_same_output_is_no_new_look() -> None:
    assert walk(10, 11, 10, 11, 12) == [(0, 0, False), (0, 1, False), (0, 0, False), (0, 1, False), (0, 2, False)]


def test_an_output_from_before_a_change_is_a_new_look() -> None:
    assert walk(10, 50, 10) == [(0, 0, False), (0, 1, True), (1, 1, True)]


def test_the_interval_is_that_of_counted_looks() -> None:
    scored = [accuracy(n) for n in (20, 22, 25)]
    first, second, third = steps(scored, ["1", "2", "3"], 0.9)
    assert (first.interval, first.level, first.difference) == (None, None, 0.0)
    assert second.level == level_at(1, 0.9) == pytest.approx(0.95)
    assert third.level == level_at(2, 0.9)
    assert third.interval == interval_of_difference(scored[0], scored[2], level_at(2, 0.9), Resampling())
    assert third.difference == pytest.approx(5 / SIZE)


def test_a_lower_level_finds_more() -> None:
    assert [walk(20, 24, level=level)[1][2] for level in (0.9999, 0.5)] == [False, True]


def test_a_history_without_entries_has_no_steps() -> None:
    assert steps([], []) == []
    assert len(steps([accuracy(3)], ["x"])) == 1


def test_equal_systems_raise_few_alarms() -> None:
    rng, alarms = np.random.default_rng(1), 0
    for _ in range(60):
        drawn = [rng.random(SIZE) < 0.5 for _ in range(15)]
        outputs = [["b" if right else "a" for right in entry] for entry in drawn]
        scored = [Evaluation.of(metric("accuracy"), CORPUS, CORPUS.system("s", output)) for output in outputs]
        alarms += any(step.changed for step in steps(scored, [str(n) for n in range(15)]))
    assert alarms <= 6  # 3 are promised


def test_commits_are_compared_over_whole_documents() -> None:
    """Six documents of ten sentences: one that is right as a whole is chance, ten sentences are not."""
    scored, names = [accuracy(n) for n in (20, 30)], ["1", "2"]
    documents = Resampling(documents=tuple(range(0, SIZE, 10)))
    alone, together = steps(scored, names), steps(scored, names, resampling=documents)
    assert [made[1].changed for made in (alone, together)] == [True, False]
