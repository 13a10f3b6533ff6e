"""gecval metrics cost: what would a chat model be asked?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import metric_option
from gecval.cli.output import Output, output_options
from gecval.formats import load_corpus, load_systems
from gecval.formats.kinds import brings_source
from gecval.metrics import Metric
from gecval.studies.cost.study import cost

EXAMPLES = """\b
Examples:
  gecval metrics cost out/ -s src.txt -m 'llm-judge(model="my-model", url="http://localhost:8000/v1")'
  gecval metrics cost out/ -s gold.m2 -m 'llm-judge(model="my-model", url="http://localhost:8000/v1", level="edit")'
"""


@click.command("cost", cls=Command, epilog=EXAMPLES)
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="SYSTEM...")
@click.option(
    "-s", "--source", type=INPUT, required=True, help="Source sentences, one a line, or an .m2 or .jsonl with them."
)
@metric_option()
@output_options(numbers=False)
def command(systems: tuple[Path, ...], source: Path, metrics: tuple[Metric, ...], output: Output) -> None:
    """Count the prompts and tokens of llm-judge, and ask nothing.

    This is the dry run of score, compare and report: they ask the same prompts. Answers that are cached from earlier
    runs are not asked for again.
    """
    corpus = load_corpus(None, [source]) if brings_source(source) else load_corpus(source)
    output.show(cost(corpus, load_systems(systems, corpus), metrics))
