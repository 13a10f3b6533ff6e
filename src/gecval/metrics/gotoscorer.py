"""GoToScorer (Gotou et al. 2020): F over the chunks of one reference, where difficult chunks count more.

    weight of a chunk = a − (n + b) / (N + c)      n of the pool's N systems are right on it
    P = tp / (tp + fp)      R = tp / (tp + fn)      F_β = (1 + β²)PR / (β²P + R), sums of weights; 0 / 0 is 0

A chunk is an edit of the reference, a word that it keeps, or an empty place between words.
``tried`` chunks are those that the output edits: right ones are tp, wrong ones fp, and fn too where the reference has
an edit. Of the others, right ones are tn and wrong ones fn.

``pool`` says whose outputs tell the difficulty: ``outputs`` (the systems that are scored), a file or folder of outputs,
or ``none`` (every chunk weighs 1). Its hash is in the signature. With ``leave_one_out`` no system has a say in its own
weights. ``reference`` is the number of the reference, from 0. ``smoothing`` is (a, b, c). Weights stay in resamples.

``form="gec-metrics"`` does what that library does otherwise: a pool's system is right on a chunk if it has the same
words anywhere; a missed insertion inside a stretch that the output replaces is right; an insertion before a word is no
attempt on that word; of several insertions of the output at one place, only the first is judged; and without fp P = 1,
without fn R = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.errors import InputError
from gecval.metrics.base import (
    Array,
    EditFindingMetric,
    PageFormula,
    Ratio,
    Statistics,
    check_flag,
    check_numbers,
    check_one_of,
    check_positive,
    check_text,
    check_whole,
    f_score,
    ratio,
)
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.metrics.system_pool import NO_POOL, OUTPUTS, pool_signature, pool_systems
from gecval.runtime.run import SERIAL, Run

FORMS = ("author", "gec-metrics")
ALONE = (
    "gotoscorer: this score means nothing: its weights come from several systems, and here are fewer than two, so what "
    "one gets right weighs 0; score several systems together, name a folder of others, gotoscorer(pool='outputs/'), or "
    "weigh all chunks alike, gotoscorer(pool='none')"
)


@dataclass(frozen=True, repr=False)
class GoToScorer(EditFindingMetric):
    name: ClassVar[str] = "gotoscorer"
    title: ClassVar[str] = "GoToScorer"
    summary: ClassVar[str] = "F over chunks, weighted by how few systems get them right"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Gotou et al. 2020"
    rule: ClassVar[ReferenceRule] = Pooled()

    pool: str = OUTPUTS
    reference: int = 0
    smoothing: tuple[float, float, float] = (1, 0, 0)
    leave_one_out: bool = False
    form: str = "author"
    beta: float = field(default=0.5, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_text(self.name, pool=self.pool)
        check_whole(self.name, least=0, reference=self.reference)
        check_numbers(self.name, count=3, smoothing=self.smoothing)
        check_flag(self.name, leave_one_out=self.leave_one_out)
        check_one_of(self.name, FORMS, form=self.form)
        check_positive(self.name, beta=self.beta)

    @property
    def whole_corpus(self) -> str | None:
        return None if self.pool in (OUTPUTS, NO_POOL) else "the outputs of its pool are those of one corpus"

    @property
    def reads_files(self) -> bool:
        return self.pool not in (OUTPUTS, NO_POOL)

    def check(self, corpus: Corpus) -> None:
        super().check(corpus)
        counts = np.diff(corpus.reference_slots)
        if self.reference >= counts.min():
            number = int(np.argmin(counts)) + 1
            raise InputError(
                f"{self.name} looks at reference {self.reference} (from 0), and sentence {number} has {counts.min()}"
            )

    @property
    def needs_pool(self) -> bool:
        return self.pool == OUTPUTS

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Read the outputs of the pool, where they lie in files: one that cannot be read is refused early."""
        pool_systems(corpus, self.pool)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        outcomes = corpus.derive(Outcomes)
        gold = outcomes.gold(self.reference)

        def outcome(output: System) -> Outcome:
            return gold.outcome(self.hypothesis_edits(corpus, output, run=run), form=self.form)

        if self.pool == NO_POOL:
            return Statistics.one_per_sentence(gold.rows(*outcome(system), np.ones(len(gold))))

        def vote(output: System) -> Flags:
            if self.form == "author":
                return outcomes.cached("outcome", self, output, outcome)[1]
            return gold.vote(self.hypothesis_edits(corpus, output, run=run), form=self.form)

        pool = pool_systems(corpus, self.pool) or (system,)
        tried, correct = outcomes.cached("outcome", self, system, outcome) if system in pool else outcome(system)
        voters = [voter for voter in pool if not (self.leave_one_out and voter.name == system.name)]
        votes = [outcomes.cached("vote", self, voter, vote) for voter in voters]
        return Statistics.one_per_sentence(
            gold.rows(tried, correct, self.weights(votes, len(gold))), (ALONE,) if len(votes) < 2 else ()
        )

    def weights(self, votes: Sequence[Flags], chunks: int) -> Array:
        """The weight of each chunk, given on which chunks each system of the pool is right."""
        a, b, c = self.smoothing
        right = np.sum(votes, axis=0) if votes else np.zeros(chunks)
        weights: Array = a - ratio(right + b, np.full(chunks, float(len(votes) + c)), empty=0.0)
        return weights

    def data_signature(self, corpus: Corpus) -> list[str]:
        return pool_signature(corpus, self.pool)

    def score(self, totals: Array) -> Array:
        precision, recall = self._precision_recall(totals)
        return f_score(precision, recall, self.beta)

    def as_ratio(self) -> Ratio | None:
        """F = (1 + β²)·tp / ((1 + β²)·tp + fp + β²·fn)."""
        squared = self.beta**2
        return (1 + squared, 0, 0, 0), (1 + squared, 1, squared, 0)

    def page_formula(self) -> PageFormula | None:
        return {"name": "gotoscorer", "beta": self.beta, "empty": float(self.form != "author")}

    def parts(self, totals: Array) -> dict[str, float]:
        precision, recall = self._precision_recall(totals)
        tp, fp, fn, tn = map(float, totals)
        return {"precision": float(precision), "recall": float(recall), "tp": tp, "fp": fp, "fn": fn, "tn": tn}

    def _precision_recall(self, totals: Array) -> tuple[Array, Array]:
        tp, fp, fn = (totals[..., column] for column in range(3))
        empty = 0.0 if self.form == "author" else 1.0
        return ratio(tp, tp + fp, empty=empty), ratio(tp, tp + fn, empty=empty)


# How an output fares on the chunks of a reference (Gotou et al. 2020).
#
# For a chunk of the reference, the chunks of the output are looked at from left to right:
#
#     same span, same words      right; tried if the output's chunk is an edit; nothing before it counts
#     same span, other words     wrong; tried if it is an edit, or if one before it is
#     overlapping span           the same; an insertion right before a word overlaps it
#     nothing met                not tried; right unless the reference has an edit there


Flags = NDArray[np.bool_]  # one for each chunk, sentence after sentence
Outcome = tuple[Flags, Flags]  # which chunks a system tried, and on which it is right
Value = TypeVar("Value")


class Outcomes:
    """The chunks of a corpus's references, and how the systems of a pool fare on them: every system needs all."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._gold: dict[int, GoldChunks] = {}
        self._cache: dict[tuple[str, GoToScorer, str], tuple[System, Any]] = {}

    def gold(self, reference: int) -> GoldChunks:
        if reference not in self._gold:
            self._gold[reference] = GoldChunks(self._corpus, reference)
        return self._gold[reference]

    def cached(self, what: str, metric: GoToScorer, system: System, make: Callable[[System], Value]) -> Value:
        """What ``make`` gives for a system, made once. Of systems with the same name, the last one is cached."""
        key = what, metric, system.name
        if key not in self._cache or self._cache[key][0] != system:
            self._cache[key] = system, make(system)
        return cast(Value, self._cache[key][1])


class GoldChunks:
    """The chunks of one reference of every sentence."""

    def __init__(self, corpus: Corpus, reference: int) -> None:
        self._plain = [plain_chunks(source.split()) for source in corpus.sources]
        self._chunks = [
            edited_chunks(plain, references[reference].edits or ())
            for plain, references in zip(self._plain, corpus.references, strict=True)
        ]
        self._sentence = np.repeat(np.arange(len(corpus)), [len(chunks) for chunks in self._chunks])
        self._is_edit = np.array([chunk.is_edit for chunks in self._chunks for chunk in chunks], dtype=bool)
        # Where an output has no edit, these chunks are right.
        self._untouched = [
            bytes(not gold.is_edit or _changes_nothing(gold, plain) for gold in golds)
            for golds, plain in zip(self._chunks, self._plain, strict=True)
        ]

    def __len__(self) -> int:
        return len(self._is_edit)

    def outcome(self, edits: Sequence[Sequence[Edit]], *, form: str) -> Outcome:
        """Which chunks an output with these edits tried, and on which it is right."""
        tried, correct = bytearray(), bytearray()
        for plain, golds, untouched, proposed in zip(self._plain, self._chunks, self._untouched, edits, strict=True):
            first = len(tried)
            tried += bytes(len(golds))
            if not proposed:
                correct += untouched
                continue
            correct += b"\1" * len(golds)
            outputs = edited_chunks(plain, proposed)
            near, begins = bytearray(len(plain) // 2 + 1), _begins(outputs, len(plain) // 2)
            for chunk in outputs:  # the places where an edit of the output begins, goes on or ends
                if chunk.is_edit:
                    near[chunk.start : chunk.end + 1] = b"\1" * (chunk.end + 1 - chunk.start)
            for place, gold in enumerate(golds, start=first):
                if gold.is_edit or near[gold.start] or near[gold.end]:
                    tried[place], correct[place] = compare_chunk(gold, outputs, form=form, begin=begins[gold.start])
        return np.frombuffer(tried, dtype=bool), np.frombuffer(correct, dtype=bool)

    def vote(self, edits: Sequence[Sequence[Edit]], *, form: str) -> Flags:
        """On which chunks a system of the pool with these edits counts as right."""
        if form == "author":
            return self.outcome(edits, form=form)[1]
        flags: list[bool] = []
        for plain, golds, proposed in zip(self._plain, self._chunks, edits, strict=True):
            texts = {chunk.text for chunk in edited_chunks(plain, proposed)}
            flags += [gold.text in texts for gold in golds]
        return np.array(flags, dtype=bool)

    def rows(self, tried: Flags, correct: Flags, weights: Array) -> Array:
        """tp, fp, fn and tn of each sentence."""
        outcomes = (
            tried & correct,
            tried & ~correct,
            (tried & ~correct & self._is_edit) | (~tried & ~correct),
            ~tried & correct,
        )
        size = len(self._chunks)
        return np.stack([np.bincount(self._sentence, weights * chosen, minlength=size) for chosen in outcomes], axis=1)


def _changes_nothing(edit: TextChunk, plain: Sequence[TextChunk]) -> bool:
    """Whether an edit leaves a word, or an empty place, as it is."""
    return edit.end - edit.start < 2 and edit.text == plain[edit.start + edit.end].text


def _begins(outputs: Sequence[TextChunk], length: int) -> list[int]:
    """For each place, the first chunk of an output that is there or further on: those before it end earlier.

    >>> _begins(edited_chunks(plain_chunks("We discuss it".split()), [Edit(0, 2, ("Discuss",))]), 3)
    [0, 1, 2, 4]
    """
    begins, number = [], 0
    for place in range(length + 1):
        while outputs[number].end <= place and outputs[number].start < place:
            number += 1
        begins.append(number)
    return begins


def compare_chunk(gold: TextChunk, outputs: Sequence[TextChunk], *, form: str, begin: int = 0) -> tuple[bool, bool]:
    """Whether an output with these chunks, of which those before ``begin`` are elsewhere, tried a chunk of the
    reference, and whether it is right.

    >>> outputs = edited_chunks(plain_chunks("He go".split()), [Edit(1, 2, ("went",))])
    >>> compare_chunk(TextChunk(1, 2, "goes", True), outputs, form="author")
    (True, False)
    """
    met, tried = False, False
    for number in range(begin, len(outputs)):
        chunk = outputs[number]
        if chunk.start > gold.end:
            break
        if chunk[:2] == gold[:2]:
            if chunk.text == gold.text or form == "gec-metrics":
                return chunk.is_edit, chunk.text == gold.text
            met, tried = True, chunk.is_edit or tried
        elif gold.start < gold.end and (gold.start <= chunk.start < gold.end or chunk.start <= gold.start < chunk.end):
            met, tried = True, tried or chunk.is_edit
    if met:
        return tried, False
    return False, not gold.is_edit or form == "gec-metrics"


# A text in chunks of its own (Gotou et al. 2020): its edits, every other word, and the empty places between words.
#
#     We discussing it , with "have been" inserted:   ·We  ·[have been]  discussing  ·it  ·
#
# An empty place stands before every chunk that has source words and at the end, unless an insertion is there. So a
# sentence of m words without edits has 2m + 1 chunks. Edits that are no corrections (``noop``, ``UNK``, ``Um``) are
# left out.


NO_CORRECTION = ("noop", "UNK", "Um")


class TextChunk(NamedTuple):
    """Source tokens ``start:end`` as the text has them."""

    start: int
    end: int
    text: str
    is_edit: bool


def plain_chunks(source: Sequence[str]) -> list[TextChunk]:
    """The chunks of a text without edits: place *k* is number 2k, word *k* is number 2k + 1."""
    chunks = []
    for k, word in enumerate(source):
        chunks += [TextChunk(k, k, "", False), TextChunk(k, k + 1, word, False)]
    return [*chunks, TextChunk(len(source), len(source), "", False)]


def edited_chunks(plain: Sequence[TextChunk], edits: Sequence[Edit]) -> list[TextChunk]:
    """The chunks of a text, from the ``plain_chunks`` of its source.

    >>> plain = plain_chunks("We discuss".split())
    >>> for chunk in edited_chunks(plain, [Edit(1, 1, ("will",)), Edit(1, 2, ("talk",))]):
    ...     print(*chunk)
    0 0  False
    0 1 We False
    1 1 will True
    1 2 talk True
    2 2  False
    """
    chunks: list[TextChunk] = []
    reached = 0

    def keep(last: int) -> None:
        """Plain chunks up to this number, from the place that was reached; a place that is there already stays."""
        there = bool(chunks) and chunks[-1].start == chunks[-1].end == reached
        chunks.extend(plain[2 * reached + there : last])

    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.type in NO_CORRECTION:
            continue
        if reached < edit.start:
            keep(2 * edit.start)
            reached = edit.start
        if edit.start < edit.end and not (chunks and chunks[-1].start == chunks[-1].end == edit.start):
            chunks.append(plain[2 * edit.start])
        chunks.append(TextChunk(edit.start, edit.end, " ".join(edit.correction.split()), True))
        reached = max(reached, edit.end)
    keep(len(plain))
    return chunks
