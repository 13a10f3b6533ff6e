"""What the two studies of coverage give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from gecval.results.result import Result
from gecval.results.table import DELIMITED, UNKNOWN, Cell, Table, percent
from gecval.stats import Interval
from gecval.stats.unseen_corrections import Histogram
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


# Coverage as tables.

EQUAL: dict[Unit, str] = {
    "exact": "the same words; case and punctuation do not count",
    "cased": "the same words, with case; punctuation does not count",
    "text": "the same characters, but for the number of blanks",
    "index": "changed the same source words, and added as many; case and punctuation do not count",
}
NO_INTERVAL = Interval(UNKNOWN, UNKNOWN)
FEWEST_SENTENCES = 20
FEW_SENTENCES = f"intervals of fewer than {FEWEST_SENTENCES} sentences are too narrow: they hardly show how they differ"
ONE_SENTENCE = "no interval: one sentence does not show how much sentences differ"


def crowd_tables(result: CrowdCoverage, style: str = "text") -> list[Table]:
    """How many corrections there are, then coverage and scores for each number of references."""
    return [threshold_table(result), coverage_table(result), *([validity_table(result)] if result.validity else [])]


def threshold_table(result: CrowdCoverage) -> Table:
    """The mean number of corrections above each frequency, and their probability (Tables 1 and 4)."""
    table = Table(["frequency at least", "variants", "mass"], title="Corrections per sentence", digits=3)
    table.plain = ["frequency at least", "variants"]
    table.rows = [[row.frequency, round(row.variants, 2), row.mass] for row in result.thresholds]
    if result.summary:
        given, (low, high) = result.summary, result.summary.variants
        table.footnotes = [
            f"{result.sentences} sentences, {given.corrections:.1f} corrections each, {given.different:.1f} of them "
            "different",
            f"two corrections are equal if they have {EQUAL[result.unit or 'exact']}",
            f"{low:.0f} to {high:.0f} variants would explain the corrections nearly as well: their number is "
            "uncertain, coverage is less so",
        ]
    else:
        table.footnotes = [f"from {result.sentences} histograms"]
    return table


def validity_table(result: CrowdCoverage) -> Table:
    """A row per number of people who gave a correction: how many answers call it valid."""
    interval = f"{percent(result.level)} interval"
    columns = ["given by", "corrections", "answers", "yes", "share", interval, "valid by most answers"]
    table = Table(columns, title="Are rare corrections valid?", digits=3, level=result.level, main="share")
    for row in result.validity:
        table.rows.append(
            [
                people_who_gave(row),
                row.corrections,
                row.answers,
                row.yes,
                row.share,
                row.interval or NO_INTERVAL,
                row.valid_by_most / row.corrections,
            ]
        )
    table.footnotes = ["if the share is as high for few people as for many, what references miss is not noise"]
    return table


def people_who_gave(row: Validity) -> str:
    """How many people gave the corrections of a row, in words."""
    if row.least is None:
        return "all"
    if row.most is None:
        return f"{row.least} or more people"
    if row.least == row.most:
        return f"{row.least} {'person' if row.least == 1 else 'people'}"
    return f"{row.least} to {row.most} people"


def coverage_table(result: CrowdCoverage) -> Table:
    """A row per number of references: coverage, and what a perfect system scores."""
    interval = f"{percent(result.level)} interval"
    extrapolated = [point.range for point in result.curve if point.range]
    columns = ["references", "coverage", interval, "hidden", "extrapolated"]
    columns += [*(["range"] if extrapolated else []), "different references"]
    columns += [column for metric in result.metrics for column in (metric, f"{metric} {interval}")]
    scores = {(score.metric, score.references): score for score in result.scores}
    table = Table(columns, digits=3, level=result.level)
    table.title = "A perfect system's expected accuracy, and its scores" if scores else "A perfect system's accuracy"
    for point in result.curve:
        row: list[Cell] = [point.references, point.observed, point.observed_interval or NO_INTERVAL]
        row += [point.bias, point.with_replacement]
        row += [*([point.range or NO_INTERVAL] if extrapolated else []), point.without_replacement]
        for metric in result.metrics:
            score = scores[metric, point.references]
            row += [score.score, score.interval]
        table.rows.append(row)
    table.footnotes = [
        "coverage: how much the corrections of M people cover, counted among the people who were asked; it has no bias",
        "extrapolated: the same by the estimated histograms, which may be too high or too low",
        "different references: likewise, for M corrections that all differ",
        "hidden: what is not covered; extrapolated where there are not more than M corrections of every sentence",
    ]
    if extrapolated:
        table.footnotes.append("range: by all histograms that fit nearly as well, for other sentences too")
    if result.test_set:
        once = "" if result.test_set.replacement else ", each person's correction drawn once at most"
        table.footnotes.append(
            f"scores: on a simulated test set of {result.test_set.sentences} sentences, {result.test_set.correct} of "
            f"them correct{once}"
        )
    lower = dict.fromkeys(score.metric for score in result.scores if not score.higher_is_better)
    table.footnotes += [f"{metric}: lower is better" for metric in lower]
    table.footnotes += [] if result.sentences > 1 else [ONE_SENTENCE]
    table.footnotes += [FEW_SENTENCES] if 1 < result.sentences < FEWEST_SENTENCES else []
    return table


def reference_tables(result: ReferenceCoverage, style: str = "text") -> list[Table]:
    """What the references cover, then what they hide from systems, then systems and people."""
    tables = [answer_table(result, style)]
    tables += [true_score_table(result)] if result.true_scores else []
    return [*tables, people_table(result)] if result.people else tables


def answer_table(result: ReferenceCoverage, style: str = "text") -> Table:
    """What the references of a corpus cover, and what follows from it; the reason where they cannot tell."""
    title = f"{result.references} references a sentence"
    table = Table(["question", "answer", "remark"], title=title, digits=3)
    if style == "text":
        table.title = f"{_advise(result)}\n\n{title}"
    halving = "somewhere between the two" if result.to_halve else "all references agree: what they miss does not show"
    table.rows = [
        ["how likely is a valid correction among them?", result.coverage, None],
        [f"… {percent(result.level)} interval, for other sentences too", *_interval(result)],
        ["… range of all estimates that fit nearly as well", result.range, None],
        ["… if it changes the source", *_answer(result.changed, "no reference changes it")],
        ["… if it leaves the source alone", *_answer(result.unchanged, "no reference leaves it alone")],
        ["how many more references would halve what is hidden?", result.to_halve or NO_INTERVAL, halving],
    ]
    price = f" (a wrong one costs {result.alpha:g})" if result.alpha else ""
    unknown = "no reference changes the source" if result.changed is None else "no two references agree on a change"
    for value in result.break_even:
        question = f"{percent(value.p_detect)} of errors are found: how often must a correction be valid to pay?{price}"
        table.rows.append([question, *_answer(value.p_correct, unknown, _remark(value))])
    if style in DELIMITED:  # numbers and ranges each have a column
        table.columns = ["question", "answer", "range", "remark"]
        table.rows = [
            [question, *((None, answer) if isinstance(answer, Interval) else (answer, None)), remark]
            for question, answer, remark in table.rows
        ]
    return table


def _advise(result: ReferenceCoverage) -> str:
    """What the numbers say to somebody who asks how many references are enough."""
    hold = f"These references hold about {result.coverage:.0%} of the valid corrections"
    if not result.to_halve:
        return f"{hold}. All of them agree, so they cannot tell how many more are needed."
    return (
        f"{hold}. Add at least {result.to_halve.low:.0f} to halve what they miss (the upper estimate is "
        f"{result.to_halve.high:.0f}); until then, compare systems by the same references only."
    )


def _interval(result: ReferenceCoverage) -> list[Cell]:
    return [result.interval, None] if result.interval else [NO_INTERVAL, ONE_SENTENCE]


def _answer(value: float | None, unknown: str, remark: str | None = None) -> list[Cell]:
    return [UNKNOWN, unknown] if value is None else [value, remark]


def _remark(value: BreakEven) -> str | None:
    return "above 1: never" if value.ever_pays is False else None


def true_score_table(result: ReferenceCoverage) -> Table:
    """Accuracy as measured, and corrected for coverage."""
    interval = f"{percent(result.level)} interval"
    columns = ["system", "accuracy", interval, "true accuracy", f"true {interval}"]
    table = Table(columns, title="Accuracy, measured and corrected for coverage", digits=3, level=result.level)
    table.rows = [
        [
            score.system,
            score.accuracy,
            score.interval or NO_INTERVAL,
            score.true_accuracy,
            score.true_interval or NO_INTERVAL,
        ]
        for score in result.true_scores
    ]
    table.footnotes = ["this assumes that a system, where it is right, chooses among valid corrections as people do"]
    table.footnotes += [] if all(score.interval for score in result.true_scores) else [ONE_SENTENCE]
    return table


def people_table(result: ReferenceCoverage) -> Table:
    """Systems and people, against the same references."""
    interval = f"{percent(result.level)} interval"
    with_intervals = any(score.interval for score in result.people)
    columns = ["metric", "system", "score", *([interval] if with_intervals else []), "people"]
    columns += [*([f"people's {interval}"] if with_intervals else []), "ratio"]
    table = Table(columns, title="Systems and people, each annotator in turn left out", digits=3, plain=["ratio"])
    table.level = result.level
    for score in result.people:
        row: list[Cell] = [score.metric, score.system, score.score]
        row += [score.interval, score.people, score.people_interval] if with_intervals else [score.people]
        table.rows.append([*row, score.ratio])
    table.bold = {(r, 2) for r, score in enumerate(result.people) if score.above_people}
    table.bold_note = "a system above people"
    table.footnotes = ["a system above people is not better than they are: it is better covered"] if table.bold else []
    lower = dict.fromkeys(score.metric for score in result.people if not score.higher_is_better)
    table.footnotes += [f"{metric}: lower is better" for metric in lower]
    return table
