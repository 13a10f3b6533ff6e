"""What the agreement of annotators is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gecval.errors import shorten
from gecval.results.result import ResultSequence
from gecval.results.table import DELIMITED, Cell, Signed, Table
from gecval.stats import Interval
from gecval.stats.resampling import MaybeUndefined


@dataclass(frozen=True, kw_only=True)
class Agreed:
    """Edit-level F and κ over tokens, each with its interval, over ``sentences`` that the annotators share.

    A figure is undefined where nobody edits anything; then there is no interval.
    """

    sentences: int
    f: MaybeUndefined
    f_interval: Interval | None = None
    kappa: MaybeUndefined
    kappa_interval: Interval | None = None


@dataclass(frozen=True, kw_only=True)
class AnnotatorPair(Agreed):
    """Two annotators: how many edits each made in the sentences that both saw, and how many are the same. κ: Cohen."""

    first: str
    second: str
    first_edits: int
    second_edits: int
    same_edits: int


@dataclass(frozen=True, kw_only=True)
class AnnotatorTwins:
    """Two annotators whose corrections are the same or nearly, in ``equal`` of the ``sentences`` that both saw.

    The test for outliers leaves out ``left_out``.
    """

    first: str
    second: str
    equal: int
    sentences: int
    left_out: str


@dataclass(frozen=True, kw_only=True)
class AnnotatorAgreement(Agreed):
    """An annotator against the rest: all pairs with the annotator, together. ``saw`` sentences and made ``edits``.

    ``precision`` is the share of the annotator's edits that another made too, ``recall`` the share of the others' edits
    that the annotator made, each over all pairs. ``among_others`` is F of the pairs without the annotator, and
    ``distance`` is F minus it. ``outlier`` says that the whole interval of the distance lies below −``far``; None where
    there are fewer than three annotators. Of annotators who are the same or nearly, these three count one; they are
    undefined for the others. κ: Cohen, of the pairs together.
    """

    annotator: str
    saw: int
    edits: int
    precision: MaybeUndefined
    recall: MaybeUndefined
    among_others: MaybeUndefined
    distance: MaybeUndefined
    distance_interval: Interval | None = None
    outlier: bool | None = None


@dataclass(frozen=True, kw_only=True)
class TypeAgreement(Agreed):
    """All pairs together, over edits of one type alone. κ: Fleiss, over tokens that have an edit of this type."""

    type: str
    edits: int


@dataclass(frozen=True, kw_only=True)
class AnnotatorEdits:
    """What an annotator made that another who saw the sentence did not make, as ``words → correction``."""

    annotator: str
    edits: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """A sentence, from 1, on which annotators differ: ``differences`` is the number of edits, over all pairs of
    annotators, that only one of the two made."""

    sentence: int
    source: str
    differences: int
    annotators: tuple[AnnotatorEdits, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class Agreement(ResultSequence[AnnotatorAgreement]):
    """How far the annotators of a corpus agree: over all, each against the rest, each pair, and by type.

    ``twins`` are pairs of annotators who are the same or nearly. ``pairs`` are all, the most alike first.
    ``disagreements`` are the sentences on which they differ, the most different first.

    ``level`` is that of all intervals. Those of ``distance`` are wider: together, they hold at this level.
    """

    kind: ClassVar[str] = "agreement"
    view: ClassVar[str] = "agreement_tables"
    main: ClassVar[str] = "annotators"

    overall: Agreed
    annotators: tuple[AnnotatorAgreement, ...]
    twins: tuple[AnnotatorTwins, ...] = ()
    pairs: tuple[AnnotatorPair, ...]
    types: tuple[TypeAgreement, ...]
    disagreements: tuple[Disagreement, ...]
    level: float
    far: float
    signature: str

    @property
    def outliers(self) -> tuple[str, ...]:
        """The names of annotators who are far from the others."""
        return tuple(row.annotator for row in self.annotators if row.outlier)


# The tables that show it.


FIGURES = ("F", "interval of F", "κ", "interval of κ")
OUTLIER = {True: "yes", False: "no", None: "–"}
DIFFERENT = 10  # sentences that people are shown; programs get all of them
WIDE = 160  # characters of a sentence


def agreement_tables(agreed: Agreement, style: str = "text") -> list[Table]:
    """Who is there twice; all annotators and each against the rest; each pair; each type; where they differ."""
    programs = style in DELIMITED
    listed = [*_annotator_tables(agreed, one=programs), _pair_table(agreed, short=not programs), _type_table(agreed)]
    for table in listed:
        table.level, table.main = agreed.level, "F"
        table.intervals = [name for name in table.columns if name.startswith("interval")]
    tables = [*listed, _disagreement_rows(agreed) if programs else _disagreement_table(agreed)]
    if programs:
        for table, title in zip(tables, ("annotators", "pairs", "types", "sentences", "twins"), strict=False):
            table.title = title
    twins = _twin_table(agreed)
    tables = [*tables, twins] if programs else [twins, *tables]
    shown = [table for table in tables if table.rows]
    shown[-1].footnotes = [*shown[-1].footnotes, *_meanings(agreed), agreed.signature]
    return shown


def _twin_table(agreed: Agreement) -> Table:
    rows: list[Sequence[Cell]] = [
        [pair.first, pair.second, pair.equal, pair.sentences, pair.left_out] for pair in agreed.twins
    ]
    notes = [
        "if a file was given twice by mistake, give it once; the test for outliers leaves one out, all else counts both"
    ]
    columns = ["first", "second", "equal corrections", "sentences", "left out of the test"]
    return Table(columns, rows, title="The same annotations twice, or nearly", footnotes=notes)


def _figures(row: Agreed) -> list[Cell]:
    return [row.f, row.f_interval, row.kappa, row.kappa_interval]


def _annotator_tables(agreed: Agreement, *, one: bool) -> list[Table]:
    """Each annotator against the rest; whether one is far from the others is a table of its own for people."""
    columns = ["annotator", "sentences", "edits", "precision", "recall", *FIGURES]
    rows: list[Sequence[Cell]] = [
        [row.annotator, row.sentences, row.edits, row.precision, row.recall, *_figures(row)]
        for row in agreed.annotators
    ]
    everybody: list[Cell] = ["all", agreed.overall.sentences, sum(row.edits for row in agreed.annotators), None, None]
    rows.append([*everybody, *_figures(agreed.overall)])
    distance_columns = ["F among others", "distance", "interval of distance", "outlier"]
    distances: list[Sequence[Cell]] = [
        [row.among_others, Signed(row.distance), row.distance_interval, OUTLIER[row.outlier]]
        for row in agreed.annotators
    ]
    outliers = {(r, 0) for r, row in enumerate(agreed.annotators) if row.outlier}
    title = "Each annotator against the rest"
    if one:
        rows = [[*row, *more] for row, more in zip(rows, [*distances, [None] * 4], strict=True)]
        return [Table([*columns, *distance_columns], rows, title=title)]
    tables = [Table(columns, rows, title=title, bold=outliers, bold_note="outliers")]
    left_out = dict.fromkeys(pair.left_out for pair in agreed.twins)
    if len(agreed.annotators) - len(left_out) > 2:  # of two, both are as far
        judged = [
            (row, more) for row, more in zip(agreed.annotators, distances, strict=True) if row.annotator not in left_out
        ]
        rows = [[row.annotator, row.among_others + row.distance if left_out else row.f, *more] for row, more in judged]
        outliers = {(r, 0) for r, (row, _) in enumerate(judged) if row.outlier}
        columns = ["annotator", "F", *distance_columns]
        table = Table(columns, rows, title="Who is far from the others", bold=outliers, bold_note="outliers")
        if left_out:
            table.footnotes.append(f"without {', '.join(left_out)}: the same as another annotator, or nearly")
        tables.append(table)
    return tables


def _pair_table(agreed: Agreement, *, short: bool) -> Table:
    """For people, without the counts that the annotators' own table has: it fits 80 columns."""
    if short:
        few: list[Sequence[Cell]] = [
            [pair.first, pair.second, pair.same_edits, pair.f, pair.f_interval, pair.kappa] for pair in agreed.pairs
        ]
        return Table(["first", "second", "same edits", *FIGURES[:3]], few, title="Each pair, the most alike first")
    columns = ["first", "second", "sentences", "first edits", "second edits", "same edits", *FIGURES]
    rows: list[Sequence[Cell]] = [
        [pair.first, pair.second, pair.sentences, pair.first_edits, pair.second_edits, pair.same_edits, *_figures(pair)]
        for pair in agreed.pairs
    ]
    return Table(columns, rows, title="Each pair")


def _type_table(agreed: Agreement) -> Table:
    rows: list[Sequence[Cell]] = [[row.type, row.edits, *_figures(row)] for row in agreed.types]
    return Table(["type", "edits", *FIGURES], rows, title="By type of edit")


def _disagreement_table(agreed: Agreement) -> Table:
    """Below each sentence, what each annotator made and another did not."""
    shown = agreed.disagreements[:DIFFERENT]
    rows: list[Sequence[Cell]] = []
    for row in shown:
        rows.append([str(row.sentence), "source", shorten(row.source, WIDE)])
        rows += [["", who.annotator, "; ".join(who.edits) or "–"] for who in row.annotators]
    title = f"Where they differ most: {len(shown)} of {len(agreed.disagreements):,} sentences"
    notes = ["edits: those that another annotator of the sentence did not make; ∅: no word"]
    return Table(["sentence", "who", "text, and edits"], rows, title=title, footnotes=notes)


def _disagreement_rows(agreed: Agreement) -> Table:
    """A row for each annotator of every sentence on which they differ: for other programs."""
    rows: list[Sequence[Cell]] = [
        [row.sentence, row.differences, who.annotator, "; ".join(who.edits)]
        for row in agreed.disagreements
        for who in row.annotators
    ]
    return Table(["sentence", "differences", "annotator", "not made by others"], rows)


def _meanings(agreed: Agreement) -> list[str]:
    return [
        "F: 2 × same edits / all edits of two annotators, over sentences that both saw; same: span and a correction",
        "κ: over tokens that are changed or not; Cohen's of pairs, Fleiss' of all annotators and of types",
        f"outlier: the interval of distance, F − F among others, lies below −{agreed.far:g}; these intervals hold "
        "together at the level",
    ]
