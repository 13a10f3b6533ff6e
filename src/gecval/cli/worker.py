"""gecval worker: scores what waits on a board."""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.boards import board_extra, database_options


@click.command("worker")
@database_options
@click.option("--jobs", type=click.IntRange(1, 4096), help="Threads; default: all cores.")
def command(data: Path, database: str, jobs: int | None) -> None:
    """Score the submissions that wait on a board, on this or any other machine. Stop it at any time: no job is lost."""
    with board_extra():
        from gecval.board.running import work
        from gecval.board.settings import Settings
    work(Settings(data=data, database=database), jobs=jobs)
