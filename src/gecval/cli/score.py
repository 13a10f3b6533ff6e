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
from gecval.corpus import Corpus
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.metrics.evaluation import Aggregate
from gecval.report import long_table, score_table, scores_json, sentence_table
from gecval.stats import Resampling
from gecval.studies import score

EXAMPLES = """\b
Examples:
  gecval score out/AMU out/CAMB -r gold.m2 -m m2
  gecval score out/ -s src.txt -r ref0.txt -r ref1.txt -m gleu -m sari --confidence
  gecval score mine.txt -r gold.m2 -m 'm2(beta=1.0)' -m my_metrics:novelty --format json --sentences
"""


@click.command("score", epilog=EXAMPLES)
@click.argument("systems", type=PATH, nargs=-1, required=True, metavar="SYSTEM...")
@corpus_options
@metric_options
@click.option("--confidence", is_flag=True, help="Give every score a bootstrap confidence interval.")
@click.option("--sentences", is_flag=True, help="Give the score of every sentence (in JSON: besides the others).")
@resampling_options
@output_options
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    metrics: tuple[Metric, ...],
    aggregate: Aggregate,
    jobs: int | None,
    confidence: bool,
    sentences: bool,
    resampling: Resampling,
    style: str,
    output: Path | None,
) -> None:
    """Score system outputs: text files with one sentence a line, or folders of them."""
    scores = score(
        corpus,
        load_systems(systems, corpus),
        metrics,
        aggregate=aggregate,
        resampling=resampling if confidence else None,
        sentences=sentences,
        jobs=jobs,
    )
    if style == "json":
        emit(scores_json(scores), output)
    elif sentences:
        print_table(sentence_table(scores), style, output)
    else:
        print_table(long_table(scores) if style == "tsv" else score_table(scores), style, output)
    print_notes(note for one in scores for note in one.notes)
