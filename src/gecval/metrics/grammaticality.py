"""Grammaticality (Napoles, Sakaguchi & Tetreault 2016): how few errors a checker finds in the output by itself.

    score = 1 − errors / tokens       of a sentence, or of all sentences together

The papers' system score is the mean over sentences (aggregate ``mean``). A sentence without tokens has no errors and
scores 1. If a checker finds more errors than tokens, the score is below 0.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.metrics.base import Array, Need, PageFormula, Ratio, Statistics, check_one_of, check_text, check_texts
from gecval.metrics.error_types import ErrorsByCategory
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.models.checkers import GrammarError, check, checker
from gecval.runtime.run import SERIAL, Run

# Rules that the papers switched off: they speak of blanks and quotation marks, which tokenisers move.
PRESETS = {
    "napoles-2016": ("COMMA_PARENTHESIS_WHITESPACE", "WHITESPACE_RULE", "EN_UNPAIRED_BRACKETS", "EN_QUOTES"),
    "maege": (),
}


@dataclass(frozen=True, repr=False)
class Grammaticality(ErrorsByCategory):
    """``checker`` is lingotweaker, harper, languagetool, the URL of a LanguageTool server, or a file of counts."""

    name: ClassVar[str] = "grammaticality"
    title: ClassVar[str] = "Grammaticality"
    summary: ClassVar[str] = "share of tokens without an error that a grammar checker finds"
    scale: ClassVar[tuple[float, float]] = (-math.inf, 1.0)  # a token may have several errors
    paper: ClassVar[str] = "Napoles et al. 2016"
    needs: ClassVar[Need | None] = None
    rule: ClassVar[ReferenceRule] = Pooled()

    checker: str = "lingotweaker"
    preset: str = "napoles-2016"
    ignore: tuple[str, ...] = ()  # further rules or categories

    def __post_init__(self) -> None:
        check_text(self.name, checker=self.checker)
        check_one_of(self.name, tuple(PRESETS), preset=self.preset)
        check_texts(self.name, "TYPOS", ignore=self.ignore)

    @property
    def language(self) -> str | None:
        """That of the checker."""
        return checker(self.checker).language

    def parameters(self) -> dict[str, Any]:
        return super().parameters() | {"checker": checker(self.checker).signature}

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Check the outputs of all systems in one go: a sentence that several share is checked once."""
        self._errors([text for system in systems for text in system.hypotheses], run)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        by_sentence = self._errors(system.hypotheses, run)
        rows = [(len(errors), len(text.split())) for errors, text in zip(by_sentence, system.hypotheses, strict=True)]
        return Statistics.one_per_sentence(np.array(rows, dtype=np.float64))

    def _errors(self, sentences: Sequence[str], run: Run) -> list[list[GrammarError]]:
        """The errors of each sentence that count."""
        ignored = {*PRESETS[self.preset], *self.ignore}
        by_sentence = check(checker(self.checker, run=run), sentences, run=run)
        return [[error for error in errors if not {error.rule, error.category} & ignored] for errors in by_sentence]

    def score(self, totals: Array) -> Array:
        score: Array = 1 - totals[..., 0] / np.maximum(totals[..., 1], 1)
        return score

    def as_ratio(self) -> Ratio | None:
        return (-1, 1), (0, 1)

    def page_formula(self) -> PageFormula | None:
        return {"name": "grammaticality"}

    def parts(self, totals: Array) -> dict[str, float]:
        errors, tokens = totals
        return {"errors": int(errors), "tokens": int(tokens)}

    def errors_by_category(self, system: System, *, run: Run = SERIAL) -> dict[str, int]:
        counts = Counter(error.category for errors in self._errors(system.hypotheses, run) for error in errors)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, repr=False)
class LT(Grammaticality):
    """Grammaticality under its usual name, after LanguageTool, whose rules the default checker has."""

    name: ClassVar[str] = "lt"
    title: ClassVar[str] = "LT"

    def page_formula(self) -> PageFormula | None:
        return super().page_formula()
