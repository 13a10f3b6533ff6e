"""The options that every command has: described once, taken anywhere, and counted once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from gecval.cli.common import COMMON, DRAWN, METHODS, names_used
from gecval.cli.help import Group, long_name
from gecval.cli.program import cli, entries
from gecval.models.device import AUTO, CPU_BATCH, GPU_BATCH
from gecval.results.chart_layout import SIZES
from gecval.runtime.progress import QUIET
from gecval.stats.resampling import METHODS as ALL_METHODS

SCORE = "score good.txt -r gold.m2 -m m2"


def contexts() -> Iterator[click.Context]:
    """Every command as it is called, the program and its families too."""
    program = cli.make_context("gecval", [], resilient_parsing=True)
    yield program
    for name in entries():
        if name == "serve":  # it is `board serve`
            continue
        command = cli.get_command(program, name)
        assert command is not None
        context = click.Context(command, parent=program, info_name=name)
        yield context
        for inner in getattr(command, "commands", {}).values():
            yield click.Context(inner, parent=context, info_name=inner.name)


def test_how_many_options_there_are() -> None:
    """Those of every command count once, for the program; those of every board command once, for the board."""
    counts = {
        context.command_path: len(
            [
                option
                for option in (*context.command.params, *getattr(context.command, "shared", ()))
                if isinstance(option, click.Option)
            ]
        )
        for context in contexts()
    }
    assert sum(counts.values()) + 1 <= 328, counts  # --help-all is one more
    assert max(counts.values()) <= 29, counts


@pytest.mark.parametrize("option", COMMON, ids=long_name)
def test_every_command_takes_them(option: click.Option) -> None:
    words = [long_name(option)] if option.is_flag else [long_name(option), "1"]
    for context in contexts():
        own = {spelling for parameter in context.command.params for spelling in parameter.opts}
        if own.isdisjoint(option.opts):  # else it has one of its own
            given, *_ = context.command.make_parser(context).parse_args(list(words))
            assert option.name in given, context.command_path


@pytest.mark.parametrize(
    "options",
    ["--percent", "--digits 2", "--digits=2", "--jobs 2 --percent", "--format json", "--ci --seed 7 --resamples=50"],
)
def test_before_or_after_the_command(gecval, folder: Path, options: str) -> None:
    after = gecval(f"{SCORE} {options}")
    assert (after.status, "nothing" in after.err) == (0, False)
    own = "--ci" if "--ci" in options else ""
    assert gecval(f"{options.removeprefix('--ci')} {SCORE} {own}") == after


def test_before_a_command_of_two_words_and_of_a_family(gecval, folder: Path) -> None:
    assert gecval("--format json coverage undercorrection good.txt -r gold.m2").json["schema"]
    assert gecval("--format json data list") == gecval("data --format json list") == gecval("data list --format json")
    assert gecval("--help-all data").out == gecval("--help-all").out


def test_what_is_typed_later_counts(gecval, folder: Path) -> None:
    assert gecval(f"--digits 1 {SCORE} --digits 3").out == gecval(f"{SCORE} --digits 3").out


def test_other_names_and_near_misses(gecval, refused, folder: Path) -> None:
    assert gecval(f"{SCORE} --n-jobs 2 --json").out == gecval(f"{SCORE} --format json").out
    assert refused(f"{SCORE} --prcent") == "no option --prcent; did you mean --percent?"
    assert refused(f"{SCORE} --jobs 0").startswith("Invalid value for '--jobs': 0 is not in the range")


def test_what_does_nothing_for_a_command_is_noted(gecval, refused, folder: Path) -> None:
    said = gecval("metrics --percent --jobs 2")
    assert (said.status, said.out) == (0, gecval("metrics").out)
    assert said.err == "gecval: note: --percent and --jobs change nothing for gecval metrics\n"
    assert refused("data where conll14 -o folder.txt") == "--output changes nothing for gecval data where"
    assert "--data changes nothing for gecval score" not in gecval(SCORE).err
    assert refused(f"{SCORE} --database x").startswith("no option --database")


def test_they_are_described_once(gecval) -> None:
    described = gecval("--help-all").out.partition("Options of every command:\n")[2]
    assert all(f"{long_name(option)}" in described for option in COMMON)
    for context in contexts():
        if isinstance(context.command, Group):
            continue
        text = context.get_help()
        named = [long_name(option) for option in COMMON if option.name in names_used(context.command.callback)]
        own = {long_name(parameter) for parameter in context.command.params}
        line = " ".join(text.partition("Options of every command, see gecval --help-all: ")[2].split())
        wanted = ", ".join(name for name in named if name not in own)
        assert line.startswith(wanted), context.command_path
    board = gecval("board --help").out.partition("Options of every board command:\n")[2]
    assert "--data" in board
    assert "--database" in board
    invite = " ".join(gecval("board invite --help").out.split())
    assert invite.endswith("Options of every board command, see gecval board --help-all: --data, --database")


def test_the_help_is_short(gecval) -> None:
    for context in contexts():
        assert context.get_help().count("\n") < 45, context.command_path


def test_a_shell_completes_them() -> None:
    complete = ShellComplete(cli, {}, "gecval", "_GECVAL_COMPLETE")
    for words in (["score"], ["coverage", "undercorrection"], ["--digits", "2", "board", "invite"], []):
        assert [found.value for found in complete.get_completions(words, "--per")] == ["--percent"]
    assert [found.value for found in complete.get_completions(["serve"], "--data")] == ["--data", "--database"]
    assert [found.value for found in complete.get_completions(["score", "--unit"], "doc")] == ["document"]


def test_what_is_written_twice_is_the_same() -> None:
    """The module of these options imports no metric, so that `gecval --help` is quick."""
    described = {option.name: option.help or "" for option in COMMON}
    assert (ALL_METHODS, tuple(SIZES)) == (METHODS, DRAWN)
    assert f"default: {CPU_BATCH}, on a GPU {GPU_BATCH} (" in described["batch_size"]
    assert next(option.default for option in COMMON if option.name == "device") == AUTO
    assert f"{QUIET}=1" in described["quiet"]
