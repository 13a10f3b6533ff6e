"""gecval coverage: how many references are enough?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.common import MODELS
from gecval.cli.effects import CHUNKS, note_idle, note_idle_judging, note_idle_missing
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT, note_corpus
from gecval.cli.options import (
    distinct_metrics,
    edits_option,
    language_option,
    missing_annotator_option,
    resampling_options,
    run_options,
    tokenize_option,
)
from gecval.cli.output import Output, output_options, plot_option
from gecval.cli.progress_option import show_progress
from gecval.errors import InputError, shorten
from gecval.formats import Missing, load_corpus, load_systems
from gecval.formats.corrections import Corrections
from gecval.metrics import Metric
from gecval.metrics.base import find_proper_names
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.stats.unseen_corrections import Histogram
from gecval.studies.coverage.charts import crowd_chart, people_chart
from gecval.studies.coverage.crowd import MOST_REFERENCES, crowd_coverage, load_crowd
from gecval.studies.coverage.own_references import reference_coverage
from gecval.studies.coverage.perfect_system import MOST_SENTENCES
from gecval.studies.coverage.result import UNITS, Unit
from gecval.studies.coverage.validity import load_judgements

EXAMPLES = """\b
Examples:
  gecval coverage crowd.tsv                      corrections of a few sentences by many people
  gecval coverage crowd.tsv -m m2 -m gleu --references 10 --plot curves.svg
  gecval coverage histograms/*_exact_output_hist.txt
  gecval coverage out/AMU out/CAMB -r gold.m2    what your own references hide from your systems
"""

TEST_SET_OPTIONS = ("sentences", "correct", "replacement")  # parameters of the test set for a perfect system
CROWD_OPTIONS = ("unit", "keep_rejected", "validity", "drop_unchanged", *TEST_SET_OPTIONS)
REFERENCE_OPTIONS = ("missing", "language", "tokenize", "alpha", "confidence", "edits")


@click.command("coverage", cls=Command, epilog=EXAMPLES)
@click.argument("files", type=INPUT, nargs=-1, metavar="CORRECTIONS|SYSTEM...")
@click.option("-s", "--source", type=INPUT, help="Source sentences, where your references are plain text.")
@click.option(
    "-r", "--reference", "references", type=INPUT, multiple=True, help="Your own references; repeat for more."
)
@missing_annotator_option("absent")
@language_option
@tokenize_option
@click.option(
    "-m",
    "--metric",
    "metrics",
    metavar="METRIC",
    multiple=True,
    callback=distinct_metrics,
    help="Also score a perfect system under this metric; with -r, score systems and people. Repeat for more.",
)
@click.option(
    "--unit",
    type=click.Choice(UNITS),
    default="exact",
    show_default=True,
    help="When two corrections are equal. exact: the same words, whatever their case and punctuation; cased: the same "
    "words and case; text: the same characters; index: they change the same source words.",
)
@click.option(
    "--references",
    "most_references",
    type=click.IntRange(1, MOST_REFERENCES),
    default=20,
    show_default=True,
    help="The largest number of references, M.",
)
@click.option(
    "--sentences",
    type=click.IntRange(2, MOST_SENTENCES),
    default=1312,
    show_default=True,
    help="Sentences of the simulated test set, with -m.",
)
@click.option(
    "--correct", type=click.IntRange(0), default=136, show_default=True, help="Those of them that need no correction."
)
@click.option(
    "--once",
    "replacement",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Draw each person's correction once at most, so that no system meets its own output as a reference.",
)
@click.option("--keep-rejected", is_flag=True, help="Also use rows whose status is Rejected.")
@click.option(
    "--validity",
    type=INPUT,
    metavar="JUDGMENTS",
    help="Also say whether rare corrections are valid: a table with the columns source, correction and answer.",
)
@click.option(
    "--drop-unchanged", type=click.IntRange(1), help="Leave out sentences that so many people left unchanged."
)
@click.option("--alpha", type=click.FloatRange(0), default=0.0, show_default=True, help="Price of a wrong correction.")
@click.option("--ci", "confidence", is_flag=True, help="With -r and -m: intervals for systems and people.")
@plot_option("the curves, or with -r systems and people")
@edits_option(None)
@resampling_options()
@run_options(jobs=False, chunks="chunks")
@output_options()
def command(
    files: tuple[Path, ...],
    source: Path | None,
    references: tuple[Path, ...],
    missing: Missing,
    language: str | None,
    tokenize: str | None,
    metrics: tuple[Metric, ...],
    unit: Unit,
    most_references: int,
    sentences: int,
    correct: int,
    replacement: bool,
    keep_rejected: bool,
    validity: Path | None,
    drop_unchanged: int | None,
    alpha: float,
    confidence: bool,
    edits: str | None,
    resampling: Resampling,
    checkpoint: Path | None,
    run: Run,
    output: Output,
) -> None:
    """Say how much of a system's quality M references hide.

    CORRECTIONS is a table with the columns source and correction, with many corrections of each sentence; or
    histograms of them. With -r the references are your own, and the files are the outputs of your systems.
    """
    if references or source:
        _check_references(files, metrics, output)
        note_idle_missing(references)
        corpus = load_corpus(source, references, missing=missing, language=language, tokenize=tokenize)
        note_corpus(references, len(corpus))
        note_idle_judging(corpus, metrics)
        with show_progress(run, "comparing references") as run:
            covered = reference_coverage(
                corpus,
                load_systems(files, corpus),
                metrics,
                alpha=alpha,
                score_intervals=confidence,
                confidence=resampling,
                edits=edits,
                checkpoint=checkpoint,
                run=run,
            )
        output.show(covered, chart=lambda result: people_chart(result, find_proper_names(metrics)))
        return
    if not files:
        raise InputError("give a table of corrections, or your own references with -r")
    if gold := [path for path in files if path.suffix == ".m2"]:
        raise InputError(f"references go behind -r: gecval coverage OUT -r {shorten(gold[0])}")
    crowd = load_crowd(files)
    _check_crowd(crowd, metrics)
    if not metrics and resampling.method_for(len(crowd)) == "studentised":
        note_idle(["resamples", "seed"], "with so few sentences: studentised intervals take no resamples")
    crowd = load_crowd(files, keep_rejected=True) if keep_rejected else crowd
    judgements = load_judgements(validity) if validity else ()
    with show_progress(run, "estimating") as run:
        result = crowd_coverage(
            crowd,
            metrics,
            most_references=most_references,
            unit=unit,
            judgements=judgements,
            drop_unchanged=drop_unchanged,
            sentences=sentences,
            correct=correct,
            replacement=replacement,
            confidence=resampling,
            checkpoint=checkpoint,
            run=run,
        )
    output.show(result, chart=lambda result: crowd_chart(result, find_proper_names(metrics)))


def _check_references(files: tuple[Path, ...], metrics: tuple[Metric, ...], output: Output) -> None:
    """Say all at once what is missing next to -r, and refuse what does nothing there."""
    wanted = [] if files else ["the systems' outputs"]
    wanted += [] if metrics else ["a metric with -m"]
    if wanted and (metrics or output.plot):
        raise InputError(f"{'-m' if metrics else '--plot'} compares systems with people: give {' and '.join(wanted)}")
    note_idle([*CROWD_OPTIONS, "most_references"], "with -r")
    if not metrics:
        note_idle(["confidence", "edits", "language", "tokenize", *MODELS], "with -r but without -m")
    if not files:
        note_idle([*CHUNKS, "interval_method"], "without the outputs of systems")


def _check_crowd(crowd: list[Corrections] | list[Histogram], metrics: tuple[Metric, ...]) -> None:
    note_idle(REFERENCE_OPTIONS, "without -r")
    if isinstance(crowd[0], Histogram):
        if metrics:
            raise InputError("a histogram has no texts to score; give the table of corrections instead")
        note_idle([*CROWD_OPTIONS, *CHUNKS], "for histograms")
    elif not any(sentence.rejected for sentence in crowd if isinstance(sentence, Corrections)):
        note_idle(["keep_rejected"], "where no row has the status Rejected")
    if not metrics:
        note_idle([*TEST_SET_OPTIONS, *MODELS], "without -m")
