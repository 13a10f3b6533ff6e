"""What metrics there are, and what each needs, takes and means: a result like any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gecval.metrics.base import Metric
from gecval.metrics.registry import metric, metric_names
from gecval.results.result import Result
from gecval.results.table import DELIMITED, Cell, Table

MORE = "`gecval metrics NAME` describes one in full: its formula, its parameters, its paper"


@dataclass(frozen=True, kw_only=True)
class MetricParameter:
    """A parameter and its default, spelled as on the command line."""

    name: str
    default: str


@dataclass(frozen=True, kw_only=True)
class MetricEntry:
    """One metric."""

    name: str
    summary: str
    needs: str  # source, references or edits; optional: references where they are given
    references: str  # the rule by which several references count
    higher_is_better: bool
    parameters: tuple[MetricParameter, ...]
    paper: str
    description: str


@dataclass(frozen=True, kw_only=True, repr=False)
class MetricCatalogue(Result):
    """Metrics with their needs, parameters and papers."""

    kind: ClassVar[str] = "metrics"
    view: ClassVar[str] = "metric_tables"
    main: ClassVar[str] = "metrics"

    metrics: tuple[MetricEntry, ...]


def describe_metrics(spellings: Sequence[str] = ()) -> MetricCatalogue:
    """Describe these metrics; all that are available where none is named.

    Parameters
    ----------
    spellings
        Names of metrics as ``-m`` takes them, such as ``gleu`` or ``package.module:Name``.

    Returns
    -------
    MetricCatalogue
        A ``MetricEntry`` for each metric. It prints as a table, or in full where there is one.

    Examples
    --------
    >>> [gleu] = describe_metrics(["GLEU"]).metrics
    >>> gleu.name, gleu.needs, gleu.parameters[0]
    ('gleu', 'references', MetricParameter(name='n', default='4'))
    """
    return MetricCatalogue(metrics=tuple(metric_entry(metric(spelling)) for spelling in spellings or metric_names()))


def metric_entry(described: Metric) -> MetricEntry:
    """What there is to say about one metric."""
    parameters = [] if described.is_function else described.parameter_fields()
    return MetricEntry(
        name=repr(described) if described.is_function else described.name,
        summary=described.summary,
        needs=described.needs or "source",
        references=described.rule.name,
        higher_is_better=described.higher_is_better,
        parameters=tuple(MetricParameter(name=field.name, default=repr(field.default)) for field in parameters),
        paper=described.paper,
        description=described.description(),
    )


def metric_tables(result: MetricCatalogue, style: str = "text", *, in_full: bool | None = None) -> list[Table]:
    """A row per metric, or each metric in full; by default where there is one."""
    if style in DELIMITED:
        columns = ["metric", "parameters", "needs", "references", "what", "paper"]
        return [
            Table(
                columns,
                [
                    [entry.name, _parameters(entry), entry.needs, entry.references, entry.summary, entry.paper]
                    for entry in result.metrics
                ],
            )
        ]
    if len(result.metrics) == 1 if in_full is None else in_full:
        return list(map(_card, result.metrics))
    rows: list[list[Cell]] = [[entry.name, entry.needs, entry.summary] for entry in result.metrics]
    return [Table(["metric", "needs", "what"], list(rows), footnotes=[MORE])]


def _card(entry: MetricEntry) -> Table:
    rows: list[list[Cell]] = [
        ["what", entry.summary],
        ["needs", entry.needs],
        ["references", entry.references],
        ["better", "higher" if entry.higher_is_better else "lower"],
        ["parameters", _parameters(entry) or "none"],
        ["paper", entry.paper],
    ]
    return Table(["metric", entry.name], [row for row in rows if row[1]], footnotes=entry.description.splitlines())


def _parameters(entry: MetricEntry) -> str:
    return ", ".join(f"{parameter.name}={parameter.default}" for parameter in entry.parameters)
