"""Jinja2 with everything escaped; filters for numbers, moments and links."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from math import isnan
from urllib.parse import quote

from fastapi.responses import Response
from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from gecval.board import clock
from gecval.board.leaderboard import Leaderboard
from gecval.board.submissions import SHEET
from gecval.board.web.security import FILE_POLICY
from gecval.results.table import decimals

MASTHEAD = (
    "<!--masthead-->"  # stands for what is personal in a page that many get; a text that is escaped never holds it
)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("gecval.board", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["moment"] = clock.format_moment
    environment.filters["field_moment"] = clock.format_field
    environment.filters["number"] = format_number
    environment.filters["part"] = format_part
    environment.filters["plural"] = format_plural
    environment.filters["defined"] = format_defined
    environment.filters["signed"] = partial(decimals, signed=True)
    environment.filters["segment"] = lambda text: quote(str(text), safe="")
    environment.filters["web"] = web_address
    environment.filters["markdown"] = format_markdown
    environment.filters["left"] = format_left
    environment.filters["capitalize_first"] = lambda text: text[:1].upper() + text[1:]
    environment.globals["SHEET"], environment.globals["MASTHEAD"] = SHEET, Markup(MASTHEAD)
    return environment


def render(template: str, **values: object) -> str:
    return _environment().get_template(template).render(**values)


def format_markdown(text: str, *, first: bool = False) -> Markup:
    """A description as HTML: paragraphs, lists, tables, links. No HTML of its own, no images, links to the web alone.

    ``first`` is its first block, without links: for a list in which it is a link itself, or one of many.

    >>> str(format_markdown("**CoNLL** <b>2014</b>, [x](javascript:alert)")).strip()
    '<p><strong>CoNLL</strong> &lt;b&gt;2014&lt;/b&gt;, [x](javascript:alert)</p>'
    """
    shown = text.strip().partition("\n\n")[0] if first else text
    tokens = _markdown().parse(shown)
    for token in tokens:
        if token.type.startswith("heading_"):  # the page has the first level, its sections the second
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
        for inner in token.children or ():
            if inner.type == "link_open":
                inner.attrSet("rel", "nofollow noopener")
    return Markup(_markdown().renderer.render(tokens, _markdown().options, {}))


@cache
def _markdown() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "html_block", "html_inline"])
    parser.validateLink = lambda url: web_address(url) is not None  # type: ignore[method-assign]
    return parser


def format_left(seconds: float) -> str:
    """How long something goes on, in words.

    >>> format_left(9.4 * 86400), format_left(90 * 60), format_left(59)
    ('9 days', '90 minutes', '1 minute')
    """
    for unit, size in (("day", 86400), ("hour", 3600)):
        if seconds >= 2 * size:
            return f"{seconds // size:.0f} {unit}s"
    minutes = max(1, int(seconds // 60))
    return f"{minutes} minute{'s' if minutes > 1 else ''}"


def format_number(value: float | None, digits: int = 4) -> str:
    """A number for people.

    >>> format_number(0.45678912), format_number(None)
    ('0.4568', '–')
    """
    return "–" if value is None else decimals(value, digits)


def format_defined(value: float, digits: int = 2) -> str:
    """A number that may be undefined.

    >>> format_defined(0.456), format_defined(float("nan"))
    ('0.46', '–')
    """
    return format_number(None if isnan(value) else value, digits)


def format_plural(number: float, word: str) -> str:
    """How many there are.

    >>> format_plural(1, "judge"), format_plural(2.5, "standard error"), format_plural(0, "system")
    ('1 judge', '2.5 standard errors', '0 systems')
    """
    shown = f"{number:g}" if isinstance(number, float) else str(number)
    return f"{shown} {word}" if number == 1 else f"{shown} {word}s"


def format_part(value: float) -> str:
    """A part of a score: a count as it is, a share with four digits.

    >>> format_part(1), format_part(12.0), format_part(0.5), format_part(1.0)
    ('1', '12', '0.5000', '1.0000')
    """
    if isinstance(value, int):
        return str(value)
    return f"{value:.0f}" if float(value).is_integer() and abs(value) > 1 else decimals(value, 4)


def web_address(text: str) -> str | None:
    """The text where it is an address that a link may have; no script can be one.

    >>> web_address("https://example.org/paper"), web_address("javascript:alert(1)")
    ('https://example.org/paper', None)
    """
    plain = text.strip()
    return plain if plain.startswith(("https://", "http://")) and not any(sign.isspace() for sign in plain) else None


# Downloads: always text, never a page of ours. CSV cells that a spreadsheet would run get an apostrophe in front.


COLUMNS = (
    *("system", "team", "decoy", "metric", "score", "low", "high", "level", "best_rank", "worst_rank"),
    *("cluster", "submitted", "signature"),
)
_RUN = ("=", "+", "-", "@", "\t", "\r", "\n")


def file_response(content: bytes, name: str, media: str = "text/plain") -> Response:
    """A file to save. Whatever it holds, no browser shows it as HTML."""
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", name) or "file"
    return Response(
        content,
        media_type=f"{media}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{safe}"', "Content-Security-Policy": FILE_POLICY},
    )


def escape_formula(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula.

    >>> escape_formula("=1+1"), escape_formula("AMU"), escape_formula(-0.5)
    ("'=1+1", 'AMU', -0.5)
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_RUN) else cell


def write_csv(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV. No text in them is taken for a formula."""
    file = io.StringIO(newline="")
    csv.writer(file).writerows(map(escape_formula, row) for row in rows)
    return file.getvalue()


def csv_response(rows: Iterable[Iterable[object]], name: str) -> Response:
    """Rows to save."""
    return file_response(write_csv(rows).encode(), name, "text/csv")


def list_csv_rows(board: Leaderboard) -> Iterator[Sequence[object]]:
    """The header, then a row for each system and metric, with all numbers that the viewer may see."""
    yield COLUMNS
    for line in board.lines:
        for metric, cell in line.cells.items():
            score = cell.score
            yield [
                line.system,
                line.team,
                line.decoy,
                metric,
                *(score.score, score.low, score.high, score.level),
                *(cell.ranks or ("", "")),
                cell.cluster or "",
                clock.format_moment(line.created),
                score.signature,
            ]
