"""gecval metrics: every metric with its needs, parameters and paper."""

from __future__ import annotations

import click

from gecval.cli.output import FORMATS, print_table
from gecval.metrics import metric, metric_names
from gecval.report import Table


@click.command("metrics")
@click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True)
def command(style: str) -> None:
    """List every metric: what it needs, its parameters with their defaults, its paper.

    Set parameters in brackets: -m 'gleu(n=3, form="paper")'. A metric of your own is -m module:Name, where Name is a
    function f(source, hypothesis, references) -> float or a subclass of gecval.Metric; an installed package can
    register one under the entry point group gecval.metrics.
    """
    table = Table(["metric", "parameters", "needs", "references", "what", "paper"])
    for name in metric_names():
        one = metric(name)
        parameters = ", ".join(f"{field.name}={field.default!r}" for field in one.parameter_fields())
        table.rows.append([name, parameters, one.needs or "source", one.rule.name, one.summary, one.paper])
    print_table(table, style)
