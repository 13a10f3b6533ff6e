"""A leaderboard with 200 systems: requests per second and the 99th percentile, with uploads going on.

The board runs as ``gecval serve`` does, in a process of its own with one worker. 100 readers each ask for the
leaderboard again as soon as they have it, over connections that stay open; or each once a second, as a crowd of people
may; without a log-in, or all of them logged in. The log-in form, a page without any content, shows what the machine
gives. Meanwhile a team uploads a new submission every two seconds, through the API, and each is scored and changes the
leaderboard. At the end 100 people log in at once, while somebody asks for ``/healthz`` over and over.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from benchmarks import conll
from benchmarks.boards import PASSWORD, Board, data, place
from benchmarks.measure import CORES, Section, free_cores, table
from gecval.board import accounts as tokens
from gecval.board.database.models import User
from gecval.board.worker import Worker

SYSTEMS, READERS, SENTENCES = 200, 100, 200
METRICS = ("gleu", "accuracy", "bleu", "sari")
SECONDS, EVERY = 20.0, 2.0
PORT = 8871
PAGE = "/b/load"
HERE = f"http://127.0.0.1:{PORT}"


@dataclass
class Reading:
    """What the readers and the one who uploads saw."""

    kind: str
    page: str  # what they ask for
    uploads: float
    pause: float = 0.0  # seconds from one request of a reader to the next, at least
    cookie: str = ""
    latencies: list[float] = field(default_factory=list)
    failed: int = 0
    uploaded: int = 0
    scored: int = 0
    waits: list[float] = field(default_factory=list)  # from an upload to its scores
    seconds: float = 0.0
    bytes: int = 0  # of the page
    cpu: float = 0.0  # seconds of the server

    def row(self) -> list[object]:
        p50, p99 = np.quantile(self.latencies, [0.5, 0.99]) * 1000
        waits = f"{np.median(self.waits):.1f} s" if self.waits else "–"
        rate = len(self.latencies) / self.seconds
        counts = f"{self.scored} of {self.uploaded}" if self.uploaded else "none"
        cpu = f"{self.cpu / len(self.latencies) * 1000:.1f} ms"
        who = f"{self.page}, logged in" if self.cookie else self.page
        how = "once a second" if self.pause else "at once again"
        return [self.kind, who, how, counts, f"{rate:.0f}", f"{p50:.0f} ms", f"{p99:.0f} ms", cpu, self.failed, waits]


def outputs(count: int) -> tuple[str, str, list[str]]:
    """Source, reference, and systems that differ: the reference with more or less of it undone."""
    corpus = conll.with_texts()
    numbers = range(SENTENCES)
    sources, references = corpus.sources[:SENTENCES], [corpus.texts_of(number)[0] for number in numbers]
    rng = np.random.default_rng(1)
    made = []
    for share in np.linspace(0.1, 0.9, count):
        kept = rng.random(SENTENCES) < share
        made.append(_lines([references[number] if kept[number] else sources[number] for number in numbers]))
    return _lines(sources), _lines(references), made


def _lines(sentences: Sequence[str]) -> str:
    return "".join(f"{sentence}\n" for sentence in sentences)


def readings(kind: str) -> tuple[list[Reading], list[float]]:
    """One board, by all kinds of readers; and the seconds of ``/healthz`` while 100 people log in."""
    source, reference, systems = outputs(SYSTEMS + 100)
    with place(kind) as where:
        board = Board.make(where, data(source, reference, METRICS))
        with board.database.write() as session:
            for number, text in enumerate(systems[:SYSTEMS]):
                board.submit(session, f"system {number}", text)
        worker = Worker(board.database, board.settings)
        while worker.work():
            pass
        with board.database.write() as session:
            user = session.get_one(User, board.user_id)
            secret = tokens.make_token(session, user, name="load", scope="submit", days=1)
        board.database.close()
        process = _serve(where.folder, where.url)
        try:
            cookie = log_in("anna")
            told = [
                Reading(kind, "/login", 0.0),
                Reading(kind, PAGE, 0.0),
                Reading(kind, PAGE, EVERY),
                Reading(kind, PAGE, EVERY, cookie=cookie),
                Reading(kind, "/login", EVERY, 1.0),
                Reading(kind, PAGE, EVERY, 1.0),
                Reading(kind, PAGE, EVERY, 1.0, cookie),
            ]
            for one in told:
                before = _cpu(process.pid)
                asyncio.run(_load(one, secret, systems[SYSTEMS:]))
                one.cpu = _cpu(process.pid) - before
            health = asyncio.run(_crowd())
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)
    return told, health


def log_in(name: str) -> str:
    """The cookie of somebody who is logged in."""
    with httpx.Client(base_url=HERE) as client:
        form = client.get("/login").text
        token = form.partition('name="csrf" value="')[2].partition('"')[0]
        client.post("/login", data={"csrf": token, "name": name, "password": PASSWORD})
        return f"gecval_session={client.cookies['gecval_session']}"


async def _crowd() -> list[float]:
    """How long ``/healthz`` takes while 100 people log in with a wrong password, at once."""
    limits, seconds = httpx.Limits(max_connections=READERS + 4), []
    async with httpx.AsyncClient(base_url=HERE, limits=limits, timeout=120.0) as client:
        form = (await client.get("/login")).text
        token = form.partition('name="csrf" value="')[2].partition('"')[0]

        def attempt(number: int) -> Coroutine[Any, Any, httpx.Response]:
            return client.post("/login", data={"csrf": token, "name": f"nobody {number}", "password": PASSWORD})

        people = asyncio.gather(*map(attempt, range(READERS)))
        while not people.done():
            begun = time.monotonic()
            assert (await client.get("/healthz")).status_code == 200
            seconds.append(time.monotonic() - begun)
            await asyncio.sleep(0.02)
        assert {answer.status_code for answer in await people} <= {401, 429}
    return seconds


def _cpu(pid: int) -> float:
    """CPU seconds of the server so far, without its worker."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _serve(folder: Path, url: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "GECVAL_DATABASE": url}
    command = [sys.executable, "-m", "gecval", "serve", "--data", str(folder), "--port", str(PORT), "--workers", "1"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(300):
        try:
            if httpx.get(f"{HERE}/healthz").status_code == 200:
                return process
        except httpx.TransportError:
            time.sleep(0.2)
    process.kill()
    raise RuntimeError("the board did not start")


async def _load(told: Reading, secret: str, systems: Sequence[str]) -> None:
    limits = httpx.Limits(max_connections=READERS + 4, max_keepalive_connections=READERS + 4)
    async with httpx.AsyncClient(base_url=HERE, limits=limits, timeout=60.0) as client:
        for _ in range(5):  # the first page is rendered before anybody counts
            assert (await client.get(told.page)).status_code == 200
        until = time.monotonic() + SECONDS
        start = time.monotonic()
        jobs = [_read(told, until) for _ in range(READERS)]
        if told.uploads:
            jobs.append(_upload(client, told, secret, systems, until))
        await asyncio.gather(*jobs)
        told.seconds = time.monotonic() - start


async def _read(told: Reading, until: float) -> None:
    """A reader. It is as plain as can be: the more cores it takes, the fewer are left for the board."""
    cookie = f"Cookie: {told.cookie}\r\n" if told.cookie else ""
    asked = f"GET {told.page} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n{cookie}\r\n".encode()
    await asyncio.sleep(told.pause * random.random())
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    while time.monotonic() < until:
        begun = time.monotonic()
        writer.write(asked)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        body = await reader.readexactly(int(head.partition(b"content-length:")[2].split(b"\r\n")[0]))
        told.latencies.append(time.monotonic() - begun)
        told.failed += not head.startswith(b"http/1.1 200")
        told.bytes = len(body)
        await asyncio.sleep(max(0.0, begun + told.pause - time.monotonic()))
    writer.close()


async def _upload(client: httpx.AsyncClient, told: Reading, secret: str, systems: Sequence[str], until: float) -> None:
    headers, path = {"Authorization": f"Bearer {secret}"}, "/api/benchmarks/load/submissions"
    waiting: dict[str, float] = {}
    for text in systems:
        if time.monotonic() >= until:
            break
        begun = time.monotonic()
        answer = await client.post(
            path, headers=headers, data={"system": f"new {begun}"}, files={"file": ("new.txt", text.encode())}
        )
        told.failed += answer.status_code != 201
        waiting[answer.json()["id"]] = begun
        told.uploaded += 1
        for submission_id in list(waiting):
            state = (await client.get(f"{path}/{submission_id}", headers=headers)).json()["state"]
            if state == "done":
                told.waits.append(time.monotonic() - waiting.pop(submission_id))
                told.scored += 1
        await asyncio.sleep(max(0.0, begun + told.uploads - time.monotonic()))


def report() -> Section:
    section, told, free = Section(f"A leaderboard with {SYSTEMS} systems, {READERS} readers at once"), [], free_cores()
    health = []
    for kind in ("SQLite", "PostgreSQL"):
        listed, seconds = readings(kind)
        told += listed
        health.append(f"{kind} {np.median(seconds) * 1000:.0f} ms, at most {max(seconds) * 1000:.0f}")
        for one in listed:
            print(one.row(), file=sys.stderr, flush=True)
    section.text += [
        f"{len(METRICS)} metrics, {SENTENCES} sentences, a page of {told[-1].bytes / 1000:.0f} kB (compressed), "
        f"{SECONDS:.0f} seconds each. With uploads: one every {EVERY:.0f} seconds, and how many were seen to be scored "
        f"meanwhile. Readers, board, worker and whatever else runs on the machine share {CORES} cores; threads that "
        f"only hash got {free:.2f} of them at the start, {free_cores():.2f} at the end. CPU is the server's.",
        f"/healthz while {READERS} people log in at once: {'; '.join(health)}.",
        table(
            [
                "database",
                "page",
                "each asks",
                "uploads scored",
                "requests/s",
                "median",
                "p99",
                "CPU/request",
                "failed",
                "upload to score",
            ],
            [one.row() for one in told],
        ),
    ]
    return section


if __name__ == "__main__":
    print("\n\n".join(report().text))
