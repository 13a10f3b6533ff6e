"""Decoys: outputs that correct nothing, or a reference itself, on every leaderboard: they show what a metric pays for.

The source, one constant sentence and the source with its words shuffled are made by ``studies.attacks``. The reference
is the first of each sentence, scored against the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board import blobs, queue
from gecval.board.database.models import Benchmark, Submission, System, Version
from gecval.board.software import SOFTWARE
from gecval.corpus import Corpus
from gecval.studies.attacks.adversaries import ADVERSARIES

REFERENCE = "(reference)"
SEED = 1
_MADE = {f"({adversary.name})": adversary for adversary in ADVERSARIES}
ABOUT = {
    "(source)": "the source as it is",
    REFERENCE: "the first reference, scored against the others",
    "(constant)": _MADE["(constant)"].about,
    "(shuffled)": _MADE["(shuffled)"].about,
}
NAMES = tuple(ABOUT)


def make(session: Session, benchmark: Benchmark, version: Version, corpus: Corpus, names: Sequence[str]) -> None:
    """The decoys of a version, queued like any submission."""
    for name in names:
        outputs = texts(name, corpus)
        if outputs is None:
            continue
        system = session.scalar(select(System).where(System.benchmark_id == benchmark.id, System.name == name))
        if system is None:
            system = System(benchmark_id=benchmark.id, name=name, decoy=ABOUT[name])
            session.add(system)
            session.flush()
        submission = Submission(
            system_id=system.id,
            version_id=version.id,
            file_name=f"{name.strip('()')}.txt",
            blob=blobs.keep(session, "".join(f"{text}\n" for text in outputs).encode("utf-8")),
        )
        session.add(submission)
        session.flush()
        queue.enqueue(session, submission.id, version.id, SOFTWARE)


def texts(name: str, corpus: Corpus) -> Sequence[str] | None:
    """The outputs of a decoy; None where it cannot be made."""
    if name == REFERENCE:
        if int(np.diff(corpus.reference_slots).min()) < 2:
            return None
        return [corpus.texts_of(number)[0] for number in range(len(corpus))]
    return _MADE[name].make(corpus, np.random.default_rng(SEED))


def judged_by(name: str, corpus: Corpus) -> Corpus:
    """The corpus that a decoy is scored on: for the reference, the other references."""
    if name != REFERENCE:
        return corpus
    return replace(corpus, references=[list(listed[1:]) for listed in corpus.references], clusters=None)
