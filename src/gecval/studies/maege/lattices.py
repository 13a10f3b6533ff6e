"""MAEGE's lattices: how they are built from gold edits, and how chains and corpora are drawn from them.

A chain is a series of corrections of one sentence, each with one edit more. A corpus has corrections of known quality.

A corpus model M applies to each sentence a number of edits drawn from a binomial with mean M and variance v, clipped to
those there are: p = 1 − v/M, n = M/p. Their mean soon saturates, since most sentences have few edits; the higher models
then differ by chance alone, which is why one sample of corpora says little.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate, permutations
from math import factorial
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from gecval.corpus import Corpus
from gecval.corpus.edit import Edit, apply_edits
from gecval.errors import InputError


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


def build_lattices(gold: Corpus, settings: MaegeSettings) -> dict[int, list[Lattice]]:
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


def sample_chains(
    by_sentence: dict[int, list[Lattice]], settings: MaegeSettings, rng: np.random.Generator
) -> list[Chain]:
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


def count_chains(by_sentence: dict[int, list[Lattice]], settings: MaegeSettings) -> tuple[int, int]:
    """How many chains a sample has, and how many corrections are in them."""
    chains = corrections = 0
    for of_sentence in by_sentence.values():
        if len(of_sentence) >= settings.annotators:
            for size in (len(lattice.edits) for lattice in of_sentence):
                drawn = min(settings.chains, factorial(min(size, 12)))  # 12! is more than can be asked for
                chains, corrections = chains + drawn, corrections + drawn * (size + 1)
    return chains, corrections


def sample_corpora(
    by_sentence: dict[int, list[Lattice]], settings: MaegeSettings, rng: np.random.Generator
) -> CorpusSample:
    """One corpus for each model, and one of sources."""
    corpora = tuple(
        tuple(_draw_correction(of_sentence, model, settings=settings, rng=rng) for of_sentence in by_sentence.values())
        for model in settings.models
    )
    if settings.source == "original":
        sources = tuple(" ".join(of_sentence[0].tokens) for of_sentence in by_sentence.values())
    elif settings.corpus_source == "corpora":
        sources = tuple(versions[int(rng.integers(len(versions)))] for versions in zip(*corpora, strict=True))
    else:
        sources = tuple(_draw_any_correction(of_sentence, rng) for of_sentence in by_sentence.values())
    return CorpusSample(sentences=tuple(by_sentence), sources=sources, corpora=corpora)


def _draw_correction(
    of_sentence: Sequence[Lattice], model: float, *, settings: MaegeSettings, rng: np.random.Generator
) -> str:
    lattice = of_sentence[int(rng.integers(len(of_sentence)))]
    size = min(draw_edit_count(model, settings, rng), len(lattice.edits))
    return lattice.correction(rng.choice(len(lattice.edits), size, replace=False).tolist())


def draw_edit_count(model: float, settings: MaegeSettings, rng: np.random.Generator) -> int:
    """From the binomial of a model; 0 where its mean is not above its variance, as no such binomial exists."""
    if model <= settings.variance:
        return 0
    share = 1 - settings.variance / model
    trials = model / share
    whole = int(trials)
    if settings.edits_drawn == "exact":  # n is no whole number: one trial more, as often as keeps the mean
        whole += int(rng.random() < trials - whole)
    return int(rng.binomial(whole, share))


def _draw_any_correction(of_sentence: Sequence[Lattice], rng: np.random.Generator) -> str:
    lattice = of_sentence[int(rng.integers(len(of_sentence)))]
    return lattice.correction(np.flatnonzero(rng.random(len(lattice.edits)) < 0.5).tolist())


# The lattice of corrections of a sentence (MAEGE, Choshen & Abend 2018, §4).
#
#     E(s, a) = 2^edits(s, a),   x < y  iff  x ⊂ y
#
# Every subset of an annotator's edits makes a correction; applying more of them is better. A chain is a way up, edit by
# edit, from the original to the annotator's correction.


@dataclass(frozen=True)
class Lattice:
    """The corrections that subsets of ``edits`` make of a sentence; ``conflicts`` were left out."""

    tokens: tuple[str, ...]
    edits: tuple[Edit, ...]
    conflicts: int = 0

    @classmethod
    def of(cls, source: str, edits: Iterable[Edit]) -> Lattice:
        """Edits that share a word cannot be applied independently: of these only the first by position is kept.

        >>> Lattice.of("a b c", [Edit(0, 2, ("x",)), Edit(1, 2, ("y",)), Edit(2, 3, ("z",))]).conflicts
        1
        """
        kept: list[Edit] = []
        conflicts = 0
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            if kept and edit.start < kept[-1].end:
                conflicts += 1
            else:
                kept.append(edit)
        return cls(tuple(source.split()), tuple(kept), conflicts)

    def correction(self, chosen: Iterable[int]) -> str:
        """What a subset of the edits makes of the sentence."""
        return apply_edits(self.tokens, [self.edits[i] for i in sorted(chosen)])

    def chain(self, order: Sequence[int]) -> tuple[str, ...]:
        """The corrections on the way up, edits applied in this order: the original first.

        >>> Lattice.of("he go home", [Edit(0, 1, ("He",)), Edit(1, 2, ("goes",))]).chain([1, 0])
        ('he go home', 'he goes home', 'He goes home')
        """
        prefixes = accumulate(([i] for i in order), initial=[])
        return tuple(self.correction(prefix) for prefix in prefixes)

    def orders(self, count: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
        """So many different ways up, at random; all of them where there are no more."""
        size = len(self.edits)
        if size <= 12 and factorial(size) <= count:  # the factorial of a long list takes long
            return list(permutations(range(size)))
        drawn: dict[tuple[int, ...], None] = {}
        while len(drawn) < count:
            drawn[tuple(rng.permutation(size).tolist())] = None
        return list(drawn)


Ties = Literal["half", "concordant", "discordant", "argsort"]
Source = Literal["random", "original"]

MOST_EDITS = 1_000_000  # far above any sentence, far below what a binomial can draw
MOST_CHAINS = 10_000  # per annotation; with more, only memory and waiting grow


@dataclass(frozen=True, kw_only=True)
class MaegeSettings:
    """How lattices are sampled and metrics judged. ``MaegeSettings.preset`` makes those of the paper and of its code.

    Parameters
    ----------
    models
        The mean number of edits in each sampled corpus.
    variance
        The variance of the number of edits.
    chains
        How many chains to draw from the lattice of each annotation.
    source
        What metrics get as source: a random correction of the lattice, or the original.
    ties
        What two equal scores count as in τ: half, concordant, discordant, or as ``numpy.argsort`` orders them.
    unique_pairs
        Whether a pair of corrections counts once, though several chains hold it.
    linear
        What the scores for Pearson's r start from: edits per token or per character.
    delta
        What Δ of an edit is taken against: the correction before it, or the first of the chain.
    corpus_score
        The metric's own score of a corpus, or the mean of its sentence scores.
    edits_drawn
        Whether the number of edits has its mean exactly, or the binomial's n is cut to a whole number.
    corpus_source
        Where the sources of corpora come from: the lattice, or one of the sampled corpora.
    drop_unchanged
        Whether to leave out sentences that some annotator does not edit.
    annotators
        The fewest annotators who must edit a sentence for chains to be drawn from it.
    drop_paragraphs
        Whether to leave out texts of more than 300 characters with two full stops or more.
    """

    models: tuple[float, ...] = tuple(float(m) for m in range(11))
    variance: float = 0.9
    chains: int = 1
    source: Source = "random"
    ties: Ties = "half"
    unique_pairs: bool = True
    linear: Literal["tokens", "characters"] = "tokens"
    delta: Literal["previous", "first"] = "previous"
    corpus_score: Literal["corpus", "mean"] = "corpus"
    edits_drawn: Literal["exact", "truncated"] = "exact"
    corpus_source: Literal["lattice", "corpora"] = "lattice"
    drop_unchanged: bool = True
    annotators: int = 1
    drop_paragraphs: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "models", tuple(map(float, self.models)))
        for model in self.models:
            if not 0 <= model <= MOST_EDITS:
                raise InputError(f"a model makes 0 to {MOST_EDITS} edits on average, not {model}", parameter="models")
        if not 0 <= self.variance < MOST_EDITS:
            raise InputError(f"variance is a number from 0 on, not {self.variance}", parameter="variance")
        if not 1 <= self.chains <= MOST_CHAINS:
            raise InputError(f"chains is a number from 1 to {MOST_CHAINS:,}, not {self.chains:,}", parameter="chains")
        for name, hint in get_type_hints(type(self)).items():
            value, choices = getattr(self, name), get_args(hint)
            if get_origin(hint) is Literal and value not in choices:
                raise InputError(f"{name} is one of {', '.join(choices)}, not {value!r}", parameter=name)

    def signature(self) -> str:
        """All settings.

        >>> MaegeSettings(models=(0, 0.5)).signature()[:40]
        'models:0,0.5|variance:0.9|chains:1|sourc'
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["models"] = ",".join(f"{model:g}" for model in self.models)
        return "|".join(f"{name}:{value}" for name, value in values.items())

    @classmethod
    def preset(cls, name: str, **changes: Any) -> MaegeSettings:
        """The settings of a preset (``default``, ``paper`` or ``code``), with changes. None changes nothing.

        Examples
        --------
        >>> MaegeSettings.preset("paper", source="original", chains=None).ties
        'concordant'
        """
        if name not in PRESETS:
            raise InputError(f"there is no preset {name!r}; there is {', '.join(PRESETS)}", parameter="preset")
        return replace(PRESETS[name], **{field: value for field, value in changes.items() if value is not None})


PRESETS = {
    "default": MaegeSettings(),
    "paper": MaegeSettings(ties="concordant"),
    "code": MaegeSettings(
        ties="argsort",
        unique_pairs=False,
        linear="characters",
        delta="first",
        corpus_score="mean",
        edits_drawn="truncated",
        corpus_source="corpora",
        annotators=2,
        drop_paragraphs=True,
    ),
}
