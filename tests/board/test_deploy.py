"""What stands in ``deploy/``: systemd reads the unit without a complaint, and the command lines are those of gecval."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gecval.cli.board import serve_command

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = DEPLOY / "gecval-board.service"


def started(words: list[str]) -> dict[str, object]:
    """The options of a command line that starts a board."""
    assert Path(words[0]).name == "gecval"
    assert words[1] == "serve"
    return serve_command.make_context("serve", words[2:]).params


def test_systemd_has_no_complaint(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("there is no systemd-analyze")
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text("utf-8").replace("/opt/gecval/bin/gecval", sys.executable), "utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", "")


def test_the_unit_starts_a_board_in_its_own_folder() -> None:
    settings = dict(line.split("=", 1) for line in UNIT.read_text("utf-8").splitlines() if re.match(r"\w+=", line))
    options = started(settings["ExecStart"].split())
    assert options["data"] == Path("/var/lib") / settings["StateDirectory"]
    assert options["secure"] is True
    assert options["host"] == "127.0.0.1"  # the proxy alone gets at it


def test_the_image_serves_the_port_that_it_exposes() -> None:
    lines = dict(line.split(" ", 1) for line in (DEPLOY / "Dockerfile").read_text("utf-8").splitlines() if " " in line)
    options = started(json.loads(lines["CMD"]))
    assert (options["host"], options["port"]) == ("0.0.0.0", int(lines["EXPOSE"]))
    assert str(options["data"]) == lines["VOLUME"]
    assert f"127.0.0.1:{options['port']}" in (DEPLOY / "nginx.conf").read_text("utf-8")
