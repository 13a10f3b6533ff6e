"""Pages with little on them: one system, one sentence, no references. What cannot be shown is left out, not empty."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from browser.watching import column, count, listed, until
from gecval.corpus import Corpus
from gecval.sample import load_sample
from gecval.stats import Resampling
from gecval.studies.report.page import write_page
from gecval.studies.report.study import overview


def visible_sections(page: Any) -> list[str]:
    return list(page.eval_on_selector_all("main section:not([hidden])", "nodes => nodes.map(node => node.id)"))


def written(path: Path, corpus: Corpus, outputs: dict[str, list[str]], metrics: list[str]) -> Path:
    write_page(overview(corpus, outputs, metrics, edits="plain", confidence=Resampling(50)), path)
    return path


def test_one_system(tmp_path: Path, open_page: Any) -> None:
    corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    path = written(tmp_path / "report.html", corpus, {"only": ["He goes home .", "Fine !"]}, ["m2"])
    page = open_page(path)
    assert not {"tests", "deciding"} & set(visible_sections(page))
    assert column(page, "#ranking-table", 1) == ["only"]
    assert page.locator("#choose-a, #choose-b, #choose-right, #choose-deciding").count() == 0
    assert page.locator("#contents a").all_inner_texts()[:2] == ["Verdict", "Ranking"]
    assert page.locator("#sentence-0 .edit.right").inner_text().startswith("✓")
    assert page.locator("#sentence-1 .edit.unneeded").count() == 1
    assert "A − B" not in page.inner_text("#sentences")


def test_one_sentence(tmp_path: Path, open_page: Any) -> None:
    corpus = Corpus.from_texts(["He go home ."], [["He goes home ."]])
    path = written(tmp_path / "report.html", corpus, {"a": ["He goes home ."], "b": ["He go home ."]}, ["m2", "gleu"])
    page = open_page(path)
    assert count(page) == "1 of 1 sentence"
    assert "tests" not in visible_sections(page)
    assert column(page, "#ranking-table", 3) == ["–", "–"]  # one sentence has no interval
    assert page.locator("#sentence-0 .edit.missed").inner_text().startswith("○")


def test_no_references(tmp_path: Path, open_page: Any) -> None:
    corpus = Corpus.from_texts(["He go home .", "Fine ."])
    path = written(
        tmp_path / "report.html", corpus, {"a": ["He goes home .", "Fine ."], "b": ["He go .", "Fine ."]}, ["ld"]
    )
    page = open_page(path)
    assert not {"types", "changes", "coverage"} & set(visible_sections(page))
    assert page.locator("#choose-type, #choose-outcome, #choose-right").count() == 0
    assert page.locator("#sentence-0 .label .name").all_inner_texts() == [
        "Source",
        "b",
        "a",
    ]  # a was given first: b is held against it
    assert page.locator("#sentence-0 .edit.change").count() == 2  # nobody says whether it is right
    assert page.locator("#legend").count() == 0


# On paper: black on white, no controls, and the marks remain.


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
    assert listed(page) == list(range(10))
    assert page.is_visible("#ranking-table")
    wide = page.eval_on_selector_all(
        ".segment", "nodes => Math.max(...nodes.map(node => node.scrollWidth - node.clientWidth))"
    )
    assert wide <= 0  # no line of an alignment runs off the paper


def test_few_metrics_fill_a_wide_window_and_fit_on_a_phone(tmp_path: Path, open_page: Any) -> None:
    corpus, systems = load_sample()
    path = tmp_path / "report.html"
    write_page(overview(corpus, systems, ["m2", "gleu", "sari"], confidence=Resampling(100)), path)
    wide = open_page(path, width=1900)
    scores, ranking = (wide.locator(part).bounding_box() for part in ("#scores", "#ranking"))
    assert (scores["y"], scores["x"] + scores["width"] <= ranking["x"]) == (ranking["y"], True)
    phone = open_page(path, width=390)
    assert phone.eval_on_selector("#scores .scroll", "node => node.scrollWidth - node.clientWidth") <= 0


def page_of(systems: int, path: Path, resamples: int = 50) -> Path:
    """A report whose systems leave ever more words out: the first is best, and the last two are equal."""
    words = [f"w{number}" for number in range(60)]
    corpus = Corpus.from_texts([" ".join([*words, str(i)]) for i in range(20)], [[" ".join(words)]] * 20)
    outputs = {}
    for k in range(systems):
        left = words[: len(words) - min(k, systems - 2)]
        outputs[f"system {k:02}"] = [" ".join([*left, str(i)] if k else left) for i in range(20)]
    write_page(overview(corpus, outputs, ["gleu"], edits="plain", confidence=Resampling(resamples)), path)
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
        assert re.fullmatch(rf"{re.escape(sign)}0\.\d{{3}} p ≤?\.\d{{3}}, {word}", cell.text_content())
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


# Reports in other languages: texts name their language and run in its direction, on a phone too.


ARABIC = "هذا نص عربي يحتوي على خطأ كبير في الكتابة"
CHINESE = "我昨天在家里看书了，我很高兴能够在这里认识你们。"
CORRECTED = {"ar": ARABIC.replace("خطأ", "خطإ"), "zh": CHINESE.replace("了", "")}


def report(folder: Path, language: str, source: str) -> Path:
    tokenize = "char" if language == "zh" else None
    corpus = Corpus.from_texts([source] * 3, [[CORRECTED[language]]] * 3, tokenize=tokenize)
    outputs = {"good": [CORRECTED[language]] * 3, "copy": [source] * 3}
    study = overview(corpus, outputs, ["m2"], edits="plain", confidence=Resampling(20))
    write_page(study, folder / f"{language}.html", title=language)
    return folder / f"{language}.html"


@pytest.mark.parametrize(
    ("language", "source", "direction", "tokens"), [("ar", ARABIC, "rtl", 9), ("zh", CHINESE, "ltr", 24)]
)
@pytest.mark.parametrize("width", [1400, 380])
def test_texts_name_their_language_and_direction(
    tmp_path: Path, open_page: Any, language: str, source: str, direction: str, tokens: int, width: int
) -> None:
    page = open_page(report(tmp_path, language, source), width=width)
    assert page.get_attribute("html", "lang") == "en"  # the page's own words
    segment = page.locator("#sentence-0 .segment").first
    assert (segment.get_attribute("lang"), segment.get_attribute("dir")) == (language, direction)
    assert f"{tokens} tokens" in page.inner_text("#sentence-0")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.fixture(scope="module")
def thirteen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of as many systems as CoNLL-2014 had, under five metrics."""
    corpus, _ = load_sample()
    systems = [
        corpus.system(f"SYS{k:02}", [text if k < i % 17 else f"{text} {k}" for i, text in enumerate(corpus.sources)])
        for k in range(13)
    ]
    metrics = ["errant", "m2", "gleu", "sari", "imeasure"]
    path = tmp_path_factory.mktemp("thirteen") / "many.html"
    write_page(overview(corpus, systems, metrics, confidence=Resampling(50), for_page=True), path)
    return path


def test_tables_of_thirteen_systems_fit_a_laptop(thirteen: Path, open_page: Any) -> None:
    page = open_page(thirteen, width=1300)
    for table in ("#tests .matrix", "#types .heat-map >> nth=0"):
        room = page.locator(table).evaluate("(table) => table.parentElement.clientWidth")
        assert page.locator(table).bounding_box()["width"] <= room
    assert page.locator("#tests .against, #types .narrow-types").evaluate_all(
        "tables => tables.every(table => !table.checkVisibility())"
    )


WIDER = """
[...document.querySelectorAll(".scroll, .narrow-only")]
  .filter((node) => node.checkVisibility() && !node.closest("details"))
  .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.ariaLabel ?? node.className)
"""


def test_no_table_of_thirteen_systems_scrolls_sideways_on_a_phone(thirteen: Path, open_page: Any) -> None:
    page = open_page(thirteen, width=390)
    assert page.evaluate(WIDER) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".matrix").is_hidden()


def test_a_phone_lists_one_system_against_the_others(thirteen: Path, open_page: Any) -> None:
    page = open_page(thirteen, width=390)
    ranked = page.locator("#ranking-table th.system").all_inner_texts()
    assert page.locator("#against option:checked").inner_text() == ranked[0]
    assert page.locator(".against tbody th").all_inner_texts() == ranked[1:]
    page.select_option("#against", label=ranked[4])
    assert page.locator(".against tbody th").all_inner_texts() == ranked[:4] + ranked[5:]
    assert "against=" in page.url
    signs = page.locator(".against .difference").all_inner_texts()
    a, b = (page.evaluate(f"gecval.data.systems.indexOf('{name}')") for name in (ranked[4], ranked[0]))
    shown = page.evaluate(f"gecval.write.signed(gecval.pairTest(gecval.state.metric, {a}, {b}).difference, 3)")
    assert signs[0] == shown
    page.click(f".against button:has-text('{ranked[0]}')")
    assert page.evaluate("[gecval.state.a, gecval.state.b]") == [a, b]


def test_a_phone_shows_a_system_by_type_and_the_best(thirteen: Path, open_page: Any) -> None:
    page = open_page(thirteen, width=390)
    page.select_option("#types-system-narrow", index=3)
    assert page.evaluate("gecval.state.system") == 3
    assert page.locator(".narrow-types thead th").all_inner_texts() == ["Type", "Edits", "SYS03", "Best"]
    scores = [
        [float(text) if text != "–" else 0 for text in row.locator("td.heat").all_inner_texts()]
        for row in page.locator(".narrow-types tbody tr").all()
    ]
    assert scores
    assert all(len(row) < 2 or row[0] <= row[1] for row in scores)


def test_the_contents_say_which_section_is_being_read(thirteen: Path, open_page: Any) -> None:
    page = open_page(thirteen, width=1300)
    current = "#contents [aria-current]"
    assert page.locator(current).inner_text() == "Verdict"
    page.locator("#types").evaluate("node => node.scrollIntoView()")
    until(page, f"document.querySelector('{current}').textContent === 'By type of error'")
    assert page.locator(current).count() == 1
