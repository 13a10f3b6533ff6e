"""A card that is made by hand, section by section: every row as it is written, and what is left out where it lacks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gecval.results.table import Numbers, grid
from gecval.stats import Interval
from gecval.stats.correlation import Correlation
from gecval.studies.attack.result import Attack, PeopleMark, Price, SystemMark
from gecval.studies.maege.result import MetricSummary, ReplicateMean, TypeDelta
from gecval.studies.metrics.study import MetricEntry, MetricParameter
from gecval.studies.validate.documents import index
from gecval.studies.validate.result import (
    AgainstMetric,
    Agreement,
    Card,
    Cards,
    CoveragePoint,
    EdgeCase,
    Gaming,
    Lacking,
    MaegeLevels,
    Measured,
)
from gecval.studies.validate.tables import MOST_TYPES, about, card_tables, sections

ENTRY = MetricEntry(
    name="toy",
    summary="Counts words.",
    needs="references",
    references="best",
    higher_is_better=True,
    parameters=(MetricParameter(name="n", default="4"), MetricParameter(name="x", default="no")),
    paper="Nobody 2020",
    description="a + b\nc",
)
EMPTY = Card(metric="toy", about=ENTRY, grounds="the sample")


def correlation(value: float) -> Correlation:
    return Correlation(value=value, p=0.01, interval=Interval(value - 0.1, value + 0.1), n=13)


def mean(value: float) -> ReplicateMean:
    return ReplicateMean(mean=value, interval=Interval(value - 0.1, value + 0.1), deviation=0.1)


def attack(adversary: str, score: float, gain: float, *beats: str) -> Attack:
    return Attack(
        adversary=adversary, metric="toy", score=score, source=0.25, gain=gain, beats=beats, signature="toy|1"
    )


AGREEMENT = Agreement(
    judgments="GJG15",
    outputs="all",
    pearson=correlation(0.5),
    spearman=correlation(0.4),
    kendall=correlation(0.3),
    accuracy=0.75,
    accuracy_interval=Interval(0.7, 0.8),
    pairs=120,
)
TYPES = tuple(
    TypeDelta(type=f"T{n}", metric="toy", edits=edits, delta=mean(n / 10))
    for n, edits in enumerate([2, 9, 5, *[1] * MOST_TYPES])
)
LEVELS = MaegeLevels(
    summary=MetricSummary(
        metric="toy",
        corpus_spearman=mean(0.9),
        corpus_pearson=mean(0.8),
        sentence_tau=mean(0.7),
        sentence_pearson=mean(0.6),
        tie_rate=0.25,
    ),
    types=TYPES,
    replicates=3,
    sentences=64,
    references="2",
    level=0.9,
)
GAMING = Gaming(
    price=Price(metric="toy", adversary="lottery", score=0.5, source=0.25, points=0.25, luck=0.125),
    attacks=(
        attack("source", 0.25, 0.0),
        replace(attack("lottery", 0.5, 0.25, "A"), against="seen"),
        replace(attack("lottery", 0.125, -0.125), against="held out"),
    ),
    systems=(SystemMark(system="A", metric="toy", score=0.375), SystemMark(system="B", metric="toy", score=0.625)),
    people=PeopleMark(metric="toy", score=0.75, source=0.5, sentences=10),
    notes=("a note",),
)


def rows_of(card: Card, title: str) -> list[tuple[str, ...]]:
    """A section as text; its columns come first."""
    [section] = [section for section in sections(card) if section.title == title]
    written = grid(section.table, Numbers(), bold_is_seen=True)
    return [tuple(column.name for column in written.columns), *written.rows]


def titles(card: Card) -> list[str]:
    return [section.title for section in sections(card)]


def test_what_lacks_is_left_out() -> None:
    assert titles(EMPTY) == ["Edge cases"]
    lacking = replace(EMPTY, lacking=(Lacking(part="cost", why="no clock"),))
    assert titles(lacking) == ["Edge cases", "What is lacking"]
    assert rows_of(lacking, "What is lacking") == [("part", "why, and what to do"), ("cost", "no clock")]
    assert titles(replace(EMPTY, maege=replace(LEVELS, types=()))) == [
        *("In short", "MAEGE: corrections of known order", "Edge cases")
    ]


def test_about() -> None:
    measured = Measured(lowest=-1.23456, highest=2.0, seconds=1.5, cpu_seconds=2.5, sentences=10, jobs=1)
    assert about(replace(EMPTY, measured=measured)) == [
        ("purpose", "Counts words."),
        ("needs", "references"),
        ("several references", "best"),
        ("better", "higher"),
        ("sentence scores seen", "-1.235 to 2, for the source, a reference and a system"),
        (
            "cost",
            "about 2.5 CPU seconds for 1000 sentences (1.5 s by the clock where this card was made, with 1 thread)",
        ),
        ("parameters, by default", "n=4, x=no"),
        ("paper", "Nobody 2020"),
        ("measured on", "the sample"),
    ]
    down = replace(ENTRY, needs="source", higher_is_better=False, parameters=(), paper="")
    assert about(replace(EMPTY, about=down, measured=replace(measured, jobs=2)))[2:] == [
        ("better", "lower"),
        ("sentence scores seen", "-1.235 to 2, for the source, a reference and a system"),
        (
            "cost",
            "about 2.5 CPU seconds for 1000 sentences (1.5 s by the clock where this card was made, with 2 threads)",
        ),
        ("measured on", "the sample"),
    ]
    assert [name for name, _ in about(EMPTY)] == [
        *("purpose", "needs", "several references", "better", "parameters, by default", "paper", "measured on")
    ]


def test_in_short() -> None:
    card = replace(EMPTY, agreement=(AGREEMENT,), maege=LEVELS, gaming=GAMING)
    assert rows_of(card, "In short") == [
        ("what", "figure", "interval"),
        ("agrees with people about systems: r on GJG15, all", "0.500", "[0.400, 0.600]"),
        ("prefers better corrections of a sentence: MAEGE's τ", "0.700", "[0.600, 0.800]"),
        ("points without merit, by the adversary 'lottery'", "+0.250", ""),
        ("points for luck with references", "+0.125", ""),
    ]
    honest = replace(GAMING, price=replace(GAMING.price, points=0.0, luck=None))
    assert rows_of(replace(EMPTY, gaming=honest), "In short")[1:] == [
        ("points without merit, no adversary beats the source", "+0.000", "")
    ]


def test_agreement_with_people() -> None:
    assert rows_of(replace(EMPTY, agreement=(AGREEMENT,)), "Agreement with people") == [
        ("judgments", "systems", "r", "r interval", "ρ", "ρ interval", "τ", "accuracy", "accuracy interval", "pairs"),
        (
            *("GJG15, all", "13", "0.500", "[0.400, 0.600]", "0.400", "[0.300, 0.500]", "0.300"),
            *("0.750", "[0.700, 0.800]", "120"),
        ),
    ]


def test_against_other_metrics() -> None:
    """A row for the systems of each judgment, two columns for each other metric; a dash where there is no test."""
    against = [("all", "m2", 0.1, 0.04), ("all", "gleu", -0.2, 0.5), ("base", "gleu", 0.05, 0.0001)]
    card = replace(
        EMPTY,
        against=tuple(
            AgainstMetric(judgments="SEEDA", outputs=outputs, other=other, difference=difference, p=p)
            for outputs, other, difference, p in against
        ),
    )
    assert rows_of(card, "Against other metrics") == [
        ("judgments", "r minus m2's", "p against m2", "r minus gleu's", "p against gleu"),
        ("SEEDA, all", "+0.100", "0.040", "-0.200", "0.500"),
        ("SEEDA, base", "–", "–", "+0.050", "< 0.001"),
    ]


def test_maege_and_its_types() -> None:
    card = replace(EMPTY, maege=LEVELS)
    assert rows_of(card, "MAEGE: corrections of known order") == [
        ("level", "agreement", "90% interval"),
        ("corpora, Spearman's ρ", "0.900", "[0.800, 1.000]"),
        ("corpora, Pearson's r", "0.800", "[0.700, 0.900]"),
        ("sentences, τ", "0.700", "[0.600, 0.800]"),
        ("sentences, Pearson's r", "0.600", "[0.500, 0.700]"),
        ("sentences, share of ties", "0.250", ""),
    ]
    types = rows_of(card, "Sensitivity by type of error")
    assert types[:4] == [
        ("type", "edits", "Δ", "90% interval"),
        ("T1", "9", "+0.100", "[0.000, 0.200]"),
        ("T2", "5", "+0.200", "[0.100, 0.300]"),
        ("T0", "2", "+0.000", "[-0.100, 0.100]"),
    ]
    assert len(types) == 1 + MOST_TYPES == 16
    lower = replace(card, about=replace(ENTRY, higher_is_better=False))
    for shown, word in ((card, "Below 0"), (lower, "Above 0")):
        [section] = [section for section in sections(shown) if section.title.startswith("Sensitivity")]
        assert f"on average. {word}, the metric punishes" in section.text
        assert section.text.endswith("The 15 most frequent types.")


@pytest.mark.parametrize(("up", "word"), [(True, "grows"), (False, "falls")])
def test_coverage(up: bool, word: str) -> None:
    points = tuple(CoveragePoint(references=n, people=0.4 + n / 10, source=0.2) for n in (1, 2))
    card = replace(EMPTY, coverage=points, about=replace(ENTRY, higher_is_better=up))
    assert rows_of(card, "Coverage bias") == [
        ("references", "people", "source"),
        ("1", "0.5000", "0.2000"),
        ("2", "0.6000", "0.2000"),
    ]
    assert f"A score of people that {word} with the references" in sections(card)[0].text


@pytest.mark.parametrize(("up", "people"), [(True, "+0.2500"), (False, "-0.2500")])
def test_gaming(up: bool, people: str) -> None:
    card = replace(EMPTY, gaming=GAMING, about=replace(ENTRY, higher_is_better=up))
    assert rows_of(card, "The price of gaming") == [
        ("adversary", "score", "over the source", "beats systems"),
        ("source", "0.2500", "+0.0000", "0 of 2"),
        ("lottery (references seen)", "0.5000", "+0.2500", "1 of 2"),
        ("lottery (held out)", "0.1250", "-0.1250", "0 of 2"),
        ("system A", "0.3750", "", ""),
        ("system B", "0.6250", "", ""),
        ("people, each against the others", "0.7500", people, ""),
    ]
    [section] = [section for section in sections(card) if section.title == "The price of gaming"]
    assert section.table.footnotes == ["a note", "toy|1"]
    alone = replace(card, gaming=replace(GAMING, people=None, systems=()))
    assert rows_of(alone, "The price of gaming")[1:] == [
        ("source", "0.2500", "+0.0000", ""),
        ("lottery (references seen)", "0.5000", "+0.2500", ""),
        ("lottery (held out)", "0.1250", "-0.1250", ""),
    ]


def test_edge_cases() -> None:
    edges = (
        EdgeCase(name="empty output", source="a", hypothesis="", reference="b", score=0.0),
        EdgeCase(name="all empty", source="", hypothesis="", reference="", score=float("nan"), failed="it refused"),
    )
    card = replace(EMPTY, edges=edges)
    assert rows_of(card, "Edge cases")[1:] == [("empty output", "a", "", "b", "0.0000"), ("all empty", *[""] * 3, "–")]
    assert sections(card)[0].table.footnotes == ["all empty: it refused"]


def test_tables_of_a_card() -> None:
    first, edges = card_tables(Cards(cards=(EMPTY,)))
    assert (first.columns, first.rows[0], first.footnotes) == (
        ["metric", "toy"],
        ["purpose", "Counts words."],
        ["a + b", "c"],
    )
    assert (edges.title, edges.footnotes[0]) == ("toy: Edge cases", sections(EMPTY)[0].text)
    [figures] = card_tables(Cards(cards=(EMPTY, replace(EMPTY, gaming=GAMING))), "tsv")
    assert figures.columns == ["metric", "part", "item", "value", "low", "high"]
    assert figures.rows[0][:2] == ["toy", "gaming"]


def test_the_index_has_a_row_for_each_card() -> None:
    measured = Measured(lowest=0.0, highest=1.0, seconds=0.5, cpu_seconds=0.25, sentences=10, jobs=1)
    undefined = replace(AGREEMENT, outputs="base", pearson=correlation(float("nan")))
    whole = replace(EMPTY, agreement=(AGREEMENT, undefined), maege=LEVELS, gaming=GAMING, measured=measured)
    text = index(Cards(cards=(whole, replace(EMPTY, metric="b_c"))), ["toy.md", "b.md"], "my cards")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    assert rows[0] == [*("metric", "GJG15, all", "GJG15, base", "MAEGE τ", "points without merit", "luck", "cost")]
    assert rows[2:] == [
        ["[toy](toy.md)", "0.50 [0.40, 0.60]", "–", "0.70", "+0.25, lottery", "+0.12", "about 0.25 s"],
        ["[b\\_c](b.md)", "–", "–", "–", "", "–", ""],
    ]
    assert text.endswith("    gecval validate -m toy,b_c -o 'my cards'")
