"""Benchmarks, the versions of their data, and their phases.

A correction of the data is a new version. Scores of the old one stay; every submission is scored on the new one too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gecval.board import queue
from gecval.board.accounts import new_secret
from gecval.board.benchmark_data import DECOYS, VersionData, check_data, decoy_outputs
from gecval.board.benchmark_metrics import board_edits, board_metrics
from gecval.board.clock import DAY, now
from gecval.board.database.models import (
    Benchmark,
    Entry,
    Phase,
    ReferenceSet,
    Rule,
    Submission,
    System,
    User,
    Version,
    Visibility,
    live_submissions,
)
from gecval.board.database.storage import record, store_file
from gecval.board.fields import check_choice, clean_name, clean_text, slug
from gecval.board.settings import SOFTWARE, Settings
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.stats import ladder

VISIBILITIES: tuple[Visibility, ...] = ("public", "link", "private")
RULES: tuple[Rule, ...] = ("best", "last", "chosen")
ENTRIES: tuple[Entry, ...] = ("system", "team")


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
    data: VersionData,
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
        visibility=check_choice(visibility, VISIBILITIES, "visibility"),
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


def add_version(session: Session, settings: Settings, user: User, benchmark: Benchmark, data: VersionData) -> Version:
    """A new version; everything that stands on the leaderboard is queued to be scored on it."""
    files, corpus = check_data(settings, data)
    last = session.scalar(select(func.max(Version.number)).where(Version.benchmark_id == benchmark.id)) or 0
    version = Version(
        benchmark_id=benchmark.id,
        number=last + 1,
        note=clean_text(data.note, "the note"),
        source_name=files.source[0] if files.source else None,
        source=store_file(session, files.source[1]) if files.source else None,
        missing=files.missing,
        language=files.language,
        edits=board_edits(data.edits),
        aggregate=data.aggregate,
        metrics=board_metrics(data.metrics),
        options=({"tokenize": files.tokenize} if files.tokenize else {}) | ({} if data.offered else {"offered": False}),
        digits=data.digits,
    )
    version.references = [
        ReferenceSet(position=place, name=name, blob=store_file(session, content), hidden=file.hidden)
        for place, ((name, content), file) in enumerate(zip(files.references, data.references, strict=True))
    ]
    session.add(version)
    session.flush()
    record(session, user.name, "add version", f"benchmark {benchmark.id}", number=version.number)
    _add_decoys(session, benchmark, version, corpus, data.decoys)
    standing = live_submissions(benchmark.id).where(System.decoy.is_(None)).order_by(Submission.created)
    for submission in session.scalars(standing).all():
        queue.enqueue(session, submission.id, version.id, SOFTWARE)
    return version


def _add_decoys(session: Session, benchmark: Benchmark, version: Version, corpus: Corpus, names: Sequence[str]) -> None:
    """The decoys of a version, queued like any submission."""
    for name in names:
        outputs = decoy_outputs(name, corpus)
        if outputs is None:
            continue
        system = session.scalar(select(System).where(System.benchmark_id == benchmark.id, System.name == name))
        if system is None:
            system = System(benchmark_id=benchmark.id, name=name, decoy=DECOYS[name])
            session.add(system)
            session.flush()
        submission = Submission(
            system_id=system.id,
            version_id=version.id,
            file_name=f"{name.strip('()')}.txt",
            blob=store_file(session, "".join(f"{text}\n" for text in outputs).encode("utf-8")),
        )
        session.add(submission)
        session.flush()
        queue.enqueue(session, submission.id, version.id, SOFTWARE)


def add_phase(session: Session, user: User, benchmark: Benchmark, rules: PhaseRules) -> Phase:
    opens = now() if rules.opens is None else rules.opens
    if rules.closes is not None and rules.closes <= opens:
        raise InputError("a phase closes after it opens")
    for limit in (rules.per_day, rules.in_all):
        if limit is not None and not 1 <= limit <= 100_000:
            raise InputError("a limit is a number from 1 to 100000, or nothing")
    check_choice(rules.rule, RULES, "rule")
    check_choice(rules.entry, ENTRIES, "entry")
    clean = replace(rules, name=clean_name(rules.name, "a phase"), opens=opens)
    phase = Phase(benchmark_id=benchmark.id, **asdict(clean))
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


def find_open_phase(benchmark: Benchmark, moment: float) -> Phase | None:
    """The phase that takes submissions now; of several, the one that opened last."""
    phases = [
        phase for phase in benchmark.phases if phase.opens <= moment and (phase.closes is None or moment < phase.closes)
    ]
    return max(phases, key=lambda phase: phase.opens, default=None)


def _free_slug(session: Session, name: str) -> str:
    wanted = slug(name)
    taken = set(session.scalars(select(Benchmark.slug).where(Benchmark.slug.startswith(wanted))))
    return next(free for n in range(1, len(taken) + 2) if (free := wanted if n == 1 else f"{wanted}-{n}") not in taken)


def delete(session: Session, benchmark: Benchmark, user: User) -> None:
    """Take a benchmark away with all that belongs to it. What waits is not scored."""
    benchmark.deleted = now()
    for submission in session.scalars(live_submissions(benchmark.id)):
        queue.cancel(session, submission.id)
    record(session, user.name, "delete", f"benchmark {benchmark.id}", name=benchmark.name)


def undo(session: Session, benchmark: Benchmark, user: User, *, days: int) -> None:
    """Bring a benchmark back; what waited goes back to the queue."""
    if benchmark.deleted is None:
        raise InputError("it is not deleted")
    if benchmark.deleted < now() - days * DAY:
        raise InputError(f"it can be brought back for {days} days, and no longer")
    benchmark.deleted = None
    for submission in session.scalars(live_submissions(benchmark.id)):
        queue.requeue(session, submission.id, "cancelled")
    record(session, user.name, "undo", f"benchmark {benchmark.id}", name=benchmark.name)


def list_deleted(session: Session, *, days: int) -> list[Benchmark]:
    """The benchmarks that can be brought back, the last one first."""
    gone = select(Benchmark).where(Benchmark.deleted >= now() - days * DAY).order_by(Benchmark.deleted.desc())
    return list(session.scalars(gone))
