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
    return edited_chunks(plain_chunks(source), edits)


def plain_chunks(source: Sequence[str]) -> list[TextChunk]:
    """The chunks of a text without edits: place *k* is number 2k, word *k* is number 2k + 1."""
    chunks = []
    for k, word in enumerate(source):
        chunks += [TextChunk(k, k, "", False), TextChunk(k, k + 1, word, False)]
    return [*chunks, TextChunk(len(source), len(source), "", False)]


def edited_chunks(plain: Sequence[TextChunk], edits: Sequence[Edit]) -> list[TextChunk]:
    """The chunks of a text, from the ``plain_chunks`` of its source."""
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
