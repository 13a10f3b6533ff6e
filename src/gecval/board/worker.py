"""A worker: it takes jobs from the queue, scores them, and shows signs of life meanwhile.

It stops in good order on SIGTERM: the job that it works on goes back to the queue, and the try does not count.
"""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections import OrderedDict
from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from gecval.board import blobs, decoys, ladder, queue, retention
from gecval.board.data import Files, output
from gecval.board.database.models import Detail, Submission, SystemScore, Version
from gecval.board.database.session import Database
from gecval.board.leaderboard import prepare_rankings
from gecval.board.scoring import Kept, score_system, types_of
from gecval.board.settings import Settings
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.stats import Resampling
from gecval.studies.scores.type_results import TypeScores

log = logging.getLogger("gecval.board.worker")
VERSIONS = 4  # whose corpora are held in memory
BEATS = 4  # signs of life in the time of a lease


@dataclass
class Worker:
    """Scores jobs one after the other. ``jobs`` is the number of threads of a kernel."""

    database: Database
    settings: Settings
    jobs: int = 1
    stopping: threading.Event = field(default_factory=threading.Event)
    _corpora: OrderedDict[str, Corpus] = field(default_factory=OrderedDict)

    def run(self) -> None:
        """Work until somebody sets ``stopping``."""
        while not self.stopping.is_set():
            try:
                worked = self.work()
            except Exception:  # the database may be restarting: its rows are all that counts, so ask again
                log.exception("the queue cannot be asked")
                worked = False
            if not worked:
                retention.now_and_then(self.database, self.settings)
                self.stopping.wait(self.settings.poll)

    def work(self) -> bool:
        """Take one job and score it. False where there is none."""
        held = queue.claim(self.database, lease=self.settings.lease, tries=self.settings.tries)
        if held is None:
            return False
        log.info("claimed", extra={"job": held.job_id, "try": held.tries})
        over = threading.Event()
        beating = threading.Thread(target=self._beat, args=(held, over), daemon=True)
        beating.start()
        try:
            kept, types = self._score(held)
            if self.stopping.is_set():
                queue.release(self.database, held)
            elif queue.finish(self.database, held, lambda session: write_scores(session, held, kept, types)):
                log.info("scored", extra={"job": held.job_id})
                self._prepare_rankings(held.version_id)
        except InputError as error:
            queue.fail(self.database, held, str(error), tries=self.settings.tries, for_good=True)
            log.warning("refused", extra={"job": held.job_id, "why": str(error)})
        except Exception as error:
            shown = "".join(traceback.format_exception_only(error)).strip()
            queue.fail(self.database, held, shown, tries=self.settings.tries)
            log.exception("failed", extra={"job": held.job_id})
        finally:
            over.set()
            beating.join()
        return True

    def _prepare_rankings(self, version_id: str) -> None:
        """The scores stand, whatever happens here: a reader can compute a ranking too."""
        try:
            prepare_rankings(self.database, version_id)
        except Exception:
            log.exception("no ranking", extra={"version": version_id})

    def _score(self, held: queue.Claim) -> tuple[list[Kept], TypeScores | None]:
        with self.database.read() as session:
            version = session.get_one(Version, held.version_id)
            submission = session.get_one(Submission, held.submission_id)
            corpus = decoys.judged_by(submission.system.name, self._corpus(session, version))
            content = blobs.content(session, submission.blob)
            name, file, spec = submission.system.name, submission.file_name, version
        system = output(corpus, name, file, content)
        kept = score_system(
            corpus,
            system,
            spec.metrics,
            aggregate=spec.aggregate,
            edits=spec.edits,
            resampling=Resampling(),
            jobs=self.jobs,
        )
        return kept, types_of(corpus, system, spec.metrics, edits=spec.edits, jobs=self.jobs)

    def _corpus(self, session: Session, version: Version) -> Corpus:
        """The corpus of a version, with all that metrics have derived from it; the last few are held."""
        if version.id not in self._corpora:
            self._corpora[version.id] = Files.of(session, version).corpus()
        self._corpora.move_to_end(version.id)
        while len(self._corpora) > VERSIONS:
            self._corpora.popitem(last=False)
        return self._corpora[version.id]

    def _beat(self, held: queue.Claim, over: threading.Event) -> None:
        """Signs of life. When asked to stop, the job goes back at once: the process may be killed while it scores."""
        pause = self.settings.lease / BEATS
        due = time.monotonic() + pause
        while not over.wait(min(pause, 0.5)):
            try:
                if self.stopping.is_set():
                    queue.release(self.database, held)
                    return
                if time.monotonic() >= due:
                    if not queue.heartbeat(self.database, held, lease=self.settings.lease):
                        return
                    due = time.monotonic() + pause
            except Exception:
                log.exception("no sign of life could be given")


def write_scores(session: Session, held: queue.Claim, kept: list[Kept], types: TypeScores | None = None) -> None:
    """The scores of a job, in the transaction that marks it done."""
    for row in kept:
        score = row.score
        session.add(
            SystemScore(
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
                statistics=row.statistics,
                resampled=row.resampled,
            )
        )
    if types is not None:
        session.add(
            Detail(
                job_id=held.job_id,
                submission_id=held.submission_id,
                version_id=held.version_id,
                kind=types.kind,
                body=types.to_dict(),
            )
        )
    ladder.decide(session, held.job_id, held.submission_id, held.version_id)
