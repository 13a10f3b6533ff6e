"""gecval lfm: train a model of grammaticality, for -m 'lfm(model=…)'."""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.help import Family
from gecval.cli.inputs import INPUT, note_corpus
from gecval.cli.options import run_options
from gecval.cli.output import PATH, Output, output_options, plot_option
from gecval.cli.progress_option import show_progress
from gecval.formats import write_files
from gecval.formats.ratings import read_judged
from gecval.metrics.lfm.features import GROUPS
from gecval.runtime.run import Run
from gecval.studies.lfm.study import train_lfm, training_chart

EXAMPLES = """\b
Examples:
  gecval lfm train gug_annotations.tsv -o lfm.json
  gecval lfm train gug_annotations.tsv -o quick.json --features spelling,ngrams
  gecval score out/ -s src.txt -m 'lfm(model="lfm.json")'
"""


@click.group("lfm", cls=Family, epilog=EXAMPLES)
def command() -> None:
    """Train a linguistic-feature model of grammaticality (Heilman et al. 2014)."""


def _groups(ctx: click.Context, param: click.Parameter, names: str | None) -> tuple[str, ...] | None:
    """The groups that --features names."""
    return None if names is None else tuple(name.strip() for name in names.split(","))


@command.command("train", epilog=EXAMPLES)
@click.argument("judgments", type=INPUT)
@click.option("-o", "--output", "model", type=PATH, required=True, help="Write the model to this file, as JSON.")
@click.option(
    "--features",
    "groups",
    metavar="GROUPS",
    callback=_groups,
    help=f"Which features, separated by commas: {', '.join(GROUPS)}. Default: all, link only where it is installed.",
)
@run_options()
@plot_option("what each group of features brings")
@output_options(path=False)
def train_command(judgments: Path, model: Path, groups: tuple[str, ...] | None, run: Run, output: Output) -> None:
    """Train on JUDGMENTS: sentences with an average human judgment, in the form of the GUG data.

    Weights come from the sentences of its train split, dev chooses the regularisation, and test says how good it is.
    """
    judged = read_judged(judgments)
    with show_progress(run, "looking at sentences") as run:
        training = train_lfm(judged, groups, name=judgments.name, run=run)
    write_files({model: training.model.lines()})
    note_corpus([judgments], len(judged))
    output.show(training, chart=training_chart)
