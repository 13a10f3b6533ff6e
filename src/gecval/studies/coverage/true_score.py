"""How much of my system's quality do my references hide? (Low-coverage paper, §2.2 and §3.1, for a corpus of one's own)

If a system that is right chooses among valid corrections as people do, E[accuracy] = true accuracy · coverage. Systems
are not like that: they leave far more sentences alone than people do, and to leave one alone is a correction that is
covered far better than others. So the two kinds of output are corrected each by its own coverage,

    true accuracy = accuracy of unchanged outputs / c(unchanged) + accuracy of changed outputs / c(changed),

which assumes the above only within each kind. (By the simple ratio the untouched CoNLL-2014 source is 91% right.)

A system is paid for leaving a phrase alone where (equation 7, with α the price of a wrong correction)

    p_correct·p_coverage − (1 − p_correct·p_coverage)·α < 1 − p_detect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from scipy.stats import hypergeom

from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.accuracy import Accuracy
from gecval.metrics.base import Array
from gecval.metrics.evaluation import Evaluation
from gecval.stats import Interval, Resampling, bootstrap_interval
from gecval.stats.coverage import coverage
from gecval.stats.means import SentenceMean
from gecval.stats.reference_agreement import ReferenceAgreement, agreed_coverage
from gecval.stats.resampling import Draws


@dataclass(frozen=True)
class ReferenceCoverage:
    """What M references of each sentence cover of the corrections that people would make.

    ``range`` holds the coverage under every histogram that explains the references nearly as well; ``changed`` is the
    coverage of corrections that do change the source, equation 7's p_coverage, ``unchanged`` that of leaving it alone,
    None where no reference does so; ``to_halve`` says how many references more, at least and at most, would halve what
    is hidden, None where all references agree.
    """

    references: int
    coverage: float
    range: Interval
    changed: float | None
    unchanged: float | None
    to_halve: Interval | None


@dataclass(frozen=True)
class TrueScore:
    """Accuracy as measured, and as it would be if every valid correction were a reference.

    A single sentence, drawn again and again, gives no interval.
    """

    system: str
    accuracy: float
    interval: Interval | None
    true_accuracy: float
    true_interval: Interval | None


def break_even(p_detect: float, p_coverage: float, *, alpha: float = 0.0) -> float:
    """Equation 7 solved for p_correct: below this, a system is paid for not correcting. Above 1: always.

    >>> round(break_even(0.8, 0.4), 3), round(break_even(0.8, 0.4, alpha=1.0), 3)
    (0.5, 1.5)
    """
    for name, value in (("p_detect", p_detect), ("p_coverage", p_coverage)):
        if not 0 <= value <= 1:
            raise InputError(f"{name} is a probability, not {value:g}")
    if alpha < 0:
        raise InputError(f"alpha, the price of a wrong correction, cannot be negative: {alpha:g}")
    return (1 - p_detect + alpha) / ((1 + alpha) * p_coverage) if p_coverage else float("inf")


def reference_coverage(corpus: Corpus) -> ReferenceCoverage:
    """How much the references of a corpus cover, told from the references alone."""
    unchanged, changed = _agreements(corpus)
    together = ReferenceAgreement(unchanged.fingerprints + changed.fingerprints)
    covered = float(coverage(together.histogram(), together.references))
    return ReferenceCoverage(
        together.references,
        covered,
        together.bounds(together.references),
        changed=_known_coverage(changed),
        unchanged=_known_coverage(unchanged),
        to_halve=together.more_to_halve(covered),
    )


def true_scores(
    corpus: Corpus, systems: Iterable[System], *, resampling: Resampling | None = None, jobs: int | None = None
) -> list[TrueScore]:
    """Accuracy corrected for coverage. The interval resamples sentences, and with them their references' agreement."""
    resampling = resampling or Resampling()
    agreements = _agreements(corpus)
    shares = tuple(map(_share, agreements))
    scores = []
    for system in systems:
        matches = Evaluation.of(Accuracy(), corpus, system, jobs=jobs or cores()).sentence_scores()
        outputs = zip(corpus.sources, system.hypotheses, strict=True)
        changed = np.array([source.split() != output.split() for source, output in outputs])
        kinds = [
            np.column_stack([matches * kind, one.rows])
            for kind, one in zip((~changed, changed), agreements, strict=True)
        ]
        corrected = _Corrected(np.stack(kinds, axis=1), shares)
        scores.append(
            TrueScore(
                system.name,
                float(matches.mean()),
                bootstrap_interval(SentenceMean(matches), resampling) if len(corpus) > 1 else None,
                corrected.score(),
                bootstrap_interval(corrected, resampling) if len(corpus) > 1 else None,
            )
        )
    return scores


@dataclass(frozen=True, eq=False)
class _Corrected:
    """``rows[sentence, kind]`` are the match and its agreement rows, for outputs unchanged and changed."""

    rows: Array
    shares: tuple[float, ...]
    everything: Array = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "everything", self.rows.sum(axis=0))

    def __len__(self) -> int:
        return len(self.rows)

    def score(self) -> float:
        return float(self._scores(self.everything[None], np.array([len(self)]))[0])

    def scores_over(self, draws: Draws) -> Array:
        weights = np.array([np.bincount(draw, minlength=len(self)) for draw in draws], dtype=np.float64)
        return self._scores(np.tensordot(weights, self.rows, axes=1), weights.sum(axis=1))

    def scores_without(self, blocks: list[slice]) -> Array:
        kept = np.array([len(self) - (block.stop - block.start) for block in blocks])
        return self._scores(self.everything - np.array([self.rows[block].sum(axis=0) for block in blocks]), kept)

    def _scores(self, totals: Array, sentences: Array) -> Array:
        score = np.zeros(len(totals))
        for kind, share in enumerate(self.shares):
            covered = agreed_coverage(totals[:, kind, 1:], share)
            matched = totals[:, kind, 0] / sentences
            # Where no references ever agree, a match proves more than can be divided out.
            score += np.divide(matched, covered, out=np.sign(matched), where=covered > 0)
        return np.minimum(score, 1.0)


def _share(agreement: ReferenceAgreement) -> float:
    return agreement.remaining_share(agreement.histogram()) if agreement.rows[:, 0].sum() > 1 else 0.0


def _known_coverage(agreement: ReferenceAgreement) -> float | None:
    """The coverage of this kind of correction, where there is one."""
    totals = agreement.rows.sum(axis=0)
    return float(agreed_coverage(totals, _share(agreement))) if totals[0] > 0 else None


def _agreements(corpus: Corpus) -> tuple[ReferenceAgreement, ReferenceAgreement]:
    """How the references agree where they leave the source unchanged, and where they change it.

    Where sentences have different numbers of references, each stands for all its subsets of the smallest number.
    """
    counts = np.diff(corpus.reference_slots)
    least = int(counts.min())
    if least < 2:
        number = int(np.argmin(counts)) + 1
        raise InputError(
            f"coverage needs two references or more for every sentence; sentence {number} has {least} "
            "(where an .m2 file leaves out annotators who agree: --missing-annotator agreed)"
        )
    rows = np.zeros((2, len(corpus), least))
    for i, source in enumerate(corpus.sources):
        for text, times in Counter(" ".join(text.split()) for text in corpus.texts_of(i)).items():
            rows[int(text != " ".join(source.split())), i] += _subset_pmf(int(counts[i]), times, least)
    return ReferenceAgreement(rows[0]), ReferenceAgreement(rows[1])


@lru_cache(maxsize=10_000)
def _subset_pmf(references: int, times: int, least: int) -> Array:
    """How likely 1, 2, … of ``least`` references hold a text that ``times`` of all hold."""
    pmf: Array = hypergeom.pmf(np.arange(1, least + 1), references, times, least)
    return pmf
