"""Texts and names full of markup, scripts, LaTeX, marks of direction and control characters show as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from browser.watching import choose, listed, order, until
from gecval.corpus import Corpus
from gecval.stats import Resampling
from gecval.studies.report.page import write_page
from gecval.studies.report.study import overview

SOURCES = [
    "<script>alert(1)</script> he go home",
    '"><img src=x onerror=alert(2)> & &amp; <b>bold</b>',
    r"\textbf{LaTeX} $x_1$ % \input{/etc/passwd} {{data}} {{script}}",
    "\u202ereversed\u202c \u2066isolated\u2069 \u200fmark \ufeff bom",
    "bell\u0007 nul\u0000 escape\u001b[31m delete\u007f next\u0085line",
    "هذا نص عربي يحتوي على خطأ",
    "他 昨天 去 了 学校 。",
    "</script><!--<script> ]]> --> javascript:alert(3)",
    "a" * 400,
    "👩‍👩‍👧 cafe\u0301 Z\u0351\u036b\u0343algo",
    "",
]
NAMES = ["<b>A</b>", "B\u202e \u0007", "__proto__"]


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    references = [[source.replace("go", "goes").replace("خطأ", "خطإ").replace("了", "过") + " !"] for source in SOURCES]
    corpus = Corpus.from_texts(SOURCES, references)
    outputs = {
        NAMES[0]: [source + " <i>added</i>" for source in SOURCES],
        NAMES[1]: [reference[0] for reference in references],
        NAMES[2]: SOURCES,
    }
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    study = overview(corpus, outputs, ["m2", "gleu"], edits="plain", confidence=Resampling(50))
    write_page(study, path, title='<script>alert("title")</script> & "quotes"')
    return path


def test_markup_is_text(hostile_page: Path, open_page: Any) -> None:
    page = open_page(hostile_page, "shown=0.1.2")
    assert page.inner_text("h1") == '<script>alert("title")</script> & "quotes"'
    assert page.title() == '<script>alert("title")</script> & "quotes"'
    for tag in ("img", "b", "i", "iframe", "object", "embed", "link"):
        assert page.locator(tag).count() == 0
    assert page.locator("script").count() == 2  # the page's own; the data are taken away once they are read
    names = page.locator("#sentence-0 .label .name").all_inner_texts()
    assert {"<b>A</b>", "__proto__"} <= set(names)
    assert "<script>alert(1)</script>" in page.inner_text("#sentence-0")
    assert '"><img src=x onerror=alert(2)> & &amp; <b>bold</b>' in page.inner_text("#sentence-1 .source")
    assert r"\textbf{LaTeX} $x_1$ % \input{/etc/passwd} {{data}} {{script}}" in page.inner_text("#sentence-2 .source")
    assert "</script><!--<script> ]]> --> javascript:alert(3)" in page.inner_text("#sentence-7 .source")


def test_what_is_not_seen_is_shown_as_a_symbol(hostile_page: Path, open_page: Any) -> None:
    page = open_page(hostile_page, "shown=2")
    shown = page.inner_text("#sentence-3 .source")
    assert "‹U+202E›reversed‹U+202C›" in shown
    assert "‹U+200F›mark" in shown
    shown = page.inner_text("#sentence-4 .source")
    for symbol in ("bell␇", "nul␀", "escape␛[31m", "delete␡"):
        assert symbol in shown
    raw = page.evaluate(
        "document.body.innerText.match(/[\\u0000-\\u0008\\u000e-\\u001f\\u007f\\u202a-\\u202e\\u2066-\\u2069]/g)"
    )
    assert raw is None
    options = page.locator("#choose-a option").all_inner_texts()
    assert "B‹U+202E› ␇" in options
    assert "👩‍👩‍👧" in page.inner_text("#sentence-9 .source")


def test_right_to_left_text_runs_from_the_right(hostile_page: Path, open_page: Any) -> None:
    page = open_page(hostile_page)
    assert page.get_attribute("#sentence-5 .segment >> nth=0", "dir") == "rtl"
    assert page.get_attribute("#sentence-6 .segment >> nth=0", "dir") == "ltr"
    cells = page.locator("#sentence-5 .source .cell")
    assert cells.count() > 1
    first, second = cells.nth(0).bounding_box(), cells.nth(1).bounding_box()
    assert first["x"] > second["x"]


def test_a_token_without_end_and_an_empty_line_do_not_break_the_page(hostile_page: Path, open_page: Any) -> None:
    page = open_page(hostile_page, width=380)
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert "a" * 400 in page.inner_text("#sentence-8 .source").replace("\n", "").replace(" ", "")
    assert page.inner_text("#sentence-10 .facts").startswith("0 tokens")
    assert listed(page) == list(range(len(SOURCES)))


def test_hostile_text_can_be_searched_for(hostile_page: Path, open_page: Any) -> None:
    page = open_page(hostile_page)
    page.fill("#choose-q", "<SCRIPT>")
    until(page, "gecval.view.count === 2")
    assert order(page) == [0, 7]
    choose(page, q=r"\u202e|\p{Script=Han}", regex=1)
    assert order(page) == [3, 6]
