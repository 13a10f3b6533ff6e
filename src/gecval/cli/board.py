"""gecval board, serve, worker, submit: benchmarks, submissions and leaderboards on the web."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gecval.cli.common import chosen, uses
from gecval.cli.help import Command, Family
from gecval.cli.output import Output, output_options
from gecval.errors import InputError, MissingExtraError
from gecval.formats.files import readable

if TYPE_CHECKING:
    from gecval.board.benchmark_data import UploadedFile, VersionData
    from gecval.board.database import Database
    from gecval.board.settings import Settings

PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)


PLACE = [
    click.Option(
        ["--data"],
        type=click.Path(path_type=Path, file_okay=False),
        default=Path("board"),
        show_default=True,
        help="The folder of the board.",
    ),
    click.Option(
        ["--database"],
        default="",
        envvar="GECVAL_DATABASE",
        help="The database, postgresql+psycopg://USER@HOST/NAME. Default: GECVAL_DATABASE, else SQLite in the folder.",
    ),
]
uses_board = uses("data", "database")


@contextmanager
def board_extra() -> Iterator[None]:
    """Within this block, a missing library becomes the line that installs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("gecval"):
            raise
        raise MissingExtraError("the board", "board") from error


@contextmanager
def open_board() -> Iterator[tuple[Settings, Database]]:
    """The settings and the open database of the board that --data and --database name."""
    with board_extra():
        from gecval.board.database import open_database
    settings = find_settings()
    settings.check()
    opened = open_database(settings.url)
    try:
        yield settings, opened
    finally:
        opened.close()


def find_settings(**others: Any) -> Settings:
    """The settings of the board that --data and --database name."""
    with board_extra():
        from gecval.board.settings import Settings
    return Settings(data=chosen("data"), database=chosen("database"), **others)


EXAMPLES = """\b
Examples:
  gecval board serve --demo
  gecval board invite --role organiser
  gecval board create "Winter task" -s source.txt --hidden gold.m2 -m errant
  gecval board submit mine.txt --benchmark winter-task
  gecval board export board.zip
  gecval board import board.zip --data copy/
  gecval board snapshot site/
  gecval board worker --jobs 2
  gecval board password anna
"""


@click.group("board", cls=Family, shared=PLACE, epilog=EXAMPLES)
def command() -> None:
    """Benchmarks, submissions and leaderboards on the web, in one folder.

    Serve a board, submit to one, invite people, make benchmarks from files, copy everything out and back.
    """


@command.command("invite")
@uses_board
@click.option(
    "--role", type=click.Choice(["organiser", "participant", "judge"]), default="participant", show_default=True
)
@click.option(
    "--url",
    default=None,
    help="The board's address, for the link. Default: address in board.toml, else port 8017 here.",
)
def invite(role: str, url: str | None) -> None:
    """Print a link that makes one account."""
    with open_board() as (settings, opened), opened.write() as session:
        from gecval.board import accounts

        served = settings.with_file()
        asked, url = url, url or served.address or f"http://127.0.0.1:{served.port}"
        secret = accounts.invite(session, role=role, days=accounts.INVITATION_DAYS)  # type: ignore[arg-type]
        known = bool(asked or served.address)
    click.echo(f"{url.rstrip('/')}/join/{secret}")
    if not known:
        click.echo(f"gecval: note: the link is for port {served.port} here; for another address: --url URL", err=True)


@command.command("create", everyday="--hidden --per-day --visibility")
@click.argument("name")
@uses_board
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
    help="With hidden references: show a team's better score from so many standard errors on. Default: 2.5; 0: always.",
)
@click.option("--preset", type=click.Choice(["no-comparison"]), help="The data and metrics of a paper's board.")
def create(
    name: str,
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
        from gecval.board.accounts import find_first_organiser
        from gecval.board.benchmark_data import PRESETS
        from gecval.board.benchmarks import PhaseRules, make_benchmark
    if preset and (source or references or hidden or metrics):
        raise InputError("a preset brings its own files and metrics; leave yours out", parameter="preset")
    known = PRESETS[preset] if preset else None
    version = (
        known.data(find_settings())
        if known
        else read_version_data(source, references, hidden, metrics=metrics, aggregate=aggregate)
    )
    data = chosen("data")
    at = f" --data {shlex.quote(str(data))}" if data != Path("board") else ""
    with open_board() as (settings, opened), opened.write() as session:
        made = make_benchmark(
            session,
            settings,
            find_first_organiser(session, serve=f"gecval serve{at}"),
            name=name,
            data=version,
            about=about or (known.description if known else ""),
            visibility=visibility,
            phase=PhaseRules(per_day=per_day, ladder=ladder),
        )
        address, step = made.address, made.phases[0].ladder
    click.echo(f"/b/{address}")
    if step:
        click.echo(
            f"references are hidden, so a team's score shows only when it beats the team's last by {step:g} standard "
            "errors (--ladder 0: always)",
            err=True,
        )
    click.echo(f"next: `gecval board serve{at}` shows it; `gecval board invite{at}` makes a link for a team", err=True)


def read_version_data(
    source: Path | None,
    references: Sequence[Path],
    hidden: Sequence[Path],
    *,
    metrics: Sequence[str],
    aggregate: str,
) -> VersionData:
    """The data of a version, from files on this machine."""
    from gecval.board.benchmark_data import UploadedFile, VersionData

    def read(path: Path, *, hidden: bool = False) -> UploadedFile:
        with readable(path):
            return UploadedFile(name=path.name, content=path.read_bytes(), hidden=hidden)

    return VersionData(
        source=read(source) if source else None,
        references=[read(path) for path in references] + [read(path, hidden=True) for path in hidden],
        metrics=metrics,
        aggregate=aggregate,
    )


@command.command("password")
@click.argument("name")
@uses_board
def password(name: str) -> None:
    """Give the account NAME a new password, and print it. Single sign-on is disconnected from the account."""
    with open_board() as (settings, opened), opened.write() as session:
        from gecval.board.accounts import find_account, reset_password
        from gecval.board.sso import is_connected

        connected = is_connected(session, find_account(session, name))
        made = reset_password(session, settings, name)
    if connected:
        click.echo("single sign-on is disconnected; its owner connects it again on the account page", err=True)
    click.echo(made)


@command.command("export")
@click.argument("path", type=PATH)
@uses_board
@click.option(
    "--secrets",
    is_flag=True,
    help="Take addresses, log-ins by single sign-on, and hashes of passwords, tokens and invitations along.",
)
def export(path: Path, secrets: bool) -> None:
    """Write everything into PATH: a new folder, or a zip file where PATH ends in .zip.

    The board may be running. The export holds hidden references and everybody's outputs: keep it to yourself. Without
    --secrets nobody can log in to a board made from it until `gecval board password` gives them a new password.
    """
    with open_board() as (_, opened):
        from gecval.board.export_import import export_board

        counts = export_board(opened, path, secrets=secrets)
    click.echo(f"{path}: {sum(counts.values())} rows of {len(counts)} tables")


@command.command("import")
@click.argument("path", type=PATH)
@uses_board
@click.option(
    "--max-size", type=click.IntRange(1, 10_000), default=20, show_default=True, help="Gigabytes that PATH may have."
)
def restore(path: Path, max_size: int) -> None:
    """Make a board from what `gecval board export` wrote into PATH, in an empty folder or database.

    It may be the other database: from SQLite to PostgreSQL, or back.
    """
    with open_board() as (settings, opened):
        from gecval.board.export_import import GIGABYTE, import_board

        counts = import_board(opened, path, max_bytes=max_size * GIGABYTE)
    click.echo(f"{settings.data}: {sum(counts.values())} rows of {len(counts)} tables")


@command.command("snapshot")
@click.argument("path", type=PATH)
@uses_board
def snapshot(path: Path) -> None:
    """Write the public leaderboards into the new folder PATH as pages that need no server, for a workshop's site."""
    with open_board() as (settings, opened):
        from gecval.board.snapshot import take_snapshot

        count = take_snapshot(opened, settings, path)
    click.echo(f"{path / 'index.html'}: {count} pages")


SERVE_EXAMPLES = """\b
Examples:
  gecval board serve
  gecval board serve --demo
  gecval board serve --data board/ --host 0.0.0.0 --port 80 --secure
  gecval board serve --database postgresql+psycopg://board@db/board --workers 0
"""


@click.command("serve", cls=Command, epilog=SERVE_EXAMPLES)
@uses_board
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 is all.")
@click.option("--port", type=click.IntRange(0, 65535), default=8017, show_default=True, help="0 is any free one.")
@click.option(
    "--workers",
    type=click.IntRange(0, 64),
    default=1,
    show_default=True,
    help="Processes that score submissions; with 0, run `gecval board worker` elsewhere.",
)
@click.option("--secure", is_flag=True, help="The board is behind TLS: cookies are sent over TLS alone.")
@click.option("--open-signup", is_flag=True, help="Anybody may make an account, without an invitation.")
@click.option(
    "--max-upload", type=click.IntRange(1, 1000), default=20, show_default=True, help="Megabytes that a file may have."
)
@click.option(
    "--demo", is_flag=True, help="Fill an empty board with the sample corpus, four systems and a few judgments."
)
def serve_command(
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
        from gecval.board.serve import serve
        from gecval.board.settings import MEGABYTE
    settings = find_settings(
        host=host,
        port=port,
        workers=workers,
        secure=secure,
        open_signup=open_signup,
        max_upload=max_upload * MEGABYTE,
    )
    serve(settings, click.echo, with_demo=demo)


@click.command("worker", cls=Command)
@uses_board
@uses("jobs")
def worker_command() -> None:
    """Score the submissions that wait on a board, on this or any other machine. Stop it at any time: no job is lost."""
    with board_extra():
        from gecval.board.serve import work
    work(find_settings(), jobs=chosen("jobs"))


SUBMIT_EXAMPLES = """\b
Examples:
  gecval board submit mine.txt --board https://board.example.org --benchmark conll14 --system "my system"
  gecval board submit mine.txt --benchmark conll14 --paper https://example.org/paper --seen no --wait
Set GECVAL_BOARD and GECVAL_TOKEN once, and leave --board and --token out.
"""


@click.command("submit", cls=Command, everyday="--board --benchmark --system --token --wait", epilog=SUBMIT_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--board", envvar="GECVAL_BOARD", default="http://127.0.0.1:8017", show_default=True, help="Its address.")
@click.option("--benchmark", required=True, help="What stands behind /b/ in the benchmark's address.")
@click.option("--system", help="The name of the system; default: that of the file.")
@click.option("--team", default="", help="The name of your team, where you are in several.")
@click.option("--token", envvar="GECVAL_TOKEN", default="", help="From your account page. Better set GECVAL_TOKEN.")
@click.option("--training-data", default="", help="For the fact sheet.")
@click.option("--size", default="", help="For the fact sheet: the size of the model.")
@click.option("--paper", default="", help="For the fact sheet.")
@click.option("--code", default="", help="For the fact sheet.")
@click.option(
    "--seen", type=click.Choice(["no", "yes", "unknown"]), help="For the fact sheet: was it trained on the test set?"
)
@click.option("--wait", is_flag=True, help="Wait until it is scored, and print the scores.")
@uses("quiet")
@output_options()
def submit_command(
    file: Path,
    board: str,
    benchmark: str,
    system: str | None,
    team: str,
    token: str,
    training_data: str,
    size: str,
    paper: str,
    code: str,
    seen: str | None,
    wait: bool,
    output: Output,
) -> None:
    """Submit a system's output to a board. The board looks at the file first: what it refuses costs nothing."""
    with board_extra():
        from gecval.board.client import Board, as_scores
    if not token:
        raise InputError("make a token on your account page of the board", parameter="token")
    at = Board(board, token)
    sheet = {"data": training_data, "size": size, "paper": paper, "code": code, "seen": seen or ""}
    submission = at.submit(benchmark, file, system=system or file.stem, team=team, sheet=sheet)
    where = f"{board.rstrip('/')}/b/{benchmark}/submissions/{submission['id']}"
    click.echo(f"submitted: {where}", err=True)
    if not wait:
        click.echo("next: look there for its scores; with --wait they are printed here", err=True)
    else:
        scored = at.wait(benchmark, submission, lambda line: click.echo(line, err=True))
        output.show(as_scores(scored))


for verb in (serve_command, worker_command, submit_command):
    command.add_command(verb)
