"""gecval coverage true-precision: which "wrong" edits are valid?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import corpus_options, resampling_options, run_options
from gecval.cli.output import PATH, Output, output_options
from gecval.cli.progress_option import show_progress
from gecval.corpus import Corpus
from gecval.formats import load_systems
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.studies.true_precision.study import true_precision

EXAMPLES = """\b
Examples:
  gecval coverage true-precision out/AMU out/CAMB -r official-2014.combined.m2 --missing-annotator agreed
  gecval coverage true-precision out/ -s src.txt -r ref0.txt -r ref1.txt --beta 1
  gecval coverage true-precision out/ -r gold.m2 --judged my-edits.jsonl
"""


@click.command("true-precision", cls=Command, epilog=EXAMPLES)
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="SYSTEM...")
@corpus_options
@click.option(
    "--judged",
    type=PATH,
    help="Calibrate with these judged edits of the corpus (JSON lines). Default: what SEEDA's judgments give.",
)
@click.option("--beta", type=click.FloatRange(0, min_open=True), default=0.5, show_default=True, help="Of F.")
@resampling_options(method=False)
@run_options(models=False)
@output_options()
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    judged: Path | None,
    beta: float,
    resampling: Resampling,
    run: Run,
    output: Output,
) -> None:
    """Correct ERRANT's precision, recall and F for edits that are valid, though no reference has them."""
    loaded = load_systems(systems, corpus)
    with show_progress(run, "finding edits") as run:
        corrected = true_precision(corpus, loaded, judged=judged, beta=beta, confidence=resampling, run=run)
    output.show(corrected)
