"""Texts cut into tokens: into characters, or into words as the texts of this field have them.

``char`` is for languages that do not separate words by blanks; it cuts all texts. ``spacy`` and ``ptb`` set apart words
and punctuation, as spaCy and as NLTK's treebank tokeniser do it: that of ERRANT's corpora, and that of CoNLL-14. They
cut what is running text, and leave alone what is tokenised. ``auto`` chooses among the three, by the source.

``char`` in detail:

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
from functools import lru_cache
from importlib.metadata import version
from itertools import chain
from typing import Any

from gecval.corpus.references import Reference
from gecval.errors import InputError, import_extra

TOKENIZATIONS = ("auto", "char", "spacy", "ptb")
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
    return [*_join_lines(first), *chain.from_iterable((PLACEHOLDER, *_join_lines(part)) for part in others)]


def _join_lines(text: str) -> list[str]:
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


# A run of letters of scripts that are written without blanks: kana, Han, Thai, Lao, Khmer, Myanmar.
BLANKLESS = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
RUN = re.compile(f"[{BLANKLESS}]{{5,}}")
LETTER = re.compile(f"[{BLANKLESS}]")
PUNCTUATION = ".!?;:,"
MOST = 0.5
SEEN = 1000  # sentences that are looked at
HYPHENATED = re.compile(r"[A-Za-z]+-[A-Za-z]+")  # one word to NLTK, three to spaCy


def share_of_runs(sentences: Sequence[str]) -> float:
    """The share of tokens that are long runs of letters without a blank."""
    tokens = [token for sentence in sentences[:SEEN] for token in sentence.split()]
    return sum(bool(RUN.search(token)) for token in tokens) / max(1, len(tokens))


def ends_apart(text: str) -> bool:
    """Whether it ends in punctuation with a blank before it, or nothing."""
    before = text.rstrip(PUNCTUATION)
    return before != text and (not before or before[-1].isspace())


def ends_glued(text: str) -> bool:
    """Whether it ends in punctuation with a letter, a digit or _ before it."""
    before = text.rstrip(PUNCTUATION)
    return before not in ("", text) and (before[-1].isalnum() or before[-1] == "_")


def is_running_text(texts: Sequence[str]) -> bool:
    """Whether most of the sentences that end in punctuation have it glued to their last word.

    >>> is_running_text(["He goes home.", "Fine!"]), is_running_text(["He goes home .", "Fine !"])
    (True, False)
    """
    glued = sum(map(ends_glued, texts[:SEEN]))
    return glued > MOST * (glued + sum(map(ends_apart, texts[:SEEN])))


def choose_tokenization(sources: Sequence[str], references: Sequence[Sequence[Reference]] = ()) -> str:
    """What ``auto`` stands for: characters, or the words of the tokeniser that seems to have made the texts.

    The sources of a short corpus may have no word with a hyphen; its references may.

    >>> choose_tokenization(["A well-known fact ."]), choose_tokenization(["A well - known fact ."])
    ('ptb', 'spacy')
    """
    if share_of_runs(sources) > MOST or _are_blankless(sources):
        return "char"
    if is_running_text(sources):
        return "spacy"
    given = (reference for listed in references[:SEEN] for reference in listed)
    made = (text for reference in given for text in _texts_of(reference))
    words = (word for text in chain(sources[:SEEN], made) for word in text.split())
    return "ptb" if any(map(HYPHENATED.fullmatch, words)) else "spacy"


def _texts_of(reference: Reference) -> list[str]:
    """What it says: its text, or its corrections."""
    if reference.text is not None:
        return [reference.text]
    return [edit.correction for edit in reference.edits or ()]


def _are_blankless(texts: Sequence[str]) -> bool:
    """Whether most letters are of scripts that are written without blanks, though there may be some."""
    letters = [letter for text in texts[:SEEN] for letter in text if letter.isalpha()]
    return sum(map(bool, map(LETTER.match, letters))) > MOST * len(letters)


def cutter(tokenization: str) -> Cut:
    """The function that cuts a text."""
    if tokenization == "spacy":
        return _spacy_words
    return characters if tokenization == "char" else tokenize


def tokenization_signature(tokenization: str) -> str:
    """Its name, with the version of spaCy where that decides."""
    return f"spacy-{version('spacy')}" if tokenization == "spacy" else tokenization


def _spacy_words(text: str) -> list[str]:
    return [token.text for token in _spacy()(" ".join(text.split())) if not token.is_space]


@lru_cache(maxsize=1)
def _spacy() -> Any:
    """spaCy's rules for English words. They need no model."""
    return import_extra("spacy", "spaCy's tokeniser", "errant").blank("en").tokenizer


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
# Han, kana, and the signs that go with them: they stand without blanks.
_UNSPACED = re.compile("[\u2e80-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff9f\U00020000-\U0003ffff]")
_BETWEEN_UNSPACED = re.compile(f"(?<={_UNSPACED.pattern}) +(?={_UNSPACED.pattern})")


def close_up(text: str) -> str:
    """Chinese and Japanese without the blanks between their tokens; any other text as it is.

    >>> close_up("我 是 学 生 。"), close_up("He goes home .")
    ('我是学生。', 'He goes home .')
    """
    return _BETWEEN_UNSPACED.sub("", text)


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
    >>> detokenize("我 有 2 0 本 书 。".split()).text
    '我有20本书。'
    """
    unspaced = [_UNSPACED.search(token) is not None for token in tokens]
    characters_alone = any(unspaced) and all(len(token) == 1 for token in tokens)  # then letters and digits are cut too
    pieces: list[str] = []
    starts: list[int] = []
    length = 0
    open_quotes: set[str] = set()
    glued = True  # nothing stands before the first token
    for number, token in enumerate(tokens):
        leans_left, leans_right = bool(_LEANS_LEFT.fullmatch(token)), bool(_LEANS_RIGHT.fullmatch(token))
        if token in ('"', "'"):
            # A mark that is open is now closed; a lone ' after an s is the genitive's.
            leans_left = token in open_quotes or (token == "'" and bool(pieces) and pieces[-1].endswith("s"))
            leans_right = not leans_left
            open_quotes ^= {token} if leans_right or token in open_quotes else set()
        together = characters_alone or (number > 0 and unspaced[number - 1] and unspaced[number])
        if not (glued or leans_left or together):
            pieces.append(" ")
            length += 1
        pieces.append(token)
        starts.append(length)
        length += len(token)
        glued = leans_right
    ends = tuple(start + len(token) for start, token in zip(starts, tokens, strict=True))
    return NormalText("".join(pieces), tuple(starts), ends)
