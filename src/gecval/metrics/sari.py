"""SARI (Xu et al. 2016) and MAX-SARI (Choshen & Abend 2018): are words kept, deleted and added as the references do?

    SARI = ( mean_n F1(keepₙ) + mean_n P(deleteₙ) + mean_n F1(addₙ) ) / 3,   n = 1 … 4

``form="tool"`` is SARI.py: ratios are averaged over the n-gram types of a sentence, and the corpus score is the mean
over sentences. ``form="corpus"`` adds up n-gram counts over the corpus first, with F1 for deletion too, as EASSE does.
Nothing to delete or add scores 0, so a copy of a correct source gets about 1/3. MAX-SARI takes the best reference.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gecval import _native
from gecval.corpus import Corpus, System
from gecval.corpus.encoding import Blanks, Encoded
from gecval.metrics.base import Array, Metric, PageFormula, Ratio, Statistics, check_one_of, check_whole, f_score, ratio
from gecval.metrics.reference_rules import Best, Pooled, ReferenceRule
from gecval.runtime.run import SERIAL, Run


@dataclass(frozen=True, repr=False)
class SARI(Metric):
    name: ClassVar[str] = "sari"
    title: ClassVar[str] = "SARI"
    summary: ClassVar[str] = "n-grams rightly kept, deleted and added"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Xu et al. 2016"
    rule: ClassVar[ReferenceRule] = Pooled()

    n: int = 4
    form: str = "tool"

    def __post_init__(self) -> None:
        check_whole(self.name, n=self.n)
        check_one_of(self.name, ("tool", "corpus"), form=self.form)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        # SARI.py splits at every single space, so an empty line is one empty token. For EASSE it has no token.
        blanks: Blanks = "space" if self.form == "tool" else "unicode"
        encoded = Encoded.of(corpus)
        pooled = isinstance(self.rule, Pooled)
        rows = _native.sari(
            *encoded.source_tokens(blanks, run=run),
            *encoded.hypothesis_tokens(system, blanks, run=run),
            *encoded.reference_tokens(blanks, run=run),
            corpus.reference_slots,
            lower=encoded.lower_case_ids(),
            orders=self.n,
            corpus_form=self.form == "corpus",
            pooled=pooled,
            jobs=run.threads,
        )
        return Statistics.one_per_sentence(rows) if pooled else Statistics(rows, corpus.reference_slots)

    def score(self, totals: Array) -> Array:
        mean: Array = np.mean(self._operations(totals), axis=0)
        return mean

    def as_ratio(self) -> Ratio | None:
        return ((1, 1, 1, 0), (0, 0, 0, 3)) if self.form == "tool" else None

    def page_formula(self) -> PageFormula | None:
        return {"name": "sari" if self.form == "tool" else "sariOfCorpus"}

    def parts(self, totals: Array) -> dict[str, float]:
        keep, delete, add = self._operations(totals)
        return {"keep": float(keep), "delete": float(delete), "add": float(add)}

    def _operations(self, totals: Array) -> tuple[Array, Array, Array]:
        if self.form == "tool":
            keep, delete, add, sentences = np.moveaxis(totals, -1, 0)
            return keep / sentences, delete / sentences, add / sentences
        counts = totals.reshape(*totals.shape[:-1], self.n, 3, 3)
        good, proposed, wanted = counts[..., 0], counts[..., 1], counts[..., 2]
        f1 = f_score(ratio(good, proposed, empty=0.0), ratio(good, wanted, empty=0.0), beta=1.0).mean(axis=-2)
        return f1[..., 0], f1[..., 1], f1[..., 2]


@dataclass(frozen=True, repr=False)
class MaxSARI(SARI):
    name: ClassVar[str] = "max-sari"
    title: ClassVar[str] = "MAX-SARI"
    summary: ClassVar[str] = "SARI against the best single reference"
    paper: ClassVar[str] = "Choshen & Abend 2018"
    rule: ClassVar[ReferenceRule] = Best()

    def page_formula(self) -> PageFormula | None:
        return super().page_formula()
