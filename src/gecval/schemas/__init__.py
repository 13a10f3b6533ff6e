"""The JSON Schemas of all results, as shipped files: ``scores-1.json`` describes ``"schema": "gecval.scores/1"``."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from gecval.errors import InputError

# Every kind of result, by the class that makes it. `python -m gecval.schemas` writes a file for each.
RESULTS = {
    "scores": "gecval.studies.scores.results:Scores",
    "comparisons": "gecval.studies.scores.results:Comparisons",
    "sentence-scores": "gecval.studies.scores.sentences:SentenceScores",
    "deciding": "gecval.studies.scores.deciding_results:Deciding",
    "not-worse": "gecval.studies.scores.not_worse_results:NotWorse",
    "explained-difference": "gecval.studies.difference.results:ExplainedDifference",
    "diagnosis": "gecval.studies.doctor.results:Diagnosis",
    "scored-pairs": "gecval.studies.batches.results:ScoredPairs",
    "history": "gecval.studies.track.results:History",
    "power": "gecval.studies.power.results:Power",
    "cached": "gecval.studies.cached:Cached",
    "merged": "gecval.studies.passport.merging:Merged",
    "verification": "gecval.studies.passport.results:Verification",
    "overview": "gecval.studies.overview.results:Overview",
    "all-pairs": "gecval.studies.scores.results:AllPairs",
    "type-scores": "gecval.studies.scores.type_results:TypeScores",
    "type-recalls": "gecval.studies.scores.type_results:TypeRecalls",
    "error-categories": "gecval.studies.scores.type_results:ErrorCategories",
    "costs": "gecval.studies.scores.cost:Costs",
    "explanation": "gecval.studies.explain.results:Explanation",
    "agreement": "gecval.studies.agreement.results:Agreement",
    "papers": "gecval.studies.reproduce.results:Papers",
    "reproduction": "gecval.studies.reproduce.results:Reproduction",
    "maege": "gecval.studies.maege.results:Maege",
    "human": "gecval.studies.human.results:HumanResult",
    "cards": "gecval.studies.validate.results:Cards",
    "agreement-table": "gecval.studies.validate.table:AgreementTable",
    "attacks": "gecval.studies.attacks.results:Attacks",
    "lfm-training": "gecval.studies.lfm:LfmTraining",
    "metrics": "gecval.metrics.catalogue:MetricCatalogue",
    "datasets": "gecval.formats.datasets.results:DatasetList",
    "dataset": "gecval.formats.datasets.results:DatasetCard",
    "crowd-coverage": "gecval.studies.coverage.results:CrowdCoverage",
    "reference-coverage": "gecval.studies.coverage.results:ReferenceCoverage",
    "references-to-buy": "gecval.studies.coverage.buying:ReferencesToBuy",
    "true-precision": "gecval.studies.true_precision.results:TruePrecision",
    "undercorrection": "gecval.studies.undercorrection.results:UnderCorrection",
    "reranking": "gecval.studies.undercorrection.results:Reranking",
}


def load_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of one kind of result, e.g. ``scores`` or ``gecval.scores/1``.

    Examples
    --------
    >>> load_schema("gecval.scores/1")["title"]
    'gecval.scores/1'
    """
    kind, _, version = name.removeprefix("gecval.").partition("/")
    file = files("gecval.schemas") / f"{kind}-{version or 1}.json"
    if kind not in RESULTS or not file.is_file():
        raise InputError(f"there is no schema {name!r}; there is {', '.join(RESULTS)}")
    schema: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return schema
