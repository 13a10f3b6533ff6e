"""What the two studies of coverage give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from gecval.results.result import Result
from gecval.stats import Interval
from gecval.stats.unseen import Histogram
from gecval.studies.scores.people import AgainstPeople

Unit = Literal["exact", "cased", "text", "index"]
UNITS = get_args(Unit)


# From the corrections of a crowd


@dataclass(frozen=True, kw_only=True)
class VariantEstimate:
    """The corrections of a sentence: how many people gave each, and the histogram of all there are.

    ``range`` is the least and the largest number of variants of all histograms that explain the corrections nearly as
    well. The number of variants is the least certain figure of a histogram.
    """

    sentence: str
    counts: tuple[int, ...]
    objective: float
    histogram: Histogram
    range: Interval


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """The corrections that have at least this frequency: how many, and their probability. Means over sentences."""

    frequency: float
    variants: float
    mass: float


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """The expected accuracy of a perfect system with M references.

    ``observed`` is what the corrections show without a histogram: it has no bias, and ``observed_interval`` is its
    confidence interval. It is None where a sentence has M corrections or fewer.

    ``with_replacement`` is an extrapolation: the coverage of M people's corrections by the estimated histograms. It may
    have a bias, so its ``interval`` over sentences, which the paper prints, may miss the truth. ``range`` has the
    coverage under all histograms that fit nearly as well, for other sentences too; it is computed for some numbers of
    references of which nothing is observed. ``without_replacement`` is the coverage of M corrections that all differ.
    A single sentence has no interval.
    """

    derived: ClassVar[tuple[str, ...]] = ("bias",)

    references: int
    with_replacement: float
    interval: Interval | None
    without_replacement: float
    observed: float | None = None
    observed_interval: Interval | None = None
    range: Interval | None = None

    @property
    def bias(self) -> float:
        """What the references hide: from ``observed`` where it is known, else from ``with_replacement``."""
        return 1 - (self.with_replacement if self.observed is None else self.observed)


@dataclass(frozen=True, kw_only=True)
class AccuracyDistribution:
    """How likely each accuracy of a perfect system is with M references.

    ``probabilities[k]`` is that of k right sentences. ``interval`` holds the middle of the accuracies, as many of them
    as the level says; ``deviation`` is their standard deviation.
    """

    references: int
    probabilities: tuple[float, ...]
    interval: Interval
    deviation: float


@dataclass(frozen=True, kw_only=True)
class Validity:
    """What people say of the corrections that ``least`` to ``most`` of the crowd gave; None stands for no bound.

    ``yes`` of the ``answers`` call a correction valid. ``valid_by_most`` counts corrections that most answers call so.
    """

    derived: ClassVar[tuple[str, ...]] = ("share",)

    least: int | None
    most: int | None
    corrections: int
    answers: int
    yes: int
    interval: Interval | None
    valid_by_most: int

    @property
    def share(self) -> float:
        """The share of answers that call a correction valid."""
        return self.yes / self.answers


@dataclass(frozen=True, kw_only=True)
class PerfectScore:
    """The score of a perfect system with M references."""

    metric: str
    references: int
    score: float
    interval: Interval
    signature: str
    higher_is_better: bool = True


@dataclass(frozen=True, kw_only=True)
class CrowdSummary:
    """Means over the sentences that a crowd corrected.

    ``variants`` is the least and the largest number of variants that would explain the corrections nearly as well.
    """

    corrections: float
    different: float
    variants: Interval


@dataclass(frozen=True, kw_only=True)
class SimulatedTestSet:
    """The test set on which a perfect system is scored."""

    sentences: int
    correct: int
    replacement: bool
    seed: int


@dataclass(frozen=True, kw_only=True, repr=False)
class CrowdCoverage(Result):
    """How many corrections sentences have, how much of them M references cover, and what a perfect system scores.

    ``summary`` and ``estimates`` are empty where histograms were given instead of corrections; ``scores`` and
    ``test_set`` where no metric was asked for; ``validity`` where nobody was asked whether corrections are valid.
    ``distributions`` has for each number of references how likely each accuracy over these sentences is.
    """

    kind: ClassVar[str] = "crowd-coverage"
    view: ClassVar[str] = "crowd_tables"
    main: ClassVar[str] = "curve"

    sentences: int
    unit: Unit | None = None
    summary: CrowdSummary | None = None
    estimates: tuple[VariantEstimate, ...] = ()
    thresholds: tuple[Threshold, ...]
    curve: tuple[Coverage, ...]
    distributions: tuple[AccuracyDistribution, ...] = ()
    validity: tuple[Validity, ...] = ()
    level: float
    test_set: SimulatedTestSet | None = None
    scores: tuple[PerfectScore, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.metric for score in self.scores))


# From the references of a corpus


@dataclass(frozen=True, kw_only=True)
class TrueScore:
    """Accuracy as measured, and as it would be if every valid correction were a reference.

    A corpus of a single sentence gives no interval.
    """

    system: str
    accuracy: float
    interval: Interval | None
    true_accuracy: float
    true_interval: Interval | None
    signature: str


@dataclass(frozen=True, kw_only=True)
class BreakEven:
    """The least p_correct from which correcting pays, for one p_detect. None where the references cannot tell."""

    derived: ClassVar[tuple[str, ...]] = ("ever_pays",)

    p_detect: float
    p_correct: float | None

    @property
    def ever_pays(self) -> bool | None:
        return None if self.p_correct is None else self.p_correct <= 1


@dataclass(frozen=True, kw_only=True, repr=False)
class ReferenceCoverage(Result):
    """How much the references of a corpus cover, and what they hide from systems.

    ``coverage`` is the probability that a valid correction is among a sentence's references; ``range`` holds its values
    under all histograms that explain the references nearly as well. ``interval`` is wider: it has what other sentences
    would change, too. It is None for a single sentence. ``changed`` is the coverage of corrections that
    change the source (equation 7's p_coverage), ``unchanged`` that of leaving the source alone; each is None where no
    reference does so. ``to_halve`` is a lower and an upper estimate of how many more references would halve what is
    hidden; it is None where all references agree.

    ``level`` is that of all intervals. ``true_scores`` is empty where no systems were given, ``people`` where no
    metrics were.
    """

    kind: ClassVar[str] = "reference-coverage"
    view: ClassVar[str] = "reference_tables"
    main: ClassVar[str] = "true_scores"

    sentences: int
    references: int
    coverage: float
    interval: Interval | None
    range: Interval
    changed: float | None
    unchanged: float | None
    to_halve: Interval | None
    alpha: float
    break_even: tuple[BreakEven, ...]
    level: float
    true_scores: tuple[TrueScore, ...] = ()
    people: tuple[AgainstPeople, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.metric for score in self.people))
