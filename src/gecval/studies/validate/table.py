"""Which metric agrees with people? All metrics on all sets of judgments: what their cards say of it, in one table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from gecval.backends import check_backend
from gecval.errors import InputError
from gecval.progress import Progress, announce, silent
from gecval.result import MaybeUndefined, Result
from gecval.stats import Interval
from gecval.studies.all_metrics import all_metrics
from gecval.studies.checkpoint import Checkpoint, Chunks
from gecval.studies.chunks import study_signature
from gecval.studies.inputs import Metrics, given_jobs, given_metrics
from gecval.studies.metric_signature import metric_signature
from gecval.studies.validate.people import OPTIONS, PART, OnSet, agreement_with_people, load_benches
from gecval.studies.validate.results import Agreement


@dataclass(frozen=True, kw_only=True)
class MetricRow:
    """A metric, and what each set of judgments says of it."""

    metric: str
    agreement: tuple[Agreement, ...]


@dataclass(frozen=True, kw_only=True)
class AgreementFigure:
    """One number of the table: a row of a data frame."""

    metric: str
    judgments: str
    outputs: str
    by: str
    value: MaybeUndefined
    interval: Interval


@dataclass(frozen=True, kw_only=True, repr=False)
class AgreementTable(Result):
    """Metrics against people on all sets of judgments: a sequence of ``MetricRow``.

    Metrics that could not be computed are not there; ``notes`` say why.
    """

    kind: ClassVar[str] = "agreement-table"
    main: ClassVar[str] = "figures"

    metrics: tuple[MetricRow, ...]
    level: float

    @property
    def figures(self) -> list[AgreementFigure]:
        """Every number: correlations over systems (pearson, spearman, kendall), and accuracy over sentences."""
        return [figure for row in self.metrics for agreement in row.agreement for figure in _figures(row, agreement)]

    def __len__(self) -> int:
        return len(self.metrics)

    def __iter__(self) -> Iterator[MetricRow]:
        return iter(self.metrics)

    def __getitem__(self, index: int) -> MetricRow:
        return self.metrics[index]


def _figures(row: MetricRow, agreement: Agreement) -> Iterator[AgreementFigure]:
    values = {name: getattr(agreement, name) for name in ("pearson", "spearman", "kendall")}
    numbers = {name: (correlation.value, correlation.interval) for name, correlation in values.items()}
    for by, (value, interval) in (numbers | {"accuracy": (agreement.accuracy, agreement.accuracy_interval)}).items():
        yield AgreementFigure(
            metric=row.metric,
            judgments=agreement.judgments,
            outputs=agreement.outputs,
            by=by,
            value=value,
            interval=interval,
        )


def agreement_table(
    metrics: Metrics | None = None,
    *,
    jobs: int | None = None,
    checkpoint: Path | str | None = None,
    backend: str | None = None,
    progress: Progress = silent,
) -> AgreementTable:
    """Set metrics against people on GJG15, NSPT15 and SEEDA.

    Parameters
    ----------
    metrics
        Metrics or their names; by default all that need no files of yours and no network. Language models take an hour.
    jobs
        Threads; by default as many as there are cores.
    checkpoint
        A file in which finished chunks are kept: a metric on all sets of one bench. A study that was interrupted goes
        on from there.
    backend
        Where chunks are computed: ``processes``, ``processes:8``, ``dask://host:port`` or ``ray://host:port``. The
        result is the same, bit for bit.

    Returns
    -------
    AgreementTable
        It prints as tables.

    Raises
    ------
    InputError
        Where no set of judgments is at hand, or no metric can be computed.
    """
    wanted = all_metrics() if metrics is None else given_metrics(metrics)
    names = list(dict.fromkeys(map(repr, wanted)))
    announce(progress, PART)
    if backend is not None:
        check_backend(backend)
    benches = load_benches()
    signature = ""
    if checkpoint:
        signature = study_signature(
            "agreement", *map(metric_signature, wanted), *(bench.signature() for bench in benches)
        )
    people = agreement_with_people(
        list(dict.fromkeys(wanted)),
        benches,
        jobs=given_jobs(jobs) if backend is None else 1,
        backend=backend,
        kept=Checkpoint(checkpoint, signature=signature, form=Chunks({"people": tuple[OnSet, ...]})),
        progress=progress,
    )
    lacking = {name: [row for row in people.lacking[name] if row.part.startswith(PART)] for name in names}
    rows = [MetricRow(metric=name, agreement=tuple(people.agreement[name])) for name in names]
    if not any(row.agreement for row in rows):
        raise InputError(lacking[names[0]][0].why)
    return AgreementTable(
        metrics=tuple(row for row in rows if row.agreement),
        level=OPTIONS.ranker.level,
        notes=tuple(dict.fromkeys(_note(name, row.part, row.why) for name in names for row in lacking[name])),
    )


def _note(name: str, part: str, why: str) -> str:
    """Why a metric is left out; where a set is not at hand, it is so for all metrics."""
    return f"{name} is left out: {why}" if part == PART else f"{part.removeprefix(f'{PART}: ')} is left out: {why}"
