"""A worker alone: when it tries again, gives back, gives signs of life; what it says; what it holds in memory."""

from __future__ import annotations

import logging
import threading
from types import SimpleNamespace

import pytest
from sqlalchemy import delete, select
from sqlalchemy.exc import OperationalError

from board import making
from gecval.board import clock, queue, worker
from gecval.board.database import session
from gecval.board.database.models import Job, Ranking, SystemScore
from gecval.board.settings import Settings
from gecval.board.worker import Worker
from gecval.errors import InputError


@pytest.fixture
def waiting(on_sqlite, settings) -> Worker:
    """A worker, and three submissions that wait."""
    with on_sqlite.write() as session:
        olga = making.user(session, settings, "olga", "organiser")
        anna, team = making.participant(session, settings)
        made = making.benchmark(session, settings, olga, data=making.small_data(decoys=()))
        for name in ("a", "b", "c"):
            making.submission(session, made, team, anna, system=name)
    return Worker(on_sqlite, settings)


def states(of: Worker) -> dict[str, int]:
    with of.database.read() as session:
        return queue.count_by_state(session)


def of_the_board(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """What the board said, and no library beside it."""
    return [record for record in caplog.records if record.name.startswith("gecval.board")]


def test_what_is_refused_is_not_tried_again(waiting: Worker, monkeypatch, caplog) -> None:
    def refuses(*_: object, **__: object) -> None:
        raise InputError("it cannot be meant")

    monkeypatch.setattr(worker, "score_system", refuses)
    with caplog.at_level(logging.INFO, "gecval.board.worker"):
        assert waiting.work() is True
    assert states(waiting) == {"failed": 1, "queued": 2}
    with waiting.database.read() as session:
        job = session.scalars(select(Job).where(Job.state == "failed")).one()
        assert (job.log, job.tries) == ("it cannot be meant", 1)
    claimed, refused = of_the_board(caplog)
    assert [(record.message, record.job) for record in (claimed, refused)] == [("claimed", job.id), ("refused", job.id)]
    assert (vars(claimed)["try"], refused.why) == (1, "it cannot be meant")


def test_an_error_is_told_to_the_owner_and_to_the_log(waiting: Worker, monkeypatch, caplog) -> None:
    monkeypatch.setattr(worker, "score_system", lambda *_, **__: 1 // 0)
    waiting.work()
    assert states(waiting) == {"queued": 3}
    with waiting.database.read() as session:
        assert session.scalars(select(Job.log).where(Job.tries == 1)).all() == [
            "ZeroDivisionError: integer division or modulo by zero"
        ]
    [record] = [record for record in of_the_board(caplog) if record.levelname == "ERROR"]
    assert (record.message, record.exc_info[0]) == ("failed", ZeroDivisionError)


def test_who_is_asked_to_stop_gives_its_job_back(waiting: Worker, monkeypatch) -> None:
    score = worker.score_system

    def stops(*given: object, **more: object) -> object:
        waiting.stopping.set()
        return score(*given, **more)

    monkeypatch.setattr(worker, "score_system", stops)
    assert waiting.work() is True
    assert states(waiting) == {"queued": 3}
    with waiting.database.read() as session:
        assert set(session.scalars(select(Job.tries))) == {0}
        assert session.scalars(select(SystemScore)).all() == []


def test_while_it_scores_a_job_goes_back_at_once(waiting: Worker) -> None:
    held = queue.claim(waiting.database, lease=60.0, tries=3)
    assert (len(held.lease), held.tries) == (32, 1)  # 16 random bytes
    waiting.stopping.set()
    waiting._beat(held, threading.Event())  # it returns
    assert states(waiting) == {"queued": 3}


def test_signs_of_life(waiting: Worker, monkeypatch) -> None:
    """Four in the time of a lease; none once the job is somebody else's."""
    beats, moments = [], iter(range(100))
    monkeypatch.setattr(worker, "time", SimpleNamespace(monotonic=lambda: float(next(moments))))
    monkeypatch.setattr(queue, "heartbeat", lambda database, held, lease: beats.append((held, lease)) or len(beats) < 3)
    pauses = []

    class Over:
        def wait(self, seconds: float) -> bool:
            pauses.append(seconds)
            return len(pauses) > 50

    waiting.settings = Settings(lease=16.0)
    waiting._beat("held", Over())
    assert beats == [("held", 16.0)] * 3
    # It looks twice a second. A look reads the clock once, and twice where it beats: due at 0 + 4, then 5 + 4 ...
    assert pauses == [0.5] * 12
    pauses.clear()
    waiting.settings = Settings(lease=1.0)
    beats.clear()
    waiting._beat("held", Over())
    assert set(pauses) == {0.25}


def test_a_sign_of_life_that_cannot_be_given_is_no_end(waiting: Worker, monkeypatch, caplog) -> None:
    def gone(*_: object, **__: object) -> bool:
        raise OperationalError("UPDATE", {}, Exception("gone"))

    monkeypatch.setattr(queue, "heartbeat", gone)
    answers = iter([False, False, True])
    waiting.settings = Settings(lease=0.0)
    waiting._beat("held", SimpleNamespace(wait=lambda seconds: next(answers)))
    assert [record.message for record in of_the_board(caplog)] == ["no sign of life could be given"] * 2


def test_it_works_until_it_is_stopped(waiting: Worker, monkeypatch, caplog) -> None:
    done, pauses, forgotten = [], [], []
    answers = [True, False, RuntimeError(), RuntimeError(), False, RuntimeError()]

    def work() -> bool:
        answer = answers[len(done)]
        done.append(answer)
        if isinstance(answer, Exception):
            raise answer
        return answer

    stopping = SimpleNamespace(is_set=lambda: len(done) == len(answers), wait=lambda seconds: pauses.append(seconds))
    monkeypatch.setattr(worker.retention, "forget_hourly", lambda *given: forgotten.append(given))
    waiting.stopping, waiting.work, waiting.settings = stopping, work, Settings(poll=0.5)
    waiting.run()
    assert pauses == [0.5, 0.5, 1.0, 0.5, 0.5]  # longer after each error in a row
    assert forgotten == [(waiting.database, waiting.settings)] * 2
    assert [record.message for record in of_the_board(caplog)] == ["the queue cannot be asked"] * 3


def test_no_ranking_is_no_error(waiting: Worker, monkeypatch, caplog) -> None:
    monkeypatch.setattr(worker, "prepare_rankings", lambda *_: 1 // 0)
    while waiting.work():
        pass
    assert states(waiting) == {"done": 3}
    # before and after the last job: others leave it to this one
    [record, _] = [record for record in caplog.records if record.message == "no ranking"]
    with waiting.database.read() as session:
        assert record.version == session.scalars(select(Job.version_id)).first()
        assert session.scalars(select(Ranking)).all() == []


def test_what_is_written_of_a_score(waiting: Worker) -> None:
    waiting.work()
    with waiting.database.read() as session:
        rows = {row.metric: row for row in session.scalars(select(SystemScore))}
    assert set(rows) == {"gleu", "accuracy"}
    assert rows["accuracy"].score == 0.75
    assert rows["accuracy"].low <= 0.75 <= rows["accuracy"].high
    assert rows["accuracy"].level == 0.95


def test_pauses_grow_until_patience_ends(monkeypatch) -> None:
    """1 + 2 + 4 tenths of a second; the next pause would end at 1.5."""
    now, pauses = [0.0], []

    def wait(seconds: float) -> bool:
        pauses.append(seconds)
        now[0] += seconds
        return False

    def gone() -> None:
        raise OperationalError("SELECT 1", {}, Exception("gone"))

    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: now[0]))
    for seconds, count in ((1.0, 3), (1.5, 4)):
        now[0] = 0.0
        pauses.clear()
        with pytest.raises(OperationalError):
            session.retry_database(gone, seconds=seconds, stopping=SimpleNamespace(wait=wait))
        assert pauses == pytest.approx([0.1, 0.2, 0.4, 0.8][:count])


def test_a_job_rests_before_it_is_tried_again(waiting: Worker, monkeypatch) -> None:
    time = [1_800_000_000.0]
    monkeypatch.setattr(clock, "read_clock", lambda: time[0])
    monkeypatch.setattr(worker, "score_system", lambda *_, **__: 1 // 0)
    with waiting.database.write() as session:
        session.execute(delete(Job).where(Job.id != session.scalars(select(Job.id)).first()))
    assert waiting.work() is True
    for pause in (10.0, 40.0):
        time[0] += pause - 0.001
        assert waiting.work() is False
        time[0] += 0.002
        assert waiting.work() is True
    assert states(waiting) == {"failed": 1}


def test_scoring_that_takes_too_long_is_stopped(waiting: Worker, monkeypatch) -> None:
    """Its job has failed for good, the process starts again, and what was computed is not written."""
    waiting.settings = Settings(job_minutes=0.0)
    stopped = threading.Event()
    waiting.restart = stopped.set
    score = worker.score_system

    def slowly(*given: object, **more: object) -> object:
        assert stopped.wait(60)
        return score(*given, **more)

    monkeypatch.setattr(worker, "score_system", slowly)
    assert waiting.work() is True
    assert states(waiting) == {"failed": 1, "queued": 2}
    with waiting.database.read() as session:
        job = session.scalars(select(Job).where(Job.state == "failed")).one()
        assert job.log.startswith("Scoring took longer than 0 minutes and was stopped.")
        assert session.scalars(select(SystemScore)).all() == []


def test_a_worker_that_has_grown_starts_again(waiting: Worker, monkeypatch) -> None:
    memory = iter((100, 100 + waiting.settings.worker_growth, 101 + waiting.settings.worker_growth))
    monkeypatch.setattr(worker, "resident_bytes", lambda: next(memory))

    def restart() -> None:
        restarts.append(states(waiting))
        waiting.stopping.set()

    restarts: list[dict[str, int]] = []
    waiting.restart = restart
    waiting.run()
    assert restarts == [{"done": 3}]


def test_how_much_memory_a_process_has() -> None:
    assert 10_000_000 < worker.resident_bytes() < 10_000_000_000


def test_the_wait_grows_while_a_job_takes_unusually_long(waiting: Worker, monkeypatch) -> None:
    time = [1_800_000_000.0]
    monkeypatch.setattr(clock, "read_clock", lambda: time[0])
    with waiting.database.write() as session:
        done, running, _ = session.scalars(select(Job).order_by(Job.id)).all()
        assert queue.expect_wait(session, 2) is None
        done.state, done.started, done.finished = "done", time[0] - 2.0, time[0]
        assert queue.expect_wait(session, 2) == 4.0
        running.state, running.started = "leased", time[0] - 450.0
        assert queue.expect_wait(session, 2) == 452.0


def test_rankings_are_made_though_the_last_job_failed(waiting: Worker, monkeypatch) -> None:
    """While a job waits, rankings are left to it."""
    score, jobs = worker.score_system, []

    def sometimes(corpus, system, *given: object, **more: object) -> object:
        jobs.append(system.name)
        if len(jobs) == 3:
            raise InputError("it cannot be scored")
        return score(corpus, system, *given, **more)

    monkeypatch.setattr(worker, "score_system", sometimes)
    for _ in range(2):
        waiting.work()
    assert rankings(waiting) == 0
    waiting.work()
    assert states(waiting) == {"done": 2, "failed": 1}
    assert rankings(waiting) > 0


def test_rankings_are_made_though_the_last_job_was_cancelled(waiting: Worker) -> None:
    for _ in range(2):
        waiting.work()
    assert rankings(waiting) == 0
    with waiting.database.write() as session:
        queue.cancel(session, session.scalars(select(Job.submission_id).where(Job.state == "queued")).one())
    assert waiting.work() is False
    assert rankings(waiting) > 0


def rankings(of: Worker) -> int:
    with of.database.read() as session:
        return len(session.scalars(select(Ranking.key)).all())
