"""Showing results: on the terminal or in a file, in the chosen format."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from gecval.cli.inputs import name_standard_input
from gecval.errors import InputError
from gecval.formats import write_files
from gecval.results.plots import SCALE, SUFFIXES, check_plot_path, save_plot
from gecval.results.result import Result
from gecval.results.table import DELIMITED, Numbers, Table

if TYPE_CHECKING:
    from altair import TopLevelMixin


FORMATS = ("text", "json", "jsonl", "tsv", "csv", "markdown", "latex")
EXACT = ("json", "jsonl", *DELIMITED)  # formats for programs
PATH = click.Path(path_type=Path, readable=False)
_NUMBERS = "gecval.numbers"  # where the context of a verb keeps how to write numbers

Verb = Callable[..., Any]


def output_options(verb: Verb) -> Verb:
    """--format, -o, and how to write numbers and intervals."""
    return _output_options(number_options(compact_option(verb)))


def output_options_without_intervals(verb: Verb) -> Verb:
    """--format, -o, and how to write numbers, for verbs whose tables have no intervals."""
    return _output_options(number_options(verb))


def _output_options(verb: Verb) -> Verb:
    output = click.option(
        "-o", "--output", type=PATH, help="Write to this file, complete or not at all, not to stdout."
    )
    return format_option(output(verb))


def number_options(verb: Verb) -> Verb:
    """--percent and --digits: ``show`` knows of them by itself."""

    @wraps(verb)
    def prepared(
        *args: Any, percent: bool, digits: int | None, style: str, compact: bool = False, **others: Any
    ) -> Any:
        numbers = Numbers(percent=percent, digits=digits, compact=compact)
        if style in EXACT and numbers != Numbers():
            option = "--percent" if percent else "--compact" if compact else "--digits"
            raise InputError(f"{option} is for people: --format {style} has exact numbers; leave {option} out")
        click.get_current_context().meta[_NUMBERS] = numbers
        return verb(*args, style=style, **others)

    percent = click.option("--percent", is_flag=True, help="Show numbers between -1 and 1 as percentages: 35.01.")
    digits = click.option("--digits", type=click.IntRange(0, 15), help="Decimals of numbers and intervals.")
    return percent(digits(prepared))


def compact_option(verb: Verb) -> Verb:
    return click.option(
        "--compact", is_flag=True, help="Show an interval next to its number, as half its width: 35.01 ± 2.1."
    )(verb)


def format_option(verb: Verb) -> Verb:
    """--format alone."""
    return click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True)(verb)


def show(result: Result, style: str, output: Path | None = None, **view: Any) -> None:
    """Print a result in the chosen format, then its notes on stderr. ``view`` is for the tables of the result."""
    text = result.render(style, width=_width(style, output), numbers=_numbers(), **view)
    emit(text, output, end=_end(style))
    print_notes([*result.notes, *_compact_note(text)])


def print_notes(notes: Iterable[str]) -> None:
    """What should not be missed but is no error, on stderr, each once."""
    for note in dict.fromkeys(notes):
        click.echo(f"gecval: note: {name_standard_input(note)}", err=True)


def print_table(table: Table) -> None:
    """A table for people; in colour only on a terminal."""
    emit(table.render("text", width=_width("text", None)), None)


def emit(text: str, output: Path | None, *, end: str = "") -> None:
    """To stdout, or to a file that appears only when it is complete. ``end`` comes before the last line break."""
    if output is None:
        click.echo(text + end)
        return
    write_files({output: f"{text}{end}".split("\n")})


def _numbers() -> Numbers:
    context = click.get_current_context(silent=True)
    numbers: Numbers = context.meta.get(_NUMBERS, Numbers()) if context else Numbers()
    return numbers


def _compact_note(text: str) -> list[str]:
    """A note where no number had an interval to show next to it."""
    idle = _numbers().compact and not any(sign in text for sign in ("±", r"\pm"))
    return ["--compact changed nothing: no number here has an interval"] if idle else []


def _end(style: str) -> str:
    """RFC 4180 ends every line of CSV with both signs."""
    return "\r" if style == "csv" else ""


def _width(style: str, output: Path | None) -> int | None:
    """The width of the terminal, where the text goes to one."""
    terminal = output is None and style == "text" and sys.stdout.isatty()
    return get_terminal_size().columns if terminal else None


# --plot and --scale: the verb gets a ``plot`` that saves a chart, or None.


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
