"""How many corrections does a sentence have, and how many references are enough? From the corrections of a crowd.

corrections ──► UnseenEst ──► histograms ──┬─► how many corrections there are (Tables 1 and 4)
     │                                     └─► coverage of 1, 2, … references (Figure 1a)
     └─► simulated test sets ──► a perfect system's score under any metric (Figures 1b and 1c)

(Tables, figures and sections are those of the low-coverage paper; this is its §2.) What accuracy hides from a perfect
system is

    b_M = 1 − 1/N · Σᵢ P(y ∈ Yᵢ),   y ~ Dᵢ,  Yᵢ ~ Dᵢᴹ.

UnseenEst estimates Dᵢ from crowd corrections, one sentence at a time. Everything after that is computed, not sampled.
While M is below the number of corrections, the corrections themselves give b_M without bias. The histogram is needed
for larger M, and for the number of corrections.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gecval.edits.alignment import match_words
from gecval.errors import InputError
from gecval.formats.corrections import (
    Corrections,
    Judgement,
    cased_words,
    is_histogram,
    normalise,
    read_corrections,
    read_histogram,
)
from gecval.metrics.base import Metric
from gecval.results.checkpoint import Checkpoint, Chunk, Chunks, FinishedChunks, compute_chunks, digest, study_signature
from gecval.runtime.backends import check_backend
from gecval.runtime.run import HERE, Run
from gecval.stats import Interval, Resampling, bootstrap_interval
from gecval.stats.coverage import coverage, coverage_without_replacement, observed_coverage, poisson_binomial
from gecval.stats.resampling import SHARE, Array, Confidence, SentenceMean, resolve_resampling
from gecval.stats.unseen_corrections import MOST_VARIANTS, Histogram, Programme, fingerprint
from gecval.studies.coverage.perfect_system import Simulation, perfect_score
from gecval.studies.coverage.result import (
    AccuracyDistribution,
    Coverage,
    CrowdCoverage,
    CrowdSummary,
    PerfectScore,
    SimulatedTestSet,
    Threshold,
    Unit,
    VariantEstimate,
)
from gecval.studies.coverage.validity import measure_validity
from gecval.studies.scores.metric_digest import metric_signature
from gecval.studies.scores.preparation import Metrics, resolve_metrics

MOST_REFERENCES = 1000
THRESHOLDS = (0.0, 0.001, 0.01, 0.1)

Crowd: TypeAlias = Mapping[str, Sequence[str]] | Sequence[Corrections] | Sequence[Histogram]


def crowd_coverage(
    crowd: Crowd,
    metrics: Metrics = (),
    *,
    most_references: int = 20,
    unit: Unit = "exact",
    judgements: Sequence[Judgement] = (),
    drop_unchanged: int | None = None,
    sentences: int = 1312,
    correct: int = 136,
    replacement: bool = True,
    confidence: Confidence = True,
    run: Run = HERE,
    checkpoint: Path | str | None = None,
) -> CrowdCoverage:
    """Say how many corrections sentences have, and how much of them M references cover.

    Parameters
    ----------
    crowd
        What many people made of a few sentences: a dict from each source to the list of its corrections, or what
        ``load_crowd`` reads from files.
    metrics
        Also score a perfect system under these metrics, on a simulated test set.
    most_references
        Coverage is computed for 1, 2, … so many references.
    unit
        What makes two corrections equal: ``exact`` compares their words alone, without case and punctuation; ``cased``
        their words with case; ``text`` everything but blanks; ``index`` which source words they change.
    judgements
        Whether corrections are valid, as people say: what ``load_judgements`` reads. The result then says whether rare
        corrections are noise.
    drop_unchanged
        Leave out sentences that so many people, or more, left unchanged.
    sentences, correct
        The size of the simulated test set, and how many of its sentences need no correction. The defaults are those of
        the CoNLL-2014 test set.
    replacement
        False draws each person's correction once at most.
    confidence
        How intervals are computed. Its seed also draws the simulated test set.
    run
        How it runs: threads, progress, backend.
    checkpoint
        A file that caches finished chunks: the estimate of a sentence, a score. A study that was interrupted goes on
        from there.

    Returns
    -------
    CrowdCoverage
        It prints as tables.

    Examples
    --------
    >>> goes = ["He goes home .", "He goes home .", "He went home .", "He is going home ."]
    >>> likes = ["She likes it .", "She likes it .", "She likes it .", "She liked it ."]
    >>> result = crowd_coverage({"He go home .": goes, "She like it .": likes}, most_references=2)
    >>> [round(point.observed, 3) for point in result.curve]
    [0.333, 0.542]
    """
    if not 1 <= most_references <= MOST_REFERENCES:
        raise InputError(
            f"most_references must lie between 1 and {MOST_REFERENCES}, not {most_references}",
            parameter="most_references",
        )
    wanted, resampling = resolve_metrics(metrics, least=0), resolve_resampling(confidence)
    check_backend(run.backend)
    corrections, histograms = _sort_input(crowd)
    if histograms:
        if wanted:
            raise InputError("histograms have no texts to score: give the corrections, or no metrics")
        if judgements:
            raise InputError("histograms have no texts that were judged: give the corrections", parameter="judgements")
        return CrowdCoverage(
            sentences=len(histograms),
            thresholds=tuple(thresholds(histograms)),
            curve=tuple(coverage_curve(histograms, most_references, resampling=resampling)),
            distributions=tuple(accuracy_distributions(histograms, most_references, level=resampling.level)),
            level=resampling.level,
        )
    rejected = sum(sentence.rejected for sentence in corrections)
    used = corrections if drop_unchanged is None else without_unchanged(corrections, drop_unchanged)
    dropped = len(corrections) - len(used)
    people = f"{drop_unchanged} {'person' if drop_unchanged == 1 else 'people'} or more left them unchanged"
    if not used:
        raise InputError(f"no sentence is left: {people}", parameter="drop_unchanged")
    simulation = None
    if wanted:  # what cannot be drawn is refused before the long work
        simulation = Simulation(
            corrections=used,
            sentences=sentences,
            correct=correct,
            most_references=most_references,
            replacement=replacement,
            seed=resampling.seed,
        )
    for sentence in used:
        check_corrections(sentence)
    chunks = CrowdChunks(
        corrections=used,
        unit=unit,
        simulation=simulation,
        metrics={repr(metric): metric for metric in wanted},
        resampling=resampling,
        run=run.for_parts().quiet(),
    )
    answers = chunks.compute(
        most_references, run=run, finished=Checkpoint(checkpoint, chunks.signature, Chunks(ANSWERS))
    )
    estimates, scores = answers[: len(used)], tuple(answers[len(used) :])
    histograms = [sentence.histogram for sentence in estimates]
    counts = [sentence.counts for sentence in estimates]
    validity = measure_validity(corrections, judgements, resampling=resampling) if judgements else ()
    unknown = len(judgements) - validity[-1].answers if validity else 0
    return CrowdCoverage(
        sentences=len(used),
        unit=unit,
        summary=_summary(estimates),
        estimates=tuple(replace(sentence, histogram=sentence.histogram.sparse()) for sentence in estimates),
        thresholds=tuple(thresholds(histograms)),
        curve=tuple(coverage_curve(histograms, most_references, counts=counts, resampling=resampling)),
        distributions=tuple(accuracy_distributions(histograms, most_references, level=resampling.level)),
        validity=validity,
        level=resampling.level,
        test_set=_test_set(simulation) if simulation else None,
        scores=scores,
        notes=(
            *([f"{dropped} of {len(corrections)} sentences are left out: {people}"] if dropped else []),
            *([f"{rejected} corrections are left out: their status is Rejected"] if rejected else []),
            *([f"{unknown} answers are left out: they are on other sentences"] if unknown else []),
        ),
    )


def load_crowd(paths: Sequence[Path | str], *, keep_rejected: bool = False) -> list[Corrections] | list[Histogram]:
    """Read crowd corrections, or histograms of them, from files.

    Parameters
    ----------
    paths
        Tables with the columns ``source`` and ``correction``, and many rows for each source; or histograms that
        UnseenEst has written.
    keep_rejected
        Also read rows whose ``status`` is Rejected.

    Returns
    -------
    list
        The ``Corrections`` of each sentence, or a ``Histogram`` for each file.

    Examples
    --------
    >>> crowd_coverage(load_crowd(["crowd.tsv"]))  # doctest: +SKIP
    """
    if isinstance(paths, str | Path):
        raise InputError(f"load_crowd takes a list of files: load_crowd([{str(paths)!r}])", parameter="paths")
    files = [Path(path) for path in paths]
    if not files:
        raise InputError("there is no file of corrections or histograms")
    histograms = [is_histogram(file) for file in files]
    if all(histograms):
        return [published_histogram(file) for file in files]
    if any(histograms):
        histogram, table = files[histograms.index(True)], files[histograms.index(False)]
        raise InputError(f"{histogram} is a histogram, {table} is not: give histograms alone, or corrections alone")
    return [sentence for file in files for sentence in read_corrections(file, keep_rejected=keep_rejected)]


def _sort_input(crowd: Crowd) -> tuple[list[Corrections], list[Histogram]]:
    """The corrections or the histograms that a user gave; the other list is empty."""
    if isinstance(crowd, Mapping):
        return [Corrections(source, tuple(texts)) for source, texts in crowd.items()], []
    corrections = [item for item in crowd if isinstance(item, Corrections)]
    histograms = [item for item in crowd if isinstance(item, Histogram)]
    if not crowd or max(len(corrections), len(histograms)) < len(crowd):
        raise InputError("give a dict from each source to its corrections, or what load_crowd returns")
    return corrections, histograms


def _summary(estimates: Sequence[VariantEstimate]) -> CrowdSummary:
    return CrowdSummary(
        corrections=float(np.mean([sum(sentence.counts) for sentence in estimates])),
        different=float(np.mean([len(sentence.counts) for sentence in estimates])),
        variants=Interval(*np.mean([sentence.range for sentence in estimates], axis=0).tolist()),
    )


def _test_set(simulation: Simulation) -> SimulatedTestSet:
    return SimulatedTestSet(
        sentences=simulation.sentences,
        correct=simulation.correct,
        replacement=simulation.replacement,
        seed=simulation.seed,
    )


# Chunks of work: ("estimate", i) is UnseenEst for sentence i, ("score", metric, M) a perfect system with M references


ANSWERS = {"estimate": VariantEstimate, "score": PerfectScore}


@dataclass(frozen=True, kw_only=True)
class CrowdChunks:
    """What a worker needs for any chunk."""

    corrections: Sequence[Corrections]
    unit: Unit
    simulation: Simulation | None
    metrics: Mapping[str, Metric]
    resampling: Resampling
    run: Run

    def __call__(self, chunk: Chunk) -> Any:
        part, *which = chunk
        if part == "estimate":
            return estimate_sentence(self.corrections[which[0]], self.unit)
        assert self.simulation is not None
        name, references = which
        return perfect_score(self.simulation, self.metrics[name], references, resampling=self.resampling, run=self.run)

    def compute(self, most: int, *, run: Run, finished: FinishedChunks) -> list[Any]:
        """Compute the estimates of all sentences, then the scores of all metrics with 1, 2, … ``most`` references."""
        chunks: list[Chunk] = [("estimate", i) for i in range(len(self.corrections))]
        chunks += [("score", name, references) for name in self.metrics for references in range(1, most + 1)]
        return list(compute_chunks(self, chunks, run=run, finished=finished, label=_describe_chunk))

    def signature(self) -> str:
        """Everything that decides a chunk."""
        texts = (text for sentence in self.corrections for text in (sentence.source, "", *sentence.texts, ""))
        parts = [f"corrections:{digest(texts)}", f"unit:{self.unit}", *map(metric_signature, self.metrics.values())]
        if drawn := self.simulation:
            parts += [f"sentences:{drawn.sentences}", f"correct:{drawn.correct}", f"references:{drawn.most_references}"]
            parts += [f"replacement:{drawn.replacement}", self.resampling.signature(drawn.sentences)]
        return study_signature("crowd-coverage", *parts)


def _describe_chunk(chunk: Chunk) -> str:
    part, which, *_ = chunk
    return f"scoring a perfect system by {which}" if part == "score" else "estimating"


# Variants of a sentence, and the coverage that follows from them


def estimate(corrections: Sequence[Corrections], *, unit: Unit = "exact", run: Run = HERE) -> list[VariantEstimate]:
    """UnseenEst for each sentence."""
    estimates = []
    for done, sentence in enumerate(corrections, start=1):
        estimates.append(estimate_sentence(sentence, unit))
        run.progress(done, len(corrections))
    return estimates


def estimate_sentence(sentence: Corrections, unit: Unit) -> VariantEstimate:
    """UnseenEst for one sentence."""
    check_corrections(sentence)
    variants = [variant(sentence.source, text, unit) for text in sentence.texts]
    programme = Programme(fingerprint(variants))
    histogram = programme.histogram()
    return VariantEstimate(
        sentence=sentence.source,
        counts=tuple(Counter(variants).values()),
        objective=programme.objective(histogram.variants),
        histogram=histogram,
        range=programme.bounds(np.ones_like),
    )


def check_corrections(sentence: Corrections) -> None:
    """Refuse a sentence that nothing can be estimated from."""
    if len(sentence.texts) < 2:
        raise InputError(f"{sentence.source[:60]!r} has one correction; every sentence needs two or more")


def variant(source: str, correction: str, unit: Unit) -> Hashable:
    """What makes two corrections equal.

    ``exact``: their words alone, in lower case, so that case and punctuation do not count. ``cased``: their words as
    they stand. ``text``: everything, but for the number of blanks. ``index``: which source words they change, and how
    many words they add; case and punctuation do not count.

    >>> [variant("He go .", "He  Goes!", unit) for unit in ("exact", "cased", "text", "index")]
    ['he goes', 'He Goes', 'He Goes!', ((1,), 0)]
    """
    if unit == "text":
        return " ".join(correction.split())
    if unit == "cased":
        return cased_words(correction)
    words = normalise(correction)
    if unit == "exact":
        return words
    before, after = normalise(source).split(), words.split()
    pairs = match_words(before, after)
    changed = tuple(i for i, j in pairs if i is not None and (j is None or before[i] != after[j]))
    return changed, sum(i is None for i, _ in pairs)


def without_unchanged(corrections: Iterable[Corrections], limit: int) -> list[Corrections]:
    """The sentences that fewer than ``limit`` people left unchanged (the authors' code: 8)."""
    return [
        sentence
        for sentence in corrections
        if sum(normalise(text) == normalise(sentence.source) for text in sentence.texts) < limit
    ]


def published_histogram(path: Path) -> Histogram:
    """A histogram that UnseenEst has written to a file."""
    frequencies, variants = np.array(read_histogram(path)).T
    if variants.sum() > MOST_VARIANTS:
        raise InputError(f"{path} has {variants.sum():g} variants; UnseenEst gives {MOST_VARIANTS:,.0f} at most")
    return Histogram(frequencies, variants)


def thresholds(histograms: Sequence[Histogram], frequencies: Sequence[float] = THRESHOLDS) -> list[Threshold]:
    """The rows of the paper's Tables 1 and 4."""
    rows = []
    for frequency in frequencies:
        variants, mass = np.mean([histogram.above(frequency) for histogram in histograms], axis=0)
        rows.append(Threshold(frequency=frequency, variants=float(variants), mass=float(mass)))
    return rows


def accuracy_distributions(
    histograms: Sequence[Histogram], most: int = 20, *, level: float = 0.95
) -> list[AccuracyDistribution]:
    """How likely each accuracy of a perfect system is, with 1, 2, … ``most`` references (Appendix D).

    A sentence counts as right with the probability that its references cover. Sentences are independent, so the number
    of right ones has a Poisson binomial distribution.
    """
    covered = np.array([coverage(histogram, np.arange(1, most + 1)) for histogram in histograms])
    distributions = []
    for references, chances in enumerate(np.clip(covered, 0, 1).T, start=1):
        probabilities = poisson_binomial(chances)
        below = probabilities.cumsum()
        low, high = (int(np.searchsorted(below, share)) for share in ((1 - level) / 2, (1 + level) / 2))
        sentences = len(chances)
        distributions.append(
            AccuracyDistribution(
                references=references,
                probabilities=tuple(probabilities.tolist()),
                interval=Interval(low / sentences, min(high, sentences) / sentences),
                deviation=float(np.sqrt((chances * (1 - chances)).sum())) / sentences,
            )
        )
    return distributions


def coverage_curve(
    histograms: Sequence[Histogram],
    most: int = 20,
    *,
    counts: Sequence[Sequence[int]] = (),
    resampling: Resampling | None = None,
) -> list[Coverage]:
    """Coverage for 1, 2, … ``most`` references, the mean over sentences (Figure 1a).

    ``counts`` says how many people gave each correction of a sentence, where that is known.
    """
    resampling = resampling or Resampling()
    references = np.arange(1, most + 1)
    gathered = min(map(sum, counts), default=0)
    ranges = extrapolation_ranges(counts, gathered, most, resampling=resampling) if counts else {}
    seen = {
        number: np.array([observed_coverage(given, number) for given in counts])
        for number in range(1, min(gathered, most + 1))
    }
    several = len(histograms) > 1
    drawn = np.array([coverage(histogram, references) for histogram in histograms])
    different = np.array([coverage_without_replacement(histogram, most) for histogram in histograms]).mean(axis=0)
    return [
        Coverage(
            references=number,
            with_replacement=float(values.mean()),
            interval=bootstrap_interval(SentenceMean(values, SHARE), resampling) if several else None,
            without_replacement=float(without),
            observed=float(seen[number].mean()) if number in seen else None,
            observed_interval=bootstrap_interval(SentenceMean(seen[number], SHARE), resampling)
            if several and number in seen
            else None,
            range=ranges.get(number),
        )
        for number, values, without in zip(references.tolist(), drawn.T, different, strict=True)
    ]


RANGES = 8  # numbers of references with a range, at most: each takes two linear programmes a sentence


def extrapolation_ranges(
    counts: Sequence[Sequence[int]], gathered: int, most: int, *, resampling: Resampling
) -> dict[int, Interval]:
    """The least and the largest coverage of more references than were gathered, for some numbers of them.

    The ends are means over sentences of what histograms that fit nearly as well give. The interval of each end is
    added, as other sentences would have other ends.
    """
    if most < gathered:
        return {}
    numbers = np.unique(np.geomspace(gathered, most, RANGES).round().astype(int)).tolist()
    programmes = [Programme(np.bincount(given)[1:]) for given in counts]
    found = {}
    for number in numbers:
        ends = np.array([programme.bounds(partial(_cover, references=number)) for programme in programmes])
        low, high = ends[:, 0].clip(0.0), ends[:, 1].clip(max=1.0)
        if len(counts) == 1:
            found[number] = Interval(float(low[0]), float(high[0]))
        else:
            of_low, of_high = (bootstrap_interval(SentenceMean(values, SHARE), resampling) for values in (low, high))
            found[number] = Interval(of_low.low, of_high.high)
    return found


def _cover(frequencies: Array, *, references: int) -> Array:
    return frequencies * (1 - (1 - frequencies) ** references)
