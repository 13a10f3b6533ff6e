"""Are rare corrections noise? What people say of the corrections of a crowd, by how many of the crowd gave each.

If corrections that a single person gave are as valid as others, then what references do not cover is not noise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gecval.errors import InputError
from gecval.formats.corrections import Corrections, Judgement, normalise, read_judgements
from gecval.stats import Resampling, bootstrap_interval
from gecval.stats.resampling import SHARE, SentenceMean
from gecval.studies.coverage.result import Validity

GROUPS = ((1, 1), (2, 2), (3, 5), (6, 10), (11, None))  # how many people gave a correction


def measure_validity(
    corrections: Sequence[Corrections], judgements: Sequence[Judgement], *, resampling: Resampling | None = None
) -> tuple[Validity, ...]:
    """How many answers call a correction valid, by how many people gave it; the last row is of all.

    A judged correction is found among those of the crowd by its words. Answers on other sentences do not count.

    Examples
    --------
    >>> crowd = [Corrections("He go .", ("He goes .", "he goes .", "He went ."))]
    >>> answers = [Judgement("He go .", "He goes .", True), Judgement("He go .", "He went .", False)]
    >>> [(row.least, row.yes, row.answers) for row in measure_validity(crowd, answers)]
    [(1, 0, 1), (2, 1, 1), (None, 1, 2)]
    """
    resampling = resampling or Resampling()
    given = {
        normalise(sentence.source): Counter(normalise(text) for text in sentence.texts) for sentence in corrections
    }
    answers: dict[tuple[str, str], list[bool]] = {}
    for judgement in judgements:
        if (source := normalise(judgement.source)) in given:
            answers.setdefault((source, normalise(judgement.correction)), []).append(judgement.valid)
    if not answers:
        raise InputError(
            "the judgements are on other sentences than the corrections", parameter=("judgements", "validity")
        )
    by_people: dict[int, list[list[bool]]] = {}
    for (source, text), said in answers.items():
        by_people.setdefault(given[source][text], []).append(said)
    rows = []
    for least, most in GROUPS:
        listed = [said for people, of in by_people.items() if least <= people <= (most or people) for said in of]
        if listed:
            rows.append(_row(least, most, listed, resampling))
    return (*rows, _row(None, None, list(answers.values()), resampling))


def load_judgements(path: Path | str) -> list[Judgement]:
    """Read which corrections people call valid: a table with the columns ``source``, ``correction`` and ``answer``."""
    return read_judgements(Path(path))


def _row(least: int | None, most: int | None, listed: Sequence[Sequence[bool]], resampling: Resampling) -> Validity:
    """The interval draws corrections, since answers on one correction are alike."""
    shares = np.array([np.mean(said) for said in listed])
    return Validity(
        least=least,
        most=most,
        corrections=len(listed),
        answers=sum(map(len, listed)),
        yes=sum(map(sum, listed)),
        interval=bootstrap_interval(SentenceMean(shares, SHARE), resampling) if len(listed) > 1 else None,
        valid_by_most=sum(2 * sum(said) > len(said) for said in listed),
    )
