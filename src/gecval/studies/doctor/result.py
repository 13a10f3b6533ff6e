"""What the doctor finds in a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from textwrap import shorten as cut
from textwrap import wrap
from typing import ClassVar

from gecval.corpus.language import language_name
from gecval.errors import shorten
from gecval.results.result import ResultSequence
from gecval.results.table import DELIMITED, Cell, Table
from gecval.stats.resampling import MaybeUndefined
from gecval.studies.doctor.findings import visible

UNREADABLE = "cannot be read"  # the kind of a finding about a file that a reader refuses; its effect is what it says


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What is in the corpus. ``references`` says how many a sentence has, as in ``1-2``."""

    origin: str
    sentences: int
    tokens: int
    longest: int
    language: str | None
    annotators: int
    references: str
    edits: int | None
    systems: int


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something suspicious: ``count`` of ``of`` things of this ``unit``, in a file, first seen in these ``lines``.

    ``of`` is None where there is no whole. ``lines`` are lines of a text file, or sentences of a corpus.
    ``score`` is what ``scored`` gets as the files are, and ``fixed`` what it would get: both undefined where
    a fix changes no score, or there is none. ``fix`` is the name of the fix, and ``remedy`` the command that fixes it,
    or shows it.
    """

    kind: str
    where: str
    count: int
    of: int | None
    unit: str
    lines: tuple[int, ...]
    example: str
    effect: str
    scored: str = ""
    score: MaybeUndefined = float("nan")
    fixed: MaybeUndefined = float("nan")
    fix: str = ""
    remedy: str


@dataclass(frozen=True, kw_only=True)
class SelfScore:
    """An annotator's own text, scored by M² against the edits from which it was made.

    ``imperfect`` of the ``annotations`` do not score 1, and ``blamed`` of the ``edits`` are not matched.
    """

    annotator: str
    annotations: int
    edits: int
    precision: float
    recall: float
    f: float
    imperfect: int
    blamed: int


@dataclass(frozen=True, kw_only=True)
class Blamed:
    """An edit that a perfect output is not given credit for, and why."""

    sentence: int
    annotator: str
    start: int
    end: int
    words: str
    correction: str
    type: str
    reason: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Diagnosis(ResultSequence[Finding]):
    """What is in a corpus, what is suspicious, and how gold scores against itself. ``healthy``: nothing is."""

    kind: ClassVar[str] = "diagnosis"
    view: ClassVar[str] = "doctor_tables"
    main: ClassVar[str] = "findings"
    derived: ClassVar[tuple[str, ...]] = ("healthy",)

    contents: Contents | None
    findings: tuple[Finding, ...]
    gold: tuple[SelfScore, ...]
    blamed: tuple[Blamed, ...]

    @property
    def healthy(self) -> bool:
        return not self.findings

    def holds_unreadable(self) -> bool:
        """Whether a file could not be read, so that nothing is known of it."""
        return any(finding.kind == UNREADABLE for finding in self.findings)


# The result as tables.


REMEDIES = "What it does to a score, and how to fix it"
WIDE = 100  # characters of a line
PHRASE = 36  # characters of an edit to blame
SCREEN = 66  # characters of a finding, next to its score
BLAMED = 10  # edits that people are shown; programs get all of them


def doctor_tables(diagnosis: Diagnosis, style: str = "text", *, full: bool = False) -> list[Table]:
    """Contents, and each finding with the command that fixes it; for programs the findings with all that is known.

    With ``full`` also what each does to a score, gold against itself, and the edits to blame.
    """
    if style in DELIMITED:
        return [_long_table(diagnosis)]
    tables = [_contents_table(diagnosis), _screen(diagnosis, full=full)]
    if full:
        tables += [_gold_table(diagnosis), _blamed_table(diagnosis)]
    return [table for table in tables if table.rows] or [_finding_table(diagnosis)]


def _contents_table(diagnosis: Diagnosis) -> Table:
    contents = diagnosis.contents
    columns = ["corpus", "sentences", "words", "longest", "language", "annotators", "references", "edits", "systems"]
    rows: list[Sequence[Cell]] = []
    if contents:
        language = language_name(contents.language) if contents.language else "not clear"
        numbers: list[Cell] = [contents.sentences, contents.tokens, contents.longest, language, contents.annotators]
        rows.append([contents.origin, *numbers, contents.references, contents.edits, contents.systems])
    notes = [] if diagnosis.findings else ["nothing suspicious"]
    return Table(columns, rows, title="What is there", footnotes=notes)


def _finding_table(diagnosis: Diagnosis) -> Table:
    rows: list[Sequence[Cell]] = [
        [number, *_cells(finding), finding.scored, finding.score, finding.fixed]
        for number, finding in enumerate(diagnosis.findings, start=1)
    ]
    columns = ["no.", "what", "where", "count", "of", "unit", "first in", "example", "scored", "score", "fixed"]
    return Table(columns, rows, title="What is suspicious")


def _long_table(diagnosis: Diagnosis) -> Table:
    """A row per finding with all that is said of it: for other programs."""
    table, remedies = _finding_table(diagnosis), _remedy_table(diagnosis)
    rows: list[Sequence[Cell]] = [[*row, *more[1:]] for row, more in zip(table.rows, remedies.rows, strict=True)]
    return Table([*table.columns, *remedies.columns[1:]], rows)


def _cells(finding: Finding) -> list[Cell]:
    lines = ", ".join(map(str, finding.lines))
    return [finding.kind, finding.where, finding.count, finding.of, finding.unit, lines, finding.example]


def _remedy_table(diagnosis: Diagnosis) -> Table:
    rows: list[Sequence[Cell]] = [
        [number, finding.effect, finding.remedy] for number, finding in enumerate(diagnosis.findings, start=1)
    ]
    return Table(["no.", "what it does", "what to type"], rows, title=REMEDIES)


def _screen(diagnosis: Diagnosis, *, full: bool) -> Table:
    """One below the other, since a terminal is not wide: what is found, its example, what it does, what to type."""
    rows: list[Sequence[Cell]] = []
    for number, finding in enumerate(diagnosis.findings, start=1):
        of = "" if finding.of is None else f" of {finding.of:,}"
        counted = f"{finding.count:,}{of} {finding.unit}" if of or finding.count > 1 or full else ""
        first = f"{Path(finding.where).name}: {finding.kind}" + (f", {counted}" if counted else "")
        more: list[str] = []
        if full:
            lines = f"first in {', '.join(map(str, finding.lines))}" if finding.lines else ""
            more = [*wrap(", e.g. ".join(filter(None, [lines, finding.example])), WIDE), *wrap(finding.effect, WIDE)]
        elif finding.example:
            first = cut(f"{first}, e.g. {finding.example}", SCREEN, placeholder=" …")
        elif finding.kind == UNREADABLE:
            more = wrap(finding.effect, WIDE, break_long_words=False, break_on_hyphens=False)
        more += [f"$ {finding.remedy}"] if finding.remedy else []
        scores = [None if isnan(score) else score for score in (finding.score, finding.fixed)]
        rows += [[str(number), first, finding.scored, *scores], *(["", line, "", None, None] for line in more)]
    notes = [] if full or not diagnosis.findings else ["--full says what each does to a score"]
    columns = ["no.", "what is suspicious, and what to type", "scored", "score", "fixed"]
    return Table(columns, rows, footnotes=notes)


def _gold_table(diagnosis: Diagnosis) -> Table:
    columns = ["annotator", "annotations", "edits", "precision", "recall", "F0.5", "not 1", "edits to blame"]
    rows: list[Sequence[Cell]] = [
        [row.annotator, row.annotations, row.edits, row.precision, row.recall, row.f, row.imperfect, row.blamed]
        for row in diagnosis.gold
    ]
    return Table(columns, rows, title="Gold against itself: M² of each annotator's own text")


def _texts(edit: Blamed) -> list[Cell]:
    """What the edit changes. Marks that turn the direction of writing would turn the table too."""
    return [shorten(visible(edit.words), PHRASE), shorten(visible(edit.correction), PHRASE)]


def _blamed_table(diagnosis: Diagnosis) -> Table:
    rows: list[Sequence[Cell]] = [
        [edit.sentence, edit.annotator, f"{edit.start} {edit.end}", *_texts(edit), edit.type]
        for edit in diagnosis.blamed[:BLAMED]
    ]
    counts = Counter(edit.reason for edit in diagnosis.blamed)
    notes = [f"{count} in all: {reason}" for reason, count in counts.most_common()]
    columns = ["sentence", "annotator", "span", "words", "correction", "type"]
    title = f"Edits to blame (the first {len(rows)} of {len(diagnosis.blamed)})"
    return Table(columns, rows, title=title, footnotes=notes)
