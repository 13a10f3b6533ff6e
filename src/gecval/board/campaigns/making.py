"""Campaigns: whose outputs are compared, and who judges them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board import entries
from gecval.board.audit import record
from gecval.board.clock import now
from gecval.board.database.models import Benchmark, Campaign, Contestant, Juror, Submission, User, Version
from gecval.board.names import clean_name, clean_text
from gecval.errors import InputError

SOURCE, SOURCE_LABEL = "(source)", "INPUT"  # the decoy, and what sets of judgments call it
MOST_SYSTEMS = 40


def candidates(session: Session, version: Version) -> list[Submission]:
    """The submissions that a campaign may compare: those that stand in some phase, and the source itself."""
    scores = entries.current_scores(session, version)
    submissions = entries.scored_submissions(session, version, scores)
    standing = [
        submission
        for phase in version.benchmark.phases
        for submission in entries.standing(submissions, phase, version, scores)
        if not submission.system.decoy
    ]
    source = [one for one in entries.decoys(submissions, version) if one.system.name == SOURCE]
    return list({submission.id: submission for submission in [*standing, *source]}.values())


def make_campaign(
    session: Session,
    user: User,
    benchmark: Benchmark,
    *,
    name: str,
    submissions: Sequence[str],
    judges: Sequence[str] = (),
    about: str = "",
) -> Campaign:
    """A campaign on the latest version of a benchmark. Its outputs never change."""
    version = benchmark.versions[-1]
    known = {submission.id: submission for submission in candidates(session, version)}
    chosen = [known[one] for one in dict.fromkeys(submissions) if one in known]
    if len(chosen) < 2 or len(chosen) < len(set(submissions)):
        raise InputError("choose two systems or more that stand on the leaderboard")
    return add_campaign(session, user, version, chosen, name=name, about=about, judges=judges)


def add_campaign(
    session: Session,
    user: User,
    version: Version,
    submissions: Sequence[Submission],
    *,
    name: str,
    about: str = "",
    judges: Sequence[str] = (),
) -> Campaign:
    """A campaign that compares these submissions to a version."""
    if len(submissions) > MOST_SYSTEMS:
        raise InputError(f"a campaign compares at most {MOST_SYSTEMS} systems")
    campaign = Campaign(
        benchmark_id=version.benchmark_id,
        version_id=version.id,
        name=clean_name(name, "a campaign"),
        about=clean_text(about, "what judges are told"),
    )
    session.add(campaign)
    session.flush()
    for label, submission in zip(labels([row.system.name for row in submissions]), submissions, strict=True):
        session.add(Contestant(campaign_id=campaign.id, label=label, submission_id=submission.id))
    record(session, user.name, "make campaign", f"campaign {campaign.id}", name=campaign.name)
    set_judges(session, user, campaign, judges)
    return campaign


def labels(names: Sequence[str]) -> list[str]:
    """Names as judgments write them: Appraise's XML separates systems by blanks or commas.

    >>> labels(["AMU v2", "AMU, v2", "(source)"])
    ['AMU_v2', 'AMU_v2.2', 'INPUT']
    """
    made: list[str] = []
    for name in names:
        plain = SOURCE_LABEL if name == SOURCE else re.sub(r"[\s,]+", "_", name)
        taken = sum(1 for label in made if label == plain or label.startswith(f"{plain}."))
        made.append(f"{plain}.{taken + 1}" if plain in made else plain)
    return made


def set_judges(session: Session, user: User, campaign: Campaign, judges: Sequence[str]) -> None:
    """Let these people judge, and nobody else from now on. What others judged stays."""
    wanted = set(judges)
    if len(wanted) != len(session.scalars(select(User.id).where(User.id.in_(wanted))).all()):
        raise InputError("one of the judges has no account")
    jurors = session.scalars(select(Juror).where(Juror.campaign_id == campaign.id)).all()
    for juror in jurors:
        juror.left = None if juror.user_id in wanted else (juror.left or now())
    new = [one for one in dict.fromkeys(judges) if one not in {juror.user_id for juror in jurors}]
    for number, user_id in enumerate(new, start=len(jurors) + 1):
        session.add(Juror(campaign_id=campaign.id, user_id=user_id, number=number))
    record(session, user.name, "set judges", f"campaign {campaign.id}", judges=len(wanted))
    session.flush()


def close(session: Session, user: User, campaign: Campaign, *, closed: bool) -> None:
    """No more judgments; the results are shown to whoever may see the benchmark. Or open it again."""
    campaign.closed = now() if closed else None
    record(session, user.name, "close campaign" if closed else "open campaign", f"campaign {campaign.id}")
