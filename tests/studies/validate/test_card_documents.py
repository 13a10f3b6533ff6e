"""Cards as documents and charts, from cards that are made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gecval.stats import Interval
from gecval.studies.attack.result import Attack, Price, SystemMark
from gecval.studies.maege.result import MetricSummary, ReplicateMean, TypeDelta
from gecval.studies.metrics.study import MetricEntry
from gecval.studies.validate.charts import card_charts
from gecval.studies.validate.documents import html, index, markdown
from gecval.studies.validate.result import Card, Cards, CoveragePoint, EdgeCase, Gaming, MaegeLevels
from gecval.studies.validate.tables import sections

ENTRY = MetricEntry(
    name="toy", summary="It's \"plain\".", needs="references", references="best", higher_is_better=True, parameters=(),
    paper="", description="a + b",
)  # fmt: skip
CARD = Card(metric="toy's", about=ENTRY, grounds="the sample")


def mean(value: float, interval: Interval | None = None) -> ReplicateMean:
    return ReplicateMean(mean=value, interval=interval, deviation=0.1)


def levels(*types: TypeDelta) -> MaegeLevels:
    means = {name: mean(0.5) for name in ("corpus_spearman", "corpus_pearson", "sentence_tau", "sentence_pearson")}
    summary = MetricSummary(metric="toy", tie_rate=0.25, **means)
    return MaegeLevels(summary=summary, types=types, replicates=3, sentences=64, references="2", level=0.9)


def delta(name: str, edits: int, value: ReplicateMean) -> TypeDelta:
    return TypeDelta(type=name, metric="toy", edits=edits, delta=value)


@pytest.mark.parametrize(
    ("description", "fence"), [("a", "```"), ("a `b`", "```"), ("a ``b``", "```"), ("a ```b``` `c`", "````")]
)
def test_the_fence_of_a_formula_is_longer_than_any_within(description: str, fence: str) -> None:
    text = markdown(Cards(cards=(replace(CARD, about=replace(ENTRY, description=description)),)))
    assert f"## Formula\n\n{fence}text\n{description}\n{fence}\n\n" in text


def test_markdown_keeps_quotation_marks() -> None:
    edge = EdgeCase(name="it's", source='"a"', hypothesis="b's", reference="c", score=0.5)
    text = markdown(Cards(cards=(replace(CARD, edges=(edge,)),)))
    assert text.startswith("# toy's\n\n- **purpose**: It's \"plain\".")
    assert "| it's | \"a\" | b's | c | 0.5000 |" in text
    assert "[toy's](toy.md)" in index(Cards(cards=(CARD,)), ["toy.md"], "cards")


def test_one_card_has_its_name_as_title_and_several_have_a_list() -> None:
    alone = html(Cards(cards=(CARD,)))
    assert "<title>toy&#x27;s: metric card</title>" in alone
    assert "<nav" not in alone
    assert "<h2>" not in alone
    both = html(Cards(cards=(CARD, replace(CARD, metric="other"))))
    assert "<title>Metric cards</title>" in both
    assert both.count('<li><a href="#card-') == 2
    assert both.count("<h2>") == 2


def test_the_signature_under_attacks_is_that_of_the_first() -> None:
    attacks = tuple(
        Attack(adversary=name, metric="toy", score=0.5, source=0.25, gain=0.25, signature=f"signature of {name}")
        for name in ("empty", "lottery")
    )
    price = Price(metric="toy", adversary="empty", score=0.5, source=0.25, points=0.25)
    card = replace(CARD, gaming=Gaming(price=price, attacks=attacks, systems=(), people=None))
    [gaming] = [section for section in sections(card) if section.title == "The price of gaming"]
    assert gaming.table.footnotes == ["signature of empty"]


def test_fifteen_types_are_shown() -> None:
    card = replace(CARD, maege=levels(*(delta(f"T{n}", n, mean(0.5)) for n in range(17))))
    [types] = [section for section in sections(card) if section.title == "Sensitivity by type of error"]
    assert [row[0] for row in types.table.rows] == [f"T{n}" for n in range(16, 1, -1)]
    assert types.text.endswith("The 15 most frequent types.")


def drawn(card: Card) -> dict[str, list[dict]]:
    """The rows of each chart by the chart's title; a line at 0 is left out."""
    pytest.importorskip("altair", reason="needs the extra [report]")
    charts = {title: chart.to_dict() for title, chart in card_charts(card)}
    return {
        title: [row for rows in spec["datasets"].values() for row in rows if "zero" not in row]
        for title, spec in charts.items()
    }


def test_a_dot_for_each_type_with_its_interval() -> None:
    nan = float("nan")
    types = [delta("few", 1, mean(0.25)), delta("many", 9, mean(0.5, Interval(0.25, 0.75)))]
    types += [delta("half", 5, mean(0.5, Interval(nan, 0.75))), delta("unknown", 4, mean(nan))]
    assert drawn(replace(CARD, maege=levels(*types))) == {
        "Sensitivity by type of error": [
            {"name": "many", "value": 0.5, "low": 0.25, "high": 0.75},
            {"name": "half", "value": 0.5, "low": 0.5, "high": 0.5},
            {"name": "few", "value": 0.25, "low": 0.25, "high": 0.25},
        ]
    }
    many = [delta(f"T{n}", n, mean(0.5)) for n in range(17)]
    assert len(drawn(replace(CARD, maege=levels(*many)))["Sensitivity by type of error"]) == 15


def test_a_curve_needs_two_numbers_of_references() -> None:
    points = tuple(CoveragePoint(references=n, people=n / 4, source=n / 8) for n in (1, 2))
    assert drawn(replace(CARD, coverage=points[:1])) == {}
    assert drawn(replace(CARD, coverage=points))["Coverage bias"] == [
        {"references": 1, "who": "people", "score": 0.25},
        {"references": 1, "who": "source", "score": 0.125},
        {"references": 2, "who": "people", "score": 0.5},
        {"references": 2, "who": "source", "score": 0.25},
    ]


def test_bars_from_best_to_worst() -> None:
    def attack(name: str, score: float, **more: object) -> Attack:
        return Attack(adversary=name, metric="toy", score=score, source=0.25, gain=0.0, signature="", **more)

    attacks = (
        attack("empty", 0.25), attack("lottery", 0.75, against="seen"), attack("broken", float("nan")),
        attack("shuffle", 0.5),
    )  # fmt: skip
    systems = (SystemMark(system="A", metric="toy", score=0.375),)
    price = Price(metric="toy", adversary="shuffle", score=0.5, source=0.25, points=0.25)
    card = replace(CARD, gaming=Gaming(price=price, attacks=attacks, systems=systems, people=None))
    names = [row["name"] for row in drawn(card)["The price of gaming"]]
    assert names == ["shuffle", "system A", "empty"]
    lower = replace(card, about=replace(ENTRY, higher_is_better=False))
    assert [row["name"] for row in drawn(lower)["The price of gaming"]] == names[::-1]
    [(_, chart)] = card_charts(card)
    assert chart.to_dict()["height"] == 3 * chart.to_dict()["mark"]["size"] + 3 * 6
