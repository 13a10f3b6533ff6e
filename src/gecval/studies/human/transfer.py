"""Train here, test there: fit interpolations of metrics to one set of judgments, and show the best of them on others.

    S = Σ w_k · S_k / scale_k,    w_k ≥ 0, Σ w_k = 1        metrics whose lower scores are better count negative

A scale is how far a metric's scores of the outputs of one sentence lie from their mean, on average. Scales and weights
come from the training data alone, and stay in the spelling of the interpolated metric. Two criteria choose the weights,
and then one of all candidates:

    accuracy   over sentences: the share of people's preferences that it shares
    r          over systems: Pearson's correlation with Expected Wins; a metric alone has its corpus score

The choice is blind: nothing of the test data is looked at before. So the best on the training data is the best of many
there, and only its figures on the test data say what it is worth. Next to it stands the best metric alone, chosen in
the same way, and the best candidate that could have been chosen, which nobody could know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.formats.judgments import Judgments
from gecval.metrics.base import Array, Metric
from gecval.metrics.interpolated import Interpolated
from gecval.results.result import Result
from gecval.results.table import Cell, P, Signed, Table, percent
from gecval.runtime.run import HERE, Run, announce
from gecval.stats.correlation import Correlation, coefficients, correlate, williams_test
from gecval.stats.resampling import MaybeUndefined, sign
from gecval.studies.human.preferences import Difference, Share, compare_accuracies
from gecval.studies.human.ranking import Ranker, rank
from gecval.studies.human.system_scores import (
    Evaluations,
    find_judged_sentences,
    select_judged_systems,
)
from gecval.studies.scores.preparation import (
    Edits,
    Metrics,
    Systems,
    check_scorable,
    prepare,
    resolve_metrics,
    resolve_systems,
)

__all__ = ["choose_metric"]

Criterion = Literal["accuracy", "r"]
CRITERIA: tuple[Criterion, ...] = ("accuracy", "r")
STEPS = {2: 20}  # of each weight from 0 to 1, by the number of parts
MANY_PARTS_STEPS = 10
SHOWN = 10  # candidates in the table; JSON has all
MOST_PARTS = 5


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A metric alone, or an interpolation with the weights and scales that one criterion chose; ``value`` is that of
    the criterion on the training data, ``tested`` those on the sets of the test data.
    """

    criterion: Criterion
    metric: str
    parts: int
    value: MaybeUndefined
    tested: tuple[MaybeUndefined, ...]


@dataclass(frozen=True, kw_only=True)
class BlindChoice:
    """The best candidate on the training data on one set of the test data, next to the best metric ``alone``.

    ``hindsight`` is the candidate that is best on the test data, and ``hindsight_value`` its criterion there.
    """

    judgments: str
    criterion: Criterion
    metric: str
    alone: str
    accuracy: Share
    accuracy_alone: Share
    gain: Difference
    pearson: Correlation
    pearson_alone: Correlation
    williams_p: MaybeUndefined
    hindsight: str
    hindsight_value: MaybeUndefined


@dataclass(frozen=True, kw_only=True, repr=False)
class ChosenMetric(Result):
    """Which metric the training data choose, and what it is worth on the test data."""

    kind: ClassVar[str] = "chosen-metric"
    view: ClassVar[str] = "transfer_tables"
    main: ClassVar[str] = "choices"

    train: tuple[str, ...]
    test: tuple[str, ...]
    level: float
    candidates: tuple[Candidate, ...]
    choices: tuple[BlindChoice, ...]


def choose_metric(
    judgments: Iterable[Judgments],
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics,
    *,
    train: str | Sequence[str],
    test: str | Sequence[str],
    without: Sequence[str] = (),
    ranker: Ranker | None = None,
    edits: Edits = None,
    run: Run = HERE,
) -> ChosenMetric:
    """Choose a metric, or an interpolation of several, on some sets of judgments, and test it on others.

    Candidates are all metrics, each two of them interpolated, and the interpolations that are named.

    Parameters
    ----------
    judgments
        Sets of judgments, as ``read_judgments`` gives them.
    corpus
        Sources and references.
    systems
        The judged outputs: systems, or a mapping from a system's name to its list of outputs.
    metrics
        Metrics or their names. An interpolation, such as ``interpolated(gleu, lt, perplexity)``, gets its weights and
        scales from the training data.
    train
        The names of the sets to train on. Where there are several, a criterion is its mean over them.
    test
        The names of the sets to test on.
    without
        Systems to leave out. People still rank them.
    ranker
        How people's judgments rank systems. All intervals have its level.
    edits
        Finds the edits of plain-text references for metrics that need them.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    ChosenMetric
        It prints as tables.

    Examples
    --------
    >>> from gecval.formats.judgments import Judgment, Placement
    >>> ranked = tuple(Placement((name,), rank) for rank, name in enumerate(("good", "fair", "bad"), 1))
    >>> sets = [Judgments(name, (Judgment(1, "anna", ranked),), first=1) for name in ("here", "there")]
    >>> corpus = Corpus.from_texts(["He go to home ."], [["He goes home ."]])
    >>> outputs = {"good": ["He goes home ."], "fair": ["He goes to home ."], "bad": ["Him goed to homes !"]}
    >>> chosen = choose_metric(sets, corpus, outputs, ["gleu(n=1)", "ld"], train="here", test="there")
    >>> chosen.choices[0].metric, chosen.choices[0].accuracy.value
    ('gleu(n=1)', 1.0)
    """
    sets = {part.name: part for part in judgments}
    names = {"train": _resolve_names(train, sets, "train"), "test": _resolve_names(test, sets, "test")}
    if shared := set(names["train"]) & set(names["test"]):
        raise InputError(f"{min(shared)} is both: a test needs judgments that nothing was trained on", parameter="test")
    mixes = list_candidates(resolve_metrics(metrics))
    outputs = resolve_systems(systems, corpus, least=0)
    parts = {repr(part): part for mix in mixes for part in mix}
    ranker = ranker or Ranker()
    placed = {
        name: select_judged_systems(sets[name], corpus, outputs, without=without)
        for name in [*names["train"], *names["test"]]
    }
    distinct = list({system.name: system for _, judged in placed.values() for system in judged}.values())
    check_scorable(corpus, distinct, list(parts.values()), extractor=edits)
    evaluated: dict[str, Evaluations] = {}
    for number, (name, part) in enumerate(parts.items()):
        run.progress(number, len(parts))
        announce(run.progress, name)
        [prepared] = prepare(corpus, distinct, [part], extractor=edits, run=run.quiet())
        evaluated[name] = Evaluations.of(part, prepared, distinct, run=run)
    run.progress(len(parts), len(parts))
    scored = {
        name: ScoredSet.of(
            on, ranker, {name: evaluation.only([s.name for s in judged]) for name, evaluation in evaluated.items()}
        )
        for name, (on, judged) in placed.items()
    }
    tests = [scored[name] for name in names["test"]]
    candidates, choices = choose_and_test(mixes, [scored[name] for name in names["train"]], tests, ranker)
    return ChosenMetric(
        train=names["train"],
        test=names["test"],
        level=ranker.level,
        candidates=tuple(candidates),
        choices=tuple(choices),
        notes=tuple(dict.fromkeys(note for evaluations in evaluated.values() for note in evaluations.notes)),
    )


def _resolve_names(given: str | Sequence[str], sets: Mapping[str, Judgments], parameter: str) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else tuple(given)
    if not names:
        raise InputError(f"name a set of judgments to {parameter} on: there is {', '.join(sets)}", parameter=parameter)
    for name in names:
        if name not in sets:
            raise InputError(f"there is no set of judgments {name!r}; there is {', '.join(sets)}", parameter=parameter)
    return tuple(dict.fromkeys(names))


Mix = tuple[Metric, ...]  # the parts of a candidate


def list_candidates(metrics: Sequence[Metric]) -> list[Mix]:
    """All metrics alone, each two of them, and the interpolations that are named."""
    named = [part.components for part in metrics if isinstance(part, Interpolated)]
    alone = list(dict.fromkeys(part for part in metrics if not isinstance(part, Interpolated)))
    mixes = list(dict.fromkeys([*((part,) for part in alone), *combinations(alone, 2), *named]))
    for mix in mixes:
        if len(mix) > MOST_PARTS:
            raise InputError(f"{len(mix)} parts are too many to fit: at most {MOST_PARTS}", parameter="metrics")
    if len(mixes) < 2:
        raise InputError("there is nothing to choose from: give two metrics or more", parameter="metrics")
    return mixes


# From scores to choices: arrays of sentence scores, whatever metrics they are of.


@dataclass(frozen=True, kw_only=True)
class ScoredSet:
    """A set of judgments, placed, with what metrics say of the judged outputs; all scores rise with quality.

    ``scores`` are sentence scores [system, sentence], and ``alone`` the scores of systems, by the metric's name.
    """

    judgments: Judgments
    systems: tuple[str, ...]
    people: Array
    scores: Mapping[str, Array]
    alone: Mapping[str, Array]

    @classmethod
    def of(cls, judgments: Judgments, ranker: Ranker, evaluations: Mapping[str, Evaluations]) -> ScoredSet:
        wins = rank(judgments, "expected-wins", ranker).scores
        sentences = find_judged_sentences(judgments)
        names = next(iter(evaluations.values())).systems
        return cls(
            judgments=judgments,
            systems=names,
            people=np.array([wins[name] for name in names]),
            scores={name: on.metric.direction * on.sentence_scores() for name, on in evaluations.items()},
            alone={name: on.metric.direction * on.scores(sentences) for name, on in evaluations.items()},
        )

    @cached_property
    def judged(self) -> NDArray[np.int64]:
        """The judged sentences."""
        return find_judged_sentences(self.judgments)

    @cached_property
    def preferred(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], Array]:
        """Winner, loser and sentence of every preference, and how often people had it."""
        human = self.judgments.preferences[:, [self.judgments.systems.index(name) for name in self.systems]]
        sentences, size = self.judgments.sentences, len(self.systems)
        with np.errstate(invalid="ignore"):
            item, winner, loser = np.nonzero(human[:, :, None] > human[:, None, :])
        codes, times = np.unique((sentences[item] * size + winner) * size + loser, return_counts=True)
        return codes // size % size, codes % size, codes // size**2, times.astype(np.float64)

    def margins(self, name: str) -> Array:
        """By how much a metric prefers the output that people prefer, preference by preference."""
        if name not in self._margins:
            winner, loser, sentence, _ = self.preferred
            scores = self.scores[name]
            self._margins[name] = scores[winner, sentence] - scores[loser, sentence]
        return self._margins[name]

    @cached_property
    def _margins(self) -> dict[str, Array]:
        return {}

    def spread(self, name: str) -> float:
        """How far a metric's scores of the outputs of one sentence lie from their mean, on average."""
        scores = self.scores[name][:, self.judged]
        return float(np.abs(scores - scores.mean(axis=0)).mean())

    def measure(self, criterion: Criterion, names: Sequence[str], factors: Array) -> Array:
        """The criterion for each row of factors [choice, metric]."""
        if criterion == "r":
            means = [self.alone[names[0]]] if len(names) == 1 else [self._mean(name) for name in names]
            return coefficients(self.people, factors @ np.array(means))
        times = self.preferred[-1]
        margins = np.array([self.margins(name) for name in names])
        return np.array([(1 + sign(row @ margins)) @ times / 2 / times.sum() for row in factors])

    def _mean(self, name: str) -> Array:
        means: Array = self.scores[name][:, self.judged].mean(axis=1)
        return means

    def sentence_scores(self, fitted: Fitted) -> Array:
        mixed: Array = np.tensordot(fitted.factors, np.array([self.scores[name] for name in fitted.names]), axes=1)
        return mixed

    def system_scores(self, fitted: Fitted) -> Array:
        if len(fitted.names) == 1:
            return self.alone[fitted.names[0]]
        mixed: Array = fitted.factors @ np.array([self._mean(name) for name in fitted.names])
        return mixed


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """A candidate with its weights and scales, and the value of the criterion on the training data."""

    criterion: Criterion
    spelling: str
    names: tuple[str, ...]
    factors: Array
    value: float


def choose_and_test(
    mixes: Sequence[Mix], train: Sequence[ScoredSet], tests: Sequence[ScoredSet], ranker: Ranker
) -> tuple[list[Candidate], list[BlindChoice]]:
    """All candidates, the best first, and what the best are worth on every set of the test data."""
    candidates, choices = [], []
    for criterion in CRITERIA:
        fits = sorted((fit(mix, train, criterion) for mix in mixes), key=lambda fitted: -fitted.value)  # stable
        alone = [fitted for fitted in fits if len(fitted.names) == 1]
        if not alone:
            raise InputError(
                "the choice is shown next to the best single metric: give one or more alone", parameter="metrics"
            )
        tested = np.array(
            [[_measure(criterion, part, fitted) for part in tests] for fitted in fits]
        )  # [candidate, set]
        candidates += [
            Candidate(
                criterion=criterion,
                metric=fitted.spelling,
                parts=len(fitted.names),
                value=fitted.value,
                tested=tuple(values.tolist()),
            )
            for fitted, values in zip(fits, tested, strict=True)
        ]
        for column, part in enumerate(tests):
            if np.isnan(tested[:, column]).all():
                raise InputError(
                    f"{part.judgments.name}: no candidate has a value there, as in judgments that are all ties"
                )
            best = int(np.nanargmax(tested[:, column]))
            choices.append(_test(part, fits[0], alone[0], ranker, fits[best].spelling, float(tested[best, column])))
    return candidates, choices


def fit(mix: Mix, train: Sequence[ScoredSet], criterion: Criterion) -> Fitted:
    """Scales and weights of a candidate, from the training data alone. Of equally good weights the first count."""
    names = tuple(map(repr, mix))
    if len(mix) == 1:
        value = np.mean([part.measure(criterion, names, np.ones((1, 1)))[0] for part in train])
        return Fitted(criterion=criterion, spelling=names[0], names=names, factors=np.ones(1), value=_known(value))
    scales = tuple(float(f"{np.mean([part.spread(name) for part in train]):.4g}") or 1.0 for name in names)
    weights = np.array(list(_share_out(len(mix), STEPS.get(len(mix), MANY_PARTS_STEPS))))
    factors = weights / np.array(scales)
    values = np.nan_to_num(np.mean([part.measure(criterion, names, factors) for part in train], axis=0), nan=-np.inf)
    best = int(np.flatnonzero(values >= values.max() - 1e-12)[0])
    metric = Interpolated(*mix, *(round(float(weight), 6) for weight in weights[best][:-1]), scales=scales)
    return Fitted(
        criterion=criterion, spelling=repr(metric), names=names, factors=factors[best], value=float(values[best])
    )


def _share_out(parts: int, steps: int) -> Iterator[tuple[float, ...]]:
    """All ways to share 1 among parts, in steps."""

    def count_out(left: int, parts: int) -> Iterator[tuple[int, ...]]:
        if parts == 1:
            yield (left,)
            return
        for first in range(left + 1):
            yield from ((first, *others) for others in count_out(left - first, parts - 1))

    return (tuple(number / steps for number in counts) for counts in count_out(steps, parts))


def _known(value: float | np.floating) -> float:
    return float(np.nan_to_num(value, nan=-np.inf))


def _measure(criterion: Criterion, part: ScoredSet, fitted: Fitted) -> float:
    return float(part.measure(criterion, fitted.names, fitted.factors[None])[0])


def _test(
    part: ScoredSet, chosen: Fitted, alone: Fitted, ranker: Ranker, hindsight: str, hindsight_value: float
) -> BlindChoice:
    scores, others = part.sentence_scores(chosen), part.sentence_scores(alone)
    accuracy, accuracy_alone, gain = compare_accuracies(part.judgments, part.systems, scores, others, **ranker.draws)
    of_systems = [part.system_scores(fitted) for fitted in (chosen, alone)]
    pearson, pearson_alone = (correlate(part.people, listed, level=ranker.level) for listed in of_systems)
    return BlindChoice(
        judgments=part.judgments.name,
        criterion=chosen.criterion,
        metric=chosen.spelling,
        alone=alone.spelling,
        accuracy=accuracy,
        accuracy_alone=accuracy_alone,
        gain=gain,
        pearson=pearson,
        pearson_alone=pearson_alone,
        williams_p=williams_test(part.people, *of_systems) if len(part.people) > 3 else np.nan,
        hindsight=hindsight,
        hindsight_value=hindsight_value,
    )


def transfer_tables(result: ChosenMetric, style: str = "text") -> list[Table]:
    """The choices, and the best candidates on the training data."""
    return [_choices(result), *(_candidates(result, criterion) for criterion in CRITERIA)]


def _choices(result: ChosenMetric) -> Table:
    interval = f"{percent(result.level)} interval"
    rows: list[Sequence[Cell]] = []
    for choice in result.choices:
        for name, accuracy, pearson in (
            (choice.metric, choice.accuracy, choice.pearson),
            (choice.alone, choice.accuracy_alone, choice.pearson_alone),
        ):
            best = name == choice.metric
            gained: list[Cell] = [Signed(choice.gain.value), choice.gain.interval, P(choice.williams_p)]
            rows.append(
                [
                    choice.judgments,
                    choice.criterion,
                    "best of all" if best else "best alone",
                    name,
                    accuracy.value,
                    accuracy.interval,
                    pearson.value,
                    pearson.interval,
                    *(gained if best else [None] * len(gained)),
                ]
            )
            if choice.metric == choice.alone:
                break
    columns = ["tested on", "chosen by", "what", "metric", "accuracy", interval, "r", f"r {interval}"]
    columns += ["accuracy gained", "its interval", "p Williams"]
    counts = {criterion: sum(row.criterion == criterion for row in result.candidates) for criterion in CRITERIA}
    notes = [
        f"chosen blind among {counts['accuracy']} candidates on {', '.join(result.train)}: metrics alone, and "
        "interpolated ones, whose scales and weights are fitted there",
        "accuracy gained: over the best metric alone, chosen on the same judgments; intervals draw sentences",
        *(
            f"by {choice.criterion}, the best on {choice.judgments} would have been {choice.hindsight} with "
            f"{choice.hindsight_value:.3f}, which nobody could know"
            for choice in result.choices
            if choice.hindsight != choice.metric
        ),
    ]
    return Table(columns, rows, title="Trained here, tested there", digits=3, footnotes=notes, level=result.level)


def _candidates(result: ChosenMetric, criterion: Criterion) -> Table:
    listed = [candidate for candidate in result.candidates if candidate.criterion == criterion]
    rows: list[Sequence[Cell]] = [
        [candidate.metric, candidate.value, *candidate.tested] for candidate in listed[:SHOWN]
    ]
    rows += [
        [candidate.metric, candidate.value, *candidate.tested] for candidate in listed[SHOWN:] if candidate.parts == 1
    ]
    columns = ["metric", f"{criterion} on {', '.join(result.train)}", *(f"on {name}" for name in result.test)]
    left_out = f"the best {min(SHOWN, len(listed))} of {len(listed)}, and all metrics alone"
    return Table(columns, rows, title=f"Candidates by {criterion}", digits=3, footnotes=[left_out])
