"""The sentences that decide between systems, for the few pairs that a reader looks at first.

To find a smallest set takes many scorings. So the number of pairs is bounded, the more so the longer the corpus is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from gecval.metrics.evaluation import Evaluation
from gecval.metrics.rules import Sampled
from gecval.stats.deciding import deciding_set
from gecval.stats.influence import influences
from gecval.stats.resampling import Array
from gecval.studies.scores.deciding_results import DecidingPair

FEW, SOME = 300, 2000  # sentences up to which ten pairs are looked at, and two
TOO_MANY_DRAWS = 3000  # sentences from which a metric that draws references takes minutes


def default_pairs(sentences: int) -> int:
    """For how many pairs to look under each metric.

    >>> default_pairs(72), default_pairs(1312), default_pairs(5000)
    (10, 2, 1)
    """
    return 10 if sentences <= FEW else 2 if sentences <= SOME else 1


def decisions(
    evaluations: Sequence[Evaluation], ranks: Sequence[int], most: int
) -> Iterator[tuple[DecidingPair, Array]]:
    """Pairs under one metric, each with the influence of every sentence on the lead of the better system.

    ``evaluations`` are in the order of the report; ``ranks`` lists their places from best to worst under this metric.
    """
    if isinstance(evaluations[0].metric.rule, Sampled) and len(evaluations[0]) > TOO_MANY_DRAWS:
        return
    for better, worse in _pairs(ranks)[:most]:
        baseline, system = evaluations[worse], evaluations[better]
        smallest = deciding_set(baseline, system)
        pair = DecidingPair(
            metric=repr(system.metric),
            baseline=baseline.system,
            system=system.system,
            difference=smallest.difference,
            higher_is_better=system.metric.higher_is_better,
            sentences=None if smallest.sentences is None else tuple(i + 1 for i in smallest.sentences),
            of=smallest.of,
            difference_without=smallest.difference_without,
            at_least=smallest.at_least,
            influential=(),
        )
        yield pair, influences(baseline, system)


def _pairs(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """The better system first: the best two of the report, then the best two under the metric, and so on.

    >>> _pairs([2, 0, 1])
    [(0, 1), (2, 0), (2, 1)]
    """
    by_closeness = sorted(combinations(range(len(ranks)), 2), key=lambda pair: (pair[1], pair[0]))
    place = {system: rank for rank, system in enumerate(ranks)}
    pairs: dict[tuple[int, int], None] = {}
    for a, b in by_closeness:
        pairs[(a, b) if place[a] < place[b] else (b, a)] = None
        pairs[ranks[a], ranks[b]] = None
    return list(pairs)
