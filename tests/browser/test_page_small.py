"""Pages with little on them: one system, one sentence, no references. What cannot be shown is left out, not empty."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from browser.watching import column, count
from gecval.corpus import Corpus
from gecval.stats import Resampling
from gecval.studies.report.page import write_page
from gecval.studies.report.study import overview


def visible_sections(page: Any) -> list[str]:
    return list(page.eval_on_selector_all("main > section:not([hidden])", "nodes => nodes.map(node => node.id)"))


def written(path: Path, corpus: Corpus, outputs: dict[str, list[str]], metrics: list[str]) -> Path:
    write_page(overview(corpus, outputs, metrics, extractor="plain", resampling=Resampling(50)), path)
    return path


def test_one_system(tmp_path: Path, open_page: Any) -> None:
    corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    path = written(tmp_path / "report.html", corpus, {"only": ["He goes home .", "Fine !"]}, ["m2"])
    page = open_page(path)
    assert not {"tests", "deciding"} & set(visible_sections(page))
    assert column(page, "#ranking-table", 2) == ["only"]
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
    assert column(page, "#ranking-table", 4) == ["–", "–"]  # one sentence has no interval
    assert page.locator("#sentence-0 .edit.missed").inner_text().startswith("○")


def test_no_references(tmp_path: Path, open_page: Any) -> None:
    corpus = Corpus.from_texts(["He go home .", "Fine ."])
    path = written(
        tmp_path / "report.html", corpus, {"a": ["He goes home .", "Fine ."], "b": ["He go .", "Fine ."]}, ["ld"]
    )
    page = open_page(path)
    assert not {"types", "changes", "coverage"} & set(visible_sections(page))
    assert page.locator("#choose-type, #choose-outcome, #choose-right").count() == 0
    assert page.locator("#sentence-0 .label .name").all_inner_texts() == ["Source", "a", "b"]
    assert page.locator("#sentence-0 .edit.change").count() == 2  # nobody says whether it is right
    assert page.locator("#legend").count() == 0
