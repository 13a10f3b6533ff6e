"""The defaults of the library: what a call means that names no options. To change one is to change results."""

from __future__ import annotations

import inspect

import pytest

import gecval
from gecval.stats.correlation import correlate
from gecval.studies.attacks.results import Attack
from gecval.studies.batches.scorer import BatchScorer
from gecval.studies.coverage.annotators import AgainstPeople
from gecval.studies.coverage.break_even import break_even
from gecval.studies.coverage.perfect_system import PerfectScore, Simulation, perfect_score, perfect_scores
from gecval.studies.coverage.variants import coverage_curve
from gecval.studies.human.interpolation import reference_curve
from gecval.studies.human.results import HumanCorrelation
from gecval.studies.human.sentences import SentenceAccuracy, sentence_accuracy
from gecval.studies.human.system_scores import Evaluations
from gecval.studies.preparation import prepare

THRESHOLDS = tuple(round(0.8 + k / 100, 2) for k in range(21))
DEFAULTS: dict[str, dict[str, object]] = {
    "Comparison": {"correction": "none", "type": None, "higher_is_better": True},
    "Corpus": {"origin": "the source", "extractor": "", "clusters": None, "language": None},
    "Edit": {"type": "", "required": True},
    "HumanOptions": {
        "combined": False,
        "aggregate": "corpus",
        "scope": "judged",
        "without": (),
        "ties": "half",
        "window": 0,
        "confidence": False,
        "hybrids": (),
    },
    "LfmTraining": {"ablations": (), "level": 0.95, "grammatical": 3.5},
    "MaegeSettings": {
        "models": tuple(map(float, range(11))),
        "variance": 0.9,
        "chains": 1,
        "source": "random",
        "ties": "half",
        "unique_pairs": True,
        "linear": "tokens",
        "delta": "previous",
        "corpus_score": "corpus",
        "edits_drawn": "exact",
        "corpus_source": "lattice",
        "drop_unchanged": True,
        "annotators": 1,
        "drop_paragraphs": False,
    },
    "Ranker": {
        "methods": ("expected-wins", "trueskill"),
        "human_ties": "ignored",
        "opponents": "all",
        "unit": "sentences",
        "resamples": 1000,
        "runs": 50,
        "level": 0.95,
        "seed": 1,
    },
    "Reference": {"text": None, "edits": None, "annotator": "0"},
    "Reranking": {"higher_is_better": True},
    "Resampling": {"resamples": 1000, "level": 0.95, "method": "bca", "seed": 1, "jackknife_blocks": 2000},
    "Score": {
        "interval": None,
        "level": None,
        "higher_is_better": True,
        "sentences": None,
        "ranks": None,
        "cluster": None,
    },
    "UnderCorrection": {"order_thresholds": THRESHOLDS, "extractor": "", "types": (), "correlation": None},
    "agreement": {"far": 0.05, "detail": "category", "resampling": None, "extractor": None},
    "annotate": {"systems": ()},
    "attack": {"systems": (), "seed": 1, "extractor": None},
    "batch_scorer": {"statistics": False, "bad_rows": "refuse", "prefix": "", "extractor": None, "language": None},
    "buy_references": {"count": 100, "metric": "m2", "extractor": None},
    "compare": {"aggregate": "corpus", "resampling": None, "correction": "none", "extractor": None},
    "compare_all": {"aggregate": "corpus", "resampling": None, "correction": "holm", "extractor": None},
    "compare_by_type": {"detail": "category", "resampling": None, "correction": "none", "extractor": None},
    "crowd_coverage": {
        "metrics": (),
        "most_references": 20,
        "unit": "exact",
        "drop_unchanged": None,
        "sentences": 1312,
        "correct": 136,
        "replacement": True,
        "resampling": None,
    },
    "evaluate": {"references": (), "confidence": False, "aggregate": "corpus", "sentences": False, "edits": None},
    "explain": {"method": "shapley", "sentences": None, "exact": 10, "orders": 200, "seed": 1, "extractor": None},
    "load_corpus": {
        "source": None,
        "references": (),
        "missing": None,
        "preset": None,
        "lenient": False,
        "language": None,
    },
    "maege": {"settings": None, "replicates": 1, "seed": 1, "by_type": False, "extractor": None, "checkpoint": None},
    "reference_coverage": {
        "systems": (),
        "metrics": (),
        "alpha": 0.0,
        "confidence": False,
        "resampling": None,
        "extractor": None,
    },
    "rerank": {"references": None, "repetitions": 10, "seed": 1, "extractor": None},
    "score": {"aggregate": "corpus", "resampling": None, "sentences": False, "clusters": False, "extractor": None},
    "score_by_type": {"detail": "category", "resampling": None, "extractor": None},
    "score_pairs": {"where": None, "columns": None, "statistics": False, "bad_rows": "refuse", "extractor": None},
    "undercorrection": {"annotator": 0, "types": None},
    "use_device": {"device": "auto", "batch_size": None},
}


def defaults(call: object, names: object) -> dict[str, object]:
    parameters = inspect.signature(call).parameters  # type: ignore[arg-type]
    return {name: parameters[name].default for name in names}  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", DEFAULTS)
def test_public_calls(name: str) -> None:
    assert defaults(getattr(gecval, name), DEFAULTS[name]) == DEFAULTS[name]


def test_calls_within() -> None:
    assert defaults(correlate, ["coefficient", "level"]) == {"coefficient": "pearson", "level": 0.95}
    expected = {"ties": "half", "resamples": 1000, "level": 0.95, "seed": 1}
    assert defaults(sentence_accuracy, expected) == expected
    drawn = {"sentences": 1312, "correct": 136, "most_references": 20, "cut": "plain", "replacement": True, "seed": 1}
    assert defaults(Simulation, drawn) == drawn
    assert defaults(coverage_curve, ["most"]) == {"most": 20}
    assert defaults(prepare, ["types", "paid", "scored"]) == {"types": False, "paid": True, "scored": False}
    assert [defaults(call, ["lucky"]) for call in (perfect_scores, perfect_score)] == [{"lucky": False}] * 2
    assert defaults(break_even, ["alpha"]) == {"alpha": 0.0}
    assert defaults(reference_curve, ["repeats", "seed"]) == {"repeats": 10, "seed": 1}
    assert defaults(Evaluations.scores, ["runs", "seed"]) == {"runs": 50, "seed": 1}
    assert defaults(BatchScorer, ["statistics", "bad_rows"]) == {"statistics": False, "bad_rows": "refuse"}


@pytest.mark.parametrize("row", [AgainstPeople, Attack, HumanCorrelation, PerfectScore, SentenceAccuracy])
def test_higher_is_better_where_nobody_says_otherwise(row: type) -> None:
    assert defaults(row, ["higher_is_better"]) == {"higher_is_better": True}
