"""Typed edits in any language: ERRANT's alignment and merging over parts of speech of Universal Dependencies.

    parse both texts (models/parsers.py) → align → merge → type (universal_type below)

``lang`` is the language of the texts. It chooses the small file of rules, and stands in signatures. ``words`` is a file
with a word on each line, or a dictionary of Hunspell (``.dic``): without it no edit has the type SPELL.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.resources import files
from itertools import chain
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from gecval.corpus.edit import Edit
from gecval.edits.errant import CONTENT_WORDS, merged_edits
from gecval.formats.conllu import Word
from gecval.formats.files import read_bytes, read_lines
from gecval.models.parsers import GivenParses, Parser, parser
from gecval.models.spacy_parser import ParsedSentence, ParsedToken, installed_version
from gecval.runtime.run import SERIAL, Run, announce

Pair = tuple[str, str]
CONTENT = (*CONTENT_WORDS, "PROPN")
UPOS = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM",
    "VERB", "X",
)  # fmt: skip
# The types of words of which nothing is known (``model="none"``).
UNPARSED = (
    "M:OTHER", "M:PUNCT", "R:DIACR", "R:ORTH", "R:OTHER", "R:PUNCT", "R:SPELL", "R:WO", "U:OTHER", "U:PUNCT",
)  # fmt: skip


@dataclass(frozen=True)
class UniversalExtractor:
    """Edits by parses of CoNLL-U files, or by the parser that ``model`` names."""

    lang: str
    model: str = "none"
    parses: tuple[str, ...] = ()
    words: str = ""

    @property
    def language(self) -> str | None:
        return self.lang

    @property
    def only_types(self) -> tuple[str, ...]:
        """All types that it gives, where nobody parses; else it has a type for each part of speech."""
        return () if self.parses or self.model != "none" else UNPARSED

    @cached_property
    def parser(self) -> Parser:
        return GivenParses(self.parses) if self.parses else parser(self.model, self.lang)

    @cached_property
    def signature(self) -> str:
        spelling = f"{_word_list(self.words)[1]}" if self.words else "none"
        return f"universal|errant:{installed_version('errant')}|{self.parser.signature}|spell:{spelling}"

    def edits(self, pairs: Sequence[Pair], *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        announce(run.progress, "parsing")
        texts = list(dict.fromkeys(text for pair in pairs if pair[0].split() != pair[1].split() for text in pair))
        parses = dict(zip(texts, self.parser.parse([text.split() for text in texts]), strict=True))
        known: dict[Pair, tuple[Edit, ...]] = {}
        for done, pair in enumerate(pairs, start=1):
            if pair not in known:
                # A pair that differs in blanks only was not parsed for its own sake.
                parsed = all(text in parses for text in pair)
                known[pair] = self._type_edits(parses[pair[0]], parses[pair[1]]) if parsed else ()
            if done % 1000 == 0 or done == len(pairs):
                run.progress(done, len(pairs))
        return [known[pair] for pair in pairs]

    def _type_edits(self, source: list[Word], corrected: list[Word]) -> tuple[Edit, ...]:
        rules = rules_of(self.lang)
        is_word = _word_list(self.words)[0].__contains__ if self.words else None
        merged = merged_edits(_sentence(source), _sentence(corrected), CONTENT)
        return tuple(
            Edit(
                e.o_start,
                e.o_end,
                (e.c_str,),
                type=universal_type(source[e.o_start : e.o_end], corrected[e.c_start : e.c_end], rules, is_word),
            )
            for e in merged
        )


def _sentence(words: Sequence[Word]) -> ParsedSentence:
    """Words as the merging rules want them. They compare parts of speech as spaCy's numbers."""
    numbers = import_module("spacy.symbols").IDS
    sentence = ParsedSentence()
    for word in words:
        upos, lemma = word.upos if word.upos in UPOS else "X", word.lemma or word.form
        sentence.append(ParsedToken(sentence, word.form, lemma, numbers[upos], upos, "", "", 0, word.form.lower()))
    return sentence


@lru_cache(maxsize=4)
def _word_list(path: str) -> tuple[frozenset[str], str]:
    """The words of a file, and its hash. In a dictionary of Hunspell, marks of affixes follow a slash."""
    digest = hashlib.sha256(read_bytes(Path(path))).hexdigest()[:8]
    return frozenset(line.split("/")[0].split("\t")[0].strip() for line in read_lines(Path(path))) - {""}, digest


# Types of edits in any language, from Universal Dependencies: ``M:ADP``, ``U:PUNCT``, ``R:NOUN:CASE``, ``R:WO``.
#
# Missing and unneeded words have their part of speech. For replaced words the first of these holds:
#
#     ORTH    the same letters, in other case or spacing           SPELL   an unknown word, and one like it
#     PUNCT   only punctuation changes                             X:CASE  the same lemma, another feature; else X:FORM
#     DIACR   only diacritics change, where the language's         MORPH   the same lemma as another part of speech
#             rules say that they are no letters of their own      X       the same part of speech
#     WO      the same words in another order                      OTHER   all else
#
# A language that needs more has a small file of rules (``edits/languages/cs.json``). Where the last words of an edit
# differ in case only, the edit is typed without them, as ERRANT does.


IsWord = Callable[[str], bool]

NAMES = {"PROPN": "NOUN", "CCONJ": "CONJ", "SCONJ": "CONJ"}
WITHOUT_NAME = ("INTJ", "SYM", "X", "")
FEATURES = {
    "Case": "CASE", "Number": "NUM", "Gender": "GEN", "Tense": "TENSE", "Aspect": "ASPECT", "Mood": "MOOD",
    "Voice": "VOICE", "Person": "PERS", "Degree": "DEGREE", "Definite": "DEF",
}  # fmt: skip
VERBAL = ({"AUX", "VERB"}, {"PART", "VERB"})
SIMILAR = 0.5  # a misspelling shares more than this with the word that is meant


@dataclass(frozen=True)
class Rules:
    """What a language needs besides."""

    diacritics: bool = False  # whether a change of diacritics has a type of its own
    names: dict[str, str] = field(default_factory=dict)  # other names of parts of speech, such as ADP: PREP
    features: dict[str, str] = field(default_factory=dict)  # further features, such as Polite: POLITE


@lru_cache
def rules_of(language: str) -> Rules:
    """The rules of a language; those for all where it has no file."""
    file = files("gecval.edits").joinpath("languages", f"{language}.json")
    return Rules(**json.loads(file.read_text("utf-8"))) if file.is_file() else Rules()


def universal_type(
    source: Sequence[Word], corrected: Sequence[Word], rules: Rules | None = None, is_word: IsWord | None = None
) -> str:
    """The type of an edit.

    >>> universal_type([Word("gatta", "NOUN", "gatto")], [Word("gatti", "NOUN", "gatto", {"Number": "Plur"})])
    'R:NOUN:NUM'
    >>> universal_type([], [Word(",", "PUNCT")])
    'M:PUNCT'
    """
    rules = rules or Rules()
    if source and corrected and _lower(source[-1:]) == _lower(corrected[-1:]) and _lower(source) != _lower(corrected):
        source, corrected = source[:-1], corrected[:-1]
    if not source or not corrected:
        return f"{'M' if corrected else 'U'}:{_type_one_sided([*source, *corrected], rules)}"
    return f"R:{_type_replacement(source, corrected, rules, is_word)}"


def _type_one_sided(words: Sequence[Word], rules: Rules) -> str:
    classes = {"PUNCT" if _is_punctuation(word) else word.upos for word in words}
    if len(classes) == 1:
        return _name(classes.pop(), rules)
    return "VERB" if classes in VERBAL else "OTHER"


def _type_replacement(source: Sequence[Word], corrected: Sequence[Word], rules: Rules, is_word: IsWord | None) -> str:
    before, after = "".join(_lower(source)), "".join(_lower(corrected))
    if before == after:
        return "ORTH"
    only_marks = all(map(_is_punctuation, chain(source, corrected)))
    if only_marks or _without(before, "P") == _without(after, "P"):
        return "PUNCT"
    if rules.diacritics and _plain(before) == _plain(after):
        return "DIACR"
    if sorted(_lower(source)) == sorted(_lower(corrected)):
        return "WO"
    if len(source) == len(corrected) == 1:
        return _one_to_one(source[0], corrected[0], rules, is_word)
    classes = {word.upos for word in chain(source, corrected)}
    if len(classes) == 1:
        return _name(classes.pop(), rules)
    if classes in VERBAL:
        return "VERB:FORM" if _lemma(source[-1]) == _lemma(corrected[-1]) else "VERB"
    return "OTHER"


def _one_to_one(source: Word, corrected: Word, rules: Rules, is_word: IsWord | None) -> str:
    name = _name(corrected.upos, rules)
    same_lemma, same_class = _lemma(source) == _lemma(corrected), source.upos == corrected.upos
    if is_word is not None and _misspelt(source.form, corrected.form, is_word):
        return f"{name}:INFL" if same_lemma and same_class and name != "OTHER" else "SPELL"
    if same_lemma and same_class and name != "OTHER":
        known = FEATURES | rules.features
        changed = [known[key] for key in known if source.feats.get(key) != corrected.feats.get(key)]
        return ":".join([name, *changed]) if changed else f"{name}:FORM"
    if same_lemma:
        return "MORPH"
    if same_class or {source.upos, corrected.upos} == {"DET", "PRON"}:
        return name
    return "OTHER"


def _misspelt(source: str, corrected: str, is_word: IsWord) -> bool:
    if not source.isalpha() or is_word(source) or is_word(source.lower()):
        return False
    if not (is_word(corrected) or is_word(corrected.lower()) or not any(map(str.isdigit, corrected))):
        return False
    return Levenshtein.normalized_similarity(source, corrected) > SIMILAR


def _lower(words: Sequence[Word]) -> list[str]:
    return [word.form.lower() for word in words]


def _lemma(word: Word) -> str:
    return word.lemma or word.form


def _name(upos: str, rules: Rules) -> str:
    return "OTHER" if upos in WITHOUT_NAME else rules.names.get(upos, NAMES.get(upos, upos))


def _is_punctuation(word: Word) -> bool:
    return word.upos == "PUNCT" or not _without(word.form, "P")


def _without(text: str, category: str) -> str:
    return "".join(letter for letter in text if not unicodedata.category(letter).startswith(category))


def _plain(text: str) -> str:
    """Without diacritics."""
    return unicodedata.normalize("NFC", _without(unicodedata.normalize("NFD", text), "Mn"))
