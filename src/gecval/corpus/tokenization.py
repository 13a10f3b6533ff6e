"""Texts cut into characters, for languages that do not separate words by blanks.

Blanks vanish, and every character is a token: Chinese ones, and Latin letters, digits and marks between them too
(``10`` is two), as in ChERRANT. What people see as one character stays one token: a combining mark stays with its
letter, a variation selector with its sign, and emoji that are joined stay joined. ChERRANT's placeholder
``[缺失成分]`` ("a part is missing") is one token.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from gecval.corpus.references import Reference
from gecval.errors import InputError

TOKENIZATIONS = ("char",)
PLACEHOLDER = "[缺失成分]"
JOINER = "\u200d"  # of emoji
SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))

Cut = Callable[[str], list[str]]


def characters(text: str) -> list[str]:
    """The characters of a text, without blanks.

    >>> characters("我有 10个[缺失成分]。")
    ['我', '有', '1', '0', '个', '[缺失成分]', '。']
    >>> len(characters("e\\N{COMBINING ACUTE ACCENT}"))
    1
    """
    first, *others = "".join(text.split()).split(PLACEHOLDER)
    return [*_joined(first), *chain.from_iterable((PLACEHOLDER, *_joined(part)) for part in others)]


def _joined(text: str) -> list[str]:
    if text.isascii():
        return list(text)
    tokens: list[str] = []
    for letter in text:
        stays = unicodedata.category(letter)[0] == "M" or letter in SKIN_TONES or letter == JOINER
        if tokens and (stays or tokens[-1].endswith(JOINER)):
            tokens[-1] += letter
        else:
            tokens.append(letter)
    return tokens


def check_tokenize(tokenize: str | None) -> None:
    if tokenize is not None and tokenize not in TOKENIZATIONS:
        raise InputError(f"tokenize is {', '.join(TOKENIZATIONS)} or nothing, not {tokenize!r}", parameter="tokenize")


def cut_texts(
    sources: Sequence[str], references: Sequence[Sequence[Reference]], cut: Cut
) -> tuple[list[str], list[list[Reference]]]:
    """Sources and references with a blank between all tokens. Edits that count other tokens are refused."""
    lines = [" ".join(cut(source)) for source in sources]
    made = []
    for number, (source, line, listed) in enumerate(zip(sources, lines, references, strict=True), start=1):
        if any(map(_has_places, listed)) and source.split() != line.split():
            raise InputError(
                f"sentence {number}: the references' edits count words, not characters; give the references as texts, "
                "or as edits of characters",
                parameter=("tokenize", "references"),
            )
        made.append([_cut(reference, cut) for reference in listed])
    return lines, made


def _has_places(reference: Reference) -> bool:
    """Whether edits count tokens; one at the start that changes nothing (ChERRANT's NA) fits every text."""
    return reference.edits is not None and any((edit.end, edit.correction) != (0, "") for edit in reference.edits)


def _cut(reference: Reference, cut: Cut) -> Reference:
    if reference.text is None or reference.edits is not None:
        return reference
    return Reference(" ".join(cut(reference.text)), annotator=reference.annotator)


# Normal text to tokens, as the files of this field have them; :mod:`gecval.corpus.tokenization` is the way back.
#
# Punctuation at both ends of a word and the endings n't, 's, 're … become tokens of their own. Nothing inside a word
# does.


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


# Tokens back to normal text: blanks before a full stop or inside quotation marks, which a tokeniser put there, go.
#
# Checkers and language models know normal text. To them ``He does n't know .`` is full of mistakes. Only blanks are
# removed, and no character is changed. So every place in the text still belongs to one token.


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
