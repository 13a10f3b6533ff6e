"""What a system's page shows: the submission that stands for it, tests against others, errors by type, sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from sqlalchemy import or_, select
from sqlalchemy.orm import Session, joinedload

from gecval.board.access import Viewer, sees_output, sees_scores, sees_submission, sees_submission_scores
from gecval.board.allowed_metrics import board_metric
from gecval.board.benchmark_data import VersionFiles, read_output, without_references
from gecval.board.benchmarks import takes_submissions
from gecval.board.clock import now
from gecval.board.database.models import (
    REFERENCE,
    Detail,
    Job,
    Rung,
    Submission,
    System,
    SystemScore,
    Version,
    live_submissions,
)
from gecval.board.database.storage import digest, read_file
from gecval.board.errors import NotFoundError
from gecval.board.public_scores import reveals
from gecval.board.recent_cache import RecentCache
from gecval.board.scoring import load_evaluation, load_system, unpack_statistics
from gecval.board.submissions import ScoresBySubmission, choose_standing, load_scores
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.results.signature import Signature
from gecval.stats import Interval, Resampling
from gecval.studies.compare.result import Comparison
from gecval.studies.scores.by_type import TypeScores
from gecval.studies.scores.passport import PassportEntry, check_own_metric, output_hash, passport_lines
from gecval.studies.scores.scored_system import compare_pair


def find_standing(viewer: Viewer, system: System, version: Version, scores: ScoresBySubmission) -> Submission | None:
    """The submission that stands for a system, of those whose scores this viewer may see."""
    mine = [
        row
        for row in system.submissions
        if row.live and row.id in scores and sees_submission_scores(viewer, row, version.id)
    ]
    if system.decoy:
        return next((row for row in mine if row.version_id == version.id), None)
    phases = [row.phase for row in mine if row.phase]
    if not phases:
        return None
    return next(iter(choose_standing(mine, max(phases, key=lambda phase: phase.opens), version, scores)), None)


def list_others(session: Session, viewer: Viewer, system: System, version: Version) -> list[System]:
    """The systems that a system can be tested against, by name. The reference is scored on other references."""
    if system.name == REFERENCE:
        return []
    scored = select(SystemScore.submission_id).where(SystemScore.version_id == version.id)
    rows = live_submissions(version.benchmark_id).where(Submission.id.in_(scored))
    rows = rows.where(System.id != system.id, System.name != REFERENCE)
    rows = rows.where(or_(Submission.version_id.is_(None), Submission.version_id == version.id))
    seen = [phase.id for phase in version.benchmark.phases if sees_scores(viewer, phase)]
    rows = rows.where(or_(Submission.phase_id.is_(None), Submission.phase_id.in_(seen)))
    climbed = select(Rung.submission_id).where(Rung.version_id == version.id)
    free = [phase.id for phase in version.benchmark.phases if phase.ladder is None]
    rows = rows.where(or_(Submission.phase_id.is_(None), Submission.phase_id.in_(free), Submission.id.in_(climbed)))
    found = select(System).where(System.id.in_(rows.with_only_columns(Submission.system_id)))
    listed = session.scalars(found.options(joinedload(System.team)))
    return sorted(listed, key=lambda row: (row.decoy is not None, row.name.casefold()))


def load_types(session: Session, viewer: Viewer, version: Version, submission: Submission) -> dict[str, Any] | None:
    """Scores by type of error as a study's JSON; counts by type reveal references, so hidden ones have none."""
    if not reveals(viewer, version):
        return None
    found = select(Detail.body).where(Detail.submission_id == submission.id, Detail.version_id == version.id)
    found = found.where(Detail.kind == TypeScores.kind).order_by(Detail.created.desc())
    body = session.scalars(found.limit(1)).first()
    return body and {**body, "types": sorted(body["types"], key=_frequency)}


def _frequency(row: dict[str, Any]) -> tuple[int, int, str]:
    """The most frequent type first: by the corrections of the references, then by those of the system."""
    return -(row["tp"] + row["fn"]), -(row["tp"] + row["fp"]), row["type"]


@dataclass(frozen=True, kw_only=True)
class ShownPair:
    """Two systems under a metric, as a viewer sees them. ``test`` is None where it would tell of hidden references."""

    metric: str
    baseline_score: float
    score: float
    difference: float
    test: Comparison | None


def compare(session: Session, viewer: Viewer, version: Version, baseline: System, system: System) -> list[ShownPair]:
    """Both systems under every metric.

    A paired test looks at single sentences. With hidden references, while submissions are taken, it would tell whoever
    changes one sentence at a time which changes are right; so it is shown later.
    """
    if REFERENCE in (baseline.name, system.name):
        raise InputError(
            f"{REFERENCE} is scored on fewer references than the others, so there is no paired test with it"
        )
    both = [row.id for one in (baseline, system) for row in one.submissions]
    scores = load_scores(session, version, both)
    pair = [find_standing(viewer, one, version, scores) for one in (baseline, system)]
    if pair[0] is None or pair[1] is None:
        raise NotFoundError("one of the systems has no scores here")
    open_to_all = reveals(viewer, version)
    tested = open_to_all or not takes_submissions(version.benchmark, now())
    pairs = []
    for metric in version.metrics:
        rows = [scores[row.id].get(metric) for row in pair if row]
        if rows[0] is None or rows[1] is None or rows[0].resampled is None or rows[1].resampled is None:
            continue
        test = None
        if tested:
            first, second = load_system(rows[0], version, baseline.name), load_system(rows[1], version, system.name)
            test = compare_pair(first, second, signature=Signature.parse(rows[1].signature))
            test = test if open_to_all else _round(test, version)
        scores_of_pair = [row.score if open_to_all else version.publish(row.score) for row in rows if row]
        difference = scores_of_pair[1] - scores_of_pair[0]
        pairs.append(
            ShownPair(
                metric=metric,
                baseline_score=scores_of_pair[0],
                score=scores_of_pair[1],
                difference=difference if open_to_all else round(difference, version.digits),
                test=test,
            )
        )
    return pairs


def _round(test: Comparison, version: Version) -> Comparison:
    """A test whose scores, difference and interval are those that everybody may see."""
    baseline_score, score = version.publish(test.baseline_score), version.publish(test.score)
    difference = round(score - baseline_score, version.digits)
    margin = version.publish_margin(*test.interval)
    return replace(
        test,
        baseline_score=baseline_score,
        score=score,
        difference=difference,
        interval=Interval(round(difference - margin, version.digits), round(difference + margin, version.digits)),
        **{name: round(getattr(test, name), 2) for name in ("p", "p_studentised", "p_bootstrap", "p_randomisation")},
    )


@dataclass(frozen=True, kw_only=True)
class ShownSentence:
    """A sentence as the explorer shows it; references and scores where these may be seen."""

    number: int
    source: str
    output: str
    references: tuple[str, ...]
    scores: dict[str, float]


def list_sentences(session: Session, viewer: Viewer, version: Version, system: System) -> list[ShownSentence]:
    """Every sentence of the submission that stands for a system."""
    scores = load_scores(session, version, [row.id for row in system.submissions])
    submission = find_standing(viewer, system, version, scores)
    if submission is None or not sees_submission(viewer, submission) or not sees_output(viewer, submission):
        raise NotFoundError("there are no sentences to show")
    seen = load_visible_corpus(session, viewer, version)
    written = read_output(seen, system.name, submission.file_name, read_file(session, submission.blob))
    of_sentences: dict[str, Sequence[float]] = {}
    if reveals(viewer, version) and system.name != REFERENCE:
        of_sentences = {
            row.metric: load_evaluation(row, version, system.name).sentence_scores().tolist()
            for row in scores[submission.id].values()
        }
    return [
        ShownSentence(
            number=number + 1,
            source=seen.sources[number],
            output=written.hypotheses[number],
            references=tuple(seen.texts_of(number)),
            scores={metric: listed[number] for metric, listed in of_sentences.items()},
        )
        for number in range(len(seen))
    ]


def find_reported(session: Session, viewer: Viewer, version: Version, listed: Sequence[System]) -> list[Submission]:
    """The submissions of the report page about some systems. It shows references and all scores.

    The reference itself has no such page: it is scored on other references than the rest.
    """
    if not reveals(viewer, version):
        raise NotFoundError("the references are hidden, so there is no report")
    scores = load_scores(session, version, [row.id for system in listed for row in system.submissions])
    rows = []
    for system in listed:
        submission = find_standing(viewer, system, version, scores)
        if submission is None or not sees_submission(viewer, submission) or system.name == REFERENCE:
            raise NotFoundError("there is no report on this system")
        rows.append(submission)
    return rows


def hash_scores(session: Session, version: Version, rows: Sequence[Submission]) -> str:
    """A hash of the scores of submissions. It changes when another gecval scores them again."""
    ids = select(SystemScore.id).where(SystemScore.submission_id.in_([row.id for row in rows]))
    return digest("\n".join(session.scalars(ids.where(SystemScore.version_id == version.id).order_by(SystemScore.id))))


def load_visible_corpus(session: Session, viewer: Viewer, version: Version) -> Corpus:
    """The sources, with the references that a viewer may see."""
    if reveals(viewer, version):
        return VersionFiles.load(session, version).corpus()
    public = VersionFiles.load(session, version, public_only=True)
    if public.source is None and not public.references:  # the source came with references, all of them hidden
        return without_references(VersionFiles.load(session, version).corpus())
    return public.corpus()


# The passport of a system's scores, from the stored statistics: ``gecval explain verify`` recomputes all of it.


_passports: RecentCache[bytes] = RecentCache(16)


def make_passport(session: Session, viewer: Viewer, version: Version, system: System) -> bytes:
    """The passport. It holds sentence scores, so whoever sees it may see the references."""
    [submission] = find_reported(session, viewer, version, [system])
    return _passports.get(
        (version.id, submission.id, hash_scores(session, version, [submission])),
        lambda: "".join(f"{line}\n" for line in _make_lines(session, version, submission)).encode(),
    )


def _make_lines(session: Session, version: Version, submission: Submission) -> Iterator[str]:
    rows = list(load_scores(session, version, [submission.id])[submission.id].values())
    scorers = {session.get_one(Job, row.job_id).software for row in rows}
    if len(scorers) > 1:
        raise NotFoundError("two versions of gecval made these scores; they have no passport")
    aggregate, name = cast(Aggregate, version.aggregate), submission.system.name
    corpus = without_references(VersionFiles.load(session, version).corpus())
    written = read_output(corpus, name, submission.file_name, read_file(session, submission.blob))
    entries = [
        PassportEntry(
            evaluation=Evaluation(
                check_own_metric(board_metric(row.metric)), unpack_statistics(row.statistics), aggregate, system=name
            ),
            signature=row.signature,
            output=output_hash(written),
        )
        for row in rows
    ]
    resampling = None
    if all(row.level is not None for row in rows):  # boards of before resampled in another way by default
        resampling = Resampling(method=Signature.parse(rows[0].signature).fields.get("interval", "auto"))
    return passport_lines(entries, aggregate=aggregate, resampling=resampling, made_by=scorers.pop())
