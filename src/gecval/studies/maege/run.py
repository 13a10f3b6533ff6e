"""MAEGE (Choshen & Abend 2018): does a metric prefer corrections that are better by construction?

Each replicate draws new chains and corpora from the lattices of the gold edits, and every metric is judged on the same
ones. One replicate is what the paper reports; how much its figures owe to chance shows only over many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np

from gecval.cores import cores
from gecval.corpus import Corpus, Reference, System
from gecval.edits.annotate import Extractor
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.progress import Progress, silent
from gecval.studies.maege.checkpoint import Checkpoint
from gecval.studies.maege.levels import LatticePairs, MetricResult, corpus_level
from gecval.studies.maege.sampling import Chain, CorpusSample, lattices, sample_chains, sample_corpora
from gecval.studies.maege.settings import Settings
from gecval.studies.preparation import prepare

Replicate = dict[str, MetricResult]


@dataclass(frozen=True)
class Maege:
    """What a study found: the results of every metric in every replicate."""

    settings: Settings
    metrics: tuple[str, ...]
    replicates: tuple[Replicate, ...]
    sentences: int
    conflicts: int
    signature: str


def maege(
    gold: Corpus,
    references: Corpus,
    metrics: Sequence[Metric],
    *,
    settings: Settings | None = None,
    replicates: int = 1,
    seed: int = 1,
    extractor: Extractor | None = None,
    checkpoint: Path | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Maege:
    """Validate metrics on the lattices of ``gold``, scoring against ``references`` (other annotators' corrections).

    ``extractor`` finds edits for metrics that need them, since every replicate has new sources. With ``checkpoint``,
    finished replicates are kept in that file, and a study that was interrupted goes on where it stopped.
    """
    settings = settings or Settings()
    _check(gold, references, metrics, extractor)
    found = lattices(gold, settings)
    if not found:
        raise InputError("no sentence is edited by all its annotators, so that there are no lattices to draw from")
    if max(map(len, found.values())) < settings.annotators:
        raise InputError(f"no sentence is edited by {settings.annotators} annotators: there are no chains to draw")
    study = _Study(gold, references, metrics, settings, extractor, jobs or cores())
    signature = _signature(study, seed)
    done = Checkpoint(checkpoint, signature)
    results = []
    for number in range(replicates):
        progress(number, replicates)
        known = done.get(number)
        if known is None:
            rng = np.random.default_rng([seed, number])
            known = study.replicate(sample_chains(found, settings, rng), sample_corpora(found, settings, rng))
            done.add(number, known)
        results.append(known)
    progress(replicates, replicates)
    conflicts = sum(lattice.conflicts for of_sentence in found.values() for lattice in of_sentence)
    return Maege(settings, tuple(map(repr, metrics)), tuple(results), len(found), conflicts, signature)


@dataclass(frozen=True)
class _Study:
    gold: Corpus
    references: Corpus
    metrics: Sequence[Metric]
    settings: Settings
    extractor: Extractor | None
    jobs: int

    def replicate(self, chains: Sequence[Chain], sample: CorpusSample) -> Replicate:
        """Every metric on one sample of chains and corpora."""
        pairs = LatticePairs.of(chains, self.gold.sources, self.settings)
        sources = [chain.corrections[chain.source] for chain in chains for _ in chain.corrections]
        sentences = [chain.sentence for chain in chains for _ in chain.corrections]
        texts = [text for chain in chains for text in chain.corrections]
        in_chains = self._corpus(sources, sentences, texts)
        # Many corpora have the same correction of a sentence: each is scored once.
        places = list(zip(*(zip(range(len(texts)), texts, strict=True) for texts in sample.corpora), strict=True))
        distinct = {
            place: number for number, place in enumerate(dict.fromkeys(place for row in places for place in row))
        }
        rows = [np.array([distinct[place] for place in corpus], dtype=np.int64) for corpus in zip(*places, strict=True)]
        in_corpora = self._corpus(
            [sample.sources[j] for j, _ in distinct],
            [sample.sentences[j] for j, _ in distinct],
            [text for _, text in distinct],
        )
        results = {}
        for metric, chained, sampled in zip(self.metrics, self._seen(*in_chains), self._seen(*in_corpora), strict=True):
            values = Evaluation.of(metric, chained, in_chains[1], jobs=self.jobs).sentence_scores()
            scored = Evaluation.of(metric, sampled, in_corpora[1], jobs=self.jobs)
            corpora = [
                Evaluation(metric, scored.statistics.take(one), self.settings.corpus_score, self.jobs) for one in rows
            ]
            results[repr(metric)] = MetricResult(
                pairs.sentence_level(values),
                corpus_level([corpus.score() for corpus in corpora], self.settings.models),
                pairs.sensitivity(values),
                pairs.originals(values),
            )
        return results

    def _corpus(self, sources: Sequence[str], sentences: Sequence[int], texts: Sequence[str]) -> tuple[Corpus, System]:
        """Sampled sources with the references of their sentences."""
        # Edits of the given references, if any, start from the original: of these only the text is of use.
        referenced = {i: [Reference(text) for text in self.references.texts_of(i)] for i in set(sentences)}
        corpus = Corpus(sources, [referenced[i] for i in sentences])
        return corpus, corpus.system("sampled", texts)

    def _seen(self, corpus: Corpus, system: System) -> list[Corpus]:
        return prepare(corpus, [system], self.metrics, self.extractor, jobs=self.jobs)


def _check(gold: Corpus, references: Corpus, metrics: Sequence[Metric], extractor: Extractor | None) -> None:
    if not gold.has_edits():
        raise InputError("MAEGE builds lattices from edits: give the gold annotation as an .m2 file")
    if len(gold) != len(references):
        raise InputError(f"{gold.origin} has {len(gold)} sentences, the references {len(references)}")
    for metric in metrics:
        if metric.needs == "edits" and metric.extractor is None and extractor is None:
            raise InputError(f"{metric!r} needs edits from each sampled source: choose how to find them with --edits")
        if metric.needs != "edits":
            metric.check(references)


def _signature(study: _Study, seed: int) -> str:
    """Everything that decides a replicate; a checkpoint of another study is refused by it."""
    parts = [f"maege|{study.settings}", *map(repr, study.metrics)]
    parts += [f"gold:{study.gold.source_hash}{study.gold.reference_hash}"]
    parts += [f"references:{study.references.reference_hash}", f"seed:{seed}"]
    parts += [study.extractor.signature] if study.extractor else []
    return "|".join([*parts, f"gecval:{version('gecval')}"])
