"""Scoring and filtering files of any size: unit by unit, in several processes, and taken up again where it was killed.

What is held in memory is a batch of rows for each process, whatever the size of the file.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus
from gecval.edits.extractors import choose_extractor, full_signature
from gecval.errors import InputError, MissingExtraError
from gecval.formats.files import read_lines, write_files
from gecval.formats.sentence_pairs import PairKind, join_pairs, open_pairs, pair_kind, write_pairs
from gecval.formats.sentence_pairs.engines import Batch, Unit, length_of, names_of, select_rows, values_of
from gecval.metrics import metric_names
from gecval.metrics.base import Metric
from gecval.results.result import Result
from gecval.results.table import DELIMITED, Cell, Table
from gecval.runtime.processes import exclusive_lock, in_processes
from gecval.runtime.run import HERE, SERIAL, Run, announce
from gecval.stats.resampling import MaybeUndefined
from gecval.studies.pairs.conditions import ColumnRows, Condition
from gecval.studies.pairs.scorer import NOTE, BadRows, BatchScorer, TextColumns, read_rows
from gecval.studies.scores.preparation import Edits, Metrics, needs_extractor, resolve_extractor, resolve_metrics

_METRIC = re.compile(r"(?P<metric>[^.(]*(?:\(.*\))?)(?:\.(?P<part>.+))?")  # gleu, errant.fp, errant(beta=1.0).fp
LOOK_AT = 1000  # rows that tell the language, and so what finds edits


def score_pairs(
    path: str | Path,
    metrics: Metrics,
    output: str | Path,
    *,
    where: str | None = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    statistics: bool = False,
    bad_rows: BadRows = "refuse",
    edits: Edits = None,
    language: str | None = None,
    run: Run = HERE,
) -> ScoredPairs:
    """Score every row of a ``.parquet``, ``.jsonl`` or ``.tsv`` file, and write the rows with their scores.

    The memory it takes does not grow with the file. After a kill, the same call goes on where it was.

    Parameters
    ----------
    path
        The file of rows.
    metrics
        Metrics or their names. There may be none where ``where`` names some, or columns of the file.
    output
        The file to write; it may be of another of these formats.
    where
        Write only rows that fulfil a condition, such as ``gleu > 0.4 and errant.fp < 3``. Metrics that it names are
        computed, unless the file has columns of these names.
    columns, statistics, bad_rows
        As in ``batch_scorer``.
    edits
        Finds the edits of references for metrics that need them. By default it is chosen from the first rows.
    language
        The language of the texts. By default it is guessed from the first rows.
    run
        How it runs; ``jobs`` are processes here. Metrics that ask a language model take one process.

    Returns
    -------
    ScoredPairs
        How many rows were read and written, and the mean of each metric. It prints as a table.

    Examples
    --------
    >>> score_pairs("pairs.tsv", ["gleu"], "scored.parquet", where="gleu > 0.4")  # doctest: +SKIP
    """
    source, target = Path(path), Path(output)
    kind = pair_kind(target)
    if kind is None:
        raise InputError(f"{target}: name the output .parquet, .jsonl or .tsv", parameter="output")
    if target.exists() and source.resolve() == target.resolve():
        raise InputError(f"{target} is the input: name another output", parameter="output")
    pairs = open_pairs(source)
    if not pairs.units:
        raise InputError(f"{source} has no rows")
    condition = None if where is None else Condition.of(where)
    wanted, with_statistics = choose_metrics(metrics, condition, pairs.names)
    named = TextColumns.given(columns)
    finder, spoken = edits, language
    notes: tuple[str, ...] = ()
    if wanted:
        with _in_file(source):
            finder, spoken, notes = _judges(_first_rows(pairs, named), wanted, edits, language)
    for name in (*map(repr, wanted), *([NOTE] if wanted and bad_rows == "note" else [])):
        if name in pairs.names:
            raise InputError(f"{source}: there is a column {name!r} already; rename it")
    models = any(type(metric).prepare is not Metric.prepare for metric in wanted)
    processes = 1 if models else min(run.threads, len(pairs.units))
    scorer = BatchScorer(
        metrics=tuple(wanted),
        columns=named,
        statistics=statistics or with_statistics,
        bad_rows=bad_rows,
        extractor=finder,
        language=spoken,
        run=SERIAL if processes > 1 else run.quiet(),
    )
    parts = Parts(target)
    task = Task(path=source, scorer=scorer, condition=condition, parts=parts, kind=kind)
    with parts.held(_plan(task)):
        announce(run.progress, "scoring rows" if wanted else "looking at rows")
        counts = _all_counts(task, pairs.units, processes=processes, run=run)
        announce(run.progress, "writing")
        join_pairs([parts.part(unit.number, kind) for unit in pairs.units], target, kind)
        parts.remove()
    return _result(task, target, counts, notes=notes)


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is done with each unit of a file, in whatever process."""

    path: Path
    scorer: BatchScorer
    condition: Condition | None
    parts: Parts
    kind: PairKind

    def __call__(self, unit: Unit) -> Counts:
        counts: dict[str, Any] = {"rows": 0, "kept": 0, "bad": 0, "sums": {}, "scored": {}}
        pairs = open_pairs(self.path)

        def batches() -> Iterator[Batch]:
            for first, batch in pairs.batches(unit):
                yield self._done(batch, first, counts)

        def write() -> Counts:
            write_pairs(self.parts.part(unit.number, self.kind), self.kind, batches())
            return counts

        return self.parts.finish(unit.number, write)

    def _done(self, batch: Batch, first: int, counts: dict[str, Any]) -> Batch:
        with _in_file(self.path):
            scored = self.scorer.score(batch, first=first) if self.scorer.metrics else batch
            kept = self._keep(scored, first, names_of(batch))
        counts["rows"] += length_of(batch)
        for metric in map(repr, self.scorer.metrics):
            numbers = np.array(values_of(scored, metric), dtype=np.float64)
            known = numbers[~np.isnan(numbers)]
            counts["sums"][metric] = counts["sums"].get(metric, 0.0) + float(known.sum())
            counts["scored"][metric] = counts["scored"].get(metric, 0) + len(known)
        if NOTE in names_of(scored) and self.scorer.bad_rows == "note" and self.scorer.metrics:
            counts["bad"] += sum(note is not None for note in values_of(scored, NOTE))
        counts["kept"] += length_of(kept)
        return kept

    def _keep(self, batch: Batch, first: int, loaded: Sequence[str]) -> Batch:
        if self.condition is None:
            return batch
        names = names_of(batch)
        for name in self.condition.names:
            if name not in names:
                raise InputError(f"there is no column {name!r}; there are {', '.join(names)}", parameter="where")
        values = {name: values_of(batch, name) for name in self.condition.names}
        untyped = loaded if pair_kind(self.path) == "tsv" else ()
        return select_rows(batch, self.condition(ColumnRows(values, untyped, first)))


@contextmanager
def _in_file(path: Path) -> Iterator[None]:
    """What is wrong with rows names the file."""
    try:
        yield
    except MissingExtraError:
        raise
    except InputError as error:
        named = str(error).startswith((f"{path}: ", f"{path} "))
        raise InputError(str(error) if named else f"{path}: {error}", parameter=error.parameters) from None


def _all_counts(task: Task, units: Sequence[Unit], *, processes: int, run: Run) -> list[Counts]:
    """The counts of every unit; those that are done already are not done again."""
    counts = {unit.number: task.parts.done(unit.number) for unit in units}
    todo = [unit for unit in units if counts[unit.number] is None]
    total = sum(unit.rows for unit in units)
    rows = total - sum(unit.rows for unit in todo)
    run.progress(rows, total)
    answers = in_processes(task, todo, jobs=processes) if processes > 1 and len(todo) > 1 else map(task, todo)
    for unit, unit_counts in zip(todo, answers, strict=True):
        counts[unit.number] = unit_counts
        rows += unit.rows
        run.progress(rows, total)
    return [unit_counts for unit_counts in counts.values() if unit_counts is not None]


def choose_metrics(metrics: Metrics, condition: Condition | None, columns: Sequence[str]) -> tuple[list[Metric], bool]:
    """The metrics to compute: those asked for, and those that the condition names; and whether it names statistics."""
    listed = resolve_metrics(metrics, least=0 if condition else 1)
    known, with_statistics = {*columns, *map(repr, listed)}, False
    for name in condition.names if condition else ():
        match = _METRIC.fullmatch(name)
        if name in known or match is None:
            continue
        base, part = match["metric"], match["part"]
        if base.partition("(")[0] not in metric_names():
            raise InputError(
                f"{name!r} is neither a column nor a metric; columns: {', '.join(columns)}", parameter="where"
            )
        with_statistics = with_statistics or part is not None
        if base not in known:
            [metric] = resolve_metrics([base])
            if repr(metric) != base:
                raise InputError(f"{base!r} has the column {repr(metric)!r}: write so", parameter="where")
            listed.append(metric)
            known.add(base)
    return listed, with_statistics


def _first_rows(pairs: Any, columns: TextColumns) -> Corpus:
    _, batch = next(pairs.batches(pairs.units[0]))
    rows = read_rows(batch, columns, with_references=False)
    return Corpus.from_texts(rows.sources[:LOOK_AT] or [""])


def _judges(
    corpus: Corpus, metrics: Sequence[Metric], extractor: Edits, language: str | None
) -> tuple[Edits, str | None, tuple[str, ...]]:
    """What finds edits, and the language of the whole file, as its first rows look."""
    seen = replace(corpus, language=language)
    for metric in metrics:
        seen.check_language(metric.name, metric.language)
    if extractor is not None or not any(map(needs_extractor, metrics)):
        return extractor, language, ()
    choice = choose_extractor(seen)
    return choice.extractor, language, (choice.note,)


def _plan(task: Task) -> dict[str, Any]:
    """Everything that decides the bytes of the output."""
    status, finder = task.path.stat(), resolve_extractor(task.scorer.extractor)
    scorer = task.scorer
    return {
        "gecval": version("gecval"),
        "input": [str(task.path.resolve()), status.st_size, status.st_mtime_ns],
        "kind": task.kind,
        "metrics": [metric.spell_in_full() for metric in scorer.metrics],
        "columns": asdict(scorer.columns),
        "extractor": full_signature(finder) if finder else None,
        "where": task.condition.text if task.condition else None,
        "statistics": scorer.statistics,
        "bad_rows": scorer.bad_rows,
        "language": scorer.language,
    }


def _result(task: Task, output: Path, counts: Sequence[Counts], *, notes: tuple[str, ...]) -> ScoredPairs:
    means = []
    for metric in map(repr, task.scorer.metrics):
        rows = sum(unit_counts["scored"].get(metric, 0) for unit_counts in counts)
        total = sum(unit_counts["sums"].get(metric, 0.0) for unit_counts in counts)
        means.append(MeanScore(metric=metric, mean=total / rows if rows else float("nan"), rows=rows))
    bad = sum(unit_counts["bad"] for unit_counts in counts)
    if bad:
        notes += (f"{bad} rows have no scores; the column {NOTE} says why",)
    return ScoredPairs(
        output=str(output),
        rows=sum(unit_counts["rows"] for unit_counts in counts),
        kept=sum(unit_counts["kept"] for unit_counts in counts),
        bad=bad,
        where=task.condition.text if task.condition else None,
        means=tuple(means),
        notes=notes,
    )


# Work on a file of pairs that can be killed and taken up again: a part for each unit, and a plan that names them all.
#
#     scored.parquet.parts/plan.json        what is done with which file; another run must have the same plan
#     scored.parquet.parts/00012.parquet    the rows of unit 12
#     scored.parquet.parts/00012.json       its counts, written last: the unit is done if this is there
#
# All these files appear whole or not at all. When every unit is done, the parts become the output, and the folder goes.


Counts = Mapping[str, Any]
STARTS_AGAIN = {"bad_rows", "columns", "where", "prefix"}


class Parts:
    """The folder of parts next to an output."""

    def __init__(self, output: Path) -> None:
        self.folder = output.with_name(f"{output.name}.parts")

    def part(self, unit: int, suffix: str) -> Path:
        return self.folder / f"{unit:05}.{suffix}"

    @contextmanager
    def held(self, plan: Mapping[str, Any]) -> Iterator[None]:
        """Work in the folder, alone. A folder of another plan is refused; one without a finished unit is removed."""

        def taken() -> None:
            raise InputError(f"another run is at work in {self.folder}")

        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with exclusive_lock(self.folder.with_name(f".{self.folder.name}.lock"), taken):
            self._check(plan)
            try:
                yield
            except BaseException as error:
                # Whoever fixes rows or these options begins another plan, so nothing here is of use.
                starts_again = isinstance(error, InputError) and not STARTS_AGAIN.isdisjoint(error.parameters)
                if starts_again or not any(self.folder.glob("[0-9]*.json")):
                    self.remove()
                raise

    def _check(self, plan: Mapping[str, Any]) -> None:
        file = self.folder / "plan.json"
        if not file.is_file():
            self.remove()
            write_files({file: [json.dumps(plan)]})
        elif self._read(file) != json.loads(json.dumps(plan)):
            raise InputError(
                f"{self.folder} was begun with another file or other options: run that command again, or delete the "
                "folder to start again"
            )

    def done(self, unit: int) -> Counts | None:
        """The counts of a unit that is done."""
        file = self.part(unit, "json")
        return self._read(file) if file.is_file() else None

    def finish(self, unit: int, write: Callable[[], Counts]) -> Counts:
        """Write a part, then its counts."""
        counts = write()
        write_files({self.part(unit, "json"): [json.dumps(counts)]})
        return counts

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self, file: Path) -> Any:
        try:
            return json.loads("\n".join(read_lines(file)))
        except ValueError:
            raise InputError(f"{file} is damaged: delete the folder to start again") from None


# What scoring and filtering files of pairs gives, next to the file.


@dataclass(frozen=True, kw_only=True)
class MeanScore:
    """The mean of a metric's scores over all rows that have one; undefined where none has."""

    metric: str
    mean: MaybeUndefined
    rows: int


@dataclass(frozen=True, kw_only=True, repr=False)
class ScoredPairs(Result):
    """How many rows a file of pairs had, and what became of them.

    ``kept`` are the rows in the output: all, but where a condition ``where`` chose. ``bad`` are those without scores.
    """

    kind: ClassVar[str] = "scored-pairs"
    view: ClassVar[str] = "scored_pairs_tables"
    main: ClassVar[str] = "means"

    output: str
    rows: int
    kept: int
    bad: int
    where: str | None = None
    means: tuple[MeanScore, ...]


def scored_pairs_tables(result: ScoredPairs, style: str = "text") -> list[Table]:
    """A row for each metric, with the mean over all rows that have a score; or one for the rows alone."""
    rows: list[Sequence[Cell]] = [[mean.metric, mean.mean, mean.rows] for mean in result.means]
    chosen = f"{result.kept:,} of {result.rows:,} rows" if result.where is not None else f"{result.rows:,} rows"
    title = f"{chosen} in {result.output}"
    if not rows:
        return [Table(["rows", "kept"], [[result.rows, result.kept]], title="pairs" if style in DELIMITED else title)]
    return [Table(["metric", "mean", "rows"], rows, title="means" if style in DELIMITED else title)]
