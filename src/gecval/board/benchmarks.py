"""Benchmarks, the versions of their data, and their phases.

A correction of the data is a new version. Scores of the old one stay; every submission is scored on the new one too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gecval.board import queue, retention
from gecval.board.accounts import new_secret
from gecval.board.allowed_metrics import board_edits, board_metrics
from gecval.board.benchmark_data import DECOYS, VersionData, check_data, decoy_outputs, load_sources
from gecval.board.clock import DAY, format_moment, now
from gecval.board.database.models import (
    Benchmark,
    Campaign,
    Entry,
    Phase,
    ReferenceSet,
    Rule,
    Rung,
    Submission,
    System,
    User,
    Version,
    Visibility,
    live_submissions,
)
from gecval.board.database.storage import record, store_file
from gecval.board.form_fields import check_choice, clean_name, clean_text, slug
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
    entry: str = ""  # the default: each team with a Ladder, each system without one
    blind: bool = False
    private: bool | None = None  # the default: where it is blind, or references are hidden
    ladder: float | None = None  # the default: DEFAULT_LADDER where references are hidden; 0 is none
    overlaps: bool = False


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
    clean = clean_name(name, "a benchmark", parameter="name")
    benchmark = Benchmark(
        slug=_free_slug(session, clean),
        name=clean,
        about=clean_text(about, "the description", parameter="about"),
        visibility=check_choice(visibility, VISIBILITIES, "visibility"),
        link=new_secret(),
        owner_id=user.id,
    )
    session.add(benchmark)
    session.flush()
    record(session, user.name, "make benchmark", f"benchmark {benchmark.id}", name=clean)
    add_phase(session, user, benchmark, phase or PhaseRules(), hidden=any(file.hidden for file in data.references))
    add_version(session, settings, user, benchmark, data)
    return benchmark


def add_version(session: Session, settings: Settings, user: User, benchmark: Benchmark, data: VersionData) -> Version:
    """A new version; everything that stands on the leaderboard is queued to be scored on it."""
    files, corpus = check_data(settings, data)
    _check_size(session, benchmark, len(corpus))
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
    session.expire(benchmark, ["versions"])
    record(session, user.name, "add version", f"benchmark {benchmark.id}", number=version.number)
    _add_decoys(session, benchmark, version, corpus, data.decoys)
    standing = live_submissions(benchmark.id).where(System.decoy.is_(None)).order_by(Submission.created)
    for submission in session.scalars(standing).all():
        queue.enqueue(session, submission.id, version.id, SOFTWARE)
    return version


def _check_size(session: Session, benchmark: Benchmark, sentences: int) -> None:
    """Refuse data that nothing fits that was submitted so far."""
    submitted = live_submissions(benchmark.id).where(System.decoy.is_(None)).limit(1)
    if not benchmark.versions or session.scalars(submitted).first() is None:
        return
    last = benchmark.versions[-1]
    if sentences != (before := len(load_sources(session, last))):
        raise InputError(
            f"the source has {sentences} sentences, that of version {last.number} has {before}, so no output that was "
            "submitted fits it; make a new benchmark for it"
        )


def remove_version(session: Session, user: User, benchmark: Benchmark, version: Version) -> None:
    """Take the latest version away with its scores: it was a mistake. What was submitted meanwhile is scored again."""
    if version.number != benchmark.versions[-1].number or len(benchmark.versions) == 1:
        raise InputError("only the latest version can be removed, and a benchmark has one at least")
    if session.scalars(select(Campaign.id).where(Campaign.version_id == version.id).limit(1)).first():
        raise InputError("people judge outputs on this version, so it stays")
    number = version.number
    retention.forget_version(session, version)
    session.expire(benchmark, ["versions"])
    before = benchmark.versions[-1]
    for submission in session.scalars(live_submissions(benchmark.id).where(System.decoy.is_(None))).all():
        if before.id not in {job.version_id for job in submission.jobs}:
            queue.enqueue(session, submission.id, before.id, SOFTWARE)
    record(session, user.name, "remove version", f"benchmark {benchmark.id}", number=number)


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


DEFAULT_LADDER = 2.5  # standard errors, where references are hidden


def add_phase(
    session: Session, user: User, benchmark: Benchmark, rules: PhaseRules, *, hidden: bool | None = None
) -> Phase:
    """A new phase. One that was open without an end closes when this one opens."""
    hidden = benchmark.versions[-1].hidden if hidden is None else hidden
    phase = Phase(benchmark_id=benchmark.id, **_complete(rules, hidden=hidden))
    for other in [] if rules.overlaps else benchmark.phases:
        if other.closes is None and other.opens < phase.opens:
            other.closes = phase.opens
            record(session, user.name, "change phase", f"benchmark {benchmark.id}", name=other.name, closes=phase.opens)
    if not rules.overlaps:
        _check_overlap(benchmark, phase)
    session.add(phase)
    session.flush()
    session.expire(benchmark, ["phases"])
    record(session, user.name, "add phase", f"benchmark {benchmark.id}", name=phase.name)
    return phase


def change_phase(session: Session, user: User, benchmark: Benchmark, phase: Phase, rules: PhaseRules) -> None:
    """Other rules for a phase. What decides how submissions are shown stays, once there are some."""
    opens = phase.opens if rules.opens is None else rules.opens
    values = _complete(replace(rules, opens=opens), hidden=benchmark.versions[-1].hidden, before=phase.ladder)
    if (values["ladder"] != phase.ladder or values["entry"] != phase.entry) and _is_used(session, phase):
        raise InputError(f"{phase.name} has submissions, so its Ladder and what stands for a team cannot change")
    for name, value in values.items():
        setattr(phase, name, value)
    if not rules.overlaps:
        _check_overlap(benchmark, phase)
    session.expire(benchmark, ["phases"])
    record(session, user.name, "change phase", f"benchmark {benchmark.id}", name=phase.name, closes=phase.closes)


def end_phase(session: Session, user: User, benchmark: Benchmark, phase: Phase) -> None:
    """Close a phase now. A blind one then shows its scores."""
    moment = now()
    if phase.opens >= moment:
        raise InputError(f"{phase.name} has not opened yet; remove it instead")
    if phase.closes is not None and phase.closes <= moment:
        raise InputError(f"{phase.name} is closed since {format_moment(phase.closes)}")
    phase.closes = moment
    record(session, user.name, "end phase", f"benchmark {benchmark.id}", name=phase.name)


def remove_phase(session: Session, user: User, benchmark: Benchmark, phase: Phase) -> None:
    """Take a phase away that nobody submitted to."""
    if len(benchmark.phases) == 1:
        raise InputError("a benchmark has a phase at least; add another one first, or end this one")
    if _is_used(session, phase):
        raise InputError(f"somebody has submitted to {phase.name}; end it instead")
    session.delete(phase)
    session.flush()
    session.expire(benchmark, ["phases"])
    record(session, user.name, "remove phase", f"benchmark {benchmark.id}", name=phase.name)


def _is_used(session: Session, phase: Phase) -> bool:
    """Whether somebody has submitted to it. What climbed its Ladder stays when the submission is deleted for good."""
    of_phase = (
        select(Submission.id).where(Submission.phase_id == phase.id),
        select(Rung.id).where(Rung.phase_id == phase.id),
    )
    return any(session.scalars(found.limit(1)).first() is not None for found in of_phase)


def _complete(rules: PhaseRules, *, hidden: bool, before: float | None = None) -> dict[str, Any]:
    """The columns of a phase, checked, with the defaults filled in.

    ``before`` is the Ladder that it had: it stays, also where references are hidden no more.
    """
    opens = now() if rules.opens is None else rules.opens
    if rules.closes is not None and rules.closes <= opens:
        raise InputError("a phase closes after it opens", parameter="closes")
    for name, limit in (("per_day", rules.per_day), ("in_all", rules.in_all)):
        if limit is not None and not 1 <= limit <= 100_000:
            raise InputError("a limit is a number from 1 to 100000, or nothing", parameter=name)
    check_choice(rules.rule, RULES, "rule")
    if rules.entry:
        check_choice(rules.entry, ENTRIES, "entry")
    if rules.blind and rules.closes is None:
        raise InputError("a blind phase needs a date on which it closes", parameter="closes")
    step = rules.ladder
    if step is None and hidden and not rules.blind and rules.rule == "best" and rules.entry != "system":
        step = DEFAULT_LADDER
    entry = rules.entry or ("team" if step else "system")
    if step:
        _check_ladder(step, rules.rule, entry)
        _check_hidden(hidden or step == before)
    return {
        "name": clean_name(rules.name, "a phase", parameter="phase"),
        "opens": opens,
        "closes": rules.closes,
        "per_day": rules.per_day,
        "in_all": rules.in_all,
        "rule": rules.rule,
        "entry": entry,
        "blind": rules.blind,
        "private": rules.blind or hidden if rules.private is None else rules.private,
        "ladder": step or None,
    }


def _check_ladder(step: float, rule: str, entry: str) -> None:
    """A Ladder holds for a team: with a line for each system, a new name would be a new Ladder."""
    if not ladder.FEWEST <= step <= ladder.MOST:
        raise InputError(
            f"a step of the Ladder has {ladder.FEWEST:g} to {ladder.MOST:g} standard errors, or 0 for none",
            parameter="ladder",
        )
    if (rule, entry) != ("best", "team"):
        raise InputError(
            "with a Ladder, the best submission of each team stands on the leaderboard", parameter="ladder"
        )


def _check_hidden(hidden: bool) -> None:
    if not hidden:
        raise InputError("a Ladder is for hidden references: what is public can be scored anywhere", parameter="ladder")


def _check_overlap(benchmark: Benchmark, phase: Phase) -> None:
    """Two open phases would leave it to chance which one an upload belongs to."""
    for other in benchmark.phases:
        if other is phase:
            continue
        if (phase.closes is None or other.opens < phase.closes) and (
            other.closes is None or phase.opens < other.closes
        ):
            until = f"until {format_moment(other.closes)}" if other.closes else "without an end"
            raise InputError(
                f"{other.name} is open from {format_moment(other.opens)} {until}; choose other dates, or allow overlap",
                parameter="opens",
            )


def find_open_phase(benchmark: Benchmark, moment: float) -> Phase | None:
    """The phase that takes submissions now; of several, the one that opened last."""
    phases = [
        phase for phase in benchmark.phases if phase.opens <= moment and (phase.closes is None or moment < phase.closes)
    ]
    return max(phases, key=lambda phase: phase.opens, default=None)


def explain_closed(benchmark: Benchmark, moment: float) -> str:
    """Why nothing can be submitted now, in one line with the date."""
    coming = [phase for phase in benchmark.phases if phase.opens > moment]
    if coming:
        first = min(coming, key=lambda phase: phase.opens)
        return f"{benchmark.name} takes submissions from {format_moment(first.opens)} on ({first.name})"
    ends = [phase.closes for phase in benchmark.phases if phase.closes is not None]
    return f"{benchmark.name} takes no more submissions since {format_moment(max(ends, default=moment))}"


def takes_submissions(benchmark: Benchmark, moment: float) -> bool:
    """Whether anything can be submitted now or later."""
    return any(phase.closes is None or moment < phase.closes for phase in benchmark.phases)


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
