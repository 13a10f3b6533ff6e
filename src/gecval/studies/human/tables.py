"""Human rankings, and metrics against them, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

from gecval.results.table import DELIMITED, Cell, P, Signed, Table, percent
from gecval.stats.correlation import Coefficient
from gecval.studies.human.ranking import Ranking
from gecval.studies.human.result import HumanResult
from gecval.studies.scores.tables import negated

SIGNS: dict[Coefficient, str] = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}


def human_tables(result: HumanResult, style: str = "text") -> list[Table]:
    """A table for each thing that was asked. Programs get one table of all rankings."""
    tables = [_judgments(result)]
    tables += [_all_rankings(result)] if style in DELIMITED else [ranking_table(ranking) for ranking in result.rankings]
    if result.correlations:
        tables += [_correlations(result), _accuracies(result)]
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
        ]
        for accuracy in result.accuracies
    ]
    notes = [f"metric ties: {result.accuracies[0].policy}; pairs that people left tied are not counted"]
    notes += negated(result.accuracies)
    title = "Metrics against people, over pairs of outputs"
    return Table(columns, rows, title=title, digits=3, footnotes=notes, level=result.level)


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
