"""M², the MaxMatch score (Dahlmeier & Ng 2012).

    P = Σ|eᵢ ∩ gᵢ| / Σ|eᵢ|      R = Σ|eᵢ ∩ gᵢ| / Σ|gᵢ|      F_β = (1 + β²)PR / (β²P + R)

eᵢ is the sequence of phrase edits from source to hypothesis that overlaps most with the gold edits gᵢ. Without a
proposed edit P = 1, without a gold edit R = 1. Levels and bonus are those of §4. An edit counts if it overlaps a gold
edit (detection), has its span (recognition), or also its correction. With bonus, a missed optional edit counts as made.

``nested="estgec"`` splits annotators whose word-order edits contain others, as Estonian's scorer does.
``version="3.2"`` misplaces words inserted before the first one, as that version of the released scorer does: the n-th
stands behind word n - 1 of the source.

``lattice="paper"`` takes all shortest paths of one Levenshtein matrix with unit costs, as the paper does. The released
tool, our default, merges them with the shortest paths where a substitution costs 2. So it finds more matches.

With ``unchanged="zero"``, P is 0 without a proposed edit: a sentence that the system left alone scores 0, even where
nothing was to be corrected. The means of sentence scores in Napoles et al. 2016 are such ones.

Of several annotators, each sentence counts the one who gives the best F with the totals so far. Who wins a tie between
two of them is decided in ``reference_rules/best_by_running_total.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval import _native
from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.corpus.encoding import Encoded
from gecval.corpus.references import Reference
from gecval.errors import InputError, list_first
from gecval.metrics.base import (
    Array,
    Need,
    PageFormula,
    Ratio,
    Statistics,
    check_flag,
    check_one_of,
    check_positive,
    check_whole,
    f_score,
    ratio,
)
from gecval.metrics.error_types import DETAILS, Detail, RecallByType, TypeRecall, at_detail
from gecval.metrics.reference_rules import RunningBest
from gecval.runtime.run import SERIAL, Run

MAX_VERTICES = 2048
# Parameters that came later
LATER = {("nested", "kept"), ("version", "head"), ("lattice", "tool"), ("unchanged", "scored")}


class PathEdit(NamedTuple):
    """Source tokens ``first:last`` become ``correction``. Gold edits at ``start:end`` are compared with it.

    The two places are the same, but for words before the first one in version 3.2.
    """

    first: int
    last: int
    correction: str
    start: int
    end: int
    matched: bool = False  # in the paper's lattice: whether the search has used up a gold edit for it

    def makes(self, gold: Edit) -> bool:
        """Whether it is the gold edit: its place, its words and one of its corrections."""
        same_place = (self.start, self.end) == (gold.start, gold.end)
        return same_place and self.last - self.first == gold.end - gold.start and self.correction in gold.corrections


@dataclass(frozen=True, repr=False)
class M2(RecallByType):
    name: ClassVar[str] = "m2"
    title: ClassVar[str] = "M²"
    summary: ClassVar[str] = "max-match F over phrase edits"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Dahlmeier & Ng 2012"
    needs: ClassVar[Need | None] = "edits"

    beta: float = 0.5
    max_unchanged: int = 2
    ignore_whitespace_casing: bool = False
    level: str = "correction"
    bonus: bool = False
    nested: str = "kept"
    version: str = "head"
    lattice: str = "tool"
    unchanged: str = "scored"

    def __post_init__(self) -> None:
        check_positive(self.name, beta=self.beta)
        check_whole(self.name, least=0, max_unchanged=self.max_unchanged)
        check_flag(self.name, bonus=self.bonus, ignore_whitespace_casing=self.ignore_whitespace_casing)
        check_one_of(self.name, ("detection", "recognition", "correction"), level=self.level)
        check_one_of(self.name, ("kept", "estgec"), nested=self.nested)
        check_one_of(self.name, ("head", "3.2"), version=self.version)
        check_one_of(self.name, ("tool", "paper"), lattice=self.lattice)
        check_one_of(self.name, ("scored", "zero"), unchanged=self.unchanged)
        if self.bonus and self.unchanged == "zero":
            raise InputError(
                'm2: with bonus, a missed edit counts as proposed; leave out unchanged="zero"', parameter="metrics"
            )
        if self.version == "3.2" and self.lattice == "paper":
            raise InputError("m2: version 3.2 is of the tool; the paper's lattice has none", parameter="metrics")
        if self.version == "3.2" and self.level != "correction":
            raise InputError("m2: version 3.2 of the scorer has no level but correction", parameter="metrics")

    def parameters(self) -> dict[str, Any]:
        """As signatures have them: what came later is not in those of plain ``m2``."""
        return {name: value for name, value in super().parameters().items() if (name, value) not in LATER}

    def select_annotators(self, corpus: Corpus) -> Corpus:
        """The corpus with the annotators that count."""
        return corpus.derive(split_annotators) if self.nested == "estgec" else corpus

    @property
    def rule(self) -> RunningBest:
        """The choice between references, ties included: ``reference_rules/best_by_running_total.py``."""
        return RunningBest(self.beta)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        notes = list(corpus.derive(split_note if self.nested == "estgec" else nested_note))
        corpus = self.select_annotators(corpus)
        encoded = Encoded.of(corpus)
        rows = np.empty((corpus.reference_slots[-1], 3))
        done = too_large = 0
        for sources, hypotheses, golds, slots in encoded.stretches(system, run=run):
            # Only now does the vocabulary know all words of these sentences.
            folded = [token.lower() for token in encoded.vocabulary.tokens()] if self.ignore_whitespace_casing else []
            try:
                rows[done : done + slots[-1]], more = _native.max_match(
                    *sources,
                    *hypotheses,
                    golds,
                    slots,
                    lattice=self.lattice,
                    max_unchanged=self.max_unchanged,
                    level=self.level,
                    bonus=self.bonus,
                    folded=folded,
                    max_vertices=MAX_VERTICES,
                    version=self.version,
                    jobs=run.threads,
                )
            except ValueError as error:  # sentences beyond any alignment
                raise InputError(f"m2 cannot score {system.name}: {error}") from None
            done += slots[-1]
            too_large += more
        if too_large:
            notes.append(
                f"{system.name}: {too_large} sentences have over {MAX_VERTICES} lattice vertices; "
                "see docs/metrics/m2.md"
            )
        if repeated := int((rows[:, 0] > rows[:, 1]).sum()):
            notes.append(
                f"{system.name}: {repeated} annotations repeat a gold edit, and count it more than once; "
                "see docs/metrics/m2.md"
            )
        return Statistics(rows, corpus.reference_slots, tuple(notes))

    def proposed_edits(
        self, corpus: Corpus, system: System, slots: NDArray[np.int64], *, run: Run = SERIAL
    ) -> list[tuple[Edit, ...]]:
        """The edits of the path through the lattice that matches most of the gold edits."""
        paths = self.paths(corpus, system, slots, run=run)
        return [tuple(Edit(step.first, step.last, (step.correction,)) for step in path) for path in paths]

    def paths(
        self, corpus: Corpus, system: System, slots: NDArray[np.int64], *, run: Run = SERIAL
    ) -> Iterator[tuple[PathEdit, ...]]:
        """The path of each sentence, given its annotator, among those of ``seen``."""
        encoded = Encoded.of(self.select_annotators(corpus))
        sources, hypotheses = encoded.source_tokens(run=run), encoded.hypothesis_tokens(system, run=run)
        words = encoded.vocabulary.tokens()
        folded = [token.lower() for token in words] if self.ignore_whitespace_casing else []
        for i, slot in enumerate(slots.tolist()):
            output = hypotheses.ids[hypotheses.offsets[i] : hypotheses.offsets[i + 1]]
            path = _native.max_match_edits(
                sources.ids[sources.offsets[i] : sources.offsets[i + 1]],
                output,
                encoded.gold_edits,
                slot,
                lattice=self.lattice,
                max_unchanged=self.max_unchanged,
                level=self.level,
                folded=folded,
                max_vertices=MAX_VERTICES,
                version=self.version,
            )
            yield tuple(
                PathEdit(first, last, " ".join(words[word] for word in output[begin:end]), start, stop, matched)
                for first, last, begin, end, start, stop, matched in path
            )

    def recall_by_type(
        self, corpus: Corpus, system: System, statistics: Statistics, detail: Detail = "full", *, run: Run = SERIAL
    ) -> dict[str, TypeRecall]:
        if self.level != "correction" or self.bonus:
            raise InputError(
                "recall by type has strengths of its own; it takes m2 without level and bonus", parameter="metrics"
            )
        check_one_of(self.name, DETAILS, detail=detail)
        chosen = self.rule.choose_rows(statistics)
        annotators = (chosen - statistics.offsets[:-1]).tolist()
        seen = self.select_annotators(corpus).references
        types: dict[str, TypeRecall] = {}
        for i, path in enumerate(self.paths(corpus, system, chosen, run=run)):
            gold = seen[i][annotators[i]].edits or ()
            made = _find_made(path, gold, anywhere=self.lattice == "paper")
            for k, edit in enumerate(gold):
                counts = types.setdefault(at_detail(edit.type, detail), TypeRecall())
                counts.gold += 1
                counts.correct += k in made
                counts.span += k in made or any(_has_span(own, edit) for own in path)
                counts.overlap += k in made or any(_overlaps(own, edit) for own in path)
            if self.nested == "estgec":
                for edit in _within(gold, corpus.references[i], made={_key(gold[k]) for k in made}):
                    types.setdefault(at_detail(edit.type, detail), TypeRecall()).within += 1
        return {kind: types[kind] for kind in sorted(types)}

    def score(self, totals: Array) -> Array:
        correct, proposed, gold = totals[..., 0], totals[..., 1], totals[..., 2]
        return f_score(self._precision(correct, proposed), ratio(correct, gold, empty=1.0), self.beta)

    def _precision(self, correct: Array, proposed: Array) -> Array:
        return ratio(correct, proposed, empty=0.0 if self.unchanged == "zero" else 1.0)

    def as_ratio(self) -> Ratio | None:
        """F = (1 + β²)·C / (P + β²·G)."""
        return (1 + self.beta**2, 0, 0), (0, 1, self.beta**2)

    def page_formula(self) -> PageFormula | None:
        zero = {"unchanged": "zero"} if self.unchanged == "zero" else {}
        return {"name": "m2", "beta": self.beta, **zero}

    def parts(self, totals: Array) -> dict[str, float]:
        correct, proposed, gold = totals
        return {
            "precision": float(self._precision(correct, proposed)),
            "recall": float(ratio(correct, gold, empty=1.0)),
            "correct": int(correct),
            "proposed": int(proposed),
            "gold": int(gold),
        }


# M²'s recall by type of error, in three strengths, as Estonian's scorer prints it.
#
#     correct   the gold edit was made, as M² counts it
#     span      so, or the system has another correction at its span
#     overlap   so, or the system has an edit that shares a place with it
#
# Sentences are compared with the annotator whom the score chose. An insertion shares a place with an edit around it.
#
# With ``nested="estgec"``, word-order edits bring the edits within them, of all annotators who have the same word-order
# edit; each once. Those that M² does not count as made are added to the gold edits, and count as made. The official
# scorer does so whether the word-order edit was made or not; our rule was found from its figures.


def _find_made(path: Sequence[PathEdit], gold: Sequence[Edit], *, anywhere: bool) -> set[int]:
    """The gold edits that M² counts as made: in the order of the file, and equal ones in a row all at once.

    ``anywhere``, as in the paper: in any order, and each edit of the path makes one gold edit.
    """
    made: set[int] = set()
    first = 0
    last: PathEdit | None = None
    for own in path:
        inserts_again = last is not None and last.first == own.last  # at the place of the last one
        if anywhere and not inserts_again:
            first = 0
        last = own
        if anywhere and not own.matched:
            continue
        for k in range(first, len(gold)):
            if own.makes(gold[k]):
                made.add(k)
                first = k + 1
                if anywhere:
                    break
    return made


def _has_span(own: PathEdit, gold: Edit) -> bool:
    """Whether it has the span of the gold edit, and another correction."""
    return (own.start, own.end) == (gold.start, gold.end) and not own.makes(gold)


def _overlaps(own: PathEdit, gold: Edit) -> bool:
    return (own.start, own.end) == (gold.start, gold.end) or (own.start < gold.end and gold.start < own.end)


def _within(gold: Sequence[Edit], annotators: Sequence[Reference], *, made: set[tuple[object, ...]]) -> Iterator[Edit]:
    """The edits within the word-order edits of the gold, of every annotator who has these, less those made."""
    for order in gold:
        if order.type != WORD_ORDER:
            continue
        inside: dict[tuple[object, ...], Edit] = {}
        for annotator in annotators:
            edits = annotator.edits or ()
            if any(_key(other) == _key(order) for other in edits):
                inside |= {_key(edit): edit for edit in edits if contains(order, edit)}
        yield from (edit for key, edit in inside.items() if key not in made)


def _key(edit: Edit) -> tuple[object, ...]:
    return edit.start, edit.end, edit.corrections, edit.type


# Edits within edits: a word-order edit over a phrase, and edits of single words in it (Estonian EstGEC-L2).
#
#     S Ta eile läks kooli .
#     A 1 3|||R:WO|||läks eile …      A 2 3|||R:VERB:FORM|||läkski …
#
# No output can make both, since the phrase is rewritten as a whole. The official rule (TartuNLP, estgec) adds
# annotators: for every R:WO edit of an annotator x that contains other edits of x, one with the edits of x less those
# contained, and one with the edits of x less the word-order edit. x itself stays. An insertion at the border of a
# phrase is contained.


WORD_ORDER = "R:WO"
NAMED = 5  # sentences that a note names


def split_nested(edits: Sequence[Edit]) -> Iterator[tuple[Edit, ...]]:
    """The added annotations of one annotator.

    >>> order, verb = Edit(1, 3, ("c b",), WORD_ORDER), Edit(2, 3, ("C",), "R:VERB")
    >>> [[edit.type for edit in edits] for edits in split_nested([order, verb])]
    [['R:WO'], ['R:VERB']]
    """
    for order in edits:
        if order.type != WORD_ORDER:  # as nearly all
            continue
        inside = [edit for edit in edits if contains(order, edit)]
        if inside:
            yield tuple(edit for edit in edits if not any(edit is other for other in inside))
            yield tuple(edit for edit in edits if edit is not order)


def contains(order: Edit, edit: Edit) -> bool:
    """Whether the first is a word-order edit, and the second another edit within it."""
    return order.type == WORD_ORDER != edit.type and order.start <= edit.start and edit.end <= order.end


def _clash(edits: Sequence[Edit]) -> bool:
    """Whether no output can make all these edits: one lies within a word-order edit, not at its border.

    >>> order = Edit(1, 3, ("c b",), WORD_ORDER)
    >>> [_clash([order, edit]) for edit in (Edit(2, 3, ("C",), "R"), Edit(2, 2, ("x",), "M"), Edit(3, 3, ("x",), "M"))]
    [True, True, False]
    """
    return any(
        contains(order, edit) and (edit.start < edit.end or order.start < edit.start < order.end)
        for order in edits
        if order.type == WORD_ORDER
        for edit in edits
    )


def split_annotators(corpus: Corpus) -> Corpus:
    """The corpus with the added annotators; real ones come first."""
    return replace(corpus, references=[_split_references(references) for references in corpus.references])


def _split_references(references: Sequence[Reference]) -> list[Reference]:
    added = [edits for reference in references for edits in split_nested(reference.edits or ())]
    numbered = enumerate(added, start=len(references))
    return [*references, *(Reference(edits=edits, annotator=str(number)) for number, edits in numbered)]


def nested_note(corpus: Corpus) -> tuple[str, ...]:
    """Which annotations no output can make."""
    if not (nested := _sentences(corpus, _clash)):
        return ()
    return (
        f"{len(nested)} annotations have a word-order edit ({WORD_ORDER}) over other edits ({_join(nested)}): no "
        "output can make both, so a perfect one does not score 1; the official rule for Estonian is "
        'm2(nested="estgec")',
    )


def split_note(corpus: Corpus) -> tuple[str, ...]:
    """Which annotations no output can make although they are split: the rule takes one word-order edit at a time."""
    nested = _sentences(corpus, lambda edits: _clash(edits) and all(map(_clash, split_nested(edits))))
    if not nested:
        return ()
    return (
        f"{len(nested)} annotations have several word-order edits ({WORD_ORDER}) over other edits "
        f'({_join(nested)}): nested="estgec" divides one of them at a time, so a perfect output does not score 1',
    )


def _sentences(corpus: Corpus, among: Callable[[Sequence[Edit]], bool]) -> tuple[int, ...]:
    """The numbers of the sentences that have such annotations, one for each annotation."""
    table = corpus.table
    if table is not None and WORD_ORDER not in table.types:
        return ()
    return tuple(
        number
        for number, references in enumerate(corpus.references, start=1)
        for reference in references
        if among(reference.edits or ())
    )


def _join(numbers: Sequence[int]) -> str:
    sentences = list(dict.fromkeys(numbers))  # several annotations may be of one sentence
    return f"sentences {list_first(sentences, NAMED)}"
