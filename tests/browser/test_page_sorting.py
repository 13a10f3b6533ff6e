"""Sorting by length, by any score, by a difference: ties keep the order of the file, undefined scores come last."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from browser.watching import choose, listed, order
from gecval.studies.report.result import Overview


def expected(keys: list[float], *, down: bool) -> list[int]:
    sign = -1 if down else 1
    return sorted(
        range(len(keys)), key=lambda i: (math.isnan(keys[i]), 0 if math.isnan(keys[i]) else sign * keys[i], i)
    )


def sentence_scores(sample: Overview, metric: int, system: int) -> list[float]:
    return [float(score) for score in sample.material.evaluations[metric][system].sentence_scores()]


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("metric", [0, 1, 2])
def test_by_a_score_and_by_a_difference(
    sample: Overview, sample_page: Path, open_page: Any, metric: int, down: bool
) -> None:
    page = open_page(sample_page, f"metric={metric}")
    for system in (0, 3):
        choose(page, sort=f"score-{system}", down=int(down))
        keys = page.evaluate(f"gecval.data.sources.map((_, i) => gecval.sentenceScore({metric}, i, {system}))")
        assert keys == pytest.approx(sentence_scores(sample, metric, system), nan_ok=True)
        assert order(page) == expected(keys, down=down)
    choose(page, sort="difference", a=3, b=1)
    score = f"gecval.sentenceScore({metric}, i"
    keys = page.evaluate(f"gecval.data.sources.map((_, i) => {score}, 3) - {score}, 1))")
    assert order(page) == expected(keys, down=down)


def test_by_length_and_back_to_the_file(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    lengths = [float(len(source.split())) for source in sample.material.corpus.sources]
    page.select_option("#sort", "length")
    assert listed(page) == expected(lengths, down=False)[:50]
    page.click("#direction")
    assert page.inner_text("#direction") == "↓ highest first"
    assert page.evaluate("document.activeElement.id") == "direction"  # it is drawn again and keeps the focus
    assert listed(page) == expected(lengths, down=True)[:50]
    page.select_option("#sort", "file")
    page.click("#direction")
    assert listed(page) == list(range(50))


def test_undefined_scores_come_last(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.evaluate("""() => {
        const scores = gecval.data.sentenceScores[0];
        scores[0] = scores[4] = NaN; // the first system's first two sentences
    }""")
    for down in (0, 1):
        choose(page, sort="file", down=1 - down)
        choose(page, sort="score-0", down=down)
        assert order(page)[-2:] == [0, 1]
    choose(page, sort="score-0", page=1)
    assert "–" in page.inner_text("#sentence-0 .label-score")


def test_filters_keep_the_order(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    choose(page, sort="score-1", down=1)
    everything = order(page)
    choose(page, min=15)
    lengths = [len(source.split()) for source in sample.material.corpus.sources]
    assert order(page) == [sentence for sentence in everything if lengths[sentence] >= 15]
