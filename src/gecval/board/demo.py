"""A board with the sample corpus, its four systems and a few judgments: a newcomer sees a full board in a minute.

The two judges are invented like the corpus. Each judge values a system by a number plus noise. They like the rewriter,
whose good English no reference contains, so the metrics disagree with them.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board import accounts, benchmarks, campaigns, submissions
from gecval.board.benchmark_data import UploadedFile, VersionData
from gecval.board.benchmarks import PhaseRules
from gecval.board.database.models import Campaign, Submission, User, Version
from gecval.board.settings import Settings
from gecval.edits.extractors import extractor
from gecval.errors import InputError
from gecval.sample import SYSTEMS, sample_files

NAME, TEAM = "demo", "the sample"
ABOUT = """72 invented learner sentences, three annotators, four systems made to differ: a timid, a thorough, an
overeager one, and a rewriter whose good English no reference happens to contain."""
JUDGES, RANKINGS = ("ada", "bao"), 40
WORTH = {"timid": 1.0, "thorough": 3.0, "overeager": 0.0, "rewriter": 3.0}


def fill(session: Session, settings: Settings) -> str | None:
    """Fill an empty board; the password of its organiser. None where the board is filled already."""
    if session.scalar(select(User.id).limit(1)):
        return None

    def hashed(password: str) -> str:
        return accounts.hash_password(password, cost=settings.password_cost)

    password = secrets.token_urlsafe(12)
    user = accounts.make_user(session, name=NAME, hashed=hashed(password), role="organiser")
    team = accounts.make_team(session, TEAM, user)
    files = {name: text.encode() for name, text in sample_files().items()}
    metrics = ["m2", *(["errant"] if _has_errant() else []), "gleu", "bleu"]
    benchmark = benchmarks.make_benchmark(
        session,
        settings,
        user,
        name="The sample corpus",
        about=" ".join(ABOUT.split()),
        data=VersionData(
            source=None, references=[UploadedFile(name="learners.m2", content=files["learners.m2"])], metrics=metrics
        ),
        phase=PhaseRules(name="open"),
    )
    session.flush()
    session.refresh(benchmark)
    outputs = [
        submissions.submit(
            session, benchmark, team.id, user, system=system, name=f"{system}.txt", content=files[f"{system}.txt"]
        )
        for system in SYSTEMS
    ]
    judges = [
        accounts.make_user(session, name=name, hashed=hashed(secrets.token_urlsafe(12)), role="judge")
        for name in JUDGES
    ]
    _judge(session, user, benchmark.versions[-1], outputs, judges)
    return password


def _has_errant() -> bool:
    """Whether ERRANT and a spaCy model are installed."""
    try:
        return bool(extractor("errant").signature)
    except InputError:
        return False


def _judge(
    session: Session, user: User, version: Version, outputs: Sequence[Submission], judges: Sequence[User]
) -> None:
    """A campaign that is over, whose results everybody sees, and one in which the newcomer can judge."""
    over = campaigns.add_campaign(
        session, user, version, outputs, name="Two invented judges", judges=[judge.id for judge in judges]
    )
    for number, judge in enumerate(judges):
        _answer(session, over, judge, random.Random(number))
    campaigns.close(session, user, over, closed=True)
    campaigns.add_campaign(
        session, user, version, outputs, name="Your turn", about="Which correction would you keep?", judges=[user.id]
    )


def _answer(session: Session, campaign: Campaign, judge: User, chance: random.Random) -> None:
    for _ in range(RANKINGS):
        item = campaigns.next_item(session, campaign, judge, chance)
        assert item is not None  # there are more sentences than that
        worth = [max(WORTH[label] for label in group) + chance.gauss(0, 1) for group in item.shown]
        ranks = [1 + sum(round(other) > round(own) for other in worth) for own in worth]
        campaigns.answer(session, campaign, judge, number=item.number, ranks=ranks)
