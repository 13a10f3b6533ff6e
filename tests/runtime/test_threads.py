"""Work in threads: answers in order, errors where they are asked for, and no thread where none can start."""

from __future__ import annotations

import os
from threading import Barrier, Thread, current_thread, main_thread

import numpy as np
import pytest

from gecval import metric, score
from gecval.cli.progress_option import progress_bar
from gecval.runtime.processes import in_processes
from gecval.runtime.run import Run
from gecval.runtime.threads import cores, in_threads
from gecval.sample import load_sample


def no_thread(thread: Thread) -> None:
    raise RuntimeError("can't start new thread")


@pytest.fixture
def without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under ``ulimit -u``, which does not bind root."""
    monkeypatch.setattr(Thread, "start", no_thread)


def double(number: int) -> int:
    return 2 * number


@pytest.mark.parametrize("jobs", [1, 2, 1000])
def test_answers_come_in_order(jobs: int) -> None:
    assert list(in_threads(double, range(50), jobs=jobs)) == list(range(0, 100, 2))
    assert list(in_threads(double, [], jobs=jobs)) == []


def test_items_are_worked_on_at_the_same_time() -> None:
    both = Barrier(2)  # a single thread would wait here for ever
    assert sorted(in_threads(lambda _: both.wait(60), range(2), jobs=2)) == [0, 1]


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_error_comes_with_its_answer(jobs: int) -> None:
    answers = in_threads(lambda number: 1 // number, [1, 0, 1], jobs=jobs)
    assert next(answers) == 1
    with pytest.raises(ZeroDivisionError):
        next(answers)


@pytest.mark.usefixtures("without_threads")
def test_this_thread_works_where_no_other_starts() -> None:
    assert list(in_threads(lambda _: current_thread(), range(3), jobs=2)) == [main_thread()] * 3
    assert list(in_processes(double, range(5), jobs=2)) == [0, 2, 4, 6, 8]


def test_some_threads_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    start, left = Thread.start, [1]

    def first_only(thread: Thread) -> None:
        start(thread) if left.pop(0) else no_thread(thread)
        left.append(0)

    monkeypatch.setattr(Thread, "start", first_only)
    assert list(in_threads(double, range(9), jobs=4)) == list(range(0, 18, 2))


def test_gleu_scores_without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, systems = load_sample()
    before = score(corpus, systems, [metric("gleu")], run=Run(jobs=2))
    monkeypatch.setattr(Thread, "start", no_thread)
    after = score(corpus, systems, [metric("gleu")], run=Run(jobs=2))
    assert np.array_equal([scored.score for scored in before], [scored.score for scored in after])


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.usefixtures("without_threads")
def test_progress_is_silent_without_threads(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: bool
) -> None:
    monkeypatch.delenv("GECVAL_QUIET", raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    with progress_bar("work") as progress:
        progress(1, 2)
    assert "Error" not in capsys.readouterr().err


# The number of cores follows what the process may use.


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not tie processes to cores")
def test_cores_that_the_process_was_denied_do_not_count() -> None:
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert cores() == 1
    finally:
        os.sched_setaffinity(0, before)
    assert cores() == len(before)


def test_a_system_that_does_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert cores() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores() == 1
