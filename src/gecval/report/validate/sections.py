"""A card as sections: a heading, what it says in plain words, its tables. Every way to show a card goes through these.

A section whose numbers are lacking is left out; the last section says what is lacking, and what to do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gecval.report.attacks import SIDES, beaten
from gecval.report.grid import P, Signed
from gecval.report.table import UNKNOWN, Cell, Table, percent
from gecval.studies.attacks.results import PeopleMark
from gecval.studies.validate.results import Card

MOST_TYPES = 15  # types of errors in the table; JSON, TSV and CSV have all


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of a card."""

    title: str
    text: str
    table: Table


def sections(card: Card) -> list[Section]:
    """The sections of a card, in the order in which people should read them."""
    parts = (_summary, _agreement, _against, _maege, _types, _coverage, _gaming, _edges, _lacking)
    return [section for part in parts for section in part(card)]


def about(card: Card) -> list[tuple[str, str]]:
    """What the metric is, in words."""
    entry, measured = card.about, card.measured
    facts = [
        ("purpose", entry.summary),
        ("needs", entry.needs),
        ("several references", entry.references if entry.needs != "source" else ""),
        ("better", "higher" if entry.higher_is_better else "lower"),
        (
            "sentence scores seen",
            f"{measured.lowest:.4g} to {measured.highest:.4g}, for the source, a reference and a system"
            if measured
            else "",
        ),
        ("cost", cost(card)),
        (
            "parameters, by default",
            ", ".join(f"{parameter.name}={parameter.default}" for parameter in entry.parameters),
        ),
        ("paper", entry.paper),
        ("measured on", card.grounds),
    ]
    return [(name, text) for name, text in facts if text]


def cost(card: Card) -> str:
    """What scoring costs, in words: it differs from machine to machine."""
    if card.measured is None:
        return ""
    threads = "1 thread" if card.measured.jobs == 1 else f"{card.measured.jobs} threads"
    clock = f"{card.measured.seconds:g} s by the clock where this card was made, with {threads}"
    return f"about {card.measured.cpu_seconds:g} CPU seconds for 1000 sentences ({clock})"


def _summary(card: Card) -> Iterator[Section]:
    rows: list[Sequence[Cell]] = []
    for agreement in card.agreement:
        what = f"agrees with people about systems: r on {agreement.judgments}, {agreement.outputs}"
        rows.append([what, agreement.pearson.value, agreement.pearson.interval])
    if card.maege:
        tau = card.maege.summary.sentence_tau
        rows.append(["prefers better corrections of a sentence: MAEGE's τ", tau.mean, tau.interval])
    if card.gaming:
        price = card.gaming.price
        best = f"by the adversary {price.adversary!r}" if price.points > 0 else "no adversary beats the source"
        rows.append([f"points without merit, {best}", Signed(price.points), None])
        if price.luck is not None:
            rows.append(["points for luck with references", Signed(price.luck), None])
    if rows:
        yield Section(
            title="In short",
            text="Agreement goes from -1 (always against) to 1 (always with). Points are on the metric's own scale.",
            table=Table(["what", "figure", "interval"], rows, digits=3),
        )


def _agreement(card: Card) -> Iterator[Section]:
    if not card.agreement:
        return
    rows: list[Sequence[Cell]] = [
        [
            f"{row.judgments}, {row.outputs}",
            row.pearson.n,
            row.pearson.value,
            row.pearson.interval,
            row.spearman.value,
            row.spearman.interval,
            row.kendall.value,
            row.accuracy,
            row.accuracy_interval,
            row.pairs,
        ]
        for row in card.agreement
    ]
    columns = ["judgments", "systems", "r", "r interval", "ρ", "ρ interval", "τ", "accuracy", "accuracy interval"]
    yield Section(
        title="Agreement with people",
        text="Over systems: correlation of the metric's scores of the judged sentences with Expected Wins (r Pearson, "
        "ρ Spearman, τ Kendall). Over sentences: how often the metric prefers the output that people prefer; a tie "
        "counts half. All intervals are 95%. SEEDA's base systems are without the source and the two fluent systems.",
        table=Table([*columns, "pairs"], rows, digits=3, plain=("systems", "pairs")),
    )


def _against(card: Card) -> Iterator[Section]:
    if not card.against:
        return
    others = list(dict.fromkeys(row.other for row in card.against))
    tests = {(row.judgments, row.outputs, row.other): row for row in card.against}
    rows: list[Sequence[Cell]] = []
    for judgments, outputs in dict.fromkeys((row.judgments, row.outputs) for row in card.against):
        of_pair = [tests.get((judgments, outputs, other)) for other in others]
        cells: list[Cell] = [
            cell for test in of_pair for cell in ((Signed(test.difference), P(test.p)) if test else (UNKNOWN, UNKNOWN))
        ]
        rows.append([f"{judgments}, {outputs}", *cells])
    columns = [column for other in others for column in (f"r minus {other}'s", f"p against {other}")]
    yield Section(
        title="Against other metrics",
        text="The difference of Pearson's r, and p by Williams' test: above 0.05, the judgments cannot tell whether "
        "this metric agrees better with people than the other.",
        table=Table(["judgments", *columns], rows, digits=3),
    )


def _maege(card: Card) -> Iterator[Section]:
    if not card.maege:
        return
    levels, summary = card.maege, card.maege.summary
    named = {
        "corpora, Spearman's ρ": summary.corpus_spearman,
        "corpora, Pearson's r": summary.corpus_pearson,
        "sentences, τ": summary.sentence_tau,
        "sentences, Pearson's r": summary.sentence_pearson,
    }
    interval = f"{percent(levels.level)} interval"
    rows: list[Sequence[Cell]] = [[name, mean.mean, mean.interval] for name, mean in named.items()]
    rows.append(["sentences, share of ties", summary.tie_rate, None])
    yield Section(
        title="MAEGE: corrections of known order",
        text="Does the score rise where more of an annotator's edits are applied? Over corpora and over sentences; by "
        f"type of error below. A quick look: {levels.replicates} replicates, on {levels.sentences} sentences with "
        f"{levels.references} references. `gecval maege` does more.",
        table=Table(["level", "agreement", interval], rows, digits=3),
    )


def _types(card: Card) -> Iterator[Section]:
    types = sorted(card.maege.types if card.maege else (), key=lambda row: -row.edits)[:MOST_TYPES]
    if not (types and card.maege):
        return
    rows: list[Sequence[Cell]] = [[row.type, row.edits, Signed(row.delta.mean), row.delta.interval] for row in types]
    yield Section(
        title="Sensitivity by type of error",
        text="What one right edit of a type adds to the score of a sentence, on average. "
        f"{'Below' if card.about.higher_is_better else 'Above'} 0, the metric punishes right edits of this type. "
        f"The {len(types)} most frequent types.",
        table=Table(
            ["type", "edits", "Δ", f"{percent(card.maege.level)} interval"], rows, digits=3, plain=("edits", "Δ")
        ),
    )


def _coverage(card: Card) -> Iterator[Section]:
    if not card.coverage:
        return
    rows: list[Sequence[Cell]] = [[point.references, point.people, point.source] for point in card.coverage]
    yield Section(
        title="Coverage bias",
        text="What people score against other people, with so many references a sentence, and what the source scores. "
        f"A score of people that {'grows' if card.about.higher_is_better else 'falls'} with the references says: a "
        "right correction loses points because few references know it.",
        table=Table(["references", "people", "source"], rows, plain=("references",)),
    )


def _gaming(card: Card) -> Iterator[Section]:
    if not card.gaming:
        return
    gaming, systems = card.gaming, len(card.gaming.systems)
    rows: list[Sequence[Cell]] = [
        [f"{row.adversary}{SIDES[row.against]}", row.score, Signed(row.gain), beaten(row.beats, systems)]
        for row in gaming.attacks
    ]
    rows += [[f"system {mark.system}", mark.score, None, None] for mark in gaming.systems]
    if gaming.people:
        rows.append(
            ["people, each against the others", gaming.people.score, Signed(_people_gain(card, gaming.people)), None],
        )
    yield Section(
        title="The price of gaming",
        text="Adversaries correct nothing. Points over the source are points without merit. What the lottery gains on "
        "references that it has seen, and not on those held out, is luck. `gecval attack` says what each "
        "adversary does.",
        table=Table(
            ["adversary", "score", "over the source", "beats systems"],
            rows,
            footnotes=[*gaming.notes, gaming.attacks[0].signature],
        ),
    )


def _people_gain(card: Card, people: PeopleMark) -> float:
    """People over the source, against the same references."""
    return people.score - people.source if card.about.higher_is_better else people.source - people.score


def _edges(card: Card) -> Iterator[Section]:
    rows: list[Sequence[Cell]] = [
        [case.name, case.source, case.hypothesis, case.reference, case.score] for case in card.edges
    ]
    yield Section(
        title="Edge cases",
        text="Single sentences at the edge, each scored as a corpus of its own.",
        table=Table(
            ["case", "source", "output", "reference", "score"],
            rows,
            footnotes=[f"{case.name}: {case.failed}" for case in card.edges if case.failed],
        ),
    )


def _lacking(card: Card) -> Iterator[Section]:
    if card.lacking:
        rows: list[Sequence[Cell]] = [[row.part, row.why] for row in card.lacking]
        yield Section(
            title="What is lacking",
            text="These parts could not be measured here.",
            table=Table(["part", "why, and what to do"], rows),
        )
