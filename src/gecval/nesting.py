"""References come as [sentence][reference]. This page sees when they were given the other way round, and says so."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.errors import InputError

TURN = "they seem to be [reference][sentence]: turn them round with list(zip(*references))"
COMPARED = 20  # sentences that are looked at where the shape alone does not tell


def check_nesting(sources: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """Refuse references that are not the lists of references of the sentences."""
    if any(isinstance(texts, str) for texts in references):
        raise InputError(
            "references[i] must be the list of references of sentence i, not a text; "
            "with one reference a sentence, write [[text] for text in references]",
            parameter="references",
        )
    lists_of_all_sentences = len(sources) > 1 and all(len(texts) == len(sources) for texts in references)
    if not lists_of_all_sentences:
        return
    if len(references) != len(sources) or _turned(sources[:COMPARED], references):
        raise InputError(f"references[i] must be the references of sentence i; {TURN}", parameter="references")


def _turned(sources: Sequence[str], references: Sequence[Sequence[str]]) -> bool:
    """Whether, for most i ≠ j, references[i][j] is more like source j than like source i: the square case.

    >>> _turned(["He go home .", "She like apple ."], [["He goes home .", "She likes apples ."]] * 2)
    True
    """
    from rapidfuzz import fuzz

    turned = others = 0
    for i, own in enumerate(sources):
        for j, other in enumerate(sources):
            text = references[i][j]
            if i != j and isinstance(own, str) and isinstance(other, str) and isinstance(text, str):
                likeness_if_turned, likeness_if_straight = fuzz.ratio(text, other), fuzz.ratio(text, own)
                turned += likeness_if_turned > likeness_if_straight
                others += likeness_if_turned <= likeness_if_straight
    return turned > others
