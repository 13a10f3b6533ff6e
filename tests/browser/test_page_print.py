"""On paper: black on white, no controls, and the marks remain."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from browser.watching import listed
from gecval.corpus import Corpus
from gecval.stats import Resampling
from gecval.studies.report.page import write_page
from gecval.studies.report.study import overview

A4 = 703  # pixels between margins of 12 mm


def test_the_page_prints_as_pdf(sample_page: Path, open_page: Any, tmp_path: Path) -> None:
    page = open_page(sample_page)
    pdf = page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert pdf.startswith(b"%PDF-")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page>") + pdf.count(b"/Type /Page ") > 3
    assert page.evaluate("gecval.printing") is False  # drawn for the screen again


def test_paper_has_no_controls_and_all_marks(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, dark=True, width=700)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    for control in ("#controls", ".toolbar", ".pager >> nth=0", "#theme", ".copy >> nth=0", "#contents"):
        assert not page.is_visible(control)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    styles = {}
    for outcome in ("right", "wrong", "missed", "unneeded"):
        mark = page.locator(f"#list .edit.{outcome} >> nth=0")
        assert mark.locator(".sign").is_visible()
        styles[outcome] = mark.evaluate("node => getComputedStyle(node).textDecorationStyle")
    assert styles == {"right": "solid", "wrong": "wavy", "missed": "dotted", "unneeded": "double"}
    assert listed(page) == list(range(50))
    assert page.is_visible("#ranking-table")
    wide = page.eval_on_selector_all(
        ".segment", "nodes => Math.max(...nodes.map(node => node.scrollWidth - node.clientWidth))"
    )
    assert wide <= 0  # no line of an alignment runs off the paper


def page_of(systems: int, path: Path, resamples: int = 50) -> Path:
    """A report whose systems leave ever more words out: the first is best, and the last two are equal."""
    words = [f"w{number}" for number in range(60)]
    corpus = Corpus.from_texts([" ".join([*words, str(i)]) for i in range(20)], [[" ".join(words)]] * 20)
    outputs = {}
    for k in range(systems):
        left = words[: len(words) - min(k, systems - 2)]
        outputs[f"system {k:02}"] = [" ".join([*left, str(i)] if k else left) for i in range(20)]
    write_page(overview(corpus, outputs, ["gleu"], extractor="plain", resampling=Resampling(resamples)), path)
    return path


@pytest.mark.parametrize("systems", [16, 50])
def test_the_matrix_of_tests_fits_on_a4(systems: int, tmp_path: Path, open_page: Any) -> None:
    page = open_page(page_of(systems, tmp_path / "report.html"), width=A4)
    assert page.locator(".matrix thead .paper-only >> nth=0").is_hidden()
    assert page.locator(".matrix thead .name >> nth=1").inner_text() == "system 01"
    page.emulate_media(media="print")
    assert page.evaluate("document.querySelector('.matrix').offsetWidth") <= A4
    assert page.locator(".matrix thead th").all_inner_texts() == [str(number + 1) for number in range(systems)]
    assert page.locator(".matrix tbody th").all_inner_texts()[-1] == f"{systems} system {systems - 1:02}"
    assert page.locator(".matrix thead .name >> nth=1").is_hidden()
    assert "Choose" not in page.inner_text("#tests .lead")


def test_many_systems_have_signs_in_the_matrix(tmp_path: Path, open_page: Any) -> None:
    page = open_page(page_of(17, tmp_path / "many.html", resamples=3000))
    assert page.locator(".matrix.many").count() == 1
    better, worse = page.locator("[data-a='0'][data-b='16']"), page.locator("[data-a='16'][data-b='0']")
    for cell, sign, word in ((better, "+", "better"), (worse, "−", "worse")):
        assert cell.get_attribute("data-sign") == sign
        assert word in cell.get_attribute("class").split()
        assert cell.evaluate("node => getComputedStyle(node, '::before').content").startswith(f'"{sign}"')
        # The numbers are said to screen readers and on hover, though they are not seen.
        assert re.fullmatch(rf"{re.escape(sign)}0\.\d{{3}} p \.\d{{3}}, {word}", cell.text_content())
        assert "corrected p ." in cell.get_attribute("title")
    even = page.locator(".matrix td.even >> nth=0")
    assert even.get_attribute("data-sign") == ""
    assert even.text_content().endswith(", not significant")
    assert page.locator(".matrix .difference").count() == 0
    assert "Point at a cell" in page.inner_text("#tests .lead")
    better.click()
    assert page.evaluate("[gecval.state.a, gecval.state.b]") == [0, 16]


def test_sixteen_systems_have_numbers_in_the_matrix(tmp_path: Path, open_page: Any) -> None:
    page = open_page(page_of(16, tmp_path / "few.html"))
    assert page.locator(".matrix.many").count() == 0
    assert page.locator(".matrix .difference").count() == 16 * 15
