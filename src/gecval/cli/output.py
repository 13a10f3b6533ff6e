"""Showing results: on the terminal or in a file, in the chosen format."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from gecval.cli.common import NUMBERS, Verb, chosen, uses
from gecval.cli.effects import note_idle
from gecval.cli.inputs import describe_corpus, name_standard_input
from gecval.errors import InputError
from gecval.formats import write_files
from gecval.results.chart_files import SIZED, SUFFIXES, check_plot_path, save_plot
from gecval.results.chart_layout import Size
from gecval.results.result import Result
from gecval.results.table import DELIMITED, IN_PERCENT, Numbers, Table

if TYPE_CHECKING:
    from altair import TopLevelMixin


# What the end of a file's name asks for, where --format says nothing.
ENDINGS = {
    ".txt": "text", ".json": "json", ".jsonl": "jsonl", ".tsv": "tsv", ".csv": "csv", ".md": "markdown",
    ".tex": "latex", ".html": "html", ".htm": "html",
}  # fmt: skip
_OTHERS = {
    **dict.fromkeys((".xlsx", ".xls", ".ods"), ".csv, which spreadsheets open"),
    **dict.fromkeys((".docx", ".doc", ".odt"), ".html, which word processors open"),
    **dict.fromkeys((".pdf", ".png", ".svg"), ".html or .tex; charts are saved with --plot"),
    ".parquet": ".csv or .jsonl",
}
_PAGE = '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>gecval</title>\n{}\n</html>'
EXACT = ("json", "jsonl", *DELIMITED)  # formats for programs
PATH = click.Path(path_type=Path, readable=False)


@dataclass(frozen=True)
class Plot:
    """Where to save a chart, and how large."""

    path: Path
    size: Size | float | None = None

    def save(self, chart: TopLevelMixin) -> None:
        save_plot(chart, self.path, size=self.size, about=describe_corpus())


@dataclass(frozen=True)
class Output:
    """How and where a verb shows its result: on the terminal or in a file, and as a chart with --plot."""

    style: str = "text"
    path: Path | None = None
    numbers: Numbers = field(default_factory=Numbers)
    plot: Plot | None = None

    def show(self, result: Result, chart: Callable[[Any], TopLevelMixin] | None = None, **view: Any) -> None:
        """Save the ``chart`` of a result if --plot asks for it, print the result, and then its notes on stderr.

        ``view`` is for the tables of the result.
        """
        if self.plot and chart:
            self.plot.save(chart(result))
        text = result.render(self.style, width=_width(self.style, self.path), numbers=self.numbers, **view)
        text = _PAGE.format(text) if self.style == "html" else text
        emit(text, self.path, end="\r" if self.style == "csv" else "")  # RFC 4180 ends every line with both signs
        print_notes([*result.notes, *self._idle_notes(text)])

    def _idle_notes(self, text: str) -> list[str]:
        """Notes where no number had an interval to show next to it, or none could be a percentage."""
        notes = []
        if self.numbers.compact and not any(sign in text for sign in ("±", r"\pm")):
            notes.append("--compact changed nothing: no number here has an interval")
        if self.numbers.percent and IN_PERCENT not in text:
            notes.append("--percent changed nothing: no number here is a share of 1")
        return notes


def output_options(*, intervals: bool = True, numbers: bool = True, path: bool = True) -> Callable[[Verb], Verb]:
    """--format, -o, and how to write numbers and intervals: the verb gets an ``output``.

    It does not use --compact where tables have no ``intervals``, nothing of --percent, --digits and --compact where
    they have no such ``numbers``, and not the -o of all commands where it has one of its own.
    """
    names = ["style", *(["output"] if path else []), *(NUMBERS[: 2 + intervals] if numbers else [])]

    def add(verb: Verb) -> Verb:
        @uses(*names)
        @wraps(verb)
        def gather(*args: Any, plot: Plot | None = None, **others: Any) -> Any:
            file, style = chosen("output") if path else None, chosen("style")
            style = style_of(file, style) if file is not None else style
            how = {name: chosen(name) for name in NUMBERS if name in names}
            if style in EXACT:
                note_idle(NUMBERS, f"with --format {style}: it has exact numbers, for programs")
                how = {}
            return verb(*args, output=Output(style, file, Numbers(**how), plot), **others)

        return gather

    return add


def style_of(path: Path, style: str) -> str:
    """How to write a file: as --format says, or else as its name ends."""
    ending = path.suffix.lower()
    if ending in _OTHERS:
        raise InputError(f"{path}: no {ending} is written; name the file {_OTHERS[ending]}", parameter="output")
    typed = click.get_current_context().get_parameter_source("style") is ParameterSource.COMMANDLINE
    if not typed:
        return ENDINGS.get(ending, style)
    if ENDINGS.get(ending, style) != style and style != "text" and ending != ".txt":
        raise InputError(f"{path} ends in {ending}, and --format says {style}; leave out --format, or rename the file")
    return style


def add_options(verb: Verb, *options: Callable[[Any], Any]) -> Verb:
    """Put options on a verb, in the order in which its help lists them."""
    for option in reversed(options):
        verb = option(verb)
    return verb


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


def _width(style: str, output: Path | None) -> int | None:
    """The width of the terminal, where the text goes to one."""
    terminal = output is None and style == "text" and sys.stdout.isatty()
    return get_terminal_size().columns if terminal else None


# --plot: the ``output`` of the verb has a ``plot``. This option stands above those of the output.


def plot_option(what: str) -> Callable[[Verb], Verb]:
    """--plot FILE, whose help says what is drawn. A file that cannot be is refused before the work."""

    def add(verb: Verb) -> Verb:
        @click.option("--plot", type=PATH, help=f"Save {what}, as {', '.join(SUFFIXES)}.")
        @uses("plot_size")
        @wraps(verb)
        def prepare(*args: Any, plot: Path | None, **others: Any) -> Any:
            check_plots([plot] if plot else [])
            return verb(*args, plot=Plot(plot, chosen("plot_size")) if plot else None, **others)

        return prepare

    return add


def check_plots(paths: list[Path]) -> None:
    """Refuse files that no chart can be saved in, before the work; only pictures have a size."""
    if not any(path.suffix in SIZED for path in paths):
        note_idle(["plot_size"], f"without --plot FILE in {', '.join(SIZED)}: it is the size of a picture")
    for path in paths:
        check_plot_path(path)
