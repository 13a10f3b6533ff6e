"""``gecval serve`` as a program: workers that die are replaced, and everything ends when it is asked to, or killed."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from gecval.board import serve
from gecval.board.database import session
from gecval.board.settings import SOFTWARE, Settings
from gecval.cli.board import command as board
from gecval.cli.board import serve_command
from gecval.errors import InputError
from running import running

LONG = 120.0  # seconds: only a program that hangs takes so long


class Program:
    """A board with one worker, in the folder ``data``. Its database is named in the environment."""

    def __init__(self, data: Path) -> None:
        self.database = f"sqlite:///{data / 'board.sqlite'}"
        command = [sys.executable, "-m", "gecval", "serve", "--data", str(data), "--port", "0"]
        self.process = subprocess.Popen(
            command,
            env={**os.environ, "GECVAL_DATABASE": self.database},
            stdout=subprocess.PIPE,
            stderr=(data / "log").open("w"),
            text=True,
        )
        self.log = data / "log"
        assert self.process.stdout
        self.address = self.process.stdout.readline().split()[4]
        self.link = self.process.stdout.readline()

    def workers(self) -> list[int]:
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(child) for thread in threads for child in thread.read_text().split()]

    def said(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def says(self, message: str) -> bool:
        return message in [entry["message"] for entry in self.said()]


def wait_until(happened: Callable[[], object]) -> None:
    deadline = time.monotonic() + LONG
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    (tmp_path / "board").mkdir()
    started = Program(tmp_path / "board")
    yield started
    children = started.workers() if started.process.poll() is None else []
    started.process.kill()
    started.process.communicate()
    for child in children:
        os.kill(child, signal.SIGKILL)


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced_and_all_end_in_good_order(program: Program) -> None:
    assert httpx.get(f"{program.address}/healthz").json()["status"] == "ok"
    link = "There is no organiser yet. Open this link once to become one: "
    wait_until(program.workers)
    assert re.fullmatch(link + re.escape(program.address) + r"/join/[\w-]{43}\n", program.link)
    [worker] = program.workers()
    arguments = Path(f"/proc/{worker}/cmdline").read_bytes().split(b"\0")
    assert arguments[1:5] == [b"-m", b"gecval", b"board", b"worker"]
    assert program.database.encode() not in arguments  # everybody on the machine can read them
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: program.says("a worker died and is replaced"))
    assert [entry["status"] for entry in program.said() if "status" in entry] == [-9]
    wait_until(lambda: program.workers() not in ([], [worker]))
    [replaced] = program.workers()
    time.sleep(1.0)  # it may still start, and then a signal ends it like any program
    program.process.send_signal(signal.SIGTERM)
    assert program.process.wait(LONG) == 0
    assert program.said()[-1]["message"] == "stopped"
    wait_until(lambda: not running(replaced))


@pytest.mark.slow
def test_workers_end_with_the_board_that_started_them(program: Program) -> None:
    wait_until(program.workers)
    [worker] = program.workers()
    program.process.kill()
    wait_until(lambda: not running(worker))


def test_a_worker_that_still_computes_is_left(monkeypatch, tmp_path, caplog) -> None:
    """It runs until it is asked to stop; a kernel that still computes does not hold the process."""
    ended, computing = [], threading.Event()
    monkeypatch.setattr(serve, "log_to_stderr", lambda: None)
    monkeypatch.setattr(serve, "stop_on_signals", lambda stopping: stopping.set())
    monkeypatch.setattr(serve.os, "_exit", ended.append)
    monkeypatch.setattr(serve.logging, "shutdown", lambda: ended.append("flushed"))
    monkeypatch.setattr(serve, "RELEASE_SECONDS", 0.01)
    monkeypatch.setattr(serve.Worker, "run", lambda worker: computing.wait(60))
    with caplog.at_level(logging.INFO, "gecval.board"):
        serve.work(Settings(data=tmp_path), jobs=3)
    computing.set()
    assert ended == ["flushed", 0]
    assert [record.message for record in caplog.records if record.name == "gecval.board"] == ["stopped"]


def test_a_worker_that_does_not_stop_is_killed(monkeypatch, tmp_path) -> None:
    deaf = [sys.executable, "-c", "import signal, time; signal.signal(15, signal.SIG_IGN); print(); time.sleep(600)"]
    popen = subprocess.Popen
    monkeypatch.setattr(serve.subprocess, "Popen", lambda *_, **__: popen(deaf, stdout=subprocess.PIPE))
    monkeypatch.setattr(serve, "STOP_SECONDS", 0.2)
    workers = serve.Workers(Settings(data=tmp_path), 2, jobs=1)
    workers.start()
    processes = list(workers._running.values())
    for process in processes:
        process.stdout.readline()
    workers.stop()
    assert [process.returncode for process in processes] == [-9, -9]


@pytest.mark.parametrize(
    ("host", "shown"),
    [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("[::1]", "[::1]"), ("localhost", "localhost")],
)
def test_the_host_as_a_browser_writes_it(host: str, shown: str) -> None:
    assert serve._browser_host(host) == shown


def test_a_port_that_is_taken_is_told_in_one_line() -> None:
    with serve._listen(Settings(port=0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"^cannot listen at 127.0.0.1, port {port}: Address already in use"):
            serve._listen(Settings(port=port))


def test_a_line_of_the_log_is_json() -> None:
    record = logging.makeLogRecord(
        {"name": "gecval.board", "levelname": "ERROR", "msg": "no %s", "args": ("räport",), "created": 0.25}
    )
    record.job, record.path, record._ray_timestamp_ns = "7", PurePosixPath("/b"), 3  # Ray adds one to every record
    line = serve.JsonLines().format(record)
    assert line == (
        '{"at": "1970-01-01T00:00:00.250+00:00", "level": "error", "logger": "gecval.board", '
        '"message": "no räport", "job": "7", "path": "/b"}'
    )
    try:
        1 // 0  # noqa: B018
    except ZeroDivisionError:
        record.exc_info = sys.exc_info()
    assert json.loads(serve.JsonLines().format(record))["error"].endswith(
        "ZeroDivisionError: integer division or modulo by zero"
    )


# What stands in ``deploy/``: systemd reads the unit without a complaint, and the command lines are those of gecval.


DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = DEPLOY / "gecval-board.service"


def started(words: list[str]) -> dict[str, object]:
    """The options of a command line that starts a board."""
    assert Path(words[0]).name == "gecval"
    assert words[1] == "serve"
    with board.make_context("board", words[1:]) as family:
        return serve_command.make_context("serve", words[2:], parent=family).params


def test_systemd_has_no_complaint(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("there is no systemd-analyze")
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text("utf-8").replace("/opt/gecval/bin/gecval", sys.executable), "utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", "")


def test_the_unit_starts_a_board_in_its_own_folder() -> None:
    settings = dict(line.split("=", 1) for line in UNIT.read_text("utf-8").splitlines() if re.match(r"\w+=", line))
    options = started(settings["ExecStart"].split())
    assert options["data"] == Path("/var/lib") / settings["StateDirectory"]
    assert options["secure"] is True
    assert options["host"] == "127.0.0.1"  # the proxy alone gets at it


def test_the_image_serves_the_port_that_it_exposes() -> None:
    lines = dict(line.split(" ", 1) for line in (DEPLOY / "Dockerfile").read_text("utf-8").splitlines() if " " in line)
    options = started(json.loads(lines["CMD"]))
    assert (options["host"], options["port"]) == ("0.0.0.0", int(lines["EXPOSE"]))
    assert str(options["data"]) == lines["VOLUME"]
    assert f"127.0.0.1:{options['port']}" in (DEPLOY / "nginx.conf").read_text("utf-8")


@pytest.mark.slow
def test_the_smoke_test_of_an_image_passes_on_a_board(program: Program, tmp_path: Path) -> None:
    (link,) = re.findall(r"http://\S+", program.link)
    check = subprocess.run([sys.executable, DEPLOY / "smoke.py", link], capture_output=True, text=True, timeout=LONG)
    said = f"gecval {SOFTWARE} scores 1.0000, 1.0000, 1.0000; /healthz says ok\n"
    assert (check.returncode, check.stdout, check.stderr) == (0, said, "")
    again = subprocess.run([sys.executable, DEPLOY / "smoke.py", link], capture_output=True, text=True, timeout=LONG)
    assert (again.returncode, "this link was used" in again.stderr) == (1, True)


def test_a_database_that_starts_late_is_waited_for(monkeypatch, tmp_path: Path, caplog) -> None:
    opened, pauses = [], []

    def late(url: str) -> str:
        opened.append(url)
        if len(opened) < 4:
            raise OperationalError("", {}, Exception("connection refused\nIs the server running?"))
        return "open"

    monkeypatch.setattr(session, "_open", late)
    monkeypatch.setattr(session.time, "sleep", pauses.append)
    assert session.open_database("postgresql+psycopg://", patience=60.0) == "open"
    assert pauses == [0.1, 0.2, 0.4]
    del opened[:]
    with pytest.raises(InputError, match="the database cannot be opened: connection refused"):
        session.open_database("postgresql+psycopg://")
    assert len(opened) == 1

    def refuses(url: str) -> None:
        opened.append(url)
        raise OperationalError("", {}, Exception('password authentication failed for user "board"'))

    monkeypatch.setattr(session, "_open", refuses)
    with pytest.raises(InputError, match="password authentication failed"):
        session.open_database("postgresql+psycopg://", patience=60.0)
    assert len(opened) == 2


def test_the_settings_file(tmp_path: Path) -> None:
    settings, file = Settings(data=tmp_path), tmp_path / "board.toml"
    assert settings.with_file() == settings
    file.write_text('address = "https://board.example.org/"\njob_minutes = 5\nopen_signup = true\n')
    read = settings.with_file()
    assert (read.address, read.secure, read.job_minutes, read.open_signup) == (
        "https://board.example.org",
        True,
        5,
        True,
    )
    for text, why in (
        ("address = 'board'", "address is 'board'; it must be like 'https://board.example.org'"),
        ("port = 80", "there is no setting 'port'; there is address, "),
        ("undo_days = true", "undo_days is True; it must be like 30"),
        ("uploads = 'many'", "uploads is 'many'; it must be like 60"),
        ("= 3", "board.toml is not TOML: "),
        ("tries = " + 5000 * "1", "board.toml is not TOML: Exceeds the limit"),
        ("tries = " + 5000 * "[", "board.toml is not TOML: "),
        ("tries = 0x" + 5000 * "1", "tries is a number of too many digits; it must be from 1 to 1,000,000"),
        ("lease = nan", "lease is nan; it must be from 0.1 to 1,000,000"),
        ("pause = -5", "pause is -5; it must be from 0 to 1,000,000"),
        ("undo_days = 99999999999999999999", "undo_days is 99999999999999999999; it must be from 0 to 1,000,000"),
        ("address = 'http://[1'", "address is 'http://[1'; it must be like 'https://board.example.org'"),
        ("address = 'http://a:99999'", "address is 'http://a:99999'; it must be like "),
        ("sender = 1", "sender is 1; it must be a text in quotes"),
    ):
        file.write_text(text)
        with pytest.raises(InputError, match=re.escape(why)):
            settings.with_file()
    for text, why in (
        ("sso = 'https://[::'", "sso must be the https address"),
        ("smtp = 'smtp://[x'", "smtp must be like"),
    ):
        file.write_text(f"address = 'https://board.example.org'\n{text}")
        with pytest.raises(InputError, match=why):
            settings.with_file().check()


def test_starting_again_is_the_same_command(monkeypatch) -> None:
    ran = []
    monkeypatch.setattr(serve.os, "execv", lambda *command: ran.append(command))
    monkeypatch.setattr(serve.logging, "shutdown", lambda: None)
    serve.start_again()
    assert ran == [(sys.executable, sys.orig_argv)]
