"""Submissions: what counts, what is refused, what comes back, and what is deleted for good."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from board import making
from board.serving import Served
from gecval.board import benchmarks, clock, queue, retention, submissions
from gecval.board.benchmark_data import UploadedFile, VersionData, check_data
from gecval.board.benchmarks import PhaseRules, add_phase, add_version
from gecval.board.campaigns import list_candidates, make_campaign
from gecval.board.clock import DAY
from gecval.board.database.models import (
    Admission,
    AuditEntry,
    Base,
    Benchmark,
    Blob,
    Detail,
    Job,
    Submission,
    System,
    Team,
    User,
)
from gecval.board.database.storage import list_entries
from gecval.board.errors import ForbiddenError, TooManyError
from gecval.errors import InputError

NOON = 1_800_000_000.0 - 1_800_000_000.0 % DAY + DAY / 2


@dataclass
class Rows:
    """A benchmark without decoys, its organiser and a team."""

    session: Session
    settings: object
    time: float
    olga: User
    anna: User
    team: Team
    made: Benchmark
    count: int = 0

    def submit(self, *, text: str = "", system: str = "mine", **more: object) -> Submission:
        self.count += 1
        content = (text or making.GOOD.replace("Fine", f"Fine {self.count}")).encode()
        given = {"name": "mine.txt", "content": content, **more}
        row = submissions.submit(self.session, self.made, self.team.id, self.anna, system=system, **given)
        self.session.flush()
        self.session.refresh(row)
        return row

    def phase(self, **rules: object) -> None:
        add_phase(self.session, self.olga, self.made, PhaseRules(**rules))
        self.session.refresh(self.made)

    def states(self) -> list[str]:
        return list(self.session.scalars(select(Job.state).order_by(Job.created, Job.id)))


@pytest.fixture
def rows(on_sqlite, settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rows]:
    with on_sqlite.write() as session:
        olga = making.user(session, settings, "olga", "organiser")
        anna, team = making.participant(session, settings)
        rows = Rows(session, settings, NOON, olga, anna, team, None)
        monkeypatch.setattr(clock, "read_clock", lambda: rows.time)
        rows.made = making.benchmark(session, settings, olga, data=making.small_data(decoys=()), opens=0.0)
        session.refresh(rows.made)
        yield rows


def test_limits_of_a_day_and_of_a_phase(rows: Rows) -> None:
    phase = rows.made.phases[0]
    assert submissions.count_quota(rows.session, phase, rows.team.id).left is None
    phase.per_day, phase.in_all = 2, 3
    for left in (1, 0):
        rows.submit()
        assert submissions.count_quota(rows.session, phase, rows.team.id).left == left
    with pytest.raises(TooManyError, match=r"^your team has used its 2 submissions of today; the next day is UTC's$"):
        rows.submit()
    rows.time += DAY / 2 - 0.001
    assert submissions.count_quota(rows.session, phase, rows.team.id).today == 2
    rows.time += 0.001  # midnight
    assert submissions.count_quota(rows.session, phase, rows.team.id) == submissions.Quota(0, 2, 2, 3)
    rows.submit()
    assert submissions.count_quota(rows.session, phase, rows.team.id).left == 0  # of the phase
    with pytest.raises(TooManyError, match=r"^your team has used its 3 submissions of this phase$"):
        rows.submit()
    phase.in_all = 2  # whoever organises may ask for less
    assert submissions.count_quota(rows.session, phase, rows.team.id).left == 0


def test_a_phase_takes_submissions_until_it_closes(rows: Rows) -> None:
    rows.made.phases[0].closes = NOON + 10
    rows.time = NOON + 9.9
    rows.submit()
    rows.time = NOON + 10
    with pytest.raises(ForbiddenError, match=r"^Small takes no more submissions since 2027-01-15 12:00 UTC$"):
        rows.submit()
    rows.phase(name="next", opens=NOON + 20)
    rows.time = NOON + 19.9
    with pytest.raises(ForbiddenError, match=r"from 2027-01-15 12:00 UTC on \(next\)$"):
        rows.submit()
    with pytest.raises(ForbiddenError):
        rows.submit()
    rows.time = NOON + 20
    assert rows.submit().phase.name == "next"
    rows.phase(name="last", opens=NOON + 15, overlaps=True)
    assert rows.submit().phase.name == "next"  # it opened last


def test_who_may_not_submit(rows: Rows) -> None:
    rows.anna.role = "judge"
    with pytest.raises(ForbiddenError, match=r"^judges do not submit; make another account for your team$"):
        rows.submit()
    rows.anna.role, rows.made.visibility = "participant", "private"
    with pytest.raises(ForbiddenError, match=r"^this team is not admitted to Small$"):
        rows.submit()
    rows.anna.role = "organiser"
    assert rows.submit()
    rows.anna.role = "participant"
    rows.session.add(Admission(benchmark_id=rows.made.id, team_id=rows.team.id))
    assert rows.submit()
    rows.made.visibility = "link"
    rows.session.delete(rows.session.get_one(Admission, (rows.made.id, rows.team.id)))
    assert rows.submit()


def test_the_same_file_is_not_taken_twice(rows: Rows) -> None:
    first = rows.submit(text=making.GOOD)
    with pytest.raises(InputError) as refused:
        rows.submit(text=making.GOOD, system=" mine  ")
    assert str(refused.value) == f"mine was submitted with this very file before: see submission {first.id}"
    assert rows.submit(text=making.GOOD, system="other").system.name == "other"
    rows.phase(name="next", opens=NOON)
    assert rows.submit(text=making.GOOD).phase.name == "next"
    third = rows.submit(text=making.SECOND)
    third.jobs[0].state = "failed"
    assert rows.submit(text=making.SECOND)  # it was not scored
    for away in (submissions.withdraw, submissions.delete):
        row = rows.submit(text=making.WILD)
        row.jobs[0].state = "done"
        away(rows.session, row, rows.anna)
    assert rows.submit(text=making.WILD)


def test_names_in_brackets_are_those_of_decoys(rows: Rows) -> None:
    with pytest.raises(InputError, match=r"^names in brackets are those of decoys; take another$"):
        rows.submit(system="(source)")
    assert rows.submit(system="mine (v2)").system.name == "mine (v2)"


def test_the_fact_sheet(rows: Rows) -> None:
    given = {"data": " W&I ", "size": "", "unknown": "x", "seen": "no", "paper": "p" * 500}
    assert rows.submit(sheet=given).sheet == {"data": "W&I", "paper": "p" * 500, "seen": "no"}
    assert rows.submit().sheet == {}
    for wrong, why in (
        ({"seen": "perhaps"}, "whether a system saw the test set: no, yes or unknown"),
        ({"code": "p" * 501}, "code has 501 letters; at most 500 are allowed"),
    ):
        with pytest.raises(InputError) as refused:
            rows.submit(sheet=wrong)
        assert str(refused.value) == why


def test_withdrawn_deleted_and_brought_back(rows: Rows) -> None:
    session, row = rows.session, rows.submit()
    with pytest.raises(InputError, match=r"^it is neither withdrawn nor deleted$"):
        submissions.undo(session, row, rows.anna, days=30)
    submissions.withdraw(session, row, rows.anna)
    with pytest.raises(InputError, match=r"^it is withdrawn already$"):
        submissions.withdraw(session, row, rows.anna)
    assert rows.states() == ["cancelled"]
    rows.time += DAY
    submissions.delete(session, row, rows.anna)
    assert (row.withdrawn, row.deleted) == (NOON, NOON + DAY)
    with pytest.raises(InputError, match=r"^it is deleted already$"):
        submissions.delete(session, row, rows.anna)
    rows.time += 30 * DAY  # since it was deleted
    assert [submissions.can_return(row, days=days) for days in (29, 30)] == [False, True]
    submissions.undo(session, row, rows.anna, days=30)
    assert (row.withdrawn, row.deleted, rows.states()) == (None, None, ["queued"])
    submissions.delete(session, row, rows.anna)
    assert (row.withdrawn, rows.states()) == (rows.time, ["cancelled"])
    rows.time += 30 * DAY + 0.1
    with pytest.raises(InputError, match=r"^it can be brought back for 30 days, and no longer$"):
        submissions.undo(session, row, rows.anna, days=30)


def test_bringing_back_counts_only_where_it_was_not_scored(rows: Rows) -> None:
    session, phase = rows.session, rows.made.phases[0]
    phase.per_day = 1
    scored, waiting = rows.submit(), None
    scored.jobs[0].state = "done"
    submissions.withdraw(session, scored, rows.anna)
    submissions.undo(session, scored, rows.anna, days=30)  # it has counted all the time
    phase.per_day = 2
    waiting = rows.submit()
    submissions.withdraw(session, waiting, rows.anna)
    rows.submit()
    with pytest.raises(TooManyError):
        submissions.undo(session, waiting, rows.anna, days=30)
    phase.per_day = 3
    submissions.undo(session, waiting, rows.anna, days=30)
    assert submissions.count_quota(session, phase, rows.team.id).left == 0


def test_what_was_away_is_scored_on_the_version_that_was_made_meanwhile(rows: Rows) -> None:
    session, row, stays = rows.session, rows.submit(), rows.submit()
    for job in session.scalars(select(Job)):
        job.state = "done"
    submissions.withdraw(session, row, rows.anna)
    add_version(session, rows.settings, rows.olga, rows.made, making.small_data(decoys=()))
    session.refresh(rows.made)
    waiting = select(Job.submission_id).where(Job.state == "queued")
    assert session.scalars(waiting).all() == [stays.id]
    rows.time += 1
    submissions.undo(session, row, rows.anna, days=30)
    session.flush()
    session.refresh(row)
    assert [(job.version_id, job.state) for job in row.jobs] == [
        (rows.made.versions[0].id, "done"),
        (rows.made.versions[1].id, "queued"),
    ]
    submissions.withdraw(session, row, rows.anna)
    submissions.undo(session, row, rows.anna, days=30)  # no third job
    assert session.scalar(select(func.count()).select_from(Job)) == 4


def test_one_is_chosen_of_each_system_and_phase(rows: Rows) -> None:
    first, second, other = rows.submit(), rows.submit(), rows.submit(system="other")
    for row in (first, other, second):
        submissions.choose(rows.session, row, rows.anna)
    rows.phase(name="next", opens=NOON)
    later = rows.submit()
    submissions.choose(rows.session, later, rows.anna)
    with pytest.raises(ForbiddenError, match="this phase closed on 2027-01-15 12:00 UTC"):
        submissions.choose(rows.session, first, rows.anna)
    rows.session.flush()
    rows.session.expire_all()
    assert [row.chosen for row in (first, second, other, later)] == [False, True, True, True]


def test_the_queue_tells_places(rows: Rows, on_sqlite) -> None:
    session = rows.session
    jobs = []
    for _ in range(3):
        rows.time += 1
        jobs.append(rows.submit().jobs[0])
    jobs[0].state, jobs[0].lease, jobs[0].until = "leased", "mine", rows.time
    session.flush()
    assert [queue.find_place(session, job) for job in jobs[1:]] == [2, 3]
    assert queue.return_expired(session, tries=3) == 0  # the lease ends in this moment
    rows.time += 0.001
    assert queue.return_expired(session, tries=3) == 1
    assert (jobs[0].state, jobs[0].lease, jobs[0].until) == ("queued", None, None)
    jobs[0].state, jobs[0].tries, jobs[0].until = "leased", 3, NOON
    session.flush()
    assert queue.return_expired(session, tries=3) == 1
    assert (jobs[0].state, jobs[0].finished) == ("failed", rows.time)
    assert jobs[0].log.startswith("The worker stopped without a word 3 times.")
    assert queue.has_queued(session, rows.made.versions[0].id) is True
    assert queue.has_queued(session, "another") is False
    assert queue.requeue(session, jobs[0].submission_id, "failed", "cancelled") == 1
    session.refresh(jobs[0])
    assert (jobs[0].state, jobs[0].tries, jobs[0].log, jobs[0].finished) == ("queued", 0, "", None)
    assert jobs[0].created == rows.time  # at the end of the queue


def test_the_wait_is_told_from_the_last_fifty_jobs(rows: Rows) -> None:
    session = rows.session
    row = rows.submit()
    for number in range(51):
        took = 1000.0 if number == 0 else 4.0
        begin = NOON + number
        session.add(
            Job(
                submission_id=row.id,
                version_id=rows.made.versions[0].id,
                software=f"gecval {number}",
                state="done",
                started=begin,
                finished=begin + took if number else begin + 0.5,
            )
        )
    session.flush()
    assert queue.mean_seconds(session) == 4.0


def test_benchmarks_of_one_name_have_addresses_of_their_own(rows: Rows) -> None:
    made = [making.benchmark(rows.session, rows.settings, rows.olga, name=name) for name in ("Small", "Small!", "Sm")]
    assert [row.slug for row in made] == ["small-2", "small-3", "sm"]


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"opens": 5.0, "closes": 5.0}, "a phase closes after it opens"),
        ({"per_day": 0}, "a limit is a number from 1 to 100000, or nothing"),
        ({"in_all": 100_001}, "a limit is a number from 1 to 100000, or nothing"),
        ({"rule": "worst"}, "rule is best, last, chosen; not 'worst'"),
        ({"entry": "person of a long name"}, "entry is system, team; not 'person of a long nam'"),
        ({"blind": True}, "a blind phase needs a date on which it closes"),
        ({"name": " "}, "a phase needs a name"),
    ],
)
def test_phases_that_are_refused(rows: Rows, rules: dict[str, object], why: str) -> None:
    with pytest.raises(InputError) as refused:
        rows.phase(**rules)
    assert str(refused.value) == why


def test_phases_that_just_do(rows: Rows) -> None:
    rows.phase(name="strict", opens=5.0, closes=5.1, per_day=1, in_all=100_000, blind=True)
    phase = next(phase for phase in rows.made.phases if phase.name == "strict")
    assert (phase.opens, phase.closes, phase.per_day, phase.in_all, phase.blind) == (5.0, 5.1, 1, 100_000, True)
    rows.phase(name="now")
    assert rows.made.phases[-1].opens == rows.time


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"aggregate": "median"}, "aggregate is corpus, mean; not 'median'"),
        ({"missing": "copied"}, "missing is absent, unchanged; not 'copied'"),
        ({"edits": "magic"}, "edits are found by plain or errant"),
        ({"metrics": ",".join(f"gleu(n={n})" for n in range(1, 14))}, "a benchmark has at most 12 metrics"),
        ({"metrics": "gleu, gleu"}, "the metric gleu is asked for twice"),
        ({"metrics": " \n"}, "a benchmark needs a metric"),
        ({"note": "x" * 4001}, "the note has 4001 letters; at most 4000 are allowed"),
    ],
)
def test_data_that_are_refused(rows: Rows, change: dict[str, object], why: str) -> None:
    with pytest.raises(InputError) as refused:
        add_version(rows.session, rows.settings, rows.olga, rows.made, replace(making.small_data(), **change))
    assert str(refused.value) == why


def test_as_many_files_as_there_may_be(rows: Rows) -> None:
    data = making.small_data()
    small = replace(rows.settings, max_files=3)
    files, corpus = check_data(small, data)
    assert [name for name, _ in files.references] == ["ref0.txt", "ref1.txt"]
    assert (files.source[0], len(corpus)) == ("src.txt", 4)
    with pytest.raises(InputError, match=r"^a benchmark has at most 2 files$"):
        check_data(replace(rows.settings, max_files=2), data)
    same = replace(data, source=UploadedFile(name="ref0.txt", content=making.SOURCE.encode()))
    with pytest.raises(InputError, match=r"^two files have the same name; rename one$"):
        check_data(small, same)
    assert rows.settings.max_files == 40
    assert rows.settings.max_upload == 20_000_000


def test_a_metric_of_edits_needs_none_yet(rows: Rows) -> None:
    """The worker finds them. Where the data bring edits, what the metric needs is looked at now."""
    assert check_data(rows.settings, making.small_data(metrics="errant"))[1].has_edits() is False
    gold = b"S He go home .\nA 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\n\n"
    data = VersionData(source=None, references=[UploadedFile(name="gold.m2", content=gold)], metrics="gleu")
    with pytest.raises(InputError):
        check_data(rows.settings, replace(data, metrics="nothing"))
    assert check_data(rows.settings, replace(data, metrics="m2"))[1].has_edits() is True
    with pytest.raises(InputError, match="gleu needs references"):
        check_data(rows.settings, replace(making.small_data(metrics="gleu"), references=()))


def test_a_benchmark_is_brought_back_for_thirty_days(rows: Rows) -> None:
    benchmarks.delete(rows.session, rows.made, rows.olga)
    rows.session.flush()
    assert benchmarks.list_deleted(rows.session, days=30) == [rows.made]
    rows.time += 30 * DAY
    assert benchmarks.list_deleted(rows.session, days=30) == [rows.made]
    assert benchmarks.list_deleted(rows.session, days=29) == []
    retention.forget(rows.session, rows.settings)
    benchmarks.undo(rows.session, rows.made, rows.olga, days=30)
    assert (rows.made.deleted, benchmarks.list_deleted(rows.session, days=30)) == (None, [])


def test_a_submission_is_forgotten_with_what_is_its_own_alone(rows: Rows) -> None:
    session = rows.session
    row, other = rows.submit(text=making.GOOD), rows.submit(text=making.GOOD, system="other")
    reference = rows.submit(text=making.FIRST, system="copied")
    source = rows.submit(text=making.SOURCE, system="unchanged")
    wild = rows.submit(text=making.WILD)
    job = wild.jobs[0]
    session.add(Detail(job_id=job.id, submission_id=wild.id, version_id=job.version_id, kind="k", body={}))
    digests = {name: one.blob for name, one in (("good", row), ("first", reference), ("src", source), ("wild", wild))}
    for one in (row, reference, source, wild):
        submissions.delete(session, one, rows.anna)
    rows.time += 30 * DAY
    retention.forget(session, rows.settings)
    assert session.scalar(select(func.count()).select_from(Submission)) == 5  # until this moment
    rows.time += 0.001
    retention.forget(session, rows.settings)
    assert session.scalars(select(Submission)).all() == [other]
    assert {name for name, digest in digests.items() if session.get(Blob, digest)} == {"good", "first", "src"}
    assert session.scalars(select(Detail)).all() == []
    told = [(entry.actor, entry.action, entry.object) for entry in list_entries(session) if entry.action == "forget"]
    assert ("the board", "forget", f"submission {wild.id}") in told
    assert len(told) == 4
    assert session.scalar(select(func.count()).select_from(System)) == 4


def test_what_is_old_is_looked_for_once_an_hour(on_sqlite, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    time, called = [NOON], []
    monkeypatch.setattr(clock, "read_clock", lambda: time[0])
    monkeypatch.setattr(retention, "_last", {})
    monkeypatch.setattr(retention, "forget", lambda session, settings: called.append(time[0]))
    for moment in (NOON, NOON + 3599.9, NOON + 3600, NOON + 3601):
        time[0] = moment
        retention.forget_hourly(on_sqlite, settings)
    assert called == [NOON, NOON + 3600]


def test_a_ladder_looks_at_the_last_version_and_at_any_hidden_file(rows: Rows) -> None:
    ladder = {"ladder": 1.0, "entry": "team", "name": "Ladder"}
    with pytest.raises(InputError, match="a Ladder is for hidden references"):
        rows.phase(**ladder)
    hidden = making.small_data(hidden=True, decoys=())
    mixed = replace(hidden, references=(hidden.references[0], replace(hidden.references[1], hidden=False)))
    add_version(rows.session, rows.settings, rows.olga, rows.made, mixed)
    rows.session.refresh(rows.made)
    rows.phase(**ladder)
    assert rows.made.phases[-1].ladder == 1.0
    made = making.benchmark(rows.session, rows.settings, rows.olga, data=mixed, **{**ladder, "name": "Mixed"})
    rows.session.refresh(made)
    assert made.versions[-1].hidden is True
    with pytest.raises(InputError, match="a step of the Ladder has 1 to 10 standard errors"):
        rows.phase(**{**ladder, "ladder": 0.5})
    assert (VersionData(source=None).digits, VersionData(source=None).aggregate) == (3, "corpus")
    plain = making.benchmark(rows.session, rows.settings, rows.olga, name="Plain")
    rows.session.refresh(plain)
    assert plain.phases[0].blind is False


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
        chosen = [row.id for row in list_candidates(session, benchmark.versions[-1])]
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
            browser.get(page, status=303 if page.endswith("submit") and browser not in (olga, anna) else 404)
        assert ("Bring it back" in browser.get("/")) == (browser is olga)
    assert "Judging" not in ben.get("/campaigns")
    assert served.work() == 0
    with served.database.read() as session:
        assert queue.count_by_state(session)["cancelled"] == 1
        assert next((row.action, row.actor) for row in list_entries(session)) == ("delete", "olga")
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
        benchmarks.delete(session, benchmark, olga)
        benchmarks.undo(session, benchmark, olga, days=30)
    assert served.work() == 0


def test_it_is_forgotten_when_undo_is_over(served) -> None:
    with served.database.write() as session:
        benchmark, olga = session.scalar(select(Benchmark)), session.scalar(select(User).where(User.name == "olga"))
        other = making.benchmark(session, served.settings, olga, name="Other")
        submitted = session.scalar(select(Submission).where(Submission.user_id.is_not(None)))
        kept_blobs = set(session.scalars(select(Blob.hash).where(Blob.hash != submitted.blob)))
        benchmarks.delete(session, benchmark, olga)
        retention.forget(session, served.settings)
        assert session.get(Benchmark, benchmark.id) is not None
        benchmark.deleted -= 30 * DAY + 1
        session.flush()
        with pytest.raises(InputError, match="for 30 days"):
            benchmarks.undo(session, benchmark, olga, days=30)
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
            benchmarks.undo(session, session.scalar(select(Benchmark)), olga, days=30)
