"""How many corrections does a sentence have, and how many references are enough? From the corrections of a crowd.

corrections ──► UnseenEst ──► histograms ──┬─► how many corrections there are (Tables 1 and 4)
     │                                     └─► coverage of 1, 2, … references (Figure 1a)
     └─► simulated test sets ──► a perfect system's score under any metric (Figures 1b and 1c)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from gecval.backends import check_backend
from gecval.errors import InputError
from gecval.formats.corrections import Corrections, is_histogram, read_corrections
from gecval.progress import Progress, silent
from gecval.stats import Interval, Resampling
from gecval.stats.unseen import Histogram
from gecval.studies.checkpoint import Checkpoint, Chunks
from gecval.studies.coverage.crowd_chunks import ANSWERS, CrowdChunks
from gecval.studies.coverage.perfect_system import Simulation
from gecval.studies.coverage.results import CrowdCoverage, CrowdSummary, SimulatedTestSet
from gecval.studies.coverage.variants import (
    Unit,
    VariantEstimate,
    check_corrections,
    coverage_curve,
    published_histogram,
    thresholds,
    without_unchanged,
)
from gecval.studies.inputs import Metrics, given_jobs, given_metrics

MOST_REFERENCES = 1000

Crowd: TypeAlias = Mapping[str, Sequence[str]] | Sequence[Corrections] | Sequence[Histogram]


def crowd_coverage(
    crowd: Crowd,
    metrics: Metrics = (),
    *,
    most_references: int = 20,
    unit: Unit = "exact",
    drop_unchanged: int | None = None,
    sentences: int = 1312,
    correct: int = 136,
    replacement: bool = True,
    resampling: Resampling | None = None,
    jobs: int | None = None,
    checkpoint: Path | str | None = None,
    backend: str | None = None,
    progress: Progress = silent,
) -> CrowdCoverage:
    """Say how many corrections sentences have, and how much of them M references cover.

    Parameters
    ----------
    crowd
        What many people made of a few sentences: a dict from each source to the list of its corrections, or what
        ``load_crowd`` reads from files.
    metrics
        Also score a perfect system under these metrics, on a simulated test set.
    most_references
        Coverage is computed for 1, 2, … so many references.
    unit
        What makes two corrections equal: ``exact`` compares their words, ``index`` which source words they change.
    drop_unchanged
        Leave out sentences that so many people, or more, left unchanged.
    sentences, correct
        The size of the simulated test set, and how many of its sentences need no correction. The defaults are those of
        the CoNLL-2014 test set.
    replacement
        False draws each person's correction once at most.
    resampling
        How intervals are computed. Its seed also draws the simulated test set.
    jobs
        Threads; by default as many as there are cores.
    checkpoint
        A file in which finished chunks are kept: the estimate of a sentence, a score. A study that was interrupted goes
        on from there.
    backend
        Where chunks are computed: ``processes``, ``processes:8``, ``dask://host:port`` or ``ray://host:port``. The
        result is the same, bit for bit.

    Returns
    -------
    CrowdCoverage
        It prints as tables.

    Examples
    --------
    >>> goes = ["He goes home .", "He goes home .", "He went home .", "He is going home ."]
    >>> likes = ["She likes it .", "She likes it .", "She likes it .", "She liked it ."]
    >>> result = crowd_coverage({"He go home .": goes, "She like it .": likes}, most_references=2)
    >>> [round(point.observed, 3) for point in result.curve]
    [0.333, 0.542]
    """
    if not 1 <= most_references <= MOST_REFERENCES:
        raise InputError(
            f"most_references must lie between 1 and {MOST_REFERENCES}, not {most_references}",
            parameter="most_references",
        )
    wanted, resampling = given_metrics(metrics, least=0), resampling or Resampling()
    if backend is not None:
        check_backend(backend)
    corrections, histograms = _given(crowd)
    if histograms:
        if wanted:
            raise InputError("histograms have no texts to score: give the corrections, or no metrics")
        return CrowdCoverage(
            sentences=len(histograms),
            thresholds=tuple(thresholds(histograms)),
            curve=tuple(coverage_curve(histograms, most_references, resampling=resampling)),
            level=resampling.level,
        )
    kept = corrections if drop_unchanged is None else without_unchanged(corrections, drop_unchanged)
    dropped = len(corrections) - len(kept)
    people = f"{drop_unchanged} {'person' if drop_unchanged == 1 else 'people'} or more left them unchanged"
    if not kept:
        raise InputError(f"no sentence is left: {people}", parameter="drop_unchanged")
    simulation = None
    if wanted:  # what cannot be drawn is refused before the long work
        simulation = Simulation(
            corrections=kept,
            sentences=sentences,
            correct=correct,
            most_references=most_references,
            replacement=replacement,
            seed=resampling.seed,
        )
    for sentence in kept:
        check_corrections(sentence)
    chunks = CrowdChunks(
        corrections=kept,
        unit=unit,
        simulation=simulation,
        metrics={repr(metric): metric for metric in wanted},
        resampling=resampling,
        jobs=given_jobs(jobs) if backend is None else 1,
    )
    done = Checkpoint(checkpoint, signature=chunks.signature() if checkpoint else "", form=Chunks(ANSWERS))
    answers = chunks.computed(most_references, backend=backend, kept=done, progress=progress)
    estimates = [next(answers) for _ in kept]
    scores = tuple(answers)
    histograms = [sentence.histogram for sentence in estimates]
    counts = [sentence.counts for sentence in estimates]
    return CrowdCoverage(
        sentences=len(kept),
        unit=unit,
        summary=_summary(estimates),
        estimates=tuple(replace(sentence, histogram=sentence.histogram.sparse()) for sentence in estimates),
        thresholds=tuple(thresholds(histograms)),
        curve=tuple(coverage_curve(histograms, most_references, counts=counts, resampling=resampling)),
        level=resampling.level,
        test_set=_test_set(simulation) if simulation else None,
        scores=scores,
        notes=(f"{dropped} of {len(corrections)} sentences are left out: {people}",) if dropped else (),
    )


def load_crowd(paths: Sequence[Path]) -> list[Corrections] | list[Histogram]:
    """Read crowd corrections, or histograms of them, from files.

    A table of corrections has the columns ``source`` and ``correction``, and many rows for each source.
    """
    if not paths:
        raise InputError("there is no file of corrections or histograms")
    histograms = [is_histogram(path) for path in paths]
    if all(histograms):
        return [published_histogram(path) for path in paths]
    if any(histograms):
        histogram, table = paths[histograms.index(True)], paths[histograms.index(False)]
        raise InputError(f"{histogram} is a histogram, {table} is not: give histograms alone, or corrections alone")
    return [sentence for path in paths for sentence in read_corrections(path)]


def _given(crowd: Crowd) -> tuple[list[Corrections], list[Histogram]]:
    """The corrections or the histograms that a user gave; the other list is empty."""
    if isinstance(crowd, Mapping):
        return [Corrections(source, tuple(texts)) for source, texts in crowd.items()], []
    corrections = [item for item in crowd if isinstance(item, Corrections)]
    histograms = [item for item in crowd if isinstance(item, Histogram)]
    if not crowd or max(len(corrections), len(histograms)) < len(crowd):
        raise InputError("give a dict from each source to its corrections, or what load_crowd returns")
    return corrections, histograms


def _summary(estimates: Sequence[VariantEstimate]) -> CrowdSummary:
    return CrowdSummary(
        corrections=float(np.mean([sum(sentence.counts) for sentence in estimates])),
        different=float(np.mean([len(sentence.counts) for sentence in estimates])),
        variants=Interval(*np.mean([sentence.range for sentence in estimates], axis=0).tolist()),
    )


def _test_set(simulation: Simulation) -> SimulatedTestSet:
    return SimulatedTestSet(
        sentences=simulation.sentences,
        correct=simulation.correct,
        replacement=simulation.replacement,
        seed=simulation.seed,
    )
