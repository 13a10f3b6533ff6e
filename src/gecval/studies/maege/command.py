"""gecval maege: does a metric agree with corrections whose order is known?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.common import chosen, uses
from gecval.cli.effects import note_idle, note_idle_judging
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT, describe_corpus, note_corpus
from gecval.cli.options import (
    edits_option,
    language_option,
    metric_option,
    missing_annotator_option,
    run_options,
    seed_option,
)
from gecval.cli.output import PATH, Output, check_plots, output_options
from gecval.cli.progress_option import show_progress
from gecval.errors import InputError
from gecval.formats import Missing, load_corpus
from gecval.formats.files import parse_json, read_lines
from gecval.metrics import Metric
from gecval.metrics.base import find_proper_names
from gecval.results.chart_files import save_plot
from gecval.runtime.run import Run
from gecval.studies.maege.charts import maege_chart
from gecval.studies.maege.lattices import PRESETS, MaegeSettings
from gecval.studies.maege.study import maege

EXAMPLES = """\b
Examples:
  gecval maege gold.m2 -r ref1.txt -r ref2.txt -m gleu -m sari --replicates 20
  gecval maege gold.m2 -r other.m2 -m m2 --edits plain --source original
  gecval maege gold.m2 -r refs.m2 -m gleu -m my_metrics:novelty --by-type --replicates 100 --checkpoint run.jsonl
"""

PLOTS = ("types", "corpora", "originals", "lattice", "human")


def _numbers(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[float, ...] | None:
    """Numbers separated by commas."""
    try:
        return None if text is None else tuple(float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"--models takes numbers separated by commas, not {text!r}") from None


@click.command("maege", cls=Command, everyday="--replicates", epilog=EXAMPLES)
@click.argument("gold", type=INPUT, metavar="GOLD.m2")
@click.option(
    "-r",
    "--reference",
    "references",
    type=INPUT,
    multiple=True,
    required=True,
    help="References for the metrics: corrections by other annotators than those of GOLD. Repeat for more.",
)
@metric_option()
@click.option(
    "--preset",
    type=click.Choice(list(PRESETS)),
    default="default",
    show_default=True,
    help="How to sample and judge: default is the soundest, paper follows the paper's text, code its program.",
)
@click.option(
    "--replicates",
    type=int,
    default=1,
    show_default=True,
    help="Samples to draw. Intervals need 2 or more, p-values 40 or more.",
)
@click.option("--source", type=click.Choice(["random", "original"]), help="What metrics get as source.")
@click.option("--ties", type=click.Choice(["half", "concordant", "discordant"]), help="What two equal scores count as.")
@click.option("--chains", type=int, help="Chains to draw from each annotation of a sentence.")
@click.option("--models", callback=_numbers, help="Mean numbers of edits of the corpora, e.g. 0,1,2,4,8.")
@click.option("--keep-unchanged", is_flag=True, help="Keep sentences that some annotator leaves unchanged.")
@missing_annotator_option("absent")
@language_option
@edits_option(None)
@click.option("--by-type", is_flag=True, help="Also print how each type of edit changes the scores.")
@click.option(
    "--plot",
    "plots",
    type=(click.Choice(PLOTS), PATH),
    multiple=True,
    help="Save a chart: types of edits (prints their table too), corpora by number of edits, originals by number of "
    "errors, the lattice of the first sentence with 3 edits or more, or (with --human) MAEGE next to people.",
)
@seed_option
@click.option("--human", type=INPUT, help="What `gecval human ... --format json` wrote, for --plot human.")
@uses("plot_size")
@run_options(chunks="replicates")
@output_options()
def command(
    gold: Path, references: tuple[Path, ...], metrics: tuple[Metric, ...], preset: str, replicates: int,
    source: str | None, ties: str | None, chains: int | None, models: tuple[float, ...] | None, keep_unchanged: bool,
    missing: Missing, language: str | None, edits: str | None, by_type: bool, plots: tuple[tuple[str, Path], ...],
    seed: int, human: Path | None, checkpoint: Path | None, run: Run, output: Output,
) -> None:  # fmt: skip
    """Validate metrics without human rankings.

    The edits of GOLD make corrections whose order of quality is known: the more edits are applied, the better. A metric
    is good if its scores rise with them.
    """
    kinds = [kind for kind, _ in plots]
    if "human" not in kinds:
        note_idle(["human"], "without --plot human")
    elif human is None:
        raise InputError("--plot human needs --human FILE: what `gecval human ... --format json` wrote")
    if replicates < 2:
        note_idle(["compact"], "without --replicates 2 or more: there are no intervals")
    check_plots([path for _, path in plots])
    people = read_human_correlations(human) if human else None
    corpus = load_corpus(None, [gold], missing=missing, language=language)
    note_corpus([gold], len(corpus))
    others = load_corpus(corpus, references, missing=missing)
    note_idle_judging(None, metrics)
    dropped = False if keep_unchanged else None
    settings = MaegeSettings.preset(
        preset, source=source, ties=ties, chains=chains, models=models, drop_unchanged=dropped
    )
    with show_progress(run, "replicates") as run:
        study = maege(
            corpus,
            others,
            metrics,
            settings=settings,
            replicates=replicates,
            seed=seed,
            by_type=by_type or "types" in kinds,
            edits=edits,
            checkpoint=checkpoint,
            run=run,
        )
    for kind, path in plots:
        chart = maege_chart(kind, study, people, find_proper_names(metrics))
        save_plot(chart, path, size=chosen("plot_size"), about=describe_corpus())
    output.show(study)


# How metrics correlate with people, read from the JSON that ``gecval human`` writes.


def read_human_correlations(path: Path) -> dict[str, float]:
    """Spearman's ρ of each metric that has one, under the first ranking in the file."""
    try:
        listed = parse_json("\n".join(read_lines(path)))["correlations"]
        by_metric = {item["metric"]: item["spearman"]["value"] for item in reversed(listed)}
        correlations = {str(metric): float(value) for metric, value in by_metric.items() if value is not None}
        if not all(-1 <= value <= 1 for value in correlations.values()):
            raise ValueError("no correlation")
        return correlations
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{path} is not what `gecval human --format json` writes with metrics; run that first", parameter="human"
        ) from None
