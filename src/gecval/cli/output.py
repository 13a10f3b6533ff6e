"""Showing results: on the terminal or in a file, in the chosen format."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click

from gecval.formats import write_files
from gecval.report import Table, render
from gecval.report.table import render_tables
from gecval.result import Result

FORMATS = ("text", "json", "tsv", "markdown", "latex")
PATH = click.Path(path_type=Path, readable=False)


def output_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """--format and -o."""
    output = click.option(
        "-o", "--output", type=PATH, help="Write to this file, complete or not at all, not to stdout."
    )
    return format_option(output(verb))


def format_option(verb: Callable[..., Any]) -> Callable[..., Any]:
    """--format alone."""
    return click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True)(verb)


def show(result: Result, style: str, output: Path | None = None) -> None:
    """Print a result in the chosen format, then its notes on stderr."""
    emit(render(result, style, width=_width(style, output)), output)
    print_notes(result.notes)


def print_notes(notes: Iterable[str]) -> None:
    """What should not be missed but is no error, on stderr, each once."""
    for note in dict.fromkeys(notes):
        click.echo(f"gecval: note: {note}", err=True)


def print_tables(tables: Sequence[Table], style: str, output: Path | None = None) -> None:
    """Several tables one after the other; as JSON one object."""
    if style == "json":
        emit(json.dumps({"tables": [table.to_object() for table in tables]}, ensure_ascii=False, indent=1), output)
        return
    emit(render_tables(tables, style, width=_width(style, output)), output)


def print_table(table: Table, style: str, output: Path | None = None) -> None:
    """A table in one of the styles; in colour only on a terminal."""
    print_tables([table], style, output)


def _width(style: str, output: Path | None) -> int | None:
    """The width of the terminal, where the text goes to one."""
    terminal = output is None and style == "text" and sys.stdout.isatty()
    return get_terminal_size().columns if terminal else None


def emit(text: str, output: Path | None) -> None:
    """To stdout, or to a file that appears only when it is complete."""
    if output is None:
        click.echo(text)
        return
    write_files({output: text.split("\n")})
