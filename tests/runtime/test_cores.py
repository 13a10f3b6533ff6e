"""The number of cores follows what the process may use."""

import os

import pytest

from gecval.runtime.threads import cores


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
