"""gecval reproduce: the papers' tables, published value beside ours."""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.options import model_options
from gecval.cli.output import output_options, print_table, print_tables
from gecval.cli.progress import progress_bar
from gecval.report import Table
from gecval.report.reproduce import reproduction_table
from gecval.studies.reproduce import PAPERS, reproduce

EXAMPLES = "\b\nPapers:\n" + "\n".join(f"  {name:15} {what}" for name, what in PAPERS.items())


@click.command("reproduce", epilog=EXAMPLES)
@click.argument("paper", type=click.Choice(list(PAPERS)), required=False)
@model_options
@output_options
def command(paper: str | None, style: str, output: Path | None) -> None:
    """Print the tables of PAPER, published figures beside ours; without PAPER, list what there is.

    Reads the data sets under $GECVAL_DATA.
    """
    if paper is None:
        print_table(Table(["paper", "what"], list(PAPERS.items())), style, output)
        return
    with progress_bar(f"reproducing {paper}") as progress:
        tables = reproduce(paper, progress=progress)
    print_tables([reproduction_table(table) for table in tables], style, output)
