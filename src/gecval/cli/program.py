"""The program ``gecval``: finds the command that is called, and turns every error into one line."""

from __future__ import annotations

import io
import os
import shlex
import sys
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import click

from gecval import __version__
from gecval.cli.common import COMMON
from gecval.cli.effects import IDLE
from gecval.cli.help import Command, Family, Group, first_example
from gecval.cli.inputs import holds_signature, is_signature, name_standard_input
from gecval.cli.mistakes import suggest_command
from gecval.errors import InputError
from gecval.studies import CORPORA, EVERY_DAY, STUDIES

BOARD = "Leaderboards on the web"

# The commands that are no study: module (none for a word that only gathers others), group and purpose.
OTHERS = {
    "demo": ("demo:command", EVERY_DAY, "Score four systems with different habits on the sample corpus."),
    "annotate": ("annotate:command", CORPORA, "Find the edits between a source and corrected texts."),
    "convert": ("convert:command", CORPORA, "Convert a corpus between M2, JSONL and plain text."),
    "files": ("", CORPORA, "Filter files of pairs, merge parts, clear the cache of models."),
    "board": ("board:command", BOARD, "Serve benchmarks on the web, submit, invite, copy out and back."),
    "serve": ("board:serve_command", BOARD, "Short for gecval board serve."),
}


_PACKAGE = Path(__file__).parent.parent
_LIBRARY = Path(os.__file__).parent  # Python's own


class CommandEntry(NamedTuple):
    """A command, before it is imported: where it is, and what the help says of it."""

    place: str
    group: str
    purpose: str


def entries() -> dict[str, CommandEntry]:
    """Every command by its name, of one or two words: the studies, then the others."""
    studies = {
        s.command: CommandEntry(f"gecval.studies.{s.folder}.command:command", s.group, s.purpose) for s in STUDIES
    }
    others = {
        name: CommandEntry(place and f"gecval.cli.{place}", group, purpose)
        for name, (place, group, purpose) in OTHERS.items()
    }
    return studies | others


class Commands(Group):
    """Finds each command by its entry, and imports it only when it is called.

    ``coverage`` and ``coverage undercorrection`` are two commands: the first takes what the second word does not name.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in entries() if " " not in name]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        entry = entries().get(name)
        if entry is None:
            return None
        below = {full: other for full, other in entries().items() if full.startswith(f"{name} ")}
        if not entry.place:
            return _Gathered(name, help=entry.purpose, params=[])
        module, _, attribute = entry.place.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        if isinstance(command, Command):
            command.related = [(f"gecval {full}", other.purpose) for full, other in below.items()]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] == "help":  # as in git
            args = [*args[1:], "--help"] if args[1:] else ["--help"]
            if args == ["--help"]:
                click.echo(ctx.get_help())
                ctx.exit()
        if args[0] == "version":
            click.echo(f"gecval, version {__version__}")
            ctx.exit()
        if args[0] == "serve":
            args = ["board", *args]
        if args[0] == "explain" and args[1:2] not in ([], ["difference"], ["verify"]):
            claims = any(map(is_signature, args[1:])) or holds_signature(args[1])
            args = ["explain", "difference", *args[1:]] if claims else args
        for length in (2, 1):
            name = " ".join(args[:length])
            if len(args) >= length and name in entries():
                return name, self.get_command(ctx, name), [*ctx.obj, *args[length:]]
        if ctx.resilient_parsing:  # a shell that completes
            return None, None, args[1:]
        families = {name: self.get_command(ctx, name) for name in ("data", "board")}
        below = [
            f"{first} {second}"
            for first, family in families.items()
            if isinstance(family, click.Group)
            for second in family.commands
        ]
        raise InputError(suggest_command(args[0], [*entries(), *below]))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them: some take half a second."""
        self._list(formatter, everything=False)

    def format_help_all(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands of two words too, and the options that all commands share."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        self._list(formatter, everything=True)
        self.write_shared(ctx, formatter)
        self.format_epilog(ctx, formatter)

    def _list(self, formatter: click.HelpFormatter, *, everything: bool) -> None:
        first = {name: number for number, name in enumerate(entries())}  # a command of two words stands below its first
        ordered = sorted(entries().items(), key=lambda item: (first[item[0].split()[0]], " " in item[0]))
        listed = {name: entry for name, entry in ordered if everything or " " not in name}
        groups = {name: entry.group or listed[name.split()[0]].group for name, entry in listed.items()}
        width = max(map(len, listed))
        for group in dict.fromkeys(groups.values()):
            with formatter.section(group):
                rows = [(f"{name:{width}}", entry.purpose) for name, entry in listed.items() if groups[name] == group]
                formatter.write_dl(rows, col_max=30)

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        try:
            return super().make_context(*args, **settings)
        except KeyboardInterrupt:
            raise click.Abort from None  # click would print an empty line before it does the same

    def invoke(self, ctx: click.Context) -> None:
        try:
            super().invoke(ctx)
            self._print_notes(ctx)
        except click.exceptions.Exit:
            self._print_notes(ctx)
            raise
        except KeyboardInterrupt:
            raise click.Abort from None
        except InputError as error:
            named = InputError(name_standard_input(str(error)), parameter=error.parameters)
            raise with_options(named, self.get_command(ctx, ctx.invoked_subcommand or "")) from error

    def _print_notes(self, ctx: click.Context) -> None:
        """Options that changed nothing."""
        for note in ctx.meta.get(IDLE, ()):
            click.echo(f"gecval: note: {note}", err=True)


class _Gathered(Family):
    """A first word that is no command of its own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name.split()[1] for name in entries() if name.startswith(f"{self.name} ")]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return cli.get_command(ctx, f"{self.name} {name}")


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="COMMAND",
    subcommand_metavar="...",
    epilog="""\b
Start with `gecval demo`. `gecval COMMAND --help` has examples.
`gecval --help-all`: commands of two words, and the options of every command.
In bash, Tab completes after: eval "$(_GECVAL_COMPLETE=bash_source gecval)"
""",
    shared=COMMON,
    invoke_without_command=True,
)
@click.version_option(__version__, "-V", "--version", prog_name="gecval")
@click.pass_context
def cli(ctx: click.Context, /, **shared: Any) -> None:
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
        example = first_example(error.ctx) if isinstance(error, click.MissingParameter) and error.ctx else ""
        _fail(f"{error.format_message()} ({f'e.g. {example}; ' if example else ''}see {where} --help)", 2)
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
# A parameter's option is the one of the called verb that fills the verb's argument of the same name, or a shared one.

ALSO = {"documents": "unit"}  # parameters that an option of another name sets


def with_options(error: InputError, verb: click.Command | None) -> InputError:
    """The error, with the verb's options for the parameters that it names.

    >>> verb = click.Command("score", params=[click.Option(["-r", "--reference", "references"])])
    >>> print(with_options(InputError("gleu needs references", parameter="references"), verb))
    gleu needs references (option -r)
    >>> verb = click.Command("score", params=[click.Option(["-m", "metrics"])])
    >>> print(with_options(InputError("choose another metric", parameter="metrics=m2(beta=1)"), verb))
    choose another metric (option -m 'm2(beta=1)')
    """
    options = dict.fromkeys(option for name in error.parameters for option in _options(verb, name))
    if not options:
        return error
    return InputError(f"{error} (option{'s' * (len(options) > 1)} {' and '.join(options)})")


def _options(verb: click.Command | None, parameter: str) -> Iterator[str]:
    """The first spelling of each option that sets a parameter, with the value where the parameter has one; those of the
    sub-verbs where the verb has some."""
    if isinstance(verb, click.Group):
        for command in verb.commands.values():
            yield from _options(command, parameter)
    name, _, value = parameter.partition("=")
    names, own = (name, ALSO.get(name)), verb.params if verb else ()
    named = [option for option in (*own, *getattr(verb, "shared", ()), *COMMON) if option.name in names]
    flags = [option for option in named if isinstance(option, click.Option) and option.is_flag]
    exact = [option for option in flags if value and option.flag_value == value]  # --plain for edits=plain
    for option in (exact or named)[:1]:
        if isinstance(option, click.Option):
            yield f"{option.opts[0]} {shlex.quote(value)}" if value and option not in flags else option.opts[0]
