"""Typed edits in any language: ERRANT's alignment and merging over parts of speech of Universal Dependencies.

    parse both texts (models/parsers.py) → align → merge → type (universal_types.py)

``lang`` is the language of the texts. It chooses the small file of rules, and stands in signatures. ``words`` is a file
with a word on each line, or a dictionary of Hunspell (``.dic``): without it no edit has the type SPELL.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path

from gecval.edit import Edit
from gecval.edits.errant_rules import CONTENT_WORDS, merged_edits
from gecval.edits.universal_types import rules_of, universal_type
from gecval.formats.conllu import Word
from gecval.formats.files import read_bytes, read_lines
from gecval.models.parsers import GivenParses, Parser, parser
from gecval.models.spacy_parser import Sentence, Token, installed_version
from gecval.progress import Progress, announce, silent

Pair = tuple[str, str]
CONTENT = (*CONTENT_WORDS, "PROPN")
UPOS = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM",
    "VERB", "X",
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

    @cached_property
    def parser(self) -> Parser:
        return GivenParses(self.parses) if self.parses else parser(self.model, self.lang)

    @cached_property
    def signature(self) -> str:
        spelling = f"{_word_list(self.words)[1]}" if self.words else "none"
        return f"universal|errant:{installed_version('errant')}|{self.parser.signature}|spell:{spelling}"

    def edits(self, pairs: Sequence[Pair], *, jobs: int = 1, progress: Progress = silent) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        announce(progress, "parsing")
        texts = list(dict.fromkeys(text for pair in pairs if pair[0].split() != pair[1].split() for text in pair))
        parses = dict(zip(texts, self.parser.parse([text.split() for text in texts]), strict=True))
        known: dict[Pair, tuple[Edit, ...]] = {}
        for done, pair in enumerate(pairs, start=1):
            if pair not in known:
                # A pair that differs in blanks only was not parsed for its own sake.
                parsed = all(text in parses for text in pair)
                known[pair] = self._typed(parses[pair[0]], parses[pair[1]]) if parsed else ()
            if done % 1000 == 0 or done == len(pairs):
                progress(done, len(pairs))
        return [known[pair] for pair in pairs]

    def _typed(self, source: list[Word], corrected: list[Word]) -> tuple[Edit, ...]:
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


def _sentence(words: Sequence[Word]) -> Sentence:
    """Words as the merging rules want them. They compare parts of speech as spaCy's numbers."""
    numbers = import_module("spacy.symbols").IDS
    sentence = Sentence()
    for word in words:
        upos, lemma = word.upos if word.upos in UPOS else "X", word.lemma or word.form
        sentence.append(Token(sentence, word.form, lemma, numbers[upos], upos, "", "", 0, word.form.lower()))
    return sentence


@lru_cache(maxsize=4)
def _word_list(path: str) -> tuple[frozenset[str], str]:
    """The words of a file, and its hash. In a dictionary of Hunspell, marks of affixes follow a slash."""
    digest = hashlib.sha256(read_bytes(Path(path))).hexdigest()[:8]
    return frozenset(line.split("/")[0].split("\t")[0].strip() for line in read_lines(Path(path))) - {""}, digest
