"""What the doctor finds, as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap

from gecval.corpus.language import language_name
from gecval.results.table import DELIMITED, Cell, Table
from gecval.studies.doctor.findings import visible
from gecval.studies.doctor.result import Blamed, Diagnosis, Finding

REMEDIES = "What it does to a score, and how to fix it"
WIDE = 100  # characters of a line
BLAMED = 10  # edits that people are shown; programs get all of them


def doctor_tables(diagnosis: Diagnosis, style: str = "text") -> list[Table]:
    """Contents, findings, gold against itself, and the edits to blame; for programs the findings."""
    if style in DELIMITED:
        return [_long_table(diagnosis)]
    remedies = _remedy_lines(diagnosis) if style == "text" else _remedy_table(diagnosis)
    tables = [_contents_table(diagnosis), _finding_table(diagnosis), remedies]
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


def _remedy_lines(diagnosis: Diagnosis) -> Table:
    """The same one below the other, since a terminal is not wide."""
    rows: list[Sequence[Cell]] = []
    for number, finding in enumerate(diagnosis.findings, start=1):
        first, *others = [*wrap(finding.effect, WIDE), *([f"$ {finding.remedy}"] if finding.remedy else [])]
        rows += [[str(number), first], *(["", line] for line in others)]
    return Table(["no.", "what it does, and what to type"], rows, title=REMEDIES)


def _gold_table(diagnosis: Diagnosis) -> Table:
    columns = ["annotator", "annotations", "edits", "precision", "recall", "F0.5", "not 1", "edits to blame"]
    rows: list[Sequence[Cell]] = [
        [row.annotator, row.annotations, row.edits, row.precision, row.recall, row.f, row.imperfect, row.blamed]
        for row in diagnosis.gold
    ]
    return Table(columns, rows, title="Gold against itself: M² of each annotator's own text")


def _texts(edit: Blamed) -> list[Cell]:
    """What the edit changes. Marks that turn the direction of writing would turn the table too."""
    return [visible(edit.words), visible(edit.correction)]


def _blamed_table(diagnosis: Diagnosis) -> Table:
    rows: list[Sequence[Cell]] = [
        [edit.sentence, edit.annotator, f"{edit.start} {edit.end}", *_texts(edit), edit.type, edit.reason]
        for edit in diagnosis.blamed[:BLAMED]
    ]
    counts = Counter(edit.reason for edit in diagnosis.blamed)
    notes = [f"{count} in all: {reason}" for reason, count in counts.most_common()]
    columns = ["sentence", "annotator", "span", "words", "correction", "type", "why"]
    title = f"Edits to blame (the first {len(rows)} of {len(diagnosis.blamed)})"
    return Table(columns, rows, title=title, footnotes=notes)
