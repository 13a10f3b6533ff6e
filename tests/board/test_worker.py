"""A worker alone: when it tries again, gives back, gives signs of life; what it says; what it holds in memory."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
from pathlib import PurePosixPath
from types import SimpleNamespace

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from board import making
from gecval.board import logs, processes, queue, running, worker
from gecval.board.database import patience
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
        return queue.waiting(session)


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
    monkeypatch.setattr(worker.retention, "now_and_then", lambda *given: forgotten.append(given))
    waiting.stopping, waiting.work, waiting.settings = stopping, work, Settings(poll=0.5)
    waiting.run()
    assert pauses == [0.5, 0.5, 1.0, 0.5, 0.5]  # longer after each error in a row
    assert forgotten == [(waiting.database, waiting.settings)] * 2
    assert [record.message for record in of_the_board(caplog)] == ["the queue cannot be asked"] * 3


def test_four_corpora_are_held(waiting: Worker, monkeypatch) -> None:
    made = []

    def files(session: object, version: SimpleNamespace) -> SimpleNamespace:
        return SimpleNamespace(corpus=lambda: made.append(version.id) or f"corpus {version.id}")

    monkeypatch.setattr(worker.Files, "of", files)
    for key in "abcdaeb":
        assert waiting._corpus(None, SimpleNamespace(id=key)) == f"corpus {key}"
    assert "".join(made) == "abcdeb"  # b was the oldest when e came


def test_no_ranking_is_no_error(waiting: Worker, monkeypatch, caplog) -> None:
    monkeypatch.setattr(worker, "prepare_rankings", lambda *_: 1 // 0)
    while waiting.work():
        pass
    assert states(waiting) == {"done": 3}
    [record] = [record for record in caplog.records if record.message == "no ranking"]
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

    monkeypatch.setattr(patience, "time", SimpleNamespace(monotonic=lambda: now[0]))
    for seconds, count in ((1.0, 3), (1.5, 4)):
        now[0] = 0.0
        pauses.clear()
        with pytest.raises(OperationalError):
            patience.patiently(gone, seconds=seconds, stopping=SimpleNamespace(wait=wait))
        assert pauses == pytest.approx([0.1, 0.2, 0.4, 0.8][:count])


def test_a_line_of_the_log_is_json() -> None:
    record = logging.makeLogRecord(
        {"name": "gecval.board", "levelname": "ERROR", "msg": "no %s", "args": ("räport",), "created": 0.25}
    )
    record.job, record.path, record._ray_timestamp_ns = "7", PurePosixPath("/b"), 3  # Ray adds one to every record
    line = logs.JsonLines().format(record)
    assert line == (
        '{"at": "1970-01-01T00:00:00.250+00:00", "level": "error", "logger": "gecval.board", '
        '"message": "no räport", "job": "7", "path": "/b"}'
    )
    try:
        1 // 0  # noqa: B018
    except ZeroDivisionError:
        record.exc_info = sys.exc_info()
    assert json.loads(logs.JsonLines().format(record))["error"].endswith(
        "ZeroDivisionError: integer division or modulo by zero"
    )


def test_the_log_goes_to_stderr(capsys, monkeypatch) -> None:
    names = ("gecval", "uvicorn")
    before = {name: (logging.getLogger(name).handlers, logging.getLogger(name).propagate) for name in names}
    levels = {name: logging.getLogger(name).level for name in names}
    try:
        logs.log_to_stderr()
        for name in ("gecval.board", "uvicorn.error"):
            for say in ("debug", "info", "warning"):
                getattr(logging.getLogger(name), say)(f"a {say} of {name}")
        assert not any(logging.getLogger(name).propagate for name in names)
    finally:
        for name in names:
            logger = logging.getLogger(name)
            logger.handlers, logger.propagate = before[name]
            logger.setLevel(levels[name])
    said = [json.loads(line)["message"] for line in capsys.readouterr().err.splitlines()]
    assert said == ["a info of gecval.board", "a warning of gecval.board", "a warning of uvicorn.error"]


class Process:
    """A worker's process that a test ends."""

    def __init__(self, command: list[str], env: dict[str, str]) -> None:
        self.command, self.env, self.returncode = command, env, None
        self.did: list[object] = []
        self.stubborn = False

    def poll(self) -> int | None:
        return self.returncode

    def terminate(self) -> None:
        self.did.append("terminate")

    def kill(self) -> None:
        self.did.append("kill")

    def wait(self, seconds: float | None = None) -> None:
        self.did.append(seconds)
        if self.stubborn and seconds is not None:
            raise subprocess.TimeoutExpired("worker", seconds)


def test_workers_are_started_replaced_and_stopped(monkeypatch, caplog, tmp_path) -> None:
    started: list[Process] = []
    watching = []

    def spawned(*given, **more) -> Process:
        started.append(Process(*given, **more))
        return started[-1]

    def thread(target, daemon) -> SimpleNamespace:
        return SimpleNamespace(start=lambda: watching.append((target, daemon)))

    monkeypatch.setattr(processes.subprocess, "Popen", spawned)
    monkeypatch.setattr(processes.threading, "Thread", thread)
    settings = Settings(data=tmp_path, database="postgresql+psycopg://secret@there/board")
    workers = processes.Workers(settings, 2, jobs=3)
    workers.start()
    assert [process.command[1:] for process in started] == [
        ["-m", "gecval", "worker", "--data", str(tmp_path), "--jobs", "3"]
    ] * 2
    assert started[0].env["GECVAL_DATABASE"] == settings.database
    assert started[0].env[processes.PARENT] == str(os.getpid())
    assert watching == [(workers._watch, True)]

    class Stopping:
        """Two looks, then the end. ``over`` is what whoever asks between is told."""

        looks, over, pauses = 0, False, ()

        def wait(self, seconds: float) -> bool:
            self.looks, self.pauses = self.looks + 1, (*self.pauses, seconds)
            return self.looks > 2

        def is_set(self) -> bool:
            return self.over

        def set(self) -> None:
            self.over = True

    started[1].returncode = -9
    workers._stopping = Stopping()
    workers._watch()
    assert workers._stopping.pauses == (1.0,) * 3
    assert len(started) == 3
    [record] = of_the_board(caplog)
    assert (record.message, record.status) == ("a worker died and is replaced", -9)
    started[0].returncode = 1
    workers._stopping = Stopping()
    workers._stopping.over = True
    workers._watch()
    assert len(started) == 3  # who stops replaces nobody
    moments = iter([100.0, 105.0, 130.0])
    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    started[2].stubborn = True
    workers.stop()
    assert workers._stopping.over is True
    assert started[0].did == ["terminate", 10.0]
    assert started[2].did == ["terminate", 0.1, "kill", None]


def test_without_an_address_the_database_is_in_the_folder(monkeypatch, tmp_path) -> None:
    monkeypatch.delenv("GECVAL_DATABASE", raising=False)
    monkeypatch.setattr(processes.subprocess, "Popen", Process)
    assert "GECVAL_DATABASE" not in processes.Workers(Settings(data=tmp_path), 1, jobs=1)._spawn().env


def test_signals_and_the_end_of_the_parent_stop_a_worker(monkeypatch) -> None:
    handlers, threads = {}, []
    monkeypatch.setattr(processes.signal, "signal", lambda number, handler: handlers.update({number: handler}))
    monkeypatch.setattr(
        processes.threading,
        "Thread",
        lambda **given: SimpleNamespace(start=lambda: threads.append(given)),
    )
    for parent, followed in (("", 0), ("4711", 1)):
        monkeypatch.setenv(processes.PARENT, parent)
        stopping = threading.Event()
        processes.stop_on_signals(stopping)
        assert set(handlers) == {signal.SIGTERM, signal.SIGINT}
        assert len(threads) == followed
        handlers[signal.SIGINT](signal.SIGINT, None)
        assert stopping.is_set()
    assert threads == [{"target": processes._follow, "args": (4711, stopping), "daemon": True}]
    pauses, ended, parents = [], [], iter([4711, 4711, 1])
    # In place of the modules, not in them: other threads of the process that tests share ask them too.
    monkeypatch.setattr(processes, "os", SimpleNamespace(getppid=lambda: next(parents), _exit=ended.append))
    monkeypatch.setattr(processes, "time", SimpleNamespace(sleep=pauses.append))
    stopping = threading.Event()
    processes._follow(4711, stopping)
    assert (pauses, ended, stopping.is_set()) == ([1.0, 1.0, 15.0], [1], True)


@pytest.mark.parametrize(
    ("host", "shown"),
    [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("[::1]", "[::1]"), ("localhost", "localhost")],
)
def test_the_host_as_a_browser_writes_it(host: str, shown: str) -> None:
    assert running._host(host) == shown


def test_a_port_that_is_taken_is_told_in_one_line() -> None:
    with running._listen(Settings(port=0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"^cannot listen at 127.0.0.1, port {port}: Address already in use"):
            running._listen(Settings(port=port))


def test_a_worker_that_does_not_end_is_left(monkeypatch, tmp_path, caplog) -> None:
    """It runs until it is told to stop; a kernel that still computes does not keep the process."""
    ended, said = [], []
    monkeypatch.setattr(running, "log_to_stderr", lambda: None)
    monkeypatch.setattr(running, "stop_on_signals", lambda stopping: said.append(stopping))
    monkeypatch.setattr(running.os, "_exit", ended.append)
    monkeypatch.setattr(running.logging, "shutdown", lambda: ended.append("flushed"))
    computing = threading.Event()
    for stubborn, left in ((False, []), (True, ["flushed", 0])):

        class Computing:
            def __init__(self, database: object, settings: Settings, *, jobs: int, stopping: threading.Event) -> None:
                assert jobs == 3
                self.stopping = stopping

            def run(self, stubborn: bool = stubborn) -> None:
                self.stopping.set()
                if stubborn:
                    computing.wait(60)

        monkeypatch.setattr(running, "Worker", Computing)
        monkeypatch.setattr(running, "PATIENCE", 0.01 if stubborn else 60.0)
        with caplog.at_level(logging.INFO, "gecval.board"):
            running.work(Settings(data=tmp_path), jobs=3)
        assert ended == left
        assert said[-1].is_set()
    computing.set()
    assert [record.message for record in of_the_board(caplog)] == ["stopped"] * 2


def test_serving_begins_and_ends_in_good_order(monkeypatch, tmp_path, caplog) -> None:
    did: list[object] = []
    said: list[str] = []

    class Workers:
        def __init__(self, settings: Settings, count: int, *, jobs: int) -> None:
            did.append((count, jobs))

        def start(self) -> None:
            did.append("start")

        def stop(self) -> None:
            did.append("stop")

    def run(sockets: list) -> None:
        did.append("run")
        sockets[0].close()
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "Workers", Workers)
    monkeypatch.setattr(running, "cores", lambda: 7)
    monkeypatch.setattr(running, "log_to_stderr", lambda: did.append("log"))
    monkeypatch.setattr(running.signal, "signal", lambda *given: did.append(given))
    monkeypatch.setattr(running.uvicorn, "Config", lambda app, **more: more)
    monkeypatch.setattr(running.uvicorn, "Server", lambda config: did.append(config) or SimpleNamespace(run=run))
    monkeypatch.setattr(running.history, "score_again", lambda session: 8)
    monkeypatch.setattr("gecval.board.web.reports.Reports.close", lambda self: did.append("close reports"))
    monkeypatch.setattr("gecval.board.database.session.Database.close", lambda self: did.append("close database"))
    with caplog.at_level(logging.INFO, "gecval.board"):
        running.serve(Settings(data=tmp_path / "new", port=0, workers=2, password_cost=1), said.append)
    config = {"log_config": None, "access_log": False, "server_header": False, "proxy_headers": True}
    assert did == [
        "log",
        (2, 3),
        {**config, "timeout_graceful_shutdown": 10},
        (signal.SIGTERM, signal.default_int_handler),
        *("start", "run", "close reports", "stop", "close database"),
    ]
    assert of_the_board(caplog)[-1].message == "stopped"
    assert said[-1] == "8 submissions are scored again, as gecval is of another version; their old scores stay."
