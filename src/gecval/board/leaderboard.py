"""The leaderboard: systems by several metrics side by side, with intervals, ranges of ranks and clusters.

Decoys stand on it without a rank. A metric is marked where a decoy scores at least as well as half of the systems.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from sqlalchemy.orm import Session

from gecval.board import entries, rankings
from gecval.board.access import Viewer, sees_scores
from gecval.board.clock import now
from gecval.board.database.models import Benchmark, Phase, Ranking, Submission, SystemScore, Version
from gecval.board.database.session import Database
from gecval.board.decoys import REFERENCE
from gecval.board.shown import ShownScore, shown

log = logging.getLogger("gecval.board")


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A score and its place. Systems of one cluster share a rank; decoys have none."""

    score: ShownScore
    rank: int | None
    ranks: tuple[int, int] | None
    cluster: int | None


@dataclass(frozen=True, kw_only=True)
class Line:
    """A system on the leaderboard, by the submission that stands for it."""

    system_id: str
    system: str
    team: str | None
    decoy: str | None
    submission_id: str
    created: float
    sheet: dict[str, str]
    cells: dict[str, Cell]
    kept_back: float | None  # for organisers: the team's best main score that did not climb the Ladder


@dataclass(frozen=True, kw_only=True)
class Column:
    """A metric. ``deceived`` names the decoys that it puts among the better half of the systems."""

    metric: str
    higher_is_better: bool
    deceived: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Leaderboard:
    """``blind`` where the phase is not over and its scores are for organisers alone."""

    version: int
    phase: str
    sort: str
    blind: bool
    hidden: bool
    ladder: float | None
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]


def default_phase(benchmark: Benchmark) -> Phase:
    """The phase that opened last; where none has yet, the first."""
    begun = [phase for phase in benchmark.phases if phase.opens <= now()]
    return begun[-1] if begun else benchmark.phases[0]


def leaderboard(session: Session, viewer: Viewer, version: Version, phase: Phase, sort: str = "") -> Leaderboard:
    """What this viewer may see of a version and phase, sorted by one of its metrics, the first by default."""
    sort = sort if sort in version.metrics else version.metrics[0]
    blind = not sees_scores(viewer, phase)
    scores = entries.current_scores(session, version)
    submissions = entries.scored_submissions(session, version, scores)
    standing = [] if blind else entries.standing(submissions, phase, version, scores)
    placed = _places(session, version.metrics, standing, scores)
    greyed = entries.decoys(submissions, version)
    lines = [_line(viewer, version, submission, scores[submission.id], placed) for submission in [*standing, *greyed]]
    if viewer.organiser:
        better = entries.kept_back(submissions, phase, version, scores)
        teams = {submission.id: submission.system.team_id for submission in standing}
        lines = [
            replace(line, kept_back=better[team].score) if (team := teams.get(line.submission_id)) in better else line
            for line in lines
        ]
    return Leaderboard(
        version=version.number,
        phase=phase.name,
        sort=sort,
        blind=blind,
        hidden=version.hidden,
        ladder=phase.ladder,
        columns=tuple(_column(metric, standing, greyed, scores) for metric in version.metrics),
        lines=tuple(sorted(lines, key=lambda line: _order(line, sort))),
    )


def prepare_rankings(database: Database, version_id: str) -> None:
    """Compute and keep the rankings that the leaderboards of a version need, so that no reader waits for them."""
    missing = []
    with database.read() as session:
        version = session.get_one(Version, version_id)
        scores = entries.current_scores(session, version)
        submissions = entries.scored_submissions(session, version, scores)
        for phase in version.benchmark.phases:
            standing = entries.standing(submissions, phase, version, scores)
            for metric in version.metrics:
                rows = [row for row in _rows(metric, standing, scores) if row.level is not None]
                key = rankings.ranking_key(rows)
                if len(rows) > 1 and session.get(Ranking, key) is None:
                    missing.append((key, rankings.compute(session, rows)))
    for key, body in missing:
        rankings.keep(database, key, body)


def _rows(metric: str, standing: Sequence[Submission], scores: entries.Scored) -> list[SystemScore]:
    return [scores[submission.id][metric] for submission in standing if metric in scores[submission.id]]


def _places(
    session: Session, metrics: Sequence[str], standing: Sequence[Submission], scores: entries.Scored
) -> dict[str, rankings.Place]:
    placed: dict[str, rankings.Place] = {}
    for metric in metrics:
        placed |= rankings.places(session, _rows(metric, standing, scores))
    return placed


def _line(
    viewer: Viewer,
    version: Version,
    submission: Submission,
    scores: dict[str, SystemScore],
    placed: dict[str, rankings.Place],
) -> Line:
    cells = {}
    for metric, row in scores.items():
        place = placed.get(row.id)
        cells[metric] = Cell(
            score=shown(viewer, version, submission, row),
            rank=place.rank if place else None,
            ranks=place.ranks if place else None,
            cluster=place.cluster if place else None,
        )
    system = submission.system
    return Line(
        system_id=system.id,
        system=system.name,
        team=system.team.name if system.team else None,
        decoy=system.decoy,
        submission_id=submission.id,
        created=submission.created,
        sheet=dict(submission.sheet),
        cells=cells,
        kept_back=None,
    )


def _column(
    metric: str, standing: Sequence[Submission], greyed: Sequence[Submission], scores: entries.Scored
) -> Column:
    rows = _rows(metric, standing, scores)
    higher = next((row.higher_is_better for row in [*rows, *_rows(metric, greyed, scores)]), True)
    direction = 1 if higher else -1
    middle = median(direction * row.score for row in rows) if rows else None
    deceived = [
        submission.system.name
        for submission in greyed
        if middle is not None and submission.system.name != REFERENCE and metric in scores[submission.id]
        if direction * scores[submission.id][metric].score >= middle
    ]
    return Column(metric=metric, higher_is_better=higher, deceived=tuple(deceived))


def _order(line: Line, metric: str) -> tuple[float, bool, str]:
    cell = line.cells.get(metric)
    if cell is None:
        return float("inf"), True, line.system
    return -cell.score.score * (1 if cell.score.higher_is_better else -1), line.decoy is not None, line.system
