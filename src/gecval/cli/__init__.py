"""The command line: one module per verb; a verb only parses, calls and prints."""

from __future__ import annotations

import io
import sys
from importlib import import_module

import click

from gecval import __version__
from gecval.errors import InputError

VERBS = (
    "score",
    "compare",
    "annotate",
    "convert",
    "maege",
    "human",
    "coverage",
    "undercorrection",
    "lfm",
    "reproduce",
    "metrics",
    "demo",
)


class Verbs(click.Group):
    """Finds each verb in the module of its name, and imports it only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command = import_module(f"gecval.cli.{name}").command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> None:
        try:
            super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None  # click would print an empty line before it does the same


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with `gecval demo`. Each command's --help has examples.",
    invoke_without_command=True,
)
@click.version_option(__version__, "-V", "--version", prog_name="gecval")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Score grammatical error correction, and see how far each score can be trusted."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the command line. Bad input ends with one line on stderr and exit status 2, an interrupt with 130."""
    try:
        sys.exit(cli.main(standalone_mode=False, prog_name="gecval"))
    except InputError as error:
        _fail(str(error), 2)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "gecval"
        _fail(f"{error.format_message()} (see {where} --help)", 2)
    except click.ClickException as error:
        _fail(error.format_message(), 2)
    except (KeyboardInterrupt, click.Abort):
        _fail("interrupted; no output file was touched", 130)
    except MemoryError:
        _fail("not enough memory: split very long sentences, or lower --jobs", 2)
    except OSError as error:
        # Python would try, and complain, once more at exit to get rid of what a full disk did not take. (A reader such
        # as head that has left is no error: click sees to that.)
        sys.stdout = io.StringIO()
        _fail(f"{error.filename or 'the output'}: {error.strerror}", 2)


def _fail(message: str, status: int) -> None:
    click.echo(f"gecval: {' '.join(message.split())}", err=True)
    sys.exit(status)
