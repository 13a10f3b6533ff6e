"""Filters: which sentences are in, by each question and by several at once; the ranking and the count follow."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from browser.test_page_small import page_of
from browser.watching import choose, column, count, data, listed, order, until
from gecval.studies.report.result import Overview

RIGHT, WRONG, UNNEEDED = 0, 1, 2


def texts(sample: Overview, sentence: int) -> list[str]:
    corpus = sample.material.corpus
    outputs = [system.hypotheses[sentence] for system in sample.material.systems]
    return [corpus.sources[sentence], *corpus.texts_of(sentence), *outputs]


def which(sample: Overview, is_in: Callable[[int], bool]) -> list[int]:
    return [sentence for sentence in range(sample.sentences) if is_in(sentence)]


def test_text_in_either_case_is_looked_for_in_all_texts(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.fill("#choose-q", "BAKERY")
    expected = which(sample, lambda i: any("bakery" in text.lower() for text in texts(sample, i)))
    until(page, f"gecval.view.count === {len(expected)}")
    assert 0 < len(expected) < sample.sentences
    assert listed(page) == expected
    assert count(page) == f"{len(expected)} of 72 sentences"
    assert page.get_attribute("#count", "aria-live") == "polite"


@pytest.mark.parametrize("pattern", [r"^the\b.*\bwas\b", r"\bhave (been|had)\b", r"[?!] *$", r"(\w+) \1\b", "."])
def test_regular_expressions_mean_what_python_says(
    sample: Overview, sample_page: Path, open_page: Any, pattern: str
) -> None:
    page = open_page(sample_page)
    choose(page, q=pattern, regex=1)
    expression = re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    assert order(page) == which(sample, lambda i: bool(expression.search("\n".join(texts(sample, i)))))


@pytest.mark.parametrize("pattern", ["(", "[a-", "*", "a{2,1}", r"\k<x>", "(?<a>.)(?<a>.)"])
def test_a_malformed_expression_gets_a_message_and_filters_nothing(
    sample_page: Path, open_page: Any, pattern: str
) -> None:
    page = open_page(sample_page)
    page.check("#choose-regex")
    page.fill("#choose-q", pattern)
    until(page, "document.querySelector('#search-message').textContent")
    assert page.inner_text("#search-message").startswith("This regular expression is not used. ")
    assert page.get_attribute("#choose-q", "aria-invalid") == "true"
    assert count(page) == "72 of 72 sentences"
    page.fill("#choose-q", "dog")
    until(page, "gecval.view.count < 72")
    assert page.inner_text("#search-message") == ""


def test_an_expression_without_end_is_stopped_while_the_page_goes_on(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.check("#choose-regex")
    page.fill("#choose-q", r"^(([a-z ,.'-])+)+#$")
    assert page.evaluate("1 + 1") == 2  # the page itself is not held up
    until(page, "document.querySelector('#search-message').textContent")
    assert "takes longer than a second" in page.inner_text("#search-message")
    page.fill("#choose-q", r"\bdog\b")
    until(page, "gecval.view.count < 72")
    assert page.inner_text("#search-message") == ""


@pytest.mark.parametrize(("low", "high"), [(0, 8), (12, 15), (20, 0), (9, 9), (500, 0)])
def test_length_counts_tokens_of_the_source(
    sample: Overview, sample_page: Path, open_page: Any, low: int, high: int
) -> None:
    page = open_page(sample_page)
    choose(page, min=low, max=high)
    lengths = [len(source.split()) for source in sample.material.corpus.sources]
    assert order(page) == which(sample, lambda i: low <= lengths[i] and (not high or lengths[i] <= high))


@pytest.mark.parametrize(
    ("outcome", "status"), [("right", RIGHT), ("wrong", WRONG), ("unneeded", UNNEEDED), ("missed", None)]
)
def test_type_outcome_and_system_are_those_of_one_edit(
    sample: Overview, sample_page: Path, open_page: Any, outcome: str, status: int | None
) -> None:
    page = open_page(sample_page)
    made, missed, types = data(page, "outputEdits"), data(page, "missed"), data(page, "types")
    for kind, system in product(("R:PREP", "M:DET", "R:VERB:TENSE"), range(2)):
        number = types.index(kind)
        choose(page, type=number, outcome=outcome, by=system)
        edits = [sentence[system] for sentence in (missed if status is None else made)]
        fits = [[edit for edit in of if edit[3] == number and status in (None, edit[-2])] for of in edits]
        assert order(page) == [sentence for sentence, some in enumerate(fits) if some]


def test_a_type_alone_is_looked_for_in_references_too(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    number = data(page, "types").index("R:SPELL")
    gold, made = data(page, "referenceEdits"), data(page, "outputEdits")
    page.select_option("#choose-type", "R:SPELL (wrong spelling)")
    expected = which(sample, lambda i: any(e[3] == number for edits in gold[i] + made[i] for e in edits))
    until(page, f"gecval.view.count === {len(expected)}")
    assert order(page) == expected


@pytest.mark.parametrize(("agree", "least", "most"), [("0", 0, 0), ("1+", 1, 3), ("2+", 2, 3), ("3+", 3, 3)])
def test_references_that_agree_with_an_edit(
    sample: Overview, sample_page: Path, open_page: Any, agree: str, least: int, most: int
) -> None:
    page = open_page(sample_page)
    gold, made = data(page, "referenceEdits"), data(page, "outputEdits")

    def agreeing(sentence: int, edit: list[Any]) -> int:
        return sum(any(other[:3] == edit[:3] for other in reference) for reference in gold[sentence])

    for system in range(2):
        choose(page, agree=agree, by=system, outcome="right")
        right = [[e for e in made[i][system] if e[4] == RIGHT] for i in range(sample.sentences)]
        assert order(page) == [i for i, edits in enumerate(right) if any(least <= e[5] <= most for e in edits)]
        # A gold edit may name several corrections, of which the page shows the first.
        assert all(e[5] >= max(1, agreeing(i, e)) for i in range(sample.sentences) for e in right[i])
    choose(page, agree=agree, by=-1, outcome="missed")
    missed = data(page, "missed")
    assert order(page) == which(
        sample, lambda i: any(least <= agreeing(i, e) <= most for edits in missed[i] for e in edits)
    )


def test_only_a_is_right(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    made, missed = data(page, "outputEdits"), data(page, "missed")

    def right(sentence: int, system: int) -> bool:
        return all(e[4] == RIGHT for e in made[sentence][system]) and not missed[sentence][system]

    cases = {"a": (True, False), "b": (False, True), "both": (True, True), "neither": (False, False)}
    seen = []
    for choice, wanted in cases.items():
        choose(page, right=choice, a=0, b=1)
        assert order(page) == [i for i in range(sample.sentences) if (right(i, 0), right(i, 1)) == wanted]
        seen += order(page)
    assert sorted(seen) == list(range(sample.sentences))
    choose(page, right="a", a=1, b=0)  # the question follows the pair
    assert order(page) == which(sample, lambda i: right(i, 1) and not right(i, 0))


def test_filters_add_up_and_are_cleared_together(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    choose(page, q="the", min=10, outcome="missed", by=1)
    missed = data(page, "missed")
    sources = sample.material.corpus.sources
    assert order(page) == which(
        sample,
        lambda i: any("the" in t.lower() for t in texts(sample, i)) and len(sources[i].split()) >= 10 and missed[i][1],
    )
    page.click("#reset")
    until(page, "gecval.view.count === 72")
    assert page.input_value("#choose-q") == ""
    assert page.is_disabled("#reset")
    assert page.evaluate("location.hash") == ""


def test_the_ranking_follows_the_filters_and_says_so(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    before = column(page, "#ranking-table", 4)
    choose(page, max=12)
    page.wait_for_selector("html[data-scored=true]")
    number = len(order(page))
    assert 0 < number < 72
    assert f"Scores of {number} of 72 sentences." in page.inner_text("#ranking .scope")
    scores = page.evaluate("""async () => {
        const { scores } = await gecval.scoresOf(gecval.view.mask, { intervals: true });
        const first = scores.filter(({ metric }) => metric === 0);
        return first.map(({ system, score, interval }) => [system, score, interval]);
    }""")
    best = sorted(scores, key=lambda entry: -entry[1])
    assert column(page, "#ranking-table", 1) == [str(rank) for rank in range(1, 5)]
    assert column(page, "#ranking-table", 2) == [sample.systems[system] for system, _, _ in best]
    assert column(page, "#ranking-table", 3) == [f"{score:.4f}" for _, score, _ in best]
    assert column(page, "#ranking-table", 4) == [f"[{low:.4f}, {high:.4f}]" for _, _, (low, high) in best]
    assert column(page, "#ranking-table", 5) == before  # the scores of all sentences stay in sight


def test_where_no_sentence_is_left_the_page_says_so(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    choose(page, q="no text has this")
    assert count(page) == "0 of 72 sentences"
    assert page.inner_text("#list") == "No sentence fits these filters."
    assert page.inner_text("#ranking .message") == "No sentence fits these filters: there is nothing to score."


def test_a_long_menu_is_whole_where_few_sentences_are_left(tmp_path: Path, open_page: Any) -> None:
    """It hangs over the next section, and the last choice can still be made."""
    page = open_page(page_of(16, tmp_path / "report.html"), "min=500")
    page.click("#shown > summary")
    last = page.locator("#shown label >> nth=-1")
    last.scroll_into_view_if_needed()
    below = "document.querySelector('#shown label:last-of-type').getBoundingClientRect().bottom"
    assert page.evaluate(f"{below} > document.querySelector('#sentences').getBoundingClientRect().bottom")
    last.locator("input").check()
    assert "3 of 16" in page.inner_text("#shown > summary")
