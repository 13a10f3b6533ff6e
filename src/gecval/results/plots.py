"""Saving plots: every chart is an altair chart; this writes it, in our theme, in the format of the file's name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gecval.errors import InputError, MissingExtraError
from gecval.results.theme import DARK_PAPER, PAPER, theme

if TYPE_CHECKING:
    from altair import TopLevelMixin


SUFFIXES = (".svg", ".png", ".pdf", ".html", ".json")
SCALE = 2.0  # pixels of a .png for each of the chart's own: sharp on paper and on fine screens

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


def save_plot(chart: TopLevelMixin, path: Path, *, scale: float = SCALE) -> None:
    """Write the chart, complete or not at all. Only a .png has a ``scale``: its pixels for a pixel of the chart."""
    content = _content(themed(chart), path.suffix, scale)
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


def themed(chart: TopLevelMixin) -> dict[str, Any]:
    """The vega-lite specification of a chart, with our theme."""
    return {**chart.to_dict(), "config": theme()}


def to_svg(chart: TopLevelMixin, *, dark: bool = False) -> str:
    """The chart as SVG, for a light or for a dark page."""
    import vl_convert

    drawn = themed(chart)
    return str(vl_convert.vegalite_to_svg({**_on_dark_paper(drawn), "config": theme(dark=True)} if dark else drawn))


def _on_dark_paper(value: Any) -> Any:
    """A specification whose halos around text are in the colour of a dark page."""
    if isinstance(value, dict):
        return {
            key: DARK_PAPER if (key, inner) == ("stroke", PAPER) else _on_dark_paper(inner)
            for key, inner in value.items()
        }
    return list(map(_on_dark_paper, value)) if isinstance(value, list) else value


def _content(chart: dict[str, Any], suffix: str, scale: float) -> bytes:
    import vl_convert

    if suffix == ".svg":
        return str(vl_convert.vegalite_to_svg(chart)).encode()
    if suffix == ".png":
        return bytes(vl_convert.vegalite_to_png(chart, scale=scale))
    if suffix == ".pdf":
        return bytes(vl_convert.vegalite_to_pdf(chart))
    if suffix == ".json":
        return json.dumps(chart, ensure_ascii=False, indent=1).encode()
    return _page(chart).encode()


def _page(chart: dict[str, Any]) -> str:
    """A page with its scripts inside, which needs no network, now or in ten years; dark where the reader wants it."""
    import vl_convert

    library = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    dark = {**_on_dark_paper(chart), "config": theme(dark=True)}
    charts = json.dumps({"light": chart, "dark": dark}, ensure_ascii=False).replace("</", "<\\/")
    return PAGE.format(paper=PAPER, dark_paper=DARK_PAPER, library=library, charts=charts)
