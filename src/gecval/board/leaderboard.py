"""The leaderboard: systems by several metrics side by side, with intervals, ranges of ranks and clusters.

Decoys stand on it without a rank. A metric is marked where a decoy scores at least as well as half of the systems.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from gecval.board.access import Viewer, sees_scores, sees_submission_scores
from gecval.board.benchmarks import find_open_phase
from gecval.board.clock import now
from gecval.board.database.models import (
    REFERENCE,
    Benchmark,
    Phase,
    Ranking,
    Submission,
    System,
    SystemScore,
    Version,
)
from gecval.board.database.session import Database
from gecval.board.database.storage import digest
from gecval.board.public_scores import PublicScore, make_public
from gecval.board.score_cache import RankingBody, ScoreCache
from gecval.board.scoring import unpack_array
from gecval.board.submissions import (
    ScoresBySubmission,
    choose_standing,
    find_kept_back,
    list_decoys,
    list_scored,
)
from gecval.results.signature import Signature
from gecval.stats.ranking import Standing, rank_by_margins
from gecval.stats.resampling import TOLERANCE
from gecval.studies.scores.scored_system import rank_by_resamples

log = logging.getLogger("gecval.board")


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A score and its place; decoys have none. ``ranks`` is the range of ranks that chance allows."""

    score: PublicScore
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
class LeaderboardColumn:
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
    columns: tuple[LeaderboardColumn, ...]
    lines: tuple[Line, ...]


def find_default_phase(benchmark: Benchmark) -> Phase:
    """The phase that is open, else the one that closed last; where none has opened yet, the first."""
    current = find_open_phase(benchmark, now())
    closed = [phase for phase in benchmark.phases if phase.closes is not None and phase.closes <= now()]
    return current or max(closed, key=lambda phase: phase.closes or 0.0, default=benchmark.phases[0])


def make_leaderboard(
    session: Session, viewer: Viewer, version: Version, phase: Phase, sort: str = "", cache: ScoreCache | None = None
) -> Leaderboard:
    """What this viewer may see of a version and phase, sorted by one of its metrics, the first by default."""
    cache = cache or ScoreCache()
    sort = sort if sort in version.metrics else version.metrics[0]
    blind = not sees_scores(viewer, phase)
    scores = cache.load_scores(session, version)
    submissions = list_scored(session, version, scores)
    standing = [] if blind else choose_standing(submissions, phase, version, scores)
    placed = _find_all_places(session, version, standing, scores, cache)
    greyed = list_decoys(submissions, version)
    lines = [
        _make_line(viewer, version, submission, scores[submission.id], placed, cache)
        for submission in [*standing, *greyed]
    ]
    if viewer.organiser:
        better = find_kept_back(submissions, phase, version, scores)
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
        columns=tuple(_make_column(metric, version, standing, greyed, scores) for metric in version.metrics),
        lines=tuple(sorted(lines, key=lambda line: _sort_key(line, sort))),
    )


def prepare_rankings(
    database: Database, version_id: str, coming: Sequence[SystemScore] = (), cache: ScoreCache | None = None
) -> None:
    """Compute and store the rankings that the leaderboards of a version need, so that no reader waits for them.

    ``coming`` are the scores of a submission that will be written next.
    """
    cache = cache or ScoreCache()
    missing = []
    with database.read() as session:
        version = session.get_one(Version, version_id)
        scores = cache.load_scores(session, version)
        for row in coming:
            scores[row.submission_id] = {**scores.get(row.submission_id, {}), row.metric: row}
        submissions = list_scored(session, version, scores)
        for phase in version.benchmark.phases:
            standing = choose_standing(submissions, phase, version, scores)
            for metric in version.metrics:
                rows = [row for row in _list_rows(metric, standing, scores) if row.level is not None]
                key = make_ranking_key(rows)
                if len(rows) > 1 and session.get(Ranking, key) is None:
                    missing.append((key, compute_ranking(session, version, rows)))
    for key, body in missing:
        store_ranking(database, key, body)


def _list_rows(metric: str, standing: Sequence[Submission], scores: ScoresBySubmission) -> list[SystemScore]:
    return [scores[submission.id][metric] for submission in standing if metric in scores[submission.id]]


def _find_all_places(
    session: Session,
    version: Version,
    standing: Sequence[Submission],
    scores: ScoresBySubmission,
    cache: ScoreCache,
) -> dict[str, Place]:
    placed: dict[str, Place] = {}
    for metric in version.metrics:
        placed |= find_places(session, version, _list_rows(metric, standing, scores), cache)
    return placed


def _make_line(
    viewer: Viewer,
    version: Version,
    submission: Submission,
    scores: dict[str, SystemScore],
    placed: dict[str, Place],
    cache: ScoreCache,
) -> Line:
    cells = {}
    for metric, row in scores.items():
        place = placed.get(row.id)
        cells[metric] = Cell(
            score=cache.make_public(viewer, version, submission, row),
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


def _make_column(
    metric: str,
    version: Version,
    standing: Sequence[Submission],
    greyed: Sequence[Submission],
    scores: ScoresBySubmission,
) -> LeaderboardColumn:
    rows = _list_rows(metric, standing, scores)
    higher = next((row.higher_is_better for row in [*rows, *_list_rows(metric, greyed, scores)]), True)
    direction = 1 if higher else -1
    middle = median(direction * version.publish(row.score) for row in rows) if rows else None
    deceived = [
        submission.system.name
        for submission in greyed
        if middle is not None and submission.system.name != REFERENCE and metric in scores[submission.id]
        if direction * version.publish(scores[submission.id][metric].score) >= middle
    ]
    return LeaderboardColumn(metric=metric, higher_is_better=higher, deceived=tuple(deceived))


def _sort_key(line: Line, metric: str) -> tuple[float, bool, str]:
    cell = line.cells.get(metric)
    if cell is None:
        return float("inf"), True, line.system
    return -cell.score.score * (1 if cell.score.higher_is_better else -1), line.decoy is not None, line.system


# Ranks, ranges of ranks and clusters of the systems on a leaderboard, as ``gecval score --clusters`` has them: from the
# stored resamples. With hidden references they come from what is shown alone.
#
# Scores never change, so a ranking belongs to a set of scores: it is computed once and looked up from then on.


@dataclass(frozen=True)
class Place:
    """The range of a score's ranks, its cluster, and its rank; equal scores have the same."""

    ranks: tuple[int, int]
    cluster: int
    rank: int


def find_places(
    session: Session, version: Version, scores: Sequence[SystemScore], cache: ScoreCache | None = None
) -> dict[str, Place]:
    """The place of each of some scores under one metric, by the id of the score; empty where there are no resamples."""
    comparable = [score for score in scores if score.level is not None]
    if len(comparable) < 2:
        return {}
    key = make_ranking_key(comparable)
    row = session.get(Ranking, key)
    cache = cache or ScoreCache()
    body = row.body if row else cache.find_ranking(key, lambda: compute_ranking(session, version, comparable))
    return {
        score_id: Place((low, high), cluster, rank) for score_id, (low, high, cluster, rank) in body["places"].items()
    }


def make_ranking_key(scores: Sequence[SystemScore]) -> str:
    return digest("\n".join(sorted(score.id for score in scores)))


def compute_ranking(session: Session, version: Version, scores: Sequence[SystemScore]) -> RankingBody:
    """The ranking of scores under one metric, as it is stored."""
    ranked = _rank_shown(version, scores) if version.hidden else _rank_resampled(session, scores)
    shown = [version.publish(score.score) for score in scores]
    direction = 1 if scores[0].higher_is_better else -1
    ranks = {
        score.id: 1 + sum(direction * (other - mine) > TOLERANCE for other in shown)
        for score, mine in zip(scores, shown, strict=True)
    }
    return {
        "places": {standing.system: [*standing.ranks, standing.cluster, ranks[standing.system]] for standing in ranked}
    }


def _rank_shown(version: Version, scores: Sequence[SystemScore]) -> list[Standing]:
    """Systems differ where their shown scores do, by more than the shown margins of two independent scores."""
    return rank_by_margins(
        [score.id for score in scores],
        [(1 if score.higher_is_better else -1) * version.publish(score.score) for score in scores],
        [version.publish_margin(score.low or 0.0, score.high or 0.0) for score in scores],
    )


def _rank_resampled(session: Session, scores: Sequence[SystemScore]) -> list[Standing]:
    ids = [score.id for score in scores]
    stored = select(SystemScore.id, SystemScore.resampled).where(SystemScore.id.in_(ids))
    packed = {row[0]: row[1] for row in session.execute(stored)}
    packed |= {score.id: score.resampled for score in scores if score.id not in packed}  # it is not written yet
    return rank_by_resamples(
        ids,
        [score.score for score in scores],
        [unpack_array(packed[score_id] or b"") for score_id in ids],
        direction=1 if scores[0].higher_is_better else -1,
        level=scores[0].level or 0.95,
    )


def store_ranking(database: Database, key: str, body: RankingBody) -> None:
    """Store a ranking; somebody else may have stored the same."""
    dialect = sqlite if database.sqlite else postgresql
    with database.write() as session:
        session.execute(dialect.insert(Ranking).values(key=key, body=body).on_conflict_do_nothing())


# Scores over time: what changed when gecval, a model or the data did.


@dataclass(frozen=True, kw_only=True)
class ScoreChange:
    """A score that is not what it was. ``why`` lists the fields of the signature that differ."""

    system: str
    system_id: str
    metric: str
    before: float
    after: float
    versions: tuple[int, int]
    when: float
    why: tuple[str, ...]


def list_changes(session: Session, viewer: Viewer, benchmark: Benchmark) -> list[ScoreChange]:
    """The scores of submissions that changed from one scoring to the next, the latest first."""
    versions = {version.id: version for version in benchmark.versions}
    rows = session.execute(
        select(SystemScore, Submission)
        .join(Submission, Submission.id == SystemScore.submission_id)
        .join(System)
        .join(Version, Version.id == SystemScore.version_id)
        .where(System.benchmark_id == benchmark.id, System.decoy.is_(None))
        .where(Submission.withdrawn.is_(None), Submission.deleted.is_(None))
        .order_by(Version.number, SystemScore.created)
    )
    last: dict[tuple[str, str], SystemScore] = {}
    listed = []
    for row, submission in rows:
        if not sees_submission_scores(viewer, submission, row.version_id):
            continue
        before = last.get((submission.id, row.metric))
        last[submission.id, row.metric] = row
        if before is None:
            continue
        old = make_public(viewer, versions[before.version_id], submission, before)
        new = make_public(viewer, versions[row.version_id], submission, row)
        if old.score != new.score:
            listed.append(
                ScoreChange(
                    system=submission.system.name,
                    system_id=submission.system_id,
                    metric=row.metric,
                    before=old.score,
                    after=new.score,
                    versions=(versions[before.version_id].number, versions[row.version_id].number),
                    when=row.created,
                    why=compare_signatures(old.signature, new.signature),
                )
            )
    return sorted(listed, key=lambda change: -change.when)


def compare_signatures(before: str, after: str) -> tuple[str, ...]:
    """The fields of two signatures that differ.

    >>> before = "ld|aggregate:corpus|source:9c912f65|gecval:0.1"
    >>> compare_signatures(before, before.replace("9c", "00").replace("0.1", "0.2"))
    ('source:9c912f65 → source:00912f65', 'gecval:0.1 → gecval:0.2')
    """
    differences = Signature.parse(before).printed_differences(Signature.parse(after))
    return tuple(f"{old or 'nothing'} → {new or 'nothing'}" for old, new in differences)
