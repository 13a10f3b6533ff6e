"""Scores and comparisons as tables: what is bold, what heads a column, what a footnote says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gecval import Corpus, Resampling, compare, score
from gecval.metrics.accuracy import Accuracy
from gecval.results.table import P, Signed
from gecval.stats import Interval
from gecval.studies.compare.result import Comparison, Comparisons
from gecval.studies.compare.tables import comparison_tables
from gecval.studies.scores.result import Score, Scores
from gecval.studies.scores.tables import long_table, score_table, sentence_table


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


def test_parts_are_shown_for_a_single_metric_only() -> None:
    assert score_table(result(scored("a", "m2", 0.1))).columns == ["system", "precision", "correct", "m2"]
    several = result(scored("a", "m2", 0.1), scored("a", "gleu", 0.2))
    assert score_table(several).columns == ["system", "m2", "gleu"]


def test_the_best_are_bold_unless_alone() -> None:
    made = score_table(result(scored("a", "gleu", 0.2), scored("b", "gleu", 0.3), scored("c", "gleu", 0.3)))
    assert made.bold == {(1, 1), (2, 1)}
    assert score_table(result(scored("a", "gleu", 0.2))).bold == set()


def test_the_best_perplexity_is_the_lowest() -> None:
    made = score_table(result(scored("a", "perplexity", 80.0), scored("b", "perplexity", 60.0)))
    assert made.bold == {(1, 1)}
    assert made.footnotes[0] == "perplexity: lower is better"


def test_a_users_metric_says_which_way_is_up() -> None:
    class Errors(Accuracy):
        higher_is_better = False

    corpus = Corpus.from_texts(["a", "b"], [["c"], ["d"]])
    good, bad = corpus.system("good", ["c", "d"]), corpus.system("bad", ["x", "x"])
    assert score_table(score(corpus, [good, bad], [Errors()])).bold == {(1, 1)}
    [comparison] = compare(corpus, good, [bad], [Errors()], resampling=Resampling(10))
    assert not comparison.higher_is_better
    assert score_table(score(corpus, [good, bad], [Accuracy()])).bold == {(0, 1)}


@pytest.mark.parametrize(("level", "head"), [(0.95, "95%"), (0.999, "99.9%"), (0.9, "90%"), (0.07, "7%")])
def test_the_level_of_an_interval(level: float, head: str) -> None:
    made = score_table(result(scored("a", "gleu", 0.2, interval=Interval(0.1, 0.3), level=level)))
    assert made.columns == ["system", "gleu", f"{head} interval"]
    assert made.rows == [["a", 0.2, Interval(0.1, 0.3)]]


def test_intervals_of_several_metrics_have_columns_of_their_own() -> None:
    scores = [scored("a", name, 0.2, interval=Interval(0.1, 0.3), level=0.95) for name in ("m2", "gleu")]
    made = score_table(result(*scores))
    assert made.columns == ["system", "m2", "m2 95% interval", "gleu", "gleu 95% interval"]


def test_signatures_are_footnotes_each_once() -> None:
    made = score_table(result(*(scored(system, metric, 0.5) for system in "ab" for metric in ("m2", "gleu"))))
    assert made.footnotes == ["m2|bca:0.95|seed:1", "gleu|bca:0.95|seed:1"]


def test_scores_of_different_settings_are_not_comparable() -> None:
    other = Score(system="b", metric="m2", score=0.5, parts={"precision": 0.5, "correct": 3}, signature="m2|other")
    made = score_table(result(scored("a", "m2", 0.5), other))
    assert made.footnotes[0] == "warning: the scores of m2 are not comparable, their signatures differ"


def test_long_table() -> None:
    made = long_table(
        result(scored("a", "m2", 0.5, interval=Interval(0.4, 0.6), level=0.95), scored("a", "gleu", 0.25))
    )
    lines = [line.split("\t") for line in made.render("tsv").splitlines()]
    assert lines[0] == ["system", "metric", "score", "low", "high", "level", "precision", "correct", "signature"]
    assert lines[1] == ["a", "m2", "0.5", "0.4", "0.6", "0.95", "0.5", "3", "m2|bca:0.95|seed:1"]
    assert lines[2] == ["a", "gleu", "0.25", "", "", "", "", "", "gleu|bca:0.95|seed:1"]


def test_ranks_have_columns_where_some_are_known() -> None:
    ranked = scored("a", "gleu", 0.5, ranks=(1, 2), cluster=1)
    header, first, second = (
        line.split("\t") for line in long_table([ranked, scored("b", "gleu", 0.25)]).render("tsv").splitlines()
    )
    assert header == [
        "system",
        "metric",
        "score",
        "low",
        "high",
        "level",
        "best rank",
        "worst rank",
        "cluster",
        "signature",
    ]
    assert (first[6:9], second[6:9]) == (["1", "2", "1"], ["", "", ""])


def test_a_level_alone_is_no_interval() -> None:
    assert score_table(result(scored("a", "gleu", 0.5, level=0.9))).columns == ["system", "gleu"]


def test_sentence_table() -> None:
    made = sentence_table(result(*(scored(system, "m2", 0.5, sentences=np.array([0.25, 0.75])) for system in "ab")))
    assert made.columns == ["sentence", "a m2", "b m2"]
    assert made.rows == [[1, 0.25, 0.25], [2, 0.75, 0.75]]


def compared(bootstrap_p: float, randomisation_p: float, metric: str = "m2") -> Comparison:
    return Comparison(
        metric=metric,
        baseline="old",
        baseline_score=0.5,
        system="new",
        score=0.375,
        difference=-0.125,
        interval=Interval(-0.25, 0.0),
        level=0.95,
        p_bootstrap=bootstrap_p,
        p_randomisation=randomisation_p,
        p=max(bootstrap_p, randomisation_p),
        signature=f"{metric}|seed:1",
        higher_is_better=metric != "perplexity",
    )


def test_comparison_table() -> None:
    [made] = comparison_tables(Comparisons(comparisons=(compared(0.01, 0.04), compared(0.01, 0.06))))
    assert made.rows[0] == ["m2", "old", "new", 0.5, 0.375, Signed(-0.125), Interval(-0.25, 0.0), P(0.01), P(0.04)]
    assert [type(cell) for cell in made.rows[0][5:]] == [Signed, Interval, P, P]
    assert "-0.1250   [-0.2500, 0.0000]" in made.render("text")
    assert made.bold == {(0, 5), (0, 3)}  # only where both tests agree; the baseline is better
    assert made.footnotes == ["m2|seed:1"]
    assert made.render("markdown").endswith("\n\nbold: both tests give p < 0.05, and the better score\n\nm2|seed:1")
    [even] = comparison_tables(Comparisons(comparisons=(compared(0.5, 0.5),)))
    assert "bold" not in even.render("markdown")


def test_types_have_a_column_where_some_are_known() -> None:
    whole = compared(0.5, 0.5)
    [made] = comparison_tables(Comparisons(comparisons=(replace(whole, type="VERB"), whole)))
    assert made.columns[:3] == ["metric", "type", "baseline"]
    assert [row[1] for row in made.rows] == ["VERB", None]


def test_what_bold_means_is_said_where_bold_is_seen() -> None:
    [made] = comparison_tables(Comparisons(comparisons=(compared(0.01, 0.04),)))
    assert made.bold
    assert all("bold: both tests" in made.render(style) for style in ("markdown", "latex", "html"))
    assert "bold: both tests" in made.render("text", width=120)  # a terminal
    assert "bold" not in made.render("text")


def test_a_lower_perplexity_is_the_better_score() -> None:
    [made] = comparison_tables(Comparisons(comparisons=(compared(0.01, 0.01, "perplexity"),)))
    assert made.bold == {(0, 5), (0, 4)}
    assert made.footnotes[0] == "perplexity: lower is better"
