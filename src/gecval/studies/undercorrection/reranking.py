"""Do more references make a system correct more? Oracle re-ranking of k-best lists (low-coverage paper, §3.3 and §4).

From the candidates for a sentence the oracle takes the one that scores best against M of its references, drawn anew in
each repetition. Of equally good candidates it takes the one that changes fewest words, then the earlier in the list:
where the references allow to keep a phrase as well as to change it, it is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.edits.annotate import Extractor
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric
from gecval.metrics.subsets import Subset, sentence_scores_against
from gecval.progress import Progress, silent
from gecval.studies.preparation import prepare
from gecval.studies.undercorrection.changes import word_changes


@dataclass(frozen=True)
class Reranked:
    """What the oracle does with M references: means over repetitions.

    ``sentences[k]`` is how many sentences have k words changed, in the last place k or more.
    """

    references: int
    score: float
    word_changes: float
    sentences: tuple[float, ...]

    @property
    def unchanged(self) -> float:
        return self.sentences[0]


def rerank(
    corpus: Corpus,
    candidates: Sequence[System],
    metric: Metric,
    references: Sequence[int],
    *,
    repetitions: int = 10,
    most_changes: int = 10,
    seed: int = 1,
    extractor: Extractor | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> list[Reranked]:
    """The oracle's choice among ``candidates`` (the first, second, … of every list) for each number of references."""
    counts = np.diff(corpus.reference_slots)
    for number in references:
        if not 1 <= number <= counts.min():
            raise InputError(
                f"cannot draw {number} references: sentence {int(np.argmin(counts)) + 1} has {counts.min()}"
            )
    workers = jobs or cores()
    [corpus] = prepare(corpus, candidates, [metric], extractor, jobs=workers, progress=progress)
    rng = np.random.default_rng(seed)
    subsets = [_drawn(rng, counts.tolist(), number) for number in references for _ in range(repetitions)]
    changes = np.array([word_changes(corpus.sources, one.hypotheses) for one in candidates])
    scores = np.empty((len(candidates), len(subsets), len(corpus)))
    for k, candidate in enumerate(candidates):
        for s, found in enumerate(sentence_scores_against(metric, corpus, candidate, subsets, jobs=workers)):
            scores[k, s] = found
        progress(k + 1, len(candidates))
    chosen = [_choice(scores[:, s], changes) for s in range(len(subsets))]
    sentence = np.arange(len(corpus))
    results = []
    for m, number in enumerate(references):
        mine = range(m * repetitions, (m + 1) * repetitions)
        made = np.array([changes[chosen[s], sentence] for s in mine])
        tally = np.bincount(np.minimum(made, most_changes).ravel(), minlength=most_changes + 1) / repetitions
        score = np.mean([scores[chosen[s], s, sentence] for s in mine])
        results.append(Reranked(number, float(score), float(made.mean()), tuple(tally.tolist())))
    return results


def _drawn(rng: np.random.Generator, counts: list[int], number: int) -> Subset:
    return [rng.choice(count, number, replace=False) for count in counts]


def _choice(scores: Array, changes: Array) -> Array:
    """The best candidate of each sentence."""
    # Scores that differ in the last bits only are equal. lexsort is stable: the earliest stays first.
    order = np.lexsort((changes, -scores.round(12)), axis=0)
    first: Array = order[0]
    return first
