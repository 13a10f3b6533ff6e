r"""Tables of crowd corrections, and histograms of them.

    source<TAB>correction              a header, then one correction a line; there may be other columns too; a row whose
    He go home .<TAB>He goes home .    ``status`` is Rejected is left out

The source may also be called ``sentence``, the correction ``simplification`` or ``reference``. \n, \t and \\ are
escapes. A histogram is what UnseenEst writes: lines ``frequency<TAB>number of variants`` under a header. Together the
variants have probability 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gecval.errors import InputError
from gecval.formats.files import read_lines, read_table

SOURCE = ("source", "sentence")
CORRECTION = ("correction", "simplification", "reference")
# Interior-point solvers leave values just below 0, the published histograms down to -1e-8.
SOLVER_NOISE = 1e-6
# Σ frequency · variants is 1 for UnseenEst. Rounded figures may be off by this much.
MASS_TOLERANCE = 0.01
_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}


@dataclass(frozen=True)
class Corrections:
    """All corrections of one sentence. A correction that several people gave stands there several times."""

    source: str
    texts: tuple[str, ...]


def read_corrections(path: Path) -> list[Corrections]:
    """The corrections of each sentence, in the order in which the sentences first appear."""
    names, rows = read_table(path)
    source, correction = _column(path, names, SOURCE), _column(path, names, CORRECTION)
    status = names.index("status") if "status" in names else None
    gathered: dict[str, list[str]] = {}
    for number, cells in rows:
        if status is not None and cells[status].strip() == "Rejected":
            continue
        if not cells[source].strip() or not cells[correction].strip():
            raise InputError(f"{path}: line {number}: the {names[source]} or the {names[correction]} is empty")
        gathered.setdefault(_unescaped(cells[source]), []).append(_unescaped(cells[correction]))
    if not gathered:
        raise InputError(f"{path} has a header but no corrections")
    return [Corrections(sentence, tuple(texts)) for sentence, texts in gathered.items()]


def is_histogram(path: Path) -> bool:
    """Whether a file is a histogram, by its header."""
    return next(read_lines(path), "").lower().startswith("frequency\t")


def read_histogram(path: Path) -> list[tuple[float, float]]:
    """The frequencies, and how many variants have each."""
    rows = list(_numbers(path))
    if not rows:
        raise InputError(f"{path} holds no histogram: lines of a frequency, a tab and a number of variants")
    mass = sum(frequency * variants for frequency, variants in rows)
    if not abs(mass - 1) <= MASS_TOLERANCE:
        raise InputError(f"{path}: the probabilities of all variants sum to {mass:.4g}, not 1; is the file complete?")
    return rows


def _numbers(path: Path) -> Iterator[tuple[float, float]]:
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip() or number == 1:
            continue
        try:
            frequency, variants = map(float, line.split("\t"))
        except ValueError:
            raise InputError(f"{path}: line {number} is not a frequency, a tab and a number of variants") from None
        if not 0 < frequency <= 1:
            raise InputError(f"{path}: line {number}: the frequency {frequency:g} does not lie between 0 and 1")
        if not -SOLVER_NOISE <= variants < float("inf"):
            raise InputError(f"{path}: line {number}: {variants:g} is not a number of variants")
        yield frequency, max(variants, 0.0)


def _column(path: Path, names: Sequence[str], wanted: Sequence[str]) -> int:
    for name in wanted:
        if name in names:
            return names.index(name)
    raise InputError(f"{path}: line 1 names no column {' or '.join(wanted)}; the columns are separated by tabs")


def _unescaped(text: str) -> str:
    return re.sub(r"\\[nt\\]", lambda match: _ESCAPES[match[0]], text)


def normalise(text: str) -> str:
    """The words alone, in lower case. Two corrections are equal if these are.

    >>> normalise("However , it 's fine.")
    'however it s fine'
    """
    return re.sub(r"\W+", " ", text).strip().lower()
