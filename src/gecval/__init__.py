"""gecval scores grammatical error correction and says how far each score can be trusted.

>>> references = [["He goes home .", "He went home ."]]
>>> scores = evaluate(["He go home ."], ["He went home ."], references, metrics=["accuracy"])
>>> scores[0].score
1.0
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gecval.corpus import Corpus as Corpus
    from gecval.corpus import System as System
    from gecval.edit import Edit as Edit
    from gecval.edits.annotate import annotate as annotate
    from gecval.edits.extractors import Extractor as Extractor
    from gecval.edits.extractors import extractor as extractor
    from gecval.edits.extractors import extractor_names as extractor_names
    from gecval.errors import InputError as InputError
    from gecval.formats import load_corpus as load_corpus
    from gecval.formats import load_systems as load_systems
    from gecval.formats import write_corpus as write_corpus
    from gecval.formats.datasets import Dataset as Dataset
    from gecval.formats.datasets import dataset as dataset
    from gecval.formats.datasets import datasets as datasets
    from gecval.formats.datasets import fetch_dataset as fetch_dataset
    from gecval.formats.documents import document_starts as document_starts
    from gecval.formats.judgments import Judgments as Judgments
    from gecval.formats.judgments import read_judgment_sets as read_judgment_sets
    from gecval.formats.judgments import read_judgments as read_judgments
    from gecval.formats.ratings import Judged as Judged
    from gecval.formats.ratings import read_judged as read_judged
    from gecval.language import guess_language as guess_language
    from gecval.metrics import Metric as Metric
    from gecval.metrics import Statistics as Statistics
    from gecval.metrics import metric as metric
    from gecval.metrics import metric_names as metric_names
    from gecval.metrics.catalogue import describe_metrics as describe_metrics
    from gecval.models.device import use_device as use_device
    from gecval.references import Reference as Reference
    from gecval.report.page.page import write_page as write_page
    from gecval.result import Result as Result
    from gecval.sample import load_sample as load_sample
    from gecval.schemas import load_schema as load_schema
    from gecval.stats import Interval as Interval
    from gecval.stats import Resampling as Resampling
    from gecval.studies.agreement.results import Agreement as Agreement
    from gecval.studies.agreement.run import agreement as agreement
    from gecval.studies.attacks.results import Attacks as Attacks
    from gecval.studies.attacks.run import attack as attack
    from gecval.studies.batches.files import score_pairs as score_pairs
    from gecval.studies.batches.results import ScoredPairs as ScoredPairs
    from gecval.studies.batches.scorer import BatchScorer as BatchScorer
    from gecval.studies.batches.scorer import batch_scorer as batch_scorer
    from gecval.studies.coverage.buying import ReferencesToBuy as ReferencesToBuy
    from gecval.studies.coverage.buying import buy_references as buy_references
    from gecval.studies.coverage.crowd import crowd_coverage as crowd_coverage
    from gecval.studies.coverage.crowd import load_crowd as load_crowd
    from gecval.studies.coverage.own_references import reference_coverage as reference_coverage
    from gecval.studies.coverage.results import CrowdCoverage as CrowdCoverage
    from gecval.studies.coverage.results import ReferenceCoverage as ReferenceCoverage
    from gecval.studies.difference.results import ExplainedDifference as ExplainedDifference
    from gecval.studies.difference.run import explain_difference as explain_difference
    from gecval.studies.doctor.results import Diagnosis as Diagnosis
    from gecval.studies.doctor.run import doctor as doctor
    from gecval.studies.doctor.run import doctor_files as doctor_files
    from gecval.studies.explain.results import Explanation as Explanation
    from gecval.studies.explain.run import explain as explain
    from gecval.studies.human.options import HumanOptions as HumanOptions
    from gecval.studies.human.ranker import Ranker as Ranker
    from gecval.studies.human.results import HumanResult as HumanResult
    from gecval.studies.human.run import human as human
    from gecval.studies.lfm import LfmTraining as LfmTraining
    from gecval.studies.lfm import train_lfm as train_lfm
    from gecval.studies.maege import Maege as Maege
    from gecval.studies.maege import MaegeSettings as MaegeSettings
    from gecval.studies.maege import maege as maege
    from gecval.studies.overview.results import Overview as Overview
    from gecval.studies.overview.run import overview as overview
    from gecval.studies.passport.merging import Merged as Merged
    from gecval.studies.passport.merging import merge as merge
    from gecval.studies.passport.results import Verification as Verification
    from gecval.studies.passport.verify import verify as verify
    from gecval.studies.power.results import Power as Power
    from gecval.studies.power.results import PowerCurve as PowerCurve
    from gecval.studies.power.run import power as power
    from gecval.studies.reproduce import Papers as Papers
    from gecval.studies.reproduce import Reproduction as Reproduction
    from gecval.studies.reproduce import papers as papers
    from gecval.studies.reproduce import reproduce as reproduce
    from gecval.studies.scores.all_pairs import compare_all as compare_all
    from gecval.studies.scores.by_type import compare_by_type as compare_by_type
    from gecval.studies.scores.by_type import score_by_type as score_by_type
    from gecval.studies.scores.comparison import compare as compare
    from gecval.studies.scores.cost import Costs as Costs
    from gecval.studies.scores.cost import cost as cost
    from gecval.studies.scores.deciding import deciding as deciding
    from gecval.studies.scores.deciding_results import Deciding as Deciding
    from gecval.studies.scores.deciding_results import DecidingPair as DecidingPair
    from gecval.studies.scores.evaluation import evaluate as evaluate
    from gecval.studies.scores.not_worse import not_worse as not_worse
    from gecval.studies.scores.not_worse_results import NotWorse as NotWorse
    from gecval.studies.scores.results import AllPairs as AllPairs
    from gecval.studies.scores.results import Comparison as Comparison
    from gecval.studies.scores.results import Comparisons as Comparisons
    from gecval.studies.scores.results import Score as Score
    from gecval.studies.scores.results import Scores as Scores
    from gecval.studies.scores.scoring import score as score
    from gecval.studies.scores.sentences import SentenceScores as SentenceScores
    from gecval.studies.scores.sentences import score_sentences as score_sentences
    from gecval.studies.track.results import History as History
    from gecval.studies.track.results import TrackedScore as TrackedScore
    from gecval.studies.track.run import history as history
    from gecval.studies.track.run import track as track
    from gecval.studies.true_precision.results import TruePrecision as TruePrecision
    from gecval.studies.true_precision.run import true_precision as true_precision
    from gecval.studies.undercorrection.comparison import undercorrection as undercorrection
    from gecval.studies.undercorrection.reranking import rerank as rerank
    from gecval.studies.undercorrection.results import Reranking as Reranking
    from gecval.studies.undercorrection.results import UnderCorrection as UnderCorrection
    from gecval.studies.validate.results import Cards as Cards
    from gecval.studies.validate.run import validate as validate
    from gecval.studies.validate.table import AgreementTable as AgreementTable
    from gecval.studies.validate.table import agreement_table as agreement_table

__version__ = version("gecval")

# Where each public name lives. A name is imported when it is first used, so `import gecval` takes milliseconds.
_HOMES = {
    "Agreement": "studies.agreement.results",
    "AgreementTable": "studies.validate.table",
    "AllPairs": "studies.scores.results",
    "Attacks": "studies.attacks.results",
    "BatchScorer": "studies.batches.scorer",
    "Cards": "studies.validate.results",
    "Comparison": "studies.scores.results",
    "Comparisons": "studies.scores.results",
    "Corpus": "corpus",
    "Costs": "studies.scores.cost",
    "CrowdCoverage": "studies.coverage.results",
    "Dataset": "formats.datasets",
    "Deciding": "studies.scores.deciding_results",
    "DecidingPair": "studies.scores.deciding_results",
    "Diagnosis": "studies.doctor.results",
    "Edit": "edit",
    "ExplainedDifference": "studies.difference.results",
    "Explanation": "studies.explain.results",
    "Extractor": "edits.extractors",
    "History": "studies.track.results",
    "HumanOptions": "studies.human.options",
    "HumanResult": "studies.human.results",
    "InputError": "errors",
    "Interval": "stats",
    "Judged": "formats.ratings",
    "Judgments": "formats.judgments",
    "LfmTraining": "studies.lfm",
    "Maege": "studies.maege",
    "MaegeSettings": "studies.maege",
    "Merged": "studies.passport.merging",
    "Metric": "metrics",
    "NotWorse": "studies.scores.not_worse_results",
    "Overview": "studies.overview.results",
    "Papers": "studies.reproduce",
    "Power": "studies.power.results",
    "PowerCurve": "studies.power.results",
    "Ranker": "studies.human.ranker",
    "Reference": "references",
    "ReferenceCoverage": "studies.coverage.results",
    "ReferencesToBuy": "studies.coverage.buying",
    "Reproduction": "studies.reproduce",
    "Reranking": "studies.undercorrection.results",
    "Resampling": "stats",
    "Result": "result",
    "Score": "studies.scores.results",
    "ScoredPairs": "studies.batches.results",
    "Scores": "studies.scores.results",
    "SentenceScores": "studies.scores.sentences",
    "Statistics": "metrics",
    "System": "corpus",
    "TrackedScore": "studies.track.results",
    "TruePrecision": "studies.true_precision.results",
    "UnderCorrection": "studies.undercorrection.results",
    "Verification": "studies.passport.results",
    "agreement": "studies.agreement.run",
    "agreement_table": "studies.validate.table",
    "annotate": "edits.annotate",
    "attack": "studies.attacks.run",
    "batch_scorer": "studies.batches.scorer",
    "buy_references": "studies.coverage.buying",
    "compare": "studies.scores.comparison",
    "compare_all": "studies.scores.all_pairs",
    "compare_by_type": "studies.scores.by_type",
    "cost": "studies.scores.cost",
    "crowd_coverage": "studies.coverage.crowd",
    "dataset": "formats.datasets",
    "datasets": "formats.datasets",
    "deciding": "studies.scores.deciding",
    "describe_metrics": "metrics.catalogue",
    "doctor": "studies.doctor.run",
    "doctor_files": "studies.doctor.run",
    "document_starts": "formats.documents",
    "evaluate": "studies.scores.evaluation",
    "explain": "studies.explain.run",
    "explain_difference": "studies.difference.run",
    "extractor": "edits.extractors",
    "extractor_names": "edits.extractors",
    "fetch_dataset": "formats.datasets",
    "guess_language": "language",
    "history": "studies.track.run",
    "human": "studies.human.run",
    "load_corpus": "formats",
    "load_crowd": "studies.coverage.crowd",
    "load_sample": "sample",
    "load_schema": "schemas",
    "load_systems": "formats",
    "maege": "studies.maege",
    "merge": "studies.passport.merging",
    "metric": "metrics",
    "metric_names": "metrics",
    "not_worse": "studies.scores.not_worse",
    "overview": "studies.overview.run",
    "papers": "studies.reproduce",
    "power": "studies.power.run",
    "read_judged": "formats.ratings",
    "read_judgment_sets": "formats.judgments",
    "read_judgments": "formats.judgments",
    "reference_coverage": "studies.coverage.own_references",
    "reproduce": "studies.reproduce",
    "rerank": "studies.undercorrection.reranking",
    "score": "studies.scores.scoring",
    "score_by_type": "studies.scores.by_type",
    "score_pairs": "studies.batches.files",
    "score_sentences": "studies.scores.sentences",
    "track": "studies.track.run",
    "train_lfm": "studies.lfm",
    "true_precision": "studies.true_precision.run",
    "undercorrection": "studies.undercorrection.comparison",
    "use_device": "models.device",
    "validate": "studies.validate.run",
    "verify": "studies.passport.verify",
    "write_corpus": "formats",
    "write_page": "report.page.page",
}
__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'gecval' has no attribute {name!r}")
    value = getattr(import_module(f"gecval.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
