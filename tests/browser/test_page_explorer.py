"""The alignment of a sentence: what a row shows is the text, columns are shared, marks are what became of edits."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browser.watching import choose, column, count, data, listed, order, settle, until
from gecval.studies.report.result import Overview

SIGNS = {"right": "✓", "wrong": "✗", "missed": "○", "unneeded": "+"}


def aligned(page: Any, systems: list[int]) -> list[Any]:
    """Of every sentence: its columns, and the pieces of every text in them."""
    return list(page.evaluate("(systems) => gecval.data.sources.map((_, i) => gecval.aligned(i, systems))", systems))


def text_of(pieces: list[dict[str, Any]]) -> list[str]:
    """The tokens that pieces stand for."""
    words: list[str] = []
    for piece in pieces:
        edit = piece.get("edit")
        if edit is None:
            words += piece["text"].split()
        else:
            words += (edit["before"] if edit["outcome"] == "missed" else edit["correction"]).split()
    return words


def test_a_row_reads_as_its_text(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    corpus, systems = sample.material.corpus, sample.material.systems
    for number, sentence in enumerate(aligned(page, [0, 1, 2, 3])):
        wanted = [corpus.sources[number], *corpus.texts_of(number), *(s.hypotheses[number] for s in systems)]
        assert [text_of([piece for cell in text["cells"] for piece in cell]) for text in sentence["texts"]] == [
            text.split() for text in wanted
        ]


def test_columns_cover_the_source_and_only_chunks_differ(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    for sentence in aligned(page, [0, 3]):
        columns = sentence["columns"]
        assert [c["start"] for c in columns] == [0, *(c["end"] for c in columns[:-1])]
        assert columns[-1]["end"] == len(sentence["tokens"])
        for index, place in enumerate(columns):
            versions = {" ".join(text_of(text["cells"][index])) for text in sentence["texts"]}
            own = " ".join(sentence["tokens"][place["start"] : place["end"]])
            assert own in versions
            assert place["chunk"] or versions == {own}


def merged(spans: list[tuple[int, int]]) -> list[list[int]]:
    """The slow way: merge any two that touch until none do."""
    groups = [list(span) for span in spans]
    while True:
        for i, first in enumerate(groups):
            for j, second in enumerate(groups[:i]):
                insertion = first[0] == first[1] or second[0] == second[1]
                apart = first[1] < second[0] or second[1] < first[0]
                adjacent = first[1] == second[0] or second[1] == first[0]
                if not apart and (insertion or not adjacent or first == second):
                    groups[j] = [min(first[0], second[0]), max(first[1], second[1])]
                    del groups[i]
                    break
            else:
                continue
            break
        else:
            return sorted(groups)


SPANS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)).map(lambda s: (s[0], s[0] + s[1])), max_size=8)


def test_chunks_are_spans_merged(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)

    @settings(max_examples=150)
    @given(SPANS)
    def check(spans: list[tuple[int, int]]) -> None:
        edits = [{"start": start, "end": end} for start, end in spans]
        chunks = page.evaluate("(edits) => gecval.chunkSpans(edits)", edits)
        assert all(any(s <= start and end <= e for s, e in chunks) for start, end in spans)
        assert all(first[1] <= second[0] for first, second in pairwise(chunks))
        # An insertion between two chunks joins the first; merging in any order would join all three.
        assert len(chunks) >= len(merged(spans))
        if all(start < end for start, end in spans):
            assert chunks == merged(spans)

    check()


def test_marks_have_a_sign_words_and_a_type(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, "shown=0.1.2.3")
    made, missed, types = data(page, "outputEdits"), data(page, "missed"), data(page, "types")
    for outcome, sign in SIGNS.items():
        marks = page.locator(f"#list .edit.{outcome}")
        assert marks.count() > 0
        assert marks.nth(0).locator(".sign").inner_text() == sign
        words = marks.nth(0).get_attribute("title").split(" · ")
        assert words[0] == outcome
        assert words[1].split()[0] in types
        assert " → " in words[2]
        assert words[-1].endswith(" of 3 references")
        assert marks.nth(0).locator(".unseen").inner_text().strip() == f"({marks.nth(0).get_attribute('title')})"
    shown = range(50)
    right = sum(edit[4] == 0 for i in shown for edits in made[i] for edit in edits)
    assert page.locator("#list .edit.right").count() == right
    assert page.locator("#list .edit.missed").count() <= sum(len(edits) for i in shown for edits in missed[i])


def test_scores_of_a_sentence_under_every_metric(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, "shown=1.3")
    page.click("#sentence-4 summary")
    rows = page.locator("#sentence-4 .sentence-scores tbody tr")
    for row, system in enumerate((1, 3)):
        scores = [float(of_metric[system].sentence_scores()[4]) for of_metric in sample.material.evaluations]
        wanted = "\t".join([sample.systems[system], *(f"{score:.3f}" for score in scores)])
        assert rows.nth(row).inner_text() == wanted
    assert (
        page.inner_text("#sentence-4 .label-score >> nth=0")
        .strip()
        .endswith(f"{float(sample.material.evaluations[0][1].sentence_scores()[4]):.3f}")
    )
    page.check("#all-scores")
    settle(page)
    assert page.locator("#list .sentence-scores").count() == 50


def test_systems_are_shown_by_choice(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    labels = "#sentence-0 .system .label .name"
    assert page.locator(labels).all_inner_texts() == list(sample.systems[:2])  # A and B
    page.click("#shown summary")
    page.check("#shown-3")
    settle(page)
    assert page.locator(labels).all_inner_texts() == [sample.systems[system] for system in (0, 1, 3)]
    page.uncheck("#shown-0")
    assert page.locator(labels).all_inner_texts() == [sample.systems[system] for system in (1, 3)]
    assert page.inner_text("#shown summary") == "Systems shown: 2 of 4"


def test_lines_break_before_they_run_off_the_page(sample_page: Path, open_page: Any) -> None:
    for width in (1400, 800, 360):
        page = open_page(sample_page, "shown=0.1.2.3", width=width)
        over = page.eval_on_selector_all(
            ".segment", "nodes => Math.max(...nodes.map(n => n.scrollWidth - n.clientWidth))"
        )
        assert over <= 0
        cells = page.eval_on_selector_all(
            ".cell.shared", "nodes => Math.max(...nodes.map(n => n.scrollWidth - n.clientWidth))"
        )
        assert cells <= 1  # a text is as wide as it was measured


def test_a_new_width_breaks_lines_anew(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    before = page.locator("#sentence-0 .segment").count()
    page.set_viewport_size({"width": 400, "height": 800})
    until(page, f"document.querySelectorAll('#sentence-0 .segment').length > {before}")
    assert listed(page) == list(range(50))


def test_five_thousand_sentences_are_paged(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    choose(page, page=1)
    assert len(listed(page)) == 22
    assert page.inner_text(".pager .where >> nth=1") == "51–72 of 72"


# The address keeps the choices: a link leads to the same view; a link from elsewhere does no harm.


TEXT = 'a&b=c #"é?%+ 中'


def test_choices_go_into_the_address_and_come_back(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    choose(page, metric=2, a=3, b=1, min=10, sort="score-1", down=1, shown=[0, 2])
    address = page.evaluate("location.hash").lstrip("#")
    assert address == "metric=2&a=3&shown=0.2&min=10&sort=score-1&down=1"
    again = open_page(sample_page, address)
    assert (order(again), listed(again), count(again)) == (order(page), listed(page), count(page))
    assert again.evaluate("gecval.state") == page.evaluate("gecval.state")
    assert again.input_value("#choose-metric") == "2"
    assert again.input_value("#choose-min") == "10"
    again.wait_for_selector("html[data-scored=true]")
    assert column(again, "#ranking-table", 3) == column(page, "#ranking-table", 3)


def test_any_text_survives_the_address(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.fill("#choose-q", TEXT)
    assert page.evaluate("location.hash") == f"#q={quote(TEXT, safe='()!*')}"
    assert open_page(sample_page, page.evaluate("location.hash").lstrip("#")).input_value("#choose-q") == TEXT


def test_a_link_to_a_sentence_opens_its_page(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, "page=1&at=60")
    assert listed(page) == list(range(50, 72))
    assert page.evaluate("document.activeElement.id") == "sentence-60"


@pytest.mark.parametrize(
    "address",
    ["metric=99&a=-1&b=x&type=1e9", "min=-5&max=abc&page=999", "shown=7.8.x&by=4", "nothing=1&%zz", "a=1&b=1"],
)
def test_a_link_from_another_report_falls_back(sample_page: Path, open_page: Any, address: str) -> None:
    page = open_page(sample_page, address)
    state = page.evaluate("gecval.state")
    assert state["a"] != state["b"]
    assert count(page) == "72 of 72 sentences"
    assert len(listed(page)) in (50, 22)


def test_following_a_changed_address(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.evaluate("location.hash = 'max=9'")
    until(page, "gecval.view.count < 72")
    assert page.input_value("#choose-max") == "9"
    page.evaluate("location.hash = ''")
    until(page, "gecval.view.count === 72")


def test_contents_lead_to_sections_and_leave_the_address(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, "metric=1")
    page.click('#contents >> text="Sentences"')
    assert page.evaluate("document.activeElement.id") == "sentences-heading"
    assert page.evaluate("location.hash") == "#metric=1"


def test_choosing_the_other_system_swaps_the_pair(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.select_option("#choose-a", "1")
    assert page.evaluate("[gecval.state.a, gecval.state.b]") == [1, 0]
    assert page.input_value("#choose-b") == "0"
