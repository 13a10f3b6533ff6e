"""gecval files cache: what is cached of the answers of models?"""

from __future__ import annotations

import sqlite3

import click

from gecval.cli.effects import note_idle
from gecval.cli.help import Command
from gecval.cli.output import Output, output_options
from gecval.errors import InputError
from gecval.models.cache import VARIABLE, cache_folder, cache_limit, clear, prune
from gecval.models.model_files import remove_converted
from gecval.studies.cache.study import list_cached

EXAMPLES = f"""\b
Examples:
  gecval files cache
  gecval files cache --prune --limit 2GB
  gecval files cache --clear

\b
The cache lies in $GECVAL_CACHE, else in ~/.cache/gecval. {VARIABLE} says how much it may hold: 500MB, 10GB (default)
or none. Answers of chat models are paid for, so they go only if you delete their files yourself.
"""


@click.command("cache", cls=Command, epilog=EXAMPLES)
@click.option("--prune", "pruned", is_flag=True, help="Remove what was not used for longest, down to the limit.")
@click.option("--clear", "cleared", is_flag=True, help="Remove all but what was paid for.")
@click.option("--limit", metavar="SIZE", help=f"With --prune: 500MB, 2GB, ...; default: {VARIABLE}, else 10GB.")
@output_options(numbers=False)
def command(*, pruned: bool, cleared: bool, limit: str | None, output: Output) -> None:
    """Say which answers of models are cached, or remove them."""
    if pruned and cleared:
        raise InputError("choose one of --prune and --clear")
    if not pruned:
        note_idle(["limit"], "without --prune")
    folder, most = cache_folder(), cache_limit(limit)
    removed = 0
    if cleared:
        removed = clear(folder)
        remove_converted(folder)
    elif pruned and most is not None:
        try:
            removed = prune(folder, most)
        except sqlite3.Error as error:
            raise InputError(f"{folder} cannot be pruned ({error}); try again when no other process uses it") from None
    output.show(list_cached(folder, limit=most, removed=removed))
