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

from gecval.results.table import DASH, UNKNOWN, Cell, Signed, Table, render_tables
from gecval.stats.correlation import Correlation
from gecval.studies.report.page import theme_css
from gecval.studies.validate.result import Card, Cards
from gecval.studies.validate.tables import Section, about, sections

TITLE = "Metric cards"
# Signs that Markdown would take for its own.
SIGNS = re.compile(r"([\\`*_{}\[\]#|~$])")
STYLE = """
:root { color-scheme: light dark; }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 var(--font); max-width: 70rem;
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
.chart svg { max-width: 100%; height: auto; }
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
    table = Table([*columns, "MAEGE τ", "points without merit", "luck", "cost"], digits=2)
    for card, file in zip(result, files, strict=True):
        agreement = {(row.judgments, row.outputs): row.pearson for row in card.agreement}
        price = card.gaming.price if card.gaming else None
        row: list[Cell] = [f"[{_marked(card.metric)}]({file})"]
        row += [_with_interval(agreement.get(place)) for place in judged]
        row.append(card.maege.summary.sentence_tau.mean if card.maege else UNKNOWN)
        row.append(f"{price.points:+.2f}, {price.adversary}" if price else None)
        row.append(Signed(price.luck) if price and price.luck is not None else UNKNOWN)
        row.append(f"about {card.measured.cpu_seconds:g} s" if card.measured else None)
        table.rows.append(row)
    text = (
        "Pearson's r with people over systems, with 95% intervals; MAEGE's τ over sentences; what the best adversary "
        "scores over the source; luck in the reference lottery; CPU seconds for 1000 sentences, of all threads "
        "together: they hang on the machine, but not on what else it did."
    )
    command = f"gecval validate -m {quote(','.join(card.metric for card in result))} -o {quote(folder)}"
    return "\n\n".join(
        ["# Cards", escape(render_tables([table], "markdown"), quote=False), text, "Made by:", f"    {command}"]
    )


def _with_interval(correlation: Correlation | None) -> str:
    if correlation is None or not isfinite(correlation.value):
        return DASH
    low, high = correlation.interval
    return f"{correlation.value:.2f} [{low:.2f}, {high:.2f}]"


def _markdown_card(card: Card) -> str:
    facts = "\n".join(f"- **{name}**: {_marked(text)}" for name, text in about(card))
    parts = [f"# {_marked(card.metric)}", facts]
    if card.about.description:
        parts += ["## Formula", _fenced(card.about.description)]
    for section in sections(card):
        table = render_tables([section.table], "markdown")
        # Nothing of a table in Markdown is HTML, so whatever looks like it is text.
        parts += [f"## {section.title}", _marked(section.text, "`"), escape(table, quote=False)]
    return "\n\n".join(parts)


def _fenced(text: str) -> str:
    """A block of code, whose fence is longer than any that the text has."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def _marked(text: str, but: str = "") -> str:
    """A text that Markdown shows as it is."""
    signs = SIGNS.sub(lambda sign: sign[0] if sign[0] in but else "\\" + sign[0], " ".join(text.split()))
    return escape(signs, quote=False)


def html(result: Cards) -> str:
    """One page for all cards, with charts where the extra ``report`` is installed."""
    title = TITLE if len(result) > 1 else f"{result[0].metric}: metric card"
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
    formula = f"<pre tabindex='0'>{escape(card.about.description)}</pre>" if card.about.description else ""
    drawn = dict(_charts(card))
    parts = "\n".join(_html_section(section, drawn.get(section.title, "")) for section in sections(card))
    heading = "" if alone else f"<h2>{escape(card.metric)}</h2>"  # the title of the page names it
    return f"<section id='{anchor}'>\n{heading}\n<dl>{facts}</dl>\n{formula}\n{parts}\n</section>"


def _html_section(section: Section, chart: str) -> str:
    table = render_tables([section.table], "html")
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(section.text))
    heading = f"<h3>{escape(section.title)}</h3>\n<p>{text}</p>"
    return (
        f"{heading}\n{chart}<div class='scroll' tabindex='0' role='region' aria-label='{section.title}'>{table}</div>"
    )


def _charts(card: Card) -> Iterator[tuple[str, str]]:
    """The charts of a card as SVG, for light and for dark pages, by the title of their section."""
    if find_spec("altair") is None or find_spec("vl_convert") is None:
        return
    from gecval.results.plots import to_svg
    from gecval.studies.validate.charts import card_charts

    for title, chart in card_charts(card):
        both = ((shade, to_svg(chart, dark=shade == "dark")) for shade in ("light", "dark"))
        drawings = "".join(f"<div class='{shade}'>{svg}</div>" for shade, svg in both)
        yield (
            title,
            f"<div class='chart' role='img' aria-label='{title}: the table below has the numbers'>{drawings}</div>\n",
        )
