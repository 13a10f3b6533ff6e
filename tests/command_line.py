"""The command line in a folder of its own, called as typed; and what every refusal has in common."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import latex
from gecval.cli.program import main
from gecval.results.schemas import load_schema


class Result(NamedTuple):
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What a command that succeeded printed with ``--format json``."""
        assert self.status == 0, self.err
        return json.loads(self.out)


Run = Callable[..., Result]
IDLE = re.compile(r"changes? nothing |is named (twice|\d+ times)")  # what notes say of options without effect

SOURCE = ["He go to home .", "She like apple .", "Fine .", "I has two cat ."]
FILES = {
    "src.txt": SOURCE,
    "ref0.txt": ["He goes home .", "She likes apples .", "Fine .", "I have two cats ."],
    "ref1.txt": ["He went home .", "She likes an apple .", "Fine .", "I have two cats ."],
    "copy.txt": SOURCE,
    "good.txt": ["He goes home .", "She likes apple .", "Fine .", "I have two cats ."],
    "wild.txt": ["They went away .", "She likes apples .", "Fine !", "I has two dog ."],
    "gold.m2": [
        "S He go to home .",
        "A 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0",
        "A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0",
        "A 1 3|||R:VERB|||went|||REQUIRED|||-NONE-|||1",
        "",
        "S She like apple .",
        "A 1 2|||R:VERB|||likes|||REQUIRED|||-NONE-|||0",
        "A 2 3|||R:NOUN|||apples||an apple|||REQUIRED|||-NONE-|||0",
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1",
        "",
        "S Fine .",
        "",
        "S I has two cat .",
        "A 1 2|||R:VERB|||have|||REQUIRED|||-NONE-|||0",
        "A 3 4|||R:NOUN|||cats|||REQUIRED|||-NONE-|||0",
        "",
    ],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small corpus in the current folder; modules found there are forgotten afterwards."""
    for name, lines in FILES.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    importlib.invalidate_caches()
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)) or name.startswith("mine"):
            del sys.modules[name]


@pytest.fixture
def gecval(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command, given as one line or as separate words."""

    # How long work takes, and so whether it says how far it is, depends on the machine.
    monkeypatch.setenv("GECVAL_QUIET", "1")

    def run(line: str, *words: str | Path) -> Result:
        monkeypatch.setattr(sys, "argv", ["gecval", *shlex.split(line), *map(str, words)])
        monkeypatch.setattr(sys, "stdout", sys.stdout)  # main may replace it
        with pytest.raises(SystemExit) as exit_:
            main()
        result = Result(exit_.value.code or 0, *capsys.readouterr())
        typed = f"{' '.join(sys.argv)} "
        if result.status == 0 and "--format json " in typed and result.out:
            check_schema(result.out)
        if result.status == 0 and "--format latex " in typed and result.out:
            latex.check(result.out)
        return result

    return run


def check_schema(text: str) -> None:
    """Whatever a verb prints as JSON follows the schema that it names."""
    jsonschema = pytest.importorskip("jsonschema")
    printed = json.loads(text, parse_constant=lambda name: pytest.fail(f"JSON holds {name}"))
    jsonschema.validate(printed, load_schema(printed["schema"]))


@pytest.fixture
def refused(gecval: Run, folder: Path) -> Callable[..., str]:
    """Run a command that must exit with 2, one line on stderr, nothing on stdout and nothing written; the line."""

    def run(line: str, *words: str | Path) -> str:
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        status, out, err = gecval(line, *words)
        assert (status, out) == (2, "")
        assert err.startswith("gecval: ")
        assert err.endswith("\n")
        assert err.count("\n") == 1
        assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
        return err.removeprefix("gecval: ").rstrip("\n")

    return run


@pytest.fixture
def answered(gecval: Run, refused: Callable[..., str]) -> Callable[..., str]:
    """Run a command whose options contradict each other, or change nothing: the refusal, or the notes that say so."""

    def run(line: str, *words: str | Path) -> str:
        status, _, err = gecval(line, *words)
        if status == 2:
            return refused(line, *words)
        notes = [note.removeprefix("gecval: ") for note in err.splitlines() if IDLE.search(note)]
        assert notes, err
        return "\n".join(notes)

    return run


@pytest.fixture
def printed(gecval: Run) -> Callable[[str], str]:
    """Run a command that must succeed; what it prints and what it notes, for a transcript."""

    def run(line: str) -> str:
        status, out, err = gecval(line)
        assert status == 0, err
        return f"{out}{err}".rstrip("\n")

    return run
