"""Hill climbing over the reference lottery: how much can be won by betting on references, for one metric?

The annotators are split in two. The climber knows the sources and the first half of the references (the *seen* ones).
It starts from the sources. In each of ``STEPS`` steps it draws a few variants of every sentence: the sentence with one
more replacement that seen annotators make somewhere in the corpus, at a place where the words fit. It scores these
variants against the seen references of the sentence, and keeps the best one where that beats what it has.

The study reports the result against the seen references and against those *held out*, which the climber never looked
at. What is gained on the seen half alone is luck in the lottery. What is gained on the held-out half too may be merit:
an edit that two annotators make may be right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric
from gecval.metrics.evaluation import Evaluation
from gecval.progress import Progress, silent
from gecval.studies.attacks.replacements import Replacements
from gecval.studies.inputs import Edits
from gecval.studies.preparation import prepare

STEPS = 4
VARIANTS = 6  # of a sentence, in one step
BUDGET = 4000  # variants of all sentences, in one step: large corpora get fewer for each
FREQUENT = 2  # times that seen annotators make a replacement at least


class Halves(NamedTuple):
    """The sentences with two references or more: with one half of their references, and with the other."""

    sentences: NDArray[np.int64]
    seen: Corpus
    held_out: Corpus

    @classmethod
    def of(cls, corpus: Corpus) -> Halves:
        """Every second reference of a sentence is held out."""
        sentences = np.flatnonzero(np.diff(corpus.reference_slots) >= 2)
        if not len(sentences):
            raise InputError("it takes a sentence with two references or more")
        return cls(sentences, *(_every_second(corpus, sentences, first) for first in (0, 1)))


def _every_second(corpus: Corpus, sentences: NDArray[np.int64], first: int) -> Corpus:
    return Corpus(
        [corpus.sources[i] for i in sentences.tolist()],
        [corpus.references[i][first::2] for i in sentences.tolist()],
        extractor=corpus.extractor,
        language=corpus.language,
    )


@dataclass(frozen=True, kw_only=True)
class Climber:
    """Climbs for one metric. ``seen`` has the references that it may look at."""

    metric: Metric
    seen: Corpus
    extractor: Edits = None
    jobs: int = 1
    progress: Progress = silent

    def climb(self, rng: np.random.Generator) -> list[str]:
        """The best variant of every sentence that was met on the way."""
        table = self.seen.derived(Replacements.of).frequent(FREQUENT)
        outputs = list(self.seen.sources)
        scores = self._scores(np.arange(len(outputs)), outputs)
        for _ in range(STEPS):
            sentences, texts = self._draw(table, outputs, rng)
            if not texts:
                break
            drawn = self._scores(sentences, texts)
            for i, text, score in zip(sentences.tolist(), texts, drawn.tolist(), strict=True):
                if score > scores[i]:
                    outputs[i], scores[i] = text, score
        return outputs

    def _draw(
        self, table: Replacements, outputs: list[str], rng: np.random.Generator
    ) -> tuple[NDArray[np.int64], list[str]]:
        """A few variants of each sentence, and which sentence each is of."""
        most = max(1, min(VARIANTS, BUDGET // len(outputs)))
        sentences, texts = [], []
        for i, output in enumerate(outputs):
            variants = list(dict.fromkeys(variant.text for variant in table.variants(output.split())))
            for v in rng.permutation(len(variants))[:most]:
                sentences.append(i)
                texts.append(variants[v])
        return np.array(sentences, dtype=np.int64), texts

    def _scores(self, sentences: NDArray[np.int64], texts: list[str]) -> Array:
        """The score of each text as a correction of its sentence, higher is better."""
        seen = self.seen
        corpus = Corpus(
            [seen.sources[i] for i in sentences.tolist()],
            [seen.references[i] for i in sentences.tolist()],
            extractor=seen.extractor,
            language=seen.likely_language,
        )
        system = corpus.system("variants", texts)
        [prepared] = prepare(
            corpus, [system], [self.metric], extractor=self.extractor, jobs=self.jobs, progress=self.progress
        )
        return self.metric.direction * Evaluation.of(self.metric, prepared, system, jobs=self.jobs).sentence_scores()
