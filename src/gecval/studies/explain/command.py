"""gecval explain: what does each edit add to a score?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.effects import note_idle
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.languages import choose_default_metrics, for_language
from gecval.cli.options import (
    USUAL,
    corpus_options,
    edits_option,
    is_lenient,
    metric_option,
    realign_option,
    run_options,
    seed_option,
)
from gecval.cli.output import EXACT, Output, output_options
from gecval.cli.progress_option import show_progress
from gecval.corpus import Corpus
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.runtime.run import Run
from gecval.stats.attribution import METHODS, Method
from gecval.studies.explain.study import explain

EXAMPLES = """\b
Examples:
  gecval explain mine.txt -r gold.m2 -m m2
  gecval explain mine.txt -s src.txt -r ref0.txt -m gleu -m errant --sentence 3 --sentence 17
  gecval explain mine.txt -s src.txt -m scribendi --method leave-one-out --format jsonl -o edits.jsonl
  gecval explain 'm2|beta:0.5|…|gecval:0.1.0' 0.3501 mine.txt -r gold.m2    is the number of a paper right?
"""


@click.command("explain", cls=Command, everyday="--method", epilog=EXAMPLES)
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="SYSTEM...")
@corpus_options
@realign_option
@metric_option(USUAL)
@click.option(
    "--method", type=click.Choice(METHODS), default="shapley", show_default=True, help="How to share the gain."
)
@click.option("--sentence", "sentences", type=int, multiple=True, help="Explain this sentence only (from 1). Repeat.")
@click.option("--top", type=click.IntRange(min=1), default=20, show_default=True, help="How many edits to show.")
@click.option(
    "--exact", type=int, default=10, show_default=True, help="Most edits of a sentence whose Shapley value is exact."
)
@click.option(
    "--orders", type=int, default=200, show_default=True, help="Random orders of the edits, if there are more."
)
@seed_option
@edits_option(None)
@run_options()
@output_options()
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    realign: bool,
    metrics: tuple[Metric, ...],
    method: Method,
    sentences: tuple[int, ...],
    top: int,
    exact: int,
    orders: int,
    seed: int,
    edits: str | None,
    run: Run,
    output: Output,
) -> None:
    """Share a sentence's gain over its source among the edits that were made."""
    if method != "shapley":
        note_idle(["exact", "orders", "seed"], f"with --method {method}")
    if output.style in EXACT or sentences:
        note_idle(["top"], "with --sentence" if sentences else f"with --format {output.style}, which has all edits")
    with show_progress(run, "explaining") as run:
        explanation = explain(
            corpus,
            load_systems(systems, corpus, realign=realign, lenient=is_lenient()),
            for_language(metrics or choose_default_metrics(corpus, only_first=True), corpus),
            method=method,
            sentences=sentences or None,
            exact=exact,
            orders=orders,
            seed=seed,
            edits=edits,
            run=run,
        )
    output.show(explanation, top=None if sentences else top)
