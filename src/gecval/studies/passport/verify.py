"""Does a passport hold? Its scores, intervals and tests are computed again from its statistics alone."""

from __future__ import annotations

import json
from importlib.metadata import version
from math import nan
from pathlib import Path
from typing import Any

from gecval.errors import InputError
from gecval.stats import Interval
from gecval.studies.passport.lines import passport_lines, signature_fits
from gecval.studies.passport.reading import read_passport
from gecval.studies.passport.results import Verification, VerifiedScore, VerifiedTest


def verify(path: str | Path) -> Verification:
    """Compute everything in a passport again, and compare it byte for byte.

    It shows that the figures follow from the statistics. Whether these are those of the data is another question: the
    passport has hashes of the sources and references (in the signature) and of the output. Score the data again to see.
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
        _score(json.loads(line), line == claimed and fit, claimed)
        for line, claimed, fit in zip(again[1 : count + 1], stated[1 : count + 1], fits, strict=True)
    ]
    tests = [
        _test(json.loads(line), line == claimed)
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


def _score(made: dict[str, Any], same: bool, claimed: str) -> VerifiedScore:
    stated = json.loads(claimed).get("score") if claimed else None
    return VerifiedScore(
        system=made["system"],
        metric=made["metric"],
        score=made["score"],
        claimed=float(stated) if isinstance(stated, int | float) else nan,
        interval=Interval(*made["interval"]) if made["interval"] else None,
        same=same,
        output=made["output"],
        signature=made["signature"],
    )


def _test(made: dict[str, Any], same: bool) -> VerifiedTest:
    return VerifiedTest(
        metric=made["metric"],
        baseline=made["baseline"],
        system=made["compared"],
        difference=made["difference"],
        interval=Interval(*made["interval"]),
        p_bootstrap=made["p_bootstrap"],
        p_randomisation=made["p_randomisation"],
        same=same,
    )
