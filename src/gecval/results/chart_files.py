"""Saving plots: every chart is an altair chart; this writes it, in our theme, in the format of the file's name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gecval.errors import InputError, MissingExtraError
from gecval.results.chart_layout import DRAWN, Drawn, Size, arrange
from gecval.results.theme import DARK_PAPER, PAPER, SUBTITLE_SIZE, theme

if TYPE_CHECKING:
    from altair import TopLevelMixin


SUFFIXES = (".svg", ".png", ".pdf", ".html", ".json")
SCALE = 2.0  # pixels of a .png for each of the chart's own: sharp on paper and on fine screens
PIXELS: dict[Size, float] = {"slide": 1.5, "column": 3.125}  # of a .png for each of these: 1920 × 1080; 300 to the inch
SIZED = (".svg", ".png", ".pdf")

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>gecval</title>
<style>
body {{ background: {paper}; }}
@media (prefers-color-scheme: dark) {{ body {{ background: {dark_paper}; }} }}
</style>
<div id="chart"></div>
<script>{library}</script>
<script>
{{
const charts = {charts};
const dark = matchMedia("(prefers-color-scheme: dark)");
const draw = () => vegaEmbed("#chart", dark.matches ? charts.dark : charts.light);
dark.addEventListener("change", draw);
draw();
}}
</script>
</html>
"""


def check_plot_path(path: Path) -> None:
    """Refuse a file name before the long work, not after it."""
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path}: a plot is saved as {', '.join(SUFFIXES)}")
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise MissingExtraError("a plot", "report") from None


def save_plot(chart: TopLevelMixin, path: Path, *, size: Size | float | None = None, about: str = "") -> None:
    """Write the chart, complete or not at all.

    ``size`` is what it shall fill, or how many times larger than drawn it is; only pictures have one. ``about`` says
    what the numbers are of, such as the name and the size of the corpus: a picture is seen without the command that
    made it.
    """
    content = _content(_with_subtitle(apply_theme(chart), about), path.suffix, size)
    partial = path.with_name(f".{path.stem}.partial{path.suffix}")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    finally:
        partial.unlink(missing_ok=True)


def save_plots(charts: Mapping[str, TopLevelMixin], folder: Path, *, suffix: str = ".svg") -> None:
    """Write charts by the names of their files, without suffix, into a folder that is made where it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {folder}: {error.strerror}") from None
    for name, chart in charts.items():
        save_plot(chart, folder / f"{name}{suffix}")


def _with_subtitle(drawn: dict[str, Any], about: str) -> dict[str, Any]:
    """The specification with one more line below its title; without a title, the line is the title.

    The layers of a chart may have its title instead: then it becomes the title of the whole.
    """
    if not about:
        return drawn
    layers = drawn.get("layer", [])
    title = drawn.get("title") or next((layer["title"] for layer in layers if "title" in layer), "")
    if title and not drawn.get("title"):
        drawn = {**drawn, "layer": [{key: layer[key] for key in layer if key != "title"} for layer in layers]}
    if not title:
        return {**drawn, "title": {"text": about, "anchor": "start", "fontSize": SUBTITLE_SIZE, "fontWeight": "normal"}}
    given = title if isinstance(title, dict) else {"text": title}
    subtitle = given.get("subtitle") or []
    lines = [subtitle] if isinstance(subtitle, str) else subtitle
    return {**drawn, "title": {**given, "subtitle": [about, *lines]}}


def apply_theme(chart: TopLevelMixin) -> dict[str, Any]:
    """The vega-lite specification of a chart, with our theme."""
    return {**chart.to_dict(), "config": theme()}


def to_svg(chart: TopLevelMixin, *, dark: bool = False, size: Size | None = None) -> str:
    """The chart as SVG, for a light or for a dark page; for a phone too with the ``size`` of a column."""
    import vl_convert

    drawn = apply_theme(chart)
    drawn = {**_on_dark_paper(drawn), "config": theme(dark=True)} if dark else drawn
    return str(vl_convert.vegalite_to_svg(arrange(drawn, size) if size else drawn))


def _on_dark_paper(value: Any) -> Any:
    """A specification whose halos around text are in the colour of a dark page."""
    if isinstance(value, dict):
        return {
            key: DARK_PAPER if (key, inner) == ("stroke", PAPER) else _on_dark_paper(inner)
            for key, inner in value.items()
        }
    return list(map(_on_dark_paper, value)) if isinstance(value, list) else value


def _content(chart: dict[str, Any], suffix: str, size: Size | float | None) -> bytes:
    import vl_convert

    if suffix == ".json":
        return json.dumps(chart, ensure_ascii=False, indent=1).encode()
    if suffix == ".html":
        return _page(chart).encode()
    if suffix == ".svg" and size is None:
        return str(vl_convert.vegalite_to_svg(chart)).encode()
    times = (SCALE if suffix == ".png" else 1.0) if size is None else size
    if isinstance(times, str):
        chart = arrange(chart, times)
        times = Drawn.measure(chart).scale(times) * (PIXELS[times] if suffix == ".png" else 1)
    if suffix == ".png":
        return bytes(vl_convert.vegalite_to_png(chart, scale=times))
    if suffix == ".pdf":
        return bytes(vl_convert.vegalite_to_pdf(chart, scale=times))
    svg = str(vl_convert.vegalite_to_svg(chart))
    return DRAWN.sub(lambda found: f'{found[1]}="{float(found[2]) * times:g}"', svg, count=2).encode()


def _page(chart: dict[str, Any]) -> str:
    """A page with its scripts inside, which needs no network, now or in ten years; dark where the reader wants it."""
    import vl_convert

    library = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    dark = {**_on_dark_paper(chart), "config": theme(dark=True)}
    charts = json.dumps({"light": chart, "dark": dark}, ensure_ascii=False).replace("</", "<\\/")
    return PAGE.format(paper=PAPER, dark_paper=DARK_PAPER, library=library, charts=charts)
