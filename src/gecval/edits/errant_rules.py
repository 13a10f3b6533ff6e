"""How ERRANT finds edits in two parsed texts: its alignment costs, and the errant library's merging and types.

    substitution = 0 if only case differs, else lemma {0, .499} + part of speech {0, .25, .5} + spelling [0, 1]

A part of speech costs .25 if both are content words. Spelling is the share of letters outside a longest common
subsequence. The library has other ways too, its options ``-lev`` and ``-merge``:

    alignment   linguistic: as above.  levenshtein: every substitution costs 1, and no step changes the order of words
    merging     rules: the library's.  all-split: each step is an edit.  all-merge: neighbours are one edit.
                all-equal: neighbours of the same operation are one edit
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from gecval.edit import Edit
from gecval.edits.alignment import Costs, KindCosts, Step, align
from gecval.errors import MissingExtraError
from gecval.models.spacy_parser import Sentence

Tokens = Sentence | list[Any]
CONTENT_WORDS = ("ADJ", "ADV", "NOUN", "VERB")
# The library's merging tries all parts of a run of changed words, one inside the other. For texts without a common
# word, 250 steps took it 1 to 6 seconds, and 500 steps more than a minute.
LONGEST_RUN = 250
ALIGNMENTS = ("linguistic", "levenshtein")
MERGING = ("rules", "all-split", "all-merge", "all-equal")


class Way(NamedTuple):
    """How tokens are aligned, and what becomes of steps side by side."""

    alignment: str = ALIGNMENTS[0]
    merging: str = MERGING[0]


USUAL = Way()


def errant_edits(source: Sentence, corrected: Sentence, way: Way = USUAL) -> list[Edit]:
    """The typed edits from source to corrected."""
    rules = _rules()
    merged = merged_edits(source, corrected, way=way)
    return [Edit(e.o_start, e.o_end, (e.c_str,), type=rules.classify(e).type) for e in merged]


def merged_edits(
    source: Sentence, corrected: Sentence, content: tuple[str, ...] = CONTENT_WORDS, way: Way = USUAL
) -> list[Any]:
    """The edits as the library has them, without types: aligned and merged."""
    words, words_corrected = [token.text for token in source], [token.text for token in corrected]
    if way.alignment == "levenshtein":
        steps = align(words, words_corrected, lambda n, m: np.ones((n, m)), reorder=False)
    else:
        steps = align(words, words_corrected, lambda n, m: _kind_costs(source[:n], corrected[:m], content))
    if way.merging == "rules":
        merged: list[Any] = _rules().merge(_Alignment(source, corrected, _without_endless_runs(steps)))
        return merged
    edit = import_module("errant.edit").Edit
    return [edit(source, corrected, list(span)) for span in _merged_spans(steps, way.merging)]


def _merged_spans(steps: list[Step], merging: str) -> Iterator[tuple[int, int, int, int]]:
    """The spans of edits: source start and end, corrected start and end."""
    keys: dict[str, Callable[[Step], object]] = {
        "all-split": lambda step: step,
        "all-merge": lambda step: step.operation == "M",
        "all-equal": lambda step: step.operation,
    }
    for _, group in groupby(steps, key=keys[merging]):
        run = list(group)
        if run[0].operation != "M":
            yield run[0].start, run[-1].end, run[0].start_corrected, run[-1].end_corrected


@dataclass(frozen=True)
class _Alignment:
    """What the library's merging looks at."""

    orig: Sentence
    cor: Sentence
    align_seq: list[Step]


@lru_cache(maxsize=1)
def _rules() -> Any:
    """The library's rules for English. They need the parses only, so they get no spaCy model."""
    try:
        merger, classifier = (import_module(f"errant.en.{name}") for name in ("merger", "classifier"))
    except ImportError:
        raise MissingExtraError("merging edits by ERRANT's rules", "errant") from None
    return import_module("errant.annotator").Annotator("en", None, merger, classifier)


def _kind_costs(source: Sentence, corrected: Sentence, content: tuple[str, ...]) -> KindCosts:
    """The costs, computed once for words of equal text, lemma and part of speech."""
    (kinds, of_source), (kinds_corrected, of_corrected) = map(_kinds, (source, corrected))
    return KindCosts(kinds, kinds_corrected, _substitution_costs(of_source, of_corrected, content))


def _kinds(tokens: Sentence) -> tuple[NDArray[np.int32], list[Any]]:
    """The kind of each token, and a token of each kind."""
    numbers: dict[tuple[Any, ...], int] = {}
    first: list[Any] = []
    kinds = np.empty(len(tokens), dtype=np.int32)
    for i, token in enumerate(tokens):
        key = (token.text, token.lower_, token.lemma, token.pos_)
        kinds[i] = numbers.setdefault(key, len(numbers))
        if len(numbers) > len(first):
            first.append(token)
    return kinds, first


def _substitution_costs(source: Tokens, corrected: Tokens, content: tuple[str, ...] = CONTENT_WORDS) -> Costs:
    same_lemma = _equal([t.lemma for t in source], [t.lemma for t in corrected])
    same_lower = _equal([t.lower_ for t in source], [t.lower_ for t in corrected])
    same_class = _equal([t.pos_ for t in source], [t.pos_ for t in corrected])
    both_content = np.logical_and.outer(*([t.pos_ in content for t in tokens] for tokens in (source, corrected)))
    spelling = cdist(
        [t.text for t in source], [t.text for t in corrected], scorer=Indel.normalized_distance, dtype=np.float64
    )
    # The order of these sums decides ties.
    cost = np.where(same_lemma, 0, 0.499) + np.where(same_class, 0, np.where(both_content, 0.25, 0.5)) + spelling
    costs: Costs = np.where(same_lower, 0.0, cost)
    return costs


def _equal(source: list[str], corrected: list[str]) -> NDArray[np.bool_]:
    """Which source text equals which corrected text. Numbers are compared: numpy's strings lose a NUL at their end."""
    numbers: dict[str, int] = {}
    a, b = (np.array([numbers.setdefault(text, len(numbers)) for text in texts]) for texts in (source, corrected))
    equal: NDArray[np.bool_] = np.equal.outer(a, b)
    return equal


def _without_endless_runs(steps: list[Step]) -> list[Step]:
    """The steps. A run of insertions, deletions and substitutions that is too long becomes one substitution."""
    shortened: list[Step] = []
    for apart, group in groupby(steps, key=lambda step: step.operation[0] in "MT"):
        run = list(group)
        if not apart and len(run) > LONGEST_RUN:
            run = [Step("S", run[0].start, run[-1].end, run[0].start_corrected, run[-1].end_corrected)]
        shortened += run
    return shortened
