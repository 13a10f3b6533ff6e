"""Drawing from the lattices: chains of corrections for sentences, corpora of known quality for systems.

A corpus model M applies to each sentence a number of edits drawn from a binomial with mean M and variance v, clipped to
those there are: p = 1 − v/M, n = M/p. Their mean soon saturates, since most sentences have few edits; the higher models
then differ by chance alone, which is why one sample of corpora says little.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gecval.corpus import Corpus
from gecval.edits.lattice import Lattice
from gecval.studies.maege.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Chain:
    """Corrections of one sentence, from the original to an annotator's, each with one edit more."""

    sentence: int
    corrections: tuple[str, ...]
    types: tuple[str, ...]  # of the edit that each correction but the first adds
    source: int  # which of them the metric gets as its source
    fewest_edits: int  # of any annotator of this sentence


@dataclass(frozen=True, kw_only=True)
class CorpusSample:
    """For each model a corpus of corrections, and the sources that metrics get."""

    sentences: tuple[int, ...]
    sources: tuple[str, ...]
    corpora: tuple[tuple[str, ...], ...]


LONG = 300  # characters; a longer source with two full stops or more is a paragraph


def lattices(gold: Corpus, settings: Settings) -> dict[int, list[Lattice]]:
    """The lattices of each sentence that has some: one for each annotator who edits it."""
    by_sentence = {}
    for i, (source, references) in enumerate(zip(gold.sources, gold.references, strict=True)):
        annotations = [reference.edits or () for reference in references]
        edited = [Lattice.of(source, edits) for edits in annotations if edits]
        if not edited or (settings.drop_unchanged and len(edited) < len(annotations)):
            continue
        if settings.drop_paragraphs and len(source) > LONG and source.count(".") > 1:
            continue
        by_sentence[i] = edited
    return by_sentence


def sample_chains(by_sentence: dict[int, list[Lattice]], settings: Settings, rng: np.random.Generator) -> list[Chain]:
    """Chains of every annotation, each with a random element, or the original, as its source."""
    chains = []
    for sentence, of_sentence in by_sentence.items():
        if len(of_sentence) < settings.annotators:
            continue
        fewest = min(len(lattice.edits) for lattice in of_sentence)
        for lattice in of_sentence:
            for order in lattice.orders(settings.chains, rng):
                source = 0 if settings.source == "original" else int(rng.integers(len(order) + 1))
                types = tuple(lattice.edits[i].type for i in order)
                chains.append(
                    Chain(
                        sentence=sentence,
                        corrections=lattice.chain(order),
                        types=types,
                        source=source,
                        fewest_edits=fewest,
                    )
                )
    return chains


def sample_corpora(by_sentence: dict[int, list[Lattice]], settings: Settings, rng: np.random.Generator) -> CorpusSample:
    """One corpus for each model, and one of sources."""
    corpora = tuple(
        tuple(_correction(of_sentence, model, settings=settings, rng=rng) for of_sentence in by_sentence.values())
        for model in settings.models
    )
    if settings.source == "original":
        sources = tuple(" ".join(of_sentence[0].tokens) for of_sentence in by_sentence.values())
    elif settings.corpus_source == "corpora":
        sources = tuple(versions[int(rng.integers(len(versions)))] for versions in zip(*corpora, strict=True))
    else:
        sources = tuple(_any_correction(of_sentence, rng) for of_sentence in by_sentence.values())
    return CorpusSample(sentences=tuple(by_sentence), sources=sources, corpora=corpora)


def _correction(of_sentence: Sequence[Lattice], model: float, *, settings: Settings, rng: np.random.Generator) -> str:
    lattice = of_sentence[int(rng.integers(len(of_sentence)))]
    size = min(number_of_edits(model, settings, rng), len(lattice.edits))
    return lattice.correction(rng.choice(len(lattice.edits), size, replace=False).tolist())


def number_of_edits(model: float, settings: Settings, rng: np.random.Generator) -> int:
    """From the binomial of a model; 0 where its mean is not above its variance, as no such binomial exists."""
    if model <= settings.variance:
        return 0
    share = 1 - settings.variance / model
    trials = model / share
    whole = int(trials)
    if settings.edits_drawn == "exact":  # n is no whole number: one trial more, as often as keeps the mean
        whole += int(rng.random() < trials - whole)
    return int(rng.binomial(whole, share))


def _any_correction(of_sentence: Sequence[Lattice], rng: np.random.Generator) -> str:
    lattice = of_sentence[int(rng.integers(len(of_sentence)))]
    return lattice.correction(np.flatnonzero(rng.random(len(lattice.edits)) < 0.5).tolist())
