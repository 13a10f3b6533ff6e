"""What the doctor finds in a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gecval.results.result import ResultSequence
from gecval.stats.resampling import MaybeUndefined


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
