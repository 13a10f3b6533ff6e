"""gecval reproduce: the papers' tables, published figures next to ours."""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.common import MODELS
from gecval.cli.effects import CHUNKS, note_idle
from gecval.cli.help import Command
from gecval.cli.options import run_options
from gecval.cli.output import PATH, Output, output_options
from gecval.cli.progress_option import show_progress
from gecval.results.chart_files import check_plot_path, save_plots
from gecval.runtime.run import Run
from gecval.studies.reproduce.charts import paper_charts
from gecval.studies.reproduce.study import PAPERS, paper_items, papers, reproduce

OF_A_PAPER = ("only", "skip", "folder", "quick", "quiet", "percent", "digits", "compact")
EXAMPLES = """\b
Examples:
  gecval reproduce                                the papers, and what is computed of each
  gecval reproduce m2 --plot figures
  gecval reproduce no-comparison --only "Table 2" --skip lt
  gecval reproduce --status                       every table, figure and finding, and what comes out

\b
Papers:
""" + "\n".join(f"  {paper.name:15} {paper.about}" for paper in PAPERS.values())


@click.command("reproduce", cls=Command, everyday="--only --skip --status", epilog=EXAMPLES)
@click.argument("paper", type=click.Choice(list(PAPERS)), required=False, metavar="[PAPER]")
@click.option("--status", is_flag=True, help="Without PAPER: list every item of the papers, and what comes out.")
@click.option(
    "--only",
    multiple=True,
    metavar="TABLE",
    help='Compute only this table, figure or section, e.g. "Table 2". Repeat for more.',
)
@click.option(
    "--skip",
    multiple=True,
    metavar="METRIC",
    help="Leave out this metric; its cells stay empty. Repeat for more.",
)
@click.option(
    "--plot", "folder", type=PATH, metavar="FOLDER", help="Draw the paper's figures and tables there, each as an .svg."
)
@click.option("--quick", is_flag=True, help="With calibration: few experiments, for a first look.")
@run_options(jobs=False, chunks="parts")
@output_options()
def command(
    paper: str | None,
    status: bool,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    folder: Path | None,
    quick: bool,
    checkpoint: Path | None,
    run: Run,
    output: Output,
) -> None:
    """Print the tables of PAPER, published figures next to ours. Without PAPER, list the papers.

    `gecval data fetch` gets the data sets that a paper needs.
    """
    if paper is None:
        note_idle([*MODELS, *CHUNKS, *OF_A_PAPER], "without PAPER")
        output.show(paper_items() if status else papers())
        return
    note_idle(["status"], "with PAPER, whose status stands below its tables")
    if not PAPERS[paper].language_model:
        note_idle(MODELS, f"for {paper}, which asks no language model")
    if not PAPERS[paper].quick:
        note_idle(["quick"], f"for {paper}")
    if folder:
        check_plot_path(folder / "figure.svg")
    with show_progress(run, f"reproducing {paper}") as run:
        result = reproduce(paper, only=only, skip=skip, quick=quick, checkpoint=checkpoint, run=run)
    if folder:
        save_plots(dict(paper_charts(result)), folder)
    output.show(result)
