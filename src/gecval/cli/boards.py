"""What the verbs of the board share: where its data lie, and the extra that it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from gecval.errors import MissingExtraError

Verb = Callable[..., Any]


def database_options(verb: Verb) -> Verb:
    """--data and --database."""
    data = click.option(
        "--data",
        type=click.Path(path_type=Path, file_okay=False),
        default=Path("board"),
        show_default=True,
        help="The folder of the board.",
    )
    database = click.option(
        "--database",
        default="",
        envvar="GECVAL_DATABASE",
        help="The database, postgresql+psycopg://USER@HOST/NAME. Default: GECVAL_DATABASE, else SQLite in the folder.",
    )
    return data(database(verb))


@contextmanager
def board_extra() -> Iterator[None]:
    """Within this block, a missing library becomes the line that installs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("gecval"):
            raise
        raise MissingExtraError("the board", "board") from error
