"""From a submission to its scores: the studies do it, as for ``gecval score``; here the pieces are kept.

What is kept besides the score: the statistics S, and the score over every resample, both compressed. So a ranking, a
paired test or another interval needs no rescoring.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import cast

import numpy as np

from gecval.board.metrics import board_metric
from gecval.corpus import Corpus, System
from gecval.metrics.base import Array, Statistics
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.stats import Resampling
from gecval.studies.preparation import prepare
from gecval.studies.scores.pairs import Contender
from gecval.studies.scores.results import Score
from gecval.studies.scores.scoring import scored


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A score, and what it was made of."""

    score: Score
    statistics: bytes
    resampled: bytes | None


def score_system(
    corpus: Corpus,
    system: System,
    metrics: list[str],
    *,
    aggregate: str,
    edits: str | None,
    resampling: Resampling,
    jobs: int,
) -> list[Kept]:
    """One system under all metrics of a version, with intervals."""
    wanted = [board_metric(spelling) for spelling in metrics]
    corpora = prepare(corpus, [system], wanted, extractor=edits, jobs=jobs)
    known = resampling if len(corpus) > 1 else None
    kept = []
    for metric, prepared in zip(wanted, corpora, strict=True):
        evaluation = Evaluation.of(metric, prepared, system, aggregate=cast(Aggregate, aggregate), jobs=jobs)
        contender = Contender(evaluation, known)
        kept.append(
            Kept(
                score=scored(contender, prepared, system),
                statistics=pack(evaluation.statistics),
                resampled=pack_array(contender.resampled) if known else None,
            )
        )
    return kept


def pack(statistics: Statistics) -> bytes:
    """Statistics as bytes; ``unpack`` gives the same numbers."""
    file = io.BytesIO()
    np.savez_compressed(file, rows=statistics.rows, offsets=statistics.offsets)
    return file.getvalue()


def unpack(packed: bytes) -> Statistics:
    with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
        return Statistics(arrays["rows"], arrays["offsets"])


def pack_array(array: Array) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, array=array)
    return file.getvalue()


def unpack_array(packed: bytes) -> Array:
    with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
        array: Array = arrays["array"]
        return array


def contender(metric: str, packed: bytes, *, aggregate: str, system: str, resampling: Resampling) -> Contender:
    """A system as it was scored, from what was kept."""
    evaluation = Evaluation(board_metric(metric), unpack(packed), aggregate=cast(Aggregate, aggregate), system=system)
    return Contender(evaluation, resampling)
