"""From a submission to its scores: the studies do it, as for ``gecval score``; here the pieces are kept.

What is kept besides the score: the statistics S, and the score over every resample, both compressed. So a ranking, a
paired test or another interval needs no rescoring.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from gecval.board.metrics import board_metric
from gecval.corpus import Corpus, System
from gecval.metrics.base import Array, Statistics
from gecval.metrics.errant import Errant
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.stats import Resampling
from gecval.studies.preparation import prepare
from gecval.studies.scores.by_type import score_by_type
from gecval.studies.scores.pairs import Contender
from gecval.studies.scores.results import Score
from gecval.studies.scores.scoring import scored
from gecval.studies.scores.type_results import TypeScores


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


@dataclass(frozen=True)
class KeptContender(Contender):
    """A system as it was scored, from what was kept: its resamples need not be drawn again."""

    kept: bytes = b""

    @cached_property
    def resampled(self) -> Array:
        return unpack_array(self.kept)


def contender(
    metric: str, statistics: bytes, resampled: bytes, *, aggregate: str, system: str, resampling: Resampling
) -> KeptContender:
    """A system under a metric, ready for paired tests and sentence scores."""
    evaluation = Evaluation(board_metric(metric), unpack(statistics), cast(Aggregate, aggregate), system=system)
    return KeptContender(evaluation, resampling, resampled)


def types_of(corpus: Corpus, system: System, metrics: list[str], *, edits: str | None, jobs: int) -> TypeScores | None:
    """Scores by type of error, where ERRANT is among the metrics."""
    errant = next((metric for metric in map(board_metric, metrics) if isinstance(metric, Errant)), None)
    if errant is None:
        return None
    types = score_by_type(corpus, [system], [errant], extractor=edits, jobs=jobs)
    assert isinstance(types, TypeScores)
    return types
