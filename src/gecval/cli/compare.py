"""gecval compare: is B better than A?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.options import corpus_options, metric_options, resampling_options
from gecval.cli.output import PATH, output_options, show
from gecval.cli.progress import progress_bar
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.metrics.evaluation import Aggregate
from gecval.stats import Resampling
from gecval.studies.scores.comparison import compare

EXAMPLES = """\b
Examples:
  gecval compare old.txt new.txt -r gold.m2 -m m2
  gecval compare AMU CAMB CUUI -s src.txt -r ref0.txt -r ref1.txt -m gleu -m sari --resamples 10000
"""


@click.command("compare", epilog=EXAMPLES)
@click.argument("systems", type=PATH, nargs=-1, required=True, metavar="A B...")
@corpus_options
@metric_options
@resampling_options
@output_options
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    metrics: tuple[Metric, ...],
    aggregate: Aggregate,
    edits: str | None,
    jobs: int | None,
    resampling: Resampling,
    style: str,
    output: Path | None,
) -> None:
    """Test B (and more) against baseline A by paired bootstrap and approximate randomisation."""
    baseline, *others = load_systems(systems, corpus)
    if not others:
        raise InputError("compare needs two systems or more: the baseline first, then those to test against it")
    with progress_bar("scoring") as progress:
        comparisons = compare(
            corpus,
            baseline,
            others,
            metrics,
            aggregate=aggregate,
            resampling=resampling,
            extractor=edits,
            jobs=jobs,
            progress=progress,
        )
    show(comparisons, style, output)
