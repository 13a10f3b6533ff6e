"""How charts look: the only file that names colours, fonts and sizes. Change them here, and every chart changes.

A chart names a role (``SYSTEM``, ``PEOPLE``, ...), never a colour. Categories without a role need no word at all:
``theme`` gives vega-lite the palette. ``save_plot`` applies the theme. Text and rules are in ink unless a chart says
otherwise, so leave their colour out; a halo around text is ``PAPER``.

The palette is Okabe and Ito's (2008) without its yellow, which is lost on white. People who confuse red and green, or
blue and yellow, can distinguish its colours; every role can be seen on white paper and on a dark page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from gecval.stats.resampling import TOLERANCE

if TYPE_CHECKING:
    from altair import TitleParams


# Roles.
SYSTEM = "#0072b2"  # a system under test; also whatever a chart has only one of
PEOPLE = "#d55e00"  # people next to systems
REFERENCE = "#767676"  # what the others are held against: a reference, a baseline, zero
HIGHLIGHT = "#d55e00"  # the path or point that the text speaks of
POSITIVE = "#0072b2"  # better, rewarded, more
NEGATIVE = "#d55e00"  # worse, punished, less
REMAINDER = "#999999"  # categories beyond those that CATEGORIES can tell apart
FAINT = "#c8c8c8"  # what is there but not looked at: other edges, other replicates, guides

# Series of colours.
CATEGORIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
SEQUENTIAL = "blues"  # amounts, from few to many: a vega scheme that prints in grey
ORDINAL = "viridis"  # steps in order, such as numbers of references
DIVERGING = "redblue"  # from negative to positive, white at zero

# Text on a filled cell: the cell's own colour decides, not the page's.
ON_DARK_CELL = "#ffffff"
ON_LIGHT_CELL = "#000000"

# The page.
PAPER, INK, GRID = "#ffffff", "#222222", "#e4e4e4"
DARK_PAPER, DARK_INK, DARK_GRID = "#1c1c1e", "#e6e6e6", "#3a3a3c"

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
TITLE_SIZE, SUBTITLE_SIZE, AXIS_SIZE, TICK_SIZE, LABEL_SIZE = 14, 11, 11, 10, 9
WIDTH, HEIGHT = 420, 280  # pixels of a chart with one panel
PANEL_WIDTH, PANEL_HEIGHT = 200, 150  # of one panel among several
BAR, BAND_OPACITY, FAINT_OPACITY = 14, 0.2, 0.4


def padding(labels: Iterable[str] = ()) -> dict[str, int]:
    """Room around a chart with these labels on its left.

    Whoever looks at it may have a font that is wider than the one that it was measured by, by a pixel for each letter.
    """
    return {"left": max((26, *map(len, labels))), "top": 10, "right": 30, "bottom": 10}


def theme(*, dark: bool = False) -> dict[str, Any]:
    """The ``config`` of a vega-lite chart, for white paper or for a dark page."""
    paper, ink, grid = (DARK_PAPER, DARK_INK, DARK_GRID) if dark else (PAPER, INK, GRID)
    named = {"labelColor": ink, "titleColor": ink, "labelFontSize": TICK_SIZE, "titleFontSize": AXIS_SIZE}
    return {
        "background": paper,
        "font": FONT,
        "padding": padding(),
        "title": {
            "anchor": "start",
            "color": ink,
            "fontSize": TITLE_SIZE,
            "subtitleColor": ink,
            "subtitleFontSize": SUBTITLE_SIZE,
            "offset": 10,
        },
        "axis": {**named, "gridColor": grid, "domainColor": REFERENCE, "tickColor": REFERENCE, "labelLimit": 260},
        "legend": {**named, "labelLimit": 260, "symbolOpacity": 1},
        "header": {**named, "labelFontSize": AXIS_SIZE},
        "view": {"stroke": grid, "continuousWidth": WIDTH, "continuousHeight": HEIGHT},
        "range": {"category": list(CATEGORIES), "heatmap": {"scheme": SEQUENTIAL}, "ordinal": {"scheme": ORDINAL}},
        "mark": {"color": SYSTEM},
        "text": {"color": ink, "fontSize": LABEL_SIZE},
        "rule": {"color": ink},
        "errorband": {"opacity": BAND_OPACITY},
        "line": {"strokeWidth": 2},
        "point": {"filled": True, "size": 45},
    }


# Titles of charts, broken into lines that fit: a chart cuts off what is wider than it is.


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


# Where to write names in a chart so that none lies on another. All places are pixels, from the upper left corner.


FONT_SIZE = LABEL_SIZE
LABEL_HEIGHT = 10.0  # of a line of text in this size
_LETTER = 6.2  # the width of a capital
_DOT = 4.0  # the radius of a point, with a little air


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, point: tuple[float, float]) -> Box:
        return cls(point[0] - _DOT, point[1] - _DOT, point[0] + _DOT, point[1] + _DOT)

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    def overlaps(self, other: Box) -> bool:
        apart = self.right <= other.left or other.right <= self.left
        return not (apart or self.bottom <= other.top or other.bottom <= self.top)


def spread(places: Sequence[float], end: float, gap: float = LABEL_HEIGHT) -> list[float]:
    """Places along a line, moved on until each is ``gap`` from the next, then back where they would pass the end.

    >>> spread([50.0, 0.0, 48.0], end=60.0)
    [58.0, 0.0, 48.0]
    >>> spread([59.0, 0.0, 60.0], end=60.0)
    [50.0, 0.0, 60.0]
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    moved = list(places)
    last = float("-inf")
    for i in order:
        moved[i] = last = max(moved[i], last + gap)
    last = end + gap
    for i in reversed(order):
        moved[i] = last = min(moved[i], last - gap)
    return moved


def beside_points(points: Sequence[tuple[float, float]], texts: Sequence[str], width: float) -> list[Box]:
    """A box for the name of each point, as near as is free: right or left of it, a little above or below, then farther.

    Points are served from the top down. A name may leave a chart of this ``width`` on the right, never on the left.
    """
    taken = [Box.around(point) for point in points]
    boxes: dict[int, Box] = {}
    for i in sorted(range(len(points)), key=lambda i: (points[i][1], points[i][0], texts[i])):
        free = (box for box in _candidates(points[i], texts[i], width) if not any(map(box.overlaps, taken)))
        boxes[i] = next(free)
        taken.append(boxes[i])
    return [boxes[i] for i in range(len(points))]


def _candidates(point: tuple[float, float], text: str, width: float) -> Iterator[Box]:
    size = len(text) * _LETTER
    sides = [left for left in (point[0] + _DOT, point[0] - _DOT - size) if 0 <= left <= width]
    # Above or below the middle, where the bar of an interval would strike it out. One is free in the end.
    for away in count(6, 4):
        for middle in (point[1] - away, point[1] + away):
            for left in sides:
                yield Box(left, middle - LABEL_HEIGHT / 2, left + size, middle + LABEL_HEIGHT / 2)


@dataclass(frozen=True)
class PixelAxis:
    """From values to pixels and back: names are placed in pixels, so that none hides another, and drawn at values."""

    domain: tuple[float, float]
    size: float
    upwards: bool

    @classmethod
    def over(cls, values: Sequence[float], size: float, *, upwards: bool = False) -> PixelAxis:
        low, high = min(values), max(values)
        # Differences by rounding are not worth a closer look.
        margin = 0.05 * (high - low) if high - low > TOLERANCE * abs(high) else 0.1 * abs(high) or 1.0
        return cls((low - margin, high + margin), size, upwards)

    def pixel(self, value: float) -> float:
        low, high = self.domain
        share = (value - low) / (high - low)
        return self.size * (1 - share if self.upwards else share)

    def value(self, pixel: float) -> float:
        low, high = self.domain
        share = pixel / self.size
        return low + (high - low) * (1 - share if self.upwards else share)
