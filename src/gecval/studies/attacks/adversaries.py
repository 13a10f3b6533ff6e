"""Simple adversaries: each turns a corpus into an output that nobody would call a correction.

An adversary that cannot be made from a corpus says why in an ``InputError``; the study leaves it out with a note.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.studies.attacks.replacements import Replacements

CONSTANT = "This is a good sentence ."
FEWEST_USES = 2  # a replacement that one annotator made once is no habit
LEAST_SHARE = 0.5  # of the places where a replacement fits: below it, the replacement is wrong more often than right

Make = Callable[[Corpus, np.random.Generator], Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Adversary:
    """A way to make outputs without correcting anything. ``about`` says what it does."""

    name: str
    about: str
    make: Make


def _source(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
    return corpus.sources


def _empty(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
    return [""] * len(corpus)


def _constant(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
    return [CONSTANT] * len(corpus)


def _shuffled(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
    words = [source.split() for source in corpus.sources]
    return [" ".join(listed[i] for i in rng.permutation(len(listed))) for listed in words]


def _repeated(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
    return [" ".join(f"{word} {word}" for word in source.split()) for source in corpus.sources]


def _capitals(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
    return [source.upper() for source in corpus.sources]


def _unrelated(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
    """The first reference of the next sentence, or the next source where that has no reference."""
    if len(corpus) < 2:
        raise InputError("it takes two sentences or more")
    fluent = [next(iter(corpus.texts_of(i)), source) for i, source in enumerate(corpus.sources)]
    return [*fluent[1:], fluent[0]]


def _needless(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
    """The full stop at the end becomes an exclamation mark. A sentence without a full stop gets one."""
    return [
        f"{source.removesuffix('.').rstrip()} !" if source.endswith(".") else f"{source} ." for source in corpus.sources
    ]


def _safe(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
    """The source with the one replacement that references make most reliably in the other sentences, if any does."""
    table = corpus.derived(Replacements.of).frequent(FEWEST_USES)
    outputs = []
    for i, source in enumerate(corpus.sources):
        shares = [
            (share, variant.text)
            for variant in table.variants(source.split())
            if table.uses(variant.replacement, without=i) >= FEWEST_USES
            and (share := table.share(variant.replacement, without=i)) >= LEAST_SHARE
        ]
        outputs.append(max(shares, key=lambda pair: pair[0], default=(LEAST_SHARE, source))[1])
    return outputs


SOURCE = Adversary(name="source", about="the source as it is", make=_source)
ADVERSARIES = (
    SOURCE,
    Adversary(name="empty", about="an empty line", make=_empty),
    Adversary(name="constant", about=f"always the same sentence: {CONSTANT}", make=_constant),
    Adversary(name="shuffled", about="the words of the source in random order", make=_shuffled),
    Adversary(name="repeated", about="every word of the source twice", make=_repeated),
    Adversary(name="capitals", about="the source in capitals", make=_capitals),
    Adversary(name="unrelated", about="fluent, but a correction of the next sentence", make=_unrelated),
    Adversary(name="needless edit", about="the source with ! for the full stop, or with a stop added", make=_needless),
    Adversary(
        name="safe edit",
        about="the source with one replacement at most: the one most reliable in the references of other sentences",
        make=_safe,
    ),
)
