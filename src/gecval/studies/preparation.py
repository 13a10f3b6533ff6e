"""From text to score in one step: edits where a metric needs them and the references are plain text, and slow models
asked in one go."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.corpus import Corpus, System
from gecval.edits.annotate import Extractor, annotate
from gecval.metrics.base import Metric
from gecval.progress import Progress, silent


def prepare(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    extractor: Extractor | None = None,
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> list[Corpus]:
    """The corpus as each metric sees it; what cannot be scored is refused before anything slow begins.

    A metric that needs edits gets those of the references, found by its own extractor where it has one, as it looks at
    the edits of hypotheses too, else by ``extractor``. All others see what was loaded: no metric's score depends on
    which others are asked for. The outputs of all systems are extracted in the same go, so that sentences they share
    are parsed once.
    """
    for system in systems:
        corpus.system(system.name, system.hypotheses)
    without_edits = not corpus.has_edits()
    for metric in metrics:
        if not (metric.needs == "edits" and without_edits and (metric.extractor or extractor)):
            metric.check(corpus)
    annotated: dict[str, Corpus] = {}
    seen = []
    for metric in metrics:
        finder = metric.extractor or (extractor if metric.needs == "edits" and without_edits else None)
        if finder is not None and finder.signature not in annotated:
            outputs = systems if metric.extractor else ()
            annotated[finder.signature] = annotate(corpus, finder, systems=outputs, jobs=jobs, progress=progress)
        seen.append(annotated[finder.signature] if finder is not None else corpus)
    for metric, one in zip(metrics, seen, strict=True):
        metric.check(one)
        metric.prepare(one, systems, jobs=jobs, progress=progress)
    return seen
