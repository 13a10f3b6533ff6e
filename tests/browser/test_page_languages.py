"""Reports in other languages: texts name their language and run in its direction, on a phone too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gecval.corpus import Corpus
from gecval.stats import Resampling
from gecval.studies.report.page import write_page
from gecval.studies.report.study import overview

ARABIC = "هذا نص عربي يحتوي على خطأ كبير في الكتابة"
CHINESE = "我昨天在家里看书了，我很高兴能够在这里认识你们。"
CORRECTED = {"ar": ARABIC.replace("خطأ", "خطإ"), "zh": CHINESE.replace("了", "")}


def report(folder: Path, language: str, source: str) -> Path:
    tokenize = "char" if language == "zh" else None
    corpus = Corpus.from_texts([source] * 3, [[CORRECTED[language]]] * 3, tokenize=tokenize)
    outputs = {"good": [CORRECTED[language]] * 3, "copy": [source] * 3}
    study = overview(corpus, outputs, ["m2"], extractor="plain", resampling=Resampling(20))
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
