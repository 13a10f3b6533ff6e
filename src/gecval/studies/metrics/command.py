"""gecval metrics: what metrics there are, and what they mean."""

from __future__ import annotations

import click

from gecval.cli.help import Command
from gecval.cli.options import complete_metrics
from gecval.cli.output import Output, output_options
from gecval.runtime.plugins import split_spellings
from gecval.studies.metrics.study import describe_metrics

EXAMPLES = """\b
Examples:
  gecval metrics
  gecval metrics gleu
  gecval metrics m2 errant             or m2,errant
  gecval metrics --format tsv          all columns, for programs
"""


@click.command("metrics", cls=Command, epilog=EXAMPLES)
@click.argument("names", nargs=-1, metavar="[METRIC]...", shell_complete=complete_metrics)
@output_options(numbers=False)
def command(names: tuple[str, ...], output: Output) -> None:
    """List every metric, or show some in full: their formulas, parameters and papers.

    Set parameters in brackets: -m 'gleu(n=3, form="paper")'. Write a metric of your own as -m module:Name. Name is a
    function f(source, hypothesis, references) -> float, or a subclass of gecval.Metric. An installed package can
    register metrics under the entry point group gecval.metrics.
    """
    spellings = [spelling for name in names for spelling in split_spellings(name)]
    output.show(describe_metrics(spellings), in_full=bool(spellings))
