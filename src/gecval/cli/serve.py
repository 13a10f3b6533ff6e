"""gecval serve: a board for everyone's systems."""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.boards import board_extra, database_options

EXAMPLES = """\b
Examples:
  gecval serve
  gecval serve --demo
  gecval serve --data board/ --host 0.0.0.0 --port 80 --secure
  gecval serve --database postgresql+psycopg://board@db/board --workers 0
"""


@click.command("serve", epilog=EXAMPLES)
@database_options
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 is all.")
@click.option("--port", type=click.IntRange(0, 65535), default=8017, show_default=True, help="0 is any free one.")
@click.option(
    "--workers",
    type=click.IntRange(0, 64),
    default=1,
    show_default=True,
    help="Processes that score submissions; with 0, run `gecval worker` elsewhere.",
)
@click.option("--secure", is_flag=True, help="The board is behind TLS: cookies are sent over TLS alone.")
@click.option("--open-signup", is_flag=True, help="Anybody may make an account, without an invitation.")
@click.option(
    "--max-upload", type=click.IntRange(1, 1000), default=20, show_default=True, help="Megabytes that a file may have."
)
@click.option(
    "--demo", is_flag=True, help="Fill an empty board with the sample corpus, four systems and a few judgments."
)
def command(
    data: Path,
    database: str,
    host: str,
    port: int,
    workers: int,
    secure: bool,
    open_signup: bool,
    max_upload: int,
    demo: bool,
) -> None:
    """Run a board: benchmarks, submissions and leaderboards on the web, in one folder.

    The first start prints a link that makes the first organiser. SQLite in the folder is the database; take PostgreSQL
    for more than one machine.
    """
    with board_extra():
        from gecval.board.running import serve
        from gecval.board.settings import MEGABYTE, Settings
    settings = Settings(
        data=data,
        database=database,
        host=host,
        port=port,
        workers=workers,
        secure=secure,
        open_signup=open_signup,
        most_upload=max_upload * MEGABYTE,
    )
    serve(settings, click.echo, with_demo=demo)
