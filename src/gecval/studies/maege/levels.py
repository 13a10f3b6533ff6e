"""Does a metric agree with the order of the lattice? By sentence, by corpus, by type of edit.

Sentence level (§6), over pairs x < y of one chain: τ = 1 − 2·|discongruent| / |all|, a tie of the metric counting as
its policy says; z = √N·τ if pairs were independent. Pearson r against scores that rise in equal steps from
1 − min|edits| / |tokens| for the original to 1. Corpus level (§5): ρ and r of corpus scores against the models' M.
Sensitivity (§7): Δ = mean difference of score that an edit of a type makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from gecval.metrics.base import Array
from gecval.stats.correlation import Correlation, correlate
from gecval.stats.ties import sign
from gecval.studies.maege.results import Figure
from gecval.studies.maege.sampling import Chain
from gecval.studies.maege.settings import Settings, Ties


@dataclass(frozen=True, kw_only=True)
class PairCounts:
    """How a metric orders the pairs of the lattice; ``lost`` of its ties count as discordant."""

    concordant: int
    discordant: int
    ties: int
    lost: float

    @property
    def pairs(self) -> int:
        return self.concordant + self.discordant + self.ties

    @property
    def tie_rate(self) -> float:
        return self.ties / self.pairs

    @property
    def tau(self) -> float:
        return 1 - 2 * (self.discordant + self.lost) / self.pairs

    @property
    def p_value(self) -> float:
        """Two-sided, pairs taken as independent, which they are not: pairs of one chain share sentences."""
        return 2 * NormalDist().cdf(-abs(self.tau) * self.pairs**0.5)


@dataclass(frozen=True, kw_only=True)
class SentenceLevel:
    """How a metric's sentence scores follow the chains."""

    counts: PairCounts
    pearson: Correlation


@dataclass(frozen=True, kw_only=True)
class CorpusLevel:
    """The scores of the sampled corpora, and how they follow the models."""

    scores: tuple[float, ...]
    spearman: Correlation
    pearson: Correlation


@dataclass(frozen=True, kw_only=True)
class Sensitivity:
    """What edits of one type change: the mean Δ, how many edits, and the spread of their Δ."""

    delta: float
    edits: int
    deviation: float


@dataclass(frozen=True, kw_only=True)
class Originals:
    """The mean score of the originals that have so many errors (Figure 5 of the paper)."""

    errors: int
    score: float
    sentences: int


@dataclass(frozen=True, kw_only=True)
class MetricResult:
    """One metric on one sample."""

    sentence: SentenceLevel
    corpus: CorpusLevel
    types: dict[str, Sensitivity]
    originals: tuple[Originals, ...]

    def figure(self, name: Figure) -> float:
        """One of the four figures of agreement."""
        return {
            "corpus_spearman": self.corpus.spearman.value,
            "corpus_pearson": self.corpus.pearson.value,
            "sentence_tau": self.sentence.counts.tau,
            "sentence_pearson": self.sentence.pearson.value,
        }[name]


@dataclass(frozen=True, kw_only=True)
class LatticePairs:
    """The chains of a sample laid out flat: what every metric's scores are compared with."""

    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    chains: tuple[slice, ...]
    linear: Array
    ties: Ties
    steps: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]  # type → positions after and before its edits

    @classmethod
    def of(cls, chains: Sequence[Chain], originals: Sequence[str], settings: Settings) -> LatticePairs:
        pairs: dict[object, tuple[int, int]] = {}
        linear: list[Array] = []
        slices: list[slice] = []
        steps: dict[str, tuple[list[int], list[int]]] = {}
        start = 0
        for number, chain in enumerate(chains):
            texts, size = chain.corrections, len(chain.corrections)
            source = texts[chain.source]
            for low in range(size):
                for high in range(low + 1, size):
                    unique = (chain.sentence, source, texts[low], texts[high])
                    key = unique if settings.unique_pairs else (number, low, high)
                    pairs.setdefault(key, (start + low, start + high))
            linear.append(np.linspace(_original_score(chain, originals[chain.sentence], settings), 1, size))
            for k, kind in enumerate(chain.types, start=1):
                after, before = steps.setdefault(kind, ([], []))
                after.append(start + k)
                before.append(start if settings.delta == "first" else start + k - 1)
            slices.append(slice(start, start + size))
            start += size
        flat = np.array(list(pairs.values()), dtype=np.int64).reshape(-1, 2)
        arrays = {kind: (np.array(after), np.array(before)) for kind, (after, before) in sorted(steps.items())}
        return cls(
            lower=flat[:, 0],
            upper=flat[:, 1],
            chains=tuple(slices),
            linear=np.concatenate(linear),
            ties=settings.ties,
            steps=arrays,
        )

    def sentence_level(self, scores: Array) -> SentenceLevel:
        """How scores of all corrections, which rise with quality, follow the lattice."""
        rise = sign(scores[self.upper] - scores[self.lower])
        ties, concordant = int(np.count_nonzero(rise == 0)), int(np.count_nonzero(rise > 0))
        discordant = len(rise) - ties - concordant
        if self.ties == "argsort":
            lost: float = sum(_inversions(scores[chain]) for chain in self.chains) - discordant
        else:
            lost = {"half": 0.5, "concordant": 0.0, "discordant": 1.0}[self.ties] * ties
        counts = PairCounts(concordant=concordant, discordant=discordant, ties=ties, lost=lost)
        return SentenceLevel(counts=counts, pearson=correlate(scores, self.linear, "pearson"))

    def sensitivity(self, scores: Array) -> dict[str, Sensitivity]:
        """Δ for every type of edit."""
        by_type = {}
        for kind, (after, before) in self.steps.items():
            deltas = scores[after] - scores[before]
            by_type[kind] = Sensitivity(delta=float(deltas.mean()), edits=len(deltas), deviation=float(deltas.std()))
        return by_type

    def originals(self, scores: Array) -> tuple[Originals, ...]:
        """Scores of the originals, by the number of edits that an annotator makes."""
        errors = np.array([chain.stop - chain.start - 1 for chain in self.chains])
        first = scores[[chain.start for chain in self.chains]]
        return tuple(
            Originals(
                errors=int(n), score=float(first[errors == n].mean()), sentences=int(np.count_nonzero(errors == n))
            )
            for n in np.unique(errors)
        )


def _inversions(scores: Array) -> int:
    """Pairs out of order in numpy's argsort, whose order of equal scores depends on the processor."""
    order = np.argsort(scores)
    return sum(int(np.count_nonzero(order[:k] > order[k])) for k in range(1, len(order)))


def _original_score(chain: Chain, original: str, settings: Settings) -> float:
    # An empty original, to which everything is added, counts as one token or character.
    if settings.linear == "characters":
        return 1 - (chain.fewest_edits + 1) / max(1, len(original))
    return 1 - chain.fewest_edits / max(1, len(original.split()))


def corpus_level(scores: Sequence[float], models: Sequence[float], *, direction: int = 1) -> CorpusLevel:
    """How the scores of corpora, rising with quality, follow the number of edits that their models apply."""
    x, y = direction * np.array(scores), np.array(models)
    return CorpusLevel(scores=tuple(scores), spearman=correlate(x, y, "spearman"), pearson=correlate(x, y, "pearson"))
