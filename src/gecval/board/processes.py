"""Workers as processes of their own: a long computation never makes a page wait, and a worker that dies is replaced."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

from gecval.board.settings import Settings

log = logging.getLogger("gecval.board")
PARENT = "GECVAL_BOARD_PARENT"  # tells a worker whose it is
PATIENCE = 15.0  # seconds that a worker gets to give its job back
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
        deadline = time.monotonic() + PATIENCE
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
        threading.Thread(target=_follow, args=(int(parent), stopping), daemon=True).start()


def _follow(parent: int, stopping: threading.Event) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    stopping.set()
    time.sleep(PATIENCE)
    os._exit(1)  # a kernel may still compute; its job has gone back
