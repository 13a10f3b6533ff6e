"""How results look: tables in several styles, and charts. This room renders results and computes nothing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gecval.report.grid import Numbers, P, Signed
from gecval.report.table import Table, render_tables
from gecval.result import Result

__all__ = ["Numbers", "P", "Signed", "Table", "render", "result_tables"]

# Which function makes the tables of each kind of result. It gets the result and the style, since programs that read
# TSV want other tables than people do.
VIEWS = {
    "scores": "gecval.report.scores.tables:score_tables",
    "comparisons": "gecval.report.scores.comparisons:comparison_tables",
    "sentence-scores": "gecval.report.scores.tables:sentence_score_tables",
    "deciding": "gecval.report.scores.deciding:deciding_tables",
    "not-worse": "gecval.report.scores.not_worse:not_worse_tables",
    "explained-difference": "gecval.report.difference:difference_tables",
    "diagnosis": "gecval.report.doctor:doctor_tables",
    "scored-pairs": "gecval.report.batches:scored_pairs_tables",
    "history": "gecval.report.track:history_tables",
    "power": "gecval.report.power:power_tables",
    "cached": "gecval.report.cached:cached_tables",
    "merged": "gecval.report.merged:merged_tables",
    "verification": "gecval.report.passport:verification_tables",
    "overview": "gecval.report.overview:overview_tables",
    "all-pairs": "gecval.report.scores.comparisons:all_pairs_tables",
    "type-scores": "gecval.report.scores.types:type_score_tables",
    "type-recalls": "gecval.report.scores.types:type_recall_tables",
    "error-categories": "gecval.report.scores.types:category_tables",
    "costs": "gecval.report.scores.costs:cost_tables",
    "explanation": "gecval.report.explanation:explanation_tables",
    "agreement": "gecval.report.agreement:agreement_tables",
    "papers": "gecval.report.reproduce:papers_tables",
    "reproduction": "gecval.report.reproduce:reproduction_tables",
    "maege": "gecval.report.maege.tables:maege_tables",
    "human": "gecval.report.human.tables:human_tables",
    "cards": "gecval.report.validate.tables:card_tables",
    "agreement-table": "gecval.report.validate.agreement:agreement_tables",
    "attacks": "gecval.report.attacks:attack_tables",
    "lfm-training": "gecval.report.lfm:training_tables",
    "metrics": "gecval.report.metrics:metric_tables",
    "datasets": "gecval.report.datasets:list_tables",
    "dataset": "gecval.report.datasets:card_tables",
    "crowd-coverage": "gecval.report.coverage.tables:crowd_tables",
    "reference-coverage": "gecval.report.coverage.tables:reference_tables",
    "references-to-buy": "gecval.report.buying:buying_tables",
    "true-precision": "gecval.report.true_precision:true_precision_tables",
    "undercorrection": "gecval.report.undercorrection.tables:undercorrection_tables",
    "reranking": "gecval.report.undercorrection.tables:reranking_tables",
}


def result_tables(result: Result, style: str = "text", **view: Any) -> list[Table]:
    """The tables that show a result. ``view`` is for the function that makes them, such as ``parts`` for scores."""
    module, _, function = VIEWS[result.kind].partition(":")
    tables: list[Table] = getattr(import_module(module), function)(result, style, **view)
    return tables


def render(
    result: Result, style: str = "text", *, width: int | None = None, numbers: Numbers | None = None, **view: Any
) -> str:
    """A result as ``text``, ``markdown``, ``latex``, ``html``, ``tsv`` or ``csv``, or as ``json`` or ``jsonl``."""
    if style == "json":
        return result.to_json()
    if style == "jsonl":
        return result.to_jsonl()
    return render_tables(result_tables(result, style, **view), style, width=width, numbers=numbers)
