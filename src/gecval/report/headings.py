"""Titles of charts, broken into lines that fit: a chart cuts off what is wider than it is."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from gecval.report.theme import SUBTITLE_SIZE, TITLE_SIZE

if TYPE_CHECKING:
    from altair import TitleParams

LETTER = 0.5  # the width of a letter in most texts, as a share of the font size
NARROWEST = 24  # letters; narrower lines are hard to read


def heading(title: str, subtitle: str, width: float) -> TitleParams:
    """What a chart asks, and below how to read it, for a chart that is so many pixels wide."""
    import altair as alt

    return alt.TitleParams(_lines(title, width / TITLE_SIZE), subtitle=_lines(subtitle, width / SUBTITLE_SIZE))


def _lines(text: str, width: float) -> list[str]:
    """Lines of a text for a width that is given in font sizes.

    >>> _lines("a title that is rather long for a narrow chart", 12)
    ['a title that is rather', 'long for a narrow chart']
    """
    return wrap(text, max(NARROWEST, int(width / LETTER)), break_long_words=False)
