"""A board with the sample corpus and its four systems, so that a newcomer sees a full one in a minute."""

from __future__ import annotations

import secrets
from importlib.util import find_spec

from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board import accounts, benchmarks, submissions
from gecval.board.benchmarks import Data, GivenFile, PhaseRules
from gecval.board.database.models import User
from gecval.board.settings import Settings
from gecval.sample import SYSTEMS, sample_files

NAME, TEAM = "demo", "the sample"
ABOUT = """72 invented learner sentences, three annotators, four systems made to differ: a timid, a thorough, an
overeager one, and a rewriter whose good English no reference happens to contain."""


def fill(session: Session, settings: Settings) -> str | None:
    """Fill an empty board; the password of its organiser. None where the board is filled already."""
    if session.scalar(select(User.id).limit(1)):
        return None
    password = secrets.token_urlsafe(12)
    user = accounts.make_user(session, settings, name=NAME, password=password, role="organiser")
    team = accounts.make_team(session, TEAM, user)
    files = {name: text.encode() for name, text in sample_files().items()}
    metrics = ["m2", *(["errant"] if find_spec("errant") else []), "gleu", "bleu"]
    benchmark = benchmarks.make_benchmark(
        session,
        settings,
        user,
        name="The sample corpus",
        about=" ".join(ABOUT.split()),
        data=Data(
            source=None, references=[GivenFile(name="learners.m2", content=files["learners.m2"])], metrics=metrics
        ),
        phase=PhaseRules(name="open"),
    )
    session.flush()
    session.refresh(benchmark)
    for system in SYSTEMS:
        submissions.submit(
            session, benchmark, team.id, user, system=system, name=f"{system}.txt", content=files[f"{system}.txt"]
        )
    return password
