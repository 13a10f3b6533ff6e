"""gecval score: how good is it?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.options import (
    PATH,
    corpus_options,
    emit,
    metric_options,
    output_options,
    print_notes,
    print_table,
    resampling_options,
)
from gecval.cli.progress import progress_bar
from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.edits.annotate import extractor
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.metrics.errant import Errant
from gecval.metrics.errant_types import DETAILS, Detail, scores_by_type
from gecval.metrics.evaluation import Aggregate
from gecval.metrics.grammaticality import Grammaticality
from gecval.report import Table, long_table, score_table, scores_json, sentence_table
from gecval.report.scores import category_table, type_score_table
from gecval.stats import Resampling
from gecval.studies import score
from gecval.studies.preparation import prepare

EXAMPLES = """\b
Examples:
  gecval score out/AMU out/CAMB -r gold.m2 -m m2
  gecval score out/ -s src.txt -r ref0.txt -r ref1.txt -m gleu -m sari --confidence
  gecval score out/ -s src.txt -r ref0.txt -m m2 -m errant
  gecval score mine.txt -r gold.m2 -m 'm2(beta=1.0)' -m my_metrics:novelty --format json --sentences
  gecval score out/ -s src.txt -m lt -m scribendi --device cuda --batch-size 256
"""


@click.command("score", epilog=EXAMPLES)
@click.argument("systems", type=PATH, nargs=-1, required=True, metavar="SYSTEM...")
@corpus_options
@metric_options
@click.option("--confidence", is_flag=True, help="Give every score a bootstrap confidence interval.")
@click.option("--sentences", is_flag=True, help="Give the score of every sentence (in JSON: besides the others).")
@click.option(
    "--by-type", is_flag=True, help="Scores of -m errant for every type of error; for -m lt, errors by category."
)
@click.option("--detail", type=click.Choice(DETAILS), default="category", show_default=True, help="How fine types are.")
@resampling_options
@output_options
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    metrics: tuple[Metric, ...],
    aggregate: Aggregate,
    edits: str,
    jobs: int | None,
    confidence: bool,
    sentences: bool,
    by_type: bool,
    detail: Detail,
    resampling: Resampling,
    style: str,
    output: Path | None,
) -> None:
    """Score system outputs: text files with one sentence a line, or folders of them."""
    loaded = load_systems(systems, corpus)
    if by_type:
        print_table(_by_type(corpus, loaded, metrics, detail, jobs), style, output)
        return
    with progress_bar("scoring") as progress:
        scores = score(
            corpus,
            loaded,
            metrics,
            aggregate=aggregate,
            resampling=resampling if confidence else None,
            sentences=sentences,
            extractor=extractor(edits),
            jobs=jobs,
            progress=progress,
        )
    if style == "json":
        emit(scores_json(scores), output)
    elif sentences:
        print_table(sentence_table(scores), style, output)
    else:
        print_table(long_table(scores) if style == "tsv" else score_table(scores), style, output)
    print_notes(note for one in scores for note in one.notes)


def _by_type(
    corpus: Corpus, systems: list[System], metrics: tuple[Metric, ...], detail: Detail, jobs: int | None
) -> Table:
    metric, workers = metrics[0], jobs or cores()
    if len(metrics) == 1 and isinstance(metric, Grammaticality):
        with progress_bar("checking grammar") as progress:
            metric.prepare(corpus, systems, jobs=workers, progress=progress)
        return category_table({one.name: metric.errors_by_category(one) for one in systems})
    if len(metrics) != 1 or not isinstance(metric, Errant):
        raise InputError("--by-type goes with -m errant or -m lt, and no other metric")
    with progress_bar("finding edits") as progress:
        [prepared] = prepare(corpus, systems, metrics, jobs=workers, progress=progress)
    return type_score_table({one.name: scores_by_type(metric, prepared, one, detail) for one in systems})
