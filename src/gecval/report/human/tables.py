"""Human rankings, and metrics against them, as tables and as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from gecval.report.table import Cell, Table, interval_text
from gecval.stats.correlation import Correlation
from gecval.stats.resampling import Interval
from gecval.studies.human.ranking import Ranking
from gecval.studies.human.results import HumanStudy


def human_tables(study: HumanStudy) -> list[Table]:
    """All that was asked, one table each."""
    tables = [_counts(study), *map(ranking_table, study.rankings)]
    if study.correlations:
        tables += [_correlations(study), _accuracies(study)]
    if any(one.windows for one in study.correlations):
        tables.append(_windows(study))
    if study.comparisons:
        tables.append(_comparisons(study))
    if study.hybrids:
        tables.append(_hybrids(study))
    return tables


def _counts(study: HumanStudy) -> Table:
    columns = ["judgments", "rankings", "sentences", "judges", "pairs of outputs", "ties", "pairs of systems", "ties "]
    rows: list[list[Cell]] = [
        [
            one.judgments,
            one.rankings,
            one.sentences,
            one.judges,
            one.output_pairs,
            one.output_ties,
            one.pairs,
            one.ties,
            known(one.between_judges.kappa),
            known(one.within_judges.kappa),
        ]
        for one in study.counts
    ]
    return Table([*columns, "κ between judges", "κ within judges"], list(rows), title="Judgments", digits=2)


def ranking_table(ranking: Ranking) -> Table:
    """Systems from best to worst; the range of ranks, and the cluster of systems that cannot be told apart."""
    rows: list[list[Cell]] = [
        [one.system, one.score, interval_text(one.interval), _span(*one.ranks), one.cluster]
        for one in ranking.standings
    ]
    title = f"{ranking.judgments}: {ranking.method}"
    notes = [ranking.signature, *ranking.ranker.notes(ranking.method)]
    columns = ["system", "score", f"{_percent(ranking.level)} interval", "ranks", "cluster"]
    return Table(columns, list(rows), title=title, footnotes=notes)


def _percent(level: float) -> str:
    return f"{100 * level:.6g}%"


def _span(best: int, worst: int) -> str:
    return str(best) if best == worst else f"{best}-{worst}"


def _correlations(study: HumanStudy) -> Table:
    columns = ["judgments", "target", "metric", "n"]
    for name in ("r", "ρ", "τ"):
        columns += [name, f"{name} {_percent(study.level)} interval", f"{name} p"]
    rows: list[list[Cell]] = []
    for one in study.correlations:
        row: list[Cell] = [one.judgments, one.target, one.metric, one.pearson.n]
        for found in (one.pearson, one.spearman, one.kendall):
            row += _coefficient(found)
        rows.append(row)
    return Table(columns, list(rows), title="Metrics against people, over systems", digits=3)


def _coefficient(found: Correlation) -> list[Cell]:
    return [known(found.value), _known_interval(found.interval, 2), known(found.p)]


def _known_interval(interval: Interval, digits: int = 3) -> str | None:
    return None if math.isnan(interval.low) else interval_text(interval, digits)


def _accuracies(study: HumanStudy) -> Table:
    interval = f"{_percent(study.level)} interval"
    columns = ["judgments", "metric", "agree", "disagree", "metric ties", "accuracy", interval, "τ"]
    rows: list[list[Cell]] = [
        [
            one.judgments,
            one.metric,
            one.agree,
            one.disagree,
            one.ties,
            known(one.accuracy),
            _known_interval(one.interval),
            known(one.tau),
        ]
        for one in study.accuracies
    ]
    notes = [f"metric ties: {study.accuracies[0].policy}; pairs that people left tied are not counted"]
    return Table(columns, list(rows), title="Metrics against people, over pairs of outputs", digits=3, footnotes=notes)


def _windows(study: HumanStudy) -> Table:
    rows: list[list[Cell]] = [
        [
            one.judgments,
            one.target,
            one.metric,
            window.first,
            " ".join(window.systems),
            known(window.pearson),
            known(window.spearman),
        ]
        for one in study.correlations
        for window in one.windows
    ]
    columns = ["judgments", "target", "metric", "from place", "systems", "r", "ρ"]
    return Table(columns, list(rows), title="Metrics over neighbours in the human ranking", digits=3)


def _comparisons(study: HumanStudy) -> Table:
    rows: list[list[Cell]] = [
        [
            one.judgments,
            one.target,
            one.metric,
            one.other,
            known(one.difference),
            known(one.williams_p),
            known(one.permutation_p),
        ]
        for one in study.comparisons
    ]
    columns = ["judgments", "target", "metric", "other", "difference of r", "p Williams", "p permutation"]
    return Table(columns, list(rows), title="Metric against metric", digits=3)


def _hybrids(study: HumanStudy) -> Table:
    rows: list[list[Cell]] = []
    for one in study.hybrids:
        swept = one.swept
        weights = swept.cross_validated_weights
        rows.append(
            [
                one.judgments,
                one.target,
                f"interpolated({one.with_references}, {one.without}, λ)",
                {"pearson": "r", "spearman": "ρ", "kendall": "τ"}[one.coefficient],
                known(float(swept.correlations[-1])),
                known(float(swept.correlations[0])),
                known(swept.oracle),
                swept.oracle_weight,
                known(swept.cross_validated),
                f"{weights.min():.2f}-{weights.max():.2f}",
            ]
        )
    columns = ["judgments", "target", "hybrid", "by", "λ = 1", "λ = 0", "oracle", "its λ", "cross-validated", "its λs"]
    notes = ["the oracle knows the systems it is judged by; cross-validated, λ is chosen on the others"]
    return Table(columns, list(rows), title="Hybrids", digits=3, footnotes=notes)


def known(value: float) -> float | None:
    """A number, or nothing where there is none."""
    return None if math.isnan(value) else value


def human_json(study: HumanStudy) -> str:
    """One object with everything, undefined figures as null."""
    listed = {
        "level": study.level,
        "judgments": [asdict(one) for one in study.counts],
        "rankings": [
            {
                "judgments": one.judgments,
                "method": one.method,
                "systems": [asdict(standing) for standing in one.standings],
                "signature": one.signature,
            }
            for one in study.rankings
        ],
        "correlations": [asdict(one) for one in study.correlations],
        "accuracies": [asdict(one) | {"tau": one.tau} for one in study.accuracies],
        "comparisons": [asdict(one) for one in study.comparisons],
        "hybrids": [asdict(one) for one in study.hybrids],
    }
    return json.dumps(_plain(listed), ensure_ascii=False, indent=1)


def _plain(value: Any) -> Any:
    """What JSON can say: lists for arrays and intervals, null for NaN."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, float):
        return known(value)
    if isinstance(value, str | int) or value is None:
        return value
    return [_plain(one) for one in (value.tolist() if hasattr(value, "tolist") else value)]
