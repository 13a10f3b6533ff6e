"""A result shows itself: printed, in Markdown, LaTeX and HTML, as JSON, as a data frame."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from xml.etree import ElementTree

import pytest

import gecval
import latex
from gecval import Corpus, Resampling, Result
from gecval.results.schemas import load_schema

SOURCES = ["He go home .", "She like it .", "Fine .", "I has two cat ."]
REFERENCES = [["He goes home ."], ["She likes it ."], ["Fine ."], ["I have two cats ."]]
SYSTEMS = {
    "good <b>": ["He goes home .", "She likes it .", "Fine .", "I has two cats ."],
    "copy_&": SOURCES,
}
CORPUS = Corpus.from_texts(SOURCES, REFERENCES)
SCORES = gecval.score(CORPUS, SYSTEMS, ["gleu", "accuracy"], confidence=Resampling(50))
BASELINE = CORPUS.system("copy_&", SOURCES)
COMPARISONS = gecval.compare(CORPUS, BASELINE, {"good <b>": SYSTEMS["good <b>"]}, ["gleu", "accuracy"])
PAIRS = gecval.compare_all(CORPUS, SYSTEMS, ["gleu"])
RESULTS = {"scores": SCORES, "comparisons": COMPARISONS, "pairs": PAIRS}


@pytest.fixture(params=RESULTS)
def result(request: pytest.FixtureRequest) -> Result:
    return RESULTS[request.param]


def test_a_result_prints_as_its_table(result: Result) -> None:
    assert repr(result) == str(result)
    for word in ("good <b>", "copy_&", "gleu", "interval"):
        assert word in str(result)
    assert "\x1b" not in str(result)


def test_the_numbers_of_the_printed_table() -> None:
    rows = [line.split() for line in str(SCORES).splitlines() if "[" in line]
    assert [row[2] if row[0] == "good" else row[1] for row in rows] == [
        f"{SCORES[system, 'gleu'].score:.4f}" for system in SYSTEMS
    ]


def test_markdown(result: Result) -> None:
    lines = [line for line in result.to_markdown().splitlines() if line.startswith("|")]
    assert lines[0].count("|") == lines[1].count("|") == lines[2].count("|")
    assert any("good <b>" in line for line in lines)


def test_latex(result: Result) -> None:
    text = result.to_latex()
    assert r"copy\_\&" in text
    latex.check(text)


def test_html_is_escaped_and_needs_no_script(result: Result) -> None:
    page = result._repr_html_()
    assert "good &lt;b&gt;" in page
    assert re.findall(r"<script|<style|<link|javascript:|\son\w+=", page) == []
    tables = ElementTree.fromstring(f"<div>{page}</div>").findall(".//table")
    assert len(tables) == (2 if result is PAIRS else 1)


def test_json_follows_its_schema(result: Result) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    printed = json.loads(result.to_json(), parse_constant=lambda name: pytest.fail(f"JSON holds {name}"))
    assert printed == result.to_dict()
    jsonschema.validate(printed, load_schema(printed["schema"]))


def test_json_keeps_letters_of_all_languages() -> None:
    scores = gecval.score(CORPUS, {"überз": SOURCES}, ["accuracy"])
    assert '"system": "überз"' in scores.to_json()
    assert '"system": "überз"' in scores.to_jsonl()


def test_the_frame_of_scores() -> None:
    pytest.importorskip("pandas", reason="needs the extra [pandas]")
    frame = SCORES.to_frame()
    assert len(frame) == 4
    assert list(frame["system"]) == ["good <b>", "good <b>", "copy_&", "copy_&"]
    assert list(frame["score"]) == [score.score for score in SCORES]
    assert list(frame["interval_low"]) == [score.interval.low for score in SCORES if score.interval]
    assert frame.loc[frame.metric == "accuracy", "score"].tolist() == [0.75, 0.25]


def test_the_frame_of_comparisons() -> None:
    pytest.importorskip("pandas", reason="needs the extra [pandas]")
    frame = COMPARISONS.to_frame()
    assert list(frame["metric"]) == ["gleu", "accuracy"]
    assert frame["difference"].tolist() == [pair.difference for pair in COMPARISONS]
    assert frame["significant"].tolist() == [pair.significant for pair in COMPARISONS]
    assert len(PAIRS.to_frame()) == 1


def test_results_are_frozen_and_take_keywords_only(result: Result) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.notes = ()  # type: ignore[misc]
    with pytest.raises(TypeError):
        type(result)(())


def test_sequences() -> None:
    assert len(SCORES) == len(list(SCORES)) == 4
    assert SCORES[0] is SCORES["good <b>", "gleu"]
    with pytest.raises(KeyError, match=r"no score of x under gleu; systems: good <b>, copy_&; metrics: gleu, accuracy"):
        SCORES["x", "gleu"]
    assert COMPARISONS[0] is next(iter(COMPARISONS))
    assert math.isclose(PAIRS[0].difference, COMPARISONS[0].difference)


def test_json_has_a_line_for_each_value() -> None:
    """Indented by one blank, so that people and `diff` can read it."""
    first, second, *_ = SCORES.to_json().split("\n")
    assert (first, second) == ("{", ' "schema": "gecval.scores/1",')
