"""gecval coverage: how many references are enough?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.options import (
    distinct_metrics,
    edits_option,
    missing_annotator_option,
    model_options,
    resampling_options,
)
from gecval.cli.output import PATH, output_options, print_notes, print_tables
from gecval.cli.progress import progress_bar
from gecval.edits.annotate import extractor
from gecval.errors import InputError
from gecval.formats import Missing, load_corpus, load_systems
from gecval.formats.corrections import is_histogram, read_corrections
from gecval.metrics import Metric
from gecval.report.coverage.tables import (
    as_scores,
    coverage_table,
    curve_chart,
    people_chart,
    people_table,
    reference_table,
    threshold_table,
    true_score_table,
)
from gecval.report.plots import check_plot_path, save_plot
from gecval.stats import Resampling
from gecval.studies.coverage.annotators import against_people
from gecval.studies.coverage.perfect_system import PerfectScore, Simulation, perfect_scores
from gecval.studies.coverage.true_score import reference_coverage, true_scores
from gecval.studies.coverage.variants import (
    UNITS,
    Unit,
    coverage_curve,
    estimate,
    published_histogram,
    thresholds,
    without_unchanged,
)

EXAMPLES = """\b
Examples:
  gecval coverage crowd.tsv                      corrections of a few sentences by many people
  gecval coverage crowd.tsv -m m2 -m gleu --references 10 --plot curves.svg
  gecval coverage histograms/*_exact_output_hist.txt
  gecval coverage out/AMU out/CAMB -r gold.m2    what your own references hide from your systems
"""


@click.command("coverage", epilog=EXAMPLES)
@click.argument("files", type=PATH, nargs=-1, metavar="CORRECTIONS|SYSTEM...")
@click.option("-s", "--source", type=PATH, help="Source sentences, where your references are plain text.")
@click.option("-r", "--reference", "references", type=PATH, multiple=True, help="Your own references; repeat for more.")
@missing_annotator_option("absent")
@click.option(
    "-m",
    "--metric",
    "metrics",
    metavar="METRIC",
    multiple=True,
    callback=distinct_metrics,
    help="Also a perfect system's score, or with -r that of people, under this metric. Repeat for more.",
)
@click.option(
    "--unit", type=click.Choice(UNITS), default="exact", show_default=True, help="What makes two corrections one."
)
@click.option("--references", "most", type=click.IntRange(1, 1000), default=20, show_default=True, help="Largest M.")
@click.option(
    "--sentences", type=click.IntRange(1), default=1312, show_default=True, help="N of the simulated test set."
)
@click.option(
    "--correct", type=click.IntRange(0), default=136, show_default=True, help="Those that need no correction."
)
@click.option("--once", is_flag=True, help="Draw each person's correction once at most: no chance matches.")
@click.option("--drop-unchanged", type=click.IntRange(1), help="Leave out sentences that so many people left alone.")
@click.option("--alpha", type=click.FloatRange(0), default=0.0, show_default=True, help="Price of a wrong correction.")
@click.option("--confidence", is_flag=True, help="With -r and -m: intervals for systems and people.")
@click.option(
    "--plot", type=PATH, help="Save the curves, or systems beside people, as .svg, .png, .pdf, .html or .json."
)
@edits_option("errant")
@model_options
@resampling_options
@output_options
def command(
    files: tuple[Path, ...],
    source: Path | None,
    references: tuple[Path, ...],
    missing: Missing,
    metrics: tuple[Metric, ...],
    unit: Unit,
    most: int,
    sentences: int,
    correct: int,
    once: bool,
    drop_unchanged: int | None,
    alpha: float,
    confidence: bool,
    plot: Path | None,
    edits: str,
    resampling: Resampling,
    style: str,
    output: Path | None,
) -> None:
    """Say how much of a system's quality M references hide.

    CORRECTIONS is a table with the columns source and correction, many corrections a sentence, or histograms of them.
    With -r the references are your own, and the files are outputs of your systems.
    """
    if plot:
        check_plot_path(plot)
    if references or source:
        if plot and len(metrics) != 1:
            raise InputError("with -r, --plot draws systems beside people under one metric: give one with -m")
        if metrics and not files:
            raise InputError("with -r, -m sets systems beside people: give the systems' outputs")
        corpus = load_corpus(source, references, missing=missing)
        systems = load_systems(files, corpus)
        tables = [reference_table(reference_coverage(corpus), alpha=alpha)]
        if systems:
            tables.append(true_score_table(true_scores(corpus, systems, resampling=resampling)))
        if metrics:
            with progress_bar("scoring people") as progress:
                intervals = resampling if confidence else None
                people = against_people(
                    corpus, systems, metrics, resampling=intervals, extractor=extractor(edits), progress=progress
                )
            tables.append(people_table(people))
            if plot:
                save_plot(people_chart(people), plot)
        print_tables(tables, style, output)
        print_notes(corpus.notes)
        return
    if not files:
        raise InputError("give a table of corrections, or your own references with -r")
    if is_histogram(files[0]):
        if metrics:
            raise InputError("a histogram has no texts to score; give the table of corrections instead")
        histograms = [published_histogram(path) for path in files]
        tables, counts = [threshold_table(thresholds(histograms))], []
        scores: dict[str, list[PerfectScore]] = {}
    else:
        corrections = [one for path in files for one in read_corrections(path)]
        if drop_unchanged:
            corrections = without_unchanged(corrections, drop_unchanged)
        with progress_bar("estimating") as progress:
            estimates = estimate(corrections, unit=unit, progress=progress)
        histograms, counts = [one.histogram for one in estimates], [one.counts for one in estimates]
        tables = [threshold_table(thresholds(histograms), estimates)]
        scores = {}
        if metrics:
            simulation = Simulation(corrections, sentences, correct, most, replacement=not once, seed=resampling.seed)
            scores = _scores(simulation, metrics, most, resampling)
    curve = coverage_curve(histograms, most, counts=counts, resampling=resampling)
    if plot:
        save_plot(curve_chart({"accuracy": as_scores(curve), **scores}, title="A perfect system's scores"), plot)
    print_tables([*tables, coverage_table(curve, scores)], style, output)


def _scores(
    simulation: Simulation, metrics: tuple[Metric, ...], most: int, resampling: Resampling
) -> dict[str, list[PerfectScore]]:
    found = {}
    for one in metrics:
        with progress_bar(repr(one)) as progress:
            found[repr(one)] = perfect_scores(
                simulation, one, range(1, most + 1), resampling=resampling, progress=progress
            )
    return found
