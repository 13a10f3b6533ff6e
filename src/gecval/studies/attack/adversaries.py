"""Simple adversaries: each turns a corpus into an output that nobody would call a correction.

An adversary that cannot be made from a corpus says why in an ``InputError``; the study leaves it out with a note.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus
from gecval.corpus.edit import Edit
from gecval.edits.annotate import annotate
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import SERIAL, Run
from gecval.studies.scores.preparation import Edits, prepare

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


def _shuffle(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
    words = [source.split() for source in corpus.sources]
    return [" ".join(listed[i] for i in rng.permutation(len(listed))) for listed in words]


def _repeat(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
    return [" ".join(f"{word} {word}" for word in source.split()) for source in corpus.sources]


def _capitals(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
    return [source.upper() for source in corpus.sources]


def _take_unrelated(corpus: Corpus, rng: np.random.Generator) -> Sequence[str]:
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
    table = corpus.derive(Replacements.of).frequent(FEWEST_USES)
    outputs = []
    for i, source in enumerate(corpus.sources):
        words = source.split()
        shares = [
            (share, start, replacement)
            for start, replacement in table.fitting(words)
            if table.uses(replacement, without=i) >= FEWEST_USES
            and (share := table.share(replacement, without=i)) >= LEAST_SHARE
        ]
        best = max(shares, key=lambda found: found[0], default=None)
        outputs.append(source if best is None else _replace(words, *best[1:]))
    return outputs


SOURCE = Adversary(name="source", about="the source as it is", make=_source)
ADVERSARIES = (
    SOURCE,
    Adversary(name="empty", about="an empty line", make=_empty),
    Adversary(name="constant", about=f"always the same sentence: {CONSTANT}", make=_constant),
    Adversary(name="shuffled", about="the words of the source in random order", make=_shuffle),
    Adversary(name="repeated", about="every word of the source twice", make=_repeat),
    Adversary(name="capitals", about="the source in capitals", make=_capitals),
    Adversary(name="unrelated", about="fluent, but a correction of the next sentence", make=_take_unrelated),
    Adversary(name="needless edit", about="the source with ! for the full stop, or with a stop added", make=_needless),
    Adversary(
        name="safe edit",
        about="the source with one replacement at most: the one most reliable in the references of other sentences",
        make=_safe,
    ),
)


# What annotators replace by what, over a whole corpus: the raw material of safe edits and of hill climbing.
#
# An edit counts as a pair of words before and after. A word that is only added takes the next word along (or the last
# one, at the end of the sentence), so that it has a place where it fits: "→ the" before "dog" is "dog → the dog".


Item = TypeVar("Item")
Words = tuple[str, ...]
Replacement = tuple[Words, Words]


class Variant(NamedTuple):
    """A sentence with one replacement made."""

    replacement: Replacement
    text: str


@dataclass(frozen=True)
class Replacements:
    """How often each replacement is made in the references of each sentence, and how often it could be.

    >>> references = [["the dog ran"], ["the dog sat"], ["the dog"]]
    >>> table = Replacements.of(Corpus.from_texts(["dog ran", "dog sat", "the dog"], references))
    >>> added = (("dog",), ("the", "dog"))
    >>> table.uses(added), table.uses(added, without=0), round(table.share(added), 3)
    (2, 1, 0.667)
    >>> [variant.text for variant in table.variants(["dog", "!"])]
    ['the dog !']
    """

    by_sentence: Sequence[Counter[Replacement]]
    made: Counter[Replacement]
    windows: Sequence[Counter[Words]]  # for each sentence, how many chances its words give, a reference each
    chances: Counter[Words]

    @classmethod
    def of(cls, corpus: Corpus) -> Replacements:
        """From the edits of the references; plain rules find them in references that are only text."""
        corpus = corpus if corpus.has_edits() else annotate(corpus, "plain")
        by_sentence: list[Counter[Replacement]] = []
        for source, references in zip(corpus.sources, corpus.references, strict=True):
            words = source.split()
            edits = [edit for reference in references for edit in reference.edits or ()]
            by_sentence.append(Counter(filter(None, (_replacement(words, edit) for edit in edits))))
        made = _total(by_sentence)
        wanted = {before for before, _ in made}
        lengths = {len(run) for run in wanted}
        windows = [
            Counter({run: count * len(references) for run, count in _runs(source.split(), wanted, lengths).items()})
            for source, references in zip(corpus.sources, corpus.references, strict=True)
        ]
        return cls(by_sentence, made, windows, _total(windows))

    def uses(self, replacement: Replacement, *, without: int | None = None) -> int:
        """How often annotators make a replacement, in all sentences or in all but one."""
        own = 0 if without is None else self.by_sentence[without][replacement]
        return self.made[replacement] - own

    def share(self, replacement: Replacement, *, without: int | None = None) -> float:
        """How often annotators make a replacement where its words stand."""
        own = 0 if without is None else self.windows[without][replacement[0]]
        chances = self.chances[replacement[0]] - own
        return self.uses(replacement, without=without) / chances if chances else 0.0

    def frequent(self, least: int) -> Replacements:
        """Only the replacements that are made so often."""
        return replace(self, made=Counter({pair: count for pair, count in self.made.items() if count >= least}))

    def variants(self, words: Sequence[str]) -> Iterator[Variant]:
        """The sentence with each replacement that fits made once, from left to right, the most frequent first."""
        for start, replacement in self.fitting(words):
            yield Variant(replacement, _replace(words, start, replacement))

    def fitting(self, words: Sequence[str]) -> Iterator[tuple[int, Replacement]]:
        """The places of a sentence and the replacements that fit there, in the order of ``variants``."""
        for start, word in enumerate(words):
            for replacement in self._starting_with.get(word, ()):
                before, _ = replacement
                if len(before) == 1 or tuple(words[start : start + len(before)]) == before:
                    yield start, replacement

    @cached_property
    def _starting_with(self) -> dict[str, list[Replacement]]:
        by_word: dict[str, list[Replacement]] = {}
        for before, after in sorted(self.made, key=lambda replacement: (-self.made[replacement], replacement)):
            by_word.setdefault(before[0], []).append((before, after))
        return by_word


def _total(counts: Iterable[Counter[Item]]) -> Counter[Item]:
    total: Counter[Item] = Counter()
    for counted in counts:
        total.update(counted)
    return total


def _replacement(words: Sequence[str], edit: Edit) -> Replacement | None:
    before, after = tuple(words[edit.start : edit.end]), tuple(edit.correction.split())
    if not before and edit.start < len(words):
        before, after = (words[edit.start],), (*after, words[edit.start])
    elif not before and words:
        before, after = (words[-1],), (words[-1], *after)
    return (before, after) if before and before != after else None


def _replace(words: Sequence[str], start: int, replacement: Replacement) -> str:
    """The sentence with a replacement made."""
    before, after = replacement
    return " ".join([*words[:start], *after, *words[start + len(before) :]])


def _runs(words: Sequence[str], wanted: set[Words], lengths: set[int]) -> Counter[Words]:
    """How often each of the wanted runs of words stands in a sentence."""
    runs = (tuple(words[i : i + length]) for length in lengths for i in range(len(words) - length + 1))
    return Counter(run for run in runs if run in wanted)


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
    run: Run = SERIAL

    def climb(self, rng: np.random.Generator) -> list[str]:
        """The best variant of every sentence that was met on the way."""
        table = self.seen.derive(Replacements.of).frequent(FREQUENT)
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
        [prepared] = prepare(corpus, [system], [self.metric], extractor=self.extractor, run=self.run)
        return (
            self.metric.direction * Evaluation.of(self.metric, prepared, system, run=self.run.quiet()).sentence_scores()
        )
