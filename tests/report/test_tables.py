"""Tables in every style, with names that mean something to the style."""

from __future__ import annotations

import json
import unicodedata

import numpy as np
import pytest

from gecval import Corpus, InputError, Resampling, compare, score
from gecval.metrics.accuracy import Accuracy
from gecval.report import Table, comparison_table, long_table, score_table, scores_json, sentence_table
from gecval.stats import Interval, PairedTest
from gecval.studies import Comparison, Score

AWKWARD = "a|b & c_d 5% #1 {x} ~^ $y \\z [red]no[/red] :smile: <i>"


def table(name: str = AWKWARD) -> Table:
    return Table(
        ["system", "m2", "n"], [[name, 0.123456, 7], ["other", 1.0, None]], bold={(1, 1)}, footnotes=["a_note"]
    )


def cells(lines: list[str]) -> list[list[str]]:
    return [line.split() for line in lines]


def test_text():
    text = table("x").render("text")
    lines = [line for line in text.split("\n") if line.strip("─ ")]
    assert cells(lines) == [["system", "m2", "n"], ["x", "0.1235", "7"], ["other", "1.0000"], ["a_note"]]
    assert lines[0].index("m2") + 2 == lines[1].index("0.1235") + 6  # numbers and their heads end together


def test_text_takes_names_literally():
    text = Table([AWKWARD], [[AWKWARD]], title=AWKWARD).render("text")
    assert text.count(AWKWARD) == 3


def test_text_aligns_wide_letters():
    lines = Table(["system", "score"], [["日本語", 0.5], ["abc", 0.5], ["e\u0301", 0.5]]).render("text").split("\n")

    def width(text: str) -> int:
        return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)

    rows = [line for line in lines if line.endswith("0.5000")]
    assert len(rows) == 3
    assert len({width(row) for row in rows}) == 1


def test_text_in_colour_only_on_a_terminal():
    assert "\x1b" not in table().render("text")
    assert "\x1b[1m" in table().render("text", width=80)


def test_a_narrow_terminal_folds_and_loses_nothing():
    text = Table(["#"], [["abcdefghij" * 5]]).render("text", width=20)
    assert len(text.split("\n")) > 5
    assert "".join(c for c in text if c in "abcdefghij") == "abcdefghij" * 5


def test_markdown():
    lines = table().render("markdown").split("\n")
    assert lines[0] == "| system | m2 | n |"
    assert lines[1] == "| --- | ---: | ---: |"
    assert lines[2] == "| " + AWKWARD.replace("|", r"\|") + " | 0.1235 | 7 |"
    assert lines[3] == "| other | **1.0000** |  |"
    assert lines[4:] == ["", "a_note"]
    assert Table(["a"], [["b"]], title="Title").render("markdown").startswith("**Title**\n\n| a |")


def test_latex():
    lines = table().render("latex").split("\n")
    assert lines[0] == r"\begin{tabular}{lrr}"
    assert lines[4] == (
        r"a|b \& c\_d 5\% \#1 \{x\} \textasciitilde{}\textasciicircum{} \$y \textbackslash{}z"
        r" [red]no[/red] :smile: <i> & 0.1235 & 7 \\"
    )
    assert lines[5] == r"other & \textbf{1.0000} &  \\"
    assert lines[6:] == [r"\bottomrule", r"\end{tabular}", "% a_note"]


def test_tsv():
    made = Table(["system", "score"], [["tab\there\nand there", 1 / 3], ["b", None]], title="not shown", bold={(0, 1)})
    assert made.render("tsv") == "system\tscore\ntab here and there\t0.3333333333333333\nb\t"


def test_an_interval_in_every_style():
    made = Table(["a", "i"], [[1, Interval(1 / 3, 0.5)], [2, Interval(7, 2720)], [3, None]], interval_digits=2)
    assert [row["i"] for row in made.to_object()["rows"]] == [[1 / 3, 0.5], [7, 2720], None]
    assert made.render("tsv").split("\n")[1:] == ["1\t[0.3333333333333333, 0.5]", "2\t[7, 2720]", "3\t"]
    for style in ("text", "markdown", "latex"):
        assert "[0.33, 0.50]" in made.render(style)
        assert "[7, 2720]" in made.render(style)


def test_what_is_unknown_is_a_dash_and_null():
    unknown = Interval(float("nan"), float("nan"))
    made = Table(["a", "b", "c", "d"], [[float("nan"), unknown, float("inf"), None]])
    assert made.render("markdown").endswith("| – | – | inf |  |")
    assert made.to_object()["rows"] == [{"a": None, "b": None, "c": None, "d": None}]


def test_columns_of_one_name_are_refused():
    with pytest.raises(InputError, match="two columns of a table are named '95%'; rename one"):
        Table(["metric", "ρ", "95%", "τ", "95%"])


def test_a_title_is_not_folded_to_the_table():
    title = "Δ of the score by type of edit"
    assert Table(["a"], [["b"]], title=title).render("text").split("\n")[0] == title
    assert title in Table(["a"], [["b"]], title=title).render("text", width=80).split("\n")[0]


def test_an_empty_table():
    assert Table(["a", "b"]).render("markdown") == "| a | b |\n| --- | --- |"
    assert Table(["a", "b"]).render("tsv") == "a\tb"
    assert Table(["a", "b"]).render("text").split()[:2] == ["a", "b"]


def scored(system: str, metric: str, value: float, **more) -> Score:
    parts = {"precision": 0.5, "correct": 3} if metric == "m2" else {}
    signature = f"{metric}|bca:0.95|seed:1"
    up = metric != "perplexity"
    return Score(system, metric, value, parts, more.pop("interval", None), signature, higher_is_better=up, **more)


def test_parts_are_shown_for_a_single_metric_only():
    assert score_table([scored("a", "m2", 0.1)]).columns == ["system", "precision", "correct", "m2"]
    assert score_table([scored("a", "m2", 0.1), scored("a", "gleu", 0.2)]).columns == ["system", "m2", "gleu"]


def test_the_best_are_bold_unless_alone():
    made = score_table([scored("a", "gleu", 0.2), scored("b", "gleu", 0.3), scored("c", "gleu", 0.3)])
    assert made.bold == {(1, 1), (2, 1)}
    assert score_table([scored("a", "gleu", 0.2)]).bold == set()


def test_the_best_perplexity_is_the_lowest():
    made = score_table([scored(system, "perplexity", value) for system, value in (("a", 80.0), ("b", 60.0))])
    assert made.bold == {(1, 1)}
    assert made.footnotes[0] == "perplexity: lower is better"


def test_a_users_metric_says_which_way_is_up():
    class Errors(Accuracy):
        higher_is_better = False

    corpus = Corpus.from_texts(["a", "b"], [["c"], ["d"]])
    systems = [corpus.system("good", ["c", "d"]), corpus.system("bad", ["x", "x"])]
    assert score_table(score(corpus, systems, [Errors()])).bold == {(1, 1)}
    [one] = compare(corpus, systems[0], systems[1:], [Errors()], resampling=Resampling(10))
    assert not one.higher_is_better
    assert score_table(score(corpus, systems, [Accuracy()])).bold == {(0, 1)}


@pytest.mark.parametrize(("level", "head"), [("0.95", "95%"), ("0.999", "99.9%"), ("0.9", "90%"), ("0.07", "7%")])
def test_the_level_of_an_interval(level, head):
    one = Score("a", "gleu", 0.2, {}, Interval(0.1, 0.3), f"gleu|n:4|bca:{level}|resamples:10|seed:1")
    assert score_table([one]).columns == ["system", "gleu", f"{head} interval"]
    assert score_table([one]).rows == [["a", 0.2, Interval(0.1, 0.3)]]


def test_intervals_of_several_metrics_have_columns_of_their_own():
    made = score_table([scored("a", name, 0.2, interval=Interval(0.1, 0.3)) for name in ("m2", "gleu")])
    assert made.columns == ["system", "m2", "m2 95% interval", "gleu", "gleu 95% interval"]


def test_signatures_are_footnotes_each_once():
    assert score_table([scored(s, m, 0.5) for s in "ab" for m in ("m2", "gleu")]).footnotes == [
        "m2|bca:0.95|seed:1",
        "gleu|bca:0.95|seed:1",
    ]


def test_long_table():
    made = long_table([scored("a", "m2", 0.5, interval=Interval(0.4, 0.6)), scored("a", "gleu", 0.25)])
    assert made.columns == ["system", "metric", "score", "low", "high", "precision", "correct", "signature"]
    assert made.rows[0] == ["a", "m2", 0.5, 0.4, 0.6, 0.5, 3, "m2|bca:0.95|seed:1"]
    assert made.rows[1] == ["a", "gleu", 0.25, None, None, None, None, "gleu|bca:0.95|seed:1"]


def test_sentence_table():
    made = sentence_table([scored(s, "m2", 0.5, sentences=np.array([0.25, 0.75])) for s in "ab"])
    assert made.columns == ["sentence", "a m2", "b m2"]
    assert made.rows == [[1, 0.25, 0.25], [2, 0.75, 0.75]]


def test_scores_as_json():
    made = json.loads(scores_json([scored("é\u2028", "m2", 0.5, sentences=np.array([0.5]), notes=("beware",))]))
    assert made == {
        "scores": [
            {
                "system": "é\u2028",
                "metric": "m2",
                "score": 0.5,
                "parts": {"precision": 0.5, "correct": 3},
                "interval": None,
                "signature": "m2|bca:0.95|seed:1",
                "notes": ["beware"],
                "sentences": [0.5],
            }
        ]
    }


def compared(bootstrap_p: float, randomisation_p: float, metric: str = "m2") -> Comparison:
    test = PairedTest(-0.125, Interval(-0.25, 0.0), bootstrap_p, randomisation_p)
    return Comparison("old", "new", metric, 0.5, 0.375, test, f"{metric}|seed:1", (), metric != "perplexity")


def test_comparison_table():
    made = comparison_table([compared(0.01, 0.04), compared(0.01, 0.06)])
    assert made.rows[0] == ["m2", "old", 0.5, "new", 0.375, "-0.1250", Interval(-0.25, 0.0), 0.01, 0.04]
    assert "[-0.2500, 0.0000]" in made.render("text")
    assert made.bold == {(0, 5), (0, 2)}  # only where both tests agree; the baseline is better
    assert made.footnotes == ["bold: both tests give p < 0.05, and the better score", "m2|seed:1"]
    assert comparison_table([compared(0.5, 0.5)]).footnotes == ["m2|seed:1"]


def test_a_lower_perplexity_is_the_better_score():
    made = comparison_table([compared(0.01, 0.01, "perplexity")])
    assert made.bold == {(0, 5), (0, 4)}
    assert made.footnotes[1] == "perplexity: lower is better"
