"""What is suspicious in texts, annotations and outputs.

Every check looks at all lines and keeps how many it concerns, the first of them, and the first example. Characters that
cannot be seen are shown by their codes.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.corpus.mismatch import Misfit, same_words
from gecval.formats.debris import KINDS, find_debris, fix_output
from gecval.formats.fixes import (
    BLANKS,
    ENTITY,
    INVISIBLE,
    JOINERS,
    MARKS,
    TEXT_FIXES,
    WIDE,
    edit_key,
    is_idle,
    place_of,
    set_apart,
    shares_words,
)
from gecval.formats.kinds import ESSAY
from gecval.studies.scores.input_notes import reference_taken_for_system

SHOWN = 5  # lines that a finding names
AROUND = 12  # characters of an example on each side
FEWEST = 20  # letters; fewer do not tell a script
MOST = 0.5
FEW = 0.05  # of the lines that end in punctuation
RARE = 0.2  # up to this share of lines, another script is suspicious; beyond, the corpus has two
GLUED = re.compile(r"\w[.!?;:,]+$")
APART = re.compile(r"(?:^|\s)[.!?;:,]+$")
# Combining marks after letters that are written without any once composed: stress marks, or an accent typed twice.
_LOOSE = re.compile(r"(?:^|\s|[A-Za-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff])[\u0300-\u036f]")
_WIDE = re.compile("[" + "".join(map(chr, WIDE)).replace("\\", "\\\\").replace("]", "\\]") + "]")
_WIDE_LETTERS = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_CONTROL = re.compile("[\x01-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_HIDDEN = re.compile("[\u00ad\u0300-\u036f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\x00-\x1f\x7f-\xa0]")
EAST_ASIAN = ("zh", "ja", "ko")


@dataclass(frozen=True)
class SuspiciousLines:
    """What is suspicious, in how many lines ``of`` all; ``fix`` names what fixes it."""

    kind: str
    count: int
    of: int
    lines: tuple[int, ...]
    example: str
    effect: str
    fix: str = ""


def visible(text: str) -> str:
    """A text in which characters that cannot be seen are named by their codes.

    >>> visible("a\\u200bb")
    'a⟨U+200B⟩b'
    """
    return _HIDDEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def check_text(lines: Sequence[str], *, language: str | None = None) -> Iterator[SuspiciousLines]:
    """Everything suspicious in these lines. ``language`` is that of the corpus, where it is known."""
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
            _place(BLANKS.pattern),
            "they separate words here; scorers that split at single blanks see one word",
            "blanks",
        ),
        ("tabs", _place("\t"), "a tab separates words; a file with columns is read as one long text", ""),
        ("character entities", _place(ENTITY.pattern), "they count as words of their own", "entities"),
        ("control characters", _place(_CONTROL.pattern), "they are part of words, and nobody sees them", ""),
        ("replacement characters", _place("\ufffd"), "a text was decoded wrongly, and its words are lost", ""),
    ]
    for kind, place, effect, fix in checks:
        yield from _list_lines(kind, lines, place, effect, fix)
    yield from _forms(lines)
    yield from _widths(lines, language)
    yield from _scripts(lines)


def check_empty_lines(lines: Sequence[str]) -> Iterator[SuspiciousLines]:
    """Sentences without a word."""
    effect = "a sentence without a word: whatever an output has there is inserted"
    return _list_lines("empty lines", lines, lambda line: None if line.strip() else 0, effect, "")


def _place(pattern: str) -> Callable[[str], int | None]:
    compiled = re.compile(pattern)
    return lambda line: _first(compiled, line)


def _first(pattern: re.Pattern[str], text: str) -> int | None:
    match = pattern.search(text)
    return match.start() if match else None


def _list_lines(
    kind: str, lines: Sequence[str], place: Callable[[str], int | None], effect: str, fix: str
) -> Iterator[SuspiciousLines]:
    places = [(number, at) for number, line in enumerate(lines, start=1) if (at := place(line)) is not None]
    if places:
        number, at = places[0]
        example = _around(lines[number - 1], at)
        yield SuspiciousLines(kind, len(places), len(lines), _numbers(places), example, effect, fix)


def _around(line: str, at: int) -> str:
    return visible(line[max(0, at - AROUND) : at + AROUND]).strip()


def _numbers(places: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(number for number, _ in places[:SHOWN])


def _forms(lines: Sequence[str]) -> Iterator[SuspiciousLines]:
    """Lines that are not in NFC. Where others hold letters that NFC alone has, the file mixes forms."""
    apart = [number for number, line in enumerate(lines, start=1) if not unicodedata.is_normalized("NFC", line)]
    if not apart:
        return
    composed = sum(not unicodedata.is_normalized("NFD", line) for line in lines)
    kind = "mixed Unicode forms" if composed else "decomposed letters (NFD)"
    line = lines[apart[0] - 1]
    composed_line = unicodedata.normalize("NFC", line)
    at = next((k for k, (a, b) in enumerate(zip(line, composed_line, strict=False)) if a != b), len(composed_line))
    example = visible(line[max(0, at - AROUND) : at + AROUND]).strip()
    effect = "the same word in the other form counts as another word"
    yield SuspiciousLines(kind, len(apart), len(lines), tuple(apart[:SHOWN]), example, effect, "nfc")


def _widths(lines: Sequence[str], language: str | None) -> Iterator[SuspiciousLines]:
    """Full-width forms. Chinese has full-width punctuation; letters, or a sign in both forms, are suspicious."""
    if language not in EAST_ASIAN:
        yield from _list_lines("full-width forms", lines, _place(_WIDE.pattern), _WIDTH, "width")
        return
    signs = {code: chr(plain) for code, plain in WIDE.items() if unicodedata.category(chr(plain))[0] == "P"}
    counts = Counter(character for line in lines for character in line)
    both = [chr(code) for code, plain in signs.items() if counts[chr(code)] and counts[plain]]
    if both:
        # The rarer form of the sign that has most of it is the example.
        rare = max(both, key=lambda wide: min(counts[wide], counts[signs[ord(wide)]]))
        plain = signs[ord(rare)]
        fewer = min(rare, plain, key=counts.__getitem__)
        yield from _list_lines("signs in two widths", lines, _place(re.escape(fewer)), _WIDTH, "width")
    letters = any(map(_WIDE_LETTERS.search, lines))
    if letters:
        yield from _list_lines("full-width letters", lines, _place(_WIDE_LETTERS.pattern), _WIDTH, "width")


_WIDTH = "the same sign in the other width counts as another word"


def _scripts(lines: Sequence[str]) -> Iterator[SuspiciousLines]:
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
        yield SuspiciousLines("other languages", len(others), len(lines), tuple(others[:SHOWN]), example, effect)


def check_tokenisation(lines: Sequence[str], fixed: Sequence[str] | None = None) -> SuspiciousLines | None:
    """Lines with punctuation that is glued to a word, where lines end so. A few are abbreviations, and not suspicious.

    ``fixed`` are the lines as the fix makes them, where it knows more than the line.
    """
    glued = [number for number, line in enumerate(lines, start=1) if GLUED.search(line.rstrip())]
    apart = sum(bool(APART.search(line.rstrip())) for line in lines)
    if len(glued) <= FEW * (len(glued) + apart):
        return None
    fixed = [_tokenise_cells(line) for line in lines] if fixed is None else fixed
    pairs = enumerate(zip(lines, fixed, strict=True), start=1)
    changed = [(number, 0) for number, (line, new) in pairs if new.split() != line.split()]
    if not changed:
        return None
    first = next((number for number, _ in changed if number in glued), changed[0][0])
    example = lines[first - 1].split()[-1]
    effect = "a word with its punctuation is one word; it never equals the word and the sign apart"
    return SuspiciousLines(
        "untokenised lines", len(changed), len(lines), _numbers(changed), visible(example), effect, "tokens"
    )


def _tokenise_cells(line: str) -> str:
    return line if line.startswith(ESSAY) else "\t".join(set_apart(cell) for cell in line.split("\t"))


# Annotations: edits that repeat, overlap, contain each other, are out of order, or do nothing


# What each kind does to a score, and what fixes it.
EFFECTS = {
    "duplicated edits": ("M² counts a correct edit once for each copy, so that precision can pass 1", "duplicates"),
    "contained edits": ("an output cannot make both, so a perfect one loses recall; as text they garble", "overlaps"),
    "overlapping edits": ("an output cannot make both, so a perfect one loses recall; as text they garble", "overlaps"),
    "edits out of order": ("M² compares edits in the order of the file, and misses those out of order", "order"),
    "edits that do nothing": ("no output can make them, so they cost every system recall", "idle"),
    "empty edits": ("no word is taken and none is added, so they cost every system recall", "idle"),
}


@dataclass(frozen=True)
class SuspiciousEdit:
    """An edit of sentence ``sentence`` (from 0), by the annotator in this place among its references."""

    kind: str
    sentence: int
    place: int
    edit: Edit


def find_suspicious_edits(corpus: Corpus) -> Iterator[SuspiciousEdit]:
    """Every suspicious edit, once for each way in which it is. Of edits that share words, each is one."""
    for i, listed in enumerate(corpus.references):
        tokens: list[str] | None = None
        for place, reference in enumerate(listed):
            if not reference.edits:
                continue
            tokens = corpus.sources[i].split() if tokens is None else tokens
            for kind, edits in _kinds(reference.edits, tokens):
                yield from (SuspiciousEdit(kind, i, place, edit) for edit in edits)


def _kinds(edits: Sequence[Edit], tokens: Sequence[str]) -> Iterator[tuple[str, list[Edit]]]:
    copies: dict[tuple[int, int, tuple[str, ...]], list[Edit]] = defaultdict(list)
    for edit in edits:
        copies[edit_key(edit)].append(edit)
    # Words may well be inserted twice: "very very". Two such insertions look like a copy, and count as one.
    yield "duplicated edits", [edit for listed in copies.values() for edit in listed[1:]]
    yield "edits out of order", list(out_of_order(edits))
    idle = [edit for edit in edits if is_idle(edit, tokens)]
    yield "edits that do nothing", [edit for edit in idle if edit.start < edit.end]
    yield "empty edits", [edit for edit in idle if edit.start == edit.end]
    contained: dict[int, Edit] = {}
    crossing: dict[int, Edit] = {}
    # Sorted, an edit shares words only with those right after it, up to its end.
    ordered = sorted((listed[0] for listed in copies.values()), key=lambda edit: (edit.start, -edit.end))
    if _apart(ordered):
        return
    for first, second in combinations(ordered, 2):
        if shares_words(first, second):
            inner = second.end <= first.end
            for edit in (first, second):
                (contained if inner else crossing)[id(edit)] = edit
    yield "contained edits", list(contained.values())
    yield "overlapping edits", list(crossing.values())


def out_of_order(edits: Sequence[Edit]) -> Iterator[Edit]:
    """Edits that stand after one that comes later in the sentence."""
    last = (0, 0)
    for edit in edits:
        if place_of(edit) < last:
            yield edit
        last = max(last, place_of(edit))


def _apart(ordered: Sequence[Edit]) -> bool:
    """Whether no edit reaches into a later one: nearly always, and quick to see."""
    reach = 0
    for edit in ordered:
        if edit.start < reach:
            return False
        reach = max(reach, edit.end)
    return True


# Outputs of systems


TIMES = 3  # an output of so many times the source's words has run away
SPARE = 20  # words, so that short sentences may grow
[REFUSALS] = (debris for debris in KINDS if debris.name == "refusals")


def check_output(corpus: Corpus, system: System, refused: Sequence[int] = ()) -> Iterator[SuspiciousLines]:
    """Lines that are empty or run away, debris, a copy of the source, a reference, another tokenisation.

    ``refused`` are lines (from 0) in which a chat model refused, as its file says.
    """
    sources, outputs = corpus.sources, system.hypotheses
    empty = [i for i, (source, text) in enumerate(zip(sources, outputs, strict=True)) if source and not text]
    yield from _list_sentences("empty outputs", empty, system, "every word of the source counts as deleted", "empty")
    by_kind = dict(find_debris(corpus, outputs))
    if refused := [i for i in refused if outputs[i] != sources[i]]:
        by_kind[REFUSALS] = sorted({*by_kind.get(REFUSALS, []), *refused})
    for debris, lines in by_kind.items():
        if debris.name != "empty" and debris.name not in TEXT_FIXES:  # these are found in any file
            yield from _list_sentences(debris.kind, lines, system, debris.effect, debris.name if debris.fixable else "")
    long = [
        i
        for i, (source, text) in enumerate(zip(sources, outputs, strict=True))
        if len(text.split()) > TIMES * len(source.split()) + SPARE
    ]
    effect = f"more than {TIMES} times the words of the source: the system ran on, and its words are wrong edits"
    yield from _list_sentences("run-away outputs", long, system, effect)
    if all(map(same_words, sources, outputs)):
        everything = list(range(len(corpus)))
        yield from _list_sentences(
            "copy of the source", everything, system, "a system that changes nothing: recall is 0"
        )
    why = reference_taken_for_system(corpus, system)
    if why:
        equal = [i for i in range(len(corpus)) if _equals_reference(corpus, system, i)]
        yield from _list_sentences(
            "equals a reference", equal, system, f"{why}, so its score says nothing about a system"
        )
    if not check_tokenisation(sources):
        # Debris is not what was tokenised, or was not.
        sound = fix_output(corpus, system, {debris.name for debris in by_kind})
        if glued := check_tokenisation(sound.hypotheses, fix_output(corpus, sound, ["tokens"]).hypotheses):
            yield glued


# How the doctor names files whose lines do not belong to those of the source, and what this does to a score.
MISFITS = {
    "shifted": "shifted lines",
    "reversed": "lines in reverse order",
    "shuffled": "lines in another order",
    "unrelated": "lines of another source",
    "constant": "the same text in most lines",
    "empty": "most lines are empty",
    "other language": "text in another language",
    "swapped": "source and reference changed places",
    "copy": "copy of the source",
    "twins": "the same file twice",
}


def describe_misfit(misfit: Misfit, texts: Sequence[str], *, of: int) -> SuspiciousLines:
    """Lines that do not belong to those of the source."""
    example = visible(" ".join(texts[misfit.lines[0] - 1].split()[:8])) if misfit.lines else ""
    effect = f"it {misfit.says}, and every such line is scored against a text that it was not made for"
    if misfit.kind in ("swapped", "copy", "twins"):
        effect = misfit.says
    effect = f"{effect}; {misfit.remedy}"
    fix = "lines" if misfit.kind in ("shifted", "reversed", "shuffled") else ""
    return SuspiciousLines(MISFITS[misfit.kind], misfit.count, of, misfit.lines[:SHOWN], example, effect, fix)


def _equals_reference(corpus: Corpus, system: System, i: int) -> bool:
    words = system.hypotheses[i].split()
    return words != corpus.sources[i].split() and words in [text.split() for text in corpus.texts_of(i)]


def _list_sentences(
    kind: str, sentences: list[int], system: System, effect: str, fix: str = ""
) -> Iterator[SuspiciousLines]:
    if sentences:
        example = visible(" ".join(system.hypotheses[sentences[0]].split()[:8]))
        lines = tuple(i + 1 for i in sentences[:SHOWN])
        yield SuspiciousLines(kind, len(sentences), len(system.hypotheses), lines, example, effect, fix)
