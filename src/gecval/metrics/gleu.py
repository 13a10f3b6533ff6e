"""GLEU (Napoles et al. 2015, without tuning 2016).

    GLEU = min(1, exp(1 − r/c)) · exp( 1/N · Σₙ ln(numₙ / denₙ) ),   denₙ = number of n-grams of the hypothesis

H, S and R are the n-gram counts of hypothesis, source and reference. ``form="tool"``, which papers report, takes

    numₙ = max(0, Σ min(H, R) − Σ min(H, S restricted to n-grams that R lacks altogether))

for each sentence. ``form="paper"`` takes what the paper prints:

    numₙ = Σ min(H, R) − Σ max(0, min(H, S) − min(H, R))

This also punishes keeping *more* of an n-gram than the reference does. A sentence may count below 0, and only a sum
over the corpus that is not above 0 gives the score 0. A single sentence is smoothed: what is not above 0 becomes 1.

``unit="char"`` counts n-grams of characters, blanks included, as MultiGEC-2025's tool does with ``-t char``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gecval import _native
from gecval.corpus import Corpus, System
from gecval.corpus.encoding import Encoded, Tokens, characters
from gecval.formats.essays import PLACEHOLDER
from gecval.metrics.base import Array, Metric, PageFormula, Statistics, check_one_of, check_whole
from gecval.metrics.bleu import short_outputs_note
from gecval.metrics.reference_rules import Sampled
from gecval.runtime.run import SERIAL, Run


@dataclass(frozen=True, repr=False)
class GLEU(Metric):
    name: ClassVar[str] = "gleu"
    title: ClassVar[str] = "GLEU"
    summary: ClassVar[str] = "n-gram precision that punishes source n-grams the reference changed"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Napoles et al. 2015, 2016"

    n: int = 4
    form: str = "tool"
    iterations: int = 500
    unit: str = "word"

    def __post_init__(self) -> None:
        check_whole(self.name, n=self.n)
        check_whole(self.name, most=1_000_000, iterations=self.iterations)
        check_one_of(self.name, ("tool", "paper"), form=self.form)
        check_one_of(self.name, ("word", "char"), unit=self.unit)

    def parameters(self) -> dict[str, Any]:
        """As signatures have them: what came later is not in those of plain ``gleu``."""
        return {name: value for name, value in super().parameters().items() if (name, value) != ("unit", "word")}

    @property
    def rule(self) -> Sampled:
        return Sampled(self.iterations)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        sources, hypotheses, references = self._tokens(corpus, system, run)
        rows = _native.gleu(
            *sources,
            *hypotheses,
            *references,
            corpus.reference_slots,
            orders=self.n,
            paper_form=self.form == "paper",
            jobs=run.threads,
        )
        return Statistics(rows, corpus.reference_slots, short_outputs_note(self.name, self.n, system, rows=rows))

    def _tokens(self, corpus: Corpus, system: System, run: Run) -> tuple[Tokens, Tokens, Tokens]:
        """The tokens of sources, hypotheses and references."""
        if self.unit == "char":
            texts = corpus.sources, system.hypotheses, corpus.reference_texts
            sources, hypotheses, references = map(_with_final_blank, texts) if corpus.essays else texts
            return characters(sources), characters(hypotheses), characters(references)
        encoded = Encoded.of(corpus)
        # The tool splits bytes: a no-break space does not separate tokens.
        return (
            encoded.source_tokens("ascii", run=run),
            encoded.hypothesis_tokens(system, "ascii", run=run),
            encoded.reference_tokens("ascii", run=run),
        )

    def score(self, totals: Array) -> Array:
        """0 as soon as one of the counts is not above 0."""
        if totals.size and totals.min() > 0:  # nearly always
            return _geometric_mean(totals)
        positive = np.all(totals > 0, axis=-1, keepdims=True)
        scores: Array = np.where(positive[..., 0], _geometric_mean(np.where(positive, totals, 1.0)), 0.0)
        return scores

    def sentence_score(self, rows: Array) -> Array:
        """Smoothed: what is not above 0 becomes 1, lengths included."""
        return self.score(np.where(rows <= 0, 1.0, rows))

    def page_formula(self) -> PageFormula | None:
        return {"name": "gleu"}


def _geometric_mean(totals: Array) -> Array:
    """Of the precisions, times the brevity penalty."""
    brevity = np.minimum(0.0, 1 - totals[..., 1] / totals[..., 0])
    scores: Array = np.exp(brevity + _mean(np.log(totals[..., 2::2] / totals[..., 3::2])))
    return scores


def _mean(values: Array) -> Array:
    """``values.mean(axis=-1)``, to the last bit, wherever in memory they lie.

    Numpy adds fewer than eight numbers in order, though slowly. More it adds in pairs, if they lie side by side.
    """
    if values.shape[-1] >= 8:
        return np.asarray(np.ascontiguousarray(values).mean(axis=-1))
    total: Array = values[..., 0]
    for k in range(1, values.shape[-1]):
        total = total + values[..., k]
    return np.asarray(total / values.shape[-1])


def _with_final_blank(essays: Sequence[str]) -> list[str]:
    """Essays as MultiGEC's code flattens them: the line break at the end becomes a blank, which is a character too."""
    return [essay if essay == PLACEHOLDER else f"{essay} " for essay in essays]
