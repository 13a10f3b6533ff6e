"""gecval board: what an operator does on the machine itself. What copies a board is in ``board_copies``."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from gecval.cli.board_copies import export, restore, snapshot
from gecval.cli.boards import board_extra, database_options
from gecval.errors import InputError

FILE = click.Path(path_type=Path, dir_okay=False)


@click.group("board")
def command() -> None:
    """Look after a board: invite people, make benchmarks from files, copy everything out and back."""


for copying in (export, restore, snapshot):
    command.add_command(copying)


@command.command("invite")
@database_options
@click.option(
    "--role", type=click.Choice(["organiser", "participant", "judge"]), default="participant", show_default=True
)
@click.option("--url", default="http://127.0.0.1:8017", show_default=True, help="The board's address, for the link.")
def invite(data: Path, database: str, role: str, url: str) -> None:
    """Print a link that makes one account."""
    with board_extra():
        from gecval.board import accounts
        from gecval.board.database import open_database
        from gecval.board.settings import Settings
    settings = Settings(data=data, database=database)
    settings.check()
    with closing(open_database(settings.url)) as opened, opened.write() as session:
        secret = accounts.invite(session, role=role, days=accounts.INVITATION_DAYS)  # type: ignore[arg-type]
    click.echo(f"{url.rstrip('/')}/join/{secret}")


@command.command("create")
@click.argument("name")
@database_options
@click.option("-s", "--source", type=FILE, help="The source, one sentence a line.")
@click.option("-r", "--reference", "references", type=FILE, multiple=True, help="References that anybody may see.")
@click.option("--hidden", type=FILE, multiple=True, help="References that stay hidden.")
@click.option("-m", "--metric", "metrics", multiple=True, help="A metric, the main one first; several times for more.")
@click.option("--aggregate", type=click.Choice(["corpus", "mean"]), default="corpus", show_default=True)
@click.option("--visibility", type=click.Choice(["public", "link", "private"]), default="public", show_default=True)
@click.option("--about", default="", help="A description.")
@click.option("--per-day", type=click.IntRange(1), help="Submissions of a team a day; default: any number.")
@click.option(
    "--ladder",
    type=float,
    help="For hidden references: show a team's better score from so many standard errors on, e.g. 2; default: always.",
)
@click.option("--preset", type=click.Choice(["no-comparison"]), help="The data and metrics of a paper's board.")
def create(
    name: str,
    data: Path,
    database: str,
    source: Path | None,
    references: tuple[Path, ...],
    hidden: tuple[Path, ...],
    metrics: tuple[str, ...],
    aggregate: str,
    visibility: str,
    about: str,
    per_day: int | None,
    ladder: float | None,
    preset: str | None,
) -> None:
    """Make a benchmark from files, or from a preset."""
    with board_extra():
        from gecval.board.benchmarks import PhaseRules, make_benchmark
        from gecval.board.database import open_database
        from gecval.board.operator import first_organiser, from_paths
        from gecval.board.presets import PRESETS
        from gecval.board.settings import Settings
    if preset and (source or references or hidden or metrics):
        raise InputError("a preset brings its own files and metrics; leave yours out", parameter="preset")
    given = (
        PRESETS[preset].data()
        if preset
        else from_paths(source, references, hidden, metrics=metrics, aggregate=aggregate)
    )
    settings = Settings(data=data, database=database)
    settings.check()
    with closing(open_database(settings.url)) as opened, opened.write() as session:
        made = make_benchmark(
            session,
            settings,
            first_organiser(session),
            name=name,
            data=given,
            about=about,
            visibility=visibility,
            phase=PhaseRules(per_day=per_day, ladder=ladder, entry="system" if ladder is None else "team"),
        )
        address = made.address
    click.echo(f"/b/{address}")


@command.command("password")
@click.argument("name")
@database_options
def password(name: str, data: Path, database: str) -> None:
    """Give the account NAME a new password, and print it."""
    with board_extra():
        from gecval.board.database import open_database
        from gecval.board.operator import new_password
        from gecval.board.settings import Settings
    settings = Settings(data=data, database=database)
    settings.check()
    with closing(open_database(settings.url)) as opened, opened.write() as session:
        made = new_password(session, settings, name)
    click.echo(made)
