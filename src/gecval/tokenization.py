"""Texts cut into characters, for languages that do not separate words by blanks.

Blanks vanish, and every character is a token: Chinese ones, and Latin letters, digits and marks between them too
(``10`` is two), as in ChERRANT. What people see as one character stays one token: a combining mark stays with its
letter, a variation selector with its sign, and emoji that are joined stay joined. ChERRANT's placeholder
``[缺失成分]`` ("a part is missing") is one token.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from itertools import chain

from gecval.errors import InputError
from gecval.references import Reference

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
