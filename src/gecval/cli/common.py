"""The options that every command has: how a result is shown, how intervals are drawn, and how the work runs.

They are written here once, and typed before or after the command's name. A group of commands lists such options as
``shared``. A command says by ``uses`` which of them do something for it, and reads them by ``chosen``; of the others,
a note says that they change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from gecval.errors import InputError

Verb = Callable[..., Any]

# This module stands behind `gecval --help`, which imports no metric: hence some names that others define too.
FORMATS = ("text", "json", "jsonl", "tsv", "csv", "markdown", "latex", "html")
METHODS = ("auto", "bca", "percentile", "studentised")
DRAWN = ("slide", "column")
MODELS = ("device", "batch_size")
NUMBERS = ("percent", "digits", "compact")
RESAMPLING = ("resamples", "level", "interval_method", "seed")


def _parse_size(context: click.Context, parameter: click.Parameter, text: str | None) -> Any:
    if text is None or text in DRAWN:
        return text
    with suppress(ValueError):
        if 0.1 <= (times := float(text)) <= 20:
            return times
    raise InputError(f"--plot-size is {', '.join(DRAWN)} or a number from 0.1 to 20, not {text!r}")


COMMON = [
    click.Option(
        ["-o", "--output"],
        type=click.Path(path_type=Path, readable=False),
        help="Write to this file, as the end of its name says: .csv, .json, .md, .tex, ...",
    ),
    click.Option(["--format", "style"], type=click.Choice(FORMATS), default="text", show_default=True),
    click.Option(["--percent"], is_flag=True, help="Show numbers between -1 and 1 as percentages: 35.01."),
    click.Option(["--digits"], type=click.IntRange(0, 15), help="Decimals of numbers and intervals."),
    click.Option(
        ["--compact"], is_flag=True, help="Show an interval next to its number, as half its width: 35.01 ± 2.1."
    ),
    click.Option(
        ["--plot-size"],
        metavar="|".join([*DRAWN, "TIMES"]),
        callback=_parse_size,
        help="Fit the picture of --plot into a 16:9 slide or a column of 85 mm, or draw it so many times larger; "
        "default: 2 for a .png, else 1.",
    ),
    click.Option(["--resamples"], type=int, default=1000, show_default=True, help="Bootstrap resamples."),
    click.Option(["--level"], type=float, default=0.95, show_default=True, help="Confidence level of intervals."),
    click.Option(
        ["--interval-method"],
        type=click.Choice(METHODS),
        default="auto",
        show_default=True,
        help="How to get an interval; auto is studentised with 5 to 199 sentences or documents, else bca.",
    ),
    click.Option(
        ["--seed"], type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the random numbers."
    ),
    click.Option(["--jobs"], type=click.IntRange(1, 4096), help="Threads or processes; default: all cores."),
    click.Option(
        ["--backend"],
        metavar="WHERE",
        help="Where many independent parts of the work are computed: processes, processes:8, dask://host:port or "
        "ray://host:port; default: here.",
    ),
    click.Option(
        ["--device"],
        default="auto",
        show_default=True,
        help="What language models run on: cpu, cuda, cuda:1, ...; auto is the GPU where there is one. Several "
        "devices share the texts: cuda:0,cuda:1.",
    ),
    click.Option(
        ["--batch-size"],
        type=click.IntRange(1, 100_000),
        help="Texts a language model reads at a time; default: 16, on a GPU 64 (long ones).",
    ),
    click.Option(["--quiet"], is_flag=True, help="Do not say on stderr how far the work is; GECVAL_QUIET=1 does too."),
]


def uses(*names: str) -> Callable[[Verb], Verb]:
    """Say that a verb reads these shared options, named by their parameters."""

    def mark(verb: Verb) -> Verb:
        vars(verb)["uses"] = names_used(verb) | set(names)  # functools.wraps hands it on
        return verb

    return mark


def names_used(verb: Verb | None) -> frozenset[str]:
    """What ``uses`` says of a verb."""
    return frozenset(getattr(verb, "uses", ()))


def chosen(name: str) -> Any:
    """The value of a shared option that the command that runs uses."""
    return click.get_current_context().params[name]


def shared_options(context: click.Context) -> Iterator[tuple[click.Context, click.Option]]:
    """The options that a command has from the program and its family, each with the context of the group.

    An option of the command's own with the same spelling comes first.
    """
    own = {spelling for option in context.command.params for spelling in option.opts}
    group = context.parent
    while group is not None:
        yield from ((group, option) for option in getattr(group.command, "shared", ()) if own.isdisjoint(option.opts))
        group = group.parent
