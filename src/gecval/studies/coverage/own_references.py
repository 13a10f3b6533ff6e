"""How much of my systems' quality do my references hide? For a corpus of one's own, from its references alone.

(Low-coverage paper, §2.2, §2.3 and §3.1.) Three answers: the coverage of the references, from how often they agree; the
accuracy that systems would have if every valid correction were a reference; and whether correcting pays at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.accuracy import Accuracy
from gecval.metrics.base import Array, Metric
from gecval.metrics.evaluation import Evaluation
from gecval.results.checkpoint import (
    Checkpoint,
    Chunk,
    Chunks,
    FinishedChunks,
    compute_chunks,
    corpus_signature,
    study_signature,
    systems_digest,
)
from gecval.results.signature import Signature
from gecval.runtime.backends import check_backend
from gecval.runtime.run import HERE, Run, announce
from gecval.stats import Interval, Resampling, bootstrap_interval
from gecval.stats.coverage import ReferenceAgreement, agreed_coverage, coverage, subset_pmf
from gecval.stats.resampling import (
    SHARE,
    Confidence,
    Draws,
    SentenceMean,
    SentenceSums,
    percentile_interval,
    resolve_resampling,
)
from gecval.studies.coverage.result import BreakEven, ReferenceCoverage, TrueScore
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.metric_digest import finder_signature, metric_signature
from gecval.studies.scores.people import AgainstPeople, check_annotators, compare_with_people
from gecval.studies.scores.preparation import Edits, Metrics, Systems, check_scorable, resolve_metrics, resolve_systems

DETECTION = (0.5, 0.8, 0.9, 0.95)


def reference_coverage(
    corpus: Corpus,
    systems: Systems = (),
    metrics: Metrics = (),
    *,
    alpha: float = 0.0,
    score_intervals: bool = False,
    confidence: Confidence = True,
    edits: Edits = None,
    run: Run = HERE,
    checkpoint: Path | str | None = None,
) -> ReferenceCoverage:
    """Say how much the references of a corpus cover, and what they hide from systems.

    Parameters
    ----------
    corpus
        Sources and references. Every sentence needs two references or more.
    systems
        Systems, or a mapping from a system's name to its list of outputs. They get their accuracy, corrected for
        coverage.
    metrics
        Score systems and people under these metrics: each annotator in turn against all others, and the systems
        against the same references. Every sentence needs the same number of annotators then.
    alpha
        The price of a wrong correction, for the break-even values.
    score_intervals
        Give the scores under ``metrics`` intervals too.
    confidence
        How intervals are computed.
    edits
        Finds the edits of plain-text references for metrics that need them. By default ERRANT where it is installed
        and the text is English, else plain rules; a note says which.
    run
        How it runs: threads, progress, backend.
    checkpoint
        A file that caches finished chunks: a system's accuracy, all scores of a metric. A study that was
        interrupted goes on from there.

    Returns
    -------
    ReferenceCoverage
        It prints as tables.

    Examples
    --------
    >>> references = [["He goes home .", "He went home ."], ["Fine .", "Fine ."], ["I am .", "I am ."]]
    >>> corpus = Corpus.from_texts(["He go home .", "Fine .", "I is ."], references)
    >>> result = reference_coverage(corpus, {"mine": ["He go home .", "Fine .", "I am ."]})
    >>> result.references, result.unchanged, round(result.changed, 3)
    (2, 1.0, 0.75)
    >>> result.true_scores[0].accuracy < result.true_scores[0].true_accuracy
    True
    """
    listed, wanted = resolve_systems(systems, corpus, least=0), resolve_metrics(metrics, least=0)
    resampling = resolve_resampling(confidence)
    check_backend(run.backend)
    if wanted and not listed:
        raise InputError("metrics compare systems with people: give the systems' outputs too")
    agreed = count_agreements(corpus)
    together = ReferenceAgreement(agreed.unchanged.fingerprints + agreed.changed.fingerprints)
    covered, changed = float(coverage(together.histogram(), together.references)), known_coverage(agreed.changed)
    values = break_even_values(changed, alpha=alpha)
    chunks = ReferenceChunks(
        corpus=corpus,
        systems=listed,
        metrics={repr(metric): metric for metric in wanted},
        agreed=agreed,
        score_intervals=score_intervals,
        resampling=resampling,
        extractor=edits,
        run=run.for_parts().quiet(),
    )
    chunks.check()
    finished = Checkpoint(checkpoint, chunks.signature, Chunks(ANSWERS))
    people, accuracies = chunks.compute(run=run, finished=finished)
    notes = [note for score in people for note in score.notes]
    notes += [*input_notes(corpus, listed, wanted, words=bool(wanted)), *corpus.notes]
    notes += note_few_agreements(together) if len(corpus) > 1 else []
    return ReferenceCoverage(
        sentences=len(corpus),
        references=together.references,
        coverage=covered,
        interval=coverage_interval(together, resampling) if len(corpus) > 1 else None,
        range=together.bounds(together.references),
        changed=changed,
        unchanged=known_coverage(agreed.unchanged),
        to_halve=together.more_to_halve(covered),
        alpha=alpha,
        break_even=values,
        level=resampling.level,
        true_scores=tuple(accuracies),
        people=tuple(people),
        notes=tuple(dict.fromkeys(notes)),
    )


# Chunks of work: ("people", metric) is systems and people under a metric, ("accuracy", i) the true accuracy of system i


ANSWERS = {"people": tuple[AgainstPeople, ...], "accuracy": TrueScore}


@dataclass(frozen=True, kw_only=True)
class ReferenceChunks:
    """What a worker needs for any chunk."""

    corpus: Corpus
    systems: Sequence[System]
    metrics: Mapping[str, Metric]
    agreed: Agreements
    score_intervals: bool
    resampling: Resampling
    extractor: Edits
    run: Run

    def __call__(self, chunk: Chunk) -> Any:
        part, which = chunk
        if part == "people":
            return tuple(
                compare_with_people(
                    self.corpus,
                    self.systems,
                    [self.metrics[which]],
                    resampling=self.resampling if self.score_intervals else None,
                    extractor=self.extractor,
                    run=self.run.quiet(),
                )
            )
        [score] = true_scores(
            self.corpus, [self.systems[which]], agreed=self.agreed, resampling=self.resampling, run=self.run
        )
        return score

    def check(self) -> None:
        """Refuse what cannot be scored before anything slow begins."""
        if self.metrics:
            check_annotators(self.corpus)
            check_scorable(self.corpus, self.systems, list(self.metrics.values()), extractor=self.extractor)

    def compute(self, *, run: Run, finished: FinishedChunks) -> tuple[list[AgainstPeople], list[TrueScore]]:
        """Compute the scores of systems and people, metric after metric; and the accuracies of all systems."""
        chunks: list[Chunk] = [("people", name) for name in self.metrics]
        chunks += [("accuracy", number) for number in range(len(self.systems))]
        announce(run.progress, "scoring people")
        answers = list(compute_chunks(self, chunks, run=run, finished=finished))
        people = [row for rows in answers[: len(self.metrics)] for row in rows]
        return people, answers[len(self.metrics) :]

    def signature(self) -> str:
        """Everything that decides a chunk."""
        metrics = list(self.metrics.values())
        return study_signature(
            "reference-coverage",
            corpus_signature(self.corpus),
            f"systems:{systems_digest(self.systems)}",
            *map(metric_signature, metrics),
            *finder_signature(self.corpus, metrics, self.extractor),
            f"confidence:{self.score_intervals}",
            self.resampling.signature(len(self.corpus)),
        )


# How often do the references of a corpus agree?
#
# References that leave the source alone and references that change it are counted separately. If sentences have
# different numbers of references, each sentence stands for all its subsets of the smallest number.


class Agreements(NamedTuple):
    """The agreement of references that leave the source alone, and of those that change it."""

    unchanged: ReferenceAgreement
    changed: ReferenceAgreement


def count_agreements(corpus: Corpus) -> Agreements:
    """How often the references of a corpus agree. Every sentence needs two references or more."""
    counts = np.diff(corpus.reference_slots)
    least = int(counts.min())
    if least < 2:
        raise InputError(
            f"coverage needs two references or more for every sentence; sentence {int(np.argmin(counts)) + 1} has "
            f'{least}. Where an .m2 file leaves out annotators who agree, load it with missing="agreed"',
            parameter="missing",
        )
    rows = np.zeros((2, len(corpus), least))
    for i, source in enumerate(corpus.sources):
        for text, times in Counter(" ".join(text.split()) for text in corpus.texts_of(i)).items():
            rows[int(text != " ".join(source.split())), i] += subset_pmf(int(counts[i]), times, least)
    return Agreements(*map(ReferenceAgreement, rows))


def coverage_interval(agreement: ReferenceAgreement, resampling: Resampling) -> Interval:
    """The interval of coverage: what other sentences would change, and what other histograms that fit would.

    Sentences are drawn again, ρ stays; this takes no linear programme. The distances from the estimate to the ends of
    this interval are then added to the range of all histograms that fit nearly as well.
    """
    rows = agreement.rows
    share = remaining_share(agreement)
    sums = SentenceSums(rows, replace(resampling, method="percentile"))
    estimate = float(agreed_coverage(rows.sum(axis=0), share))
    sampled = percentile_interval(agreed_coverage(sums.resampled, share), resampling.level)
    fitting = agreement.bounds(agreement.references)
    low, high = fitting.low + min(0.0, sampled.low - estimate), fitting.high + max(0.0, sampled.high - estimate)
    return Interval(max(0.0, low), min(1.0, high))


FEWEST_AGREEING = 20


def note_few_agreements(agreement: ReferenceAgreement) -> list[str]:
    """A note where so few references agree that the interval of coverage may miss it."""
    agreeing = round(float(agreement.fingerprints[:, 1:].sum()))
    if agreeing >= FEWEST_AGREEING:
        return []
    return [f"{agreeing} corrections were given by two annotators or more: so few that intervals may be too narrow"]


def known_coverage(agreement: ReferenceAgreement) -> float | None:
    """The coverage of this kind of correction; None where no reference is of this kind.

    An estimate from few sentences can pass 1, which a probability cannot.
    """
    totals = agreement.rows.sum(axis=0)
    return min(1.0, float(agreed_coverage(totals, remaining_share(agreement)))) if totals[0] > 0 else None


def remaining_share(agreement: ReferenceAgreement) -> float:
    """ρ of ``stats.reference_agreement``; 0 where there are too few references to estimate it."""
    return agreement.remaining_share(agreement.histogram()) if agreement.rows[:, 0].sum() > 1 else 0.0


# True accuracy
#
# Suppose that a system, where it is right, chooses among valid corrections as people do. Then E[accuracy] is true
# accuracy · coverage. But systems leave far more sentences alone than people do, and leaving a sentence alone is
# covered far better than other corrections. So each kind of output is divided by its own coverage:
#
#     true accuracy = accuracy of unchanged outputs / c(unchanged) + accuracy of changed outputs / c(changed).
#
# This makes the assumption only within each kind. (By the simple ratio the untouched CoNLL-2014 source is 91% right.)


def true_scores(
    corpus: Corpus,
    systems: Iterable[System],
    *,
    agreed: Agreements | None = None,
    resampling: Resampling | None = None,
    run: Run = HERE,
) -> list[TrueScore]:
    """Accuracy corrected for coverage. The intervals resample sentences, and with them how their references agree.

    ``agreed`` saves work where the agreement of the references is known.
    """
    resampling = resampling or Resampling()
    agreed = agreed or count_agreements(corpus)
    shares = tuple(map(remaining_share, agreed))
    scores = []
    for system in systems:
        matches = Evaluation.of(Accuracy(), corpus, system, run=run.quiet()).sentence_scores()
        outputs = zip(corpus.sources, system.hypotheses, strict=True)
        changed = np.array([source.split() != output.split() for source, output in outputs])
        kinds = [
            np.column_stack([matches * kind, agreement.rows])
            for kind, agreement in zip((~changed, changed), agreed, strict=True)
        ]
        corrected = _Corrected(np.stack(kinds, axis=1), shares)
        scores.append(
            TrueScore(
                system=system.name,
                accuracy=float(matches.mean()),
                interval=bootstrap_interval(SentenceMean(matches, SHARE), resampling) if len(corpus) > 1 else None,
                true_accuracy=corrected.score(),
                true_interval=bootstrap_interval(corrected, resampling) if len(corpus) > 1 else None,
                signature=str(
                    Signature.of(Accuracy(), corpus, "corpus", resampling=resampling if len(corpus) > 1 else None)
                ),
            )
        )
    return scores


@dataclass(frozen=True, eq=False)
class _Corrected:
    """``rows[sentence, kind]`` are the match and its agreement rows, for outputs unchanged and changed."""

    rows: Array
    shares: tuple[float, ...]
    scale: tuple[float, float] = SHARE
    everything: Array = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "everything", self.rows.sum(axis=0))

    def __len__(self) -> int:
        return len(self.rows)

    def score(self) -> float:
        return float(self._scores(self.everything[None], np.array([len(self)]))[0])

    def scores_over(self, draws: Draws) -> Array:
        weights = np.array([np.bincount(draw, minlength=len(self))[: len(self)] for draw in draws], dtype=np.float64)
        return self._scores(np.tensordot(weights, self.rows, axes=1), weights.sum(axis=1))

    def scores_without(self, blocks: list[slice]) -> Array:
        sizes = np.array([len(self) - (block.stop - block.start) for block in blocks])
        return self._scores(self.everything - np.array([self.rows[block].sum(axis=0) for block in blocks]), sizes)

    def _scores(self, totals: Array, sentences: Array) -> Array:
        score = np.zeros(len(totals))
        for kind, share in enumerate(self.shares):
            covered = agreed_coverage(totals[:, kind, 1:], share)
            matched = totals[:, kind, 0] / sentences
            # Where no references ever agree, there is no coverage to divide by, but a match is a match.
            score += np.divide(matched, covered, out=np.sign(matched), where=covered > 0)
        return np.minimum(score, 1.0)


# When does correcting pay? (Equation 7)
#
# A system is rewarded for leaving a phrase alone where (α is the price of a wrong correction)
#
#     p_correct·p_coverage − (1 − p_correct·p_coverage)·α < 1 − p_detect.
#
# Solve for p_correct: correcting pays from there on. Above 1 it never pays.


def break_even_values(p_coverage: float | None, *, alpha: float) -> tuple[BreakEven, ...]:
    """One value for each p_detect of ``DETECTION``. They are unknown where the coverage is None or 0."""
    check_alpha(alpha)
    return tuple(
        BreakEven(p_detect=p_detect, p_correct=break_even(p_detect, p_coverage, alpha=alpha) if p_coverage else None)
        for p_detect in DETECTION
    )


def break_even(p_detect: float, p_coverage: float, *, alpha: float = 0.0) -> float:
    """The least p_correct from which correcting pays. Above 1, correcting never pays.

    >>> round(break_even(0.8, 0.4), 3), round(break_even(0.8, 0.4, alpha=1.0), 3)
    (0.5, 1.5)
    """
    for name, value in (("p_detect", p_detect), ("p_coverage", p_coverage)):
        if not 0 <= value <= 1:
            raise InputError(f"{name} is a probability, not {value:g}")
    check_alpha(alpha)
    return (1 - p_detect + alpha) / ((1 + alpha) * p_coverage) if p_coverage else float("inf")


def check_alpha(alpha: float) -> None:
    """Refuse an invalid price."""
    if not 0 <= alpha < float("inf"):
        raise InputError(f"alpha, the price of a wrong correction, cannot be {alpha:g}", parameter="alpha")
