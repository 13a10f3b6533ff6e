"""Sentences at the edge of what a metric may meet, each scored alone."""

from __future__ import annotations

from math import nan
from typing import NamedTuple

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.studies.inputs import Edits
from gecval.studies.preparation import prepare
from gecval.studies.validate.results import EdgeCase


class Edge(NamedTuple):
    name: str
    source: str
    hypothesis: str
    reference: str


EDGES = (
    Edge("all right", "She like apples .", "She likes apples .", "She likes apples ."),
    Edge("unchanged, rightly", "She likes apples .", "She likes apples .", "She likes apples ."),
    Edge("unchanged, wrongly", "She like apples .", "She like apples .", "She likes apples ."),
    Edge("changed, wrongly", "She likes apples .", "She like apples .", "She likes apples ."),
    Edge("empty output", "She like apples .", "", "She likes apples ."),
    Edge("all empty", "", "", ""),
    Edge("one word, right", "Helo", "Hello", "Hello"),
    Edge("one word, unchanged", "Hello", "Hello", "Hello"),
    Edge("one word, wrong", "Hello", "Helo", "Hello"),
)


def edge_case(metric: Metric, edge: Edge, *, extractor: Edits = None) -> EdgeCase:
    """The score of one sentence as a corpus of its own; NaN where the metric gives none.

    >>> from gecval.metrics import metric
    >>> [edge_case(metric("accuracy"), edge).score for edge in EDGES]
    [1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0]
    """
    corpus = Corpus.from_texts([edge.source], [[edge.reference]])
    system = corpus.system("output", [edge.hypothesis])
    failed = None
    try:
        [prepared] = prepare(corpus, [system], [metric], extractor=extractor)
        score = Evaluation.of(metric, prepared, system).score()
    except InputError as error:
        score, failed = nan, str(error)
    return EdgeCase(**edge._asdict(), score=score, failed=failed)
