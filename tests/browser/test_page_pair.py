"""A against B, filters that can be seen, and what leaves the page: CSV, pictures, the table for a paper."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from browser.watching import choose, column, data, order, settle, until
from gecval.corpus import Corpus
from gecval.metrics import metric as find_metric
from gecval.metrics.evaluation import Evaluation
from gecval.sample import load_sample
from gecval.stats import Resampling
from gecval.studies.report.page import write_page
from gecval.studies.report.result import Overview
from gecval.studies.report.study import overview
from gecval.studies.scores.result import Scores

MINUS = "−"


def sentence_scores(sample: Overview, metric: int, system: int) -> list[float]:
    return [float(score) for score in sample.material.evaluations[metric][system].sentence_scores()]


def turns(sample: Overview, metric: int, a: int, b: int) -> dict[str, list[int]]:
    """The sentences in which A is better, worse, or neither."""
    pairs = list(zip(sentence_scores(sample, metric, a), sentence_scores(sample, metric, b), strict=True))
    return {
        "better": [i for i, (x, y) in enumerate(pairs) if x > y + 1e-12],
        "worse": [i for i, (x, y) in enumerate(pairs) if x < y - 1e-12],
        "equal": [i for i, (x, y) in enumerate(pairs) if abs(x - y) <= 1e-12],
    }


def test_a_difference_for_every_metric(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, "a=2&b=0")
    assert column(page, "#differences-table", 1) == ["M²", "ERRANT", "GLEU"]
    scores = {(score.metric, score.system): score.score for score in sample.scores}
    a, b = sample.systems[2], sample.systems[0]
    expected = [f"{scores[name, a] - scores[name, b]:+.4f}".replace("-", MINUS) for name in sample.metrics]
    assert column(page, "#differences-table", 2) == expected
    assert page.locator("#differences-table .interval-chart").count() == 3
    page.select_option("#pair-a", "0")  # the two are swapped
    assert page.evaluate("[gecval.state.a, gecval.state.b]") == [0, 2]
    assert column(page, "#differences-table", 2) == [
        text.translate(str.maketrans({"+": MINUS, MINUS: "+"})) for text in expected
    ]


@pytest.mark.parametrize("metric", [1, 2])
def test_the_tally_counts_sentences_and_leads_to_them(
    sample: Overview, sample_page: Path, open_page: Any, metric: int
) -> None:
    page = open_page(sample_page, f"metric={metric}&a=0&b=1")
    expected = turns(sample, metric, 0, 1)
    until(page, "document.getElementById('turn-worse')")
    for turn, sentences in expected.items():
        assert page.inner_text(f"#turn-{turn} .swatch") == str(len(sentences))
    page.click("#turn-worse")
    page.evaluate("gecval.settled()")
    assert sorted(order(page)) == expected["worse"]
    differences = [a - b for a, b in zip(*(sentence_scores(sample, metric, s) for s in (0, 1)), strict=True)]
    assert order(page)[0] == min(expected["worse"], key=lambda i: (differences[i], i))  # the worst comes first
    assert page.evaluate("document.activeElement.id") == "sentences-heading"
    until(page, "document.getElementById('turn-worse').getAttribute('aria-pressed') === 'true'")
    assert page.inner_text("#turn-better .swatch") == str(
        len(expected["better"])
    )  # the tally leaves its own filter out
    choose(page, turn="better")
    assert sorted(order(page)) == expected["better"]
    choose(page, turn="", max=12)
    short = {i for i, source in enumerate(sample.material.corpus.sources) if len(source.split()) <= 12}
    until(page, f"document.querySelector('#tally p').textContent.includes(', of {len(short)} sentences')")
    assert page.inner_text("#turn-worse .swatch") == str(len(short & set(expected["worse"])))


def test_the_sentences_that_got_worse_score_as_a_corpus_of_their_own(
    sample: Overview, sample_page: Path, open_page: Any
) -> None:
    page = open_page(sample_page, "turn=worse&a=0&b=2")
    page.wait_for_selector("html[data-scored=true]")
    corpus, systems = load_sample()
    listed = order(page)
    references = [corpus.references[i] for i in listed]
    part = Corpus([corpus.sources[i] for i in listed], references, language=corpus.language)
    system = next(system for system in systems if system.name == sample.systems[0])
    same = part.system(system.name, [system.hypotheses[i] for i in listed])
    score = Evaluation.of(find_metric("m2"), part, same).score()
    shown = dict(zip(column(page, "#ranking-table", 2), column(page, "#ranking-table", 3), strict=True))
    assert shown[system.name] == f"{score:.4f}"


def test_of_two_systems_the_one_given_first_is_the_one_compared_with(open_page: Any, tmp_path: Path) -> None:
    corpus, systems = load_sample()
    two = [systems[1], systems[0]]  # the better one first
    seen = overview(corpus, two, ["m2"], edits="plain", confidence=Resampling(50), for_page=True)
    write_page(seen, tmp_path / "two.html", corpus="Learners")
    page = open_page(tmp_path / "two.html")
    assert page.inner_text("h1") == f"{seen.systems[0]} and {seen.systems[1]} on Learners"
    a, b = page.evaluate("[gecval.state.a, gecval.state.b].map((system) => gecval.data.systems[system])")
    assert (a, b) == (systems[0].name, systems[1].name)
    until(page, f"document.getElementById('tally').textContent.includes('from {b} (B) to {a} (A)')")
    assert page.locator("#tests").is_hidden()
    assert page.locator("#contents a").all_inner_texts()[:3] == ["Verdict", "A against B", "Ranking"]
    head = page.locator("#ranking-table thead th").all_inner_texts()  # ranks and clusters would be a second verdict
    assert head[0] == "System"
    assert not {"Cluster", "Ranks"} & set(head)
    page.emulate_media(media="print")
    assert page.locator("#turn-worse").is_visible()  # how many got worse stands on paper too


def test_a_filter_is_seen_wherever_the_reader_is(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    assert page.locator("#filters-on").is_hidden()
    number = data(page, "types").index("R:PREP")
    choose(page, type=number, outcome="missed", q="the")
    count = len(order(page))
    assert page.inner_text("#filters-on strong") == f"{count} of 72 sentences shown:"
    chips = [text.replace("Take away:", "") for text in page.locator("#filters-on .chip").all_inner_texts()]
    assert [chip.strip() for chip in chips] == ["text “the” ×", "edits R:PREP (wrong preposition) ×", "missed ×"]
    assert f"below are of the {count} sentences shown" in page.inner_text("#verdict-scope")
    for table in ("#ranking-table", "#overview-table", "#types-table"):
        assert f", of the {count} sentences shown" in page.inner_text(f"{table} caption")
    page.click("#filters-on .chip >> nth=0")
    settle(page)
    assert page.evaluate("gecval.state.q") == ""
    assert len(order(page)) > count
    page.click("#filters-on >> text=Show all")
    settle(page)
    assert page.locator("#filters-on").is_hidden()


def test_what_is_asked_for_stands_out_and_a_missed_edit_shows_the_word(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    number = data(page, "types").index("R:PREP")
    choose(page, type=number, outcome="missed", by=1, a=1, b=0)
    settle(page)
    sought = page.locator(".alignment .edit.sought")
    assert sought.count() > 0
    assert all("R:PREP" in edit.get_attribute("title") for edit in sought.all())
    assert all("missed" in edit.get_attribute("class").split() for edit in sought.all())
    missed = page.locator(".alignment .edit.missed").first
    wanted = missed.get_attribute("title").split(" → ")[1].split(" · ")[0]
    assert missed.locator(".wanted").inner_text().strip() == f"→ {wanted}"
    choose(page, type=-1, outcome="")
    settle(page)
    assert page.locator(".alignment .edit.sought").count() == 0


def test_words_that_differ_between_a_and_b_are_framed(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    settle(page)
    a, b = (data(page, f"outputs.map((of) => of[{system}])") for system in (0, 1))
    for sentence in range(20):
        framed = page.locator(f"#sentence-{sentence} .cell.differs").count()
        assert (framed > 0) == (a[sentence] != b[sentence])
    assert page.locator("#legend >> text=A and B differ").count() == 1


def downloaded(page: Any, selector: str) -> tuple[str, bytes]:
    with page.expect_download() as waiting:
        page.click(selector)
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_shown_sentences_as_csv(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, "turn=worse&a=0&b=1&metric=2")
    name, content = downloaded(page, "#save-csv")
    assert name == "Sample-corpus-sentences.csv"
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    assert [int(row["sentence"]) - 1 for row in rows] == order(page)
    corpus = sample.material.corpus
    for row in rows:
        i = int(row["sentence"]) - 1
        assert row["source"] == corpus.sources[i]
        assert [row[f"reference {r + 1}"] for r in range(3)] == list(corpus.texts_of(i))
        assert float(row[f"GLEU: {sample.systems[3]}"]) == pytest.approx(sentence_scores(sample, 2, 3)[i])


def test_a_spreadsheet_runs_nothing(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.evaluate("gecval.data.sources[0] = '=HYPERLINK(\"x\"),1'")
    line = page.evaluate("gecval.sentencesAsCsv()").split("\r\n")[1]
    assert line.startswith('1,"\'=HYPERLINK(""x""),1",')


@pytest.mark.parametrize("picture", ["ranking", "differences", "influence"])
def test_charts_as_pictures(sample_page: Path, open_page: Any, picture: str) -> None:
    page = open_page(sample_page, dark=True)
    name, content = downloaded(page, f"[data-picture='{picture}.svg']")
    assert name == f"Sample-corpus-{picture}.svg"
    text = content.decode()
    assert text.startswith("<svg ")
    assert "var(" not in text  # colours are written into it
    assert "class=" not in text.partition(">")[2]
    if picture != "influence":
        assert "Learners · 72 sentences · lines: 95% intervals" in text
        assert "rgb(255, 255, 255)" in text  # as on white paper, although the page is dark
    name, content = downloaded(page, f"[data-picture='{picture}.png']")
    assert content.startswith(b"\x89PNG")


def test_the_table_for_a_paper(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.click("#methods .given > summary")
    shown = page.inner_text("#methods .given code")
    assert shown.split() == Scores(scores=sample.scores).render("latex").split()


def test_types_have_words_and_an_order(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    head = page.locator(".heat-map th[scope=row]", has_text="R:VERB:SVA").first
    assert head.get_attribute("title") == "wrong agreement of subject and verb"
    page.select_option("#types-sort", "difference")
    shown = [text.split()[0] for text in column(page, "#types .heat-map", 1)]
    scores = {(row.system, row.type): row.score for row in sample.types or ()}
    a, b = sample.systems[:2]

    def size(kind: str) -> float:
        return abs(scores[a, kind] - scores[b, kind]) if (a, kind) in scores and (b, kind) in scores else 0.0

    assert [size(kind) for kind in shown] == sorted((size(kind) for kind in shown), reverse=True)
    assert page.evaluate("location.hash") == "#types=difference"


def test_people_and_systems_by_words_changed(sample: Overview, sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    names = column(page, "#changed-table", 1)
    assert names[:3] == ["Reference 1", "Reference 2", "Reference 3"]
    changes = {row.corrector: row for row in sample.changes or ()}
    systems = sorted(sample.systems, key=lambda name: -changes[name].word_changes)
    assert names[3:] == systems
    means = [f"{changes[name].word_changes:.2f}" for name in systems]
    assert column(page, "#changed-table", 2)[3:] == means
    assert column(page, "#changed-table", 2)[0] == f"{changes['(reference)'].word_changes:.2f}"


def test_paper_has_ten_sentences(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".sentence").count() == 10
    assert "62 more sentences" in page.inner_text("#list")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    settle(page)
    assert page.locator(".sentence").count() == 50
