"""What does a perfect system score? Simulated from crowd corrections (low-coverage paper, §2.2 and §4).

A simulated test set has N sentences. N_cor of them are correct as they are: source, references and output are equal.
For each other sentence, draw a source xᵢ, and draw M references and the system's output from its corrections. The
defaults for N and N_cor are those of the CoNLL-2014 test set. The references for M are the first M of those for more
references, so a curve over M is smooth. Its intervals are over sentences, as everywhere. A *lucky* perfect system
returns one of the references themselves.

The paper draws corrections with replacement. Then the system sometimes gets the very correction that serves as a
reference: with 50 corrections a sentence and M = 20, in a third of the sentences. ``replacement=False`` draws each
person's correction once at most, and has no such bias.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.corpus.references import Reference
from gecval.edits import plain_edits
from gecval.edits.alignment import matching_edits
from gecval.errors import InputError
from gecval.formats.corrections import Corrections, normalise
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.results.signature import Signature
from gecval.runtime.run import HERE, Run
from gecval.stats import Resampling, bootstrap_interval
from gecval.studies.coverage.result import PerfectScore
from gecval.studies.scores.preparation import needs_extractor, prepare

Draws = NDArray[np.int64]
Cut = Literal["plain", "matching"]
CUTS: dict[Cut, Callable[[Sequence[str], Sequence[str]], tuple[Edit, ...]]] = {
    "plain": plain_edits,
    "matching": matching_edits,
}
MOST_SENTENCES = 1_000_000  # more would take all memory


@dataclass(frozen=True, kw_only=True, eq=False)
class Simulation:
    """A test set drawn from crowd corrections. ``cut`` says how references become edits, for metrics that need them."""

    corrections: Sequence[Corrections]
    sentences: int = 1312
    correct: int = 136
    most_references: int = 20
    cut: Cut = "plain"
    replacement: bool = True
    seed: int = 1

    def __post_init__(self) -> None:
        if not 2 <= self.sentences <= MOST_SENTENCES:
            raise InputError(
                f"a simulated test set has from 2 to {MOST_SENTENCES:,} sentences, not {self.sentences:,}",
                parameter="sentences",
            )
        if not 0 <= self.correct < self.sentences:
            raise InputError(
                f"{self.correct} correct sentences do not fit into a test set of {self.sentences}",
                parameter=("correct", "sentences"),
            )
        for sentence in self.corrections:
            if not self.replacement and len(sentence.texts) <= self.most_references:
                raise InputError(
                    f"{sentence.source[:60]!r} has {len(sentence.texts)} corrections, too few for "
                    f"{self.most_references} references and one output; take fewer references, or draw with "
                    "replacement",
                    parameter=("most_references", "replacement"),
                )

    @cached_property
    def _pools(self) -> list[tuple[str, list[str]]]:
        return [
            (normalise(sentence.source), [normalise(text) for text in sentence.texts]) for sentence in self.corrections
        ]

    @cached_property
    def _drawn(self) -> tuple[Draws, Draws, Draws]:
        """For each sentence: its source, its corrections (the last is the system's), and a number for luck."""
        rng = np.random.default_rng(self.seed)
        source = rng.integers(len(self._pools), size=self.sentences)
        size = self.most_references + 1
        corrections = np.array([rng.choice(len(self._pools[s][1]), size, replace=self.replacement) for s in source])
        return source, corrections, rng.integers(2**31, size=self.sentences)

    def corpus(self, references: int, *, edits: bool = False) -> Corpus:
        """The sources and the first so many references of each."""
        if references > self.most_references:
            raise InputError(f"{references} references are asked for, but {self.most_references} were drawn")
        sources, listed = [], []
        for i, (pool, drawn) in enumerate(zip(*self._drawn[:2], strict=True)):
            source, texts = self._pools[pool]
            if i < self.correct:
                # A sentence that needs no correction: somebody's correction.
                source = texts[drawn[-1]]
                texts = [source] * len(texts)
            sources.append(source)
            listed.append(
                [
                    Reference(texts[c], _cut(self.cut, source, texts[c]) if edits else None, str(a))
                    for a, c in enumerate(drawn[:references])
                ]
            )
        return Corpus(sources, listed, extractor=self.cut if edits else "")

    def perfect(self, corpus: Corpus) -> System:
        """One more correction of each sentence."""
        source, drawn, _ = self._drawn
        return corpus.system("perfect", [self._pools[s][1][c] for s, c in zip(source, drawn[:, -1], strict=True)])

    def lucky(self, corpus: Corpus) -> System:
        """One of the references of each sentence."""
        picked = [texts[luck % len(texts)] for luck, texts in zip(self._drawn[2], _texts(corpus), strict=True)]
        return corpus.system("lucky", picked)


def perfect_scores(
    simulation: Simulation,
    metric: Metric,
    references: Sequence[int],
    *,
    aggregate: Aggregate = "corpus",
    lucky: bool = False,
    resampling: Resampling | None = None,
    run: Run = HERE,
) -> list[PerfectScore]:
    """The score of the perfect (or lucky) system for each number of references (Figures 1b and 1c)."""
    resampling = resampling or Resampling()
    scores = []
    for done, count in enumerate(references, start=1):
        scores.append(
            perfect_score(simulation, metric, count, aggregate=aggregate, lucky=lucky, resampling=resampling, run=run)
        )
        run.progress(done, len(references))
    return scores


def perfect_score(
    simulation: Simulation,
    metric: Metric,
    references: int,
    *,
    aggregate: Aggregate = "corpus",
    lucky: bool = False,
    resampling: Resampling,
    run: Run,
) -> PerfectScore:
    """The score of the perfect (or lucky) system with so many references."""
    # A metric with an extractor of its own must cut references as it cuts outputs.
    corpus = simulation.corpus(references, edits=needs_extractor(metric))
    system = simulation.lucky(corpus) if lucky else simulation.perfect(corpus)
    [prepared] = prepare(corpus, [system], [metric], run=run.quiet())
    evaluation = Evaluation.of(metric, prepared, system, aggregate=aggregate, run=run.quiet())
    return PerfectScore(
        metric=repr(metric),
        references=references,
        score=evaluation.score(),
        interval=bootstrap_interval(evaluation, resampling),
        signature=str(Signature.of(metric, prepared, aggregate, resampling=resampling)),
        higher_is_better=metric.higher_is_better,
    )


def _texts(corpus: Corpus) -> list[list[str]]:
    return [corpus.texts_of(i) for i in range(len(corpus))]


@lru_cache(maxsize=100_000)  # a few thousand pairs are drawn over and over
def _cut(cut: Cut, source: str, correction: str) -> tuple[Edit, ...]:
    return CUTS[cut](source.split(), correction.split())
