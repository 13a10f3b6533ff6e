"""Tokens back to normal text: blanks before a full stop or inside quotation marks, which a tokeniser put there, go.

Checkers and language models know normal text. To them ``He does n't know .`` is full of mistakes. Only blanks are
removed, and no character is changed. So every place in the text still belongs to one token.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

_LEANS_LEFT = re.compile(r"[,.;:!?%)\]}”…]+|''|n['’]t|['’](s|re|ve|ll|d|m)", re.IGNORECASE)
_LEANS_RIGHT = re.compile(r"[(\[{“$£€]|``|(US|S)\$", re.IGNORECASE)


@dataclass(frozen=True)
class NormalText:
    """A text, and where in it each token starts and ends."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def tokens_in(self, start: int, end: int) -> tuple[int, int]:
        """The tokens that a stretch of characters touches: from the first number up to, but not including, the second.

        >>> detokenize("He does n't know .".split()).tokens_in(3, 10)
        (1, 3)
        """
        first = min(bisect_right(self.ends, start), max(0, len(self.starts) - 1))
        return first, max(bisect_left(self.starts, end), first)


def detokenize(tokens: Sequence[str]) -> NormalText:
    """Normal text.

    >>> detokenize('He said : " It is n\\'t ( quite ) the boys \\' $ 5 . "'.split()).text
    'He said: "It isn\\'t (quite) the boys\\' $5."'
    """
    pieces: list[str] = []
    starts: list[int] = []
    length = 0
    open_quotes: set[str] = set()
    glued = True  # nothing stands before the first token
    for token in tokens:
        leans_left, leans_right = bool(_LEANS_LEFT.fullmatch(token)), bool(_LEANS_RIGHT.fullmatch(token))
        if token in ('"', "'"):
            # A mark that is open is now closed; a lone ' after an s is the genitive's.
            leans_left = token in open_quotes or (token == "'" and bool(pieces) and pieces[-1].endswith("s"))
            leans_right = not leans_left
            open_quotes ^= {token} if leans_right or token in open_quotes else set()
        if not (glued or leans_left):
            pieces.append(" ")
            length += 1
        pieces.append(token)
        starts.append(length)
        length += len(token)
        glued = leans_right
    ends = tuple(start + len(token) for start, token in zip(starts, tokens, strict=True))
    return NormalText("".join(pieces), tuple(starts), ends)
