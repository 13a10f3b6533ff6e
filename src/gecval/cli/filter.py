"""gecval filter: which pairs are good enough?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from gecval.cli.inputs import INPUT
from gecval.cli.options import edits_option, language_option, metric_option, model_options
from gecval.cli.output import PATH, format_option
from gecval.cli.pairs import pair_options, run_pairs
from gecval.cli.progress import quiet_option

EXAMPLES = """\b
Examples:
  gecval filter pairs.parquet --where 'gleu > 0.4 and errant.fp < 3' -o kept.parquet
  gecval filter scored.jsonl --where '`gleu(n=3)` >= 0.5 or not ld < 0.9' -o kept.jsonl
  gecval filter pairs.tsv --where 'm2.fp == 0 and lang == "en"' --edits plain -o kept.tsv

\b
A condition compares columns, metrics, numbers and "texts" by < <= > >= == !=, joined by and, or, not and brackets.
A comparison with an empty cell is neither true nor false. Rows for which the condition is true are kept.
"""


@click.command("filter", epilog=EXAMPLES)
@click.argument("pairs", type=INPUT)
@click.option(
    "--where", required=True, help="Which rows to keep. Metrics that it names, and the file lacks, are computed."
)
@partial(metric_option, default="those that the condition names")
@edits_option(None)
@language_option
@click.option("--jobs", type=click.IntRange(1, 4096), help="Processes; default: all cores.")
@model_options
@pair_options
@quiet_option
@format_option
@click.option("-o", "--output", type=PATH, required=True, help="The file for the rows: .parquet, .jsonl or .tsv.")
def command(pairs: Path, **settings: Any) -> None:
    """Keep the rows of PAIRS that fulfil a condition, with their scores.

    PAIRS is a .parquet, .jsonl or .tsv file of any size with a source, a hypothesis and references in each row. After
    a kill, the same command goes on where it was.
    """
    run_pairs(pairs, **settings)
