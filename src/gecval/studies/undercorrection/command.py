"""gecval coverage undercorrection: do systems correct less than people do?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.common import MODELS
from gecval.cli.effects import note_idle, note_idle_judging
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import corpus_options, edits_option, run_options, seed_option
from gecval.cli.output import Output, output_options, plot_option
from gecval.cli.progress_option import show_progress
from gecval.corpus import Corpus
from gecval.formats import load_systems
from gecval.metrics import Metric, metric
from gecval.runtime.run import Run
from gecval.studies.undercorrection.charts import changes_chart, reranking_chart
from gecval.studies.undercorrection.reranking import MOST_REPETITIONS, rerank
from gecval.studies.undercorrection.study import undercorrection

EXAMPLES = """\b
Examples:
  gecval coverage undercorrection out/ -r gold.m2                 word changes, word order, splits and joins
  gecval coverage undercorrection out/ -r gold.m2 --types en_core_web_sm
  gecval coverage undercorrection best1 best2 best3 -s src -r ref0 -r ref1 --rerank max-sari --plot growth.png
"""


@click.command("undercorrection", cls=Command, epilog=EXAMPLES)
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="SYSTEM...")
@corpus_options
@click.option(
    "--annotator", type=click.IntRange(0), default=0, show_default=True, help="Whose reference to compare with."
)
@click.option("--types", metavar="MODEL", help="Also count edits by type: ERRANT with this spaCy model, or 'plain'.")
@click.option(
    "--rerank",
    "oracle",
    metavar="METRIC",
    callback=lambda ctx, param, spelling: metric(spelling) if spelling else None,
    help="Take the outputs as a k-best list. An oracle chooses from it by this metric, with more and more references.",
)
@click.option(
    "--repetitions",
    type=click.IntRange(1, MOST_REPETITIONS),
    default=10,
    show_default=True,
    help="With --rerank: how often references are drawn.",
)
@seed_option
@plot_option("the figure")
@edits_option(None)
@run_options(jobs=False)
@output_options(intervals=False)
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    annotator: int,
    types: str | None,
    oracle: Metric | None,
    repetitions: int,
    seed: int,
    edits: str | None,
    run: Run,
    output: Output,
) -> None:
    """Compare how much systems and references change: words, their order, ends of sentences, types of errors."""
    if oracle:
        note_idle(["annotator", "types"], "with --rerank")
        note_idle_judging(corpus, [oracle])
        candidates = load_systems(systems, corpus)
        with show_progress(run, "re-ranking") as run:
            choices = rerank(corpus, candidates, oracle, repetitions=repetitions, seed=seed, edits=edits, run=run)
        output.show(choices, chart=reranking_chart)
        return
    note_idle(["repetitions", "seed", "edits", *MODELS], "without --rerank")
    if types is None:
        note_idle(["language"], "without --types or --rerank")
    with show_progress(run, "comparing words") as run:
        result = undercorrection(corpus, load_systems(systems, corpus), annotator=annotator, types=types, run=run)
    output.show(result, chart=changes_chart)
