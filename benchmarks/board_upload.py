"""``python -m benchmarks board_upload``: how long from the upload of a CoNLL-14 output to the leaderboard?

A real ``gecval serve`` with one worker; M², ERRANT, GLEU and I-measure (mixed), with intervals and ranks. The
decoys go first, so that models are loaded. The clock runs from the first byte of the upload until a reader without an
account sees the system on the leaderboard. CPU seconds are those of the server and its worker together. The cache of
parses is empty at first, so every sentence is parsed.

The scores and intervals of the API must equal those of ``gecval score --ci``, to the last digit.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks.measure import CORES, Section, Target, table
from gecval.formats.datasets import data_folder

METRICS = ("m2", "errant", "gleu", "imeasure")
FIELDS = ("score", "low", "high", "parts", "signature")
NAMES = ("AMU", "CAMB", "PKU")
WITHIN = 15.0  # seconds, two cores
EQUAL = "to the last digit"
PASSWORD = "correct horse battery"
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Upload:
    """What one output took."""

    name: str
    wall: float
    cpu: float
    equal: str  # to the numbers of gecval score

    def row(self) -> list[str]:
        return [self.name, f"{self.wall:.1f} s", f"{self.cpu:.1f} s", self.equal]


def uploads(names: Sequence[str]) -> list[Upload]:
    """One board, and these outputs one after the other."""
    folder = data_folder() / "conll14"
    with tempfile.TemporaryDirectory(prefix="gecval-upload-") as place:
        command = [sys.executable, "-m", "gecval", "serve", "--data", place, "--port", "0"]
        fresh = {**os.environ, "GECVAL_CACHE": f"{place}/cache"}  # no output was parsed before
        quiet = subprocess.DEVNULL
        with subprocess.Popen(command, env=fresh, stdout=subprocess.PIPE, stderr=quiet, text=True) as board:
            try:
                return _measured(board, Path(place), folder, names)
            finally:
                board.terminate()


def _measured(board: subprocess.Popen[str], place: Path, folder: Path, names: Sequence[str]) -> list[Upload]:
    assert board.stdout is not None
    address = re.findall(r"http://\S+", board.stdout.readline())[0]
    link = board.stdout.readline().split()[-1]
    gold = folder / "official-2014.combined.m2"
    told = []
    with httpx.Client(base_url=address, timeout=300) as browser:
        form = {"csrf": _csrf(browser.get(link).text), "name": "olga", "password": PASSWORD, "team": "lab"}
        browser.post(link, data=form)
        form = {"csrf": _csrf(browser.get("/account").text), "name": "bench", "scope": "submit"}
        token = re.findall(r"gecval_[\w-]+", browser.post("/account/tokens", data=form).text)[0]
        metrics = [word for metric in METRICS for word in ("-m", metric)]
        create = ["board", "create", "CoNLL", "-r", str(gold), *metrics, "--data", str(place)]
        subprocess.run([sys.executable, "-m", "gecval", *create], check=True, capture_output=True)
        _until(lambda: set(browser.get("/api/queue").json()["jobs"]) == {"done"})  # the decoys
        for name in names:
            content = (folder / "systems" / name).read_bytes()
            before, start = _cpu(board.pid), time.monotonic()
            sent = httpx.post(
                f"{address}/api/benchmarks/conll/submissions",
                headers={"Authorization": f"Bearer {token}"},
                data={"system": name},
                files={"file": (f"{name}.txt", content)},
                timeout=60,
            )
            sent.raise_for_status()
            _until(lambda name=name: f"<bdi>{name}</bdi>" in httpx.get(f"{address}/b/conll", timeout=60).text)
            wall, cpu = time.monotonic() - start, _cpu(board.pid) - before
            told.append(Upload(name, wall, cpu, _equal(address, name, content, gold)))
            print(told[-1].row(), file=sys.stderr, flush=True)
    return told


def _equal(address: str, name: str, content: bytes, gold: Path) -> str:
    """Whether the API's numbers are those of the command line."""
    lines = httpx.get(f"{address}/api/benchmarks/conll/leaderboard", timeout=60).json()["lines"]
    [line] = [line for line in lines if line["system"] == name]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / f"{name}.txt"
        output.write_bytes(content)
        command = ["score", str(output), "-r", str(gold), "-m", ",".join(METRICS), "--ci", "--format", "json"]
        ran = subprocess.run([sys.executable, "-m", "gecval", *command], check=True, capture_output=True, text=True)
    for row in json.loads(ran.stdout)["scores"]:
        theirs = line["cells"][row["metric"]]["score"]
        ours = row | {"low": row["interval"][0], "high": row["interval"][1]}
        if any(theirs[field] != ours[field] for field in FIELDS):
            return f"no: {row['metric']}"
    return EQUAL


def _csrf(text: str) -> str:
    return re.findall(r'name="csrf" value="(\w+)"', text)[0]


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 600
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _cpu(pid: int) -> float:
    """CPU seconds of a process and its children that live."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    spent = 0
    for process in (pid, *map(int, children)):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        spent += int(fields[11]) + int(fields[12])
    return spent / TICKS


def report(names: Sequence[str] = NAMES) -> Section:
    told, section = uploads(names), Section("From the upload of a CoNLL-14 output to the leaderboard")
    slowest = max(upload.wall for upload in told)
    section.text += [
        f"{', '.join(METRICS)}, with intervals and ranks; models are loaded, and no output was parsed before. "
        f"CPU is that of the server and its worker together; they and whatever else runs share {CORES} cores.",
        table(["output", "upload to leaderboard", "CPU", "equal to gecval score"], [upload.row() for upload in told]),
    ]
    section.targets += [
        Target(f"on the leaderboard within {WITHIN:.0f} s of the upload", f"{slowest:.1f} s", slowest <= WITHIN),
        Target(
            "scores and intervals of gecval score, to the last digit",
            f"{sum(upload.equal == EQUAL for upload in told)} of {len(told)} outputs",
            all(upload.equal == EQUAL for upload in told),
        ),
    ]
    return section
