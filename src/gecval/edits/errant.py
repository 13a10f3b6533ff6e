"""Typed edits between English texts, found by ERRANT (Bryant, Felice & Briscoe 2017).

    parse both texts → align their tokens → merge neighbours by rules → classify, as in R:VERB:SVA

The edits of two texts are kept in the cache under the versions of errant, spaCy and its model. A second run needs none
of these. ``alignment`` and ``merging`` are the ways that errant_parallel has as ``-lev`` and ``-merge``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from importlib import import_module
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from gecval.corpus.edit import Edit, operation
from gecval.edits.alignment import MOST_CELLS, AlignmentStep, Costs, KindCosts, align
from gecval.errors import InputError, import_extra
from gecval.models.cache import open_cache
from gecval.models.spacy_parser import DEFAULT_MODEL, ParsedSentence, ParsedToken, SpacyParser, installed_version
from gecval.runtime.processes import in_processes
from gecval.runtime.run import SERIAL, Run, announce

# How ERRANT finds edits in two parsed texts: its alignment costs, and the errant library's merging and types.
#
#     substitution = 0 if only case differs, else lemma {0, .499} + part of speech {0, .25, .5} + spelling [0, 1]
#
# A part of speech costs .25 if both are content words. Spelling is the share of letters outside a longest common
# subsequence. The library has other ways too, its options ``-lev`` and ``-merge``:
#
#     alignment   linguistic: as above.  levenshtein: every substitution costs 1, and no step changes the order of words
#     merging     rules: the library's.  all-split: each step is an edit.  all-merge: neighbours are one edit.
#                 all-equal: neighbours of the same operation are one edit


Tokens = ParsedSentence | list[Any]
CONTENT_WORDS = ("ADJ", "ADV", "NOUN", "VERB")
# The library's merging tries all parts of a run of changed words, one inside the other. For texts without a common
# word, 250 steps took it 1 to 6 seconds, and 500 steps more than a minute.
LONGEST_RUN = 250
LONGEST_RUN_OF_LONG_TEXT = 40  # of texts that are not aligned in one piece: they may have hundreds of such runs
ALIGNMENTS = ("linguistic", "levenshtein")
MERGING = ("rules", "all-split", "all-merge", "all-equal")


class Way(NamedTuple):
    """How tokens are aligned, and what becomes of steps side by side."""

    alignment: str = ALIGNMENTS[0]
    merging: str = MERGING[0]


USUAL = Way()


def errant_edits(source: ParsedSentence, corrected: ParsedSentence, way: Way = USUAL) -> list[Edit]:
    """The typed edits from source to corrected."""
    rules = _rules()
    merged = merged_edits(source, corrected, way=way)
    return [Edit(e.o_start, e.o_end, (e.c_str,), type=rules.classify(e).type) for e in merged]


def merged_edits(
    source: ParsedSentence, corrected: ParsedSentence, content: tuple[str, ...] = CONTENT_WORDS, way: Way = USUAL
) -> list[Any]:
    """The edits as the library has them, without types: aligned and merged."""
    words, words_corrected = [token.text for token in source], [token.text for token in corrected]
    if way.alignment == "levenshtein":
        steps = align(
            words, words_corrected, lambda i, j: np.ones((len(words[i]), len(words_corrected[j]))), reorder=False
        )
    else:
        steps = align(words, words_corrected, lambda i, j: _kind_costs(source[i], corrected[j], content))
    if way.merging == "rules":
        longest = LONGEST_RUN if len(words) * len(words_corrected) <= MOST_CELLS else LONGEST_RUN_OF_LONG_TEXT
        merged: list[Any] = _rules().merge(_Alignment(source, corrected, _without_endless_runs(steps, longest)))
        return merged
    edit = import_module("errant.edit").Edit
    return [edit(source, corrected, list(span)) for span in _merged_spans(steps, way.merging)]


def _merged_spans(steps: list[AlignmentStep], merging: str) -> Iterator[tuple[int, int, int, int]]:
    """The spans of edits: source start and end, corrected start and end."""
    keys: dict[str, Callable[[AlignmentStep], object]] = {
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

    orig: ParsedSentence
    cor: ParsedSentence
    align_seq: list[AlignmentStep]


@lru_cache(maxsize=1)
def _rules() -> Any:
    """The library's rules for English. They need the parses only, so they get no spaCy model."""
    what = "merging edits by ERRANT's rules"
    merger, classifier = (import_extra(f"errant.en.{name}", what, "errant") for name in ("merger", "classifier"))
    return import_module("errant.annotator").Annotator("en", None, merger, classifier)


def _kind_costs(source: ParsedSentence, corrected: ParsedSentence, content: tuple[str, ...]) -> KindCosts:
    """The costs, computed once for words of equal text, lemma and part of speech."""
    (kinds, of_source), (kinds_corrected, of_corrected) = map(_kinds, (source, corrected))
    return KindCosts(kinds, kinds_corrected, _substitution_costs(of_source, of_corrected, content))


def _kinds(tokens: ParsedSentence) -> tuple[NDArray[np.int32], list[Any]]:
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


def _without_endless_runs(steps: list[AlignmentStep], longest: int) -> list[AlignmentStep]:
    """The steps. A run of insertions, deletions and substitutions that is too long becomes one substitution."""
    shortened: list[AlignmentStep] = []
    for apart, group in groupby(steps, key=lambda step: step.operation[0] in "MT"):
        run = list(group)
        if not apart and len(run) > longest:
            run = [AlignmentStep("S", run[0].start, run[-1].end, run[0].start_corrected, run[-1].end_corrected)]
        shortened += run
    return shortened


Pair = tuple[str, str]

BLOCK = 256  # pairs; what an interrupt may cost
WORTH_PROCESSES = 2000  # pairs; below, loading spaCy once more takes longer than it saves


@dataclass(frozen=True)
class ErrantExtractor:
    """Edits by ERRANT with a spaCy model, by the name of its package or the path of its folder."""

    model: str = DEFAULT_MODEL
    alignment: str = USUAL.alignment
    merging: str = USUAL.merging

    language: ClassVar[str | None] = "en"

    def __post_init__(self) -> None:
        if not isinstance(self.model, str):
            raise InputError(f"errant: model must be a text in quotes, not {self.model!r}")
        for name, value, allowed in zip(Way._fields, self._way, (ALIGNMENTS, MERGING), strict=True):
            if value not in allowed:
                raise InputError(f"errant: {name} must be one of {', '.join(allowed)}, not {value!r}")

    @property
    def _way(self) -> Way:
        return Way(self.alignment, self.merging)

    @cached_property
    def signature(self) -> str:
        pairs = zip(Way._fields, self._way, USUAL, strict=True)
        unusual = "".join(f"|{name}:{value}" for name, value, usual in pairs if value != usual)
        return f"errant:{installed_version('errant')}{unusual}|{SpacyParser(self.model).signature}"

    @classmethod
    def from_signature(cls, signature: str) -> ErrantExtractor:
        """The extractor that a signature names, with the versions that are installed here."""
        fields = dict(field.partition(":")[::2] for field in signature.split("|"))
        *_, model = fields  # errant:VERSION|merging:WAY|spacy:VERSION|MODEL:VERSION
        return cls(model, **{name: fields[name] for name in Way._fields if name in fields})

    def edits(self, pairs: Sequence[Pair], *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        cache = open_cache(f"edits-1|{self.signature}")
        keys = [_key(pair) for pair in pairs]
        # Sorted, all pairs of a source stand together, so one process parses it, once.
        changed = sorted({"\n".join(key) for key in keys if key[0] != key[1]})
        known = cache.answers(changed, lambda new: self._extract_batches(new, run), run=run)
        return [_edits(known["\n".join(key)]) if key[0] != key[1] else () for key in keys]

    def _extract_batches(self, pairs: list[str], run: Run) -> Iterator[dict[str, str]]:
        """The edits of pairs as text; a pair is two lines. Several processes work where there are many pairs."""
        announce(run.progress, "finding edits with errant")
        blocks = [pairs[start : start + BLOCK] for start in range(0, len(pairs), BLOCK)]
        if run.threads == 1 or len(pairs) < WORTH_PROCESSES:
            yield from (_extract(self.model, self._way, block) for block in blocks)
            return
        yield from in_processes(partial(_extract, self.model, self._way), blocks, jobs=run.threads)


def _key(pair: Pair) -> Pair:
    """Blanks separate tokens and mean nothing else."""
    source, corrected = pair
    return " ".join(source.split()), " ".join(corrected.split())


def _extract(model: str, way: Way, pairs: list[str]) -> dict[str, str]:
    """The edits of pairs, as text."""
    parsed = SpacyParser(model).parse(text for pair in pairs for text in pair.split("\n"))
    texts = {}
    for pair in pairs:
        source, corrected = pair.split("\n")
        edits = errant_edits(parsed[source], parsed[corrected], way)
        texts[pair] = json.dumps([[e.start, e.end, e.correction, e.type] for e in edits], ensure_ascii=False)
    return texts


def _edits(value: str) -> tuple[Edit, ...]:
    return tuple(Edit(start, end, (correction,), type=kind) for start, end, correction, kind in json.loads(value))


# ERRANT's alignment and merging over words without tags, as the scorer of MultiGEC-2025 does it in any language.
#
#     substitution = 0 if only case differs, else spelling [0, 1]
#
# That scorer means to parse with UDPipe. By an oversight in its public code no parser takes part: every word has an
# empty lemma and an empty part of speech, whatever the model. So its precision, recall and F need no model. The types
# that it prints mean nothing; these only say what happens: M (missing), U (unneeded), R (replaced).


@dataclass(frozen=True)
class UntaggedExtractor:
    """Edits by ERRANT's rules for words of which nothing is known."""

    language: ClassVar[str | None] = None  # any
    only_types: ClassVar[tuple[str, ...]] = ("M", "R", "U")

    @property
    def signature(self) -> str:
        return f"multigec|errant:{installed_version('errant')}"

    def edits(self, pairs: Sequence[tuple[str, str]], *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        known: dict[tuple[str, str], tuple[Edit, ...]] = {}
        for done, pair in enumerate(pairs, start=1):
            if pair not in known:
                known[pair] = untagged_edits(*pair)
            if done % 1000 == 0 or done == len(pairs):
                run.progress(done, len(pairs))
        return [known[pair] for pair in pairs]


def untagged_edits(source: str, corrected: str) -> tuple[Edit, ...]:
    """The edits between two texts."""
    merged = merged_edits(_parse_untagged(source), _parse_untagged(corrected))
    return tuple(
        Edit(
            e.o_start,
            e.o_end,
            (e.c_str,),
            type=operation(e.o_end - e.o_start, e.c_end - e.c_start),
        )
        for e in merged
    )


def _parse_untagged(text: str) -> ParsedSentence:
    sentence = ParsedSentence()
    for word in text.split():
        sentence.append(ParsedToken(sentence, word, "", 0, "", "", "", 0, word.lower()))
    return sentence
