"""Is the test set large enough? The chance that `compare` finds a difference, with other numbers of sentences and
references.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, isfinite
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate, Evaluation, Subset, evaluations_against
from gecval.results.result import ResultSequence
from gecval.results.signature import Signature
from gecval.runtime.run import HERE, Run, announce
from gecval.stats.deciding import influences
from gecval.stats.power import MOST_SENTENCES, Spread, carriers, simulated
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.preparation import Edits, Metrics, Systems, prepare, resolve_metrics, resolve_systems

CHANCE, SIMULATIONS = 0.8, 2000
CHOICES = 8  # of the references of each sentence
SHARES = (0.125, 0.25, 0.5, 2, 4, 8)  # of the sentences of the corpus, which are shown too
LEAST_CARRIERS = 10  # with fewer, predictions on real outputs were too high

Pairs = list[tuple[Evaluation, Evaluation]]


def power(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    metrics: Metrics,
    *,
    differences: Iterable[float] = (),
    sentences: Iterable[int] = (),
    annotators: Iterable[int] = (),
    chance: float = CHANCE,
    simulations: int = SIMULATIONS,
    seed: int = 1,
    aggregate: Aggregate = "corpus",
    extractor: Edits = None,
    run: Run = HERE,
) -> Power:
    """Estimate how likely ``compare`` is to find a difference between each system and the baseline (p < 0.05).

    Parameters
    ----------
    corpus
        Sources and references: two sentences or more.
    baseline
        The system that the others are compared with.
    systems
        The others: systems, or a mapping from a system's name to its list of outputs.
    metrics
        Metrics or their names, e.g. ``["m2", "gleu(n=3)"]``.
    differences
        Sizes of the true difference, in points of the score. By default the observed one.
    sentences
        Sizes of the test set; by default from an eighth to eight times those of the corpus.
    annotators
        Numbers of references a sentence, up to those of the corpus. Any of them are taken to be as good as others: each
        sentence gets so many of its own at random. By default all count, and there is one curve.
    chance
        The chance for which the number of sentences is sought.
    simulations
        How many samples are drawn to see how far the difference varies.
    seed
        Of the random draws.
    aggregate
        ``corpus`` sums statistics over sentences, ``mean`` averages the scores of sentences.
    extractor
        Finds the edits of plain-text references for metrics that need them. By default ERRANT where it is installed
        and the text is English, else plain rules; a note says which.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    Power
        A sequence of ``PowerCurve``, metric after metric. It prints as tables.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["a"] * 40, [["b"]] * 40)
    >>> old = corpus.system("old", ["a"] * 30 + ["b"] * 10)
    >>> [curve] = power(corpus, old, {"new": ["a"] * 26 + ["b"] * 10 + ["a"] * 4}, ["accuracy"], differences=[0.1])
    >>> curve.sentences, round(curve.chance, 1), curve.needed
    (40, 0.3, 161)
    """
    sizes, numbers, levels = list(differences), list(sentences), list(annotators)
    _check(corpus, sizes, numbers, levels, chance=chance, simulations=simulations)
    [baseline], listed = resolve_systems([baseline], corpus), resolve_systems(systems, corpus)
    wanted = resolve_metrics(metrics)
    corpora = prepare(corpus, [baseline, *listed], wanted, extractor=extractor, run=run)
    announce(run.progress, "drawing test sets")
    available = len(corpus)
    shown = sorted({*(numbers or (max(2, round(share * available)) for share in SHARES)), available})
    all_levels: list[int | None] = [*levels] if levels else [None]
    all_sizes: list[float | None] = [*sizes] if sizes else [None]
    curves: list[PowerCurve] = []
    notes: list[str] = []
    for (metric, prepared), system, level in product(zip(wanted, corpora, strict=True), listed, all_levels):
        how: dict[str, Any] = {"aggregate": aggregate, "seed": seed, "run": run.quiet()}
        pairs = _pairs(metric, prepared, (baseline, system), level, **how)
        spread = simulated(pairs, shown, simulations=simulations, seed=seed)
        if not min(spread.errors) > 0:
            raise InputError(
                f"{metric!r} scores {system.name} and {baseline.name} alike on all samples, so these outputs "
                "cannot show how far a difference varies"
            )
        held = float(np.mean([carriers(influences(*pair)) for pair in pairs]))
        notes += _rough(metric, system, held, available, shown)
        named: dict[str, Any] = {
            "metric": repr(metric),
            "baseline": baseline.name,
            "system": system.name,
            "annotators": level,
            "carriers": held,
            "signature": str(Signature.of(metric, prepared, aggregate).with_study(simulations=simulations, seed=seed)),
        }
        curves += [_curve(spread, size, shown, chance, **named) for size in all_sizes]
        run.progress(len(curves), len(wanted) * len(listed) * len(all_levels) * len(all_sizes))
    notes += [*input_notes(corpus, [baseline, *listed]), *(note for prepared in corpora for note in prepared.notes)]
    return Power(wanted=chance, curves=tuple(curves), notes=tuple(dict.fromkeys(notes)))


def _curve(spread: Spread, size: float | None, shown: Sequence[int], chance: float, **named: Any) -> PowerCurve:
    """A given difference has the sign of the observed one."""
    available = spread.sizes[-1]
    true = spread.difference if size is None else float(np.copysign(size, spread.difference))
    return PowerCurve(
        **named,
        difference=true,
        observed=size is None,
        sentences=available,
        chance=spread.chance(true, available),
        needed=None if true == 0 else spread.needed(true, chance),
        detectable=spread.detectable(available, chance),
        points=tuple(ChancePoint(sentences=n, chance=spread.chance(true, n)) for n in shown),
    )


def _pairs(
    metric: Metric,
    corpus: Corpus,
    systems: tuple[System, System],
    annotators: int | None,
    *,
    aggregate: Aggregate,
    seed: int,
    run: Run,
) -> Pairs:
    """The two systems under the metric, once, or against several choices of references."""
    if annotators is None:
        first, second = (
            Evaluation.of(metric, corpus, system, aggregate=aggregate, run=run.quiet()) for system in systems
        )
        return [(first, second)]
    choices = list(_choices(corpus, annotators, seed))
    first_of, second_of = (
        evaluations_against(metric, corpus, system, choices, aggregate=aggregate, run=run) for system in systems
    )
    return list(zip(first_of, second_of, strict=True))


def _choices(corpus: Corpus, annotators: int, seed: int) -> Iterator[Subset]:
    """So many of the references of each sentence, at random; all where it has no more."""
    counts = np.diff(corpus.reference_slots).tolist()
    rng = np.random.default_rng([seed, annotators])
    for _ in range(1 if annotators >= max(counts) else CHOICES):
        yield [np.sort(rng.permutation(count)[:annotators]).astype(np.int64) for count in counts]


def _rough(metric: Metric, system: System, held: float, available: int, shown: Sequence[int]) -> list[str]:
    """A note where a few sentences carry the difference."""
    enough = ceil(LEAST_CARRIERS * available / held) if held > 0 else available
    rough = [number for number in shown if number < enough]
    if not rough:
        return []
    return [
        f"{metric!r}, {system.name}: the difference rests on the weight of about {held:.0f} of {available:,} "
        f"sentences; the chances below {enough:,} sentences are rough, and more often too high than too low"
    ]


def _check(
    corpus: Corpus,
    differences: Sequence[float],
    sentences: Sequence[int],
    annotators: Sequence[int],
    *,
    chance: float,
    simulations: int,
) -> None:
    if len(corpus) < 2:
        raise InputError("how far a difference varies takes two sentences or more to see")
    for difference in differences:
        if not (isfinite(difference) and difference > 0):
            raise InputError(f"a difference is a number above 0, not {difference}", parameter="differences")
    for number in sentences:
        if not 2 <= number <= MOST_SENTENCES:
            size = f"a test set has from 2 to {MOST_SENTENCES:,} sentences, not {number:,}"
            raise InputError(size, parameter="sentences")
    most = int(np.diff(corpus.reference_slots).max())
    for number in annotators:
        if not 1 <= number <= most:
            raise InputError(
                f"sentences here have up to {most} references, so nothing shows what {number} of them would do",
                parameter="annotators",
            )
    if not 0.05 < chance < 1:
        raise InputError(f"the chance lies between 0.05 and 1, not {chance}", parameter="chance")
    if not 2 <= simulations <= 100_000:
        raise InputError(f"a power takes from 2 to 100,000 simulations, not {simulations:,}", parameter="simulations")


# The result


@dataclass(frozen=True, kw_only=True)
class ChancePoint:
    """The chance to find the difference with so many sentences."""

    sentences: int
    chance: float


@dataclass(frozen=True, kw_only=True)
class PowerCurve:
    """A difference of a given size between two systems, and how likely `compare` is to find it.

    ``annotators`` is the number of references a sentence, None where all count. ``difference`` is the true difference
    that is assumed; ``observed`` says that it is the one over the sentences of the corpus. ``chance`` is that with
    these ``sentences``. ``needed`` sentences give the chance that was asked for, None where a billion do not.
    ``detectable`` is the smallest difference that these sentences find with that chance. ``carriers`` says how many
    sentences the difference effectively rests on.
    """

    derived: ClassVar[tuple[str, ...]] = ("more",)

    metric: str
    baseline: str
    system: str
    annotators: int | None
    difference: float
    observed: bool
    sentences: int
    chance: float
    needed: int | None
    detectable: float
    carriers: float
    points: tuple[ChancePoint, ...]
    signature: str

    @property
    def more(self) -> int | None:
        """How many sentences are missing; 0 where those of the corpus are enough."""
        return None if self.needed is None else max(0, self.needed - self.sentences)


@dataclass(frozen=True, kw_only=True, repr=False)
class Power(ResultSequence[PowerCurve]):
    """How likely differences are to be found: a sequence of ``PowerCurve``, metric after metric."""

    kind: ClassVar[str] = "power"
    view: ClassVar[str] = "power_tables"
    main: ClassVar[str] = "curves"

    wanted: float  # the chance that was asked for
    curves: tuple[PowerCurve, ...]
