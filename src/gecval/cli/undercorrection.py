"""gecval undercorrection: do systems correct less than people do?"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from gecval.cli.options import corpus_options, edits_option, model_options
from gecval.cli.output import PATH, output_options, print_tables
from gecval.cli.progress import progress_bar
from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.edits.annotate import Extractor, extractor
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.metrics import Metric, metric
from gecval.report import Table
from gecval.report.plots import check_plot_path, save_plot
from gecval.report.undercorrection.tables import (
    changes_chart,
    changes_table,
    reranking_chart,
    reranking_table,
    type_table,
)
from gecval.studies.undercorrection.changes import under_correction
from gecval.studies.undercorrection.error_types import type_ratios, typed_edits
from gecval.studies.undercorrection.reranking import rerank

EXAMPLES = """\b
Examples:
  gecval undercorrection out/ -r gold.m2                 word changes, word order, splits and joins
  gecval undercorrection out/ -r gold.m2 --types en_core_web_sm
  gecval undercorrection best1 best2 best3 -s src -r ref0 -r ref1 --rerank max-sari --plot growth.png
"""


@click.command("undercorrection", epilog=EXAMPLES)
@click.argument("systems", type=PATH, nargs=-1, required=True, metavar="SYSTEM...")
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
    help="Take the outputs for a k-best list, and let an oracle choose by this metric, for growing M.",
)
@click.option("--repetitions", type=click.IntRange(1), default=10, show_default=True, help="Draws of M references.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the random numbers.")
@click.option("--plot", type=PATH, help="Save the figure as .svg, .png, .pdf, .html or .json.")
@edits_option("errant")
@model_options
@output_options
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    annotator: int,
    types: str | None,
    oracle: Metric | None,
    repetitions: int,
    seed: int,
    plot: Path | None,
    edits: str,
    style: str,
    output: Path | None,
) -> None:
    """Compare how much systems and references change: words, their order, ends of sentences, types of errors."""
    if plot:
        check_plot_path(plot)
    loaded = load_systems(systems, corpus)
    if oracle:
        tables = [_reranked(corpus, loaded, oracle, repetitions, seed, extractor(edits), plot)]
    else:
        with progress_bar("comparing words") as progress:
            changes = under_correction(corpus, loaded, annotator=annotator, progress=progress)
        if plot:
            save_plot(changes_chart(changes), plot)
        tables = [changes_table(changes)]
    if types:
        with progress_bar("typing edits") as progress:
            typed = typed_edits(corpus, loaded, extractor(types), jobs=cores(), progress=progress)
        tables.append(type_table(type_ratios(*typed)))
    print_tables(tables, style, output)


def _reranked(
    corpus: Corpus,
    candidates: list[System],
    oracle: Metric,
    repetitions: int,
    seed: int,
    finder: Extractor,
    plot: Path | None,
) -> Table:
    if len(candidates) < 2:
        raise InputError("re-ranking needs a list: give two outputs or more for the same sentences")
    references = range(1, int(np.diff(corpus.reference_slots).min()) + 1)
    with progress_bar("re-ranking") as progress:
        results = rerank(
            corpus,
            candidates,
            oracle,
            references,
            repetitions=repetitions,
            seed=seed,
            extractor=finder,
            progress=progress,
        )
    if plot:
        if len(results) < 2:
            raise InputError("the plot compares M references with one, and there is one reference only")
        save_plot(reranking_chart(results), plot)
    return reranking_table(results, repr(oracle))
