"""``python -m benchmarks.board_upload``: how long from the upload of a CoNLL-14 output to the leaderboard?

A real ``gecval serve`` with one worker; M², ERRANT, GLEU and I-measure (mixed), with intervals and ranks. The
decoys go first, so that models are loaded. The clock runs from the first byte of the upload until a reader without an
account sees the system on the leaderboard. CPU seconds are those of the server and its worker together. The cache of
parses is empty at first, so every sentence is parsed.

The scores and intervals of the API must equal those of ``gecval score --confidence``, to the last digit.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from benchmarks.measure import table
from gecval.formats.datasets import data_folder

METRICS = ("m2", "errant", "gleu", "imeasure")
FIELDS = ("score", "low", "high", "parts", "signature")
PASSWORD = "correct horse battery"
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    names = sys.argv[1:] or ["AMU", "CAMB", "PKU"]
    folder = data_folder() / "conll14"
    with tempfile.TemporaryDirectory(prefix="gecval-upload-") as place:
        command = [sys.executable, "-m", "gecval", "serve", "--data", place, "--port", "0"]
        fresh = {**os.environ, "GECVAL_CACHE": f"{place}/cache"}  # no output was parsed before
        quiet = subprocess.DEVNULL
        with subprocess.Popen(command, env=fresh, stdout=subprocess.PIPE, stderr=quiet, text=True) as board:
            try:
                _measure(board, Path(place), folder, names)
            finally:
                board.terminate()


def _measure(board: subprocess.Popen[str], place: Path, folder: Path, names: list[str]) -> None:
    assert board.stdout is not None
    address = re.findall(r"http://\S+", board.stdout.readline())[0]
    link = board.stdout.readline().split()[-1]
    gold = folder / "official-2014.combined.m2"
    rows = []
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
            wall = time.monotonic() - start
            cpu = _cpu(board.pid) - before
            rows.append([name, f"{wall:.1f} s", f"{cpu:.1f} s", _equal(address, name, content, gold)])
    print(table(["output", "upload to leaderboard", "CPU", "equal to gecval score"], rows))
    print(f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")


def _equal(address: str, name: str, content: bytes, gold: Path) -> str:
    """Whether the API's numbers are those of the command line."""
    lines = httpx.get(f"{address}/api/benchmarks/conll/leaderboard", timeout=60).json()["lines"]
    [line] = [line for line in lines if line["system"] == name]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / f"{name}.txt"
        output.write_bytes(content)
        command = ["score", str(output), "-r", str(gold), "-m", ",".join(METRICS), "--confidence", "--format", "json"]
        ran = subprocess.run([sys.executable, "-m", "gecval", *command], check=True, capture_output=True, text=True)
    for row in json.loads(ran.stdout)["scores"]:
        theirs = line["cells"][row["metric"]]["score"]
        ours = row | {"low": row["interval"][0], "high": row["interval"][1]}
        if any(theirs[field] != ours[field] for field in FIELDS):
            return f"no: {row['metric']}"
    return "to the last digit"


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


if __name__ == "__main__":
    main()
