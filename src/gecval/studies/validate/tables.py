"""Cards as tables: for people section by section, for programs a row per figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite
from shlex import quote

from gecval.results.table import DASH, DELIMITED, UNKNOWN, Cell, P, Signed, Table, decimals, percent, render_tables
from gecval.studies.attack.result import SIDES, PeopleMark, beaten
from gecval.studies.validate.result import AgreementFigure, AgreementTable, Card, Cards, PreferredOnSet


def card_tables(result: Cards, style: str = "text") -> list[Table]:
    if style in DELIMITED:
        return [figure_table(result)]
    return [table for card in result for table in _tables(card)]


def _tables(card: Card) -> list[Table]:
    first = Table(["metric", card.metric], [list(fact) for fact in about(card)])
    first.footnotes = card.about.description.splitlines()
    tables = [first]
    for section in sections(card):
        section.table.title = f"{card.metric}: {section.title}"
        section.table.footnotes = [section.text, *section.table.footnotes]
        tables.append(section.table)
    return tables


def figure_table(result: Cards) -> Table:
    """A row per figure of all cards."""
    rows: list[Sequence[Cell]] = [
        [figure.metric, figure.part, figure.item, figure.value, figure.low, figure.high] for figure in result.figures
    ]
    return Table(["metric", "part", "item", "value", "low", "high"], rows)


# A card as sections: a heading, what it says in plain words, its tables. Every way to show a card goes through these.
#
# A section whose numbers are lacking is left out; the last section says what is lacking, and what to do.


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
        rows.append([f"score gained without correcting, {best}", Signed(price.points), None])
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
            row.equal_edits.value if row.equal_edits else UNKNOWN,
            row.accuracy - row.over_more_changes.value if row.over_more_changes else UNKNOWN,
            row.second_judge.value if row.second_judge else UNKNOWN,
        ]
        for row in card.agreement
    ]
    columns = ["judgments", "systems", "r", "r interval", "ρ", "ρ interval", "τ", "accuracy", "accuracy interval"]
    yield Section(
        title="Agreement with people",
        text="Over systems: correlation of the metric's scores of the judged sentences with Expected Wins (r Pearson, "
        "ρ Spearman, τ Kendall). Over sentences: how often the metric prefers the output that people prefer; a tie "
        "counts half. All intervals are 95%. SEEDA's base systems are without the source and the two fluent systems. "
        "Equal edits: accuracy over pairs whose outputs have equally many edits. Next to it is the accuracy of a "
        "control that prefers what was changed more, and of a second judge.",
        table=Table(
            [*columns, "pairs", "equal edits", "more changes", "second judge"],
            rows,
            digits=3,
            plain=("systems", "pairs"),
        ),
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
        text="Adversaries correct nothing: what they score over the source is gained without correcting. What hill "
        "climbing gains on references that it has seen, and not on those held out, is luck. `gecval attack` says what "
        "each adversary does.",
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


# The table of all metrics and all sets of judgments: on the screen, for programs, and as a page of documentation.


SIGNS = {"pearson": "r", "spearman": "ρ", "kendall": "τ", "accuracy": "accuracy", "equal edits": "equal edits"}
# Each table of the page shows one of the figures.
TITLES = {
    "pearson": "Over systems: Pearson's r",
    "spearman": "Over systems: Spearman's ρ",
    "kendall": "Over systems: Kendall's τ",
    "accuracy": "Over sentences: accuracy",
    "equal edits": "Over sentences: accuracy where outputs have equally many edits",
}
TEXTS = {
    "pearson": "Do the metric's scores of systems rise with people's? 1 is perfect, 0 is chance.",
    "spearman": "The same for ranks: does the metric order the systems as people do?",
    "kendall": "Pairs of systems in the same order minus pairs in the other, of all pairs.",
    "accuracy": "Of two outputs of a sentence, does the metric prefer the one that people prefer? 0.5 is a coin's.",
    "equal edits": "The same over the pairs of outputs that have equally many edits, by plain rules. What a metric is "
    "worth here does not come from the amount of change.",
}
ABOUT = (
    "People's scores are Expected Wins; metrics score the judged sentences. GJG15 and NSPT15 have the participants of "
    "CoNLL-2014 and the source. SEEDA has newer systems. Its base leaves out the source and the two fluent outputs, "
    "GPT-3.5 and REF-F; `with fluent` has these two. The references are CoNLL-2014's two official ones, with the "
    "annotators' own edits. A metric's tie counts half."
)


def agreement_tables(result: AgreementTable, style: str = "text") -> list[Table]:
    """A table for each set of judgments; for programs a row per figure."""
    if style in DELIMITED:
        rows: list[Sequence[Cell]] = [
            [figure.metric, figure.judgments, figure.outputs, figure.by, figure.value, figure.interval]
            for figure in result.figures
        ]
        columns = ["metric", "judgments", "outputs", "by", "value", "interval"]
        return [Table(columns, rows, level=result.level, main="value", intervals=["interval"])]
    sets = dict.fromkeys((figure.judgments, figure.outputs) for figure in result.figures)
    return [_table(result, *judged) for judged in sets]


def _table(result: AgreementTable, judgments: str, outputs: str) -> Table:
    """One set of judgments, all metrics."""
    figures = {
        (figure.metric, figure.by): figure
        for figure in result.figures
        if (figure.judgments, figure.outputs) == (judgments, outputs)
    }
    rows: list[Sequence[Cell]] = []
    for row in [*result, *result.controls]:
        cells: list[Cell] = [row.metric]
        for by in SIGNS:
            figure = figures.get((row.metric, by))
            cells += [figure.value, figure.interval] if figure else [None, None]
        rows.append(cells)
    intervals = [f"{sign} interval" for sign in SIGNS.values()]
    columns = ["metric", *(name for pair in zip(SIGNS.values(), intervals, strict=True) for name in pair)]
    notes = [
        f"r, ρ and τ over systems, with Expected Wins; accuracy over sentences. Intervals are {percent(result.level)}.",
        *(_describe_pairs(row) for row in result.preferred if (row.judgments, row.outputs) == (judgments, outputs)),
        f"the last rows are controls, which see no grammar: {', '.join(row.metric for row in result.controls)}",
    ]
    return Table(columns, rows, title=f"{judgments}, {outputs}", digits=3, intervals=intervals, footnotes=notes)


def _describe_pairs(row: PreferredOnSet) -> str:
    pairs = row.pairs
    more, fewer, second = (f"{share.value:.0%}" for share in (pairs.more_edits, pairs.fewer_edits, pairs.second_judge))
    return (
        f"in {more} of {pairs.more_edits.pairs:,} pairs the preferred output has more edits, in {fewer} fewer; a "
        f"second judge agrees in {second}"
    )


def agreement_page(result: AgreementTable, output: str, asked: Sequence[str] | None) -> str:
    """The tables as a page in Markdown. Its last line is the command that made it; ``asked`` are the metrics named."""
    parts = ["# Which metric agrees with people?", ABOUT]
    for by, title in TITLES.items():
        sets, figures = _place_figures(result, by)
        table = Table(["metric", *sets])
        table.rows += [
            [name, *(_cell(figures.get((row.metric, place))) for place in sets)]
            for name, row in [
                *((row.metric, row) for row in result),
                *((f"*{row.metric}*", row) for row in result.controls),
            ]
        ]
        if by == "accuracy":
            table.rows += [["*second judge*", *(_ceiling(result, place) for place in sets)]]
        parts += [f"## {title}", TEXTS[by], escape(render_tables([table], "markdown"), quote=False)]
    intervals = f"In brackets are {percent(result.level)} intervals."
    parts += ["## How it was made", intervals, *(f"- {escape(note, quote=False)}" for note in result.notes)]
    named = f" -m {quote(','.join(asked))}" if asked else ""
    return "\n\n".join([*parts, f"    gecval validate --agreement{named} -o {quote(output)}"])


def _place_figures(result: AgreementTable, by: str) -> tuple[list[str], dict[tuple[str, str], AgreementFigure]]:
    """The sets of judgments in their order, and the figure of each metric and set."""
    figures = {
        (figure.metric, f"{figure.judgments}, {figure.outputs}"): figure for figure in result.figures if figure.by == by
    }
    return list(dict.fromkeys(place for _, place in figures)), figures


def _ceiling(result: AgreementTable, place: str) -> str:
    """What a second judge agrees with."""
    shares = (row.pairs.second_judge for row in result.preferred if f"{row.judgments}, {row.outputs}" == place)
    return next((f"{share.value:.2f} [{share.interval.low:.2f}, {share.interval.high:.2f}]" for share in shares), DASH)


def _cell(figure: AgreementFigure | None) -> str:
    if figure is None or not isfinite(figure.value):
        return DASH
    value, low, high = (decimals(number, 2) for number in (figure.value, *figure.interval))
    return f"{value} [{low}, {high}]"
