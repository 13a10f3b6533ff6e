"""On paper: black on white, no controls, and the marks remain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from browser.watching import listed


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
