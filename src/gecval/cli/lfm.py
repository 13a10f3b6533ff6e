"""gecval lfm: train a model of grammaticality, for -m 'lfm(model=…)'."""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.options import model_options
from gecval.cli.output import FORMATS, PATH, print_notes, print_tables
from gecval.cli.progress import progress_bar
from gecval.cores import cores
from gecval.formats import write_files
from gecval.formats.ratings import read_judged
from gecval.models.lfm import GROUPS, usual_groups
from gecval.report.lfm import ablation_table, agreement_table
from gecval.studies.lfm import train

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


@command.command("train", epilog=EXAMPLES)
@click.argument("judgments", type=PATH)
@click.option("-o", "--output", type=PATH, required=True, help="The model, a file of JSON.")
@click.option(
    "--features",
    metavar="GROUPS",
    help=f"Which features, separated by commas: {', '.join(GROUPS)}. Default: all, link only where it is installed.",
)
@click.option("--jobs", type=click.IntRange(1, 4096), help="Threads; default: all cores.")
@model_options
@click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True)
def train_command(judgments: Path, output: Path, features: str | None, jobs: int | None, style: str) -> None:
    """Train on JUDGMENTS, sentences with an average human judgment in the form of the GUG data.

    Weights come from the sentences of its train split, dev chooses the regularisation, and test says how good it is.
    """
    groups = tuple(dict.fromkeys(features.replace(" ", "").split(","))) if features else usual_groups()
    judged = read_judged(judgments)
    with progress_bar("looking at sentences") as progress:
        training = train(judged, groups, name=judgments.name, jobs=jobs or cores(), progress=progress)
    write_files({output: training.weights.lines()})
    tables = [agreement_table(training), *([ablation_table(training)] if training.ablations else [])]
    print_tables(tables, style)
    if not features and "link" not in groups:
        print_notes(["link grammar is not installed (Debian: link-grammar), so the features 'link' were left out"])
