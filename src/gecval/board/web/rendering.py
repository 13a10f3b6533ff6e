"""Jinja2 with everything escaped; filters for numbers, moments and links."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from urllib.parse import quote

from fastapi.responses import Response
from jinja2 import Environment, PackageLoader, StrictUndefined

from gecval.board import clock
from gecval.board.leaderboard import Leaderboard
from gecval.board.submissions import SHEET
from gecval.board.web.security import FILE_POLICY


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
    environment.filters["segment"] = lambda text: quote(str(text), safe="")
    environment.filters["web"] = web_address
    environment.globals["SHEET"] = SHEET
    return environment


def render(template: str, **values: object) -> str:
    return _environment().get_template(template).render(**values)


def format_number(value: float | None, digits: int = 4) -> str:
    """A number for people.

    >>> format_number(0.45678912), format_number(None)
    ('0.4568', '–')
    """
    return "–" if value is None else f"{value:.{digits}f}"


def format_part(value: float) -> str:
    """A part of a score: a count as it is, a share with four digits.

    >>> format_part(12.0), format_part(0.5)
    ('12', '0.5000')
    """
    return f"{value:.0f}" if float(value).is_integer() and abs(value) > 1 else f"{value:.4f}"


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


def csv_response(rows: Iterable[Iterable[object]], name: str) -> Response:
    """Rows to save. No text in them is taken for a formula."""
    file = io.StringIO(newline="")
    csv.writer(file).writerows(map(escape_formula, row) for row in rows)
    return file_response(file.getvalue().encode(), name, "text/csv")


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
