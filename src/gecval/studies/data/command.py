"""gecval data: the public data sets that the papers use: list them, fetch them, check them."""

from __future__ import annotations

from dataclasses import replace

import click

from gecval.cli.common import chosen, uses
from gecval.cli.help import Family
from gecval.cli.output import Output, output_options, print_notes
from gecval.cli.progress_option import progress_bar
from gecval.errors import InputError
from gecval.formats.datasets import dataset, datasets, fetch_dataset, find_dataset
from gecval.studies.data.study import dataset_card, list_datasets

EXAMPLES = """\b
Examples:
  gecval data list                      every data set, and what of it is here
  gecval data list jfleg-dev            its licence, its citation, where it comes from
  gecval data fetch conll14 gjg15       get two of them
  gecval data where conll14             the folder, after a check of all files

\b
Data sets lie in the folder $GECVAL_DATA, by default in your own data folder. You may also clone a set's repository
into its folder there.
"""


@click.group("data", cls=Family, epilog=EXAMPLES)
def command() -> None:
    """List, fetch and check the public data sets that the papers use."""


@command.command("list")
@click.argument("name", required=False)
@output_options(numbers=False)
def list_(name: str | None, output: Output) -> None:
    """List all data sets, or show everything about NAME: licence, citation, origin, and what of it is here."""
    output.show(list_datasets() if name is None else dataset_card(name))


@command.command("fetch")
@click.argument("names", nargs=-1, metavar="NAME...")
@uses("quiet")
def fetch_(names: tuple[str, ...]) -> None:
    """Download NAME... into the data folder. Each set comes completely or not at all.

    The licence and the citation are shown first. A broken download goes on where it stopped when you run the command
    again. Files that are already there are checked, not fetched again.
    """
    if not names:
        raise InputError(f"name what to fetch: {', '.join(entry.name for entry in datasets() if entry.fetched)}")
    for name in [find_dataset(name).name for name in names]:
        before = dataset_card(name)
        if before.can_fetch:
            Output().show(replace(before, notes=()))  # what remains to do is said at the end
        with progress_bar(f"fetching {name}, bytes") as progress:
            folder = fetch_dataset(name, progress=progress)
        after = dataset_card(name)
        click.echo(f"{name} is {after.state}: {folder}")
        print_notes(after.notes)


@command.command("where")
@click.argument("name")
@uses("style")
def where(name: str) -> None:
    """Print the folder of NAME. All its files are checked; what is missing or different is said on stderr."""
    if chosen("style") != "text":
        Output(chosen("style")).show(dataset_card(name))
        return
    click.echo(dataset(name))
    print_notes(dataset_card(name).notes)
