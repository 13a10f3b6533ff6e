"""What is odd in the characters and lines of a text, whatever its format.

Every check looks at all lines and keeps how many it concerns, the first of them, and the first example. Characters that
cannot be seen are shown by their codes.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gecval.formats.mending import INVISIBLE, JOINERS, MARKS, WIDE

SHOWN = 5  # lines that a finding names
AROUND = 12  # characters of an example on each side
FEWEST = 20  # letters; fewer do not tell a script
MOST = 0.5
FEW = 0.05  # of the lines that end in punctuation
RARE = 0.2  # up to this share of lines, another script is odd; beyond, the corpus has two
GLUED = re.compile(r"\w[.!?;:,]+$")
APART = re.compile(r"(?:^|\s)[.!?;:,]+$")
# Combining marks after letters that are written without any once composed: stress marks, or an accent typed twice.
_LOOSE = re.compile(r"(?:^|\s|[A-Za-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff])[\u0300-\u036f]")
_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\x0b\x0c\x1c-\x1f\x85]")
_WIDE = re.compile("[" + "".join(map(chr, WIDE)).replace("\\", "\\\\").replace("]", "\\]") + "]")
_WIDE_LETTERS = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,6}|#x[\da-fA-F]{1,5});|& (?:amp|lt|gt|quot|apos|nbsp) ;")
_CONTROL = re.compile("[\x01-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_HIDDEN = re.compile("[\u00ad\u0300-\u036f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\x00-\x1f\x7f-\xa0]")
EAST_ASIAN = ("zh", "ja", "ko")


@dataclass(frozen=True)
class Oddity:
    """What is odd, in how many lines, and how often; ``mend`` names what mends it."""

    kind: str
    count: int
    of: int
    lines: tuple[int, ...]
    example: str
    effect: str
    mend: str = ""


def visible(text: str) -> str:
    """A text in which characters that cannot be seen are named by their codes.

    >>> visible("a\\u200bb")
    'a⟨U+200B⟩b'
    """
    return _HIDDEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def text_oddities(lines: Sequence[str], *, language: str | None = None) -> Iterator[Oddity]:
    """Everything odd in these lines. ``language`` is that of the corpus, where it is known."""
    checks: list[tuple[str, Callable[[str], int | None], str, str]] = [
        (
            "zero-width characters",
            _place(f"[{INVISIBLE}]"),
            "a word with one differs from the same word without it",
            "invisible",
        ),
        ("zero-width joiners", _place(f"[{JOINERS}]"), "a word with one differs from the same word without it", ""),
        (
            "direction marks",
            _place(f"[{MARKS}]"),
            "a word with one differs from the same word without it, and a mark between blanks is a word",
            "marks",
        ),
        (
            "combining marks",
            lambda line: _first(_LOOSE, unicodedata.normalize("NFC", line)),
            "a letter with a mark that composes with nothing differs from the letter alone",
            "",
        ),
        (
            "other blanks",
            _place(_BLANKS.pattern),
            "they separate words here; scorers that split at single blanks see one word",
            "",
        ),
        ("tabs", _place("\t"), "a tab separates words; a file with columns is read as one long text", ""),
        ("character entities", _place(_ENTITY.pattern), "they count as words of their own", ""),
        ("control characters", _place(_CONTROL.pattern), "they are part of words, and nobody sees them", ""),
        ("replacement characters", _place("\ufffd"), "a text was decoded wrongly, and its words are lost", ""),
    ]
    for kind, place, effect, mend in checks:
        yield from _seen(kind, lines, place, effect, mend)
    yield from _forms(lines)
    yield from _widths(lines, language)
    yield from _scripts(lines)


def empty_lines(lines: Sequence[str]) -> Iterator[Oddity]:
    """Sentences without a word."""
    effect = "a sentence without a word: whatever an output has there is inserted"
    return _seen("empty lines", lines, lambda line: None if line.strip() else 0, effect, "")


def _place(pattern: str) -> Callable[[str], int | None]:
    compiled = re.compile(pattern)
    return lambda line: _first(compiled, line)


def _first(pattern: re.Pattern[str], text: str) -> int | None:
    match = pattern.search(text)
    return match.start() if match else None


def _seen(
    kind: str, lines: Sequence[str], place: Callable[[str], int | None], effect: str, mend: str
) -> Iterator[Oddity]:
    places = [(number, at) for number, line in enumerate(lines, start=1) if (at := place(line)) is not None]
    if places:
        number, at = places[0]
        example = _around(lines[number - 1], at)
        yield Oddity(kind, len(places), len(lines), _numbers(places), example, effect, mend)


def _around(line: str, at: int) -> str:
    return visible(line[max(0, at - AROUND) : at + AROUND]).strip()


def _numbers(places: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(number for number, _ in places[:SHOWN])


def _forms(lines: Sequence[str]) -> Iterator[Oddity]:
    """Lines that are not in NFC. Where others hold letters that NFC alone has, the file mixes forms."""
    apart = [number for number, line in enumerate(lines, start=1) if not unicodedata.is_normalized("NFC", line)]
    if not apart:
        return
    composed = sum(not unicodedata.is_normalized("NFD", line) for line in lines)
    kind = "mixed Unicode forms" if composed else "decomposed letters (NFD)"
    line = lines[apart[0] - 1]
    mended = unicodedata.normalize("NFC", line)
    at = next((k for k, (a, b) in enumerate(zip(line, mended, strict=False)) if a != b), len(mended))
    example = visible(line[max(0, at - AROUND) : at + AROUND]).strip()
    effect = "the same word in the other form counts as another word"
    yield Oddity(kind, len(apart), len(lines), tuple(apart[:SHOWN]), example, effect, "nfc")


def _widths(lines: Sequence[str], language: str | None) -> Iterator[Oddity]:
    """Full-width forms. Full-width punctuation is how Chinese is written; letters, or both forms of a sign, are odd."""
    if language not in EAST_ASIAN:
        yield from _seen("full-width forms", lines, _place(_WIDE.pattern), _WIDTH, "width")
        return
    signs = {code: chr(plain) for code, plain in WIDE.items() if unicodedata.category(chr(plain))[0] == "P"}
    counts = Counter(character for line in lines for character in line)
    both = [chr(code) for code, plain in signs.items() if counts[chr(code)] and counts[plain]]
    if both:
        # The rarer form of the sign that has most of it is the example.
        rare = max(both, key=lambda wide: min(counts[wide], counts[signs[ord(wide)]]))
        plain = signs[ord(rare)]
        fewer = min(rare, plain, key=counts.__getitem__)
        yield from _seen("signs in two widths", lines, _place(re.escape(fewer)), _WIDTH, "width")
    letters = any(map(_WIDE_LETTERS.search, lines))
    if letters:
        yield from _seen("full-width letters", lines, _place(_WIDE_LETTERS.pattern), _WIDTH, "width")


_WIDTH = "the same sign in the other width counts as another word"


def _scripts(lines: Sequence[str]) -> Iterator[Oddity]:
    """Lines in another script than the text."""
    names: dict[str, str] = {}

    def script(character: str) -> str:
        if character not in names:
            names[character] = unicodedata.name(character, "").partition(" ")[0]
        return names[character]

    by_line = [Counter(script(letter) for letter in line if letter.isalpha()) for line in lines]
    total: Counter[str] = Counter()
    for letters in by_line:
        total.update(letters)
    if not total:
        return
    main, count = total.most_common(1)[0]
    own = {main} | ({"CJK", "HIRAGANA", "KATAKANA"} if main in ("CJK", "HIRAGANA", "KATAKANA") else set())
    others = [
        number
        for number, letters in enumerate(by_line, start=1)
        if letters.total() >= FEWEST and sum(letters[name] for name in own) < MOST * letters.total()
    ]
    if others and len(others) <= RARE * len(lines) and count > MOST * total.total():
        example = visible(lines[others[0] - 1][: 2 * AROUND])
        effect = f"the text is in another script than the rest ({main.title()}); a scorer's rules may not fit it"
        yield Oddity("other languages", len(others), len(lines), tuple(others[:SHOWN]), example, effect)


def untokenised(lines: Sequence[str]) -> Oddity | None:
    """Lines that end in punctuation that is glued to a word. A few are abbreviations, and not odd."""
    glued = [(number, 0) for number, line in enumerate(lines, start=1) if GLUED.search(line.rstrip())]
    apart = sum(bool(APART.search(line.rstrip())) for line in lines)
    if len(glued) <= FEW * (len(glued) + apart):
        return None
    example = lines[glued[0][0] - 1].split()[-1]
    effect = "a word with its punctuation is one word; it never equals the word and the sign apart"
    return Oddity("untokenised lines", len(glued), len(lines), _numbers(glued), visible(example), effect, "tokens")
