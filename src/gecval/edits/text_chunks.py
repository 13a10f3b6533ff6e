"""A text in chunks of its own (Gotou et al. 2020): its edits, every other word, and the empty places between words.

    We discussing it , with "have been" inserted:   ·We  ·[have been]  discussing  ·it  ·

An empty place stands before every chunk that has source words and at the end, unless an insertion is there. So a
sentence of m words without edits has 2m + 1 chunks. Edits that are no corrections (``noop``, ``UNK``, ``Um``) are left
out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gecval.edit import Edit

NO_CORRECTION = ("noop", "UNK", "Um")


class TextChunk(NamedTuple):
    """Source tokens ``start:end`` as the text has them."""

    start: int
    end: int
    text: str
    is_edit: bool


def text_chunks(source: Sequence[str], edits: Sequence[Edit]) -> list[TextChunk]:
    """The chunks of a text, given its edits.

    >>> for chunk in text_chunks("We discuss".split(), [Edit(1, 1, ("will",)), Edit(1, 2, ("talk",))]):
    ...     print(*chunk)
    0 0  False
    0 1 We False
    1 1 will True
    1 2 talk True
    2 2  False
    """
    chunks: list[TextChunk] = []
    reached = 0

    def place(at: int) -> None:
        if not (chunks and chunks[-1].start == chunks[-1].end == at):
            chunks.append(TextChunk(at, at, "", False))

    def words_until(end: int) -> None:
        nonlocal reached
        for k in range(reached, end):
            place(k)
            chunks.append(TextChunk(k, k + 1, source[k], False))
        reached = max(reached, end)

    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.type in NO_CORRECTION:
            continue
        words_until(edit.start)
        if edit.start < edit.end:
            place(edit.start)
        chunks.append(TextChunk(edit.start, edit.end, " ".join(edit.correction.split()), True))
        reached = max(reached, edit.end)
    words_until(len(source))
    place(len(source))
    return chunks
