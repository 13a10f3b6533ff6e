"""What users give a study: systems, metrics and extractors, as values or in the short forms that people type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from gecval.corpus import Corpus, System
from gecval.edits.extractors import Extractor, extractor
from gecval.errors import InputError
from gecval.metrics import metric
from gecval.metrics.base import Metric

Systems: TypeAlias = Iterable[System] | Mapping[str, Sequence[str]]
Metrics: TypeAlias = Iterable[Metric | str]
Edits: TypeAlias = Extractor | str | None  # None: the study chooses


def given_systems(systems: Systems, corpus: Corpus) -> list[System]:
    """Systems, from systems or from a mapping of names to outputs."""
    if isinstance(systems, Mapping):
        return [corpus.system(name, hypotheses) for name, hypotheses in systems.items()]
    listed = list(systems)
    for system in listed:
        if not isinstance(system, System):
            raise InputError(
                f"a system is given as {type(system).__name__}; give systems as corpus.system(name, outputs), "
                'or all of them as a dict: {"mine": [...]}'
            )
    return listed


def given_metrics(metrics: Metrics) -> list[Metric]:
    """Metrics, from metrics or their names.

    >>> given_metrics(["gleu(n=3)", "ld"])
    [gleu(n=3), ld]
    """
    if isinstance(metrics, str | Metric):
        raise InputError(f"metrics must be a list of metrics or names; write [{metrics!r}]")
    listed = [metric(item) if isinstance(item, str) else item for item in metrics]
    for item in listed:
        if not isinstance(item, Metric):
            raise InputError(f"{item!r} is neither a metric nor the name of one")
    return listed


def given_extractor(edits: Edits) -> Extractor | None:
    """An extractor, from one or its name. None stays None.

    >>> given_extractor("plain"), given_extractor(None)
    (PlainExtractor(), None)
    """
    return extractor(edits) if isinstance(edits, str) else edits
