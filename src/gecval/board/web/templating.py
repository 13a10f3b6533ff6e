"""Jinja2 with everything escaped; filters for numbers, moments and links."""

from __future__ import annotations

from functools import cache
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined

from gecval.board import clock
from gecval.board.submissions import SHEET


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("gecval.board", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["moment"] = clock.written
    environment.filters["number"] = number
    environment.filters["part"] = part
    environment.filters["segment"] = lambda text: quote(str(text), safe="")
    environment.filters["web"] = web_address
    environment.globals["SHEET"] = SHEET
    return environment


def render(template: str, **values: object) -> str:
    return _environment().get_template(template).render(**values)


def number(value: float | None, digits: int = 4) -> str:
    """A number for people.

    >>> number(0.45678912), number(None)
    ('0.4568', '–')
    """
    return "–" if value is None else f"{value:.{digits}f}"


def part(value: float) -> str:
    """A part of a score: a count as it is, a share with four digits.

    >>> part(12.0), part(0.5)
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
