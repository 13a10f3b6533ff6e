"""gecval submit: a system's output to a board."""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.boards import board_extra
from gecval.cli.output import output_options, show
from gecval.cli.progress import quiet_option
from gecval.errors import InputError

EXAMPLES = """\b
Examples:
  gecval submit mine.txt --board https://board.example.org --benchmark conll14 --system "my system"
  gecval submit mine.txt --benchmark conll14 --paper https://example.org/paper --seen no --wait
Set GECVAL_BOARD and GECVAL_TOKEN once, and leave --board and --token out.
"""


@click.command("submit", epilog=EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--board", envvar="GECVAL_BOARD", default="http://127.0.0.1:8017", show_default=True, help="Its address.")
@click.option("--benchmark", required=True, help="What stands behind /b/ in the benchmark's address.")
@click.option("--system", help="The name of the system; default: that of the file.")
@click.option("--team", default="", help="The id of your team, where you are in several.")
@click.option("--token", envvar="GECVAL_TOKEN", default="", help="From your account page. Better set GECVAL_TOKEN.")
@click.option("--training-data", default="", help="For the fact sheet.")
@click.option("--size", default="", help="For the fact sheet: the size of the model.")
@click.option("--paper", default="", help="For the fact sheet.")
@click.option("--code", default="", help="For the fact sheet.")
@click.option(
    "--seen", type=click.Choice(["no", "yes", "unknown"]), help="For the fact sheet: was it trained on the test set?"
)
@click.option("--wait", is_flag=True, help="Wait until it is scored, and print the scores.")
@quiet_option
@output_options
def command(
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
    style: str,
    output: Path | None,
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
    if wait:
        scored = at.wait(benchmark, submission, lambda line: click.echo(line, err=True))
        show(as_scores(scored), style, output)
