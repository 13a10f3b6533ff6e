"""A function that scores a batch of rows, for any engine that has batches.

    datasets    dataset.map(scorer, batched=True)
    Ray         dataset.map_batches(scorer, batch_format="pyarrow")
    Dask        frame.map_partitions(scorer)
    Spark       frame.mapInArrow(scorer, scorer.spark_schema(frame.schema))

The score of a row is the sentence score of ``gecval score --sentences``, whatever the rows beside it. A scorer is a
value: it can be pickled, and loads models only where it is called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from gecval.corpus import Corpus
from gecval.errors import InputError, MissingExtraError
from gecval.formats.pairs.tables import Batch, Column, extended, names_of
from gecval.metrics.base import Array, Metric
from gecval.metrics.evaluation import Evaluation
from gecval.studies.batches.rows import Columns, Rows, read_rows
from gecval.studies.batches.statistics import parts_of_sentences
from gecval.studies.inputs import Edits, given_extractor, given_jobs, given_metrics
from gecval.studies.preparation import needs_extractor, prepare

BadRows = Literal["refuse", "note"]
NOTE = "note"


def batch_scorer(
    *metrics: Metric | str,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    statistics: bool = False,
    bad_rows: BadRows = "refuse",
    prefix: str = "",
    extractor: Edits = None,
    language: str | None = None,
    jobs: int = 1,
) -> BatchScorer:
    """A function that takes a batch of rows and gives it back with a column of scores for each metric.

    A batch is a pyarrow Table or RecordBatch, a pandas DataFrame, or a dict of lists. An iterator of batches gives an
    iterator of batches, as Spark wants it.

    Parameters
    ----------
    columns
        Where a row has its texts, if not in ``source``, ``hypothesis`` and ``references``. The references of a row are
        a text or a list of texts; several columns may be named: ``{"references": ["ref0", "ref1"]}``.
    statistics
        Add what scores are made of too: ``errant.tp``, ``errant.fp``, ``errant.fn`` and the like.
    bad_rows
        ``refuse`` raises an InputError that names the first row without texts. ``note`` gives such a row no scores,
        and says why in a column ``note``.
    prefix
        Stands before the name of every new column.
    extractor
        Finds the edits of references for metrics that need them, such as ``m2``: ``errant``, ``plain``, ….
    language
        The language of the texts, by default the one that the metrics judge. No batch is looked at to guess it.
    jobs
        Threads. One by default, since an engine calls the function in many processes.

    Examples
    --------
    >>> scorer = batch_scorer("gleu", "m2", extractor="plain", statistics=True)
    >>> batch = {"source": ["He go ."], "hypothesis": ["He goes ."], "references": [["He goes .", "He went ."]]}
    >>> scored = scorer(batch)
    >>> scored["m2"], scored["m2.fp"]
    ([1.0], [0.0])
    """
    return BatchScorer(
        metrics=tuple(given_metrics(metrics)),
        columns=Columns.given(columns),
        statistics=statistics,
        bad_rows=bad_rows,
        prefix=prefix,
        extractor=extractor,
        language=language,
        jobs=given_jobs(jobs),
    )


@dataclass(frozen=True, kw_only=True)
class BatchScorer:
    """What ``batch_scorer`` makes: call it with a batch."""

    metrics: tuple[Metric, ...]
    columns: Columns = field(default_factory=Columns)
    statistics: bool = False
    bad_rows: BadRows = "refuse"
    prefix: str = ""
    extractor: Edits = None
    language: str | None = None
    jobs: int = 1

    def __post_init__(self) -> None:
        if self.bad_rows not in get_args(BadRows):
            raise InputError(f"bad_rows is refuse or note, not {self.bad_rows!r}", parameter="bad_rows")
        for metric in self.metrics:
            if metric.whole_corpus:
                raise InputError(f"{metric!r} cannot score rows one by one: {metric.whole_corpus}", parameter="metrics")
            if needs_extractor(metric) and self.extractor is None:
                raise InputError(
                    f"{metric!r} needs the edits of references, and batches must not choose each for itself what finds "
                    "them: name an extractor, such as errant or plain",
                    parameter="extractor",
                )
        if len(set(map(repr, self.metrics))) < len(self.metrics):
            raise InputError("a metric is asked for twice", parameter="metrics")
        finder = given_extractor(self.extractor)
        judged = {metric.language for metric in self.metrics} | {finder.language if finder else None}
        judged.discard(None)
        if self.language is None and len(judged) > 1:
            raise InputError(
                f"these metrics judge {' and '.join(sorted(map(str, judged)))}: make a scorer for each language",
                parameter="metrics",
            )
        object.__setattr__(self, "language", self.language or next(iter(judged), None))

    def __call__(self, batch: Batch) -> Batch:
        return map(self, batch) if isinstance(batch, Iterator) else self.score(batch)

    def score(self, batch: Batch, *, first: int = 0) -> Batch:
        """The batch with its scores; ``first`` is the number of its first row, from 0, for messages."""
        names = names_of(batch)
        rows = read_rows(
            batch, self.columns, with_references=any(m.needs not in (None, "optional") for m in self.metrics)
        )
        if rows.wrong and self.bad_rows == "refuse":
            place, wrong = next(iter(rows.wrong.items()))
            raise InputError(f"row {first + place + 1}: {wrong}", parameter="bad_rows")
        added = self._columns(rows)
        for name in added:
            if name in names:
                raise InputError(f"there is a column {name!r} already: rename it, or give a prefix", parameter="prefix")
        return extended(batch, added)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns that it adds. All are numbers, but ``note`` is text."""
        return tuple(self._columns(Rows(count=0)))

    def spark_schema(self, schema: Any) -> str:
        """The schema of Spark's rows with the new columns, for ``mapInArrow`` and ``mapInPandas``."""
        before = [f"`{column.name}` {column.dataType.simpleString()}" for column in schema.fields]
        notes = {self.prefix + NOTE} if self.bad_rows == "note" else set()
        return ", ".join([*before, *(f"`{name}` {'string' if name in notes else 'double'}" for name in self.names)])

    def _columns(self, rows: Rows) -> dict[str, Column]:
        wrong = dict(rows.wrong)
        # Engines ask an empty batch which columns there will be.
        scored = self._scored(rows, range(len(rows.places)), wrong) if rows.places else self._empty
        columns: dict[str, Column] = {}
        places = np.array([place for place in rows.places if place not in wrong], dtype=np.int64)
        for name, values in scored.items():
            whole = np.full(rows.count, np.nan)
            whole[places] = values
            columns[self.prefix + name] = whole
        if self.bad_rows == "note":
            columns[self.prefix + NOTE] = [wrong.get(place) for place in range(rows.count)]
        return columns

    def _scored(self, rows: Rows, chosen: range, wrong: dict[int, str]) -> dict[str, Array]:
        """The scores of these rows. Where a metric refuses some and rows may be bad, halves are tried, and so on."""
        texts = ([of_row[i] for i in chosen] for of_row in (rows.sources, rows.hypotheses, rows.references))
        try:
            return self._scores(*texts)  # type: ignore[arg-type]
        except MissingExtraError:
            raise
        except InputError as error:
            if self.bad_rows == "refuse":
                raise
            none = self._empty  # raises where no row at all can be scored, so that no row is to blame
            if len(chosen) == 1:
                wrong[rows.places[chosen[0]]] = str(error)
                return none
        middle = len(chosen) // 2
        first, second = (self._scored(rows, half, wrong) for half in (chosen[:middle], chosen[middle:]))
        return {name: np.concatenate([values, second[name]]) for name, values in first.items()}

    @cached_property
    def _empty(self) -> dict[str, Array]:
        """The columns of numbers without a row."""
        return {name: values[:0] for name, values in self._scores(["a"], ["a"], [["a"]]).items()}

    def _scores(self, sources: list[str], hypotheses: list[str], references: list[list[str]]) -> dict[str, Array]:
        """The columns of numbers for these texts."""
        corpus = Corpus.from_texts(sources, references, language=self.language)
        system = corpus.system("the batch", hypotheses)
        corpora = prepare(corpus, [system], self.metrics, extractor=self.extractor, jobs=self.jobs)
        columns: dict[str, Array] = {}
        for metric, prepared in zip(self.metrics, corpora, strict=True):
            evaluation = Evaluation.of(metric, prepared, system, jobs=self.jobs)
            columns[repr(metric)] = evaluation.sentence_scores()
            if self.statistics:
                parts = parts_of_sentences(evaluation)
                columns |= {f"{metric!r}.{name}": values for name, values in parts.items()}
        return columns
