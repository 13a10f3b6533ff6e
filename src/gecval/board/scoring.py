"""From a submission to its scores: the loop of ``gecval score``; here its pieces are stored.

What is stored with a score: the statistics S, and the score over every resample, both compressed. So a ranking, a
paired test or another interval needs no rescoring.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np

from gecval.board.allowed_metrics import board_metric
from gecval.board.database.models import SystemScore, Version, new_id
from gecval.corpus import Corpus, System
from gecval.metrics.base import Array, Statistics
from gecval.metrics.error_types import find_scores_by_type
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.studies.scores.by_type import TypeScores, score_by_type
from gecval.studies.scores.preparation import prepare
from gecval.studies.scores.result import Score
from gecval.studies.scores.scored_system import ScoredSystem
from gecval.studies.scores.study import build_signed_score


@dataclass(frozen=True, kw_only=True)
class StoredScore:
    """A score, and what it was made of."""

    score: Score
    statistics: bytes
    resampled: bytes | None
    id: str = field(default_factory=new_id)


def score_system(
    corpus: Corpus,
    system: System,
    metrics: list[str],
    *,
    aggregate: str,
    edits: str | None,
    resampling: Resampling,
    run: Run,
) -> list[StoredScore]:
    """One system under all metrics of a version, with intervals where there are two sentences or more."""
    wanted = [board_metric(spelling) for spelling in metrics]
    draws = resampling if len(corpus) > 1 else None
    stored = []
    for metric, prepared in zip(wanted, prepare(corpus, [system], wanted, extractor=edits, run=run), strict=True):
        evaluation = Evaluation.of(metric, prepared, system, aggregate=cast(Aggregate, aggregate), run=run.quiet())
        scored = ScoredSystem(evaluation, draws)
        stored.append(
            StoredScore(
                score=build_signed_score(scored, prepared, system),
                statistics=pack_statistics(evaluation.statistics),
                resampled=pack_array(scored.resampled) if draws else None,
            )
        )
    return stored


def score_types(
    corpus: Corpus, system: System, metrics: list[str], *, edits: str | None, run: Run
) -> TypeScores | None:
    """Scores by type of error, where ERRANT is among the metrics."""
    errant = find_scores_by_type(map(board_metric, metrics))
    if errant is None:
        return None
    types = score_by_type(corpus, [system], [errant], edits=edits, run=run)
    assert isinstance(types, TypeScores)
    return types


@dataclass(frozen=True)
class StoredSystem(ScoredSystem):
    """A system as it was scored. Its resamples are stored, so they are not drawn again."""

    packed: bytes = b""

    @cached_property
    def resample(self) -> Array:
        return unpack_array(self.packed)


def load_system(row: SystemScore, version: Version, name: str) -> StoredSystem:
    """A system under a metric, ready for paired tests."""
    return StoredSystem(load_evaluation(row, version, name), Resampling(), row.resampled or b"")


def load_evaluation(row: SystemScore, version: Version, name: str) -> Evaluation:
    """A system under a metric, from its stored statistics."""
    statistics = unpack_statistics(row.statistics)
    return Evaluation(board_metric(row.metric), statistics, cast(Aggregate, version.aggregate), system=name)


def pack_statistics(statistics: Statistics) -> bytes:
    """Statistics as bytes; ``unpack_statistics`` gives the same numbers."""
    return _pack(rows=statistics.rows, offsets=statistics.offsets)


def unpack_statistics(packed: bytes) -> Statistics:
    arrays = _unpack(packed)
    return Statistics(arrays["rows"], arrays["offsets"])


def pack_array(array: Array) -> bytes:
    return _pack(array=array)


def unpack_array(packed: bytes) -> Array:
    array: Array = _unpack(packed)["array"]
    return array


def _pack(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def _unpack(packed: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
        return dict(arrays)
