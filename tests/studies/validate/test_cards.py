"""Cards that are made by hand: as a page, as tables, and what their charts draw, against files in tests/expected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gecval.stats import Interval
from gecval.stats.correlation import Correlation
from gecval.studies.attack.result import Attack, PeopleMark, Price, SystemMark
from gecval.studies.maege.result import MetricSummary, PValue, ReplicateMean, TypeDelta
from gecval.studies.metrics.study import MetricEntry, MetricParameter
from gecval.studies.validate.documents import card_charts, html, index, markdown
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

NAN = float("nan")
ENTRY = MetricEntry(
    name="toy",
    summary='It\'s "plain".',
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


def mean(value: float, low: float | None = None) -> ReplicateMean:
    return ReplicateMean(mean=value, interval=None if low is None else Interval(low, 2 * value - low), deviation=0.1)


def attack(adversary: str, score: float, gain: float, *beats: str, **more: Any) -> Attack:
    signature = f"signature of {adversary}"
    return Attack(
        adversary=adversary, metric="toy", score=score, source=0.25, gain=gain, beats=beats, signature=signature, **more
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
# The fifteen most frequent types are shown, and those whose change is known are drawn.
TYPES = tuple(
    TypeDelta(type=f"T{n}", metric="toy", edits=edits, delta=delta)
    for n, (edits, delta) in enumerate(
        [(2, mean(0.0, -0.1)), (9, mean(0.1, 0.0)), (5, mean(0.2, NAN)), (4, mean(NAN)), (3, mean(-0.2))]
        + [(1, mean(0.5))] * 12
    )
)
LEVELS = MaegeLevels(
    summary=MetricSummary(
        metric="toy",
        corpus_spearman=mean(0.9, 0.8),
        corpus_pearson=mean(0.8, 0.7),
        sentence_tau=mean(0.7, 0.6),
        sentence_pearson=mean(0.6, 0.5),
        corpus_spearman_p=PValue(p=0.0001, holm=0.0002),
        corpus_pearson_p=PValue(p=0.001, holm=0.002),
        sentence_tau_p=PValue(p=0.01, holm=0.02),
        sentence_pearson_p=PValue(p=0.1, holm=0.2),
        rise=mean(0.05),
        tie_rate=0.25,
    ),
    types=TYPES,
    replicates=3,
    sentences=64,
    references="2",
    level=0.9,
)
GAMING = Gaming(
    price=Price(metric="toy", adversary="hill climbing", score=0.5, source=0.25, points=0.25, luck=0.125),
    attacks=(
        attack("source", 0.25, 0.0),
        attack("hill climbing", 0.5, 0.25, "A", against="seen"),
        attack("hill climbing", 0.125, -0.125, against="held out"),
        attack("broken", NAN, NAN),
        attack("shuffle", 0.4, 0.15, "A"),
    ),
    systems=(SystemMark(system="A", metric="toy", score=0.375), SystemMark(system="B", metric="toy", score=0.625)),
    people=PeopleMark(metric="toy", score=0.75, source=0.5, sentences=10),
    notes=("a note",),
)
MEASURED = Measured(lowest=-1.23456, highest=2.0, seconds=1.5, cpu_seconds=2.5, sentences=10, jobs=1)
FULL = replace(
    EMPTY,
    measured=MEASURED,
    agreement=(AGREEMENT, replace(AGREEMENT, outputs="base", pearson=correlation(NAN))),
    against=tuple(
        AgainstMetric(judgments="SEEDA", outputs=outputs, other=other, difference=difference, p=p)
        for outputs, other, difference, p in (
            ("all", "m2", 0.1, 0.04), ("all", "gleu", -0.2, 0.5), ("base", "gleu", 0.05, 0.0001),
        )
    ),
    maege=LEVELS,
    coverage=tuple(CoveragePoint(references=n, people=0.4 + n / 10, source=0.2) for n in (1, 2)),
    gaming=GAMING,
    edges=(
        EdgeCase(name="it's empty", source='"a"', hypothesis="", reference="b", score=0.0),
        EdgeCase(name="all empty", source="", hypothesis="", reference="", score=NAN, failed="it refused"),
    ),
    lacking=(Lacking(part="cost", why="no clock"),),
)  # fmt: skip
DOWN = replace(ENTRY, needs="source", higher_is_better=False, parameters=(), paper="")
CARDS = {
    "full": FULL,
    "lower is better": replace(FULL, about=DOWN, measured=replace(MEASURED, jobs=2)),
    "nothing known": EMPTY,
    "no adversary beats the source": replace(
        EMPTY,
        maege=replace(LEVELS, types=()),
        coverage=FULL.coverage[:1],
        gaming=replace(
            GAMING, people=None, systems=(), price=replace(GAMING.price, points=0.0, luck=None), notes=()
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CARDS)
def test_a_card(name: str, matches_file: Callable[[str, Any], None]) -> None:
    result = Cards(cards=(CARDS[name],))
    matches_file(f"cards/{name.replace(' ', '_')}.md", f"{markdown(result)}\n\n\n{result.render('tsv')}\n\n\n{result}")


@pytest.mark.parametrize("name", CARDS)
def test_charts_of_a_card(name: str, matches_file: Callable[[str, Any], None]) -> None:
    """Each chart's rows, and its height: a bar for each of them."""
    pytest.importorskip("altair", reason="needs the extra [report]")
    charts = {title: chart.to_dict() for title, chart in card_charts(CARDS[name])}
    drawn = {
        title: [spec.get("height"), *([rounded(row) for row in rows] for rows in spec["datasets"].values())]
        for title, spec in charts.items()
    }
    matches_file(f"cards/{name.replace(' ', '_')}.json", drawn)


def rounded(row: dict[str, Any]) -> dict[str, Any]:
    return {key: round(value, 9) if isinstance(value, float) else value for key, value in row.items()}


def test_the_index_of_a_folder(matches_file: Callable[[str, Any], None]) -> None:
    both = Cards(cards=(FULL, replace(EMPTY, metric="b_c")))
    matches_file("cards/index.md", index(both, ["toy.md", "b.md"], "my cards"))


@pytest.mark.parametrize(
    ("description", "fence"), [("a", "```"), ("a `b`", "```"), ("a ``b``", "```"), ("a ```b``` `c`", "````")]
)
def test_the_fence_of_a_formula_is_longer_than_any_within(description: str, fence: str) -> None:
    text = markdown(Cards(cards=(replace(EMPTY, about=replace(ENTRY, description=f"    {description}")),)))
    assert f"## Formula\n\n{fence}text\n{description}\n{fence}\n\n" in text


def test_words_of_a_description_are_text_and_its_code_is_code() -> None:
    about = replace(ENTRY, description="A *score* with ``form='tool'``, or `a<b`.\n\n    P = tp / n")
    cards = Cards(cards=(replace(EMPTY, about=about),))
    assert "\n\nA *score* with `form='tool'`, or `a<b`.\n\n```text\nP = tp / n\n```" in markdown(cards)
    page = html(cards)
    assert "<p>A <em>score</em> with <code>form=&#x27;tool&#x27;</code>, or <code>a&lt;b</code>.</p>" in page
    assert "<pre tabindex='0'>P = tp / n</pre>" in page


def test_one_card_has_its_name_as_title_and_several_have_a_list() -> None:
    mine = replace(EMPTY, metric="toy's")
    alone = html(Cards(cards=(mine,)))
    assert "<title>toy&#x27;s: metric card</title>" in alone
    assert "<nav" not in alone
    assert "<h2>" not in alone
    both = html(Cards(cards=(mine, replace(EMPTY, metric="other"))))
    assert "<title>Metric cards</title>" in both
    assert both.count('<li><a href="#card-') == 2
    assert both.count("<h2>") == 2
