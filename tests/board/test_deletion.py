"""A benchmark that is deleted is gone for everybody, comes back whole, and is forgotten when undo is over."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from board import making
from board.serving import Served
from gecval.board import deletion, queue, retention
from gecval.board.audit import entries
from gecval.board.campaigns.making import candidates, make_campaign
from gecval.board.clock import DAY
from gecval.board.database.models import AuditEntry, Base, Benchmark, Blob, Job, Submission, User
from gecval.errors import InputError

KEPT = {"users", "teams", "members", "audit", "settings", "sessions", "attempts", "rankings"}


@pytest.fixture
def served(database, settings) -> Served:
    made = Served(database, settings)
    made.benchmark(data=making.small_data(hidden=True), ladder=1.0, entry="team")
    made.browser("anna").submit("small", seen="no")
    made.browser("ben").submit("small", text=making.WILD, seen="no")
    made.work()
    with database.write() as session:
        benchmark = session.scalar(select(Benchmark))
        olga, ben = (session.scalar(select(User).where(User.name == name)) for name in ("olga", "ben"))
        chosen = [row.id for row in candidates(session, benchmark.versions[-1])]
        make_campaign(session, olga, benchmark, name="Judging", submissions=chosen, judges=[ben.id])
    made.browser("anna").submit("small", text=making.SECOND, seen="no")
    return made


def counts(served: Served) -> dict[str, int]:
    with served.database.read() as session:
        return {
            table.name: session.scalar(select(func.count()).select_from(table)) for table in Base.metadata.sorted_tables
        }


def test_gone_and_back(served) -> None:
    olga, anna, ben = (served.browser(name) for name in ("olga", "anna", "ben"))
    before = counts(served)
    del before["audit"]
    assert "Judging" in ben.get("/campaigns")
    answer = olga.send("/b/small/delete", {"name": "Smal"}, form="/b/small/settings")
    assert (answer.status_code, "write the name" in answer.text) == (400, True)
    assert anna.send("/b/small/delete", {"name": "Small"}).status_code == 403
    assert olga.send("/b/small/delete", {"name": "Small"}, form="/b/small/settings").status_code == 303
    for browser in (olga, anna, served.browser()):
        for page in ("/b/small", "/api/benchmarks/small", "/b/small/submit", "/b/small/leaderboard.csv"):
            browser.get(page, status=403 if page.endswith("submit") and browser not in (olga, anna) else 404)
        assert ("Bring it back" in browser.get("/")) == (browser is olga)
    assert "Judging" not in ben.get("/campaigns")
    assert served.work() == 0
    with served.database.read() as session:
        assert queue.waiting(session)["cancelled"] == 1
        assert next((row.action, row.actor) for row in entries(session)) == ("delete", "olga")
    assert anna.send("/b/small/undo", {}).status_code == 403
    assert olga.send("/b/small/undo", {}, form="/").headers["location"] == "/b/small"
    assert olga.send("/b/small/undo", {}).status_code == 404
    assert {name: count for name, count in counts(served).items() if name != "audit"} == before
    assert served.work() == 1
    assert "mine" in served.browser().get("/b/small")
    assert "Judging" in ben.get("/campaigns")


def test_what_was_withdrawn_before_does_not_wait_again(served) -> None:
    anna = served.browser("anna")
    with served.database.read() as session:
        waiting = session.scalar(select(Job.submission_id).where(Job.state == "queued"))
    page = f"/b/small/submissions/{waiting}"
    assert anna.send(f"{page}/withdraw", {}, form=page).status_code == 303
    with served.database.write() as session:
        benchmark, olga = session.scalar(select(Benchmark)), session.scalar(select(User).where(User.name == "olga"))
        deletion.delete(session, benchmark, olga)
        deletion.undo(session, benchmark, olga, days=30)
    assert served.work() == 0


def test_it_is_forgotten_when_undo_is_over(served) -> None:
    with served.database.write() as session:
        benchmark, olga = session.scalar(select(Benchmark)), session.scalar(select(User).where(User.name == "olga"))
        other = making.benchmark(session, served.settings, olga, name="Other")
        submitted = session.scalar(select(Submission).where(Submission.user_id.is_not(None)))
        kept_blobs = set(session.scalars(select(Blob.hash).where(Blob.hash != submitted.blob)))
        deletion.delete(session, benchmark, olga)
        retention.forget(session, served.settings)
        assert session.get(Benchmark, benchmark.id) is not None
        benchmark.deleted -= 30 * DAY + 1
        session.flush()
        with pytest.raises(InputError, match="for 30 days"):
            deletion.undo(session, benchmark, olga, days=30)
        retention.forget(session, served.settings)
    with served.database.read() as session:
        assert [row.id for row in session.scalars(select(Benchmark))] == [other.id]
        left = set(session.scalars(select(Blob.hash)))
        assert submitted.blob not in left
        assert left < kept_blobs
        assert session.scalar(
            select(AuditEntry)
            .where(AuditEntry.object == f"benchmark {benchmark.id}")
            .where(AuditEntry.action == "forget")
        )
        assert session.scalars(select(Job)).all() != []  # the decoys of the other one
    with served.database.write() as session:
        row = session.get_one(Benchmark, other.id)
        row.deleted = 1.0
        session.flush()
        retention.forget(session, served.settings)
    assert {name for name, count in counts(served).items() if count} <= KEPT


def test_what_is_not_deleted_cannot_be_brought_back(served) -> None:
    with served.database.write() as session:
        olga = session.scalar(select(User).where(User.name == "olga"))
        with pytest.raises(InputError, match="not deleted"):
            deletion.undo(session, session.scalar(select(Benchmark)), olga, days=30)
