"""How verbs show results: a note where an option changes nothing."""

from __future__ import annotations

import pytest

from command_line import Run

IDLE = "--percent changed nothing: no number here is a share of 1"


@pytest.mark.parametrize(("command", "idle"), [("doctor agreement gold.m2", False), ("doctor gold.m2", True)])
@pytest.mark.usefixtures("folder")
def test_percent_says_where_it_changed_nothing(gecval: Run, command: str, idle: bool) -> None:
    ran = gecval(f"{command} --percent")
    assert "nothing here" not in ran.out
    assert (IDLE in ran.err) is idle
    assert ("in percent: " in ran.out) is not idle
