"""What scoring systems gives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gecval.errors import InputError, import_extra
from gecval.formats import write_files
from gecval.formats.datasets.catalog import name_corpus
from gecval.metrics.base import Array
from gecval.results.result import ResultSequence
from gecval.results.table import DELIMITED, Cell, Table, percent
from gecval.stats import Interval, Resampling
from gecval.studies.scores.passport import ScoreStatistics

if TYPE_CHECKING:
    from pandas import DataFrame

    from gecval.studies.compare.result import Comparison


@dataclass(frozen=True, kw_only=True)
class Score:
    """One system's score under one metric, and all that is needed to get it again.

    ``interval`` and its confidence ``level`` are None where no interval was asked for. ``sentences`` holds the score of
    every sentence where that was asked for. So do ``ranks``, the best and the worst rank that chance allows, and
    ``cluster``, the number of the group of systems that are not significantly different; 1 is the best group.
    """

    system: str
    metric: str
    score: float
    parts: Mapping[str, float]
    interval: Interval | None = None
    level: float | None = None
    signature: str
    notes: tuple[str, ...] = ()
    higher_is_better: bool = True
    sentences: Array | None = None
    ranks: tuple[int, int] | None = None
    cluster: int | None = None


class SentenceMatrix(Mapping[tuple[str, str], Array]):
    """The scores of all sentences: ``matrix["mine", "gleu"]``, ``numpy.asarray(matrix)``, ``matrix.to_frame()``.

    The array has a row for each sentence, and a column for each system and metric, in the order of the scores.
    """

    def __init__(self, columns: Mapping[tuple[str, str], Array]) -> None:
        self._columns = columns

    def __getitem__(self, key: tuple[str, str]) -> Array:
        return self._columns[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def shape(self) -> tuple[int, int]:
        return (len(next(iter(self.values()), ())), len(self))

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return np.stack(list(self.values()), axis=1).astype(dtype or np.float64)

    def to_frame(self) -> DataFrame:
        """A pandas DataFrame whose columns are system and metric; its index counts sentences from 0."""
        pandas = import_extra("pandas", "a data frame", "pandas")
        frame: DataFrame = pandas.DataFrame(dict(self._columns))
        frame.columns.names = ["system", "metric"]
        return frame

    def __repr__(self) -> str:
        return f"<Scores of {self.shape[0]} sentences: {', '.join(map(' under '.join, self))}>"


@dataclass(frozen=True, kw_only=True, repr=False)
class Scores(ResultSequence[Score]):
    """Scores of systems under metrics: a sequence of ``Score``, system after system.

    ``statistics`` are what the scores were computed from, for files; they are no part of the JSON.

    Examples
    --------
    >>> import gecval
    >>> scores = gecval.evaluate(["He go home ."], ["He goes home ."], [["He goes home ."]], metrics=["gleu", "ld"])
    >>> scores["hypothesis", "gleu"].score, len(scores)
    (1.0, 2)
    """

    kind: ClassVar[str] = "scores"
    view: ClassVar[str] = "score_tables"
    main: ClassVar[str] = "scores"
    hidden: ClassVar[tuple[str, ...]] = ("statistics",)

    scores: tuple[Score, ...]
    statistics: ScoreStatistics | None = field(default=None, compare=False)

    def save_passport(self, path: str | Path) -> None:
        """Write a passport: the statistics from which ``gecval.verify`` computes everything again, without the data.

        Metrics that name code, files or addresses have no passport, and neither have contests of systems.
        """
        write_files({Path(path): self._known_statistics().passport_lines()})

    def save_part(self, path: str | Path, *, shard: tuple[int, int] = (1, 1), totals: Resampling | None = None) -> None:
        """Write the statistics for ``gecval.merge``: the corpus is one part of a larger one.

        Parameters
        ----------
        path
            The file to write.
        shard
            Which part it is: ``(2, 8)`` is the second of eight. Intervals and tests are those of the whole corpus, so
            score a part without ``resampling``.
        totals
            Save sums only, and those of so many Poisson resamples: for corpora whose rows are too many to be gathered.
        """
        write_files({Path(path): self._known_statistics().part_lines(shard, totals)})

    def _known_statistics(self) -> ScoreStatistics:
        if self.statistics is None:
            raise InputError("these scores were put together, and have no statistics: save each of them before that")
        return self.statistics

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.system for score in self.scores))

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.metric for score in self.scores))

    def to_flat_dict(self) -> dict[str, float]:
        """The numbers by name, for programs that log them: MLflow, Weights & Biases, a Trainer.

        A name is the metric's, with that of the system before it where there are several. The parts of a score and the
        ends of its interval follow. Signs that loggers refuse, such as parentheses, become ``_``.

        >>> import gecval
        >>> gecval.evaluate(["a b"], ["a c"], ["a c"], metrics="gleu(n=2), m2", edits="plain").to_flat_dict()
        ... # doctest: +NORMALIZE_WHITESPACE
        {'gleu_n_2': 1.0, 'm2': 1.0, 'm2_precision': 1.0, 'm2_recall': 1.0, 'm2_correct': 1.0, 'm2_proposed': 1.0,
         'm2_gold': 1.0}
        """
        several = len(self.systems) > 1
        flat: dict[str, float] = {}
        for score in self.scores:
            name = re.sub(r"[^\w./-]+", "_", f"{score.system}/{score.metric}" if several else score.metric).strip("_")
            ends = {"low": score.interval.low, "high": score.interval.high} if score.interval else {}
            numbers = {name: score.score} | {f"{name}_{part}": value for part, value in {**score.parts, **ends}.items()}
            if flat.keys() & numbers.keys():
                raise InputError(f"two scores would both be called {name}: give the metric or the system another name")
            flat |= {key: float(value) for key, value in numbers.items()}
        return flat

    @property
    def sentences(self) -> SentenceMatrix:
        """The score of every sentence, for each system and metric: an array, and a data frame."""
        entries = self.statistics.entries if self.statistics else ()
        known = {(entry.key[0], entry.key[1]): entry.evaluation for entry in entries}
        columns = {}
        for score in self.scores:
            key = score.system, score.metric
            if score.sentences is None and key not in known:
                raise InputError(f"the sentence scores of {score.system} are gone: score again with sentences=True")
            columns[key] = known[key].sentence_scores() if score.sentences is None else score.sentences
        return SentenceMatrix(columns)

    def __getitem__(self, key: int | str | tuple[str, str]) -> Score:
        """The n-th score, or that of a system under a metric. One of the two is enough where there is one score of it.

        >>> import gecval
        >>> gecval.evaluate(["a b"], ["a c"], ["a c"], metrics="accuracy")["accuracy"].score
        1.0
        """
        if isinstance(key, int):
            return self.scores[key]
        given = f"systems: {', '.join(self.systems)}; metrics: {', '.join(self.metrics)}"
        pair = (key,) if isinstance(key, str) else tuple(key)
        found = [score for score in self.scores if key in (score.system, score.metric, (score.system, score.metric))]
        if not found:
            raise KeyError(f"no score of {' under '.join(map(str, pair))}; {given}")
        if len(found) > 1:
            example = (self.systems[0], key) if key in self.metrics else (key, self.metrics[0])
            raise KeyError(f"{len(found)} scores of {key}: write scores[{example[0]!r}, {example[1]!r}]; {given}")
        return found[0]

    def with_more(self, more: Scores) -> Scores:
        """These scores and more, of other systems or metrics."""
        both = self.scores + more.scores
        if len({(score.system, score.metric) for score in both}) < len(both):
            raise InputError("the two results score the same system under the same metric")
        return Scores(scores=both, notes=tuple(dict.fromkeys(self.notes + more.notes)))


# Scores as tables.


def score_tables(scores: Scores, style: str = "text", *, parts: bool | None = None) -> list[Table]:
    """Sentence by sentence where that was asked for; for programs a row per score, for people a row per system."""
    if any(score.sentences is not None for score in scores):
        return [sentence_table(scores)]
    return [long_table(scores) if style in DELIMITED else score_table(scores, parts=parts)]


def score_table(scores: Scores, *, parts: bool | None = None) -> Table:
    """A row per system, a column per metric with its interval, ranks and cluster; the best of each metric is bold.

    ``parts`` says whether to show what scores are made of, such as precision; by default where there is one metric.
    """
    columns = ["system"]
    cells: list[list[Cell]] = [[system] for system in scores.systems]
    bold: set[tuple[int, int]] = set()
    alone = len(scores.metrics) == 1

    def add(name: str, column: Sequence[Cell]) -> None:
        columns.append(name)
        for row, cell in zip(cells, column, strict=True):
            row.append(cell)

    for metric in scores.metrics:
        of_metric = [scores[system, metric] for system in scores.systems]
        first = of_metric[0]
        for part in first.parts if (alone if parts is None else parts) else ():
            add(part if alone else f"{metric} {part}", [score.parts[part] for score in of_metric])
        best = (max if first.higher_is_better else min)(score.score for score in of_metric)
        bold |= {(r, len(columns)) for r, score in enumerate(of_metric) if score.score == best and len(of_metric) > 1}
        add(metric, [score.score for score in of_metric])
        if first.interval is not None and first.level is not None:
            name = f"{percent(first.level)} interval"
            add(name if alone else f"{metric} {name}", [score.interval for score in of_metric])
        if first.ranks is not None:
            add("ranks" if alone else f"{metric} ranks", [ranks_text(score.ranks) for score in of_metric])
            add("cluster" if alone else f"{metric} cluster", [score.cluster for score in of_metric])
    notes = _incomparable(scores) + directions(scores) + signatures(scores)
    return Table(columns, list(cells), bold=bold, footnotes=notes)


def ranks_text(ranks: tuple[int, int] | None) -> str:
    """A range of ranks.

    >>> ranks_text((1, 3)), ranks_text((2, 2))
    ('1-3', '2')
    """
    best, worst = ranks or ("", "")
    return str(best) if best == worst else f"{best}-{worst}"


def long_table(scores: Iterable[Score]) -> Table:
    """A row per score with everything known about it: for other programs."""
    scores = list(scores)
    ranked = any(score.ranks for score in scores)
    parts = list(dict.fromkeys(name for score in scores for name in score.parts))
    rows: list[Sequence[Cell]] = [
        [
            score.system,
            score.metric,
            score.score,
            score.interval,
            *([*(score.ranks or (None, None)), score.cluster] if ranked else []),
            *(score.parts.get(name) for name in parts),
            score.signature,
        ]
        for score in scores
    ]
    places = ["best rank", "worst rank", "cluster"] if ranked else []
    level = next((score.level for score in scores if score.level is not None), None)
    columns = ["system", "metric", "score", "interval", *places, *parts, "signature"]
    return Table(columns, rows, level=level, intervals=["interval"])


def sentence_table(scores: Scores) -> Table:
    """A row per sentence, a column per system and metric."""
    columns = [score.sentences for score in scores if score.sentences is not None]
    rows: list[Sequence[Cell]] = [
        [number, *map(float, values)] for number, values in enumerate(zip(*columns, strict=True), start=1)
    ]
    return Table(["sentence", *(f"{score.system} {score.metric}" for score in scores)], rows)


def _incomparable(scores: Scores) -> list[str]:
    """A warning where one column holds scores of one metric under different settings, data or versions."""
    signatures: dict[str, set[str]] = {}
    for score in scores:
        signatures.setdefault(score.metric, set()).add(score.signature)
    return [
        f"warning: the scores of {metric} are not comparable, their signatures differ"
        for metric, different in signatures.items()
        if len(different) > 1
    ]


# What stands below tables of scores: which way is up, and the signatures.


class Directed(Protocol):
    """A result of a metric that knows which way is up."""

    @property
    def metric(self) -> str: ...

    @property
    def higher_is_better(self) -> bool: ...


def directions(results: Iterable[Score | Comparison]) -> list[str]:
    lower = dict.fromkeys(result.metric for result in results if not result.higher_is_better)
    return [f"{name}: lower is better" for name in lower]


def negated(results: Iterable[Directed]) -> list[str]:
    """What tables of agreement say: there, more is better for every metric."""
    lower = dict.fromkeys(result.metric for result in results if not result.higher_is_better)
    return [f"{name}: lower is better, so that the figures are those of the negated score" for name in lower]


def signatures(results: Iterable[Score | Comparison]) -> list[str]:
    """Every signature once; before them, a public corpus by its name."""
    printed = list(dict.fromkeys(result.signature for result in results))
    sources = dict.fromkeys(re.findall(r"\|source:([0-9a-f]{8})(?![^|])", "\n".join(printed)))
    known = ((source, name_corpus(source)) for source in sources)
    return [*(f"source:{source} is the {name}" for source, name in known if name), *printed]
