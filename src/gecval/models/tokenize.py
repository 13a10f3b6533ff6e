"""Normal text to tokens, as the files of this field have them; :mod:`gecval.models.detokenize` is the way back.

Punctuation at both ends of a word and the endings n't, 's, 're … become tokens of their own. Nothing inside a word
does.
"""

from __future__ import annotations

import re

_WORD = re.compile(
    r"(?P<before>[\"“”'‘(\[{$£€]*)(?P<word>.*?)(?P<ending>n['’]t|['’](?:s|re|ve|ll|d|m))?(?P<after>[\"“”'’)\]},.;:!?%…]*)",
    re.IGNORECASE | re.DOTALL,
)
_MARKS = re.compile(r"\.{2,}|.", re.DOTALL)


def tokenize(text: str) -> list[str]:
    """The tokens of a text.

    >>> tokenize('He said: "It isn\\'t (quite) the boys\\' $5..."')
    ['He', 'said', ':', '"', 'It', 'is', "n't", '(', 'quite', ')', 'the', 'boys', "'", '$', '5', '...', '"']
    """
    tokens: list[str] = []
    for piece in text.split():
        match = _WORD.fullmatch(piece)
        assert match is not None, piece
        tokens += match["before"]
        tokens += filter(None, (match["word"], match["ending"]))
        tokens += _MARKS.findall(match["after"])
    return tokens
