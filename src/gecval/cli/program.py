"""The program ``gecval``: finds the command that is called, and turns every error into one line."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import click

from gecval import __version__
from gecval.cli.inputs import name_standard_input
from gecval.errors import InputError
from gecval.studies import STUDIES

# The commands that are no study: module, group, and the first sentence of the command's own help.
OTHERS = {
    "demo": ("demo:command", "Score systems", "Score four systems with different habits on the sample corpus."),
    "annotate": ("annotate:command", "Look after corpora", "Find the edits between a source and corrected texts."),
    "convert": ("convert:command", "Look after corpora", "Convert a corpus between M2, JSONL and plain text."),
    "serve": (
        "board:serve_command",
        "Run a board",
        "Run a board: benchmarks, submissions and leaderboards on the web, in one folder.",
    ),
    "worker": (
        "board:worker_command",
        "Run a board",
        "Score the submissions that wait on a board, on this or any other machine.",
    ),
    "submit": ("board:submit_command", "Run a board", "Submit a system's output to a board."),
    "board": (
        "board:command",
        "Run a board",
        "Look after a board: invite people, make benchmarks from files, copy everything out and back.",
    ),
}


_PACKAGE = Path(__file__).parent.parent
_LIBRARY = Path(os.__file__).parent  # Python's own


class Entry(NamedTuple):
    """A command, before it is imported: where it is, and what the help says of it."""

    place: str
    group: str
    purpose: str


def entries() -> dict[str, Entry]:
    """Every command by its name: the studies, then the others."""
    studies = {s.command: Entry(f"gecval.studies.{s.folder}.command:command", s.group, s.purpose) for s in STUDIES}
    others = {name: Entry(f"gecval.cli.{place}", group, purpose) for name, (place, group, purpose) in OTHERS.items()}
    return studies | others


class Commands(click.Group):
    """Finds each command by its entry, and imports it only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(entries())

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        entry = entries().get(name)
        if entry is None:
            return None
        module, _, attribute = entry.place.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them: some take half a second."""
        for group in dict.fromkeys(entry.group for entry in entries().values()):
            with formatter.section(group):
                listed = [(name, entry.purpose) for name, entry in entries().items() if entry.group == group]
                formatter.write_dl(listed, col_max=20)

    def invoke(self, ctx: click.Context) -> None:
        try:
            super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None  # click would print an empty line before it does the same
        except InputError as error:
            named = InputError(name_standard_input(str(error)), parameter=error.parameters)
            raise with_options(named, self.get_command(ctx, ctx.invoked_subcommand or "")) from error


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with `gecval demo`. Each command's --help has examples. Let your shell complete commands, options "
    'and metrics: put eval "$(_GECVAL_COMPLETE=bash_source gecval)" into ~/.bashrc; for zsh, zsh_source into ~/.zshrc.',
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
    except UnicodeEncodeError as error:
        # A half of a surrogate pair, which a file name or a typed text may hold, or a terminal that is not UTF-8.
        _fail(
            f"the output cannot be written as {error.encoding}: {error.reason}; set PYTHONIOENCODING=utf-8:replace", 2
        )
    except OSError as error:
        # Python would try, and complain, once more at exit to get rid of what a full disk did not take. (A reader such
        # as head that has left is no error: click sees to that.)
        sys.stdout = io.StringIO()
        _fail(f"{error.filename or 'the output'}: {error.strerror}", 2)
    except Exception as error:
        place = _place_in_own_code(error)
        if place is None:
            raise  # a fault of ours: the traceback helps whoever reports it
        _fail(f"{place}: {type(error).__name__}: {error}", 2)


def _place_in_own_code(error: Exception) -> str | None:
    """Where a metric, an extractor or a checker of the user's failed; None where the error is none of theirs."""
    place = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        part, path = type(frame.f_locals.get("self")), Path(frame.f_code.co_filename)
        ours = path.is_relative_to(_PACKAGE)
        if not ours and path.is_file() and "site-packages" not in path.parts and not path.is_relative_to(_LIBRARY):
            of_class = f"{part.__module__}:{part.__qualname__}" if part is not type(None) else path.stem
            place = f"{of_class} failed in {frame.f_code.co_name} ({path.name}, line {line})"
    return place


def _fail(message: str, status: int) -> None:
    click.echo(f"gecval: {' '.join(message.split())}", err=True)
    sys.exit(status)


# From errors of the library to errors of the command line: options join the parameters that an error names.
#
#     InputError("gleu needs references", parameter="references")  ──►  gleu needs references (option -r)
#
# A parameter's option is the one of the called verb that fills the verb's argument of the same name.


def with_options(error: InputError, verb: click.Command | None) -> InputError:
    """The error, with the verb's options for the parameters that it names.

    >>> verb = click.Command("score", params=[click.Option(["-r", "--reference", "references"])])
    >>> print(with_options(InputError("gleu needs references", parameter="references"), verb))
    gleu needs references (option -r)
    """
    options = dict.fromkeys(option for name in error.parameters for option in _options(verb, name))
    if not options:
        return error
    return InputError(f"{error} (option{'s' * (len(options) > 1)} {' and '.join(options)})")


def _options(verb: click.Command | None, parameter: str) -> Iterator[str]:
    """The first spelling of each option that sets a parameter; that of the sub-verbs where the verb has some."""
    if isinstance(verb, click.Group):
        for command in verb.commands.values():
            yield from _options(command, parameter)
    elif verb is not None:
        yield from (
            option.opts[0] for option in verb.params if isinstance(option, click.Option) and option.name == parameter
        )
