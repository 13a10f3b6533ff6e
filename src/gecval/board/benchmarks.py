"""Benchmarks, the versions of their data, and their phases.

A correction of the data is a new version. Scores of the old one stay; every submission is scored on the new one too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gecval.board import blobs, decoys, queue
from gecval.board.audit import record
from gecval.board.clock import now
from gecval.board.data import Files
from gecval.board.database.contests import Entry, Rule, Visibility
from gecval.board.database.models import Benchmark, Phase, ReferenceSet, Submission, System, User, Version
from gecval.board.metrics import board_edits, board_metric, board_metrics
from gecval.board.names import clean_name, clean_text, file_name, slug
from gecval.board.secret import new_secret
from gecval.board.settings import Settings
from gecval.board.software import SOFTWARE
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.evaluation import AGGREGATES
from gecval.stats import ladder

VISIBILITIES: tuple[Visibility, ...] = ("public", "link", "private")
RULES: tuple[Rule, ...] = ("best", "last", "chosen")
ENTRIES: tuple[Entry, ...] = ("system", "team")
DIGITS = 6  # most digits of a score on hidden references


@dataclass(frozen=True, kw_only=True)
class GivenFile:
    """A file of a form or of the command line."""

    name: str
    content: bytes
    hidden: bool = False


@dataclass(frozen=True, kw_only=True)
class Data:
    """What an organiser gives for a version."""

    source: GivenFile | None
    references: Sequence[GivenFile] = ()
    metrics: Sequence[str] | str = ()
    aggregate: str = "corpus"
    missing: str = "absent"
    language: str = ""
    tokenize: str = ""
    edits: str | None = None
    digits: int = 3
    note: str = ""
    decoys: Sequence[str] = field(default=decoys.NAMES)


@dataclass(frozen=True, kw_only=True)
class PhaseRules:
    """What an organiser says about a phase."""

    name: str = "open"
    opens: float | None = None
    closes: float | None = None
    per_day: int | None = None
    in_all: int | None = None
    rule: str = "best"
    entry: str = "system"
    blind: bool = False
    ladder: float | None = None


def make_benchmark(
    session: Session,
    settings: Settings,
    user: User,
    *,
    name: str,
    data: Data,
    about: str = "",
    visibility: str = "public",
    phase: PhaseRules | None = None,
) -> Benchmark:
    """A benchmark with its first version and a phase; what ``Corpus`` refuses is refused here too."""
    clean = clean_name(name, "a benchmark")
    benchmark = Benchmark(
        slug=_free_slug(session, clean),
        name=clean,
        about=clean_text(about, "the description"),
        visibility=_one_of(visibility, VISIBILITIES, "visibility"),
        link=new_secret(),
        owner_id=user.id,
    )
    session.add(benchmark)
    session.flush()
    record(session, user.name, "make benchmark", f"benchmark {benchmark.id}", name=clean)
    rules = phase or PhaseRules()
    if rules.ladder is not None:
        _check_hidden(any(file.hidden for file in data.references))
    add_phase(session, user, benchmark, rules)
    add_version(session, settings, user, benchmark, data)
    return benchmark


def add_version(session: Session, settings: Settings, user: User, benchmark: Benchmark, data: Data) -> Version:
    """A new version; everything that stands on the leaderboard is queued to be scored on it."""
    files, corpus = checked(settings, data)
    last = session.scalar(select(func.max(Version.number)).where(Version.benchmark_id == benchmark.id)) or 0
    version = Version(
        benchmark_id=benchmark.id,
        number=last + 1,
        note=clean_text(data.note, "the note"),
        source_name=files.source[0] if files.source else None,
        source=blobs.keep(session, files.source[1]) if files.source else None,
        missing=files.missing,
        language=files.language,
        edits=board_edits(data.edits),
        aggregate=data.aggregate,
        metrics=board_metrics(data.metrics),
        options={"tokenize": files.tokenize} if files.tokenize else {},
        digits=data.digits,
    )
    version.references = [
        ReferenceSet(position=place, name=name, blob=blobs.keep(session, content), hidden=given.hidden)
        for place, ((name, content), given) in enumerate(zip(files.references, data.references, strict=True))
    ]
    session.add(version)
    session.flush()
    record(session, user.name, "add version", f"benchmark {benchmark.id}", number=version.number)
    decoys.make(session, benchmark, version, corpus, data.decoys)
    standing = (
        select(Submission.id)
        .join(System)
        .where(System.benchmark_id == benchmark.id, System.decoy.is_(None))
        .where(Submission.withdrawn.is_(None), Submission.deleted.is_(None))
    )
    for submission_id in session.scalars(standing.order_by(Submission.created)).all():
        queue.enqueue(session, submission_id, version.id, SOFTWARE)
    return version


def checked(settings: Settings, data: Data) -> tuple[Files, Corpus]:
    """The files through the gate, and the metrics on what came through it; nothing is stored."""
    given = [*([data.source] if data.source else []), *data.references]
    if len(given) > settings.most_files:
        raise InputError(f"a benchmark has at most {settings.most_files} files")
    for file in given:
        blobs.check_text(file.content, file.name, most=settings.most_upload)
    _one_of(data.aggregate, AGGREGATES, "aggregate")
    _one_of(data.missing, ("absent", "unchanged"), "missing")
    if not 1 <= data.digits <= DIGITS:
        raise InputError(f"digits is from 1 to {DIGITS}", parameter="digits")
    files = Files(
        source=(file_name(data.source.name, "source.txt"), data.source.content) if data.source else None,
        references=tuple((file_name(file.name, "references.txt"), file.content) for file in data.references),
        missing=data.missing,
        language=data.language.strip() or None,
        tokenize=data.tokenize or None,
    )
    corpus = files.corpus()
    for spelling in board_metrics(data.metrics):
        metric = board_metric(spelling)
        if metric.needs != "edits" or corpus.has_edits():  # else the worker finds the edits first
            metric.check(corpus)
    return files, corpus


def add_phase(session: Session, user: User, benchmark: Benchmark, rules: PhaseRules) -> Phase:
    opens = now() if rules.opens is None else rules.opens
    if rules.closes is not None and rules.closes <= opens:
        raise InputError("a phase closes after it opens")
    for limit in (rules.per_day, rules.in_all):
        if limit is not None and not 1 <= limit <= 100_000:
            raise InputError("a limit is a number from 1 to 100000, or nothing")
    phase = Phase(
        benchmark_id=benchmark.id,
        name=clean_name(rules.name, "a phase"),
        opens=opens,
        closes=rules.closes,
        per_day=rules.per_day,
        in_all=rules.in_all,
        rule=_one_of(rules.rule, RULES, "rule"),
        entry=_one_of(rules.entry, ENTRIES, "entry"),
        blind=rules.blind,
        ladder=rules.ladder,
    )
    if phase.blind and phase.closes is None:
        raise InputError("a blind phase needs a date on which it closes")
    if phase.ladder is not None:
        _check_ladder(phase)
        _check_hidden(not benchmark.versions or benchmark.versions[-1].hidden)
    session.add(phase)
    session.flush()
    record(session, user.name, "add phase", f"benchmark {benchmark.id}", name=phase.name)
    return phase


def _check_ladder(phase: Phase) -> None:
    """A Ladder holds for a team: with a line for each system, a new name would be a new Ladder."""
    if not ladder.FEWEST <= (phase.ladder or 0.0) <= ladder.MOST:
        raise InputError(
            f"a step of the Ladder has {ladder.FEWEST:g} to {ladder.MOST:g} standard errors", parameter="ladder"
        )
    if (phase.rule, phase.entry) != ("best", "team"):
        raise InputError("with a Ladder, the best submission of each team stands on the leaderboard")


def _check_hidden(hidden: bool) -> None:
    if not hidden:
        raise InputError("a Ladder is for hidden references: what is public can be scored anywhere", parameter="ladder")


def open_phase(benchmark: Benchmark, moment: float) -> Phase | None:
    """The phase that takes submissions now; of several, the one that opened last."""
    phases = [
        phase for phase in benchmark.phases if phase.opens <= moment and (phase.closes is None or moment < phase.closes)
    ]
    return max(phases, key=lambda phase: phase.opens, default=None)


def _free_slug(session: Session, name: str) -> str:
    wanted = slug(name)
    taken = set(session.scalars(select(Benchmark.slug).where(Benchmark.slug.startswith(wanted))))
    return next(free for n in range(1, len(taken) + 2) if (free := wanted if n == 1 else f"{wanted}-{n}") not in taken)


def _one_of(value: str, choices: Sequence[str], what: str) -> str:
    if value not in choices:
        raise InputError(f"{what} is {', '.join(choices)}; not {value[:20]!r}", parameter=what)
    return value
