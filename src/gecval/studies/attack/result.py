"""What attacking metrics gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from gecval.results.result import Result
from gecval.results.table import DELIMITED, UNKNOWN, Cell, Signed, Table
from gecval.stats.resampling import MaybeUndefined

# What an adversary is scored against: all references; or, for one that learns from references, the half that it has
# seen and the half that it has not.
Against = Literal["all", "seen", "held out"]


@dataclass(frozen=True, kw_only=True)
class AdversaryEntry:
    """An adversary by name, and what it does."""

    name: str
    about: str


@dataclass(frozen=True, kw_only=True)
class SystemMark:
    """The score of a real system, against all references."""

    system: str
    metric: str
    score: float


@dataclass(frozen=True, kw_only=True)
class PeopleMark:
    """Annotators, each in turn scored against all others, and the source against the same references: the means.

    They are taken over the ``sentences`` that have most annotators.
    """

    metric: str
    score: float
    source: float
    sentences: int


@dataclass(frozen=True, kw_only=True)
class Attack:
    """One adversary under one metric.

    ``source`` is the score of the source against the same references. ``gain`` is how much better than the source the
    adversary scores: below 0, the attack does harm. ``beats`` names the systems that score worse than the adversary,
    against the same references. A score is undefined where the metric fails on the output; a note says so.
    """

    adversary: str
    metric: str
    against: Against = "all"
    score: MaybeUndefined
    source: float
    gain: MaybeUndefined
    beats: tuple[str, ...] = ()
    higher_is_better: bool = True
    signature: str


@dataclass(frozen=True, kw_only=True)
class Price:
    """What a metric gives away: the points over the source of the best ``adversary``, and which systems that beats.

    Where no adversary beats the source, the best is the source itself, with 0 points. Hill climbing does not count here
    where it climbs with the help of references: some of its edits are right. ``luck`` is how much more it gains on the
    references that it has seen than on the others: it guessed the annotator. It is None where there is no
    such bet, as for metrics without references.
    """

    metric: str
    adversary: str
    score: float
    source: float
    points: float
    beats: tuple[str, ...] = ()
    luck: float | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Attacks(Result):
    """Adversaries under metrics: a sequence of ``Attack``, metric after metric.

    ``people`` is empty where no sentence has two annotators.
    """

    kind: ClassVar[str] = "attacks"
    view: ClassVar[str] = "attack_tables"
    main: ClassVar[str] = "attacks"

    sentences: int
    references: str
    seed: int
    adversaries: tuple[AdversaryEntry, ...]
    attacks: tuple[Attack, ...]
    prices: tuple[Price, ...]
    systems: tuple[SystemMark, ...] = ()
    people: tuple[PeopleMark, ...] = ()

    def __len__(self) -> int:
        return len(self.attacks)

    def __iter__(self) -> Iterator[Attack]:
        return iter(self.attacks)

    def __getitem__(self, key: tuple[str, str] | tuple[str, str, Against]) -> Attack:
        """An adversary under a metric: against all references unless a third word says against which."""
        adversary, metric, *rest = key
        for attack in self.attacks:
            if (attack.adversary, attack.metric, attack.against) == (adversary, metric, *(rest or ["all"])):
                return attack
        raise KeyError(f"no attack {key}")


# The result as tables.


SIDES: dict[Against, str] = {"all": "", "seen": " (references seen)", "held out": " (held out)"}


def attack_tables(result: Attacks, style: str = "text") -> list[Table]:
    """What each metric gives away, then every adversary under every metric; for programs a row per attack."""
    if style in DELIMITED:
        return [long_table(result)]
    return [price_table(result), adversary_table(result), about_table(result)]


def price_table(result: Attacks) -> Table:
    """A row per metric: the source, people, and the adversary that gets most."""
    people = {mark.metric: mark for mark in result.people}
    rows: list[Sequence[Cell]] = []
    for price in result.prices:
        mark = people.get(price.metric)
        rows.append(
            [
                price.metric,
                price.source,
                price.adversary,
                price.score,
                Signed(price.points),
                beaten(price.beats, len(_systems(result))),
                UNKNOWN if price.luck is None else Signed(price.luck),
                mark.score if mark else UNKNOWN,
                mark.source if mark else UNKNOWN,
            ]
        )
    columns = ["metric", "source", "best adversary", "its score", "score gained", "beats"]
    columns += ["luck", "people", "source next to them"]
    notes = [
        "score gained: what the best adversary scores over the source, without correcting anything",
        "luck: what hill climbing gains on the references that it has seen, beyond its gain on those held out",
        "people: each annotator against the others, which are one reference fewer; the source next to them likewise",
    ]
    notes += [f"{metric}: lower is better" for metric in _metrics(result) if not _up(result, metric)]
    return Table(columns, rows, title="What each metric gives away", footnotes=notes)


def adversary_table(result: Attacks) -> Table:
    """A row per adversary and system, for each metric the score and what it is above the source."""
    metrics = _metrics(result)
    columns = ["adversary", *(column for metric in metrics for column in (metric, f"{metric} gain", f"{metric} beats"))]
    attacks = {(row.adversary, row.against, row.metric): row for row in result.attacks}
    marks = {(mark.system, mark.metric): mark.score for mark in result.systems}
    rows: list[Sequence[Cell]] = []
    for adversary, against in dict.fromkeys((row.adversary, row.against) for row in result.attacks):
        of_metrics = [attacks.get((adversary, against, metric)) for metric in metrics]
        cells = [cell for row in of_metrics for cell in _cells(row, len(_systems(result)))]
        rows.append([f"{adversary}{SIDES[against]}", *cells])
    for system in _systems(result):
        rows.append([f"system {system}", *(c for metric in metrics for c in (marks[system, metric], None, None))])
    title = f"Adversaries on {result.sentences} sentences with {result.references} references, seed {result.seed}"
    return Table(
        columns, rows, title=title, footnotes=["gain: better than the source by so much", *_signatures(result)]
    )


def about_table(result: Attacks) -> Table:
    """What each adversary does."""
    rows: list[Sequence[Cell]] = [[entry.name, entry.about] for entry in result.adversaries]
    return Table(["adversary", "what it does"], rows, title="The adversaries")


def long_table(result: Attacks) -> Table:
    """A row per attack: for other programs."""
    rows: list[Sequence[Cell]] = [
        [row.metric, row.adversary, row.against, row.score, row.source, row.gain, " ".join(row.beats), row.signature]
        for row in result.attacks
    ]
    return Table(["metric", "adversary", "against", "score", "source", "gain", "beats", "signature"], rows)


def beaten(systems: Sequence[str], of: int) -> str | None:
    """How many systems an adversary beats.

    >>> beaten(["A", "B"], 3), beaten([], 0)
    ('2 of 3', None)
    """
    return f"{len(systems)} of {of}" if of else None


def _cells(row: Attack | None, systems: int) -> list[Cell]:
    return [row.score, Signed(row.gain), beaten(row.beats, systems)] if row else [None, None, None]


def _metrics(result: Attacks) -> list[str]:
    return [price.metric for price in result.prices]


def _systems(result: Attacks) -> list[str]:
    return list(dict.fromkeys(mark.system for mark in result.systems))


def _up(result: Attacks, metric: str) -> bool:
    return next(row.higher_is_better for row in result.attacks if row.metric == metric)


def _signatures(result: Attacks) -> list[str]:
    return list(dict.fromkeys(row.signature for row in result.attacks if row.against == "all"))
