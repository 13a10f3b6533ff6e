"""Breaks a file again and again, and keeps what brings out anything but an InputError."""

from __future__ import annotations

import faulthandler
import time
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path
from random import Random

import gecval
from fuzz.mutate import mutate
from fuzz.targets import Target
from gecval import InputError

PACKAGE = str(Path(gecval.__file__).parent)
LONGEST = 300  # seconds that a broken file may take, on a slow machine too: beyond that it hangs
LONGEST_WORK = 20  # seconds of processor time that it may take


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A broken file that was not refused in one line."""

    file: Path
    error: str


def fuzz(target: Target, folder: Path, *, cases: int, seed: int) -> list[Finding]:
    """Give a reader so many broken files. One stays in the folder for each kind of fault that they bring out."""
    folder.mkdir(parents=True, exist_ok=True)
    findings: dict[str, Finding] = {}
    for case in range(cases):
        draw = Random(f"{target.name}:{seed}:{case}")
        content = mutate(target.seed, draw, lines_of_json=target.suffix.startswith(".json"))
        path = folder / f"{target.name}-{seed}-{case}{target.suffix}"
        path.write_bytes(content)
        fault, message = _fault(target, path)
        if fault and fault not in findings:
            path.write_bytes(content)  # what is read may also be written to, such as a checkpoint
            findings[fault] = Finding(file=path, error=f"{fault}: {message}")
        else:
            path.unlink()
    return list(findings.values())


def _fault(target: Target, path: Path) -> tuple[str, str]:
    """What went wrong and where, and its message; nothing where nothing did."""
    begun = time.process_time()
    faulthandler.dump_traceback_later(LONGEST, exit=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a user would see them
            target.call(path)
    except InputError as error:
        if "\n" in str(error):
            return "several lines", str(error)
    except (Exception, SystemExit) as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(PACKAGE)]
        place = f"{frames[-1].filename.removeprefix(PACKAGE)}, {frames[-1].name}" if frames else "no file of ours"
        return f"{type(error).__name__} in {place}", str(error)[:100]
    finally:
        faulthandler.cancel_dump_traceback_later()
    worked = time.process_time() - begun
    return ("slow", f"{worked:.0f} seconds of processor time") if worked > LONGEST_WORK else ("", "")
