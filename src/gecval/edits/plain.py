"""Edits between two texts in any language: no model, no tags.

A shortest sequence of token insertions, deletions and substitutions; neighbours are one edit. Types say only what
happens: M (something was missing), U (unneeded), R (replaced).
"""

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from gecval.edits.edit import Edit


def plain_edits(source: Sequence[str], corrected: Sequence[str]) -> tuple[Edit, ...]:
    """The edits from source to corrected tokens.

    >>> plain_edits("He go to home .".split(), "He goes home .".split())
    (Edit(start=1, end=3, corrections=('goes',), type='R', required=True),)
    """
    spans: list[tuple[int, int, int, int]] = []
    for block in Levenshtein.opcodes(source, corrected):
        if block.tag == "equal":
            continue
        i0, i1, j0, j1 = block.src_start, block.src_end, block.dest_start, block.dest_end
        if spans and spans[-1][1] == i0 and spans[-1][3] == j0:
            i0, j0 = spans[-1][0], spans[-1][2]
            spans.pop()
        spans.append((i0, i1, j0, j1))
    return tuple(Edit(i0, i1, (" ".join(corrected[j0:j1]),), operation(i1 - i0, j1 - j0)) for i0, i1, j0, j1 in spans)


def operation(removed: int, added: int) -> str:
    """M, U or R, from the number of tokens on each side."""
    return "M" if removed == 0 else "U" if added == 0 else "R"
