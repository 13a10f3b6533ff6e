"""Which word of an output each word of its source became, and where source lines then end in the output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

BREAK = -1  # between lines


def word_pairs(
    source: NDArray[np.int32], output: NDArray[np.int32], places: NDArray[np.int32], paired: NDArray[np.uint8]
) -> list[int | None]:
    """For each word or break of the source, the one of the output that it became.

    Of equally cheap alignments the kernel knows nothing of: "a . | b . | c" and "a . | c" share either full stop. Here
    what one text has alone is moved along equal words until it is whole lines, with the break before them.
    """
    pairs = [int(place) - 1 if pair else None for place, pair in zip(places, paired, strict=True)]
    back: list[int | None] = [None] * len(output)
    for i, j in enumerate(pairs):
        if j is not None:
            back[j] = i
    _slide(source.tolist(), pairs, back)
    _slide(output.tolist(), back, pairs)
    return pairs


def _slide(words: Sequence[int], pairs: list[int | None], back: list[int | None]) -> None:
    """Move stretches of words without a pair until they are whole lines, where equal words let them."""
    end = 0
    while end < len(words):
        start = end
        while end < len(words) and pairs[end] is None:
            end += 1
        if start == end or BREAK not in words[start:end]:
            end = max(end, start + 1)
            continue
        for shift in _shifts(words, pairs, start, end):
            if _whole_lines(words, start + shift, end + shift):
                _shift(pairs, back, start, end, shift)
                end += max(shift, 0)
                break


def _shifts(words: Sequence[int], pairs: Sequence[int | None], start: int, end: int) -> Iterator[int]:
    """How far a stretch may move: none, then to the left, then to the right."""
    yield 0
    for step, shift in ((-1, -1), (1, 0)):
        far = 0
        while True:
            gone, new = start + far + shift, end + far + shift  # the word that loses its pair, or gets one
            if gone < 0 or new >= len(words) or words[gone] != words[new]:
                break
            if pairs[gone if step < 0 else new] is None:
                break
            far += step
            yield far


def _whole_lines(words: Sequence[int], start: int, end: int) -> bool:
    """Whether a stretch is a break and the lines after it, or lines from the very start."""
    if words[start] == BREAK:
        return end == len(words) or words[end] == BREAK
    return start == 0 and words[end - 1] == BREAK


def _shift(pairs: list[int | None], back: list[int | None], start: int, end: int, shift: int) -> None:
    """Give the pairs of the words on one side of a stretch to those on the other."""
    for k in range(abs(shift)):
        loses, gets = (end + k, start + k) if shift > 0 else (start - 1 - k, end - 1 - k)
        other = pairs[loses]
        assert other is not None
        pairs[gets], pairs[loses], back[other] = other, None, gets


def line_ends(source: NDArray[np.int32], pairs: Sequence[int | None], length: int) -> list[int]:
    """Where each source line ends in the output. Words that only the output has lie before a break that it lacks."""
    ends = [length]
    following = length
    for word, pair in zip(source[::-1].tolist(), reversed(pairs), strict=True):
        if word == BREAK:
            ends.append(following if pair is None else pair + 1)
        if pair is not None:
            following = pair
    return ends[::-1]
