"""How much of my systems' quality do my references hide? For a corpus of one's own, from its references alone."""

from __future__ import annotations

from pathlib import Path

from gecval.backends import check_backend
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.progress import Progress, silent
from gecval.stats import Resampling
from gecval.stats.coverage import coverage
from gecval.stats.reference_agreement import ReferenceAgreement
from gecval.studies.checkpoint import Checkpoint, Chunks
from gecval.studies.coverage.agreement import agreements, known_coverage
from gecval.studies.coverage.break_even import break_even_values
from gecval.studies.coverage.reference_chunks import ANSWERS, ReferenceChunks
from gecval.studies.coverage.results import ReferenceCoverage
from gecval.studies.inputs import Edits, Metrics, Systems, given_jobs, given_metrics, given_systems
from gecval.studies.oddities import oddities


def reference_coverage(
    corpus: Corpus,
    systems: Systems = (),
    metrics: Metrics = (),
    *,
    alpha: float = 0.0,
    confidence: bool = False,
    resampling: Resampling | None = None,
    extractor: Edits = None,
    jobs: int | None = None,
    checkpoint: Path | str | None = None,
    backend: str | None = None,
    progress: Progress = silent,
) -> ReferenceCoverage:
    """Say how much the references of a corpus cover, and what they hide from systems.

    Parameters
    ----------
    corpus
        Sources and references. Every sentence needs two references or more.
    systems
        Systems, or a mapping from a system's name to its list of outputs. They get their accuracy, corrected for
        coverage.
    metrics
        Score systems and people under these metrics: each annotator in turn against all others, and the systems
        against the same references. Every sentence needs the same number of annotators then.
    alpha
        The price of a wrong correction, for the break-even values.
    confidence
        Give the scores under ``metrics`` intervals too.
    resampling
        How intervals are computed.
    extractor
        Finds the edits of plain-text references for metrics that need them. By default ERRANT where it is installed
        and the text is English, else plain rules; a note says which.
    jobs
        Threads; by default as many as there are cores.
    checkpoint
        A file in which finished chunks are kept: a system's accuracy, all scores of a metric. A study that was
        interrupted goes on from there.
    backend
        Where chunks are computed: ``processes``, ``processes:8``, ``dask://host:port`` or ``ray://host:port``. The
        result is the same, bit for bit.

    Returns
    -------
    ReferenceCoverage
        It prints as tables.

    Examples
    --------
    >>> references = [["He goes home .", "He went home ."], ["Fine .", "Fine ."], ["I am .", "I am ."]]
    >>> corpus = Corpus.from_texts(["He go home .", "Fine .", "I is ."], references)
    >>> result = reference_coverage(corpus, {"mine": ["He go home .", "Fine .", "I am ."]})
    >>> result.references, result.unchanged, round(result.changed, 3)
    (2, 1.0, 0.75)
    >>> result.true_scores[0].accuracy < result.true_scores[0].true_accuracy
    True
    """
    listed, wanted = given_systems(systems, corpus, least=0), given_metrics(metrics, least=0)
    resampling = resampling or Resampling()
    if backend is not None:
        check_backend(backend)
    if wanted and not listed:
        raise InputError("metrics set systems beside people: give the systems' outputs too")
    agreed = agreements(corpus)
    together = ReferenceAgreement(agreed.unchanged.fingerprints + agreed.changed.fingerprints)
    covered, changed = float(coverage(together.histogram(), together.references)), known_coverage(agreed.changed)
    values = break_even_values(changed, alpha=alpha)
    chunks = ReferenceChunks(
        corpus=corpus,
        systems=listed,
        metrics={repr(metric): metric for metric in wanted},
        agreed=agreed,
        confidence=confidence,
        resampling=resampling,
        extractor=extractor,
        jobs=given_jobs(jobs) if backend is None else 1,
    )
    chunks.check()
    done = Checkpoint(checkpoint, signature=chunks.signature() if checkpoint else "", form=Chunks(ANSWERS))
    people, accuracies = chunks.computed(backend=backend, kept=done, progress=progress)
    odd = oddities(corpus, listed, wanted, words=bool(wanted))
    notes = [*(note for score in people for note in score.notes), *odd, *corpus.notes]
    return ReferenceCoverage(
        sentences=len(corpus),
        references=together.references,
        coverage=covered,
        range=together.bounds(together.references),
        changed=changed,
        unchanged=known_coverage(agreed.unchanged),
        to_halve=together.more_to_halve(covered),
        alpha=alpha,
        break_even=values,
        level=resampling.level,
        true_scores=tuple(accuracies),
        people=tuple(people),
        notes=tuple(dict.fromkeys(notes)),
    )
