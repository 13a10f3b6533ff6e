"""Edits within edits: a word-order edit over a phrase, and edits of single words in it (Estonian EstGEC-L2).

    S Ta eile läks kooli .
    A 1 3|||R:WO|||läks eile …      A 2 3|||R:VERB:FORM|||läkski …

No output can make both, since the phrase is rewritten as a whole. The official rule (TartuNLP, estgec) adds annotators:
for every R:WO edit of an annotator x that contains other edits of x, one with the edits of x less those contained, and
one with the edits of x less the word-order edit. x itself stays. An insertion at the border of a phrase is contained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from gecval.corpus import Corpus
from gecval.edit import Edit
from gecval.references import Reference

WORD_ORDER = "R:WO"
NAMED = 5  # sentences that a note names


def divided(edits: Sequence[Edit]) -> Iterator[tuple[Edit, ...]]:
    """The added annotations of one annotator.

    >>> order, verb = Edit(1, 3, ("c b",), WORD_ORDER), Edit(2, 3, ("C",), "R:VERB")
    >>> [[edit.type for edit in edits] for edits in divided([order, verb])]
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


def with_divided(corpus: Corpus) -> Corpus:
    """The corpus with the added annotators; real ones come first."""
    return replace(corpus, references=[_with_divided(references) for references in corpus.references])


def _with_divided(references: Sequence[Reference]) -> list[Reference]:
    added = [edits for reference in references for edits in divided(reference.edits or ())]
    numbered = enumerate(added, start=len(references))
    return [*references, *(Reference(edits=edits, annotator=str(number)) for number, edits in numbered)]


def nested_note(corpus: Corpus) -> tuple[str, ...]:
    """Which annotations no output can make."""
    if not (nested := _sentences(corpus, _clash)):
        return ()
    return (
        f"{len(nested)} annotations have a word-order edit ({WORD_ORDER}) over other edits ({_named(nested)}): no "
        "output can make both, so a perfect one does not score 1; the official rule for Estonian is "
        'm2(nested="estgec")',
    )


def divided_note(corpus: Corpus) -> tuple[str, ...]:
    """Which annotations no output can make although they are divided: the rule takes one word-order edit at a time."""
    nested = _sentences(corpus, lambda edits: _clash(edits) and all(map(_clash, divided(edits))))
    if not nested:
        return ()
    return (
        f"{len(nested)} annotations have several word-order edits ({WORD_ORDER}) over other edits "
        f'({_named(nested)}): nested="estgec" divides one of them at a time, so a perfect output does not score 1',
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


def _named(numbers: Sequence[int]) -> str:
    sentences = list(dict.fromkeys(numbers))  # several annotations may be of one sentence
    return f"sentences {', '.join(map(str, sentences[:NAMED]))}" + (", …" if len(sentences) > NAMED else "")
