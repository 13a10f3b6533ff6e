"""Do the lines of two files belong together? Files in another order, or in each other's place, give wrong scores.

A corrected line is much more like its own source line than like any other. So each line of an output or of a reference
is compared with its own source line (letters, from 0 to 1). Only lines that are unlike it are looked for elsewhere in
the source: first a few lines up and down, then, for a sample of them, wherever their rare words stand. Only lines that
are found elsewhere count, so that a system that rewrites boldly is never suspected.

    shifted         the lines of a stretch stand too early or too late, all by the same number of lines
    reversed        the file runs backwards
    shuffled        lines stand anywhere
    unrelated       nearly no line is like its source line, nor like another
    constant        most lines are the same text
    empty           most lines are empty
    other language  the text is in another language than the source

Two more checks concern the files as wholes: whether source and reference changed places (``is_swapped``), and whether
two files hold the same texts (``find_twins``). All of it takes linear time.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import sqrt
from typing import Any

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel, Levenshtein

from gecval.corpus.edit import apply_edits
from gecval.corpus.language import guess_language, language_name
from gecval.corpus.references import Reference, ReferenceTable

FEWEST = 10  # lines; fewer are no evidence
LETTERS = 200  # of a line; enough to recognise it
AT_ONCE = 10_000  # lines that are compared, for the sake of memory
SHORT = 8  # letters; shorter lines, such as greetings, are like many others
UNLIKE = 0.65  # a line that is less like its source line is looked for elsewhere
GAIN = 0.25  # how much more a line must be like another source line
NEAR = (1, -1, 2, -2, 3, -3)  # how many lines up and down are always looked at
SAMPLE = 300  # unlike lines that are looked for in the whole source
RARE = 20  # source lines with a word at most; more frequent words do not tell where a line belongs
CANDIDATES = 3  # source lines that share most rare words with a line
GAP = 5  # lines within a shifted stretch that do not show it
MOST = 0.5
NEARLY_ALL = 0.95
SEED = 1
WORD = 12  # letters; texts with longer words on average are written without blanks
# Outputs that are meant to be the source.
BASELINES = ("input", "source", "src", "copy", "identity", "unchanged", "baseline", "original", "orig")

Likeness = np.ndarray[tuple[int], np.dtype[np.float64]]


@dataclass(frozen=True)
class Misfit:
    """What does not fit: its ``kind``, the lines that it concerns (from 1; up to 20), what to say of it, what to do."""

    kind: str
    count: int
    lines: tuple[int, ...]
    says: str
    remedy: str

    def note(self, name: str) -> str:
        """One line for the user about the file of this name."""
        return f"{name} {self.says}; {self.remedy}"


def check_lines(texts: Sequence[str], sources: Sequence[str]) -> Misfit | None:
    """What is wrong with the lines of an output or a reference as a whole; None where they fit their sources.

    Examples
    --------
    >>> sources = [f"Sentence number {word} is here ." for word in "one two three four five six".split()] * 3
    >>> check_lines(["Rien ne va plus ."] * 18, sources).kind
    'constant'
    >>> check_lines(sources, sources) is None
    True
    """
    if len(texts) < FEWEST:
        return None
    return _check_repetition(texts, sources) or _check_order(texts, sources)


def is_copy(texts: Sequence[str], sources: Sequence[str]) -> bool:
    """Whether every line equals its source line, blanks aside, and there are enough lines to tell."""
    return len(texts) >= FEWEST and all(map(same_words, texts, sources))


def same_words(one: str, other: str) -> bool:
    """Whether two texts differ in blanks at most."""
    return one == other or one.split() == other.split()


# One line many times


def _check_repetition(texts: Sequence[str], sources: Sequence[str]) -> Misfit | None:
    """Most lines empty, or one and the same, where the sources are not."""
    [(text, count)] = Counter(texts).most_common(1)
    if count <= MOST * len(texts) or sources.count(text) > MOST * count:
        return None
    lines = [i for i, other in enumerate(texts) if other == text]
    if not text.strip():
        says = f"has {count} empty lines of {len(texts)}, the first is line {lines[0] + 1}"
        return _misfit("empty", lines, says, "did the system stop, or write to another file?")
    says = f"has the same text in {count} of {len(texts)} lines, the first is line {lines[0] + 1}: {text[:40]!r}"
    return _misfit("constant", lines, says, "is it the output of the system?")


def _misfit(kind: str, places: Sequence[int], says: str, remedy: str, *, count: int | None = None) -> Misfit:
    lines = tuple(place + 1 for place in places[:20])
    return Misfit(kind, len(places) if count is None else count, lines, says, remedy)


# Lines that stand elsewhere


@dataclass(frozen=True)
class _Unlike:
    """The lines of ``texts`` that are unlike their own source lines, and how much they are like them."""

    texts: Sequence[str]
    sources: Sequence[str]
    lines: list[int]
    own: dict[int, float]

    def compare(self, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int, float]]:
        """The pairs (line, source line) in which the line is much more like this source line than like its own."""
        likeness = _likeness([self.texts[i] for i, _ in pairs], [self.sources[j] for _, j in pairs])
        found = zip(pairs, likeness.tolist(), strict=True)
        return [(i, j, like) for (i, j), like in found if like > self.own[i] + GAIN]

    def shift(self, late: int) -> list[int]:
        """The lines that belong to the source line ``late`` lines before."""
        pairs = [(i, i - late) for i in self.lines if 0 <= i - late < len(self.sources)]
        return [i for i, _, _ in self.compare(pairs)]


def _likeness(texts: Sequence[str], others: Sequence[str]) -> Likeness:
    """How much each text is like the other text at the same place, from 0 to 1."""
    likeness = np.empty(len(texts))
    for start in range(0, len(texts), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        likeness[some] = process.cpdist(
            [text[:LETTERS] for text in texts[some]],
            [text[:LETTERS] for text in others[some]],
            scorer=Indel.normalized_similarity,
            dtype=np.float64,
        )
    return likeness


def _check_order(texts: Sequence[str], sources: Sequence[str]) -> Misfit | None:
    own = _likeness(texts, sources)
    filled = [bool(text.strip() and source.strip()) for text, source in zip(texts, sources, strict=True)]
    lines = [i for i in np.flatnonzero(own < UNLIKE).tolist() if filled[i]]
    if len(lines) < FEWEST:
        return None
    if len(lines) > MOST * sum(filled):
        here, there = guess_language(texts), guess_language(sources)
        if here and there and here != there:
            says = f"is in {language_name(here)}, and the source in {language_name(there)}"
            return _misfit("other language", lines, says, "give the output for this source")
    long = [i for i in lines if min(len(texts[i]), len(sources[i])) >= SHORT]
    if len(long) < FEWEST:
        return None
    unlike = _Unlike(texts, sources, long, dict(zip(long, own[long].tolist(), strict=True)))
    sample = sorted(random.Random(SEED).sample(long, min(SAMPLE, len(long))))
    found = {i: j for i, (j, _) in _find_anywhere(unlike, sample).items()}
    return (
        _check_reversal(unlike, found)
        or _check_shift(unlike, found)
        or _check_shuffle(unlike, sample, found)
        or _check_relation(unlike, sample, found, everything=len(lines) > NEARLY_ALL * sum(filled))
    )


def _find_anywhere(unlike: _Unlike, sample: Sequence[int]) -> dict[int, tuple[int, float]]:
    """The source line to which each line of the sample belongs, where it is found, and how like they are.

    Rare words say where to look.
    """
    keys = _word_keys(unlike.sources)
    wanted = {i: set(keys(unlike.texts[i])) for i in sample}
    known = set[str]().union(*wanted.values())
    places: dict[str, list[int]] = defaultdict(list)
    for j, source in enumerate(unlike.sources):
        for key in known.intersection(keys(source)):
            if len(places[key]) <= RARE:
                places[key].append(j)
    pairs = []
    for i, own_keys in wanted.items():
        votes: Counter[int] = Counter()
        for key in sorted(own_keys):
            if len(places.get(key, ())) <= RARE:
                votes.update(places.get(key, ()))
        pairs += [(i, j) for j, _ in votes.most_common(CANDIDATES) if j != i]
    best: dict[int, tuple[float, int]] = {}
    for i, j, like in unlike.compare(pairs):
        best[i] = max(best.get(i, (0.0, 0)), (like, j))
    return {i: (j, like) for i, (like, j) in best.items()}


def _word_keys(sources: Sequence[str]) -> Callable[[str], Iterable[str]]:
    """What a text is cut into to find it again: words, or four letters each where there are no blanks."""
    some = sources[:: max(1, len(sources) // 1000)]
    if sum(map(len, some)) <= WORD * sum(len(source.split()) for source in some):
        return str.split
    return lambda text: (text[k : k + 4] for k in range(max(1, len(text) - 3)))


def _check_reversal(unlike: _Unlike, found: Mapping[int, int]) -> Misfit | None:
    last = len(unlike.texts) - 1
    mirrored = [i for i, j in found.items() if j == last - i]
    if len(mirrored) < max(FEWEST, MOST * len(found)):
        return None
    says = "is in reverse order: its last line belongs to the first line of the source"
    return _misfit("reversed", unlike.lines, says, "turn it round (tac), or write it again")


def _check_shift(unlike: _Unlike, found: Mapping[int, int]) -> Misfit | None:
    """The longest stretch of lines that all stand the same number of lines too late or too early."""
    offsets = Counter(i - j for i, j in found.items())
    far = [late for late, count in offsets.most_common(3) if count >= 3]
    best: list[int] = []
    late = 0
    for offset in dict.fromkeys([*NEAR, *far]):
        stretch = _longest_stretch(unlike.shift(offset))
        if len(stretch) > len(best):
            best, late = stretch, offset
    if len(best) < FEWEST:
        return None
    direction, change = ("late", "added or doubled") if late > 0 else ("early", "lost")
    size = "1 line" if abs(late) == 1 else f"{abs(late)} lines"
    says = f"is shifted: its lines {best[0] + 1} to {best[-1] + 1} stand {size} too {direction}"
    return _misfit("shifted", best, says, f"look for what was {change} near line {best[0] + 1}")


def _longest_stretch(places: Sequence[int]) -> list[int]:
    best: list[int] = []
    stretch: list[int] = []
    for place in places:
        if stretch and place - stretch[-1] > GAP:
            stretch = []
        stretch.append(place)
        if len(stretch) > len(best):
            best = list(stretch)
    return best


def _check_shuffle(unlike: _Unlike, sample: Sequence[int], found: Mapping[int, int]) -> Misfit | None:
    if len(found) < FEWEST or len(found) <= MOST * len(sample):
        return None
    count = round(len(found) / len(sample) * len(unlike.lines))
    first, *_ = sorted(found)
    says = (
        f"is in another order: about {count} of {len(unlike.texts)} lines belong to other source lines, "
        f"such as line {first + 1} to source line {found[first] + 1}"
    )
    return _misfit("shuffled", sorted(found), says, "write it again in the order of the source", count=count)


def _check_relation(
    unlike: _Unlike, sample: Sequence[int], found: Mapping[int, int], *, everything: bool
) -> Misfit | None:
    if not everything or len(found) > (1 - NEARLY_ALL) * len(sample):
        return None
    says = f"has nothing in common with the source in {len(unlike.lines)} of {len(unlike.texts)} lines"
    return _misfit("unrelated", unlike.lines, says, "is it the output for this source?")


def place_lines(texts: Sequence[str], sources: Sequence[str]) -> list[str]:
    """The lines in the order of the source. A source line whose own line is lost stands for it.

    Examples
    --------
    >>> sources = ["He go to the house now .", "An old red apple fell down ."]
    >>> place_lines(["An old apple fell down .", "He goes to the house now ."], sources)
    ['He goes to the house now .', 'An old apple fell down .']
    """
    own = _likeness(texts, sources).tolist()
    lines = [i for i, like in enumerate(own) if like < UNLIKE and texts[i].strip()]
    unlike = _Unlike(texts, sources, lines, {i: own[i] for i in lines})
    found = _find_anywhere(unlike, lines)
    best: dict[int, tuple[float, str]] = {}
    for i, (j, like) in found.items():
        best[j] = max(best.get(j, (own[j] if j not in found else 0.0, texts[j])), (like, texts[i]))
    return [best[j][1] if j in best else sources[j] if j in found else texts[j] for j in range(len(sources))]


# Source and reference in each other's place


CHANGED = 2000  # lines that are looked at
VOTES = 40  # fewer are no evidence
AGAINST = -3.5  # standard deviations; no real reference is below -1.1


def is_swapped(source: Sequence[str], reference: Sequence[str], *, most: int = CHANGED) -> bool:
    """Whether the texts that are given as the source look like corrections of the reference.

    Corrected text is more regular than learners' text. Each change votes twice: for the side whose pairs of words occur
    in more of the other lines, and against the side with a word that occurs in no other line.
    """
    return _direction(source, reference, most=most) < AGAINST


def _direction(source: Sequence[str], reference: Sequence[str], *, most: int) -> float:
    """By how many standard deviations the votes say that the reference corrects the source; below 0, the reverse."""
    changed = [i for i, (one, other) in enumerate(zip(source, reference, strict=True)) if one != other]
    changed = changed[:: -(-len(changed) // most)] if changed else []
    words = _word_keys(source) is str.split
    cut: Callable[[str], Sequence[str]] = str.split if words else lambda text: "".join(text.split())
    pairs = [(["", *cut(source[i]), ""], ["", *cut(reference[i]), ""]) for i in changed]
    lines: Counter[Any] = Counter()  # with a word, or with two next to each other
    for one, other in pairs:
        lines.update({*one, *other, *pairwise(one), *pairwise(other)})
    better = worse = 0
    for one, other in pairs:
        for operation in Levenshtein.opcodes(one, other):
            if operation.tag == "equal":
                continue
            before = min(map(lines.__getitem__, pairwise(one[operation.src_start - 1 : operation.src_end + 1])))
            after = min(map(lines.__getitem__, pairwise(other[operation.dest_start - 1 : operation.dest_end + 1])))
            better += after > before
            worse += before > after
        better += sum(lines[word] == 1 for word in set(one).difference(other))
        worse += sum(lines[word] == 1 for word in set(other).difference(one))
    return (better - worse) / sqrt(better + worse) if better + worse >= VOTES else 0.0


# The same texts twice


def find_twins(named: Mapping[str, Sequence[str]], sources: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """Pairs of names whose texts are the same, or nearly, with the number of lines that are equal.

    Nearly: in 95 % of the lines in which either text differs from its source. Two annotators leave many lines alone.
    """
    step = max(1, len(sources) // CHANGED)
    for (first, one), (second, other) in combinations(named.items(), 2):
        if len(one) < FEWEST or not _nearly_equal(one[::step], other[::step], sources[::step]):
            continue
        if _nearly_equal(one, other, sources):
            yield first, second, sum(map(same_words, one, other))


def _nearly_equal(one: Sequence[str], other: Sequence[str], sources: Sequence[str]) -> bool:
    changed = [(a, b) for a, b, source in zip(one, other, sources, strict=True) if a != source or b != source]
    equal = sum(a == b for a, b in changed)
    return len(changed) >= FEWEST and equal >= NEARLY_ALL * len(changed)


# All outputs, and all references, each with what does not fit


def check_outputs(named: Mapping[str, Sequence[str]], sources: Sequence[str]) -> Iterator[tuple[str, Misfit]]:
    """What does not fit in the outputs of systems, with the name of the system, or of two."""
    for name, texts in named.items():
        misfit = check_lines(texts, sources)
        if misfit:
            yield name, misfit
        elif is_copy(texts, sources) and name.lower() not in BASELINES:
            says = f"equals the source in all {len(texts)} lines"
            yield name, _misfit("copy", range(len(texts)), says, "is it the output of the system?")
    for first, second, equal in find_twins(named, sources):
        if equal == len(sources):
            says = "have the same output"
            remedy = "if one file was given by mistake, give the other one"
            yield f"{first} and {second}", _misfit("twins", range(equal), says, remedy)


def check_references(
    references: Sequence[tuple[str, Sequence[Sequence[Reference]]]], sources: Sequence[str]
) -> Iterator[tuple[str, Misfit]]:
    """What does not fit in references, with the name of the annotator, or of two.

    ``references`` are those of each file, with its name. Edits fit their source; they are only compared with others.
    """
    texts = _texts_by_annotator(references, range(len(sources)), sources, edited=False)
    # Several references share the lines that are looked at, so that twenty take little longer than four.
    most = max(CHANGED // 5, min(CHANGED, 4 * CHANGED // max(1, len(texts))))
    for name, own in texts.items():
        written, its_sources = list(own.values()), [sources[i] for i in own]
        misfit = check_lines(written, its_sources)
        if misfit:
            yield name, misfit
        elif is_copy(written, its_sources):
            says = f"equals the source in all {len(own)} lines"
            yield name, _misfit("copy", list(own), says, "is it a reference? nothing is left to correct")
        elif is_swapped(its_sources, written, most=most):
            says = "looks like the source, and the source like its correction"
            yield name, _misfit("swapped", list(own), says, "did the two files change places?")
    step = -(-len(sources) // CHANGED)
    places = range(0, len(sources), step)
    texts = _texts_by_annotator(references, places, sources, edited=True)
    complete = {name: list(own.values()) for name, own in texts.items() if len(own) == len(places)}
    for first, second, equal in find_twins(complete, [sources[i] for i in places]):
        of = f"{len(places)} sentences" + " that were compared" * (step > 1)
        says = f"are the same reference in {equal} of {of}"
        yield (
            f"{first} and {second}",
            _misfit("twins", places, says, "if one was given twice, leave it out", count=equal),
        )


def _texts_by_annotator(
    references: Sequence[tuple[str, Sequence[Sequence[Reference]]]],
    places: Sequence[int],
    sources: Sequence[str],
    *,
    edited: bool,
) -> dict[str, dict[int, str]]:
    """The texts of each annotator of each file, by sentence. Those made of edits too, if ``edited``."""
    texts: dict[str, dict[int, str]] = {}
    for file, listed in references:
        if isinstance(listed, ReferenceTable) and not edited:
            continue
        for i in places:
            for reference in listed[i]:
                if reference.edits is not None and not edited:
                    continue
                number = reference.annotator
                name = number if not number.isdigit() else f"annotator {number}{f' of {file}' * (len(references) > 1)}"
                text = reference.text
                if text is None:
                    text = apply_edits(sources[i].split(), reference.edits or ())
                texts.setdefault(name, {})[i] = text
    return texts
