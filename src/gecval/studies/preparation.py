"""Edits where a metric needs them and the references are plain text: from text to score in one step."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.corpus import Corpus, System
from gecval.edits.annotate import Extractor, annotate
from gecval.metrics.base import Metric
from gecval.progress import Progress, silent


def with_edits(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    extractor: Extractor | None = None,
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> Corpus:
    """The corpus with edits of its references if one of the metrics needs them and they are missing.

    A metric that also looks at the edits of hypotheses brings its own extractor; references are then extracted by the
    same, and the outputs of all systems in the same go, so that sentences they share are parsed once.
    """
    looking = [metric.extractor for metric in metrics if metric.extractor is not None]
    chosen = looking[0] if looking else extractor
    missing = any(metric.needs == "edits" for metric in metrics) and not corpus.has_edits()
    if chosen is None or not (missing or looking):
        return corpus
    return annotate(corpus, chosen, systems=systems if looking else (), jobs=jobs, progress=progress)
