"""What users give a study: systems, metrics and extractors, as values or in the short forms that people type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.edits.extractors import Extractor, extractor
from gecval.errors import InputError
from gecval.metrics import metric
from gecval.metrics.base import Metric
from gecval.spelling import split_spellings

Systems: TypeAlias = Iterable[System] | Mapping[str, Sequence[str]]
Metrics: TypeAlias = Iterable[Metric | str]
Edits: TypeAlias = Extractor | str | None  # None: the study chooses


def given_systems(systems: Systems | System, corpus: Corpus, *, least: int = 1) -> list[System]:
    """Systems, from one or several, or from a mapping of names to outputs; ``least`` says how many it must be."""
    if isinstance(systems, Mapping):
        listed = [corpus.system(name, hypotheses) for name, hypotheses in systems.items()]
    else:
        listed = [systems] if isinstance(systems, System) else list(systems)
    if len(listed) < least:
        raise InputError("no systems are given", parameter="systems")
    for system in listed:
        if not isinstance(system, System):
            raise InputError(
                f"a system is given as {type(system).__name__}; give systems as corpus.system(name, outputs), "
                'or all of them as a dict: {"mine": [...]}'
            )
    if corpus.tokenize:  # a system may have been made without this corpus
        return [
            corpus.system(s.name, s.hypotheses, notes=s.notes, edits=s.edits, realigned=s.realigned) for s in listed
        ]
    return listed


def given_metrics(metrics: Metrics, *, least: int = 1) -> list[Metric]:
    """Metrics, from metrics or their names; ``least`` says how many it must be.

    >>> given_metrics(["gleu(n=3)", "ld"])
    [gleu(n=3), ld]
    """
    if isinstance(metrics, str | Metric):
        names = split_spellings(metrics) if isinstance(metrics, str) else [metrics]
        raise InputError(f"metrics must be a list of metrics or names; write {names!r}", parameter="metrics")
    listed = [metric(item) if isinstance(item, str) else item for item in metrics]
    if len(listed) < least:
        raise InputError("no metrics are given", parameter="metrics")
    for item in listed:
        if not isinstance(item, Metric):
            raise InputError(f"{item!r} is neither a metric nor the name of one")
    return listed


def given_jobs(jobs: int | None) -> int:
    """How many threads to use: by default as many as there are cores."""
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1):
        raise InputError(f"jobs is a number from 1, not {jobs!r}", parameter="jobs")
    return jobs or cores()


def given_extractor(edits: Edits) -> Extractor | None:
    """An extractor, from one or its name. None stays None.

    >>> given_extractor("plain"), given_extractor(None)
    (PlainExtractor(), None)
    """
    return extractor(edits) if isinstance(edits, str) else edits
