"""gecval true-precision: which "wrong" edits are valid?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.inputs import INPUT
from gecval.cli.options import corpus_options
from gecval.cli.output import PATH, output_options, show
from gecval.cli.progress import progress_bar, quiet_option
from gecval.corpus import Corpus
from gecval.formats import load_systems
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.studies.true_precision.study import true_precision

EXAMPLES = """\b
Examples:
  gecval true-precision out/AMU out/CAMB -r official-2014.combined.m2 --missing-annotator agreed
  gecval true-precision out/ -s src.txt -r ref0.txt -r ref1.txt --beta 1
  gecval true-precision out/ -r gold.m2 --judged my-edits.jsonl
"""


@click.command("true-precision", epilog=EXAMPLES)
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="SYSTEM...")
@corpus_options
@click.option(
    "--judged",
    type=PATH,
    help="Calibrate with these judged edits of the corpus (JSON lines). Default: what SEEDA's judgments give.",
)
@click.option("--beta", type=click.FloatRange(0, min_open=True), default=0.5, show_default=True, help="Of F.")
@click.option("--jobs", type=click.IntRange(1, 4096), help="Threads; default: all cores.")
@click.option("--resamples", type=int, default=1000, show_default=True, help="Bootstrap resamples.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Confidence level.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the random numbers.")
@quiet_option
@output_options
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    judged: Path | None,
    beta: float,
    jobs: int | None,
    resamples: int,
    level: float,
    seed: int,
    style: str,
    output: Path | None,
) -> None:
    """Correct ERRANT's precision, recall and F for edits that are valid, though no reference has them."""
    resampling = Resampling(resamples, level=level, method="percentile", seed=seed)
    loaded = load_systems(systems, corpus)
    with progress_bar("finding edits") as progress:
        corrected = true_precision(
            corpus, loaded, judged=judged, beta=beta, resampling=resampling, run=Run(jobs=jobs, progress=progress)
        )
    show(corrected, style, output)
