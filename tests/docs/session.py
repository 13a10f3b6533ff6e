"""Runs the steps of one page, one after the other, in one folder and with one set of Python names."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from docs.pages import DOTS, Step
from gecval.cli.program import main

_SHELL = re.compile(r"[|<>;&$`]")  # what only a shell understands


class Session:
    """A page being read by someone who types everything in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, step: Step) -> list[str]:
        """The lines that a step prints. A note or an error on stderr comes after stdout, as on a terminal."""
        if step.kind == "file":
            (self.folder / step.file).write_text(step.code, "utf-8")
            sys.modules.pop(Path(step.file).stem, None)
            importlib.invalidate_caches()
            return []
        with _inside(self.folder):
            printed = self._python(step) if step.kind == "python" else _command(step)
        lines = [line.rstrip() for line in printed.strip("\n").split("\n")] if printed.strip("\n") else []
        return [line for line in lines if line.startswith("|")] if step.table else lines

    def _python(self, step: Step) -> str:
        out = StringIO()
        with redirect_stdout(out):
            # Padding makes the line numbers of tracebacks those of the page.
            exec(compile("\n" * step.line + step.code, step.page, "exec", dont_inherit=True), self._names)
        return out.getvalue()


def _command(step: Step) -> str:
    status, out, err = _in_process(step.code) if _simple(step.code) else _in_shell(step.code)
    notes = [line for line in err.splitlines(keepends=True) if line.startswith("gecval: ")]
    if status and not any(line.startswith("gecval: ") for line in step.shown):
        raise AssertionError(f"{step}: $ {step.code}\nexits with {status}\n{err}")
    return out + "".join(notes)


def _simple(code: str) -> bool:
    """Whether a command is gecval and nothing else: then it runs in this process, which saves the imports."""
    unquoted = re.sub(r"'[^']*'|\"[^\"]*\"", "", code)
    return code.startswith("gecval ") and not _SHELL.search(unquoted)


def _in_process(code: str) -> tuple[int, str, str]:
    words = subprocess.run(["bash", "-c", f"printf '%s\\0' {code}"], capture_output=True, text=True, check=True).stdout
    out, err = StringIO(), StringIO()
    with patch.object(sys, "argv", words.split("\0")[:-1]), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as left:
            status = left.code
        except BaseException:  # what a user would see
            traceback.print_exc()
            status = 1
    return int(status or 0), out.getvalue(), err.getvalue()


def _in_shell(code: str) -> tuple[int, str, str]:
    # The gecval of this environment, as an activated one would have it.
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    ran = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=False, env=environment)
    return ran.returncode, ran.stdout, ran.stderr


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    quiet = patch.dict(os.environ, {"GECVAL_QUIET": "1"})  # how far long work is depends on the machine
    try:
        with quiet, patch.object(sys, "dont_write_bytecode", True), patch.object(sys, "path", ["", *sys.path]):
            yield
    finally:
        os.chdir(before)


def matches(shown: list[str], printed: list[str]) -> bool:
    """Whether the lines are those that were printed; a line of three dots stands for any lines.

    >>> matches(["a", "...", "d"], ["a", "b", "c", "d"]), matches(["a", "...", "c"], ["a", "b", "c", "d"])
    (True, False)
    """
    pattern = "".join("(?:.*\n)*" if line.strip() == DOTS else re.escape(line) + "\n" for line in _trimmed(shown))
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def reshown(shown: list[str], printed: list[str]) -> list[str]:
    """What a page shall show now: all that is printed, or, where it leaves lines out, the same lines as before.

    A line is the same if it is the next one that starts with the same word.

    >>> reshown(["a 1", "...", "d 4"], ["a 5", "b 6", "d 8"])
    ['a 5', '...', 'd 8']
    """
    if matches(shown, printed) or not any(line.strip() == DOTS for line in shown):
        return shown if matches(shown, printed) else printed
    rest = iter(printed)
    lines = []
    for line in _trimmed(shown):
        if line.strip() == DOTS:
            lines.append(line)
            continue
        same = next((other for other in rest if _start(other) == _start(line)), None)
        if same is None:
            return printed  # something else is printed now: a person must choose what to show
        lines.append(same)
    return lines if matches(lines, printed) else printed


def _start(line: str) -> list[str]:
    """The first word of a line; the rule below a table's head is the same at any width."""
    return [word.rstrip("─") for word in line.split()[:1]]


def _trimmed(shown: list[str]) -> list[str]:
    lines = [line.rstrip() for line in shown]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return lines
