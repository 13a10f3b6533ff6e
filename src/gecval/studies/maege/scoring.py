"""One replicate: every metric on one sample of chains and corpora."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, Reference
from gecval.edits.extractors import Extractor
from gecval.edits.lattice import Lattice
from gecval.edits.remembered import Remembered
from gecval.metrics.base import Metric, Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.studies.maege.known import KnownPairs, Pair
from gecval.studies.maege.levels import LatticePairs, MetricResult, corpus_level
from gecval.studies.maege.sampling import Chain, CorpusSample, sample_chains, sample_corpora
from gecval.studies.maege.settings import Settings
from gecval.studies.preparation import prepare

Replicate = dict[str, MetricResult]
SAMPLED = "sampled"  # what messages call the corrections


@dataclass(frozen=True, kw_only=True)
class Study:
    """What stays the same from replicate to replicate."""

    gold: Corpus
    references: Corpus
    metrics: Sequence[Metric]
    settings: Settings
    extractor: Extractor | None
    jobs: int

    @cached_property
    def by_pair(self) -> tuple[Metric, ...]:
        """Metrics whose rows depend on a pair and its references alone, so that a pair seen before has its rows."""
        languages = [metric.language for metric in self.metrics]
        languages += [self.extractor.language] if self.extractor else []
        if self.gold.likely_language is None and any(languages):
            return ()  # a few pairs could look like another language than all of them together
        return tuple(metric for metric in self.metrics if metric.whole_corpus is None)

    @cached_property
    def _texts(self) -> list[list[Reference]]:
        """The references of each sentence. Their edits, if any, start from the original: only the text is of use."""
        return [[Reference(text) for text in self.references.texts_of(i)] for i in range(len(self.references))]

    @cached_property
    def _remembered(self) -> Extractor | None:
        """A new correction often has a source that was seen, whose references have their edits."""
        return Remembered(self.extractor) if self.extractor else None

    def replicate(self, chains: Sequence[Chain], sample: CorpusSample, known: KnownPairs | None = None) -> Replicate:
        """Every metric on one sample of chains and corpora; ``known`` has pairs of earlier replicates."""
        pairs = LatticePairs.of(chains, self.gold.sources, self.settings)
        chained = [
            (chain.sentence, chain.corrections[chain.source], text) for chain in chains for text in chain.corrections
        ]
        distinct, rows = _distinct(sample)
        sampled = [(sample.sentences[j], sample.sources[j], text) for j, text in distinct]
        statistics = self._statistics(chained, sampled, KnownPairs(self.by_pair) if known is None else known)
        results = {}
        for metric in self.metrics:
            in_chains, in_corpora = statistics[repr(metric)]
            scores = Evaluation(metric, in_chains, jobs=self.jobs, system=SAMPLED).sentence_scores()
            corpora = [
                Evaluation(metric, in_corpora.take(row), aggregate=self.settings.corpus_score, jobs=self.jobs)
                for row in rows
            ]
            results[repr(metric)] = MetricResult(
                sentence=pairs.sentence_level(metric.direction * scores),
                corpus=corpus_level(
                    [corpus.score() for corpus in corpora], self.settings.models, direction=metric.direction
                ),
                types=pairs.sensitivity(scores),
                originals=pairs.originals(scores),
            )
        return results

    def _statistics(
        self, chained: Sequence[Pair], sampled: Sequence[Pair], known: KnownPairs
    ) -> dict[str, tuple[Statistics, Statistics]]:
        """Of every metric, those of the pairs in chains and those of the pairs in corpora."""
        language = self.gold.likely_language  # a few new pairs may not show it
        by_pair = known.statistics(
            [*chained, *sampled], lambda new: self._computed(self.by_pair, new, language=language)
        )
        ends = np.split(np.arange(len(chained) + len(sampled)), [len(chained)])
        statistics = {
            repr(metric): (both.take(ends[0]), both.take(ends[1]))
            for metric, both in zip(self.by_pair, by_pair, strict=True)
        }
        others = [metric for metric in self.metrics if metric not in self.by_pair]
        in_chains = self._computed(others, chained, language=self.gold.language)
        in_corpora = self._computed(others, sampled, language=self.gold.language)
        for metric, of_chains, of_corpora in zip(others, in_chains, in_corpora, strict=True):
            statistics[repr(metric)] = of_chains, of_corpora
        return statistics

    def _computed(self, metrics: Sequence[Metric], pairs: Sequence[Pair], *, language: str | None) -> list[Statistics]:
        """The statistics of corrections as a system's output, with the references of their sentences."""
        if not metrics:
            return []
        sources = [source for _, source, _ in pairs]
        corpus = Corpus(sources, [self._texts[i] for i, _, _ in pairs], language=language)
        system = corpus.system(SAMPLED, [text for _, _, text in pairs])
        seen = prepare(corpus, [system], metrics, extractor=self._remembered, jobs=self.jobs)
        return [
            Evaluation.of(metric, of_metric, system, jobs=self.jobs).statistics
            for metric, of_metric in zip(metrics, seen, strict=True)
        ]


def _distinct(sample: CorpusSample) -> tuple[list[tuple[int, str]], list[NDArray[np.int64]]]:
    """The different corrections of each place, and which of them make up each corpus.

    Many corpora have the same correction of a sentence: it is scored once.
    """
    places = list(zip(*(enumerate(texts) for texts in sample.corpora), strict=True))
    numbers = {place: n for n, place in enumerate(dict.fromkeys(place for row in places for place in row))}
    rows = [np.array([numbers[place] for place in corpus], dtype=np.int64) for corpus in zip(*places, strict=True)]
    return list(numbers), rows


@dataclass(frozen=True, kw_only=True)
class Replication:
    """A replicate by its number, on any machine. Texts are sent there, and what was made of them is not."""

    study: Study
    lattices: dict[int, list[Lattice]]
    seed: int
    known: KnownPairs = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", KnownPairs(self.study.by_pair))

    def __call__(self, number: int) -> Replicate:
        rng = np.random.default_rng([self.seed, number])
        chains = sample_chains(self.lattices, self.study.settings, rng)
        sample = sample_corpora(self.lattices, self.study.settings, rng)
        return self.study.replicate(chains, sample, self.known)

    def __getstate__(self) -> dict[str, Any]:
        study = replace(self.study, gold=replace(self.study.gold), references=replace(self.study.references))
        return {"study": study, "lattices": self.lattices, "seed": self.seed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()  # every worker knows the pairs of its own replicates
