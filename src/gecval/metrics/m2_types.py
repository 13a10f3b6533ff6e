"""M²'s recall by type of error, in three strengths, as Estonian's scorer prints it.

    correct   the gold edit was made, as M² counts it
    span      so, or the system has another correction at its span
    overlap   so, or the system has an edit that shares a place with it

Sentences are compared with the annotator whom the score chose. An insertion shares a place with an edit around it.

With ``nested="estgec"``, word-order edits bring the edits within them, of all annotators who have the same word-order
edit; each once. Those that M² does not count as made are added to the gold edits, and count as made. The official
scorer does so whether the word-order edit was made or not; our rule was found from its figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gecval.corpus import Corpus, System
from gecval.edit import Edit
from gecval.edits.nested import WORD_ORDER, contains
from gecval.metrics.base import Statistics
from gecval.metrics.errant_types import DETAILS, Detail, at_detail
from gecval.metrics.m2 import M2, PathEdit
from gecval.metrics.parameters import one_of
from gecval.references import Reference


@dataclass(kw_only=True)
class TypeRecall:
    """How many gold edits of a type there are, how many a system made, and how many within others were added."""

    gold: int = 0
    correct: int = 0
    span: int = 0
    overlap: int = 0
    within: int = 0


def recall_by_type(
    metric: M2, corpus: Corpus, system: System, *, statistics: Statistics, detail: Detail = "full", jobs: int = 1
) -> dict[str, TypeRecall]:
    """The counts of every type that occurs, by name. ``statistics`` are those of the system under the metric."""
    one_of(metric.name, DETAILS, detail=detail)
    chosen = metric.rule.chosen(statistics)
    annotators = (chosen - statistics.offsets[:-1]).tolist()
    seen = metric.seen(corpus).references
    types: dict[str, TypeRecall] = {}
    for i, path in enumerate(metric.paths(corpus, system, chosen, jobs=jobs)):
        gold = seen[i][annotators[i]].edits or ()
        made = _made(path, gold)
        for k, edit in enumerate(gold):
            counts = types.setdefault(at_detail(edit.type, detail), TypeRecall())
            counts.gold += 1
            counts.correct += k in made
            counts.span += k in made or any(_has_span(own, edit) for own in path)
            counts.overlap += k in made or any(_overlaps(own, edit) for own in path)
        if metric.nested == "estgec":
            for edit in _within(gold, corpus.references[i], made={_key(gold[k]) for k in made}):
                types.setdefault(at_detail(edit.type, detail), TypeRecall()).within += 1
    return {kind: types[kind] for kind in sorted(types)}


def _made(path: Sequence[PathEdit], gold: Sequence[Edit]) -> set[int]:
    """The gold edits that M² counts as made: in the order of the file, and equal ones in a row all at once."""
    made: set[int] = set()
    first = 0
    for own in path:
        for k in range(first, len(gold)):
            if own.makes(gold[k]):
                made.add(k)
                first = k + 1
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
