"""Help in two steps. ``VERB --help`` has examples and everyday options; ``VERB --help-all`` all options, by topic.

A verb's epilog begins with its examples; what follows after an empty line (exit status, forms of files) is for
``--help-all``, where the everyday options are not all there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from gecval.cli.common import names_used, shared_options
from gecval.cli.effects import note_idle
from gecval.cli.mistakes import (
    check_output_folders,
    check_paths,
    check_siblings,
    find_stray_references,
    replace_synonyms,
    suggest_command,
    suggest_option,
)
from gecval.errors import InputError

EXAMPLES = 6  # as many are shown before the options
FEW = 10  # up to so many options need no second step

# The options that several verbs share, by topic. All others are about the verb's own question.
TOPICS = {
    "Input": "--source --reference --systems --preset --missing-annotator --lenient --realign --tokenize --column "
    "--bad-rows",
    "Edits and language": "--edits --lang --parses --words --detail",
    "Intervals and tests": "--ci --level --unit",
    "Output": "--output --table --plot",
    "Large corpora": "--checkpoint --save --shard --totals --statistics",
}
OWN = "Settings"
_TOPIC = {name: topic for topic, names in TOPICS.items() for name in names.split()}
USUAL = {
    "--source", "--reference", "--metric", "--ci", "--table", "--output", "--systems", "--plot", "--preset",
}  # fmt: skip


class Command(click.Command):
    """A command. ``everyday`` names the options of its own that ``--help`` shows next to the usual ones."""

    related: Sequence[tuple[str, str]] = ()  # commands whose name starts with this one's, and their purposes

    def __init__(self, *args: Any, everyday: str = "", **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.everyday = USUAL | set(everyday.split())

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *(option for _, option in shared_options(ctx)), HELP_ALL]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        example = first_example(ctx)
        args = replace_synonyms(self.get_params(ctx), args, ctx.command_path, example)
        if not ctx.resilient_parsing:
            check_siblings(args, ctx.command_path)
        takes_outputs = any(isinstance(given, click.Argument) and given.name == "systems" for given in self.params)
        if takes_outputs and (stray := [name for name in find_stray_references(args) if Path(name).exists()]):
            click.echo(
                f"gecval: note: {', '.join(stray)} counts as an output; of several references, each has its own -r",
                err=True,
            )
        try:
            rest = super().parse_args(ctx, [*args])
        except click.NoSuchOption as error:
            hint = suggest_option(error.option_name, self.get_params(ctx), ctx.command_path, args, example)
            raise InputError(hint) from None
        if not ctx.resilient_parsing:
            check_paths(ctx)
            check_output_folders(ctx)
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        """Call the verb with its own options. It reads the shared ones from the context, where it uses them."""
        uses = names_used(self.callback)
        note_idle({option.name or "" for _, option in shared_options(ctx)} - uses, f"for {ctx.command_path}")
        own = {parameter.name for parameter in self.params}
        given = {name: value for name, value in ctx.params.items() if name in own}
        return ctx.invoke(self.callback, **given) if self.callback else None

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self._format(ctx, formatter, everything=False)

    def format_help_all(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self._format(ctx, formatter, everything=True)

    def _format(self, ctx: click.Context, formatter: click.HelpFormatter, *, everything: bool) -> None:
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        examples, _, more = (self.epilog or _find_examples(ctx)).strip().partition("\n\n")
        _write_examples(formatter, examples, EXAMPLES if not everything else None)
        everything = everything or len(self.params) <= FEW
        self._format_options(ctx, formatter, everything=everything)
        if everything and more:
            formatter.write_paragraph()
            formatter.write_text(more)
        if self.related:
            with formatter.section("Related commands"):
                formatter.write_dl(self.related)
        if not everything:
            formatter.write_paragraph()
            formatter.write(f"All options, by topic: {ctx.command_path} --help-all\n")
        self._name_shared(ctx, formatter)

    def _name_shared(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The shared options that do something for this command, and where they are described."""
        uses, used = names_used(self.callback), dict[str, list[str]]()
        for group, option in shared_options(ctx):
            if option.name in uses:
                used.setdefault(group.command_path, []).append(long_name(option))
        for path, names in used.items():
            formatter.write_paragraph()
            line = f"Options of {every(path)}, see {path} --help-all: {', '.join(names)}"
            formatter.write("\n".join(wrap(line, formatter.width, break_on_hyphens=False)) + "\n")

    def _format_options(self, ctx: click.Context, formatter: click.HelpFormatter, *, everything: bool) -> None:
        options = [option for option in self.params if isinstance(option, click.Option) and not option.hidden]
        if not everything:
            _write_options(ctx, formatter, "Everyday options", [o for o in options if long_name(o) in self.everyday])
        elif len(options) <= FEW:
            _write_options(ctx, formatter, "Options", options)
        else:
            for topic in (OWN, *TOPICS):
                of_topic = [option for option in options if _TOPIC.get(long_name(option), OWN) == topic]
                _write_options(ctx, formatter, topic, of_topic)


class Group(click.Group):
    """Commands with options that they share: typed before a command's name, they are handed on to the command."""

    def __init__(self, *args: Any, shared: Sequence[click.Option] = (), **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.shared = shared

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        above = [option for _, option in shared_options(ctx)]
        return [*super().get_params(ctx), *self.shared, *above, HELP_ALL]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        typed = list(args)
        rest = super().parse_args(ctx, args)
        ctx.obj = typed[: len(typed) - len(rest) - 1]  # what stands before the command's name
        return rest

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command, [*ctx.obj, *rest]

    def write_shared(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Describe the options that the commands share."""
        _write_options(ctx, formatter, f"Options of {every(ctx.command_path)}", self.shared)


class Family(Group):
    """Several commands with the same first word. Without a second one, it says which there are."""

    command_class = Command

    def __init__(self, *args: Any, **attributes: Any) -> None:
        super().__init__(*args, **{**attributes, "invoke_without_command": True, "callback": _show_help})

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.list_commands(ctx) and not ctx.resilient_parsing:
            raise InputError(suggest_command(args[0], self.list_commands(ctx), ctx.command_path))
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        examples, _, more = (self.epilog or "").strip().partition("\n\n")
        _write_examples(formatter, examples, EXAMPLES)
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl([(name, _purpose(command)) for name, command in commands.items() if command])
        self.write_shared(ctx, formatter)
        if more:
            formatter.write_paragraph()
            formatter.write_text(more)

    format_help_all = format_help  # it has few options


def _show_help(**shared: Any) -> None:
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _purpose(command: click.Command) -> str:
    """The first sentence of a command's help."""
    return re.split(r"(?<=\.)\s", command.help or "", maxsplit=1)[0].replace("\n", " ")


def every(group: str) -> str:
    """
    >>> every("gecval"), every("gecval board")
    ('every command', 'every board command')
    """
    return " ".join(["every", *group.split()[1:], "command"])


def long_name(option: click.Parameter) -> str:
    """The longest spelling of an option, which tables and topics name it by."""
    return max(option.opts, key=len)


def first_example(ctx: click.Context) -> str:
    """The first example of a command's help; empty where it has none."""
    found = re.search(r"^ +(gecval .*?)(?: {2,}.*)?$", ctx.command.epilog or _find_examples(ctx), re.MULTILINE)
    return found[1] if found else ""


def _find_examples(ctx: click.Context) -> str:
    """Of the examples of the family that a command belongs to, those of this command."""
    family = (ctx.parent and ctx.parent.command.epilog) or ""
    own = [line for line in family.split("\n") if f"{line.strip()} ".startswith(f"{ctx.command_path} ")]
    return "\n".join(["Examples:", *own]) if own else ""


def _write_examples(formatter: click.HelpFormatter, text: str, most: int | None) -> None:
    """``Examples:`` and lines, as they are: a command that is broken over two lines cannot be copied."""
    lines = text.removeprefix("\b\n").split("\n")
    if lines == [""]:
        return
    formatter.write_paragraph()
    formatter.write("\n".join(lines[: None if most is None else most + 1]) + "\n")


def _write_options(
    ctx: click.Context, formatter: click.HelpFormatter, heading: str, options: Iterable[click.Parameter]
) -> None:
    if records := [record for option in options if (record := option.get_help_record(ctx))]:
        with formatter.section(heading):
            formatter.write_dl(records)


def _show_all(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        formatter = ctx.make_formatter()
        ctx.command.format_help_all(ctx, formatter)  # type: ignore[attr-defined]  # what has the option has the help
        click.echo(formatter.getvalue().rstrip("\n"))
        ctx.exit()


HELP_ALL = click.Option(
    ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all, help="Show all."
)
