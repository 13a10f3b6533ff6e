"""What the judges of a campaign say, by the studies behind ``gecval human``. Judges have numbers, not names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board.access import Viewer, sees_submission_scores
from gecval.board.database.models import Campaign, Item, Juror, Submission, SystemScore
from gecval.board.recent_cache import RecentCache
from gecval.board.submissions import load_scores
from gecval.errors import InputError
from gecval.formats.judgments import Judgment, Judgments, Placement
from gecval.studies.human.correlations import correct_over_metrics, correlate_metric
from gecval.studies.human.ranking import Ranking
from gecval.studies.human.result import HumanCorrelation, HumanResult
from gecval.studies.human.study import human
from gecval.studies.human.system_scores import SystemScores

MIN_SYSTEMS = 3  # of a correlation
_rankings: RecentCache[HumanResult] = RecentCache(16)


@dataclass(frozen=True, kw_only=True)
class CampaignResults:
    """Rankings and counts, or why there are none yet; and how far the leaderboard's metrics agree with the judges."""

    result: HumanResult | None
    why: str
    correlations: tuple[HumanCorrelation, ...]
    by_judge: tuple[tuple[str, int], ...]


def compute_results(session: Session, viewer: Viewer, campaign: Campaign) -> CampaignResults:
    judgments = load_judgments(session, campaign)
    counted = [judge for _, judge in list_answers(session, campaign)]
    by_judge = tuple((judge, counted.count(judge)) for judge in sorted(set(counted), key=lambda name: int(name[5:])))
    try:
        result = _rank(campaign.id, judgments)
    except InputError as error:
        return CampaignResults(result=None, why=str(error), correlations=(), by_judge=by_judge)
    agreement = tuple(_correlate(session, viewer, campaign, result.rankings))
    return CampaignResults(result=result, why="", correlations=agreement, by_judge=by_judge)


def list_answers(session: Session, campaign: Campaign) -> list[tuple[Item, str]]:
    """All answers with the number of their judge, oldest first."""
    rows = session.execute(
        select(Item, Juror.number)
        .join(Juror, (Juror.campaign_id == Item.campaign_id) & (Juror.user_id == Item.user_id))
        .where(Item.campaign_id == campaign.id, Item.answered.is_not(None))
        .order_by(Item.answered, Item.id)
    )
    return [(item, judge_name(number)) for item, number in rows]


def load_judgments(session: Session, campaign: Campaign) -> Judgments:
    """The rankings so far; sentences count from 0. Skipped items are left out."""
    return Judgments(
        campaign.name,
        tuple(
            Judgment(item.sentence, judge, tuple(Placement(tuple(group), rank) for group, rank in item.placements))
            for item, judge in list_ranked(session, campaign)
        ),
        first=0,
    )


def judge_name(number: int) -> str:
    return f"judge{number}"


def _rank(campaign_id: str, judgments: Judgments) -> HumanResult:
    if not judgments.items:
        raise InputError("nobody has ranked anything yet")
    return _rankings.get((campaign_id, judgments.items), lambda: human(judgments))


def _correlate(
    session: Session, viewer: Viewer, campaign: Campaign, rankings: tuple[Ranking, ...]
) -> list[HumanCorrelation]:
    """Each metric of the leaderboard against each ranking, where the viewer sees a score of every judged system."""
    scores = load_scores(session, campaign.version)
    of_label = {}
    for contestant in campaign.contestants:
        submission = session.get(Submission, contestant.submission_id) if contestant.submission_id else None
        if submission is not None and sees_submission_scores(viewer, submission, campaign.version_id):
            of_label[contestant.label] = scores.get(submission.id, {})
    found = []
    for ranking in rankings:
        labels = sorted(ranking.scores)
        for metric in campaign.version.metrics:
            rows = [of_label[label][metric] for label in labels if metric in of_label.get(label, {})]
            if len(rows) == len(labels) >= MIN_SYSTEMS:
                shown = [campaign.version.publish(row.score) for row in rows]
                found.append(correlate_metric(ranking, _system_scores(metric, tuple(labels), shown, rows[0]), 0))
    return correct_over_metrics(found)


def _system_scores(metric: str, labels: tuple[str, ...], shown: list[float], row: SystemScore) -> SystemScores:
    scores = np.array(shown)
    return SystemScores(
        metric=metric,
        systems=labels,
        scores=scores,
        rising=scores if row.higher_is_better else -scores,
        higher_is_better=row.higher_is_better,
        intervals=[None] * len(shown),
        signature=row.signature,
    )


# The judgments as JSON Lines, CSV and Appraise's XML. ``gecval human`` reads all three, and has the numbers of the page
# from each: which systems gave the same output, who ranked, how often.
#
# XML counts sentences from 0 as GJG15 does, the others from 1. Skipped sentences are left out.


Answers = Sequence[tuple[Item, str]]


def list_ranked(session: Session, campaign: Campaign) -> Answers:
    """The answers that rank something, oldest first."""
    return [(item, judge) for item, judge in list_answers(session, campaign) if item.ranks]


def write_jsonl(answers: Answers) -> str:
    return "".join(json.dumps(_describe_ranking(item, judge), ensure_ascii=False) + "\n" for item, judge in answers)


def _describe_ranking(item: Item, judge: str) -> dict[str, object]:
    ranks = {label: rank for group, rank in item.placements for label in group}
    equal = [group for group, _ in item.placements if len(group) > 1]
    return {"sentence": item.sentence + 1, "judge": judge, "ranks": ranks, **({"equal": equal} if equal else {})}


def list_csv_rows(answers: Answers) -> Iterator[list[object]]:
    """The header, then a row for each ranked system. Systems with the same ``output`` of an ``item`` wrote the same."""
    yield ["sentence", "judge", "item", "system", "rank", "output"]
    for item, judge in answers:
        for output, (group, rank) in enumerate(item.placements, start=1):
            yield from ([item.sentence + 1, judge, item.number, label, rank, output] for label in group)


def write_xml(answers: Answers) -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<appraise-results>", "<error-correction-ranking-result>"]
    for item, judge in answers:
        lines.append(f'<ranking-item id="{item.number}" src-id="{item.sentence}" user={quoteattr(judge)}>')
        lines += [
            f'  <translation rank="{rank}" system={quoteattr(" ".join(group))}/>' for group, rank in item.placements
        ]
        lines.append("</ranking-item>")
    return "\n".join([*lines, "</error-correction-ranking-result>", "</appraise-results>", ""])
