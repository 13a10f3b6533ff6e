"""Taking in a submission, from a form or from the API: rate, gate, then the transaction that counts it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock

from sqlalchemy.orm import Session

from gecval.board import blobs, submissions
from gecval.board.access import benchmark_at, must_act
from gecval.board.data import Files, output, without_references
from gecval.board.database.models import Submission, User, Version
from gecval.board.errors import ForbiddenError
from gecval.board.limits import HOUR, check_rate, count_attempt
from gecval.board.web.asking import Asked
from gecval.corpus import Corpus
from gecval.errors import InputError

KEPT = 16  # versions whose sources are held in memory
_sources: OrderedDict[str, Corpus] = OrderedDict()
_lock = Lock()


def take_in(
    asked: Asked, address: str, *, team_id: str, system: str, name: str, content: bytes, sheet: Mapping[str, str]
) -> Submission:
    """The submission, queued; or the one line that says why not. Nothing that is refused costs quota."""
    user = must_act(asked.viewer, "submit")
    with asked.database.write() as session:
        check_rate(session, "upload", user.id, most=asked.settings.uploads, seconds=HOUR)
        count_attempt(session, "upload", user.id)
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        blobs.check_text(content, name, most=asked.settings.most_upload)
        output(sources(session, benchmark.versions[-1]), "the output", name, content)
    chosen = own_team(asked, team_id)
    with asked.database.write() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        by = session.get_one(User, user.id)
        return submissions.submit(
            session, benchmark, chosen, by, system=system, name=name, content=content, sheet=sheet
        )


def own_team(asked: Asked, team_id: str) -> str:
    """The team that submits: the one that is named, or the only one that there is."""
    teams = asked.viewer.teams
    if team_id:
        if team_id not in teams:
            raise ForbiddenError("you are not in this team")
        return team_id
    if not teams:
        raise InputError("you are in no team yet: make one on your account page")
    if len(teams) > 1:
        raise InputError("you are in several teams: say which one submits")
    return next(iter(teams))


def sources(session: Session, version: Version) -> Corpus:
    """The source sentences of a version; versions never change, so they are read once."""
    with _lock:
        if version.id in _sources:
            _sources.move_to_end(version.id)
            return _sources[version.id]
    corpus = without_references(Files.of(session, version).corpus())
    with _lock:
        _sources[version.id] = corpus
        while len(_sources) > KEPT:
            _sources.popitem(last=False)
    return corpus
