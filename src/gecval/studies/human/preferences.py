"""Does a metric prefer the output of a sentence that people prefer? And does the amount of change alone?

Over all pairs of outputs of which a judge preferred one,

    accuracy = (agree + credit · ties) / (agree + disagree + ties),    τ = 2 · accuracy − 1

A tie of the metric gets half a credit, none (``wrong``), or is not counted at all (``skip``). None of these depends on
the names or the order of systems. Intervals come from a bootstrap over sentences, each with all its judgments.

Where people like outputs that change more, any metric that rewards change agrees with them. So accuracy is also taken
over the pairs whose outputs have equally many edits, and next to that of *more changes*, which sees nothing else. What
a second judge of the same sentence agrees with says how much can be reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.edits.extractors import CorpusEdits, extractor
from gecval.formats.judgments import Judgments
from gecval.metrics.base import AveragedMetric, Need, Statistics, with_count
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.metrics.scribendi import levenshtein_ratios
from gecval.runtime.run import SERIAL, Run
from gecval.stats.resampling import Array, Interval, MaybeUndefined, percentile_interval, sign, times_drawn
from gecval.studies.human.system_scores import Evaluations, TiePolicy

FINDER = "plain"  # whose edits are counted: it finds some in any language


@dataclass(frozen=True, kw_only=True)
class Share:
    """A share of pairs, and of how many."""

    pairs: int
    value: MaybeUndefined
    interval: Interval


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A difference of two shares of the same pairs. Chance may explain it where the interval holds 0."""

    value: MaybeUndefined
    interval: Interval


@dataclass(frozen=True, kw_only=True)
class SentenceAccuracy:
    """One metric against one set of judgments, pair by pair of outputs.

    ``equal_edits`` is the accuracy over pairs whose outputs have equally many edits, ``over_more_changes`` how far the
    accuracy lies above that of *more changes*.
    """

    derived: ClassVar[tuple[str, ...]] = ("tau",)

    judgments: str
    metric: str
    agree: int
    disagree: int
    ties: int
    policy: TiePolicy
    accuracy: MaybeUndefined
    interval: Interval
    higher_is_better: bool = True
    equal_edits: Share | None = None
    over_more_changes: Difference | None = None

    @property
    def tau(self) -> MaybeUndefined:
        """From −1 (always against people) to 1 (always with them)."""
        return 2 * self.accuracy - 1


@dataclass(frozen=True, kw_only=True)
class PreferredPairs:
    """The pairs of outputs of which a judge preferred one.

    In ``more_edits`` of them the preferred output has more edits, in ``fewer_edits`` fewer; the others have equally
    many. ``second_judge`` is the accuracy of another judge of the same sentence, whose ties count half.
    """

    judgments: str
    more_edits: Share
    fewer_edits: Share
    second_judge: Share


@dataclass(frozen=True, kw_only=True)
class AmountOfChange:
    """How much each output changes its source, [system, sentence]: edits, and how like it is (Levenshtein's ratio)."""

    systems: tuple[str, ...]
    edits: NDArray[np.int64]
    likeness: Array

    @classmethod
    def of(cls, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> AmountOfChange:
        found = corpus.derive(CorpusEdits)
        finder = extractor(FINDER)
        return cls(
            systems=tuple(system.name for system in systems),
            edits=np.array(
                [[len(edits) for edits in found.edits(finder, system, run=run.quiet())] for system in systems],
                dtype=np.int64,
            ),
            likeness=np.array([levenshtein_ratios(corpus.sources, system.hypotheses, run=run) for system in systems]),
        )

    def only(self, systems: Sequence[str]) -> AmountOfChange:
        """That of some of the systems."""
        rows = [self.systems.index(name) for name in systems]
        return AmountOfChange(systems=tuple(systems), edits=self.edits[rows], likeness=self.likeness[rows])


def measure_accuracy(
    judgments: Judgments,
    evaluations: Evaluations,
    *,
    change: AmountOfChange | None = None,
    ties: TiePolicy = "half",
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 1,
) -> SentenceAccuracy:
    """Compare a metric with every strict human preference between two of the systems. ``judgments`` are placed."""
    scores = evaluations.metric.direction * evaluations.sentence_scores()
    counts, alike = _count_verdicts(judgments, evaluations.systems, scores, change)
    weights = times_drawn(judgments.sentences, resamples, np.random.default_rng(seed))
    agree, disagree, tied = map(int, counts.sum(axis=0))
    over = None
    if change is not None:
        by_change, _ = _count_verdicts(judgments, evaluations.systems, -change.likeness, None)
        over = _difference(counts, by_change, weights, level, ties=ties)
    share = _share(counts, weights, level, ties=ties)
    return SentenceAccuracy(
        judgments=judgments.name,
        metric=repr(evaluations.metric),
        higher_is_better=evaluations.metric.higher_is_better,
        agree=agree,
        disagree=disagree,
        ties=tied,
        policy=ties,
        accuracy=share.value,
        interval=share.interval,
        equal_edits=None if change is None else _share(alike, weights, level, ties=ties),
        over_more_changes=over,
    )


def compare_accuracies(
    judgments: Judgments,
    systems: Sequence[str],
    first: Array,
    second: Array,
    *,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 1,
) -> tuple[Share, Share, Difference]:
    """The accuracies of two scores [system, sentence], higher is better, and the difference; their ties count half."""
    weights = times_drawn(judgments.sentences, resamples, np.random.default_rng(seed))
    counts, others = (_count_verdicts(judgments, systems, scores, None)[0] for scores in (first, second))
    shares = [_share(listed, weights, level, ties="half") for listed in (counts, others)]
    return shares[0], shares[1], _difference(counts, others, weights, level, ties="half")


def _difference(counts: Array, others: Array, weights: Array, level: float, *, ties: TiePolicy) -> Difference:
    """The accuracy of counts of all items minus that of others."""
    return Difference(
        value=float(_accuracy(counts.sum(axis=0), ties) - _accuracy(others.sum(axis=0), ties)),
        interval=percentile_interval(_accuracy(weights @ counts, ties) - _accuracy(weights @ others, ties), level),
    )


def count_preferred(
    judgments: Judgments, change: AmountOfChange, *, resamples: int = 1000, level: float = 0.95, seed: int = 1
) -> PreferredPairs:
    """Which of two outputs people prefer: that with more edits? And would another judge? ``judgments`` are placed."""
    weights = times_drawn(judgments.sentences, resamples, np.random.default_rng(seed))
    edits, _ = _count_verdicts(judgments, change.systems, change.edits.astype(np.float64), None)
    # Columns: the preferred output has more edits, fewer, equally many.
    more, fewer = (_share(edits[:, [which, 1 - which, 2]], weights, level, ties="wrong") for which in (0, 1))
    second = _count_second_judges(judgments, change.systems)
    return PreferredPairs(
        judgments=judgments.name,
        more_edits=more,
        fewer_edits=fewer,
        second_judge=_share(second, weights, level, ties="half"),
    )


def _share(counts: Array, weights: Array, level: float, *, ties: TiePolicy) -> Share:
    """The accuracy of counts of all items; ``weights`` say how often each item is drawn."""
    return Share(
        pairs=int(counts.sum()),
        value=float(_accuracy(counts.sum(axis=0), ties)),
        interval=percentile_interval(_accuracy(weights @ counts, ties), level),
    )


def _accuracy(counts: Array, policy: TiePolicy) -> Array:
    agree, disagree, tied = counts[..., 0], counts[..., 1], counts[..., 2]
    right = agree + (tied / 2 if policy == "half" else 0)
    judged = agree + disagree + (0 if policy == "skip" else tied)
    with np.errstate(invalid="ignore"):
        accuracy: Array = right / judged
    return accuracy


def _count_verdicts(
    judgments: Judgments, systems: Sequence[str], scores: Array, change: AmountOfChange | None
) -> tuple[Array, Array]:
    """How often scores [system, sentence] agree, disagree and tie, for each item: in all pairs, in those alike.

    Outputs are alike where they have equally many edits. Higher scores are better.
    """
    human = judgments.preferences[:, [judgments.systems.index(name) for name in systems]]
    said = scores.T[judgments.sentences]
    edits = None if change is None else change.edits.T[judgments.sentences]
    counts, alike = np.zeros((len(human), 3)), np.zeros((len(human), 3))
    with np.errstate(invalid="ignore"):
        for i in range(len(systems)):
            # Every pair once, from the side of the winner.
            won = human[:, i, None] > human
            verdicts = sign(said[:, i, None] - said)
            of_kind = [won & (verdicts == which) for which in (1, -1, 0)]
            counts += np.stack([pairs.sum(axis=1) for pairs in of_kind], axis=1)
            if edits is not None:
                same = edits[:, i, None] == edits
                alike += np.stack([(pairs & same).sum(axis=1) for pairs in of_kind], axis=1)
    return counts, alike


def _count_second_judges(judgments: Judgments, systems: Sequence[str]) -> Array:
    """How often other judges of the same sentence agree, disagree and tie with a judge's preferences, for each item."""
    human = judgments.preferences[:, [judgments.systems.index(name) for name in systems]]
    first, second = np.triu_indices(len(systems), 1)
    with np.errstate(invalid="ignore"):
        preferred = np.sign(human[:, first] - human[:, second])  # [item, pair]; NaN where one was not ranked
    counts = np.zeros((len(human), 3))
    order = np.argsort(judgments.sentences, kind="stable")
    for items in np.split(order, np.flatnonzero(np.diff(judgments.sentences[order])) + 1):
        for item in items:
            others = items[judgments.judges[items] != judgments.judges[item]]
            product = preferred[item] * preferred[others]
            counts[item] += [
                (product == 1).sum(),
                (product == -1).sum(),
                ((preferred[item] != 0) & (product == 0)).sum(),
            ]
    return counts


# Controls: metrics that see how much was changed, and no grammar.


CONTROLS = ("more changes", "fewer changes", "longer", "the source", "random")


@dataclass(frozen=True, repr=False)
class Control(AveragedMetric):
    """One of ``CONTROLS``, by its name. *the source* prefers an output that is the source to all others."""

    name: ClassVar[str] = "control"
    summary: ClassVar[str] = "the amount of change alone, or nothing"
    paper: ClassVar[str] = ""
    needs: ClassVar[Need | None] = None
    rule: ClassVar[ReferenceRule] = Pooled()

    which: str

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        return Statistics.one_per_sentence(with_count(self._values(corpus.sources, system.hypotheses, run)))

    def _values(self, sources: Sequence[str], outputs: Sequence[str], run: Run) -> Array:
        if self.which == "longer":
            return np.array([len(output) for output in outputs], dtype=np.float64)
        pairs = list(zip(sources, outputs, strict=True))
        if self.which == "the source":
            return np.array([source.split() == output.split() for source, output in pairs], dtype=np.float64)
        if self.which == "random":  # equal outputs of a sentence draw the same number
            return np.array([_draw(f"{source}\n{output}") for source, output in pairs])
        return (1 if self.which == "fewer changes" else -1) * levenshtein_ratios(sources, outputs, run=run)

    def __repr__(self) -> str:
        return self.which


def _draw(text: str) -> float:
    """A number between 0 and 1 that depends on the text alone."""
    return int.from_bytes(sha256(text.encode()).digest()[:6], "big") / 2**48


def explain_confound(judgments: str, accuracies: Sequence[SentenceAccuracy]) -> Iterator[str]:
    """Which metrics agree with people no better than *more changes* does."""
    worse: list[str] = []
    alike: list[str] = []
    for accuracy in accuracies:
        over = accuracy.over_more_changes
        if accuracy.judgments != judgments or over is None or not over.interval.low <= 0:
            continue
        (worse if over.interval.high < 0 else alike).append(accuracy.metric)
    if alike:
        yield f"{judgments}: over pairs of outputs, not distinguishable from *more changes*: {', '.join(alike)}"
    if worse:
        yield f"{judgments}: over pairs of outputs, *more changes* agrees better with people than {', '.join(worse)}"
