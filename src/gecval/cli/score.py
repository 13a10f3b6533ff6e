"""gecval score: how good is it?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.options import corpus_options, metric_options, resampling_options
from gecval.cli.output import PATH, output_options, show
from gecval.cli.progress import progress_bar
from gecval.corpus import Corpus
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.metrics.errant_types import DETAILS, Detail
from gecval.metrics.evaluation import Aggregate
from gecval.result import Result
from gecval.stats import Resampling
from gecval.studies.scores.by_type import score_by_type
from gecval.studies.scores.scoring import score

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
    edits: str | None,
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
        with progress_bar("scoring") as progress:
            result: Result = score_by_type(corpus, loaded, metrics, detail=detail, jobs=jobs, progress=progress)
    else:
        with progress_bar("scoring") as progress:
            result = score(
                corpus,
                loaded,
                metrics,
                aggregate=aggregate,
                resampling=resampling if confidence else None,
                sentences=sentences,
                extractor=edits,
                jobs=jobs,
                progress=progress,
            )
    show(result, style, output)
