"""Whether two files hold the same sentences: as many, and in step. Files of unequal length are never scored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz, process

from gecval.errors import InputError


def check_lengths(
    path: Path,
    lines: Sequence[str],
    *,
    sources: Sequence[str],
    origin: Path | str,
    unit: str = "line",
    parameter: str | tuple[str, ...] = (),
) -> None:
    """Refuse a file with more or fewer lines than the source, and say where the two seem to part.

    ``parameter`` names what would mend it.
    """
    if len(lines) == len(sources):
        return
    part = parting_line(lines, sources)
    where = f"after {unit} {part}" if part else f"at the first {unit}"
    raise InputError(
        f"{path} has {len(lines)} {unit}s, {origin} {len(sources)}; they part {where}", parameter=parameter
    )


def parting_line(lines: Sequence[str], sources: Sequence[str]) -> int:
    """After how many lines one file goes out of step, if it lacks one stretch of the other.

    For each line, the likeness of the lines before it and, shifted by the gap, that of the lines after it are added up.
    The files part where the sum is greatest.
    """
    common = min(len(lines), len(sources))
    shift = len(sources) - len(lines)

    def likeness(a: Sequence[str], b: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return process.cpdist(a[:common], b[:common], scorer=fuzz.ratio, dtype=np.float64).astype(np.float64)

    before = likeness(lines, sources)
    after = likeness(lines[max(0, -shift) :], sources[max(0, shift) :])
    gain = np.concatenate([[0.0], np.cumsum(before)]) + np.concatenate([np.cumsum(after[::-1])[::-1], [0.0]])
    return int(np.argmax(gain))


def check_same_source(
    path: Path, its_sources: Sequence[str], *, sources: Sequence[str], origin: Path, blanks: bool = True
) -> None:
    """Refuse a file that brings another source. Without ``blanks``, texts that differ in blanks alone are the same."""
    between = " " if blanks else ""
    check_lengths(path, its_sources, sources=sources, origin=origin, unit="sentence")
    for number, (ours, theirs) in enumerate(zip(sources, its_sources, strict=True), start=1):
        if between.join(ours.split()) != between.join(theirs.split()):
            raise InputError(f"{path}: sentence {number} differs from {origin}: {theirs[:60]!r} against {ours[:60]!r}")
