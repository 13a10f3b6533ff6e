"""Scoring and filtering files of any size: unit by unit, in several processes, and taken up again where it was killed.

What is held in memory is a batch of rows for each process, whatever the size of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from gecval.corpus import Corpus
from gecval.edits.choice import choose_extractor
from gecval.edits.extractors import full_signature
from gecval.errors import InputError, MissingExtraError
from gecval.formats.pairs import PairKind, join_pairs, open_pairs, pair_kind, write_pairs
from gecval.formats.pairs.tables import Batch, chosen_rows, length_of, names_of, values_of
from gecval.formats.pairs.units import Unit
from gecval.metrics import metric_names
from gecval.metrics.base import Metric
from gecval.processes import in_processes
from gecval.progress import Progress, announce, silent
from gecval.studies.batches.comparing import Rows
from gecval.studies.batches.parts import Counts, Parts
from gecval.studies.batches.results import MeanScore, ScoredPairs
from gecval.studies.batches.rows import Columns, read_rows
from gecval.studies.batches.scorer import NOTE, BadRows, BatchScorer
from gecval.studies.batches.where import Condition
from gecval.studies.inputs import Edits, Metrics, given_extractor, given_jobs, given_metrics
from gecval.studies.preparation import needs_extractor

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
    extractor: Edits = None,
    language: str | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> ScoredPairs:
    """Score every row of a ``.parquet``, ``.jsonl`` or ``.tsv`` file, and write the rows with their scores.

    The memory it takes does not grow with the file. After a kill, the same call goes on where it was.

    Parameters
    ----------
    where
        Write only rows that fulfil a condition, such as ``gleu > 0.4 and errant.fp < 3``. Metrics that it names are
        computed, unless the file has columns of these names.
    columns, statistics, bad_rows
        As in ``batch_scorer``.
    jobs
        Processes, by default as many as there are cores. Metrics that ask a language model take one process.
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
    wanted, with_statistics = wanted_metrics(metrics, condition, pairs.names)
    named = Columns.given(columns)
    finder, spoken = extractor, language
    notes: tuple[str, ...] = ()
    if wanted:
        with _in_file(source):
            finder, spoken, notes = _judges(_first_rows(pairs, named), wanted, extractor, language)
    for name in (*map(repr, wanted), *([NOTE] if wanted and bad_rows == "note" else [])):
        if name in pairs.names:
            raise InputError(f"{source}: there is a column {name!r} already; rename it")
    workers = given_jobs(jobs)
    models = any(type(metric).prepare is not Metric.prepare for metric in wanted)
    processes = 1 if models else min(workers, len(pairs.units))
    scorer = BatchScorer(
        metrics=tuple(wanted),
        columns=named,
        statistics=statistics or with_statistics,
        bad_rows=bad_rows,
        extractor=finder,
        language=spoken,
        jobs=1 if processes > 1 else workers,
    )
    parts = Parts(target)
    task = Task(path=source, scorer=scorer, condition=condition, parts=parts, kind=kind)
    with parts.held(_plan(task)):
        announce(progress, "scoring rows" if wanted else "looking at rows")
        counts = _all_counts(task, pairs.units, processes=processes, progress=progress)
        announce(progress, "writing")
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
            kept = self._kept(scored, first, names_of(batch))
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

    def _kept(self, batch: Batch, first: int, loaded: Sequence[str]) -> Batch:
        if self.condition is None:
            return batch
        names = names_of(batch)
        for name in self.condition.names:
            if name not in names:
                raise InputError(f"there is no column {name!r}; there are {', '.join(names)}", parameter="where")
        values = {name: values_of(batch, name) for name in self.condition.names}
        untyped = loaded if pair_kind(self.path) == "tsv" else ()
        return chosen_rows(batch, self.condition(Rows(values, untyped, first)))


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


def _all_counts(task: Task, units: Sequence[Unit], *, processes: int, progress: Progress) -> list[Counts]:
    """The counts of every unit; those that are done already are not done again."""
    counts = {unit.number: task.parts.done(unit.number) for unit in units}
    todo = [unit for unit in units if counts[unit.number] is None]
    total = sum(unit.rows for unit in units)
    rows = total - sum(unit.rows for unit in todo)
    progress(rows, total)
    answers = in_processes(task, todo, jobs=processes) if processes > 1 and len(todo) > 1 else map(task, todo)
    for unit, of_unit in zip(todo, answers, strict=True):
        counts[unit.number] = of_unit
        rows += unit.rows
        progress(rows, total)
    return [of_unit for of_unit in counts.values() if of_unit is not None]


def wanted_metrics(metrics: Metrics, condition: Condition | None, columns: Sequence[str]) -> tuple[list[Metric], bool]:
    """The metrics to compute: those asked for, and those that the condition names; and whether it names statistics."""
    listed = given_metrics(metrics, least=0 if condition else 1)
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
            [metric] = given_metrics([base])
            if repr(metric) != base:
                raise InputError(f"{base!r} has the column {repr(metric)!r}: write so", parameter="where")
            listed.append(metric)
            known.add(base)
    return listed, with_statistics


def _first_rows(pairs: Any, columns: Columns) -> Corpus:
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
    status, finder = task.path.stat(), given_extractor(task.scorer.extractor)
    scorer = task.scorer
    return {
        "gecval": version("gecval"),
        "input": [str(task.path.resolve()), status.st_size, status.st_mtime_ns],
        "kind": task.kind,
        "metrics": [metric.in_full() for metric in scorer.metrics],
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
        rows = sum(of_unit["scored"].get(metric, 0) for of_unit in counts)
        total = sum(of_unit["sums"].get(metric, 0.0) for of_unit in counts)
        means.append(MeanScore(metric=metric, mean=total / rows if rows else float("nan"), rows=rows))
    bad = sum(of_unit["bad"] for of_unit in counts)
    if bad:
        notes += (f"{bad} rows have no scores; the column {NOTE} says why",)
    return ScoredPairs(
        output=str(output),
        rows=sum(of_unit["rows"] for of_unit in counts),
        kept=sum(of_unit["kept"] for of_unit in counts),
        bad=bad,
        where=task.condition.text if task.condition else None,
        means=tuple(means),
        notes=notes,
    )
