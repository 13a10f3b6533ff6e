"""gecval files merge: parts that were scored apart, as one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gecval.cli.common import chosen, uses
from gecval.cli.effects import note_idle
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import metric_option, resampling_options
from gecval.cli.output import Output, output_options
from gecval.errors import InputError, shorten
from gecval.metrics import Metric
from gecval.results.signature import Signature
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.stats.paired_tests import CORRECTIONS, Correction
from gecval.studies.merge.study import merge

EXAMPLES = """\b
Examples, with a corpus in two parts that may be scored on two machines:
  gecval score AMU.1 CAMB.1 -r gold.1.m2 -m m2 -m gleu --save part-1.stats --shard 1/2
  gecval score AMU.2 CAMB.2 -r gold.2.m2 -m m2 -m gleu --save part-2.stats --shard 2/2
  gecval files merge part-*.stats

\b
Rows of 10^8 sentences cannot be gathered. With score --save part-1.stats --shard 1/2 --totals a part keeps sums and
Poisson resamples only; merge then gives scores with percentile intervals, and no tests.
"""


@click.command("merge", cls=Command, epilog=EXAMPLES)
@click.argument("paths", type=INPUT, nargs=-1, required=True, metavar="STATISTICS...")
@click.option("--baseline", help="The system that all others are tested against; default: the first.")
@click.option(
    "--correction", type=click.Choice(CORRECTIONS), default="none", show_default=True, help="Correct p for many tests."
)
@metric_option(default="none; name those of your own code or files, which a file alone may not load")
@uses("jobs")
@resampling_options()
@output_options()
def command(
    paths: tuple[Path, ...],
    baseline: str | None,
    correction: Correction,
    metrics: tuple[Metric, ...],
    resampling: Resampling,
    output: Output,
) -> None:
    """Give the scores, intervals and tests of a corpus whose parts were scored apart.

    They are those of the whole corpus, bit for bit. Name the files of all parts, in any order.
    """
    merged = merge(
        paths,
        confidence=resampling,
        baseline=baseline,
        correction=correction,
        metrics=metrics,
        run=Run(jobs=chosen("jobs")),
    )
    if Signature.parse(merged.scores[0].signature).fields.get("interval") == "poisson":
        note_idle(["resamples", "interval_method", "seed", "baseline", "correction"], "with parts that keep totals")
    if len({score.system for score in merged.scores}) == 1:
        note_idle(["baseline", *(["correction"] if correction != "none" else [])], "with one system")
    output.show(merged)


def parse_shard(context: click.Context, parameter: click.Parameter, value: Any) -> tuple[int, int]:
    """``2/8`` as (2, 8)."""
    number, slash, count = value.partition("/")
    if not (slash and all(text.isascii() and text.isdigit() and len(text) < 10 for text in (number, count))):
        raise InputError(f"{shorten(value, 40)!r} is no part: write 2/8 for the second of eight", parameter="shard")
    return int(number), int(count)
