"""Fixes of a corpus: what ``gecval doctor`` finds suspicious is changed here, where the user asks for it by name.

    duplicates   an edit that its annotator lists twice is listed once
    idle         edits that change nothing are dropped
    order        edits stand in the order of their places
    overlaps     of edits that share source words the widest stays, of equally wide ones the first
    nfc          letters and their accents are one character where Unicode has one (NFC)
    width        full-width forms of ASCII become ASCII
    invisible    zero-width spaces, soft hyphens and byte-order marks go; joiners stay, as some scripts need them
    marks        marks that only steer the direction of writing go
    entities     ``&amp;`` and other character entities become the character that they stand for
    blanks       no-break spaces and other blanks become plain ones
    tokens       words and punctuation are set apart by blanks: for texts, as the offsets of edits count words;
                 lines that are tokenised already stay, and so do pieces such as ``'s``

Edits follow the words of their source where a word vanishes, and go where a fixed text leaves them nothing to change.
A text that is fixed stays as it is when it is fixed again.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

from gecval.corpus import Corpus
from gecval.corpus.edit import Edit
from gecval.corpus.references import Reference
from gecval.errors import InputError

INVISIBLE = "\u00ad\u180e\u200b\u2060\ufeff"
JOINERS = "\u200c\u200d"
MARKS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
MARK = "\ue000"  # stands for a mark on the letter before it: vowel signs of Hindi, points of Hebrew, accents of NFD
_PIECE = r"(?<!\S)['’](?:s|m|d|re|ve|ll)(?!\w)"  # of a word that a tokeniser cut: Huntington 's
TOKEN = re.compile(
    rf"{_PIECE}|(?:\w{MARK}*)+(?:[-'’](?:\w{MARK}*)+)*|([*`~#])\1+|(?<!\S)''(?!\S)|[^\w\s]{MARK}*", re.IGNORECASE
)
_APART = re.compile(r"\s[.!?…।。！？؟]+\s*$")
_GLUED = re.compile(rf"(?:\w{MARK}*|\.)(?:[,;:!?…)\]”»\"]+|\.\.+|\.(?=\s[.!?…]))(?!\S)|(?<!\S)[(\[“«„\"]+\w")

ENTITY = re.compile(
    r"&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,6}|#x[\da-fA-F]{1,5});|& (?:amp|lt|gt|quot|apos|nbsp) ;", re.ASCII
)
BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\x0b\x0c\x1c-\x1f\x85]")

TEXT_FIXES: dict[str, Callable[[str], str]] = {
    "nfc": lambda text: unicodedata.normalize("NFC", text),
    "width": lambda text: text.translate(WIDE),
    "invisible": lambda text: text.translate(dict.fromkeys(map(ord, INVISIBLE))),
    "marks": lambda text: text.translate(dict.fromkeys(map(ord, MARKS))),
    "entities": lambda text: ENTITY.sub(lambda match: html.unescape(match[0].replace(" ", "")), text),
    "blanks": lambda text: BLANKS.sub(" ", text),
    "tokens": lambda text: set_apart(text),
}
EDIT_FIXES = ("duplicates", "idle", "order", "overlaps")
FIXES = (*EDIT_FIXES, *TEXT_FIXES)


def _with_plain_marks(text: str) -> str:
    if text.isascii():
        return text
    return "".join(MARK if c in JOINERS or unicodedata.category(c)[0] == "M" else c for c in text)


def is_tokenised(text: str) -> bool:
    """Whether the final stop stands apart, and no comma, bracket or the like is glued to a word.

    >>> is_tokenised("Huntington 's disease , and Mr. Smith ."), is_tokenised("He goes, and she stays .")
    (True, False)
    """
    return bool(_APART.search(text)) and not _GLUED.search(_with_plain_marks(text))


def set_apart(text: str, keep: Collection[str] = ()) -> str:
    """A text with blanks between words and punctuation. ``keep`` are words to leave as they are.

    >>> set_apart("Huntington 's disease is bad (see p. 3)."), set_apart("Mr. Smith is here .")
    ("Huntington 's disease is bad ( see p . 3 ) .", 'Mr. Smith is here .')
    """
    if is_tokenised(text):
        return text
    return " ".join(word if word in keep else _set_word_apart(word) for word in text.split())


def _set_word_apart(word: str) -> str:
    return " ".join(word[slice(*match.span())] for match in TOKEN.finditer(_with_plain_marks(word)))


def fix_text(text: str, fixes: Iterable[str]) -> str:
    """Fix a text in the order of ``FIXES``, until nothing changes.

    >>> fix_text("cafe\\u0301\\u200b！", ["width", "nfc", "invisible"])
    'café!'
    """
    wanted = _check_names(fixes)
    changes = [change for name, change in TEXT_FIXES.items() if name in wanted]
    before = None
    while before != text:  # what one takes away may be what another was waiting for: &amp;amp; or &#xA0;
        before = text
        for change in changes:
            text = change(text)
    return text


def fix_corpus(corpus: Corpus, fixes: Iterable[str]) -> Corpus:
    """Fix a corpus.

    Examples
    --------
    >>> edits = (Edit(1, 2, ("goes",)), Edit(1, 2, ("goes",)), Edit(2, 3, ("home",)))
    >>> corpus = Corpus(["He go home ."], [[Reference(edits=edits)]])
    >>> fix_corpus(corpus, ["duplicates", "idle"]).references[0][0].edits
    (Edit(start=1, end=2, corrections=('goes',), type='', required=True),)
    """
    wanted = _check_names(fixes)
    if "tokens" in wanted and any(reference.edits for listed in corpus.references for reference in listed):
        raise InputError("'tokens' would move the words that edits count; it fixes plain texts only", parameter="fixes")
    text_fixes = [name for name in TEXT_FIXES if name in wanted]
    sources, references = [], []
    for source, listed in zip(corpus.sources, corpus.references, strict=True):
        tokens = source.split()
        words, places = _fix_tokens(tokens, text_fixes)
        if "tokens" in wanted:  # no edit counts these words, and a line is tokenised as a whole
            words = fix_text(source, text_fixes).split()
        sources.append(" ".join(words) if text_fixes else source)
        references.append(
            [_fix_reference(reference, tokens, words=words, places=places, wanted=wanted) for reference in listed]
        )
    return replace(corpus, sources=sources, references=references, clusters=None)


def _check_names(fixes: Iterable[str]) -> set[str]:
    wanted = set(fixes)
    if unknown := sorted(wanted - set(FIXES)):
        raise InputError(f"{unknown[0]!r} is not a fix; there is {', '.join(FIXES)}", parameter="fixes")
    return wanted


def _fix_tokens(tokens: Sequence[str], fixes: Sequence[str]) -> tuple[list[str], list[int]]:
    """The words that are left, and for each place between words where it lies now."""
    parts = [fix_text(token, fixes).split() for token in tokens] if fixes else [[token] for token in tokens]
    return [word for part in parts for word in part], list(accumulate(map(len, parts), initial=0))


def _fix_reference(
    reference: Reference, tokens: Sequence[str], *, words: Sequence[str], places: Sequence[int], wanted: set[str]
) -> Reference:
    edits = reference.edits
    if edits is not None:
        moved = [
            replace(
                edit,
                start=places[edit.start],
                end=places[edit.end],
                corrections=tuple(fix_text(text, wanted) for text in edit.corrections),
            )
            for edit in edits
        ]
        pairs = zip(edits, moved, strict=True)
        left = (new for old, new in pairs if is_idle(old, tokens) or not is_idle(new, words))
        edits = _fix_edits(tuple(left), words, wanted)
    text = None if reference.text is None else fix_text(reference.text, wanted)
    return Reference(text, edits, reference.annotator)


def _fix_edits(edits: tuple[Edit, ...], tokens: Sequence[str], wanted: set[str]) -> tuple[Edit, ...]:
    if "duplicates" in wanted:
        first = {edit_key(edit): edit for edit in reversed(edits)}
        edits = tuple(edit for edit in edits if first[edit_key(edit)] is edit)
    if "idle" in wanted:
        edits = tuple(edit for edit in edits if not is_idle(edit, tokens))
    if "order" in wanted:
        edits = tuple(sorted(edits, key=place_of))
    if "overlaps" in wanted:
        edits = _apart(edits)
    return edits


def edit_key(edit: Edit) -> tuple[int, int, tuple[str, ...]]:
    """What makes two edits of an annotator the same. Their types do not count."""
    return edit.start, edit.end, tuple(" ".join(text.split()) for text in edit.corrections)


def place_of(edit: Edit) -> tuple[int, int]:
    """Where an edit stands: what its annotator's edits are ordered by."""
    return edit.start, edit.end


def is_idle(edit: Edit, tokens: Sequence[str]) -> bool:
    """Whether an edit changes nothing, by any of its corrections."""
    words = list(tokens[edit.start : edit.end])
    return all(text.split() == words for text in edit.corrections)


def shares_words(first: Edit, second: Edit) -> bool:
    """Whether both edits change a word, or one inserts words within the span of the other.

    >>> shares_words(Edit(0, 2, ("a",)), Edit(1, 1, ("b",))), shares_words(Edit(0, 2, ("a",)), Edit(2, 2, ("b",)))
    (True, False)
    """
    return first.start < second.end and second.start < first.end


def _apart(edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """Edits that share no word: the widest first, then the rest where there is room."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: edit.start - edit.end):  # stable: the first of equally wide ones
        if not any(shares_words(edit, other) for other in kept):
            kept.append(edit)
    chosen = set(map(id, kept))
    return tuple(edit for edit in edits if id(edit) in chosen)
