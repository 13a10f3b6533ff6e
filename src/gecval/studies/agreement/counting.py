"""What two annotators share in a sentence: the same edits, and tokens that both change.

Two edits are the same if they have the same span and share a correction; each edit is paired once. A token is changed
if an edit covers it. A word that is inserted changes the token that it stands before; the end of the sentence counts as
a token for this.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from gecval.corpus import Corpus
from gecval.edit import Edit
from gecval.errors import InputError

Edits = Sequence[Edit]
Annotations = Sequence[Mapping[str, Edits]]  # of each sentence: the edits of those who saw it


def by_annotator(corpus: Corpus) -> tuple[list[str], Annotations]:
    """The annotators in order, and the edits of those who saw each sentence. Who has no reference did not see it."""
    names: dict[str, None] = {}
    sentences = []
    for number, references in enumerate(corpus.references, start=1):
        seen: dict[str, Edits] = {}
        for reference in references:
            if reference.annotator in seen:
                raise InputError(
                    f"annotator {reference.annotator!r} has two references for sentence {number}; rename one"
                )
            seen[reference.annotator] = reference.edits or ()
            names[reference.annotator] = None
        sentences.append(seen)
    return list(names), sentences


def same_edits(first: Edits, second: Edits) -> int:
    """How many edits of two annotators can be paired.

    >>> same_edits([Edit(0, 1, ("a", "b")), Edit(2, 2, ("x",))], [Edit(0, 1, ("b",)), Edit(2, 3, ("x",))])
    1
    """
    spans: dict[tuple[int, int], tuple[list[Edit], list[Edit]]] = defaultdict(lambda: ([], []))
    for side, edits in enumerate((first, second)):
        for edit in edits:
            spans[edit.start, edit.end][side].append(edit)
    return sum(_paired(a, b) for a, b in spans.values() if a and b)


def _paired(first: list[Edit], second: list[Edit]) -> int:
    """The largest number of pairs. Several edits of one span are rare: insertions at one place."""
    alike = np.array([[not _words(a).isdisjoint(_words(b)) for b in second] for a in first], dtype=np.int8)
    if 1 in alike.shape:
        return int(alike.any())
    return int((maximum_bipartite_matching(csr_array(alike)) >= 0).sum())


def _words(edit: Edit) -> set[str]:
    return {" ".join(correction.split()) for correction in edit.corrections}


def changed(edits: Edits, tokens: int) -> NDArray[np.bool_]:
    """Which tokens an annotator changes; the last is the end of the sentence.

    >>> changed([Edit(0, 2, ("a",)), Edit(3, 3, ("b",))], 3).tolist()
    [True, True, False, True]
    """
    marks = np.zeros(tokens + 1, dtype=np.bool_)
    for edit in edits:
        marks[edit.start : max(edit.end, edit.start + 1)] = True
    return marks
