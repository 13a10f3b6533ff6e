"""The tables say what the overview says: ranking, clusters, tests, types, other studies, signatures, commands."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from browser.watching import choose, column, data, listed, order
from gecval.studies.report.result import Overview
from gecval.studies.report.verdicts import verdicts

MINUS = "−"


def signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", MINUS)


def test_the_verdict_stands_first(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    names = {"m2": "M²", "errant": "ERRANT", "gleu": "GLEU"}
    named = list(verdicts(sample.scores, sample.comparisons, sample.sentences, names))
    assert "M², ERRANT and GLEU" in named[0]
    assert page.inner_text(".verdict") == named[0]
    assert page.locator(".verdict-more").all_inner_texts() == named[1:]
    assert page.inner_text("h1") == "Sample corpus"


def test_what_was_tested_stands_below_the_verdict(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    facts = dict(zip(*(page.locator(f"#facts {part}").all_inner_texts() for part in ("dt", "dd")), strict=True))
    assert facts["Test set"] == "Learners"
    assert facts["Sentences"] == "72, 3 references each"
    assert facts["Systems"] == "4"
    assert facts["Metrics"] == "M², ERRANT, GLEU"
    assert facts["Made"].startswith("2026-01-31, gecval ")
    assert page.inner_text("#verdict-scope") == "The verdict and all tables are about all 72 sentences."
    places = [page.locator(part).bounding_box()["y"] for part in (".verdict", "#overview-table", "#ranking-table")]
    assert places == sorted(places)  # all metrics come before the ranking under one


def test_precision_and_recall_stand_next_to_the_scores_that_have_them(
    sample: Overview, sample_page: Path, open_page: Any
) -> None:
    page = open_page(sample_page)
    for metric, name in enumerate(sample.metrics):
        page.select_option("#choose-metric", str(metric))
        scores = [score for score in sample.scores if score.metric == name]
        heads = page.locator("#ranking-table thead th").all_inner_texts()
        if "precision" not in scores[0].parts:
            assert "Precision" not in heads
            continue
        shown = column(page, "#ranking-table", -3), column(page, "#ranking-table", -2)
        parts = [(f"{score.parts['precision']:.4f}", f"{score.parts['recall']:.4f}") for score in scores]
        assert list(zip(*shown, strict=True)) == parts


@pytest.mark.parametrize("metric", [0, 1, 2])
def test_ranking(sample: Overview, sample_page: Path, open_page: Any, metric: int) -> None:
    page = open_page(sample_page)
    page.select_option("#choose-metric", str(metric))
    scores = [score for score in sample.scores if score.metric == sample.metrics[metric]]
    rows = page.locator("#ranking-table tbody tr").all_inner_texts()
    for row, score in zip(rows, scores, strict=True):
        low, high = score.ranks or (0, 0)
        ranks = str(low) if low == high else f"{low}–{high}"
        bounds = f"[{score.interval[0]:.4f}, {score.interval[1]:.4f}]".replace("-", MINUS) if score.interval else ""
        cells = [cell.strip() for cell in row.split("\t")]
        cells = [*cells[:-3], cells[-1]] if "precision" in score.parts else cells
        assert cells[-5:-1] == [ranks, score.system, f"{score.score:.4f}".replace("-", MINUS), bounds]
    clusters = [score.cluster for score in scores]
    assert page.locator("#ranking-table tbody").count() == len(set(clusters))
    assert page.locator("#overview-table tbody tr").count() == 4
    assert page.locator("#overview-table [aria-sort]").count() == 1


def test_a_metric_is_chosen_in_the_table(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.click("#overview-table thead button >> nth=2")
    assert page.evaluate("gecval.state.metric") == 2
    assert page.input_value("#choose-metric") == "2"
    assert page.get_attribute("#overview-table thead button >> nth=2", "aria-pressed") == "true"


def test_the_matrix_holds_every_pair_both_ways(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    of = {score.system: score.score for score in sample.scores if score.metric == sample.metrics[0]}
    p = {
        frozenset((pair.system, pair.baseline)): (pair.p, pair.significant)
        for pair in sample.comparisons
        if pair.metric == sample.metrics[0]
    }
    for cell in page.locator(".matrix td.test").all():
        a, b = (sample.systems[int(cell.get_attribute(f"data-{side}"))] for side in "ab")
        assert cell.locator(".difference").inner_text() == signed(of[a] - of[b])
        probability, significant = p[frozenset((a, b))]
        written = f"{probability:.3f}".replace("0.", ".").replace("1.000", "1") if probability >= 0.001 else "<.001"
        assert cell.locator("small").inner_text() == f"p {written}"
        kind = ("better" if of[a] > of[b] else "worse") if significant else "even"
        assert kind in cell.get_attribute("class").split()
        assert {"better": "better", "worse": "worse", "even": "not significant"}[kind] in cell.get_attribute("title")
    assert page.locator(".matrix td.test").count() == 12
    least = min(probability for probability, _ in p.values())
    assert least == pytest.approx(18 / 100_001)  # Holm over six pairs and three metrics
    page.click(".matrix td.test >> nth=4")
    assert page.evaluate("[gecval.state.a, gecval.state.b]") == [1, 2]


def kinds(page: Any) -> list[str]:
    """The types on show; what they mean stands behind them."""
    return [text.split()[0] for text in column(page, "#types-table", 1)]


def test_bars_count_the_marks_of_the_sentences(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, "more=1&system=2")
    made, missed, types = data(page, "outputEdits"), data(page, "missed"), data(page, "types")
    shown = kinds(page)
    assert len(shown) > 12
    for row, kind in enumerate(shown):
        number = types.index(kind)
        status = [e[4] for edits in made for e in edits[2] if e[3] == number]
        lacking = sum(e[3] == number for edits in missed for e in edits[2])
        counts = page.locator(f"#types-table tbody tr >> nth={row} >> .count-number").all_inner_texts()
        assert [int(text) for text in counts] == [status.count(0), status.count(1), lacking, status.count(2)]
    page.click("#all-types")
    assert len(kinds(page)) == 12


def test_bars_follow_the_filters(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, "max=10")
    made, types = data(page, "outputEdits"), data(page, "types")
    kind = kinds(page)[0]
    right = sum(e[4] == 0 for i in order(page) for e in made[i][0] if e[3] == types.index(kind))
    assert page.inner_text("#types-table tbody .count-number >> nth=0") == str(right)


def test_the_interval_of_a_count_is_that_of_resampled_sentences(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    made, number = data(page, "outputEdits"), data(page, "types").index("R:PREP")
    counts = [sum(e[3] == number and e[4] == 0 for e in edits[0]) for edits in made]
    n, total = len(counts), sum(counts)
    variance = sum((c - total / n) ** 2 for c in counts) / (n - 1)
    half = 1.96 * (n * variance) ** 0.5
    shown = page.evaluate(f"gecval.countsByType(0, null)[{number}].right")
    assert shown["sum"] == total
    assert shown["interval"] == pytest.approx([max(0, total - half), total + half])


def test_a_bar_and_a_cell_of_the_map_lead_to_sentences(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.click("#types-table tbody .plain >> nth=0")
    state = page.evaluate("gecval.state")
    assert (state["by"], state["outcome"]) == (0, "right")
    assert page.evaluate("gecval.data.types[gecval.state.type]") == kinds(page)[0]
    assert page.evaluate("document.activeElement.id") == "sentences-heading"
    entry = next(row for row in sample.types or () if row.system == sample.systems[3])
    number = data(page, "types").index(entry.type)
    cell = page.locator(f".heat-map td[data-system='3'][data-type='{number}']")
    if cell.count():
        assert cell.inner_text() == (f"{entry.score:.2f}".lstrip("0") if entry.score < 1 else "1.00")
        cell.click()
        assert page.evaluate("[gecval.state.type, gecval.state.by]") == [number, 3]


def test_the_sentences_that_decide(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    significant = {(pair.metric, pair.system, pair.baseline) for pair in sample.comparisons if pair.significant}
    decided = [pair for pair in sample.deciding if (pair.metric, pair.system, pair.baseline) in significant]
    pair = min((pair for pair in decided if pair.sentences), key=lambda pair: len(pair.sentences or ()))
    places = [sample.systems.index(name) for name in (pair.system, pair.baseline)]
    choose(page, metric=sample.metrics.index(pair.metric), a=places[0], b=places[1])
    numbers = [number - 1 for number in pair.sentences or ()]
    said = page.inner_text("#deciding-statement")
    assert said.startswith(f"{len(numbers)} of 72 sentences decide between {pair.system} and {pair.baseline}: ")
    becomes = f"{pair.difference_without:+.4f}".replace("-", MINUS)
    assert f"the difference of {pair.difference:+.4f}" in said
    assert f"becomes {becomes}." in said
    assert [int(text.split()[-1]) - 1 for text in column(page, "#deciding-table", 1)] == numbers[:12]
    assert page.locator(".influence circle.deciding").count() == len(numbers)
    page.click("#deciding >> text=Score without them")
    page.wait_for_selector("html[data-scored=true]")
    assert order(page) == [sentence for sentence in range(72) if sentence not in numbers]
    shown = dict(zip(column(page, "#ranking-table", 2), column(page, "#ranking-table", 3), strict=True))
    difference = float(shown[pair.system]) - float(shown[pair.baseline])
    assert difference == pytest.approx(pair.difference_without, abs=2e-4)  # the verdict has turned around
    page.click("#deciding >> text=Show these")
    assert sorted(order(page)) == sorted(numbers)
    page.click("#deciding-table tbody button >> nth=1")
    assert page.evaluate("document.activeElement.id") == f"sentence-{numbers[1]}"


def test_without_a_significant_difference_nothing_is_decided(
    sample: Overview, sample_page: Path, open_page: Any
) -> None:
    page = open_page(sample_page)
    chance = {(pair.metric, pair.system, pair.baseline): pair.p for pair in sample.comparisons if not pair.significant}
    pair = next(pair for pair in sample.deciding if (pair.metric, pair.system, pair.baseline) in chance)
    a, b = (sample.systems.index(name) for name in (pair.system, pair.baseline))
    choose(page, metric=sample.metrics.index(pair.metric), a=a, b=b)
    assert page.inner_text("#deciding-statement").startswith("Nothing is decided: ")


def test_a_pair_turned_around_has_the_same_deciding_sentences(
    sample: Overview, sample_page: Path, open_page: Any
) -> None:
    page = open_page(sample_page)
    straight = page.evaluate("gecval.decisionOf({ metric: 0, a: 0, b: 1 })")
    turned = page.evaluate("gecval.decisionOf({ metric: 0, a: 1, b: 0 })")
    assert turned["sentences"] == straight["sentences"]
    assert turned["difference"] == -straight["difference"]
    assert turned["without"] == -straight["without"]
    influence = "[...gecval.decisionOf({ metric: 0, a: %d, b: %d }).influence]"
    assert page.evaluate(influence % (1, 0)) == [-value for value in page.evaluate(influence % (0, 1))]


def test_a_filter_moves_no_table_that_it_leaves_alone(sample_page: Path, open_page: Any) -> None:
    """A note next to the heading says that filters do not count; large tables are not laid out again for it."""
    page = open_page(sample_page)
    place = "document.querySelector('.matrix').offsetTop + document.querySelector('#tests .scroll').offsetTop"
    before = page.evaluate(place)
    assert page.locator("#tests > .whole-note").is_hidden()
    choose(page, min=10)
    assert page.locator("#tests > .whole-note").is_visible()
    assert page.evaluate(place) == before
    heading, note = (page.locator(f"#tests > {part}").bounding_box() for part in ("h2", ".whole-note"))
    assert note["x"] > heading["x"] + heading["width"] / 2  # next to the words of the heading, not over them
    assert abs(note["y"] - heading["y"]) < heading["height"]


def test_scales_have_two_round_numbers_or_more(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    ticks = "({values, zero}) => gecval.charts.scale(values, 180, { zero }).ticks"
    assert page.evaluate(ticks, {"values": [-0.0013, 0.0015], "zero": True}) == pytest.approx([-0.001, 0, 0.001])
    assert page.evaluate(ticks, {"values": [0, 1], "zero": True}) == pytest.approx([0, 0.5, 1])
    # Scores that are as good as equal, no score at all: a scale around them, not an endless one.
    assert len(page.evaluate(ticks, {"values": [0.3, 0.3 + 1e-15], "zero": False})) >= 2
    assert len(page.evaluate(ticks, {"values": [], "zero": False})) >= 2


def test_sorting_by_influence(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.click("#deciding >> text=Sort all sentences by influence")
    influence = [float(value) for value in sample.material.influences[0]]
    assert order(page) == sorted(range(72), key=lambda i: (-influence[i], i))


def test_numbers_are_rounded_as_on_the_command_line(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    for value, decimals in [(0.3125, 3), (0.4375, 3), (-0.3125, 3), (0.1235, 3), (2.5, 0), (1e-9, 4)]:
        assert page.evaluate(f"gecval.write.fixed({value}, {decimals})") == f"{value:.{decimals}f}"


def test_commands_and_signatures_can_be_copied(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, permissions=["clipboard-read", "clipboard-write"])
    signatures = list(dict.fromkeys(score.signature for score in sample.scores))
    assert page.locator(".signatures code").all_inner_texts() == signatures
    assert page.locator("#methods > .copied code").all_inner_texts() == list(sample.commands)
    page.click(".signatures .copy >> nth=1")
    page.wait_for_selector(".signatures .copy:text-is('Copied')")  # the browser answers when it likes
    assert page.evaluate("navigator.clipboard.readText()") == signatures[1]


def test_a_copy_without_a_clipboard_selects_instead(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, permissions=["clipboard-read"])
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no clipboard')); }")
    page.click(".signatures .copy >> nth=0")
    assert page.evaluate("navigator.clipboard.readText()") == sample.scores[0].signature


def test_tables_of_other_studies(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    for section in ("changes", "coverage"):
        page.click(f"#{section} .given > summary")
        tables = data(page, section)["tables"]
        assert page.locator(f"#{section} .given caption").all_inner_texts() == [table["title"] for table in tables]
        first = page.locator(f"#{section} .given table >> nth=0 >> tbody tr >> nth=0").inner_text().split("\t")
        assert [text.strip() for text in first] == [text.strip() for text in tables[0]["rows"][0]]


def test_the_theme_can_be_switched(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.click("#theme")
    assert (page.inner_text("#theme"), page.evaluate(paper)) == ("Theme: light", light)
    page.click("#theme")
    assert page.inner_text("#theme") == "Theme: dark"
    dark = page.evaluate(paper)
    assert dark != light
    assert open_page(sample_page, dark=True).evaluate(paper) == dark
    choose(page, metric=1)
    assert page.evaluate(paper) == dark
    assert page.evaluate("location.hash") == "#metric=1&theme=2"  # a link keeps it
    again = open_page(sample_page, "theme=2")
    assert (again.inner_text("#theme"), again.evaluate(paper)) == ("Theme: dark", dark)
    assert open_page(sample_page, "theme=7").inner_text("#theme") == "Theme: system"


# Sorting by length, by any score, by a difference: ties keep the order of the file, undefined scores come last.


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
