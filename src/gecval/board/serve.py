"""Running a board: the web server in this process, workers in their own, and everything stopped in good order."""

from __future__ import annotations

import contextlib
import gc
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone

import uvicorn

from gecval.board import accounts, demo, mail, queue
from gecval.board.database import open_database
from gecval.board.settings import Settings
from gecval.board.web.app import make_app
from gecval.board.worker import Worker
from gecval.errors import InputError
from gecval.runtime.threads import cores

log = logging.getLogger("gecval.board")
Say = Callable[[str], None]
GRACE = 10  # seconds that open requests get at the end
PATIENCE = 60.0  # seconds that a database may take to start
RELEASE_SECONDS = 5.0  # seconds that a worker takes to give its job back


def serve(settings: Settings, say: Say, *, with_demo: bool = False) -> None:
    """Run until a signal comes. ``say`` prints where the board is, and who can get in."""
    settings = settings.with_file()
    settings.check()
    listening = _listen(settings)
    log_to_stderr()
    database = open_database(settings.url, patience=PATIENCE)
    here = f"http://{_browser_host(settings.host)}:{listening.getsockname()[1]}"
    with database.write() as session:
        password = demo.fill(session, settings) if with_demo else None
        link = accounts.make_first_link(session)
        again = queue.queue_rescoring(session)
    say(f"The board is at {here} (Ctrl-C stops it).")
    if password:
        say(f"Log in as {demo.NAME} with the password {password}")
    elif with_demo:
        say("The board is filled already, so nothing is added to it.")
    if link:
        # A secure cookie needs TLS, so the proxy.
        public = settings.address or ("https://YOUR-ADDRESS" if settings.secure else here)
        say(f"There is no organiser yet. Open this link once to become one: {public}/join/{link}")
    if again:
        say(f"{again} submissions are scored again, as gecval is of another version; their old scores stay.")
    workers = Workers(settings, settings.workers, jobs=max(1, cores() // max(1, settings.workers)))
    app = make_app(settings, database)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=True,
            timeout_graceful_shutdown=GRACE,
        )
    )
    # uvicorn stops in good order, then sends itself the same signal again: that must not end us before the workers.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    workers.start()
    gc.freeze()  # all that was imported stays, so no collection need look at it while requests wait
    try:
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    finally:
        app.state.reports.close()
        workers.stop()
        database.close()
        log.info("stopped")


def work(settings: Settings, *, jobs: int | None = None) -> None:
    """Run a worker until a signal comes; the job that it works on goes back to the queue."""
    settings = settings.with_file()
    settings.check()
    log_to_stderr()
    stopping = threading.Event()
    stop_on_signals(stopping)
    database = open_database(settings.url, patience=PATIENCE)
    worker = Worker(database, settings, jobs=jobs or cores(), stopping=stopping, restart=start_again)
    # Scoring cannot be interrupted, so it does not keep the process: it ends when the job has gone back.
    thread = threading.Thread(target=worker.run, daemon=True)
    thread.start()
    if settings.smtp:
        threading.Thread(target=mail.run, args=(database, settings, stopping), daemon=True).start()
    stopping.wait()
    thread.join(RELEASE_SECONDS)
    log.info("stopped")
    if thread.is_alive():  # a kernel still computes: Python cannot be taken down around it in good order
        logging.shutdown()
        os._exit(0)


def start_again() -> None:
    """The same command in the same process, from the start: whoever watches it sees no difference."""
    logging.shutdown()
    os.execv(sys.executable, sys.orig_argv)


def _listen(settings: Settings) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"cannot listen at {settings.host}, port {settings.port}: {reason}", parameter=("host", "port")
        ) from None


def _browser_host(host: str) -> str:
    """The host as a browser on this machine writes it."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    return f"[{shown}]" if ":" in shown and not shown.startswith("[") else shown


PARENT = "GECVAL_BOARD_PARENT"  # the process that a worker belongs to
STOP_SECONDS = 15.0  # seconds that a worker gets to give its job back
PAUSE = 1.0  # seconds before a worker that died is replaced


@dataclass
class Workers:
    """Keeps ``count`` workers alive until ``stop``."""

    settings: Settings
    count: int
    jobs: int
    _stopping: threading.Event = field(default_factory=threading.Event)
    _running: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self) -> None:
        for number in range(self.count):
            self._running[number] = self._spawn()
        threading.Thread(target=self._watch, daemon=True).start()

    def stop(self) -> None:
        """Ask all to stop in good order; kill who does not."""
        self._stopping.set()
        for process in self._running.values():
            process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for process in self._running.values():
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _spawn(self) -> subprocess.Popen[bytes]:
        command = [
            sys.executable,
            "-m",
            "gecval",
            "board",
            "worker",
            "--data",
            str(self.settings.data),
            "--jobs",
            str(self.jobs),
        ]
        environment = {**os.environ, PARENT: str(os.getpid())}
        if self.settings.database:  # not among the arguments: everybody on the machine can read these
            environment["GECVAL_DATABASE"] = self.settings.database
        return subprocess.Popen(command, env=environment)

    def _watch(self) -> None:
        while not self._stopping.wait(PAUSE):
            for number, process in list(self._running.items()):
                if process.poll() is not None and not self._stopping.is_set():
                    log.error("a worker died and is replaced", extra={"status": process.returncode})
                    self._running[number] = self._spawn()


def stop_on_signals(stopping: threading.Event) -> None:
    """SIGTERM and Ctrl-C stop a worker in good order; so does the end of the board that started it."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    parent = os.environ.get(PARENT, "")
    if parent.isdigit():
        threading.Thread(target=_stop_with_parent, args=(int(parent), stopping), daemon=True).start()


def _stop_with_parent(parent: int, stopping: threading.Event) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    stopping.set()
    time.sleep(STOP_SECONDS)
    os._exit(1)  # a kernel may still compute; its job has gone back


_STANDARD_FIELDS = set(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """When, how bad, who, what; then whatever ``extra`` names. What libraries add for themselves begins with _."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        others = ((name, value) for name, value in record.__dict__.items() if name not in _STANDARD_FIELDS)
        entry |= {name: value for name, value in others if not name.startswith("_")}
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False, default=str)


def log_to_stderr() -> None:
    """From now on, what the board and its server say goes to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (("gecval", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
