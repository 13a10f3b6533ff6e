"""Which systems cannot be told apart? Ranges of ranks over resamples, and clusters of systems that share ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gecval.errors import InputError
from gecval.stats.ranking import Standing, standings
from gecval.stats.resampling import Array
from gecval.studies.scores.pairs import Contender


def ranking(contenders: Sequence[Contender]) -> list[Standing]:
    """The systems from best to worst under one metric. Their scores count as if higher were better."""
    if len(contenders) < 2:
        raise InputError("a ranking needs two systems or more", parameter="systems")
    if len(contenders[0].evaluation) < 2:
        raise InputError("a ranking needs two sentences or more: one does not show what chance can do")
    resampling = contenders[0].resampling
    assert resampling is not None
    return ranked(
        [contender.name for contender in contenders],
        [contender.score for contender in contenders],
        [contender.resampled for contender in contenders],
        direction=contenders[0].evaluation.metric.direction,
        level=resampling.level,
    )


def ranked(
    systems: Sequence[str], scores: Sequence[float], resampled: Sequence[Array], *, direction: int, level: float
) -> list[Standing]:
    """The same from the scores over all resamples, for whoever has kept them."""
    return standings(systems, direction * np.array(scores), direction * np.stack(resampled, axis=1), level=level)
