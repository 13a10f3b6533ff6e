"""Cards as documents: Markdown with headings, and one self-contained HTML page without scripts.

All text is escaped: the name and the description of a metric may be anybody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from importlib.util import find_spec
from math import isfinite
from shlex import quote
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from gecval.errors import InputError
from gecval.metrics import metric
from gecval.results import theme
from gecval.results.table import DASH, UNKNOWN, Cell, Signed, Table, decimals, render_tables
from gecval.stats.correlation import Correlation
from gecval.studies.report.page import theme_css
from gecval.studies.validate.result import Card, Cards
from gecval.studies.validate.tables import MOST_TYPES, Section, about, sections

if TYPE_CHECKING:
    from altair import TopLevelMixin


TITLE = "Metric cards"
IN_SHORT, ABOUT = "In short", "About it"
# Three pictures that stand next to each other, below what is said in short: with it, they fill one screen.
PICTURES = ("Agreement with people", "The price of gaming", "Sensitivity by type of error")
CODE = re.compile(r"`{1,2}([^`]+)`{1,2}")
STRESS = re.compile(r"(?<![\w*])\*(\w[\w ]*)\*(?![\w*])")  # *more*, in prose; a product has blanks around its sign
# Signs that Markdown would take for its own.
SIGNS = re.compile(r"([\\`*_{}\[\]#|~$])")
STYLE = """
:root { color-scheme: light dark; }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 var(--font); max-width: 84rem;
  margin: 0 auto; padding: 1rem; }
h1 { margin: 1rem 0 0; overflow-wrap: anywhere; }
h2 { margin: 3rem 0 0; border-top: 2px solid var(--grid); padding-top: 1rem; overflow-wrap: anywhere; }
h3 { margin: 2rem 0 0; }
p { max-width: 46rem; margin: .5rem 0; }
a { color: inherit; }
pre { overflow-x: auto; border: 1px solid var(--grid); padding: .7rem; font-size: .85rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { font-weight: bold; }
dd { margin: 0; overflow-wrap: anywhere; }
nav ul { padding: 0; }
nav li { display: inline-block; margin-right: 1rem; }
.scroll { overflow-x: auto; }
.scroll tbody tr:nth-child(even) { background: color-mix(in srgb, var(--grid) 45%, transparent); }
.chart svg { width: 100%; max-width: 30rem; height: auto; }
.purpose { font-size: 1.15rem; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: 1rem;
  align-items: start; margin: 1.5rem 0; }
figure { margin: 0; min-width: 0; }
figcaption { font-weight: bold; margin-bottom: .4rem; }
.dark { display: none; }
@media (prefers-color-scheme: dark) { .dark { display: block; } .light { display: none; } }
@media (max-width: 40rem) {
  body { padding: .6rem; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .5rem; }
}
@media print { .dark { display: none; } .light { display: block; } .scroll { overflow: visible; } }
"""


def markdown(result: Cards) -> str:
    """The cards one after the other."""
    return "\n\n".join(_markdown_card(card) for card in result)


def index(result: Cards, files: Sequence[str], folder: str) -> str:
    """A table over all cards in a folder, with links to their ``files``: the figures to choose a metric by."""
    judged = list(dict.fromkeys((row.judgments, row.outputs) for card in result for row in card.agreement))
    columns = ["metric", *(f"{judgments}, {outputs}" for judgments, outputs in judged)]
    table = Table([*columns, "MAEGE τ", "score gained without correcting", "luck", "cost"], digits=2)
    for card, file in zip(result, files, strict=True):
        agreement = {(row.judgments, row.outputs): row.pearson for row in card.agreement}
        price = card.gaming.price if card.gaming else None
        row: list[Cell] = [f"[{_escape(card.metric)}]({file})"]
        row += [_with_interval(agreement.get(place)) for place in judged]
        row.append(card.maege.summary.sentence_tau.mean if card.maege else UNKNOWN)
        row.append(f"{decimals(price.points, 2, signed=True)}, {price.adversary}" if price else None)
        row.append(Signed(price.luck) if price and price.luck is not None else UNKNOWN)
        row.append(f"about {card.measured.cpu_seconds:g} s" if card.measured else None)
        table.rows.append(row)
    text = (
        "Pearson's r with people over systems, with 95% intervals; MAEGE's τ over sentences; what the best adversary "
        "scores over the source; luck with references; CPU seconds for 1000 sentences, of all threads "
        "together: they hang on the machine, but not on what else it did."
    )
    command = f"gecval validate -m {quote(','.join(card.metric for card in result))} -o {quote(folder)}"
    return "\n\n".join(
        ["# Cards", escape(render_tables([table], "markdown"), quote=False), text, "Made by:", f"    {command}"]
    )


def _with_interval(correlation: Correlation | None) -> str:
    if correlation is None or not isfinite(correlation.value):
        return DASH
    value, low, high = (decimals(number, 2) for number in (correlation.value, *correlation.interval))
    return f"{value} [{low}, {high}]"


def _markdown_card(card: Card) -> str:
    facts = "\n".join(f"- **{name}**: {_escape(text)}" for name, text in about(card))
    parts = [f"# {_escape(card.metric)}"]
    in_short, others = _in_short(card)
    for section in in_short:
        parts += _markdown_section(section)
    parts += [f"## {ABOUT}", facts]
    if card.about.description:
        parts.append("## Formula")
        parts += [
            _fence(text) if formula else _markdown_text(text) for formula, text in _paragraphs(card.about.description)
        ]
    for section in others:
        parts += _markdown_section(section)
    if in_short:
        text = "Copy this table into the README of the metric."
        parts += ["## For a README", text, _fence(badge(card))]
    return "\n\n".join(parts)


def badge(card: Card) -> str:
    """The smallest card: a table of at most four rows in Markdown, for a README."""
    rows: list[Sequence[Cell]] = []
    if values := [row.pearson.value for row in card.agreement if isfinite(row.pearson.value)]:
        sets = f"{len(values)} sets" if len(values) > 1 else "1 set"
        ends = dict.fromkeys(decimals(value, 2) for value in (min(values), max(values)))
        rows.append([f"agrees with people about systems (r, {sets} of judgments)", " to ".join(ends)])
    if card.maege:
        rows.append(["prefers better corrections (MAEGE's τ)", decimals(card.maege.summary.sentence_tau.mean, 2)])
    if card.gaming:
        rows.append(["score gained without correcting", decimals(card.gaming.price.points, 2, signed=True)])
    if card.measured:
        rows.append(["cost of 1000 sentences", f"about {card.measured.cpu_seconds:g} CPU seconds"])
    table = Table([_escape(card.metric), "measured by `gecval validate`"], rows)
    return escape(render_tables([table], "markdown"), quote=False)


def _markdown_section(section: Section) -> list[str]:
    table = render_tables([section.table], "markdown")
    # Nothing of a table in Markdown is HTML, so whatever looks like it is text.
    return [f"## {section.title}", _escape(section.text, "`"), escape(table, quote=False)]


def _markdown_text(text: str) -> str:
    """Plain words and stressed ones; what stands between backquotes is code, in which Markdown has no signs."""

    def prose(piece: str) -> str:
        words = STRESS.split(piece)
        return "".join(f"*{word}*" if place % 2 else _escape_signs(word) for place, word in enumerate(words))

    pieces = CODE.split(" ".join(text.split()))
    return "".join(f"`{piece}`" if place % 2 else prose(piece) for place, piece in enumerate(pieces))


def _in_short(card: Card) -> tuple[list[Section], list[Section]]:
    """The section that stands first, before what the metric is; and all others."""
    every = sections(card)
    return [section for section in every if section.title == IN_SHORT], [
        section for section in every if section.title != IN_SHORT
    ]


def _paragraphs(description: str) -> Iterator[tuple[bool, str]]:
    """The parts of a description: whether it is a formula, which is indented, and its text."""
    for part in re.split(r"\n\s*\n", description.strip("\n")):
        formula = all(line.startswith("    ") for line in part.splitlines() if line.strip())
        yield formula, dedent(part) if formula else " ".join(part.split())


def _fence(text: str) -> str:
    """A block of code, whose fence is longer than any that the text has."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def _escape(text: str, but: str = "") -> str:
    """A text that Markdown shows as it is."""
    return _escape_signs(" ".join(text.split()), but)


def _escape_signs(text: str, but: str = "") -> str:
    signs = SIGNS.sub(lambda sign: sign[0] if sign[0] in but else "\\" + sign[0], text)
    return escape(signs, quote=False)


def html(result: Cards) -> str:
    """One page for all cards, with charts where the extra ``report`` is installed."""
    title = TITLE if len(result) > 1 else f"{_proper_name(result[0].metric)}: metric card"
    links = [f'<li><a href="#card-{n}">{escape(card.metric)}</a></li>' for n, card in enumerate(result)]
    nav = f"<nav aria-label='Cards'><ul>{''.join(links)}</ul></nav>" if len(result) > 1 else ""
    body = "\n".join(_html_card(card, f"card-{n}", alone=len(result) == 1) for n, card in enumerate(result))
    notes = "".join(f"<p><small>note: {escape(note)}</small></p>" for note in result.notes)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>{escape(title)}</title>
<style>
{theme_css()}
{STYLE}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
{nav}
{body}
{notes}
</main>
</body>
</html>
"""


def _html_card(card: Card, anchor: str, *, alone: bool) -> str:
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in about(card))
    formula = "\n".join(
        f"<pre tabindex='0'>{escape(text)}</pre>" if formula else f"<p>{_html_text(text)}</p>"
        for formula, text in _paragraphs(card.about.description)
    )
    drawn = dict(_charts(card))
    pictures = "".join(
        f"<figure><figcaption>{escape(title)}</figcaption>{drawn.pop(title)}</figure>"
        for title in PICTURES
        if title in drawn
    )
    in_short, others = _in_short(card)
    heading = "" if alone else f"<h2>{escape(card.metric)}</h2>"  # the title of the page names it
    parts = [
        heading,
        f"<p class='purpose'>{escape(card.about.summary)}</p>",
        *(_html_section(section, "") for section in in_short),
        f"<div class='pictures'>{pictures}</div>" if pictures else "",
        f"<h3>{ABOUT}</h3>\n<dl>{facts}</dl>",
        f"<h3>Formula</h3>\n{formula}" if formula else "",
        *(_html_section(section, drawn.get(section.title, "")) for section in others),
    ]
    return f"<section id='{anchor}'>\n" + "\n".join(filter(None, parts)) + "\n</section>"


def _proper_name(spelling: str) -> str:
    """The metric as papers write it; one that its spelling does not find again, as it is spelled."""
    try:
        return metric(spelling).proper_name
    except InputError:
        return spelling


def _html_text(text: str) -> str:
    """Plain words; what stands between backquotes is code, between asterisks stressed."""
    return STRESS.sub(r"<em>\1</em>", CODE.sub(r"<code>\1</code>", escape(text)))


def _html_section(section: Section, chart: str) -> str:
    table = render_tables([section.table], "html")
    heading = f"<h3>{escape(section.title)}</h3>\n<p>{_html_text(section.text)}</p>"
    return (
        f"{heading}\n{chart}<div class='scroll' tabindex='0' role='region' aria-label='{section.title}'>{table}</div>"
    )


def _charts(card: Card) -> Iterator[tuple[str, str]]:
    """The charts of a card as SVG, for light and for dark pages, by the title of their section."""
    if find_spec("altair") is None or find_spec("vl_convert") is None:
        return
    from gecval.results.chart_files import to_svg

    for title, chart in card_charts(card):
        both = ((shade, to_svg(chart, dark=shade == "dark", size="column")) for shade in ("light", "dark"))
        drawings = "".join(f"<div class='{shade}'>{svg}</div>" for shade, svg in both)
        yield (
            title,
            f"<div class='chart' role='img' aria-label='{title}: the table below has the numbers'>{drawings}</div>\n",
        )


# The charts of a card: agreement with people, sensitivity by type, coverage, gaming.

ROW = 18  # pixels for a bar or a dot


def card_charts(card: Card) -> Iterator[tuple[str, TopLevelMixin]]:
    """Charts, each with the title of its section."""
    if rows := _agreement_rows(card):
        yield "Agreement with people", _dots(rows, "Pearson's r with people", domain=(-1, 1))
    if rows := _type_rows(card):
        yield "Sensitivity by type of error", _dots(rows, "Δ of the score by a right edit", domain=None)
    if len(card.coverage) > 1:
        yield "Coverage bias", _curve(card)
    if card.gaming:
        yield "The price of gaming", _bars(card)


def _agreement_rows(card: Card) -> list[dict[str, Any]]:
    return [
        _row(f"{row.judgments}, {row.outputs}", row.pearson.value, row.pearson.interval)
        for row in card.agreement
        if isfinite(row.pearson.value)
    ]


def _type_rows(card: Card) -> list[dict[str, Any]]:
    types = sorted(card.maege.types if card.maege else (), key=lambda row: -row.edits)[:MOST_TYPES]
    return [_row(row.type, row.delta.mean, row.delta.interval) for row in types if isfinite(row.delta.mean)]


def _row(name: str, value: float, interval: tuple[float, float] | None) -> dict[str, Any]:
    low, high = interval if interval and all(map(isfinite, interval)) else (value, value)
    return {"name": name, "value": value, "low": low, "high": high}


def _dots(rows: list[dict[str, Any]], title: str, *, domain: tuple[float, float] | None) -> TopLevelMixin:
    """A dot and its interval in each row, and a line at 0."""
    import altair as alt

    scale = alt.Scale(domain=domain) if domain else alt.Scale()
    y = alt.Y("name:N", sort=[row["name"] for row in rows], title=None)
    base: Any = alt.Chart({"values": rows}).encode(y=y)
    zero: Any = alt.Chart({"values": [{"zero": 0}]}).mark_rule(color=theme.REFERENCE).encode(x="zero:Q")
    axis = alt.Axis(tickCount=6)
    x = alt.X("low:Q", title=title, scale=scale, axis=axis)
    lines = base.mark_rule(color=theme.SYSTEM).encode(x=x, x2="high:Q")
    dots = base.mark_point(opacity=1).encode(x=alt.X("value:Q", title=title, scale=scale, axis=axis))
    chart: TopLevelMixin = alt.layer(zero, lines, dots).properties(width=theme.WIDTH, height=ROW * len(rows))
    return chart


def _curve(card: Card) -> TopLevelMixin:
    """People and the source by the number of references."""
    import altair as alt

    rows = [
        {"references": point.references, "who": who, "score": getattr(point, who)}
        for point in card.coverage
        for who in ("people", "source")
    ]
    colour = alt.Color(
        "who:N",
        title=None,
        scale=alt.Scale(domain=["people", "source"], range=[theme.PEOPLE, theme.REFERENCE]),
    )
    chart: Any = alt.Chart({"values": rows}).mark_line(point=True)
    drawn: TopLevelMixin = chart.encode(
        x=alt.X("references:Q", axis=alt.Axis(values=[point.references for point in card.coverage], format="d")),
        y=alt.Y("score:Q", scale=alt.Scale(zero=False)),
        color=colour,
    ).properties(width=theme.WIDTH, height=theme.PANEL_HEIGHT)
    return drawn


def _bars(card: Card) -> TopLevelMixin:
    """Adversaries and systems from best to worst."""
    import altair as alt

    assert card.gaming
    rows: list[dict[str, Any]] = [
        {"name": row.adversary, "score": row.score, "who": "adversary"}
        for row in card.gaming.attacks
        if isfinite(row.score) and row.against == "all"  # other references give other scores
    ]
    rows += [{"name": f"system {mark.system}", "score": mark.score, "who": "system"} for mark in card.gaming.systems]
    rows.sort(key=lambda row: -row["score"] if card.about.higher_is_better else row["score"])
    colour = alt.Color(
        "who:N",
        title=None,
        scale=alt.Scale(domain=["adversary", "system"], range=[theme.HIGHLIGHT, theme.SYSTEM]),
    )
    chart: Any = alt.Chart({"values": rows}).mark_bar(size=ROW - 6)
    drawn: TopLevelMixin = chart.encode(
        x=alt.X("score:Q", axis=alt.Axis(tickCount=6)),
        y=alt.Y("name:N", sort=[row["name"] for row in rows], title=None),
        color=colour,
    ).properties(width=theme.WIDTH, height=ROW * len(rows))
    return drawn
