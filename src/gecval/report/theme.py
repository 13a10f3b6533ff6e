"""How charts look: the only file that names colours, fonts and sizes. Change them here, and every chart changes.

A chart names a role (``SYSTEM``, ``PEOPLE``, ...), never a colour. Categories without a role need no word at all:
``theme`` gives vega-lite the palette. ``save_plot`` applies the theme. Text and rules are in ink unless a chart says
otherwise, so leave their colour out; a halo around text is ``PAPER``.

The palette is Okabe and Ito's (2008) without its yellow, which is lost on white. People who confuse red and green, or
blue and yellow, can tell its colours apart; every role can be seen on white paper and on a dark page.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# Roles.
SYSTEM = "#0072b2"  # a system under test; also whatever a chart has only one of
PEOPLE = "#d55e00"  # people beside systems
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
        "legend": {**named, "labelLimit": 260},
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
