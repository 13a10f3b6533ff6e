"""What setting metrics against people gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any, ClassVar

from gecval.results.result import Result
from gecval.results.table import DELIMITED, Cell, P, Signed, Table, percent
from gecval.stats.correlation import Coefficient, Correlation
from gecval.stats.resampling import Array, Interval, MaybeUndefined
from gecval.studies.human.preferences import PreferredPairs, SentenceAccuracy
from gecval.studies.human.ranking import JudgmentCounts, Method, Ranking
from gecval.studies.scores.result import negated


@dataclass(frozen=True, kw_only=True)
class SystemScore:
    """One system's score by people and by a metric."""

    system: str
    human: float
    human_interval: Interval
    metric: float
    metric_interval: Interval | None = None


@dataclass(frozen=True, kw_only=True)
class Window:
    """A metric's correlation over neighbours in the human ranking, from place ``first`` on."""

    first: int
    systems: tuple[str, ...]
    pearson: MaybeUndefined
    spearman: MaybeUndefined


@dataclass(frozen=True, kw_only=True)
class HumanCorrelation:
    """One metric against one human ranking (``target``), over systems.

    Where lower scores are better, correlations are those of the negated score, so that agreement is always positive.
    ``p_corrected`` are the p-values of the coefficients, corrected for the number of metrics by Holm's method.
    """

    judgments: str
    target: Method
    metric: str
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    p_corrected: Mapping[Coefficient, MaybeUndefined] = field(default_factory=dict)
    systems: tuple[SystemScore, ...]
    windows: tuple[Window, ...] = ()
    signature: str
    higher_is_better: bool = True


@dataclass(frozen=True, kw_only=True)
class MetricComparison:
    """Two metrics against the same human scores: the difference of their Pearson correlations, and two tests of it."""

    judgments: str
    target: Method
    metric: str
    other: str
    difference: MaybeUndefined
    williams_p: MaybeUndefined
    permutation_p: MaybeUndefined


@dataclass(frozen=True, kw_only=True)
class HybridSweep:
    """interpolated(R, G, λ) of two metrics for all λ, against one human ranking by one coefficient."""

    judgments: str
    target: Method
    with_references: str
    without: str
    coefficient: Coefficient
    swept: Sweep


@dataclass(frozen=True, kw_only=True, repr=False)
class HumanResult(Result):
    """How people rank systems in some sets of judgments, and which metrics agree with them.

    All intervals have one confidence ``level``. Without metrics there are rankings only. ``controls`` and
    ``control_accuracies`` are what metrics must beat: the amount of change alone, or chance.
    """

    kind: ClassVar[str] = "human"
    view: ClassVar[str] = "human_tables"
    main: ClassVar[str] = "rows"

    level: float
    judgments: tuple[JudgmentCounts, ...]
    rankings: tuple[Ranking, ...]
    correlations: tuple[HumanCorrelation, ...] = ()
    accuracies: tuple[SentenceAccuracy, ...] = ()
    controls: tuple[HumanCorrelation, ...] = ()
    control_accuracies: tuple[SentenceAccuracy, ...] = ()
    preferred: tuple[PreferredPairs, ...] = ()
    comparisons: tuple[MetricComparison, ...] = ()
    hybrids: tuple[HybridSweep, ...] = ()

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        """The rows of ``to_frame``: a row per metric and ranking or, without metrics, per ranked system."""
        if self.correlations:
            names = ("judgments", "target", "metric", "pearson", "spearman", "kendall", "signature")
            return [{name: getattr(correlation, name) for name in names} for correlation in self.correlations]
        return [
            {"judgments": ranking.judgments, "method": ranking.method, **vars(standing)}
            for ranking in self.rankings
            for standing in ranking.systems
        ]


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """The correlation with people at each weight, at the best one, and with weights chosen on other systems."""

    correlations: Array
    oracle: MaybeUndefined
    oracle_weight: float
    cross_validated: MaybeUndefined
    cross_validated_weights: Array

    @property
    def reference_based_alone(self) -> float:
        """The correlation at λ = 1."""
        return float(self.correlations[-1])

    @property
    def reference_less_alone(self) -> float:
        """The correlation at λ = 0."""
        return float(self.correlations[0])

    @property
    def cross_validated_range(self) -> tuple[float, float]:
        """The smallest and the largest weight that cross-validation chose."""
        return float(self.cross_validated_weights.min()), float(self.cross_validated_weights.max())


# Human rankings, and metrics against them, as tables.

SIGNS: dict[Coefficient, str] = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}


def human_tables(result: HumanResult, style: str = "text") -> list[Table]:
    """A table for each thing that was asked. Programs get one table of all rankings."""
    tables = [_judgments(result)]
    tables += [_all_rankings(result)] if style in DELIMITED else [ranking_table(ranking) for ranking in result.rankings]
    if result.correlations:
        tables += [_correlations(result), _accuracies(result), _controls(result), _preferred(result)]
    if any(correlation.windows for correlation in result.correlations):
        tables.append(_windows(result))
    if result.comparisons:
        tables.append(_comparisons(result))
    if result.hybrids:
        tables.append(_hybrids(result, style))
    return tables


def _judgments(result: HumanResult) -> Table:
    columns = ["judgments", "rankings", "sentences", "judges", "output pairs", "output ties", "system pairs"]
    columns += ["system ties", "κ between judges", "κ within judges", "reliability"]
    rows: list[Sequence[Cell]] = [
        [
            counts.judgments,
            counts.rankings,
            counts.sentences,
            counts.judges,
            counts.output_pairs,
            counts.output_ties,
            counts.pairs,
            counts.ties,
            counts.between_judges.kappa,
            counts.within_judges.kappa,
            counts.reliability,
        ]
        for counts in result.judgments
    ]
    notes = [
        "judges compare outputs; an output that several systems gave stands for more pairs of systems",
        "reliability: how far Expected Wins of one half of the sentences agree with those of the other; 1 is fully",
    ]
    return Table(columns, rows, title="Judgments", digits=2, footnotes=notes, plain=columns[-3:])


def ranking_table(ranking: Ranking) -> Table:
    """Systems from best to worst; the range of ranks, and the cluster of systems that are not distinguishable."""
    rows: list[Sequence[Cell]] = [
        [standing.system, standing.score, standing.interval, _span(*standing.ranks), standing.cluster]
        for standing in ranking.systems
    ]
    return Table(
        ["system", "score", f"{percent(ranking.level)} interval", "ranks", "cluster"],
        rows,
        title=f"{ranking.judgments}: {ranking.method}",
        footnotes=[ranking.signature, *ranking.notes],
        plain=["score"] if ranking.method == "trueskill" else [],  # a skill is no share of 1
    )


def _span(best: int, worst: int) -> str:
    return str(best) if best == worst else f"{best}-{worst}"


def _all_rankings(result: HumanResult) -> Table:
    rows: list[Sequence[Cell]] = [
        [
            ranking.judgments,
            ranking.method,
            standing.system,
            standing.score,
            standing.interval,
            *standing.ranks,
            standing.cluster,
            ranking.signature,
        ]
        for ranking in result.rankings
        for standing in ranking.systems
    ]
    columns = ["judgments", "target", "system", "score", f"{percent(result.level)} interval"]
    columns += ["best rank", "worst rank", "cluster", "signature"]
    return Table(columns, rows, title="Rankings", level=result.level)


def _correlations(result: HumanResult) -> Table:
    rows: list[Sequence[Cell]] = []
    several = len({metric.metric for metric in result.correlations}) > 1
    for target in dict.fromkeys((correlation.judgments, correlation.target) for correlation in result.correlations):
        for name, sign in SIGNS.items():
            for metric in result.correlations:
                if (metric.judgments, metric.target) == target:
                    value = {"pearson": metric.pearson, "spearman": metric.spearman, "kendall": metric.kendall}[name]
                    holm = [P(metric.p_corrected.get(name, nan))] if several else []
                    rows.append([*target, metric.metric, sign, value.n, value.value, value.interval, P(value.p), *holm])
    signatures = list(dict.fromkeys(correlation.signature for correlation in result.correlations))
    columns = [
        "judgments",
        "target",
        "metric",
        "by",  # what names a row comes first: a narrow page repeats it next to the next columns
        "systems",
        "correlation",
        f"{percent(result.level)} interval",
        "p",
        *(["p holm"] if several else []),
    ]
    corrected = ["p holm: corrected for the number of metrics, by Holm's method"] if several else []
    return Table(
        columns,
        rows,
        title="Metrics against people, over systems",
        digits=3,
        interval_digits=2,
        level=result.level,
        footnotes=corrected + negated(result.correlations) + signatures,
    )


def _accuracies(result: HumanResult) -> Table:
    interval = f"{percent(result.level)} interval"
    columns = ["judgments", "metric", "agree", "disagree", "metric ties", "accuracy", interval, "τ"]
    columns += ["equal edits", "its interval", "over more changes"]
    rows: list[Sequence[Cell]] = [
        [
            accuracy.judgments,
            accuracy.metric,
            accuracy.agree,
            accuracy.disagree,
            accuracy.ties,
            accuracy.accuracy,
            accuracy.interval,
            accuracy.tau,
            *_without_confound(accuracy),
        ]
        for accuracy in result.accuracies
    ]
    notes = [
        f"metric ties: {result.accuracies[0].policy}; pairs that people left tied are not counted",
        "equal edits: over the pairs of outputs that have equally many; over more changes: what the accuracy is above "
        "that of the control",
    ]
    notes += negated(result.accuracies)
    title = "Metrics against people, over pairs of outputs"
    return Table(columns, rows, title=title, digits=3, footnotes=notes, level=result.level)


def _without_confound(accuracy: SentenceAccuracy) -> list[Cell]:
    """The accuracy where outputs have equally many edits, its interval, and what lies above *more changes*."""
    equal, over = accuracy.equal_edits, accuracy.over_more_changes
    return [equal.value, equal.interval, Signed(over.value)] if equal and over else [nan, None, nan]


def _controls(result: HumanResult) -> Table:
    """What sees no grammar, next to metrics: over systems and over pairs of outputs."""
    over_pairs = {(row.judgments, row.metric): row for row in result.control_accuracies}
    rows: list[Sequence[Cell]] = []
    for control in result.controls:
        accuracy = over_pairs[control.judgments, control.metric]
        rows.append(
            [
                control.judgments,
                control.target,
                control.metric,
                control.pearson.value,
                control.spearman.value,
                control.kendall.value,
                accuracy.accuracy,
                accuracy.interval,
                *_without_confound(accuracy)[:2],
            ]
        )
    columns = ["judgments", "target", "control", *SIGNS.values(), "accuracy", f"{percent(result.level)} interval"]
    notes = ["controls see no grammar; changes: by Levenshtein's ratio; the source: prefers what is unchanged"]
    title = "Controls: what a metric must beat"
    return Table(
        [*columns, "equal edits", "its interval"], rows, title=title, digits=3, footnotes=notes, level=result.level
    )


def _preferred(result: HumanResult) -> Table:
    """How much of people's preferences the amount of change explains, and what another judge agrees with."""
    interval = f"{percent(result.level)} interval"
    rows: list[Sequence[Cell]] = [
        [
            pairs.judgments,
            pairs.more_edits.pairs,
            pairs.more_edits.value,
            pairs.more_edits.interval,
            pairs.fewer_edits.value,
            pairs.second_judge.pairs,
            pairs.second_judge.value,
            pairs.second_judge.interval,
        ]
        for pairs in result.preferred
    ]
    columns = ["judgments", "pairs", "preferred has more edits", interval, "has fewer", "pairs judged twice"]
    columns += ["second judge agrees", "its interval"]
    notes = ["second judge: accuracy of another judge of the same sentence, whose ties count half"]
    return Table(columns, rows, title="Pairs of outputs of which people prefer one", digits=3, footnotes=notes)


def _windows(result: HumanResult) -> Table:
    rows: list[Sequence[Cell]] = [
        [
            correlation.judgments,
            correlation.target,
            correlation.metric,
            window.first,
            " ".join(window.systems),
            window.pearson,
            window.spearman,
        ]
        for correlation in result.correlations
        for window in correlation.windows
    ]
    columns = ["judgments", "target", "metric", "from place", "neighbours", "r", "ρ"]
    return Table(columns, rows, title="Metrics over neighbours in the human ranking", digits=3)


def _comparisons(result: HumanResult) -> Table:
    rows: list[Sequence[Cell]] = [
        [
            comparison.judgments,
            comparison.target,
            comparison.metric,
            comparison.other,
            Signed(comparison.difference),
            P(comparison.williams_p),
            P(comparison.permutation_p),
        ]
        for comparison in result.comparisons
    ]
    columns = ["judgments", "target", "metric", "other", "difference of r", "p Williams", "p permutation"]
    return Table(columns, rows, title="Metric against metric", digits=3)


def _hybrids(result: HumanResult, style: str) -> Table:
    rows: list[Sequence[Cell]] = []
    for hybrid in result.hybrids:
        swept = hybrid.swept
        lowest, highest = swept.cross_validated_range
        rows.append(
            [
                hybrid.judgments,
                hybrid.target,
                f"interpolated({hybrid.with_references}, {hybrid.without}, λ)",
                SIGNS[hybrid.coefficient],
                swept.reference_based_alone,
                swept.reference_less_alone,
                swept.oracle,
                swept.oracle_weight,
                swept.cross_validated,
                *((lowest, highest) if style in DELIMITED else (f"{lowest:.2f}-{highest:.2f}",)),
            ]
        )
    columns = ["judgments", "target", "hybrid", "by", "λ = 1", "λ = 0", "oracle", "its λ", "cross-validated"]
    columns += ["lowest λ", "highest λ"] if style in DELIMITED else ["its λs"]
    notes = ["the oracle picks λ on the systems that it is judged by; cross-validation picks it on the others"]
    return Table(columns, rows, title="Hybrids", digits=3, footnotes=notes, plain=["its λ"])
