r"""Tables of crowd corrections, and histograms of them.

    source<TAB>correction              a header, then one correction a line; there may be other columns too; a row whose
    He go home .<TAB>He goes home .    ``status`` is Rejected is left out, unless asked for

The source may also be called ``sentence``, the correction ``simplification`` or ``reference``. \n, \t and \\ are
escapes. A histogram is what UnseenEst writes: lines ``frequency<TAB>number of variants`` under a header. Together the
variants have probability 1.
"""

from __future__ import annotations

import re
from collections import Counter
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
    """All corrections of one sentence. A correction that several people gave stands there several times.

    ``rejected`` is how many rows of this sentence were left out, since whoever asked the crowd had rejected them.
    """

    source: str
    texts: tuple[str, ...]
    rejected: int = 0


@dataclass(frozen=True)
class Judgement:
    """What one person says of a correction: whether it is valid."""

    source: str
    correction: str
    valid: bool


def read_corrections(path: Path, *, keep_rejected: bool = False) -> list[Corrections]:
    """The corrections of each sentence, in the order in which the sentences first appear."""
    names, rows = read_table(path)
    source, correction = _column(path, names, SOURCE), _column(path, names, CORRECTION)
    status = names.index("status") if "status" in names else None
    gathered: dict[str, list[str]] = {}
    rejected: Counter[str] = Counter()
    for number, cells in rows:
        if not keep_rejected and status is not None and cells[status].strip() == "Rejected":
            rejected[_unescaped(cells[source])] += 1
            continue
        if not cells[source].strip() or not cells[correction].strip():
            raise InputError(f"{path}: line {number}: the {names[source]} or the {names[correction]} is empty")
        gathered.setdefault(_unescaped(cells[source]), []).append(_unescaped(cells[correction]))
    if not gathered:
        raise InputError(f"{path} has a header but no corrections")
    return [Corrections(sentence, tuple(texts), rejected[sentence]) for sentence, texts in gathered.items()]


def read_judgements(path: Path) -> list[Judgement]:
    """Answers to the question whether a correction is valid, a row each: yes or no in the column ``answer``."""
    names, rows = read_table(path)
    source, correction = _column(path, names, SOURCE), _column(path, names, CORRECTION)
    answer = _column(path, names, ("answer",))
    judgements = []
    for number, cells in rows:
        said = cells[answer].strip().lower()
        if said not in ("yes", "no"):
            raise InputError(f"{path}: line {number}: the answer is yes or no, not {cells[answer]!r}")
        judgements.append(Judgement(_unescaped(cells[source]), _unescaped(cells[correction]), said == "yes"))
    if not judgements:
        raise InputError(f"{path} has a header but no answers")
    return judgements


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
    """The words alone, in lower case: what most studies compare.

    >>> normalise("However , it 's fine.")
    'however it s fine'
    """
    return cased_words(text).lower()


def cased_words(text: str) -> str:
    """The words alone, without punctuation.

    >>> cased_words("However , it 's fine.")
    'However it s fine'
    """
    return re.sub(r"\W+", " ", text).strip()
