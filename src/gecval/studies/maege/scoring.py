"""One replicate: every metric on one sample of chains and corpora."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, Reference, System
from gecval.edits.extractors import Extractor
from gecval.edits.lattice import Lattice
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.studies.maege.levels import LatticePairs, MetricResult, corpus_level
from gecval.studies.maege.sampling import Chain, CorpusSample, sample_chains, sample_corpora
from gecval.studies.maege.settings import Settings
from gecval.studies.preparation import prepare

Replicate = dict[str, MetricResult]


@dataclass(frozen=True, kw_only=True)
class Study:
    """What stays the same from replicate to replicate."""

    gold: Corpus
    references: Corpus
    metrics: Sequence[Metric]
    settings: Settings
    extractor: Extractor | None
    jobs: int

    def replicate(self, chains: Sequence[Chain], sample: CorpusSample) -> Replicate:
        """Every metric on one sample of chains and corpora."""
        pairs = LatticePairs.of(chains, self.gold.sources, self.settings)
        in_chains, chained_texts = self._corpus(
            [chain.corrections[chain.source] for chain in chains for _ in chain.corrections],
            [chain.sentence for chain in chains for _ in chain.corrections],
            [text for chain in chains for text in chain.corrections],
        )
        distinct, rows = _distinct(sample)
        in_corpora, corpus_texts = self._corpus(
            [sample.sources[j] for j, _ in distinct],
            [sample.sentences[j] for j, _ in distinct],
            [text for _, text in distinct],
        )
        seen_in_chains = self._as_seen(in_chains, chained_texts)
        seen_in_corpora = self._as_seen(in_corpora, corpus_texts)
        results = {}
        for metric, chained, sampled in zip(self.metrics, seen_in_chains, seen_in_corpora, strict=True):
            scores = Evaluation.of(metric, chained, chained_texts, jobs=self.jobs).sentence_scores()
            scored = Evaluation.of(metric, sampled, corpus_texts, jobs=self.jobs)
            corpora = [
                Evaluation(metric, scored.statistics.take(row), aggregate=self.settings.corpus_score, jobs=self.jobs)
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

    def _corpus(self, sources: Sequence[str], sentences: Sequence[int], texts: Sequence[str]) -> tuple[Corpus, System]:
        """Sampled sources with the references of their sentences, and sampled corrections as a system's output."""
        # Edits of the given references, if any, start from the original: of these only the text is of use.
        referenced = {i: [Reference(text) for text in self.references.texts_of(i)] for i in set(sentences)}
        corpus = Corpus(sources, [referenced[i] for i in sentences], language=self.gold.language)
        return corpus, corpus.system("sampled", texts)

    def _as_seen(self, corpus: Corpus, system: System) -> list[Corpus]:
        """The corpus as each metric sees it."""
        return prepare(corpus, [system], self.metrics, extractor=self.extractor, jobs=self.jobs)


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

    def __call__(self, number: int) -> Replicate:
        rng = np.random.default_rng([self.seed, number])
        chains = sample_chains(self.lattices, self.study.settings, rng)
        return self.study.replicate(chains, sample_corpora(self.lattices, self.study.settings, rng))

    def __getstate__(self) -> dict[str, Any]:
        study = replace(self.study, gold=replace(self.study.gold), references=replace(self.study.references))
        return {"study": study, "lattices": self.lattices, "seed": self.seed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
