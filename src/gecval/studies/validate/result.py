"""What validating metrics gives: a card for each.

A part of a card that could not be measured is empty, and ``lacking`` says why and what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from gecval.errors import InputError
from gecval.formats import write_files
from gecval.results.result import Result
from gecval.stats import Interval
from gecval.stats.correlation import Correlation
from gecval.stats.resampling import MaybeUndefined
from gecval.studies.attack.result import Attack, PeopleMark, Price, SystemMark
from gecval.studies.human.preferences import Difference, PreferredPairs, Share
from gecval.studies.maege.result import MetricSummary, TypeDelta
from gecval.studies.metrics.study import MetricEntry


@dataclass(frozen=True, kw_only=True)
class EdgeCase:
    """A single sentence at the edge of what a metric may meet. ``failed`` says why there is no score."""

    name: str
    source: str
    hypothesis: str
    reference: str
    score: MaybeUndefined
    failed: str | None = None


@dataclass(frozen=True, kw_only=True)
class Measured:
    """The lowest and highest sentence scores that were seen, and what scoring cost.

    ``seconds`` are the clock's for 1000 sentences, with ``jobs`` threads; ``cpu_seconds`` are the CPU time of all
    threads together, which a busy machine hardly changes. Both are rounded to one digit: they vary with the machine.
    """

    lowest: float
    highest: float
    seconds: float
    cpu_seconds: float
    sentences: int
    jobs: int


@dataclass(frozen=True, kw_only=True)
class MaegeLevels:
    """MAEGE (Choshen & Abend 2018) over corpora, over sentences, and by type of error, in a few replicates."""

    summary: MetricSummary
    types: tuple[TypeDelta, ...]
    replicates: int
    sentences: int
    references: str
    level: float


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """A metric against one set of judgments: over systems (Expected Wins), and over pairs of outputs of a sentence.

    ``equal_edits`` is the accuracy over pairs whose outputs have equally many edits, ``over_more_changes`` how far the
    accuracy lies above that of the control *more changes*, and ``second_judge`` the accuracy of another judge.
    """

    judgments: str
    outputs: str  # which systems: all, base, or with fluent
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    accuracy: MaybeUndefined
    accuracy_interval: Interval
    pairs: int
    equal_edits: Share | None = None
    over_more_changes: Difference | None = None
    second_judge: Share | None = None


@dataclass(frozen=True, kw_only=True)
class AgainstMetric:
    """Pearson's r of the metric with people minus that of another metric, and Williams' test of the difference."""

    judgments: str
    outputs: str
    other: str
    difference: MaybeUndefined
    p: MaybeUndefined


@dataclass(frozen=True, kw_only=True)
class CoveragePoint:
    """What people score against so many other annotators, and what the source scores: means over annotators."""

    references: int
    people: float
    source: float


@dataclass(frozen=True, kw_only=True)
class Gaming:
    """The score that can be gained without correcting anything, as ``attack`` finds it."""

    price: Price
    attacks: tuple[Attack, ...]
    systems: tuple[SystemMark, ...]
    people: PeopleMark | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Lacking:
    """A part of a card that is not there, and why."""

    part: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One number of a card: for programs, and for tables over many metrics."""

    metric: str
    part: str
    item: str
    value: MaybeUndefined
    low: MaybeUndefined | None = None
    high: MaybeUndefined | None = None


@dataclass(frozen=True, kw_only=True)
class Card:
    """All that was measured about one metric. ``card.save("gleu.html")`` writes it."""

    metric: str
    about: MetricEntry
    grounds: str  # the corpus that gaming, cost and MAEGE are measured on
    measured: Measured | None = None
    edges: tuple[EdgeCase, ...] = ()
    maege: MaegeLevels | None = None
    agreement: tuple[Agreement, ...] = ()
    against: tuple[AgainstMetric, ...] = ()
    coverage: tuple[CoveragePoint, ...] = ()
    gaming: Gaming | None = None
    lacking: tuple[Lacking, ...] = ()

    def save(self, path: str | Path) -> None:
        """Write the card, as :meth:`Cards.save` writes several."""
        Cards(cards=(self,)).save(path)

    def figures(self) -> Iterator[Figure]:
        """The numbers of the card, one by one, without what it cost."""
        for case in self.edges:
            yield self._figure("edge cases", case.name, case.score)
        if self.maege:
            for name in ("corpus_spearman", "corpus_pearson", "sentence_tau", "sentence_pearson"):
                mean = getattr(self.maege.summary, name)
                yield self._figure("maege", name.replace("_", " "), mean.mean, mean.interval)
            for row in self.maege.types:
                yield self._figure("error types", row.type, row.delta.mean, row.delta.interval)
        for agreement in self.agreement:
            where = f"{agreement.judgments} {agreement.outputs}"
            for name in ("pearson", "spearman", "kendall"):
                correlation = getattr(agreement, name)
                yield self._figure("agreement", f"{where} {name}", correlation.value, correlation.interval)
            yield self._figure("agreement", f"{where} accuracy", agreement.accuracy, agreement.accuracy_interval)
            if equal := agreement.equal_edits:
                yield self._figure("agreement", f"{where} accuracy, equal edits", equal.value, equal.interval)
            if over := agreement.over_more_changes:
                yield self._figure("agreement", f"{where} accuracy over more changes", over.value, over.interval)
        for test in self.against:
            yield self._figure("williams", f"{test.judgments} {test.outputs} p against {test.other}", test.p)
        for point in self.coverage:
            yield self._figure("coverage", f"people, {point.references} references", point.people)
            yield self._figure("coverage", f"source, {point.references} references", point.source)
        for attack in self.gaming.attacks if self.gaming else ():
            yield self._figure("gaming", f"{attack.adversary}, {attack.against} references", attack.score)

    def _figure(self, part: str, item: str, value: float, interval: Interval | None = None) -> Figure:
        low, high = interval or (None, None)
        return Figure(metric=self.metric, part=part, item=item, value=value, low=low, high=high)


@dataclass(frozen=True, kw_only=True, repr=False)
class Cards(Result):
    """The cards of metrics: a sequence of ``Card``."""

    kind: ClassVar[str] = "cards"
    view: ClassVar[str] = "card_tables"
    main: ClassVar[str] = "figures"

    cards: tuple[Card, ...]

    def save(self, path: str | Path) -> None:
        """Write the cards, as the end of the file's name says: .html is a page, .md a document, .json all numbers.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Cards(cards=()).save(Path(folder, "cards.json"))
        """
        from gecval.studies.validate.documents import html, markdown  # they import this module

        writers: dict[str, Callable[[Cards], str]] = {
            ".html": html, ".htm": html, ".md": markdown, ".json": Cards.to_json,
        }  # fmt: skip
        ending = Path(path).suffix.lower()
        if ending not in writers:
            raise InputError(f"{path}: a card is written as {', '.join(writers)}", parameter="path")
        write_files({Path(path): writers[ending](self).rstrip("\n").split("\n")})

    @property
    def figures(self) -> list[Figure]:
        """The rows of ``to_frame``: every number of every card."""
        return [figure for card in self.cards for figure in card.figures()]

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __getitem__(self, key: int | str) -> Card:
        """The n-th card, or that of a metric."""
        if isinstance(key, int):
            return self.cards[key]
        for card in self.cards:
            if card.metric == key:
                return card
        raise KeyError(f"no card of {key!r}; there is {', '.join(card.metric for card in self.cards)}")


@dataclass(frozen=True, kw_only=True)
class MetricRow:
    """A metric, and what each set of judgments says of it."""

    metric: str
    agreement: tuple[Agreement, ...]


@dataclass(frozen=True, kw_only=True)
class PreferredOnSet:
    """The pairs of outputs of one set of judgments of which people prefer one."""

    judgments: str
    outputs: str
    pairs: PreferredPairs


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

    Metrics that could not be computed are not there; ``notes`` say why. ``controls`` are what metrics must beat: the
    amount of change alone, or chance. ``preferred`` says of each set how people's preferences go with it.
    """

    kind: ClassVar[str] = "agreement-table"
    view: ClassVar[str] = "agreement_tables"
    main: ClassVar[str] = "figures"

    metrics: tuple[MetricRow, ...]
    level: float
    controls: tuple[MetricRow, ...] = ()
    preferred: tuple[PreferredOnSet, ...] = ()

    @property
    def figures(self) -> list[AgreementFigure]:
        """Every number, of metrics and of controls: correlations over systems (pearson, spearman, kendall), and
        accuracy over sentences, also where outputs have equally many edits (equal edits).
        """
        rows = [*self.metrics, *self.controls]
        return [figure for row in rows for agreement in row.agreement for figure in _figures(row, agreement)]

    def __len__(self) -> int:
        return len(self.metrics)

    def __iter__(self) -> Iterator[MetricRow]:
        return iter(self.metrics)

    def __getitem__(self, index: int) -> MetricRow:
        return self.metrics[index]


def _figures(row: MetricRow, agreement: Agreement) -> Iterator[AgreementFigure]:
    values = {name: getattr(agreement, name) for name in ("pearson", "spearman", "kendall")}
    numbers = {name: (correlation.value, correlation.interval) for name, correlation in values.items()}
    numbers["accuracy"] = agreement.accuracy, agreement.accuracy_interval
    if agreement.equal_edits:
        numbers["equal edits"] = agreement.equal_edits.value, agreement.equal_edits.interval
    for by, (value, interval) in numbers.items():
        yield AgreementFigure(
            metric=row.metric,
            judgments=agreement.judgments,
            outputs=agreement.outputs,
            by=by,
            value=value,
            interval=interval,
        )
