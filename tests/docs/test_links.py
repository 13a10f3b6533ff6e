"""Links between pages lead somewhere, and every option that a page names exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import click
import pytest

from docs.pages import PAGES, ROOT, steps
from gecval import metric_names
from gecval.cli.board import PLACE
from gecval.cli.common import COMMON
from gecval.cli.program import cli, entries

ALL_PAGES = [*PAGES, "CHANGELOG.md"]
# Options of other programs that pages mention.
OTHERS = {"--no-deps", "--target", "--no-build-isolation", "--editable", "--strict", "--write-expected"}
# Whose commands a page shows.
OTHER_TOOLS = ("errant_", "m2scorer ", "compute_gleu ", "sacrebleu ", "pip ", "lm_eval ", "inspect ")
_LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_SPAN = re.compile(r"`([^`]+)`")
_PATH = re.compile(r"(?:[\w-]+/)+|(?:[\w-]+/)*[\w-]+\.(?:py|pyi|cpp|hpp|md|ipynb)")
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def prose(page: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", (ROOT / page).read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


@cache
def anchors(page: str) -> set[str]:
    """The anchors that forges give to headings: lower case, no punctuation, hyphens for blanks."""
    headings = re.findall(r"^#+ (.*)$", prose(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def local_links(page: str) -> Iterator[tuple[str, str]]:
    for link in _LINK.finditer(prose(page)):
        if "://" not in link["target"]:
            target, _, anchor = link["target"].partition("#")
            place = ((ROOT / page).parent / target).resolve() if target else ROOT / page
            yield str(place.relative_to(ROOT)), anchor


@pytest.mark.parametrize("page", ALL_PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target, anchor in local_links(page):
        assert (ROOT / target).exists(), f"{page} links to {target}"
        assert not anchor or anchor in anchors(target), f"{page} links to {target}#{anchor}"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, ahead = set(), ["README.md"]
    while ahead:
        page = ahead.pop()
        reached.add(page)
        ahead += [target for target, _ in local_links(page) if target in ALL_PAGES and target not in reached]
    assert set(ALL_PAGES) - reached == set()


@cache
def options(verb: str | None = None) -> set[str]:
    """The options of a verb and its subcommands, or of all verbs."""
    context = click.Context(cli)
    named = [command for name in ([verb] if verb else entries()) if (command := cli.get_command(context, name))]
    for command in named:
        named += command.commands.values() if isinstance(command, click.Group) else ()
    shared = {option for parameter in (*COMMON, *PLACE) for option in parameter.opts}
    return (
        {option for command in named for parameter in command.params for option in parameter.opts}
        | shared
        | {
            "--help",
            "--help-all",
        }
    )


@pytest.mark.parametrize("page", PAGES)
def test_options_exist(page: str) -> None:
    spans = _SPAN.findall(prose(page)) + [step.code for step in steps(page) if step.kind == "command"]
    for span in spans:
        if span.startswith(OTHER_TOOLS):
            continue
        verb = re.match(r"gecval ([a-z]+(?: [a-z-]+)?)", span)
        named = verb and next((name for name in (verb[1], verb[1].split()[0]) if name in entries()), None)
        known = options(named) if named else options() | {"--version"} | OTHERS
        for option in _OPTION.findall(span):
            assert option in known, f"{page} names {option} in `{span}`"


@pytest.mark.parametrize("page", PAGES)
def test_files_exist(page: str) -> None:
    """Files of the repository are named by their path in it or in src/gecval; NAME stands for a file to be written."""
    written = {step.file for step in steps(page)}
    for span in _SPAN.findall(prose(page)):
        path = span.removeprefix("python ")
        if _PATH.fullmatch(path) and "NAME" not in path and path not in written:
            places = [ROOT / path, ROOT / "src" / "gecval" / path]
            assert any(place.exists() for place in places), f"{page} names `{span}`"


def test_every_metric_is_listed() -> None:
    rows = [line for line in prose("docs/metrics.md").split("\n") if line.startswith("| `")]
    listed = {name for row in rows for name in _SPAN.findall(row.split(" | ")[0])}
    assert set(metric_names()) - listed == set()


def test_options_are_known() -> None:
    assert {"--ci", "--reference", "-m"} <= options("score")
    assert "--ci" not in options("convert")
    assert "--features" in options("lfm")
