"""Is a passport right? Its scores, intervals and tests are computed again from its statistics alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import nan
from pathlib import Path
from typing import Any, ClassVar

from gecval.errors import InputError
from gecval.results.result import ResultSequence
from gecval.results.table import DELIMITED, Cell, P, Signed, Table
from gecval.stats import Interval
from gecval.stats.resampling import MaybeUndefined
from gecval.studies.scores.passport import passport_lines, read_passport, signature_fits


@dataclass(frozen=True, kw_only=True)
class VerifiedScore:
    """A score of a passport as it is computed again; ``same`` says whether its line is the same, byte for byte.

    ``claimed`` is the score that the passport states, undefined where it states none.
    """

    system: str
    metric: str
    score: float
    claimed: MaybeUndefined
    interval: Interval | None = None
    same: bool
    output: str
    signature: str


@dataclass(frozen=True, kw_only=True)
class VerifiedTest:
    """A test of a passport as it is computed again."""

    metric: str
    baseline: str
    system: str
    difference: float
    interval: Interval
    p: float
    same: bool


@dataclass(frozen=True, kw_only=True, repr=False)
class Verification(ResultSequence[VerifiedScore]):
    """Whether a passport holds: ``same`` if all of its lines are what its statistics give."""

    kind: ClassVar[str] = "verification"
    view: ClassVar[str] = "verification_tables"
    main: ClassVar[str] = "scores"
    derived: ClassVar[tuple[str, ...]] = ("exit_status",)

    same: bool
    made_by: str
    sentences: int
    level: float | None
    scores: tuple[VerifiedScore, ...]
    tests: tuple[VerifiedTest, ...]

    @property
    def exit_status(self) -> int:
        """What the command line exits with: 0 if the passport holds, else 1."""
        return 0 if self.same else 1


def verify(path: str | Path) -> Verification:
    """Compute everything in a passport again, and compare it byte for byte.

    This shows that the scores follow from the statistics. It does not show that the statistics are those of the data.
    For that, score the data again. The passport has hashes of the sources and references (in the signature) and of the
    output.

    Parameters
    ----------
    path
        A file that ``Scores.save_passport`` wrote.

    Returns
    -------
    Verification
        ``same`` says whether every line of the file is what its statistics give.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import gecval
    >>> corpus = gecval.Corpus.from_texts(["He go home ."], [["He goes home ."]])
    >>> with TemporaryDirectory() as folder:
    ...     gecval.score(corpus, {"mine": ["He goes home ."]}, ["gleu"]).save_passport(f"{folder}/p")
    ...     verified = verify(f"{folder}/p")
    >>> verified.same, verified[0].score
    (True, 1.0)
    """
    passport = read_passport(Path(path))
    if passport.totals is not None:
        raise InputError(f"{path} keeps totals of a part, and no statistics to compute it from again")
    again = list(
        passport_lines(
            passport.entries,
            aggregate=passport.aggregate,
            resampling=passport.resampling,
            made_by=passport.made_by,
            shard=passport.shard,
        )
    )
    stated = [*passport.lines, *[""] * (len(again) - len(passport.lines))]
    count = len(passport.entries)
    fits = [signature_fits(entry, passport.resampling, passport.made_by) for entry in passport.entries]
    scores = [
        _verify_score(json.loads(line), line == claimed and fit, claimed)
        for line, claimed, fit in zip(again[1 : count + 1], stated[1 : count + 1], fits, strict=True)
    ]
    tests = [
        _verify_test(json.loads(line), line == claimed)
        for line, claimed in zip(again[count + 1 :], stated[count + 1 :], strict=False)
    ]
    ours = version("gecval")
    other = f"gecval {passport.made_by[:40]} made it, and gecval {ours} verifies it: a score may differ for this alone"
    return Verification(
        same=tuple(again) == passport.lines and all(fits),
        made_by=passport.made_by,
        sentences=len(passport.entries[0].evaluation),
        level=passport.resampling.level if passport.resampling else None,
        scores=tuple(scores),
        tests=tuple(tests),
        notes=() if passport.made_by == ours else (other,),
    )


def _verify_score(made: dict[str, Any], same: bool, claimed: str) -> VerifiedScore:
    stated = json.loads(claimed).get("score") if claimed else None
    return VerifiedScore(
        system=made["system"],
        metric=made["metric"],
        score=made["score"],
        claimed=_number(stated),
        interval=Interval(*made["interval"]) if made["interval"] else None,
        same=same,
        output=made["output"],
        signature=made["signature"],
    )


def _number(stated: object) -> float:
    """A number that somebody states; no number, or one beyond all bounds, is none."""
    try:
        return float(stated) if isinstance(stated, int | float) else nan
    except OverflowError:
        return nan


def _verify_test(made: dict[str, Any], same: bool) -> VerifiedTest:
    return VerifiedTest(
        metric=made["metric"],
        baseline=made["baseline"],
        system=made["compared"],
        difference=made["difference"],
        interval=Interval(*made["interval"]),
        p=made["p"],
        same=same,
    )


SAYS = {
    True: "The passport holds: its statistics give the same bytes again (exit status 0)",
    False: "The passport does not hold: its statistics give something else (exit status 1)",
}


def verification_tables(result: Verification, style: str = "text") -> list[Table]:
    """A row for each score, and one for each test, as they are computed again."""
    rows: list[Sequence[Cell]] = [
        [row.system, row.metric, row.score, row.interval, row.claimed, "yes" if row.same else "no", row.output]
        for row in result.scores
    ]
    columns = ["system", "metric", "score", "interval", "claimed score", "same", "output"]
    notes = list(dict.fromkeys(row.signature for row in result.scores))
    scores = Table(columns, rows, title=SAYS[result.same], level=result.level, footnotes=notes)
    tests: list[Sequence[Cell]] = []
    for test in result.tests:
        cells: list[Cell] = [test.metric, test.baseline, test.system, Signed(test.difference), test.interval]
        tests.append([*cells, P(test.p), "yes" if test.same else "no"])
    names = ["metric", "baseline", "system", "difference", "interval", "p", "same"]
    compared = Table(names, tests, title="Tests", level=result.level, interval_digits=4)
    if style in DELIMITED:
        scores.title, compared.title = "scores", "tests"
    return [scores, *([compared] if tests else [])]
