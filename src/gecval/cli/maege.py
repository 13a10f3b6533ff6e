"""gecval maege: does a metric agree with corrections whose order is known?"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gecval.cli.options import edits_option, metric_option, missing_annotator_option, model_options
from gecval.cli.output import PATH, output_options, print_notes, print_tables
from gecval.cli.progress import progress_bar
from gecval.corpus import Corpus
from gecval.edits.annotate import extractor
from gecval.errors import InputError
from gecval.formats import Missing, load_corpus
from gecval.formats.files import read_lines
from gecval.metrics import Metric
from gecval.report.maege.charts import (
    corpus_chart,
    human_chart,
    lattice_chart,
    originals_chart,
    type_heat_map,
)
from gecval.report.maege.tables import difference_table, maege_table, type_table
from gecval.report.plots import check_plot_path, save_plot
from gecval.studies.maege import PRESETS, Maege, maege
from gecval.studies.maege.sampling import lattices

if TYPE_CHECKING:
    from altair import TopLevelMixin

EXAMPLES = """\b
Examples:
  gecval maege gold.m2 -r ref1.txt -r ref2.txt -m gleu -m sari --replicates 20
  gecval maege gold.m2 -r other.m2 -m m2 --edits plain --source original
  gecval maege gold.m2 -r refs.m2 -m gleu -m my_metrics:novelty --by-type --replicates 100 --checkpoint run.jsonl
"""

PLOTS = ("types", "corpora", "originals", "lattice", "human")


@click.command("maege", epilog=EXAMPLES)
@click.argument("gold", type=PATH, metavar="GOLD.m2")
@click.option(
    "-r",
    "--reference",
    "references",
    type=PATH,
    multiple=True,
    required=True,
    help="References for the metrics: other annotators than those of GOLD. Repeat for more.",
)
@metric_option
@click.option(
    "--preset",
    type=click.Choice(list(PRESETS)),
    default="default",
    show_default=True,
    help="How to sample and judge: soundest, as the paper prints it, as its code did it.",
)
@click.option(
    "--replicates",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Samples to draw; intervals and comparisons need several.",
)
@click.option("--source", type=click.Choice(["random", "original"]), help="What metrics get as source.")
@click.option(
    "--ties", type=click.Choice(["half", "concordant", "discordant"]), help="What a tie of the metric counts as."
)
@click.option("--chains", type=click.IntRange(min=1), help="Chains per sentence and annotation.")
@click.option("--models", help="Mean numbers of edits of the corpora, e.g. 0,1,2,4,8.")
@click.option("--keep-unchanged", is_flag=True, help="Keep sentences that some annotator leaves unchanged.")
@missing_annotator_option("absent")
@edits_option(None)
@click.option("--by-type", is_flag=True, help="Also print how each type of edit changes the scores.")
@click.option(
    "--plot",
    "plots",
    type=(click.Choice(PLOTS), PATH),
    multiple=True,
    help="Save a chart: types of edits, corpora by number of edits, originals by number of errors, the lattice of the "
    "first sentence with 3 edits or more, or (with --human) MAEGE against people.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--human", type=PATH, help="What `gecval human ... --format json` wrote, for --plot human.")
@click.option("--checkpoint", type=PATH, help="Keep finished replicates here, and go on from them.")
@click.option("--jobs", type=click.IntRange(min=1, max=1024), help="Threads; default: all cores.")
@model_options
@output_options
def command(
    gold: Path, references: tuple[Path, ...], metrics: tuple[Metric, ...], preset: str, replicates: int,
    source: str | None, ties: str | None, chains: int | None, models: str | None, keep_unchanged: bool,
    missing: Missing, edits: str | None, by_type: bool, plots: tuple[tuple[str, Path], ...], seed: int,
    human: Path | None, checkpoint: Path | None, jobs: int | None, style: str, output: Path | None,
) -> None:  # fmt: skip
    """Validate metrics on lattices of corrections built from the edits of GOLD, without human rankings."""
    for _, path in plots:
        check_plot_path(path)
    corpus = load_corpus(None, [gold], missing=missing)
    referenced = load_corpus(corpus, references, missing=missing)
    changes: dict[str, Any] = {"source": source, "ties": ties, "chains": chains}
    settings = replace(PRESETS[preset], **{name: value for name, value in changes.items() if value is not None})
    if models is not None:
        settings = replace(settings, models=_models(models))
    if keep_unchanged:
        settings = replace(settings, drop_unchanged=False)
    with progress_bar("replicates") as progress:
        study = maege(
            corpus, referenced, metrics, settings=settings, replicates=replicates, seed=seed, checkpoint=checkpoint,
            extractor=extractor(edits) if edits else None, jobs=jobs, progress=progress,
        )  # fmt: skip
    for kind, path in plots:
        save_plot(_chart(kind, study, corpus, human), path)
    tables = [maege_table(study)]
    if replicates > 1 and len(metrics) > 1:
        tables.append(difference_table(study))
    if by_type:
        tables.append(type_table(study))
    print_tables(tables, style, output)
    print_notes([*corpus.notes, *referenced.notes])


def _chart(kind: str, study: Maege, gold: Corpus, human: Path | None) -> TopLevelMixin:
    if kind == "lattice":
        found = [one for of in lattices(gold, study.settings).values() for one in of if len(one.edits) >= 3]
        if not found:
            raise InputError("no annotation has three edits, so that there is no lattice worth drawing")
        return lattice_chart(found[0])
    if kind == "human":
        if human is None:
            raise InputError("--plot human needs --human: the JSON that `gecval human` writes for the same metrics")
        return human_chart(study, _human_correlations(human))
    return {"types": type_heat_map, "corpora": corpus_chart, "originals": originals_chart}[kind](study)


def _human_correlations(path: Path) -> dict[str, float]:
    """Spearman's ρ of each metric that has one, from the first ranking in the file."""
    try:
        listed = json.loads("\n".join(read_lines(path)))["correlations"]
        found = {one["metric"]: one["spearman"]["value"] for one in reversed(listed)}
        return {metric: float(value) for metric, value in found.items() if value is not None}
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is not what `gecval human --format json` writes with metrics: {error}") from None


def _models(text: str) -> tuple[float, ...]:
    try:
        models = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"--models takes numbers separated by commas, not {text!r}") from None
    if len(models) < 3:
        raise InputError(f"--models needs three numbers or more, not {len(models)}")
    return models
