"""Arrange a chart to fill a slide or a column of a page: its panels in rows or stacked, its text large enough to read.

    slide      as many panels in a row as leave them largest
    column     one panel below the other, each as wide as the column; legends below, smaller titles

A chart is drawn once for both: what it shows stays, only places and sizes change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from textwrap import wrap
from typing import Any, Literal, NamedTuple

from gecval.results.theme import LABEL_SIZE, LETTER, PANEL_HEIGHT, WIDTH, theme

Size = Literal["slide", "column"]
# The largest width and height, 96 to the inch: 16:9 slides of 13⅓ inches; a column of 85 mm, and a page of it.
SIZES: dict[Size, tuple[float, float]] = {"slide": (1280, 720), "column": (321, 930)}

Spec = dict[str, Any]
JOINED = ("concat", "hconcat", "vconcat")

# A slide: text larger than this share of a chart's own is large enough; panels may be narrower for it.
LARGE_ENOUGH = 1.5
WORTHWHILE = 1.03  # a change for less is none
SHARES = (1.0, 0.8, 0.65)
EXACT = 0.9  # the share of their width that panels keep where names stand between other marks
ROW = 20.0  # pixels of a row in vega-lite

# A column: 9 pixels are 6.75 points on paper.
TITLE, TEXT = 11, LABEL_SIZE
EDGE = {"left": 14, "top": 4, "right": 8, "bottom": 4}  # whoever looks at it may have a wider font
NARROWEST = 110.0  # pixels of a panel
CURVE = 0.68  # the share of its height that a panel of curves keeps
LOWEST = 0.6  # the share of its height that a panel keeps, to fit a page
LONGEST_NAME = 105  # pixels of a name left of a panel; longer ones are cut
LEGEND_COLUMNS = (4, 3, 2, 1)


class Drawn(NamedTuple):
    """The size of a picture in pixels."""

    width: float
    height: float

    @classmethod
    def of(cls, svg: str) -> Drawn:
        found = dict(DRAWN.findall(svg)[:2])
        return cls(float(found["width"]), float(found["height"]))

    @classmethod
    def measure(cls, spec: Spec) -> Drawn:
        import vl_convert

        return cls.of(str(vl_convert.vegalite_to_svg(spec)))

    def scale(self, size: Size) -> float:
        """How many times larger it may become. A column is longer than a page before its text is too small."""
        width, height = SIZES[size]
        within = width / self.width
        return within if size == "column" else min(within, height / self.height)


DRAWN = re.compile(r'\b(width|height)="([\d.]+)"')  # the first two are those of the whole picture


def arrange(spec: Spec, size: Size) -> Spec:
    """The specification for this size."""
    return _for_slide(spec) if size == "slide" else _for_column(spec)


def _for_slide(spec: Spec) -> Spec:
    """The way whose text is large enough and whose panels are widest, else the one whose text is largest."""
    panels = _panels(spec)
    rows = [_in_rows(spec, columns) for columns in range(1, len(panels) + 1)] if len(panels) > 1 else []
    best, largest = spec, Drawn.measure(spec).scale("slide")
    for share in SHARES:
        across = max(share, EXACT) if any(map(_is_exact, panels)) else share
        ways = [_scaled(way, across, share) for way in [spec, *map(_legends_below, rows)]]
        for way in ways if largest < LARGE_ENOUGH else ():
            if (scale := Drawn.measure(way).scale("slide")) > largest * WORTHWHILE:
                best, largest = way, scale
    return best


def _for_column(spec: Spec) -> Spec:
    stacked = _in_rows(spec, 1)
    width, height = SIZES["column"]
    for columns in LEGEND_COLUMNS:
        made = _with_width(_small_text(stacked, columns), width)
        drawn = Drawn.measure(made)
        if drawn.width <= width + 1:
            break
    made = _filled(made, width)
    drawn = Drawn.measure(made)
    if drawn.height > height:
        heights = sum(_heights(made))
        made = _scaled(made, 1.0, max(LOWEST, 1 - (drawn.height - height) / max(1.0, heights)))
    return made


def _joined(spec: Spec) -> str | None:
    """The name under which a chart of several panels holds them."""
    return next((name for name in JOINED if name in spec), None)


def _panels(spec: Spec) -> list[Spec]:
    name = _joined(spec)
    return list(spec[name]) if name else [spec]


def _in_rows(spec: Spec, columns: int) -> Spec:
    """The panels in rows of so many; the first of a row names what it shows, where only the first of all did."""
    name = _joined(spec)
    if name is None:
        return deepcopy(spec)
    made = deepcopy({key: value for key, value in spec.items() if key not in (name, "columns", "spacing")})
    panels = deepcopy(spec[name])
    axes = _y_axes(panels[0])
    for panel in panels[::columns]:
        for encoding, axis in zip(_y_encodings(panel), axes, strict=False):
            if (encoding.get("axis") or {}).get("labels") is False:
                encoding["axis"] = axis
    return {**made, "concat": panels, "columns": columns}


def _units(view: Spec) -> Iterator[Spec]:
    """All parts of a view that have marks, and the layers around them."""
    yield view
    for layer in view.get("layer", ()):
        yield from _units(layer)


def _y_encodings(view: Spec) -> list[Spec]:
    return [unit["encoding"]["y"] for unit in _units(view) if isinstance(unit.get("encoding", {}).get("y"), dict)]


def _y_axes(view: Spec) -> list[Any]:
    return [encoding.get("axis", {}) for encoding in _y_encodings(view)]


# Widths and heights.


def _with_width(spec: Spec, width: float) -> Spec:
    """Panels so wide that the picture is; names, axes and legends take what they need."""
    made = spec
    for _ in range(3):  # an axis may need other numbers in another width
        drawn = Drawn.measure(made)
        if abs(drawn.width - width) < 1:
            break
        panel = max(map(_width, _panels(made)))
        made = _scaled(made, max(NARROWEST, panel + width - drawn.width) / panel, 1.0)
    return made


def _filled(spec: Spec, width: float) -> Spec:
    """Where names stand right of one panel, the others are wider."""
    views = _panels(spec)
    if not any(map(_has_places, views)):
        return spec
    made = spec
    for place, view in enumerate(views):
        if not _has_places(view):
            wider = deepcopy(made)
            _resize(_panels(wider)[place], _width(view) + width, 1.0)
            over = Drawn.measure(wider).width - width
            _resize(_panels(wider)[place], max(_width(view), _width(view) + width - over), 1.0)
            made = wider
    return made


def _width(view: Spec) -> float:
    sizes = (unit["width"] for unit in _units(view) if isinstance(unit.get("width"), int | float))
    return float(next(sizes, WIDTH))


def _heights(spec: Spec) -> list[float]:
    """Of panels that may become lower."""
    sizes = (
        (unit["height"] for unit in _units(view) if isinstance(unit.get("height"), int | float))
        for view in _panels(spec)
        if not _is_exact(view)
    )
    return [float(next(heights, 0.0)) for heights in sizes]


def _scaled(spec: Spec, across: float, down: float) -> Spec:
    """All panels as wide as the widest becomes, and so much lower."""
    made = deepcopy(spec)
    views = _panels(made)
    width = max(map(_width, views)) * across
    for view in views:
        _resize(view, _width(view) if across == 1 else width, 1.0 if _is_exact(view) else down)
    if down != 1:  # rows that say nothing of their height
        config = made.get("config", {})
        rows = config.get("view", {}).get("discreteHeight", {"step": ROW})
        config = {**config, "view": {**config.get("view", {}), "discreteHeight": {"step": rows["step"] * down}}}
        made["config"] = config
    return made


def _resize(view: Spec, width: float, down: float) -> None:
    old = _width(view)
    units = list(_units(view))
    if not any("width" in unit for unit in units):
        view["width"] = old
    for unit in units:
        if "width" in unit:
            unit["width"] = width
        if isinstance(height := unit.get("height"), int | float):
            unit["height"] = height * down
        elif height:
            unit["height"] = {"step": height["step"] * down}
        for place in _places(unit):
            # What stands right of a panel stays as far from it.
            place["value"] += width - old if place["value"] >= old else place["value"] * (width / old - 1)


def _places(unit: Spec) -> list[Spec]:
    """Channels of a mark that stand at a pixel."""
    channels = (unit.get("encoding", {}).get(side) for side in ("x", "x2"))
    return [place for place in channels if isinstance(place, dict) and isinstance(place.get("value"), int | float)]


def _has_places(view: Spec) -> bool:
    return any(map(_places, _units(view)))


def _is_exact(view: Spec) -> bool:
    """Whether names stand between other marks, each where it hides none: lower, they would run into each other."""
    return any(
        _mark(unit) == "text" and unit.get("encoding", {}).get("y", {}).get("type") == "quantitative"
        for unit in _units(view)
    )


def _mark(unit: Spec) -> str:
    mark = unit.get("mark", "")
    return str(mark["type"] if isinstance(mark, Mapping) else mark)


# Text.


def _legends_below(spec: Spec) -> Spec:
    config = spec.get("config", {})
    legend = {**config.get("legend", {}), "orient": "bottom", "direction": "horizontal", "columns": 3, "offset": 8}
    return {**spec, "config": {**config, "legend": legend}}


def _small_text(spec: Spec, columns: int) -> Spec:
    """The specification with the text of a column, and legends of so many columns below."""
    made = _legends_below(deepcopy(spec))
    given = theme() | made["config"]
    sizes = {"labelFontSize": TEXT, "titleFontSize": TEXT}
    made["config"] = {
        **given,
        "padding": EDGE,
        "title": {**given["title"], "fontSize": TITLE, "subtitleFontSize": TEXT, "offset": 6},
        "axis": {**given["axis"], **sizes, "labelLimit": LONGEST_NAME, "titlePadding": 3},
        "legend": {**given["legend"], **sizes, "columns": columns, "gradientLength": 120, "symbolSize": 50},
        "header": {**given["header"], **sizes},
        "concat": {"spacing": 10},
    }
    made.pop("padding", None)
    wide = SIZES["column"][0] - EDGE["left"] - EDGE["right"]
    if _joined(made):
        _break_title(made, wide, TITLE)
    for view in _panels(made):
        for unit in _units(view):
            _break_title(unit, wide - LONGEST_NAME if _joined(made) else wide, TEXT if _joined(made) else TITLE)
            _keep_shape(unit)
        for encoding in _y_encodings(view):
            if (encoding.get("axis") or {}).get("labelLimit", 0) > LONGEST_NAME:
                encoding["axis"] = {**encoding["axis"], "labelLimit": LONGEST_NAME}
    return made


def _keep_shape(unit: Spec) -> None:
    """Curves become lower as they become narrower; rows keep their height."""
    layers = [layer for layer in _units(unit) if "encoding" in layer]
    rows = any(layer["encoding"].get("y", {}).get("type") in ("nominal", "ordinal") for layer in layers)
    if isinstance(height := unit.get("height"), int | float) and not rows and not _is_exact(unit):
        unit["height"] = min(height, max(PANEL_HEIGHT, height * CURVE))


def _break_title(view: Spec, width: float, size: int) -> None:
    """Break the lines of a title for this width."""
    if not (title := view.get("title")):
        return
    given = dict(title) if isinstance(title, Mapping) else {"text": title}
    given["text"] = _lines(given["text"], width / size)
    if given.get("subtitle"):
        given["subtitle"] = _lines(given["subtitle"], width / TEXT)
    given["fontSize"] = min(given.get("fontSize", size), size)
    view["title"] = given


def _lines(text: str | Sequence[str], width: float) -> list[str]:
    """Lines of this width in font sizes. Of lines that are given, those that were broken for another width are joined.

    >>> _lines(["bars: 95% ranges of", "ranks", "dots: scores"], 30)
    ['bars: 95% ranges of ranks', 'dots: scores']
    """
    given = [text] if isinstance(text, str) else list(text)
    longest = max(map(len, given))
    paragraphs: list[str] = []
    for place, line in enumerate(given):
        first = line.split(" ")[0]
        broken = place > 0 and len(given[place - 1]) + 1 + len(first) > longest
        if broken and not first.endswith(":"):
            paragraphs[-1] += f" {line}"
        else:
            paragraphs.append(line)
    return [part for paragraph in paragraphs for part in wrap(paragraph, int(width / LETTER), break_long_words=False)]
