"""Saving plots: every study's chart is an altair chart; this writes it in the format of the file's name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gecval.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from altair import TopLevelMixin

SUFFIXES = (".svg", ".png", ".pdf", ".html", ".json")


def check_plot_path(path: Path) -> None:
    """Refuse a file name before the long work, not after it."""
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path}: a plot is saved as {', '.join(SUFFIXES)}")
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise MissingExtraError("a plot", "report") from None


def save_plot(chart: TopLevelMixin, path: Path) -> None:
    """Write the chart, complete or not at all."""
    partial = path.with_name(f".{path.stem}.partial{path.suffix}")
    try:
        # A page with its scripts inside needs no network, now or in ten years.
        chart.save(str(partial), inline=path.suffix == ".html")
        partial.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    finally:
        partial.unlink(missing_ok=True)
