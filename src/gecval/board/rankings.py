"""Ranges of ranks and clusters of the systems on a leaderboard, from the resamples that were kept.

Scores never change, so a ranking belongs to a set of scores: it is computed once and looked up from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from gecval.board.database.models import Ranking, SystemScore
from gecval.board.database.session import Database
from gecval.board.scoring import unpack_array
from gecval.board.secret import digest
from gecval.studies.scores.clusters import ranked


@dataclass(frozen=True)
class Place:
    """The range of a score's ranks, its cluster, and the rank that all of its cluster share."""

    ranks: tuple[int, int]
    cluster: int
    rank: int


def places(session: Session, scores: Sequence[SystemScore]) -> dict[str, Place]:
    """The place of each of some scores under one metric, by the id of the score; empty where chance cannot be told."""
    comparable = [score for score in scores if score.level is not None]
    if len(comparable) < 2:
        return {}
    row = session.get(Ranking, ranking_key(comparable))
    body = row.body if row else compute(session, comparable)
    return {
        score_id: Place((low, high), cluster, rank) for score_id, (low, high, cluster, rank) in body["places"].items()
    }


def ranking_key(scores: Sequence[SystemScore]) -> str:
    return digest("\n".join(sorted(score.id for score in scores)))


def compute(session: Session, scores: Sequence[SystemScore]) -> dict[str, dict[str, list[int]]]:
    """The ranking of scores under one metric, as it is stored."""
    ids = [score.id for score in scores]
    kept = select(SystemScore.id, SystemScore.resampled).where(SystemScore.id.in_(ids))
    packed = {row[0]: row[1] for row in session.execute(kept)}
    standings = ranked(
        ids,
        [score.score for score in scores],
        [unpack_array(packed[score_id] or b"") for score_id in ids],
        direction=1 if scores[0].higher_is_better else -1,
        level=scores[0].level or 0.95,
    )
    first: dict[int, int] = {}
    for position, standing in enumerate(standings, start=1):
        first.setdefault(standing.cluster, position)
    return {
        "places": {
            standing.system: [*standing.ranks, standing.cluster, first[standing.cluster]] for standing in standings
        }
    }


def keep(database: Database, key: str, body: dict[str, dict[str, list[int]]]) -> None:
    """Store a ranking; somebody else may have stored the same."""
    dialect = sqlite if database.sqlite else postgresql
    with database.write() as session:
        session.execute(dialect.insert(Ranking).values(key=key, body=body).on_conflict_do_nothing())
