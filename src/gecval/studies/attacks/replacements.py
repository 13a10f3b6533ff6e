"""What annotators replace by what, over a whole corpus: the raw material of safe edits and of the lottery.

An edit counts as a pair of words before and after. A word that is only added takes the next word along (or the last
one, at the end of the sentence), so that it has a place where it fits: "→ the" before "dog" is "dog → the dog".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

from gecval.corpus import Corpus
from gecval.edit import Edit
from gecval.edits.annotate import annotate

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
        windows = [
            Counter({run: count * len(references) for run, count in _runs(source.split(), wanted).items()})
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
        for start in range(len(words)):
            for before, after in self._starting_with.get(words[start], ()):
                if tuple(words[start : start + len(before)]) == before:
                    changed = [*words[:start], *after, *words[start + len(before) :]]
                    yield Variant((before, after), " ".join(changed))

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


def _runs(words: Sequence[str], wanted: set[Words]) -> Counter[Words]:
    """How often each of the wanted runs of words stands in a sentence."""
    lengths = {len(run) for run in wanted}
    runs = (tuple(words[i : i + length]) for length in lengths for i in range(len(words) - length + 1))
    return Counter(run for run in runs if run in wanted)
