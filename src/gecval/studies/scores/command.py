"""gecval score: how good is it?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gecval.cli.common import RESAMPLING
from gecval.cli.effects import note_idle, note_idle_judging
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import (
    corpus_options,
    is_lenient,
    preset_option,
    realign_option,
    resampling_options,
    scoring_options,
    table_option,
    unit_option,
)
from gecval.cli.output import EXACT, PATH, Output, output_options, plot_option
from gecval.cli.progress_option import show_progress
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.metrics.base import find_proper_names
from gecval.metrics.error_types import DETAILS, Detail
from gecval.metrics.evaluation import Aggregate
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.stats.ranking import Contest
from gecval.studies.compare.paper import paper_table
from gecval.studies.merge.command import parse_shard
from gecval.studies.pairs.command import takes_pairs
from gecval.studies.scores.by_type import score_by_type
from gecval.studies.scores.charts import score_chart
from gecval.studies.scores.passport import check_part, check_passport
from gecval.studies.scores.result import Scores
from gecval.studies.scores.sentences import score_sentences
from gecval.studies.scores.study import score

EXAMPLES = """\b
Examples:
  gecval score mine.txt -r gold.m2
  gecval score out/ -s src.txt -r ref0.txt -r ref1.txt -m gleu,sari --ci
  gecval score out/ -r gold.m2 -m m2,gleu --ci --percent --compact -o table.tex
  gecval score out/ -r gold.m2 --table paper -o table.tex
  gecval score out/ -r gold.m2 -m m2,gleu --clusters --plot scores.svg
  gecval score out/ -s src.txt -r ref0.txt -m errant --by-type --ci
  gecval score out/ -s src.txt -r ref0.txt -m green --aggregate expected-wins --ci
  gecval score mine.txt -r gold.m2 -m 'm2(beta=1.0)' -m my_metrics:novelty --format json --sentences
  gecval score out/ -s src.txt -m lt -m scribendi --device cuda --batch-size 256
  my-system < src.txt | gecval score - -s src.txt -r ref0.txt -m gleu
  gecval score hyp.m2 -r ref.m2 -m errant
  gecval score mine.md -s orig.md -r ref1.md -r ref2.md --preset multigec
  gecval score pairs.parquet -m gleu -m errant --statistics -o scored.parquet
"""


@click.command("score", cls=Command, epilog=EXAMPLES)
@takes_pairs
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="SYSTEM...")
@preset_option
@corpus_options
@realign_option
@scoring_options(contests=True)
@click.option("--ci", "confidence", is_flag=True, help="Give every score a bootstrap confidence interval.")
@click.option(
    "--clusters",
    is_flag=True,
    help="Give ranges of ranks, and clusters of systems that are not significantly different.",
)
@click.option("--sentences", is_flag=True, help="Give the score of every sentence (in JSONL with texts and edits).")
@click.option(
    "--by-type",
    is_flag=True,
    help="Scores of -m errant for every type of error; for -m m2, recall; for -m lt, errors by category.",
)
@click.option("--detail", type=click.Choice(DETAILS), default="category", show_default=True, help="How fine types are.")
@click.option(
    "--parts/--no-parts", default=None, help="Show precision, recall and the like; default: where there is one metric."
)
@click.option(
    "--passport", type=PATH, help="Write a file from which `explain verify` computes all again, without the data."
)
@click.option("--save", type=PATH, help="Write statistics for `files merge`: the corpus is a part of another.")
@click.option(
    "--shard",
    metavar="K/N",
    default="1/1",
    show_default=True,
    callback=parse_shard,
    help="Which part it is, e.g. 2/8: the second of eight, in the order of the whole corpus.",
)
@click.option("--totals", is_flag=True, help="Save sums and Poisson resamples only: for parts that are too large.")
@table_option
@resampling_options()
@unit_option()
@plot_option("the scores with their intervals")
@output_options()
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    realign: bool,
    metrics: tuple[Metric, ...],
    aggregate: Aggregate | Contest,
    edits: str | None,
    run: Run,
    confidence: bool,
    clusters: bool,
    sentences: bool,
    by_type: bool,
    detail: Detail,
    parts: bool | None,
    passport: Path | None,
    save: Path | None,
    shard: tuple[int, int],
    totals: bool,
    table: str | None,
    resampling: Resampling,
    output: Output,
) -> None:
    """Score system outputs: text files with one sentence a line, or folders of them; - is standard input.

    A .parquet, .jsonl or .tsv file of any size, with a source, a hypothesis and references in each row, is scored row
    by row: leave out -s and -r, and name the file for the rows with -o.
    """
    _note_idle_options(
        metrics,
        with_intervals=confidence or clusters or table is not None,
        totals=totals,
        sentences=sentences,
        by_type=by_type,
        style=output.style,
    )
    if table:
        note_idle(["by_type", "sentences", "clusters", "passport", "save", "parts"], "with --table paper")
        note_idle(["percent", "compact", "confidence"], "with --table paper, which is in percent, with ±")
    if clusters:
        note_idle(["confidence"], "with --clusters, which gives intervals too")
    if save is None:
        note_idle(["shard", "totals"], "without --save")
    note_idle_judging(corpus, metrics)
    drawn = resampling if confidence or clusters else None
    if save is not None:
        check_part(metrics, aggregate, shard=shard, resampled=drawn is not None, totals=totals)
    if passport is not None:
        check_passport(metrics, aggregate, drawn)
    loaded = load_systems(systems, corpus, realign=realign, lenient=is_lenient())
    if by_type:
        with show_progress(run, "scoring") as run:
            types = score_by_type(
                corpus,
                loaded,
                metrics,
                detail=detail,
                confidence=resampling if confidence else None,
                edits=edits,
                run=run,
            )
        output.show(types, parts=parts)
        return
    if output.style == "jsonl" and sentences:
        with show_progress(run, "scoring") as run:
            of_sentences = score_sentences(corpus, loaded, metrics, edits=edits, run=run)
        output.show(of_sentences)
        return
    if table:
        with show_progress(run, "scoring") as run:
            how: dict[str, Any] = {"aggregate": aggregate, "confidence": resampling, "edits": edits, "run": run}
            paper = paper_table(corpus, loaded, metrics, **how)
        output.show(paper, chart=lambda shown: score_chart(Scores(scores=shown.scores), find_proper_names(metrics)))
        return
    with show_progress(run, "scoring") as run:
        scores = score(
            corpus,
            loaded,
            metrics,
            aggregate=aggregate,
            confidence=drawn,
            sentences=sentences,
            clusters=clusters,
            edits=edits,
            run=run,
        )
    if passport is not None:
        scores.save_passport(passport)
    if save is not None:
        scores.save_part(save, shard=shard, totals=resampling if totals else None)
    if parts and not any(of_system.parts for of_system in scores):
        note_idle(["parts"], f"with {', '.join(scores.metrics)}, which has no parts")
    output.show(scores, chart=lambda result: score_chart(result, find_proper_names(metrics)), parts=parts)


def _note_idle_options(
    metrics: tuple[Metric, ...], *, with_intervals: bool, totals: bool, sentences: bool, by_type: bool, style: str
) -> None:
    """Refuse options that the others leave without an effect."""
    if by_type and not (len(metrics) == 1 and metrics[0].by_type):
        raise InputError("--by-type goes with -m errant, -m m2 or -m lt, and no other metric")
    if not with_intervals:
        note_idle(["compact"], "without --ci or --clusters")
        note_idle(RESAMPLING if not totals else ["level", "interval_method"], "without --ci or --clusters")
        if not totals:
            note_idle(["unit"], "without --ci or --clusters")
    if style in EXACT:
        note_idle(["parts"], f"with --format {style}, which has all parts")
    if by_type:
        note_idle(["sentences", "aggregate", "clusters", "plot", "passport", "save"], "with --by-type")
        if metrics[0].by_type == "recall":
            note_idle(["confidence"], "with --by-type and -m m2")
        elif metrics[0].by_type == "errors":
            note_idle(
                ["detail", "confidence", "edits", "parts", "percent", "digits"], "with --by-type, but for -m errant"
            )
    else:
        note_idle(["detail"], "without --by-type")
    if sentences and style == "jsonl":
        note_idle(["confidence", "clusters", "aggregate", "plot", "passport", "save"], "with --sentences in JSONL")
    elif sentences and style != "json":
        note_idle(["confidence", "clusters", "aggregate", "parts", "compact"], "with --sentences, but in JSON")
