"""gecval board export, import, snapshot: a board out of its database, and back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from gecval.cli.boards import board_extra, database_options

PATH = click.Path(path_type=Path)


@click.command("export")
@click.argument("path", type=PATH)
@database_options
@click.option("--secrets", is_flag=True, help="Take the hashes of passwords, tokens and invitations along.")
def export(path: Path, data: Path, database: str, secrets: bool) -> None:
    """Write everything into PATH: a new folder, or a zip file where PATH ends in .zip.

    The board may be running. The export holds hidden references and everybody's outputs: keep it to yourself. Without
    --secrets nobody can log in to a board made from it until `gecval board password` gives them a new password.
    """
    with board_extra():
        from gecval.board.database import open_database
        from gecval.board.exchange import export_board
        from gecval.board.settings import Settings
    settings = Settings(data=data, database=database)
    settings.check()
    with closing(open_database(settings.url)) as opened:
        counts = export_board(opened, path, secrets=secrets)
    click.echo(f"{path}: {sum(counts.values())} rows of {len(counts)} tables")


@click.command("import")
@click.argument("path", type=PATH)
@database_options
@click.option(
    "--max-size", type=click.IntRange(1, 10_000), default=20, show_default=True, help="Gigabytes that PATH may have."
)
def restore(path: Path, data: Path, database: str, max_size: int) -> None:
    """Make a board from what `gecval board export` wrote into PATH, in an empty folder or database.

    It may be the other database: from SQLite to PostgreSQL, or back.
    """
    with board_extra():
        from gecval.board.database import open_database
        from gecval.board.exchange import import_board
        from gecval.board.exchange.archive import GIGABYTE
        from gecval.board.settings import Settings
    settings = Settings(data=data, database=database)
    settings.check()
    with closing(open_database(settings.url)) as opened:
        counts = import_board(opened, path, most=max_size * GIGABYTE)
    click.echo(f"{settings.data}: {sum(counts.values())} rows of {len(counts)} tables")


@click.command("snapshot")
@click.argument("path", type=PATH)
@database_options
def snapshot(path: Path, data: Path, database: str) -> None:
    """Write the public leaderboards into the new folder PATH as pages that need no server, e.g. for a workshop."""
    with board_extra():
        from gecval.board.database import open_database
        from gecval.board.settings import Settings
        from gecval.board.snapshot import take_snapshot
    settings = Settings(data=data, database=database)
    settings.check()
    with closing(open_database(settings.url)) as opened:
        count = take_snapshot(opened, settings, path)
    click.echo(f"{path / 'index.html'}: {count} pages")
