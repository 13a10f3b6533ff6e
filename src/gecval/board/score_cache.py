"""What leaderboards need of scores, cached in a process: scores are added and removed, but they never change."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from threading import Lock

from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board.access import Viewer
from gecval.board.database.models import Submission, SystemScore, Version
from gecval.board.public_scores import PublicScore, check_seen, publish_score, reveals
from gecval.board.recent_cache import RecentCache
from gecval.board.submissions import ScoresBySubmission

VERSIONS = 8  # whose scores are cached
PUBLIC_SCORES = 20_000
RANKINGS = 64
FEW = 200  # scores that are read one by one; where more are missing, all of the version are read
RankingBody = dict[str, dict[str, list[int]]]


class ScoreCache:
    """The scores of the last few versions, and what viewers see of them.

    Which scores there are is read from the database each time, and ``access`` is asked each time who sees them.
    """

    def __init__(self) -> None:
        self._versions: OrderedDict[str, dict[str, SystemScore]] = OrderedDict()  # by the id of a score
        self._lock = Lock()
        self._public: RecentCache[PublicScore] = RecentCache(PUBLIC_SCORES)
        self._rankings: RecentCache[RankingBody] = RecentCache(RANKINGS)

    def load_scores(self, session: Session, version: Version) -> ScoresBySubmission:
        """The latest score of every submission under every metric of a version, without its statistics."""
        wanted = select(SystemScore.id, SystemScore.submission_id, SystemScore.metric)
        wanted = wanted.where(SystemScore.version_id == version.id).order_by(SystemScore.created, SystemScore.id)
        listed = session.execute(wanted).all()
        rows = self._versions.get(version.id, {})
        missing = [score_id for score_id, _, _ in listed if score_id not in rows]
        if missing:
            few = SystemScore.id.in_(missing) if len(missing) <= FEW else SystemScore.version_id == version.id
            read = {row.id: row for row in session.scalars(select(SystemScore).where(few))}
            for row in read.values():
                session.expunge(row)  # it is shared by requests, so it belongs to no session
            found = {**rows, **read}
            rows = {score_id: found[score_id] for score_id, _, _ in listed if score_id in found}
            with self._lock:
                self._versions[version.id] = rows
                self._versions.move_to_end(version.id)
                while len(self._versions) > VERSIONS:
                    self._versions.popitem(last=False)
        scores: ScoresBySubmission = defaultdict(dict)
        for score_id, submission_id, metric in listed:
            if score_id in rows:  # else it was removed a moment ago
                scores[submission_id][metric] = rows[score_id]
        return dict(scores)

    def make_public(self, viewer: Viewer, version: Version, submission: Submission, row: SystemScore) -> PublicScore:
        """What ``public_scores.make_public`` gives."""
        check_seen(viewer, submission, row)
        revealed = reveals(viewer, version)
        key = (row.id, revealed, submission.file_name, submission.system.name)
        return self._public.get(key, lambda: publish_score(version, submission, row, revealed=revealed))

    def find_ranking(self, key: str, compute: Callable[[], RankingBody]) -> RankingBody:
        """A ranking that no worker has stored yet."""
        return self._rankings.get(key, compute)
