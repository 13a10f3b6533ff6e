"""Files that a verb reads. ``-`` is standard input, for one of them."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import click

from gecval.errors import InputError

_READ = "gecval.stdin"


class InputPath(click.Path):
    """A path. What comes through ``-`` is put into a file that is gone when the verb ends, so that every reader may
    look at it as often as it likes, and tells by its content what it is."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if os.fspath(value) != "-" or ctx is None:
            return super().convert(value, param, ctx)
        if ctx.meta.get(_READ):
            raise InputError("standard input (-) can be read once; give the other as a file")
        folder = Path(ctx.with_resource(tempfile.TemporaryDirectory(prefix="gecval-")))
        ctx.meta[_READ] = folder / "stdin"
        with (folder / "stdin").open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        return folder / "stdin"


def name_standard_input(message: str) -> str:
    """A message of the verb that runs, in which the file of standard input goes by that name."""
    context = click.get_current_context(silent=True)
    path = context.meta.get(_READ) if context else None
    return message.replace(str(path), "standard input") if path else message


INPUT = InputPath(path_type=Path, readable=False)
