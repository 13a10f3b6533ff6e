"""ERRANT's alignment and merging over words without tags, as the scorer of MultiGEC-2025 does it in any language.

    substitution = 0 if only case differs, else spelling [0, 1]

That scorer means to parse with UDPipe. By an oversight in its public code no parser takes part: every word has an empty
lemma and an empty part of speech, whatever the model. So its precision, recall and F need no model. The types that it
prints mean nothing; these only say what happens: M (missing), U (unneeded), R (replaced).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gecval.edit import Edit, operation
from gecval.edits.errant_rules import merged_edits
from gecval.models.spacy_parser import Sentence, Token, installed_version
from gecval.progress import Progress, silent


@dataclass(frozen=True)
class UntaggedExtractor:
    """Edits by ERRANT's rules for words of which nothing is known."""

    language: ClassVar[str | None] = None  # any

    @property
    def signature(self) -> str:
        return f"multigec|errant:{installed_version('errant')}"

    def edits(
        self, pairs: Sequence[tuple[str, str]], *, jobs: int = 1, progress: Progress = silent
    ) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        known: dict[tuple[str, str], tuple[Edit, ...]] = {}
        for done, pair in enumerate(pairs, start=1):
            if pair not in known:
                known[pair] = untagged_edits(*pair)
            if done % 1000 == 0 or done == len(pairs):
                progress(done, len(pairs))
        return [known[pair] for pair in pairs]


def untagged_edits(source: str, corrected: str) -> tuple[Edit, ...]:
    """The edits between two texts."""
    merged = merged_edits(_untagged(source), _untagged(corrected))
    return tuple(
        Edit(
            e.o_start,
            e.o_end,
            (e.c_str,),
            type=operation(e.o_end - e.o_start, e.c_end - e.c_start),
        )
        for e in merged
    )


def _untagged(text: str) -> Sentence:
    sentence = Sentence()
    for word in text.split():
        sentence.append(Token(sentence, word, "", 0, "", "", "", 0, word.lower()))
    return sentence
