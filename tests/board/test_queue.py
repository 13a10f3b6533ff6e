"""A state machine over upload, withdraw, delete, undo, claim, finish, crash, retry and stop, on both databases.

Invariants: every live submission is scored exactly once or still waits or has failed; none is lost; what counts against
a team's limit is what the machine's own books say.
"""

from __future__ import annotations

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import func, select

from board import making
from gecval.board import clock, queue, submissions
from gecval.board.database import open_database
from gecval.board.database.models import Benchmark, Job, Submission, SystemScore, Team, User
from gecval.board.errors import TooManyError
from gecval.board.queue import Claim
from gecval.board.settings import Settings

LEASE, TRIES, LIMIT = 60.0, 3, 6
DAY_START = 1_800_000_000.0 - 1_800_000_000.0 % 86400


class Board(RuleBasedStateMachine):
    new_url = staticmethod(lambda: "")
    options = Settings()

    def __init__(self) -> None:
        super().__init__()
        self.time = DAY_START
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(clock, "read_clock", lambda: self.time)
        self.database = open_database(self.new_url())
        self.held: list[Claim] = []
        self.books: dict[str, str] = {}  # what should be true of each submission: waiting, scored, failed
        self.away: set[str] = set()  # withdrawn or deleted
        self.tries: dict[str, int] = {}
        self.count = 0

    @initialize()
    def open(self) -> None:
        with self.database.write() as session:
            organiser = making.user(session, self.options, "olga", "organiser")
            self.user, self.team = (row.id for row in making.participant(session, self.options))
            data = making.small_data(decoys=())
            self.benchmark = making.benchmark(session, self.options, organiser, data=data, per_day=LIMIT, opens=0.0).id

    def teardown(self) -> None:
        self.database.close()
        self.patch.undo()

    def spent(self) -> int:
        waiting = [key for key, state in self.books.items() if state == "waiting" and key not in self.away]
        return len(waiting) + sum(state == "scored" for state in self.books.values())

    @rule()
    def upload(self) -> None:
        self.time += 1
        self.count += 1
        spent = self.spent()
        try:
            with self.database.write() as session:
                row = making.submission(
                    session,
                    session.get_one(Benchmark, self.benchmark),
                    session.get_one(Team, self.team),
                    session.get_one(User, self.user),
                    text=making.GOOD.replace("Fine", f"Fine {self.count}"),
                )
                self.books[row.id], self.tries[row.id] = "waiting", 0
            assert spent < LIMIT
        except TooManyError:
            assert spent == LIMIT

    @precondition(lambda self: set(self.books) - self.away)
    @rule(data=st.data(), for_good=st.booleans())
    def withdraw(self, data: st.DataObject, for_good: bool) -> None:
        key = data.draw(st.sampled_from(sorted(set(self.books) - self.away, key=list(self.books).index)))
        with self.database.write() as session:
            act = submissions.delete if for_good else submissions.withdraw
            act(session, session.get_one(Submission, key), session.get_one(User, self.user))
        self.away.add(key)

    @precondition(lambda self: self.away)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.away, key=list(self.books).index)))
        full = self.spent() == LIMIT
        try:
            with self.database.write() as session:
                row, user = session.get_one(Submission, key), session.get_one(User, self.user)
                submissions.undo(session, row, user, days=30)
            assert not (full and self.books[key] == "waiting")
        except TooManyError:
            assert full
            return
        self.away.discard(key)
        if self.books[key] == "waiting":
            self.tries[key] = 0

    @rule()
    def claim(self) -> None:
        self._expire()
        held = queue.claim(self.database, lease=LEASE, tries=TRIES)
        waiting = [key for key in self._waiting() if key not in self._leased()]
        if held is None:
            assert waiting == []
            return
        assert held.submission_id in waiting
        self.tries[held.submission_id] += 1
        assert held.tries == self.tries[held.submission_id]
        self.held.append(held)

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def finish(self, data: st.DataObject) -> None:
        """Any worker that ever held a job may come back and want to write its scores."""
        held = data.draw(st.sampled_from(self.held))
        mine = self._holds(held)

        def write(session) -> None:
            session.add(score_of(held))

        assert queue.finish(self.database, held, write) == mine
        if mine:
            self.books[held.submission_id] = "scored"

    @precondition(lambda self: self.held)
    @rule(data=st.data(), for_good=st.booleans())
    def fail(self, data: st.DataObject, for_good: bool) -> None:
        held = data.draw(st.sampled_from(self.held))
        mine = self._holds(held)
        assert queue.fail(self.database, held, "boom", tries=TRIES, for_good=for_good) == mine
        if mine and (for_good or held.tries >= TRIES):
            self.books[held.submission_id] = "failed"

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def stop_in_good_order(self, data: st.DataObject) -> None:
        held = data.draw(st.sampled_from(self.held))
        mine = self._holds(held)
        assert queue.release(self.database, held) == mine
        if mine:
            self.tries[held.submission_id] -= 1

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def show_life(self, data: st.DataObject) -> None:
        held = data.draw(st.sampled_from(self.held))
        assert queue.heartbeat(self.database, held, lease=LEASE) == self._holds(held)

    @rule()
    def crash(self) -> None:
        """Every worker dies, and time passes."""
        self.time += LEASE + 1

    @precondition(lambda self: "failed" in self.books.values())
    @rule(data=st.data())
    def retry(self, data: st.DataObject) -> None:
        """An organiser puts a failed one back."""
        key = data.draw(st.sampled_from([key for key, state in self.books.items() if state == "failed"]))
        with self.database.write() as session:
            assert queue.requeue(session, key, "failed") == 1
            if key in self.away:
                queue.cancel(session, key)
        self.books[key], self.tries[key] = "waiting", 0

    @invariant()
    def nothing_is_lost_and_nothing_is_scored_twice(self) -> None:
        with self.database.read() as session:
            states = dict(map(tuple, session.execute(select(Job.submission_id, Job.state))))
            counted = select(SystemScore.submission_id, func.count()).group_by(SystemScore.submission_id)
            scores = dict(map(tuple, session.execute(counted)))
        assert set(states) == set(self.books)
        assert scores == {key: 1 for key, state in self.books.items() if state == "scored"}
        for key, state in self.books.items():
            waiting = {"cancelled"} if key in self.away else {"queued", "leased"}
            assert states[key] in {"scored": {"done"}, "failed": {"failed"}, "waiting": waiting}[state]

    @invariant()
    def the_quota_is_right(self) -> None:
        if not hasattr(self, "benchmark"):
            return
        with self.database.read() as session:
            phase = session.get_one(Benchmark, self.benchmark).phases[0]
            counted = submissions.count_quota(session, phase, self.team)
        assert (counted.today, counted.left) == (self.spent(), LIMIT - self.spent())

    def _waiting(self) -> list[str]:
        return [key for key, state in self.books.items() if state == "waiting" and key not in self.away]

    def _leased(self) -> set[str]:
        with self.database.read() as session:
            before = {held.lease: held.submission_id for held in self.held}
            return {before[lease] for lease in session.scalars(select(Job.lease)) if lease in before}

    def _holds(self, held: Claim) -> bool:
        with self.database.read() as session:
            job = session.get_one(Job, held.job_id)
            return job.lease == held.lease and job.state == "leased"

    def _expire(self) -> None:
        """What the next claim will do to expired leases, in the machine's own books."""
        with self.database.read() as session:
            for job in session.scalars(select(Job).where(Job.state == "leased", Job.until < self.time)):
                if self.tries[job.submission_id] >= TRIES:
                    self.books[job.submission_id] = "failed"


def score_of(held: Claim) -> SystemScore:
    return SystemScore(
        job_id=held.job_id,
        submission_id=held.submission_id,
        version_id=held.version_id,
        metric="gleu",
        score=0.5,
        parts={},
        higher_is_better=True,
        signature="gleu",
        notes=[],
        statistics=b"",
    )


def test_the_queue_loses_nothing_and_scores_once(new_url, settings) -> None:
    class OnThisDatabase(Board):
        options = settings

    OnThisDatabase.new_url = staticmethod(new_url)
    run_state_machine_as_test(
        OnThisDatabase, settings=hypothesis_settings(max_examples=10, stateful_step_count=25, deadline=None)
    )


def test_two_workers_never_hold_the_same_job(database, settings) -> None:
    """Forty jobs, four threads that claim and finish as fast as they can: each job is claimed once."""
    from concurrent.futures import ThreadPoolExecutor

    with database.write() as session:
        organiser = making.user(session, settings, "olga", "organiser")
        user, team = making.participant(session, settings)
        made = making.benchmark(session, settings, organiser, data=making.small_data(decoys=()))
        for number in range(40):
            making.submission(session, made, team, user, text=making.GOOD.replace("Fine", f"Fine {number}"))

    def work() -> list[str]:
        done = []
        while held := queue.claim(database, lease=LEASE, tries=TRIES):
            assert queue.finish(database, held, lambda session, held=held: session.add(score_of(held)))
            done.append(held.job_id)
        return done

    with ThreadPoolExecutor(4) as pool:
        claimed = [job for done in pool.map(lambda _: work(), range(4)) for job in done]
    assert len(claimed) == len(set(claimed)) == 40
    with database.read() as session:
        assert queue.count_by_state(session) == {"done": 40}
        assert session.scalar(select(func.count()).select_from(SystemScore)) == 40


def test_place_and_wait(database, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    time = [DAY_START]
    monkeypatch.setattr(clock, "read_clock", lambda: time[0])
    with database.write() as session:
        organiser = making.user(session, settings, "olga", "organiser")
        user, team = making.participant(session, settings)
        made = making.benchmark(session, settings, organiser, data=making.small_data(decoys=()), opens=0.0)
        jobs = []
        for number in range(3):
            time[0] += 1
            row = making.submission(session, made, team, user, text=making.GOOD.replace("Fine", f"Fine {number}"))
            session.flush()
            jobs.append(row.jobs[0].id)
        assert queue.mean_seconds(session) is None
    with database.read() as session:
        assert [queue.find_place(session, session.get_one(Job, job)) for job in jobs] == [1, 2, 3]
    held = queue.claim(database, lease=LEASE, tries=TRIES)
    assert held is not None
    assert held.job_id == jobs[0]
    time[0] += 4
    assert queue.finish(database, held, lambda session: None)
    with database.read() as session:
        assert [queue.find_place(session, session.get_one(Job, job)) for job in jobs[1:]] == [1, 2]
        assert queue.mean_seconds(session) == 4.0
