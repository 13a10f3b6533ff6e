"""--plot and --scale: the verb gets a ``plot`` that saves a chart, or None."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gecval.cli.output import PATH
from gecval.errors import InputError
from gecval.report.plots import SCALE, SUFFIXES, check_plot_path, save_plot

if TYPE_CHECKING:
    from altair import TopLevelMixin

Verb = Callable[..., Any]


@dataclass(frozen=True)
class Plot:
    """Where to save a chart, and how fine."""

    path: Path
    scale: float = SCALE

    def save(self, chart: TopLevelMixin) -> None:
        save_plot(chart, self.path, scale=self.scale)


def plot_options(what: str) -> Callable[[Verb], Verb]:
    """--plot FILE, whose help says what is drawn, and --scale. A file that cannot be is refused before the work."""

    def add(verb: Verb) -> Verb:
        @wraps(verb)
        def prepared(*args: Any, plot: Path | None, scale: float | None, **others: Any) -> Any:
            check_scale([plot] if plot else [], scale)
            if plot:
                check_plot_path(plot)
            return verb(*args, plot=Plot(plot, scale or SCALE) if plot else None, **others)

        return click.option("--plot", type=PATH, help=f"Save {what}, as {', '.join(SUFFIXES)}.")(scale_option(prepared))

    return add


def scale_option(verb: Verb) -> Verb:
    """--scale alone, for verbs whose --plot differs."""
    return click.option(
        "--scale",
        type=click.FloatRange(0.1, 20),
        help=f"How many pixels of a .png each pixel of the chart becomes; default: {SCALE:g}.",
    )(verb)


def check_scale(plots: list[Path], scale: float | None) -> None:
    """Only a .png has a size in pixels."""
    if scale is not None and not any(path.suffix == ".png" for path in plots):
        raise InputError("--scale sets the pixels of a .png: add --plot FILE.png, or leave --scale out")
