"""The progress bar as seen on a terminal: what is being done, how far, how fast."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from threading import Event
from typing import IO

import click
import pytest

from gecval.cli.common import COMMON
from gecval.cli.progress_option import progress_bar
from gecval.runtime.progress import FIRST_S, Lines
from gecval.runtime.run import announce, silent


@pytest.fixture(autouse=True)
def _heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GECVAL_QUIET", raising=False)


pty = pytest.importorskip("pty", reason="no pseudo-terminals on this system")

PROGRAM = """
import time
from gecval.cli.progress_option import progress_bar
from gecval.runtime.run import announce
with progress_bar("reading") as progress:
    announce(progress, "checking grammar")
    for done in range(1, 4):
        progress(100 + done, 104)
        time.sleep(0.3 if done < 3 else 1.5)  # the bar is drawn ten times a second, or less often on a busy machine
    announce(progress, "scoring")
    time.sleep(1.5)
print("done")
"""


def on_a_terminal(*words: str | Path, stdout: IO[bytes] | None = None) -> str:
    """What a program writes to a terminal of 100 columns. Its standard output may go elsewhere."""
    main, side = pty.openpty()
    environment = os.environ | {"COLUMNS": "100", "TERM": "xterm", "NO_COLOR": "1"}
    streams = {"stdin": side, "stdout": side if stdout is None else stdout, "stderr": side}
    with subprocess.Popen(words, **streams, env=environment, close_fds=True) as process:
        os.close(side)
        shown = b""
        try:
            while more := os.read(main, 65536):
                shown += more
        except OSError:  # Linux says so when the other side is gone
            pass
        process.wait()
    os.close(main)
    return shown.decode()


def test_what_how_far_how_fast() -> None:
    shown = on_a_terminal(sys.executable, "-c", PROGRAM)
    # The 101 of the first report were there before and do not count: two items in 0.6 s, or longer on a slow machine.
    seen = re.search(r"checking grammar ━\S+ 103/104 (?:([\d.]+)/s|[\d.]+ s each) 0:0\d:\d\d", shown)
    assert seen is not None, shown
    assert float(seen[1] or 0) < 5
    assert re.search(r"scoring +━", shown)
    assert shown.rstrip().endswith("done")


def test_a_bar_is_on_stderr_and_goes_when_the_work_is_done(tmp_path: Path) -> None:
    with (tmp_path / "out.txt").open("wb") as out:
        shown = on_a_terminal(sys.executable, "-c", PROGRAM, stdout=out)
    assert (tmp_path / "out.txt").read_text() == "done\n"
    assert "\x1b[2K" in shown.rpartition("━")[2]  # the line of the bar is erased


class Clock:
    """A clock that the test moves."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def written() -> list[str]:
    return []


@pytest.fixture
def lines(clock: Clock, written: list[str]) -> Lines:
    return Lines("reading", clock=clock, write=written.append)


class TestLines:
    """Where stderr is no terminal."""

    def test_short_work_says_nothing(self, lines: Lines, clock: Clock, written: list[str]) -> None:
        lines.announce("scoring")
        lines(1, 2)
        clock.now += FIRST_S - 0.1
        lines(2, 2)
        lines.tick()
        assert written == []

    def test_long_work_says_what_it_does_though_nothing_is_reported(
        self, lines: Lines, clock: Clock, written: list[str]
    ) -> None:
        lines.announce("loading a model")
        clock.now += FIRST_S
        lines.tick()
        assert written == ["gecval: loading a model ..."]

    def test_rate_and_time_left(self, lines: Lines, clock: Clock, written: list[str]) -> None:
        lines.announce("checking grammar")
        lines(100, 1000)  # were there before, and do not count
        clock.now += 10
        lines(120, 1000)
        assert written == ["gecval: checking grammar: 120 of 1000, 2.0/s, 7 min left"]

    def test_the_rate_of_other_work_does_not_count(self, lines: Lines, clock: Clock, written: list[str]) -> None:
        lines(0, 10)
        lines.announce("scoring")
        clock.now += 100
        lines(5, 8)
        assert written == ["gecval: scoring: 5 of 8"]

    def test_work_of_the_same_name_that_begins_anew(self, lines: Lines, clock: Clock, written: list[str]) -> None:
        lines(6000, 6000)
        clock.now += 40
        lines(3, 3)
        assert written == ["gecval: reading: 3 of 3"]

    def test_a_line_every_half_minute_at_most(self, lines: Lines, clock: Clock, written: list[str]) -> None:
        for second in range(1, 121):
            clock.now = 100.0 + second
            lines(second, 120)
            lines.tick()
        assert written == [
            "gecval: reading: 3 of 120, 1.0/s, 2 min left",
            "gecval: reading: 33 of 120, 1.0/s, 1 min left",
            "gecval: reading: 63 of 120, 1.0/s, 57 s left",
            "gecval: reading: 93 of 120, 1.0/s, 27 s left",
        ]


def test_the_clock_ticks_by_itself(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked = Event()
    monkeypatch.setattr(Lines, "tick", lambda lines: asked.set())
    with progress_bar("reading"):
        assert asked.wait(timeout=600)
    assert capsys.readouterr() == ("", "")


def test_one_thread_asks_every_second_and_ends_with_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float | None] = []

    class Impatient(Event):
        def wait(self, timeout: float | None = None) -> bool:
            waited.append(timeout)
            return super().wait(0.001)

    monkeypatch.setattr("gecval.runtime.progress.Event", Impatient)
    before = set(threading.enumerate())
    with progress_bar("reading"):
        while len(waited) < 3:
            time.sleep(0.001)
        assert len(set(threading.enumerate()) - before) == 1
    assert set(threading.enumerate()) <= before
    assert set(waited) == {1.0}


@pytest.mark.parametrize("how", ["option", "environment"])
def test_quiet(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = []

    @click.command(params=[option for option in COMMON if option.name == "quiet"])
    def verb(quiet: bool) -> None:
        with progress_bar("reading") as progress:
            heard.append(progress)

    verb.main([], standalone_mode=False)
    if how == "environment":
        monkeypatch.setenv("GECVAL_QUIET", "1")
    verb.main(["--quiet"] if how == "option" else [], standalone_mode=False)
    assert isinstance(heard[0], Lines)
    assert heard[1:] == [silent]


def test_a_plain_function_hears_how_far_it_is_and_no_more() -> None:
    heard: list[tuple[int, int]] = []
    announce(lambda done, total: heard.append((done, total)), "checking grammar")
    assert heard == []


CALL = """
import time, gecval
def slow(source, hypothesis, references):
    time.sleep(1.2)
    return 1.0
def score(sentences, **options):
    texts = ["He go home ."] * sentences
    return gecval.evaluate(texts, texts, texts, metrics=slow, **options)["slow"].score
print(score({sentences}{options}))
"""


def called(sentences: int, options: str = "") -> tuple[str, ...]:
    return sys.executable, "-c", CALL.format(sentences=sentences, options=options)


def test_a_call_from_python_that_takes_long_shows_one_line_that_goes() -> None:
    shown = on_a_terminal(*called(4))
    assert re.search(r"\rgecval: scoring \.\.\. \(\d+ s\) +\r {78}\r1\.0\s*$", shown), shown


def test_a_call_from_python_is_quiet_where_it_is_short_or_told_so_or_nobody_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert on_a_terminal(*called(1)).strip() == "1.0"
    assert on_a_terminal(*called(3, ", run=gecval.Run().quiet()")).strip() == "1.0"
    assert subprocess.run(called(3), capture_output=True, text=True, check=True).stderr == ""
    monkeypatch.setenv("GECVAL_QUIET", "1")
    assert on_a_terminal(*called(3)).strip() == "1.0"
