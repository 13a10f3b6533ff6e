"""What the judges say, by the studies behind ``gecval human``. Judges have numbers, not names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board.access import Viewer, sees_scores_of
from gecval.board.database.models import Campaign, Item, Juror, Submission, SystemScore
from gecval.board.entries import current_scores
from gecval.errors import InputError
from gecval.formats.judgments import Judgment, Judgments, Placement
from gecval.studies.human.ranking import Ranking
from gecval.studies.human.results import HumanCorrelation, HumanResult
from gecval.studies.human.run import human
from gecval.studies.human.systems import SystemScores, correlation

FEWEST = 3  # systems of a correlation
_kept: dict[tuple[str, int, float], HumanResult] = {}


@dataclass(frozen=True, kw_only=True)
class Results:
    """Rankings and counts, or why there are none yet; and how far the leaderboard's metrics agree with the judges."""

    result: HumanResult | None
    why: str
    correlations: tuple[HumanCorrelation, ...]
    by_judge: tuple[tuple[str, int], ...]


def judge_name(number: int) -> str:
    return f"judge{number}"


def answered_items(session: Session, campaign: Campaign) -> list[tuple[Item, str]]:
    """All answers with the number of their judge, in the order in which they were given."""
    rows = session.execute(
        select(Item, Juror.number)
        .join(Juror, (Juror.campaign_id == Item.campaign_id) & (Juror.user_id == Item.user_id))
        .where(Item.campaign_id == campaign.id, Item.answered.is_not(None))
        .order_by(Item.answered, Item.id)
    )
    return [(item, judge_name(number)) for item, number in rows]


def judgments_of(session: Session, campaign: Campaign) -> Judgments:
    """The rankings so far; sentences count from 0. Skipped items are left out."""
    return Judgments(
        campaign.name,
        tuple(
            Judgment(item.sentence, judge, tuple(Placement(tuple(group), rank) for group, rank in item.placements))
            for item, judge in answered_items(session, campaign)
            if item.ranks
        ),
        first=0,
    )


def results(session: Session, viewer: Viewer, campaign: Campaign) -> Results:
    judgments = judgments_of(session, campaign)
    counted = [judge for _, judge in answered_items(session, campaign)]
    by_judge = tuple((judge, counted.count(judge)) for judge in sorted(set(counted), key=lambda name: int(name[5:])))
    try:
        result = _ranked(campaign.id, judgments)
    except InputError as error:
        return Results(result=None, why=str(error), correlations=(), by_judge=by_judge)
    agreement = tuple(_agreement(session, viewer, campaign, result.rankings))
    return Results(result=result, why="", correlations=agreement, by_judge=by_judge)


def _ranked(campaign_id: str, judgments: Judgments) -> HumanResult:
    if not judgments.items:
        raise InputError("nobody has ranked anything yet")
    key = (campaign_id, len(judgments.items), float(np.nansum(judgments.preferences)))
    if key not in _kept:
        made = human(judgments)
        for old in [known for known in _kept if known[0] == campaign_id]:
            del _kept[old]
        _kept[key] = made
    return _kept[key]


def _agreement(
    session: Session, viewer: Viewer, campaign: Campaign, rankings: tuple[Ranking, ...]
) -> list[HumanCorrelation]:
    """Each metric of the leaderboard against each ranking, where the viewer sees a score of every judged system."""
    scores = current_scores(session, campaign.version)
    of_label = {}
    for contestant in campaign.contestants:
        submission = session.get(Submission, contestant.submission_id) if contestant.submission_id else None
        if submission is not None and sees_scores_of(viewer, submission, campaign.version_id):
            of_label[contestant.label] = scores.get(submission.id, {})
    found = []
    for ranking in rankings:
        labels = sorted(ranking.scores)
        for metric in campaign.version.metrics:
            rows = [of_label[label][metric] for label in labels if metric in of_label.get(label, {})]
            if len(rows) == len(labels) >= FEWEST:
                found.append(correlation(ranking, _scores(metric, tuple(labels), rows), 0))
    return found


def _scores(metric: str, labels: tuple[str, ...], rows: list[SystemScore]) -> SystemScores:
    scores = np.array([row.score for row in rows])
    return SystemScores(
        metric=metric,
        systems=labels,
        scores=scores,
        rising=scores if rows[0].higher_is_better else -scores,
        higher_is_better=rows[0].higher_is_better,
        intervals=[None] * len(rows),
        signature=rows[0].signature,
    )
