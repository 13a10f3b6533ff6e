"""Running a board: the web server in this process, workers beside it, and everything stopped in good order."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable

import uvicorn

from gecval.board import accounts, demo, history
from gecval.board.database import open_database
from gecval.board.logs import log_to_stderr
from gecval.board.processes import Workers, stop_on_signals
from gecval.board.settings import Settings
from gecval.board.web.app import make_app
from gecval.board.worker import Worker
from gecval.cores import cores
from gecval.errors import InputError

log = logging.getLogger("gecval.board")
Say = Callable[[str], None]
GRACE = 10  # seconds that open requests get at the end
PATIENCE = 5.0  # seconds that a worker takes to give its job back


def serve(settings: Settings, say: Say, *, with_demo: bool = False) -> None:
    """Run until a signal comes. ``say`` tells the operator where the board is, and who can get in."""
    settings.check()
    listening = _listen(settings)
    log_to_stderr()
    database = open_database(settings.url)
    here = f"http://{_host(settings.host)}:{listening.getsockname()[1]}"
    with database.write() as session:
        password = demo.fill(session, settings) if with_demo else None
        link = accounts.first_link(session)
        again = history.score_again(session)
    say(f"The board is at {here} (Ctrl-C stops it).")
    if password:
        say(f"Log in as {demo.NAME} with the password {password}")
    elif with_demo:
        say("The board is filled already, so nothing is added to it.")
    if link:
        public = "https://YOUR-ADDRESS" if settings.secure else here  # a secure cookie needs TLS, so the proxy
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
    settings.check()
    log_to_stderr()
    stopping = threading.Event()
    stop_on_signals(stopping)
    database = open_database(settings.url)
    worker = Worker(database, settings, jobs=jobs or cores(), stopping=stopping)
    # Scoring cannot be interrupted, so it does not keep the process: it ends when the job has gone back.
    thread = threading.Thread(target=worker.run, daemon=True)
    thread.start()
    stopping.wait()
    thread.join(PATIENCE)
    log.info("stopped")
    if thread.is_alive():  # a kernel still computes: Python cannot be taken down around it in good order
        logging.shutdown()
        os._exit(0)


def _listen(settings: Settings) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"cannot listen at {settings.host}, port {settings.port}: {reason}", parameter=("host", "port")
        ) from None


def _host(host: str) -> str:
    """The host as a browser on this machine writes it."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    return f"[{shown}]" if ":" in shown and not shown.startswith("[") else shown
