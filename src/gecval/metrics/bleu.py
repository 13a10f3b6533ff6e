"""BLEU (Papineni et al. 2002), and iBLEU (Sun & Zhou 2012), which weighs it against likeness to the source.

    BLEU  = min(1, exp(1 − r/c)) · exp( 1/N · Σₙ ln(matchedₙ / n-gramsₙ) ),   r = the reference length closest to c
    iBLEU = α·BLEU(O, R) − (1 − α)·BLEU(O, S)

Sentence scores are smoothed by NIST's geometric sequence ("method 3"): the k-th order without a match counts as 1/2ᵏ
matches. Orders longer than the hypothesis or the shortest reference are left out. The papers on iBLEU print a minus.
The code behind the MAEGE paper adds, and only the sum gives its published figures. ``sign`` chooses.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gecval import _native
from gecval.corpus import Corpus, System
from gecval.corpus.encoding import Encoded, Tokens
from gecval.metrics.base import Array, Metric, PageFormula, Statistics, check_number, check_one_of, check_whole
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.runtime.run import SERIAL, Run


@dataclass(frozen=True, repr=False)
class BLEU(Metric):
    name: ClassVar[str] = "bleu"
    title: ClassVar[str] = "BLEU"
    summary: ClassVar[str] = "n-gram precision against all references"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Papineni et al. 2002"
    rule: ClassVar[ReferenceRule] = Pooled()

    n: int = 4

    def __post_init__(self) -> None:
        check_whole(self.name, n=self.n)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        hypotheses = Encoded.of(corpus).hypothesis_tokens(system, run=run)
        rows = against_references(corpus, hypotheses, self.n, run=run)
        return Statistics.one_per_sentence(rows, short_outputs_note(self.name, self.n, system, rows=rows))

    def score(self, totals: Array) -> Array:
        return bleu_score(totals)

    def sentence_score(self, rows: Array) -> Array:
        return smoothed_bleu_score(rows)

    def page_formula(self) -> PageFormula | None:
        return {"name": "bleu"}


@dataclass(frozen=True, repr=False)
class IBLEU(Metric):
    name: ClassVar[str] = "ibleu"
    title: ClassVar[str] = "iBLEU"
    summary: ClassVar[str] = "BLEU against references weighed with BLEU against the source"
    paper: ClassVar[str] = "Sun & Zhou 2012"
    rule: ClassVar[ReferenceRule] = Pooled()

    alpha: float = 0.8
    sign: str = "plus"
    n: int = 4

    def __post_init__(self) -> None:
        check_whole(self.name, n=self.n)
        check_number(self.name, least=0, most=1, alpha=self.alpha)
        check_one_of(self.name, ("plus", "minus"), sign=self.sign)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        encoded = Encoded.of(corpus)
        sources, hypotheses = encoded.source_tokens(run=run), encoded.hypothesis_tokens(system, run=run)
        single = np.arange(len(corpus) + 1, dtype=np.int64)  # the source is the only "reference"
        against_source = _native.bleu(*hypotheses, *sources, single, orders=self.n, jobs=run.threads)
        rows = np.hstack([against_references(corpus, hypotheses, self.n, run=run), against_source])
        return Statistics.one_per_sentence(rows, short_outputs_note(self.name, self.n, system, rows=rows))

    def score(self, totals: Array) -> Array:
        return self._weigh(*(bleu_score(part) for part in np.split(totals, 2, axis=-1)))

    def sentence_score(self, rows: Array) -> Array:
        return self._weigh(*(smoothed_bleu_score(part) for part in np.split(rows, 2, axis=-1)))

    def page_formula(self) -> PageFormula | None:
        return {"name": "ibleu", "alpha": self.alpha, "sign": 1 if self.sign == "plus" else -1}

    def _weigh(self, against_references: Array, against_source: Array) -> Array:
        sign = 1.0 if self.sign == "plus" else -1.0
        return self.alpha * against_references + sign * (1 - self.alpha) * against_source


def short_outputs_note(name: str, n: int, system: System, *, rows: Array) -> tuple[str, ...]:
    """A note where no output has an n-gram of the highest order. The last column counts these."""
    if rows[:, -1].any():
        return ()
    return (
        f"{system.name}: no output has {n} tokens, so the corpus score of {name} is 0; the mean of its sentence "
        "scores is smoothed",
    )


def against_references(corpus: Corpus, hypotheses: Tokens, n: int, *, run: Run) -> Array:
    """BLEU's statistics of each sentence against all its references."""
    references = Encoded.of(corpus).reference_tokens(run=run)
    return _native.bleu(*hypotheses, *references, corpus.reference_slots, orders=n, jobs=run.threads)


def bleu_score(totals: Array) -> Array:
    """Corpus BLEU, unsmoothed, from (c, r, shortest reference, matched₁, n-grams₁, matched₂, …)."""
    matched, ngrams = totals[..., 3::2], totals[..., 4::2]
    all_orders = np.all(matched > 0, axis=-1, keepdims=True)
    precision = np.where(all_orders, matched, 1.0) / np.maximum(ngrams, 1.0)
    return np.where(all_orders[..., 0], np.exp(_log_brevity(totals) + np.log(precision).mean(axis=-1)), 0.0)


def smoothed_bleu_score(rows: Array) -> Array:
    """Sentence BLEU with smoothing 3, over the orders that hypothesis and references reach. 0 if no word matches."""
    matched, ngrams = rows[..., 3::2], np.maximum(rows[..., 4::2], 1.0)
    unmatched = matched == 0
    precision = np.where(unmatched, 0.5 ** np.cumsum(unmatched, axis=-1), matched) / ngrams
    reached = np.minimum(rows[..., 0], rows[..., 2])
    used = np.arange(1, matched.shape[-1] + 1) <= reached[..., None]
    log_precision = np.where(used, np.log(precision), 0.0).sum(axis=-1) / np.maximum(used.sum(axis=-1), 1)
    any_word = (matched[..., 0] > 0) & (reached > 0)
    return np.where(any_word, np.exp(_log_brevity(rows) + log_precision), 0.0)


def _log_brevity(totals: Array) -> Array:
    brevity: Array = np.minimum(0.0, 1 - totals[..., 1] / np.maximum(totals[..., 0], 1.0))
    return brevity
