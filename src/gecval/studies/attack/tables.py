"""Adversaries under metrics, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.results.table import DELIMITED, UNKNOWN, Cell, Signed, Table
from gecval.studies.attack.result import Against, Attack, Attacks

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
    columns = ["metric", "source", "best adversary", "its score", "points without merit", "beats"]
    columns += ["luck in the lottery", "people", "source next to them"]
    notes = [
        "points without merit: what the best adversary scores over the source",
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
