"""A function that scores a batch of rows, for any engine that has batches.

    datasets    dataset.map(scorer, batched=True)
    Ray         dataset.map_batches(scorer, batch_format="pyarrow")
    Dask        frame.map_partitions(scorer)
    Spark       frame.mapInArrow(scorer, scorer.spark_schema(frame.schema))

The score of a row is the sentence score of ``gecval score --sentences``, whatever the rows around it. A scorer is a
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
from gecval.formats.sentence_pairs.engines import Batch, Column, extended, is_unicode, length_of, names_of, values_of
from gecval.metrics.base import Array, Metric
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import SERIAL, Run
from gecval.studies.scores.preparation import Edits, needs_extractor, prepare, resolve_extractor, resolve_metrics

BadRows = Literal["refuse", "note"]
NOTE = "note"
ROLES = ("source", "hypothesis", "references")
USUAL_REFERENCES = ("references", "reference")


def batch_scorer(
    *metrics: Metric | str,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    statistics: bool = False,
    bad_rows: BadRows = "refuse",
    prefix: str = "",
    edits: Edits = None,
    language: str | None = None,
    run: Run = SERIAL,
) -> BatchScorer:
    """Make a function that takes a batch of rows and gives it back with a column of scores for each metric.

    A batch is a pyarrow Table or RecordBatch, a pandas DataFrame, or a dict of lists. An iterator of batches gives an
    iterator of batches, as Spark wants it.

    Parameters
    ----------
    metrics
        Metrics or their names.
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
    edits
        Finds the edits of references for metrics that need them, such as ``m2``: ``errant``, ``plain``, ….
    language
        The language of the texts, by default the one that the metrics judge. No batch is looked at to guess it.
    run
        How it runs. One thread by default, since an engine calls the function in many processes.

    Returns
    -------
    BatchScorer
        Call it with a batch.

    Examples
    --------
    >>> scorer = batch_scorer("gleu", "m2", edits="plain", statistics=True)
    >>> batch = {"source": ["He go ."], "hypothesis": ["He goes ."], "references": [["He goes .", "He went ."]]}
    >>> scored = scorer(batch)
    >>> scored["m2"], scored["m2.fp"]
    ([1.0], [0.0])
    """
    return BatchScorer(
        metrics=tuple(resolve_metrics(metrics)),
        columns=TextColumns.given(columns),
        statistics=statistics,
        bad_rows=bad_rows,
        prefix=prefix,
        extractor=edits,
        language=language,
        run=run,
    )


@dataclass(frozen=True, kw_only=True)
class TextColumns:
    """Which columns hold what. References are a column of texts, one of lists of texts, or several columns.

    Where no column is named for references, it is ``references`` or ``reference``, whichever a batch has.

    >>> TextColumns.given({"hypothesis": "output", "references": ["ref0", "ref1"]})
    TextColumns(source='source', hypothesis='output', references=('ref0', 'ref1'))
    """

    source: str = "source"
    hypothesis: str = "hypothesis"
    references: tuple[str, ...] = ()

    @classmethod
    def given(cls, columns: Mapping[str, str | Sequence[str]] | None) -> TextColumns:
        """From what a user says of some of them."""
        named = dict(columns or {})
        for role, name in named.items():
            if role not in ROLES:
                raise InputError(f"there is no {role!r} in a row; there are {', '.join(ROLES)}", parameter="columns")
            several = role == "references" and not isinstance(name, str)
            if not all(isinstance(text, str) and text for text in (name if several else [name])):
                raise InputError(f"the column of {role} is a name, not {name!r}", parameter="columns")
        references = named.pop("references", ())
        listed = (references,) if isinstance(references, str) else tuple(references)
        return cls(references=listed, **{role: str(name) for role, name in named.items()})

    def references_in(self, names: Sequence[str]) -> tuple[str, ...]:
        """The columns of references in a batch with these columns."""
        return self.references or tuple(name for name in USUAL_REFERENCES if name in names)[:1]


@dataclass(frozen=True, kw_only=True)
class BatchScorer:
    """What ``batch_scorer`` makes: call it with a batch."""

    metrics: tuple[Metric, ...]
    columns: TextColumns = field(default_factory=TextColumns)
    statistics: bool = False
    bad_rows: BadRows = "refuse"
    prefix: str = ""
    extractor: Edits = None
    language: str | None = None
    run: Run = SERIAL

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
        finder = resolve_extractor(self.extractor)
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
        return tuple(self._columns(ScorableRows(count=0)))

    def spark_schema(self, schema: Any) -> str:
        """The schema of Spark's rows with the new columns, for ``mapInArrow`` and ``mapInPandas``."""
        before = [f"`{column.name}` {column.dataType.simpleString()}" for column in schema.fields]
        notes = {self.prefix + NOTE} if self.bad_rows == "note" else set()
        return ", ".join([*before, *(f"`{name}` {'string' if name in notes else 'double'}" for name in self.names)])

    def _columns(self, rows: ScorableRows) -> dict[str, Column]:
        wrong = dict(rows.wrong)
        # Engines ask an empty batch which columns there will be.
        scored = self._score(rows, range(len(rows.places)), wrong) if rows.places else self._empty
        columns: dict[str, Column] = {}
        places = np.array([place for place in rows.places if place not in wrong], dtype=np.int64)
        for name, values in scored.items():
            whole = np.full(rows.count, np.nan)
            whole[places] = values
            columns[self.prefix + name] = whole
        if self.bad_rows == "note":
            columns[self.prefix + NOTE] = [wrong.get(place) for place in range(rows.count)]
        return columns

    def _score(self, rows: ScorableRows, chosen: range, wrong: dict[int, str]) -> dict[str, Array]:
        """The scores of these rows. Where a metric refuses some and rows may be bad, halves are tried, and so on."""
        texts = ([texts[i] for i in chosen] for texts in (rows.sources, rows.hypotheses, rows.references))
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
        first, second = (self._score(rows, half, wrong) for half in (chosen[:middle], chosen[middle:]))
        return {name: np.concatenate([values, second[name]]) for name, values in first.items()}

    @cached_property
    def _empty(self) -> dict[str, Array]:
        """The columns of numbers without a row."""
        return {name: values[:0] for name, values in self._scores(["a"], ["a"], [["a"]]).items()}

    def _scores(self, sources: list[str], hypotheses: list[str], references: list[list[str]]) -> dict[str, Array]:
        """The columns of numbers for these texts."""
        corpus = Corpus.from_texts(sources, references, language=self.language)
        system = corpus.system("the batch", hypotheses)
        corpora = prepare(corpus, [system], self.metrics, extractor=self.extractor, run=self.run.quiet())
        columns: dict[str, Array] = {}
        for metric, prepared in zip(self.metrics, corpora, strict=True):
            evaluation = Evaluation.of(metric, prepared, system, run=self.run.quiet())
            columns[repr(metric)] = evaluation.sentence_scores()
            if self.statistics:
                parts = parts_of_sentences(evaluation)
                columns |= {f"{metric!r}.{name}": values for name, values in parts.items()}
        return columns


# The rows of a batch: those that can be scored, and what is wrong with each of the others


@dataclass(frozen=True, kw_only=True)
class ScorableRows:
    """Texts of the rows that can be scored. ``places`` are their numbers in the batch, from 0.

    ``wrong`` says what the matter is with each other row.
    """

    count: int
    places: list[int] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    hypotheses: list[str] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)
    wrong: dict[int, str] = field(default_factory=dict)


def read_rows(batch: Batch, columns: TextColumns, *, with_references: bool) -> ScorableRows:
    """The rows of a batch. A row needs a reference where ``with_references`` says so."""
    names = names_of(batch)
    reference_columns = columns.references_in(names)
    wanted = [columns.source, columns.hypothesis, *reference_columns]
    if with_references and not reference_columns:
        wanted.append(USUAL_REFERENCES[0])
    for name in wanted:
        if name not in names and name.partition(".")[0] not in names:
            raise InputError(
                f"there is no column {name!r}; there are {', '.join(map(str, names)) or 'none'}", parameter="columns"
            )
        if names.count(name) > 1:
            raise InputError(f"there are two columns {name!r}; rename one", parameter="columns")
    rows = ScorableRows(count=length_of(batch))
    texts = [values_of(batch, name) for name in (columns.source, columns.hypothesis)]
    listed = [values_of(batch, name) for name in reference_columns]
    for place, (source, hypothesis, *references) in enumerate(zip(*texts, *listed, strict=True)):
        gathered = _gather(references)
        wrong = (
            _not_text("source", source)
            or _not_text("hypothesis", hypothesis)
            or next((wrong for reference in gathered if (wrong := _not_text("reference", reference))), None)
            or _not_references(gathered, needed=with_references)
        )
        if wrong:
            rows.wrong[place] = wrong
            continue
        rows.places.append(place)
        rows.sources.append(source)
        rows.hypotheses.append(hypothesis)
        rows.references.append(gathered)
    return rows


def _gather(cells: Sequence[Any]) -> list[Any]:
    """The references of a row, from texts and lists of texts."""
    gathered: list[Any] = []
    for cell in cells:
        gathered += cell if isinstance(cell, list | tuple) else [cell]
    return gathered


def _not_references(texts: Sequence[str], *, needed: bool) -> str | None:
    if any(text.startswith(("['", '["')) and text.endswith(("']", '"]')) for text in texts):
        return "the reference is a list that was turned into text"  # as Dask does by default
    return "there is no reference" if needed and not texts else None


def _not_text(what: str, value: Any) -> str | None:
    if isinstance(value, str):
        return None if value.isascii() or is_unicode(value) else f"the {what} holds half of a surrogate pair"
    missing = value is None or type(value).__name__ in ("NAType", "NaTType") or value != value
    return f"the {what} is missing" if missing else f"the {what} is {type(value).__name__}, not text"


# What the score of each sentence is made of, as columns: ``errant.tp``, ``m2.fp``, ``sari.keep``
#
# A sentence counts by itself here, as its score does, with the reference that suits it best where a metric chooses one.


def parts_of_sentences(evaluation: Evaluation) -> dict[str, Array]:
    """The parts of each sentence's score, by name. M²'s correct, proposed and gold edits are tp, fp and fn as well."""
    rows = evaluation.metric.rule.sentence_rows(evaluation.metric, evaluation.statistics)
    if rows is None:
        return {}
    # Counts of edits are small numbers: millions of sentences have a few hundred different rows.
    different, which = np.unique(rows, axis=0, return_inverse=True)
    with np.errstate(all="ignore"):
        listed = [_with_counts(evaluation.metric.parts(row)) for row in different]
    names = listed[0] if listed else {}
    return {name: np.array([parts[name] for parts in listed], dtype=np.float64)[which.ravel()] for name in names}


def _with_counts(parts: dict[str, float]) -> dict[str, float]:
    if "correct" not in parts:
        return parts
    correct = parts["correct"]
    return {**parts, "tp": correct, "fp": parts["proposed"] - correct, "fn": parts["gold"] - correct}
