"""The judged systems under a metric: from sentence scores to one score per system, in five ways.

corpus          the metric's own score of all sentences together
mean            the mean of the sentence scores (Napoles et al. 2016 find that this agrees better with people)
expected-wins   each sentence is a judgment in which the better score wins; then as for people
trueskill       likewise
trueskill-pass  one pass of TrueSkill over the sentences in their order, as gec-metrics does (``stats/ranking.py``)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.judgments import SOURCE_NAMES, Judgments, place
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.results.signature import Signature
from gecval.runtime.run import SERIAL, Run
from gecval.stats.ranking import HeadToHead, expected_wins, skills, trueskill
from gecval.stats.resampling import Array, Interval, Resampling, bootstrap_interval
from gecval.studies.human.ranking import Ranker

Aggregation = Literal["corpus", "mean", "expected-wins", "trueskill", "trueskill-pass"]
AGGREGATIONS: tuple[Aggregation, ...] = get_args(Aggregation)

Sentences = NDArray[np.int64]


def place_on_corpus(
    judgments: Judgments, corpus: Corpus, systems: Sequence[System]
) -> tuple[Judgments, dict[str, System]]:
    """The judgments placed on the corpus, and all outputs by name.

    A judged system INPUT, src or source is the source itself where there is no output of that name.
    """
    outputs = {system.name: system for system in systems}
    for name in judgments.systems:
        if name in SOURCE_NAMES and name not in outputs:
            outputs[name] = corpus.system(name, corpus.sources)
    placed = place(judgments, {name: system.hypotheses for name, system in outputs.items()}, len(corpus))
    return placed, outputs


def select_judged_systems(
    judgments: Judgments, corpus: Corpus, systems: Sequence[System], *, without: Collection[str] = ()
) -> tuple[Judgments, list[System]]:
    """The judgments placed on the corpus, and the outputs that they judge, except those of systems left out."""
    names = [name for name in judgments.systems if name not in without]
    available = {system.name for system in systems}
    missing = [name for name in names if name not in available and name not in SOURCE_NAMES]
    if missing:
        it, its = ("it", "its") if len(missing) == 1 else ("them", "their")
        raise InputError(
            f"{judgments.name} ranks {', '.join(missing)}, but systems lacks {it}: add {its} outputs, or leave {it} "
            "out by without",
            parameter=("systems", f"without={','.join(missing)}"),
        )
    if len(names) < 3:
        raise InputError(f"{judgments.name}: a correlation needs three systems or more, not {len(names)}")
    placed, outputs = place_on_corpus(judgments, corpus, systems)
    return placed, [outputs[name] for name in names]


def find_judged_sentences(judgments: Judgments) -> Sentences:
    """Each sentence that somebody judged, once."""
    return np.unique(judgments.sentences[[bool(item.placements) for item in judgments.items]])


@dataclass(frozen=True, kw_only=True)
class Evaluations:
    """Every system under one metric."""

    metric: Metric
    corpus: Corpus
    systems: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]

    @classmethod
    def of(cls, metric: Metric, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> Evaluations:
        return cls(
            metric=metric,
            corpus=corpus,
            systems=tuple(system.name for system in systems),
            evaluations=tuple(Evaluation.of(metric, corpus, system, run=run.quiet()) for system in systems),
        )

    def only(self, systems: Sequence[str]) -> Evaluations:
        """The evaluations of some of the systems."""
        evaluations = dict(zip(self.systems, self.evaluations, strict=True))
        return Evaluations(
            metric=self.metric,
            corpus=self.corpus,
            systems=tuple(systems),
            evaluations=tuple(evaluations[name] for name in systems),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(note for evaluation in self.evaluations for note in evaluation.statistics.notes)

    def signature(self, aggregate: Aggregation) -> Signature:
        """Everything that decides the scores of systems, besides which sentences are scored."""
        return Signature.of(self.metric, self.corpus, aggregate)

    def sentence_scores(self) -> Array:
        """[system, sentence]"""
        return np.array([evaluation.sentence_scores() for evaluation in self.evaluations])

    def direction(self, aggregate: Aggregation) -> int:
        """1 where a higher score of a system is better, else −1. In a contest, more wins are better."""
        return self.metric.direction if aggregate in ("corpus", "mean") else 1

    def scores(
        self, sentences: Sentences, aggregate: Aggregation = "corpus", *, runs: int = 50, seed: int = 1
    ) -> Array:
        """One score per system, over these sentences."""
        if aggregate == "corpus":
            return np.array([evaluation.scores_over(sentences[None])[0] for evaluation in self.evaluations])
        scores = self.sentence_scores()[:, sentences]
        if aggregate == "mean":
            return np.array(scores.mean(axis=1))
        if aggregate == "trueskill-pass":
            return np.array([skill.mu for skill in skills(self.metric.direction * scores.T, aggregate)])
        head = HeadToHead.of(self.systems, self.metric.direction * scores.T)
        if aggregate == "expected-wins":
            return expected_wins(head, opponents="all")  # two systems that always tie add nothing
        return trueskill(head, np.random.default_rng(seed), runs=runs).scores

    def intervals(self, sentences: Sentences, aggregate: Aggregate, resampling: Resampling) -> list[Interval]:
        """The interval of each system's score over these sentences."""
        return [
            bootstrap_interval(
                Evaluation(self.metric, evaluation.statistics.take(sentences), aggregate=aggregate, run=evaluation.run),
                resampling,
            )
            for evaluation in self.evaluations
        ]


@dataclass(frozen=True, kw_only=True)
class SystemScores:
    """A metric's score of each system. Intervals are None where there are none.

    ``rising`` is the score where higher is better, else the negated score: what people's scores are compared with.
    """

    metric: str
    systems: tuple[str, ...]
    scores: Array
    rising: Array
    higher_is_better: bool
    intervals: Sequence[Interval | None]
    signature: str

    @classmethod
    def of(cls, evaluations: Evaluations, sentences: Sentences, options: HumanOptions) -> SystemScores:
        ranker, aggregate = options.ranker, options.aggregate
        scores = evaluations.scores(sentences, aggregate, runs=ranker.runs, seed=ranker.seed)
        intervals: Sequence[Interval | None] = [None] * len(scores)
        if options.confidence and (aggregate == "corpus" or aggregate == "mean"):
            resampling = Resampling(
                resamples=ranker.resamples, level=ranker.level, method="percentile", seed=ranker.seed
            )
            intervals = evaluations.intervals(sentences, aggregate, resampling)
        return cls(
            metric=repr(evaluations.metric),
            systems=evaluations.systems,
            scores=scores,
            rising=evaluations.direction(aggregate) * scores,
            higher_is_better=evaluations.direction(aggregate) == 1,
            intervals=intervals,
            signature=str(evaluations.signature(aggregate).with_study(scope=options.scope)),
        )


Scope = Literal["judged", "all"]
TiePolicy = Literal["half", "wrong", "skip"]
TIE_POLICIES = get_args(TiePolicy)


@dataclass(frozen=True, kw_only=True)
class HumanOptions:
    """How to set metrics against people.

    Parameters
    ----------
    ranker
        How people's judgments rank systems. All intervals of the study have its level.
    combined
        Also take all sets of judgments together as one more set.
    aggregate
        How a metric's sentence scores become one score of a system.
    scope
        Metrics score the judged sentences, or all sentences of the corpus.
    without
        Systems to leave out of correlations and accuracies. People still rank them.
    ties
        What a tie of a metric is worth where people prefer one output: ``half`` a point, ``wrong`` is none, ``skip``
        does not count the pair.
    window
        Also correlate every so many neighbours in the human ranking. 0 is no window.
    confidence
        Give the systems' metric scores bootstrap intervals.
    hybrids
        Pairs of a reference-based and a reference-less metric to interpolate.
    """

    ranker: Ranker = field(default_factory=Ranker)
    combined: bool = False
    aggregate: Aggregation = "corpus"
    scope: Scope = "judged"
    without: tuple[str, ...] = ()
    ties: TiePolicy = "half"
    window: int = 0
    confidence: bool = False
    hybrids: tuple[tuple[Metric | str, Metric | str], ...] = ()

    def __post_init__(self) -> None:
        if isinstance(cast(object, self.without), str):
            object.__setattr__(self, "without", (self.without,))
        if not isinstance(self.ranker, Ranker):
            raise InputError(
                f"ranker is a Ranker, not {self.ranker!r}: write ranker=Ranker(methods=('trueskill',))",
                parameter="ranker",
            )

    def check(self, *, sets: int, metrics: bool) -> None:
        """Refuse an option that would change nothing."""
        any_metric = metrics or bool(self.hybrids)
        wins, skills = (method in self.ranker.methods for method in ("expected-wins", "trueskill"))
        # Whether each option is used, and what it lacks if not.
        uses: dict[str, tuple[bool, str, tuple[str, ...]]] = {
            "combined": (sets > 1, "with one set of judgments", ("judgments",)),
            **dict.fromkeys(("aggregate", "ties", "window", "confidence"), (metrics, "without metrics", ("metrics",))),
            **dict.fromkeys(("scope", "without"), (any_metric, "without metrics", ("metrics",))),
            "human_ties": (wins, "without expected-wins", ("methods",)),
            # The preset of the tools sets opponents for both rankings, and draws pairs.
            "opponents": (wins or self.ranker.unit == "pairs", "without expected-wins", ("methods",)),
            "runs": (skills or (metrics and self.aggregate == "trueskill"), "without trueskill", ("methods",)),
            "resamples": (
                wins or metrics or self.ranker.unit != "pairs",
                "where TrueSkill draws pairs, without expected-wins or metrics",
                ("methods", "metrics"),
            ),
        }
        for name, (used, lacking, others) in uses.items():
            owner = self.ranker if hasattr(self.ranker, name) else self
            if not used and getattr(owner, name) != getattr(type(owner), name):
                raise InputError(f"{name} changes nothing {lacking}", parameter=(name, *others))
