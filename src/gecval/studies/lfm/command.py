"""gecval lfm: train a model of grammaticality, for -m 'lfm(model=…)'."""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.inputs import INPUT
from gecval.cli.options import model_options
from gecval.cli.output import PATH, Plot, compact_option, format_option, number_options, plot_options, show
from gecval.cli.progress import progress_bar, quiet_option
from gecval.formats import write_files
from gecval.formats.ratings import read_judged
from gecval.metrics.lfm.features import GROUPS
from gecval.runtime.run import Run
from gecval.studies.lfm.study import train_lfm
from gecval.studies.lfm.tables import training_chart

EXAMPLES = """\b
Examples:
  gecval lfm train gug_annotations.tsv -o lfm.json
  gecval lfm train gug_annotations.tsv -o quick.json --features spelling,ngrams
  gecval score out/ -s src.txt -m 'lfm(model="lfm.json")'
"""


@click.group("lfm", epilog=EXAMPLES, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Train a linguistic-feature model of grammaticality (Heilman et al. 2014)."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _groups(ctx: click.Context, param: click.Parameter, names: str | None) -> tuple[str, ...] | None:
    """The groups that --features names."""
    return None if names is None else tuple(name.strip() for name in names.split(","))


@command.command("train", epilog=EXAMPLES)
@click.argument("judgments", type=INPUT)
@click.option("-o", "--output", type=PATH, required=True, help="Write the model to this file, as JSON.")
@click.option(
    "--features",
    "groups",
    metavar="GROUPS",
    callback=_groups,
    help=f"Which features, separated by commas: {', '.join(GROUPS)}. Default: all, link only where it is installed.",
)
@click.option("--jobs", type=click.IntRange(1, 4096), help="Threads; default: all cores.")
@model_options
@plot_options("what each group of features brings")
@quiet_option
@format_option
@number_options
@compact_option
def train_command(
    judgments: Path, output: Path, groups: tuple[str, ...] | None, jobs: int | None, plot: Plot | None, style: str
) -> None:
    """Train on JUDGMENTS: sentences with an average human judgment, in the form of the GUG data.

    Weights come from the sentences of its train split, dev chooses the regularisation, and test says how good it is.
    """
    judged = read_judged(judgments)
    with progress_bar("looking at sentences") as progress:
        training = train_lfm(judged, groups, name=judgments.name, run=Run(jobs=jobs, progress=progress))
    write_files({output: training.model.lines()})
    if plot:
        plot.save(training_chart(training))
    show(training, style)
