"""Which submissions stand on a leaderboard: one for each system or team, by the rule of the phase."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload, selectinload

from gecval.board.database.models import Phase, Submission, System, SystemScore, Version

Scored = dict[str, dict[str, SystemScore]]  # by submission, then by metric


def current_scores(session: Session, version: Version) -> Scored:
    """The latest score of every submission under every metric of a version."""
    rows = session.scalars(
        select(SystemScore).where(SystemScore.version_id == version.id).order_by(SystemScore.created, SystemScore.id)
    )
    scores: Scored = defaultdict(dict)
    for row in rows:
        scores[row.submission_id][row.metric] = row
    return dict(scores)


def scored_submissions(session: Session, version: Version, scores: Scored) -> list[Submission]:
    """The submissions that have scores and were not withdrawn."""
    live = (
        select(Submission)
        .join(System)
        .where(System.benchmark_id == version.benchmark_id)
        .where(Submission.withdrawn.is_(None), Submission.deleted.is_(None))
        .options(joinedload(Submission.system).joinedload(System.team), selectinload(Submission.rungs))
        .order_by(Submission.created)
    )
    return [submission for submission in session.scalars(live) if submission.id in scores]


def standing(submissions: Sequence[Submission], phase: Phase, version: Version, scores: Scored) -> list[Submission]:
    """One submission of the phase for each system, or for each team. Who did not climb its Ladder does not stand."""
    groups: dict[str, list[Submission]] = defaultdict(list)
    for submission in submissions:
        if submission.phase_id == phase.id and submission.climbed(version.id):
            owner = submission.system.team_id if phase.entry == "team" else submission.system_id
            groups[owner or submission.system_id].append(submission)
    return [_of_group(group, phase.rule, version.metrics[0], scores) for group in groups.values()]


def kept_back(
    submissions: Sequence[Submission], phase: Phase, version: Version, scores: Scored
) -> dict[str | None, SystemScore]:
    """The best main score of each team, by its id, of the submissions that did not climb the Ladder of the phase."""
    groups: dict[str | None, list[Submission]] = defaultdict(list)
    for submission in submissions:
        if submission.phase_id == phase.id and not submission.climbed(version.id):
            groups[submission.system.team_id].append(submission)
    main = version.metrics[0]
    best = {team: _of_group(group, "best", main, scores) for team, group in groups.items()}
    return {team: scores[submission.id][main] for team, submission in best.items() if main in scores[submission.id]}


def _of_group(group: Sequence[Submission], rule: str, metric: str, scores: Scored) -> Submission:
    """``group`` is from old to new. Where nothing is chosen yet, the last one stands."""
    if rule == "chosen":
        return next((submission for submission in reversed(group) if submission.chosen), group[-1])
    if rule == "last":
        return group[-1]

    def quality(submission: Submission) -> float:
        row = scores[submission.id].get(metric)
        return float("-inf") if row is None else row.score * (1 if row.higher_is_better else -1)

    return max(reversed(group), key=quality)


def decoys(submissions: Sequence[Submission], version: Version) -> list[Submission]:
    return [submission for submission in submissions if submission.version_id == version.id and submission.system.decoy]
