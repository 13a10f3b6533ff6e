"""A worker: it takes jobs from the queue, scores them, and shows signs of life meanwhile.

It stops in good order on SIGTERM: the job that it works on goes back to the queue, and the try does not count.
"""

from __future__ import annotations

import logging
import os
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.orm import Session

from gecval.board import benchmark_data, queue, retention
from gecval.board.benchmark_data import VersionFiles, read_output
from gecval.board.database.models import Detail, Submission, SystemScore, Version
from gecval.board.database.session import UNREACHABLE, Database, Result, next_pause, retry_database
from gecval.board.database.storage import read_file
from gecval.board.leaderboard import prepare_rankings
from gecval.board.public_scores import decide_ladder
from gecval.board.recent_cache import RecentCache
from gecval.board.score_cache import ScoreCache
from gecval.board.scoring import StoredScore, score_system, score_types
from gecval.board.settings import Settings
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.studies.scores.by_type import TypeScores

log = logging.getLogger("gecval.board.worker")
VERSIONS = 4  # whose corpora are held in memory
TOO_LONG = (
    "Scoring took longer than {minutes:g} minutes and was stopped. Look for very long lines in the output. This does "
    "not count against your limit."
)
BEATS = 4  # signs of life in the time of a lease


@dataclass
class Worker:
    """Scores jobs one after the other. ``jobs`` is the number of threads of a kernel.

    ``restart`` begins the process from the start: a kernel can be stopped in no other way, and memory is free again.
    """

    database: Database
    settings: Settings
    jobs: int = 1
    stopping: threading.Event = field(default_factory=threading.Event)
    restart: Callable[[], None] = lambda: None
    _first_memory: int = 0  # after the first job
    _unranked: set[str] = field(default_factory=set)  # versions whose rankings were left to a job that waited
    _corpora: RecentCache[Corpus] = field(default_factory=lambda: RecentCache(VERSIONS))
    _cache: ScoreCache = field(default_factory=ScoreCache)

    def run(self) -> None:
        """Work until somebody sets ``stopping``."""
        pause = self.settings.poll
        while not self.stopping.is_set():
            try:
                if self.work():
                    self._bound_memory()
                else:
                    retention.forget_hourly(self.database, self.settings)
                    self.stopping.wait(self.settings.poll)
                pause = self.settings.poll
            except Exception:  # the database may be restarting: its rows are all that counts, so ask again
                log.exception("the queue cannot be asked")
                self.stopping.wait(pause)
                pause = next_pause(pause)

    def work(self) -> bool:
        """Take one job and score it. False where there is none."""
        held = queue.claim(self.database, lease=self.settings.lease, tries=self.settings.tries)
        if held is None:
            for version_id in list(self._unranked):  # the job that others left it to failed elsewhere, or was cancelled
                self._prepare_rankings(version_id)
            return False
        log.info("claimed", extra={"job": held.job_id, "try": held.tries})
        over = threading.Event()
        beating = threading.Thread(target=self._beat, args=(held, over), daemon=True)
        beating.start()
        try:
            self._score_and_write(held)
        except InputError as error:
            log.warning("refused", extra={"job": held.job_id, "why": str(error)})
            self._fail(held, str(error), for_good=True)
        except UNREACHABLE:  # for longer than the lease: another worker may have the job by now, or takes it later
            raise
        except Exception as error:
            log.exception("failed", extra={"job": held.job_id})
            self._fail(held, "".join(traceback.format_exception_only(error)).strip())
        finally:
            over.set()
            beating.join()
        return True

    def _score_and_write(self, held: queue.Claim) -> None:
        scores, types = self._retry(lambda: self._score(held))
        if self.stopping.is_set():
            queue.release(self.database, held)
            return
        self._prepare_rankings(held.version_id, [make_row(held, score) for score in scores])
        if self._retry(
            lambda: queue.finish(self.database, held, lambda session: write_scores(session, held, scores, types))
        ):
            log.info("scored", extra={"job": held.job_id})
            self._prepare_rankings(held.version_id)  # it may have climbed a Ladder, or another worker wrote scores too

    def _bound_memory(self) -> None:
        """Metrics cache what they derive from texts, and libraries never give all of their memory back."""
        memory = resident_bytes()
        self._first_memory = self._first_memory or memory
        if memory - self._first_memory > self.settings.worker_growth:
            log.info("starts again", extra={"memory": memory})
            self.restart()

    def _fail(self, held: queue.Claim, why: str, *, for_good: bool = False) -> None:
        tries, pause = self.settings.tries, self.settings.pause
        self._retry(lambda: queue.fail(self.database, held, why, tries=tries, pause=pause, for_good=for_good))
        self._prepare_rankings(held.version_id)  # others may have left it to this job

    def _retry(self, action: Callable[[], Result]) -> Result:
        """A database that is restarted costs nothing, as long as the lease holds."""
        return retry_database(action, seconds=self.settings.lease, stopping=self.stopping)

    def _prepare_rankings(self, version_id: str, coming: Sequence[SystemScore] = ()) -> None:
        """The rankings of a version, with the scores that are written next, so that no reader has to compute them.

        The scores stand, whatever happens here: a reader can compute a ranking too.

        Each score changes the rankings. So while more jobs of the version wait, the last of them computes these.
        """
        try:
            with self.database.read() as session:
                if queue.has_queued(session, version_id):
                    self._unranked.add(version_id)
                    return
            self._unranked.discard(version_id)
            prepare_rankings(self.database, version_id, coming, self._cache)
        except Exception:
            log.exception("no ranking", extra={"version": version_id})

    def _score(self, held: queue.Claim) -> tuple[list[StoredScore], TypeScores | None]:
        with self.database.read() as session:
            version = session.get_one(Version, held.version_id)
            submission = session.get_one(Submission, held.submission_id)
            corpus = benchmark_data.corpus_for(submission.system.name, self._corpus(session, version))
            content = read_file(session, submission.blob)
            name, file = submission.system.name, submission.file_name
        system = read_output(corpus, name, file, content)
        run = Run(jobs=self.jobs)
        scores = score_system(
            corpus,
            system,
            version.metrics,
            aggregate=version.aggregate,
            edits=version.edits,
            resampling=Resampling(),
            run=run,
        )
        return scores, score_types(corpus, system, version.metrics, edits=version.edits, run=run)

    def _corpus(self, session: Session, version: Version) -> Corpus:
        """The corpus of a version, with all that metrics have derived from it; the last few are held."""
        return self._corpora.get(version.id, lambda: VersionFiles.load(session, version).corpus())

    def _beat(self, held: queue.Claim, over: threading.Event) -> None:
        """Signs of life. When asked to stop, the job goes back at once: the process may be killed while it scores."""
        pause = self.settings.lease / BEATS
        start = time.monotonic()
        due, end = start + pause, start + 60 * self.settings.job_minutes
        while not over.wait(min(pause, 0.5)):
            try:
                if self.stopping.is_set():
                    queue.release(self.database, held)
                    return
                moment = time.monotonic()
                if moment >= end:
                    log.error("stopped: it takes too long", extra={"job": held.job_id})
                    why = TOO_LONG.format(minutes=self.settings.job_minutes)
                    if queue.fail(self.database, held, why, tries=self.settings.tries, for_good=True):
                        self._prepare_rankings(held.version_id)
                        self.restart()
                    return
                if moment >= due:
                    if not queue.heartbeat(self.database, held, lease=self.settings.lease):
                        return
                    due = time.monotonic() + pause
            except Exception:
                log.exception("no sign of life could be given")


def resident_bytes() -> int:
    """The memory of this process; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def write_scores(
    session: Session, held: queue.Claim, scores: list[StoredScore], types: TypeScores | None = None
) -> None:
    """The scores of a job, in the transaction that marks it done."""
    session.add_all(make_row(held, score) for score in scores)
    job = {"job_id": held.job_id, "submission_id": held.submission_id, "version_id": held.version_id}
    if types is not None:
        session.add(Detail(**job, kind=types.kind, body=types.to_dict()))
    decide_ladder(session, **job)


def make_row(held: queue.Claim, stored: StoredScore) -> SystemScore:
    """A score as it is written."""
    score = stored.score
    return SystemScore(
        id=stored.id,
        job_id=held.job_id,
        submission_id=held.submission_id,
        version_id=held.version_id,
        metric=score.metric,
        score=score.score,
        low=score.interval.low if score.interval else None,
        high=score.interval.high if score.interval else None,
        level=score.level,
        parts=dict(score.parts),
        higher_is_better=score.higher_is_better,
        signature=score.signature,
        notes=list(score.notes),
        statistics=stored.statistics,
        resampled=stored.resampled,
    )
