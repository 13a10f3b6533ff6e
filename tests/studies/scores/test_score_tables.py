"""Scores and comparisons as tables: what is bold, what heads a column, what a footnote says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gecval import Corpus, Resampling, compare, score
from gecval.metrics.accuracy import Accuracy
from gecval.stats import Interval
from gecval.studies.scores.result import Score, Scores, score_table, sentence_table


def scored(system: str, metric: str, value: float, **more: Any) -> Score:
    return Score(
        system=system,
        metric=metric,
        score=value,
        parts={"precision": 0.5, "correct": 3} if metric == "m2" else {},
        signature=f"{metric}|bca:0.95|seed:1",
        higher_is_better=metric != "perplexity",
        **more,
    )


def result(*scores: Score) -> Scores:
    return Scores(scores=scores)


def test_a_users_metric_says_which_way_is_up() -> None:
    class Errors(Accuracy):
        higher_is_better = False

    corpus = Corpus.from_texts(["a", "b"], [["c"], ["d"]])
    good, bad = corpus.system("good", ["c", "d"]), corpus.system("bad", ["x", "x"])
    assert score_table(score(corpus, [good, bad], [Errors()])).bold == {(1, 1)}
    [comparison] = compare(corpus, good, [bad], [Errors()], confidence=Resampling(10))
    assert not comparison.higher_is_better
    assert score_table(score(corpus, [good, bad], [Accuracy()])).bold == {(0, 1)}


def test_a_public_corpus_has_its_name_above_the_signatures() -> None:
    signed = [replace(scored("a", m, 0.5), signature=f"{m}|aggregate:corpus|source:4c12b583|x") for m in ("gleu", "ld")]
    notes = score_table(result(*signed)).footnotes
    assert notes == ["source:4c12b583 is the CoNLL-2014 test set", *(row.signature for row in signed)]
    unknown = replace(signed[0], signature="gleu|aggregate:corpus|source:00000000|x")
    assert score_table(result(unknown)).footnotes == [unknown.signature]


@pytest.mark.parametrize(("level", "head"), [(0.95, "95%"), (0.999, "99.9%"), (0.9, "90%"), (0.07, "7%")])
def test_the_level_of_an_interval(level: float, head: str) -> None:
    made = score_table(result(scored("a", "gleu", 0.2, interval=Interval(0.1, 0.3), level=level)))
    assert made.columns == ["system", "gleu", f"{head} interval"]
    assert made.rows == [["a", 0.2, Interval(0.1, 0.3)]]


def test_sentence_table() -> None:
    made = sentence_table(result(*(scored(system, "m2", 0.5, sentences=np.array([0.25, 0.75])) for system in "ab")))
    assert made.columns == ["sentence", "a m2", "b m2"]
    assert made.rows == [[1, 0.25, 0.25], [2, 0.75, 0.75]]
