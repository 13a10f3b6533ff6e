"""Results of every kind, small and made by hand, for snapshots of their tables and charts."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass, replace
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from gecval.corpus.edit import Edit
from gecval.formats.datasets.folder import State
from gecval.metrics.lfm.metric import Weights
from gecval.results.result import Result
from gecval.results.theme import CATEGORIES
from gecval.stats import Interval
from gecval.stats.correlation import Correlation
from gecval.stats.ranking import Standing
from gecval.studies.agreement.result import (
    Agreement,
    AnnotatorAgreement,
    AnnotatorEdits,
    AnnotatorPair,
    AnnotatorTwins,
    Disagreement,
    TypeAgreement,
)
from gecval.studies.attack.result import AdversaryEntry, Attack, Attacks, PeopleMark, Price, SystemMark
from gecval.studies.buy_references.study import ReferencesToBuy, SentenceToCorrect
from gecval.studies.cache.study import Cached, CachedModel
from gecval.studies.compare.paper import PaperScores
from gecval.studies.compare.result import Comparison, Comparisons
from gecval.studies.coverage.charts import crowd_chart, people_chart
from gecval.studies.coverage.own_references import break_even_values
from gecval.studies.coverage.result import (
    Coverage,
    CrowdCoverage,
    CrowdSummary,
    PerfectScore,
    ReferenceCoverage,
    SimulatedTestSet,
    Threshold,
    TrueScore,
)
from gecval.studies.data.study import DatasetCard, DatasetList, DatasetRow, FileRow
from gecval.studies.doctor.result import Blamed, Contents, Diagnosis, Finding, SelfScore
from gecval.studies.explain.study import EditValue, ExplainedSentence, Explanation, TypeValue
from gecval.studies.explain_difference.result import DifferingField, ExplainedDifference, StatedPair, Step
from gecval.studies.human import charts as human_charts
from gecval.studies.human.preferences import Difference, PreferredPairs, SentenceAccuracy, Share
from gecval.studies.human.ranking import JudgmentCounts, Ranking
from gecval.studies.human.result import (
    HumanCorrelation,
    HumanResult,
    HybridSweep,
    MetricComparison,
    Sweep,
    SystemScore,
    Window,
)
from gecval.studies.human.transfer import BlindChoice, Candidate, ChosenMetric
from gecval.studies.lfm.study import Ablation, HeldOutAgreement, LfmTraining, training_chart
from gecval.studies.maege.charts import maege_chart
from gecval.studies.maege.lattices import Lattice, MaegeSettings
from gecval.studies.maege.result import (
    FIGURES,
    CorpusScore,
    Maege,
    MetricDifference,
    MetricSummary,
    OriginalsScore,
    ReplicateMean,
    TypeDelta,
)
from gecval.studies.pairs.study import MeanScore, ScoredPairs
from gecval.studies.power.study import ChancePoint, Power, PowerCurve, power_chart
from gecval.studies.reproduce.charts import curve_chart, published_chart
from gecval.studies.reproduce.result import Curve, Figure, ItemStatus, PaperChart, PaperTable, Point, Reproduction
from gecval.studies.scores.charts import comparison_chart, score_chart
from gecval.studies.scores.people import AgainstPeople
from gecval.studies.scores.result import Score, Scores
from gecval.studies.track.result import History, TrackedScore, history_chart
from gecval.studies.true_precision.study import TruePrecision, TrueScores, TypeValidity
from gecval.studies.undercorrection.charts import changes_chart, reranking_chart
from gecval.studies.undercorrection.reranking import Reranked, Reranking
from gecval.studies.undercorrection.study import THRESHOLDS, Changes, FrequencyCorrelation, TypeRatio, UnderCorrection

T = TypeVar("T")
SOME = Interval(0.25, 0.75)


def fill(kind: type[T], **values: Any) -> T:
    """An instance of a dataclass: fields that are not given and have no default get a value that shows their place."""
    hints = get_type_hints(kind, include_extras=True)
    for place, field in enumerate(fields(kind)):  # type: ignore[arg-type]
        if field.name not in values and field.default is MISSING and field.default_factory is MISSING:
            values[field.name] = _example(hints[field.name], field.name, place)
    return kind(**values)


def _example(hint: Any, name: str, place: int) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType, Annotated):
        return _example(arguments[0], name, place)
    if origin is Literal:
        return arguments[0]
    if origin is tuple:
        return () if arguments[-1] is Ellipsis else tuple(_example(part, name, place) for part in arguments)
    if hint is Interval:
        return Interval(place / 32, place / 16)
    if is_dataclass(hint):
        return fill(hint)  # type: ignore[arg-type]
    simple = {str: name, bool: False, int: place + 2, float: (place + 1) / 32}
    return simple.get(hint, {})


def fill_all(kind: type[T], field: str, values: Any, **same: Any) -> tuple[T, ...]:
    """One instance for each value of a field."""
    return tuple(fill(kind, **{field: value}, **same) for value in values)


CHOSEN = fill(
    ChosenMetric,
    train=("here",),
    test=("there",),
    candidates=tuple(
        fill(Candidate, criterion=criterion, metric=name, parts=parts, tested=(0.75,))
        for criterion in ("accuracy", "r")
        for name, parts in (("interpolated(gleu, ld, 0.5, scales=(0.25, 0.125))", 2), ("gleu", 1), ("ld", 1))
    ),
    choices=(
        fill(BlindChoice, judgments="there", metric="interpolated(gleu, ld, 0.5, scales=(0.25, 0.125))", alone="gleu"),
        fill(BlindChoice, judgments="there", criterion="r", metric="gleu", alone="gleu"),
    ),
)
AGREEMENT = fill(
    Agreement,
    annotators=tuple(
        fill(AnnotatorAgreement, annotator=name, outlier=outlier)
        for name, outlier in {"a": False, "b": True, "c": None}.items()
    ),
    twins=(fill(AnnotatorTwins, left_out="c"),),
    pairs=(fill(AnnotatorPair),),
    types=(fill(TypeAgreement),),
    disagreements=(
        fill(
            Disagreement,
            annotators=tuple(
                fill(AnnotatorEdits, annotator=name, edits=edits)
                for name, edits in {"a": (), "b": ("is → was",)}.items()
            ),
        ),
    ),
)
BOUGHT = fill(ReferencesToBuy, sentences=(fill(SentenceToCorrect, source="x" * 71),))

DIFFERENCE = ExplainedDifference(
    fields=(
        DifferingField(metric="gleu", field="n", a="4", b="3", changes=True, why="it counts n-grams"),
        DifferingField(metric="gleu", field="version", a=None, b="2", changes=False, why="the same formula"),
    ),
    pairs=(
        StatedPair(system="s", metric="gleu", a=0.5, b=0.75, a_again=0.5, b_again=0.75),
        StatedPair(system="t", metric="gleu", a=None, b=0.75),
        StatedPair(system="u", metric="gleu", a=0.5, b=None),
    ),
)
WALKED = replace(
    DIFFERENCE,
    steps=(
        Step(system="s", metric="gleu", step=0, setting="all of A", score=0.5),
        Step(system="s", metric="gleu", step=1, setting="n", a="4", b="3", score=0.75, change=0.25, alone=0.125),
    ),
    complete=True,
)


def explanation(values: list[float], error: float | None = None) -> Explanation:
    edits = (*fill_all(EditValue, "value", values[:1], error=error), *fill_all(EditValue, "value", values[1:]))
    sentence = fill(ExplainedSentence, edits=edits)
    return fill(Explanation, types=(fill(TypeValue, type=""),), sentences=(sentence,), signatures=("the signature",))


EDITS = [0.125, -0.5, 0.25]

FIRST = fill(TrackedScore, series=1, commit="b", time="2026-01-01", level=0.9, since="b", look=0, difference=0.0)
SECOND = replace(FIRST, commit="a", score=0.875, look=1, difference=-0.375, changed=True)
HISTORY = History(level=0.8, scores=(FIRST, SECOND, replace(FIRST, series=2, interval=None, level=None)))

TRUE = fill(
    TruePrecision,
    systems=fill_all(TrueScores, "like_judged", (True, False)),
    types=(fill(TypeValidity),),
    beta=0.5,
    level=0.9,
)

ATTACKS = fill(
    Attacks,
    adversaries=(fill(AdversaryEntry),),
    attacks=(
        fill(Attack, adversary="empty", metric="m2", beats=("s",), signature="first"),
        fill(Attack, adversary="hill climbing", metric="m2", against="seen", signature="first"),
        fill(Attack, adversary="empty", metric="ld", higher_is_better=False, signature="second"),
    ),
    prices=(
        fill(Price, metric="m2", adversary="empty", beats=("s",), luck=0.125),
        fill(Price, metric="ld", adversary="empty"),
    ),
    systems=fill_all(SystemMark, "metric", ("m2", "ld"), system="s"),
    people=(fill(PeopleMark, metric="m2"),),
)

PAIRS = fill(ScoredPairs, rows=2000, kept=1500, where="m2 > 0", means=(fill(MeanScore),))
CACHED = fill(Cached, limit=10**10, bytes=1_234_567, removed=0, models=(fill(CachedModel, bytes=1_234_567),))

CURVE = fill(PowerCurve, annotators=None, observed=True, points=fill_all(ChancePoint, "sentences", (500, 1000)))
POWER = Power(wanted=0.75, curves=(CURVE, replace(CURVE, difference=0.25)))
POWER_BY_ANNOTATORS = replace(POWER, curves=(*POWER.curves, replace(CURVE, metric="ld", annotators=2, difference=-0.5)))
POWER_OF_A_GUESS = replace(POWER, curves=(replace(CURVE, observed=False),))

LONG_TITLE = "Table 1: correlation of metrics (20 references, means of sentence scores) with the TrueSkill ranking"
PAPER_TABLE = PaperTable(
    title=LONG_TITLE,
    columns=("ρ", "size"),
    rows={
        "gleu": {"ρ": Figure(published=0.5, ours=0.25, interval=SOME), "size": Figure(ours=1.0)},
        "lost": {"ρ": Figure(published=0.75), "size": Figure(published=5000.0)},
        "m" * 43: {"ρ": Figure(ours=0.5, interval=Interval(0.25, float("nan")))},
    },
    notes=("a note",),
    row_name="metric",
)
OURS_ALONE = PaperTable(title="Table 2", columns=("n",), rows={"a": {"n": Figure(ours=2.0, interval=SOME)}})
REPRODUCTION = Reproduction(
    paper="p",
    about="x",
    tables=(PAPER_TABLE, OURS_ALONE),
    items=(
        fill(ItemStatus, figures=1, published=0.5, ours=0.4375),
        fill(ItemStatus, figures=12, equal=9, missing=2, difference=0.0625),
    ),
)
# Columns that are an interval of the score before them, where both ends are known.
ENDS = PaperTable(
    title="Figure 2",
    columns=("score", "low", "high"),
    rows={
        "AMU": {
            "score": Figure(ours=0.35),
            "low": Figure(published=0.25, ours=0.3),
            "high": Figure(published=0.75, ours=0.4),
        },
        "CAMB": {"score": Figure(published=0.5, ours=0.5), "low": Figure(published=0.25)},
    },
    row_name="system",
)
CURVES = (
    Curve(name="ours", points=(Point(x=1, y=0.25, interval=SOME), Point(x=2, y=0.75))),
    Curve(name="gap", points=(Point(x=1, y=float("nan")), Point(x=2, y=0.5))),
)
PEOPLE = Curve(name="people", points=(Point(x=1, y=9.0),), people=True)


def paper_curves(*curves: Curve) -> Any:
    return curve_chart(LONG_TITLE, PaperChart(x="references", y="score", curves=curves))


def systems(count: int) -> tuple[Curve, ...]:
    return tuple(Curve(name=f"system {k}", points=(Point(x=1, y=k),)) for k in range(count))


CONTENTS = fill(Contents, language="en")
FINDING = fill(Finding, lines=(3, 7), effect="word " * 30, remedy="gecval convert")
DIAGNOSIS = fill(Diagnosis, contents=CONTENTS)
FOUND = replace(DIAGNOSIS, findings=(replace(FINDING, scored="m2", score=0.5, fixed=0.75), FINDING))
GOLD = replace(DIAGNOSIS, gold=(fill(SelfScore, blamed=11),), blamed=(fill(Blamed, start=1, end=2),) * 11)


def coefficient(value: float) -> Correlation:
    return Correlation(value=value, p=0.25, interval=Interval(value - 0.25, value + 0.125), n=4)


def correlated(metric: str, **more: Any) -> HumanCorrelation:
    """People against a metric, on four systems of which two lie at one place."""
    places = {"good": (0.75, 0.5), "fair": (0.5, 0.5), "near": (0.5, 0.5), "copy": (0.25, 0.125)}
    systems = tuple(
        SystemScore(
            system=name,
            human=human,
            human_interval=Interval(human - 0.125, human + 0.25),
            metric=score,
            metric_interval=Interval(score - 0.5, score + 0.25) if name != "copy" else None,
        )
        for name, (human, score) in places.items()
    )
    named = {"pearson": coefficient(0.5), "spearman": coefficient(0.25), "kendall": coefficient(0.125)}
    return fill(HumanCorrelation, metric=metric, systems=systems, signature=f"signature of {metric}", **named, **more)


def ranked(**more: Any) -> Ranking:
    places = {"good": (0.75, (1, 2), 1), "fair": (0.5, (1, 3), 1), "copy": (0.25, (3, 3), 2)}
    standings = tuple(
        Standing(system=name, score=score, interval=Interval(score - 0.125, score), ranks=ranks, cluster=cluster)
        for name, (score, ranks, cluster) in places.items()
    )
    return Ranking(
        **{"judgments": "mine", "method": "expected-wins", **more}, systems=standings, level=0.9, signature="s"
    )


RANKINGS = fill(
    HumanResult, level=0.9, judgments=(fill(JudgmentCounts),), rankings=(ranked(), ranked(method="trueskill"))
)
SWEEP = Sweep(
    correlations=np.array([0.25, 0.5]),
    oracle=0.75,
    oracle_weight=0.5,
    cross_validated=0.625,
    cross_validated_weights=np.array([0.25, 0.75]),
)
HUMAN = replace(
    RANKINGS,
    correlations=(correlated("gleu", windows=(fill(Window),)), correlated("ld", higher_is_better=False)),
    accuracies=(fill(SentenceAccuracy, policy="half", equal_edits=fill(Share), over_more_changes=fill(Difference)),),
    controls=(correlated("more changes"),),
    control_accuracies=(fill(SentenceAccuracy, metric="more changes", policy="half"),),
    preferred=(fill(PreferredPairs),),
    comparisons=(fill(MetricComparison, difference=-0.25),),
    hybrids=(fill(HybridSweep, coefficient="spearman", swept=SWEEP),),
)

CROWD = fill(
    CrowdCoverage,
    thresholds=(fill(Threshold),),
    curve=fill_all(Coverage, "references", (1, 2)),
    scores=fill_all(PerfectScore, "references", (1, 2), metric="ld"),
)
ONE_CROWD = replace(
    CROWD, scores=(), thresholds=(fill(Threshold, variants=2.3456),), curve=(fill(Coverage, interval=None),)
)
SIMULATED_CROWD = replace(
    CROWD,
    summary=CrowdSummary(corrections=50.88, different=27.3, variants=Interval(190.2, 2047.9)),
    test_set=SimulatedTestSet(sentences=100, correct=10, replacement=False, seed=1),
    scores=tuple(replace(score, higher_is_better=False) for score in CROWD.scores),
)
AGAINST_PEOPLE = fill(AgainstPeople, system="good", score=0.5, people=0.75)
REFERENCES = fill(
    ReferenceCoverage,
    to_halve=Interval(100, 2720),
    break_even=break_even_values(0.25, alpha=0.0),
    people=(
        AGAINST_PEOPLE,
        replace(AGAINST_PEOPLE, system="best", score=0.875),
        replace(AGAINST_PEOPLE, system="sure", interval=SOME, people_interval=Interval(0.125, 0.375)),
        replace(AGAINST_PEOPLE, metric="ld", higher_is_better=False),
        replace(AGAINST_PEOPLE, metric="ld", higher_is_better=False, system="worst", score=0.875),
    ),
)
UNKNOWN_REFERENCES = replace(
    REFERENCES, changed=None, unchanged=1.0, to_halve=None, break_even=break_even_values(None, alpha=0.0), people=()
)
TRUE_SCORE = TrueScore(
    system="good", accuracy=0.5, interval=SOME, true_accuracy=0.875, true_interval=Interval(0.75, 1.0), signature="s"
)
TRUE_REFERENCES = replace(
    REFERENCES, alpha=0.5, break_even=break_even_values(0.25, alpha=0.5), people=(), true_scores=(TRUE_SCORE,)
)
ONE_REFERENCE_SENTENCE = replace(TRUE_REFERENCES, true_scores=(replace(TRUE_SCORE, interval=None, true_interval=None),))

SCORE = fill(Score, system="good", metric="m2", interval=SOME, level=0.9, ranks=(1, 2), cluster=1)
LOWER = replace(SCORE, metric="ld", higher_is_better=False, cluster=None, ranks=None, level=None, interval=None)
BETTER = replace(SCORE, system="best", score=0.625, interval=Interval(0.5, 0.75), cluster=2)
SCORES = Scores(scores=(SCORE, LOWER, BETTER, replace(LOWER, system="best", score=0.625)))

# Under a single metric parts are shown; two are the best, and their signatures differ.
PARTS = {"precision": 0.5, "correct": 3}
ALONE = Scores(
    scores=tuple(
        fill(Score, system=name, metric="m2", score=score, parts=PARTS, level=0.9, signature=f"m2|{name}")
        for name, score in {"a": 0.25, "b": 0.75, "c": 0.75}.items()
    )
)

COMPARISON = fill(Comparison, interval=Interval(0.125, 0.375), difference=0.25, p=0.002, correction="holm")
WORSE = replace(COMPARISON, system="bad", difference=-0.25, interval=Interval(-0.5, -0.125), type="NOUN")
COMPARISONS = Comparisons(comparisons=(COMPARISON, WORSE, replace(COMPARISON, system="like", p=0.5)))
# Both tests decide, and lower is better.
UNCORRECTED = Comparisons(
    comparisons=tuple(
        replace(COMPARISON, correction="none", p_bootstrap=0.01, p_randomisation=p, p=p, **direction)
        for direction in ({}, {"metric": "perplexity", "higher_is_better": False})
        for p in (0.04, 0.06)
    )
)

PAPER_SCORES = PaperScores(
    scores=(*ALONE.scores, *(replace(score, metric="perplexity", parts={}, score=40.0) for score in ALONE.scores)),
    comparisons=(replace(COMPARISON, metric="m2", system="b", p=0.01),),
    names={"m2": "M² F0.5", "perplexity": "Perplexity"},
    against="a",
    caption="M² F0.5 and Perplexity.",
    sentence="Scores are M² F0.5.",
    bibliography=("@misc{a,\n  title = {b}\n}",),
)


def changes(*reordered: float) -> UnderCorrection:
    """A reference and systems that reorder such shares of sentences."""
    names = ["(reference)", *(f"SYS{k}" for k in range(1, len(reordered)))]
    return fill(
        UnderCorrection,
        correctors=tuple(
            fill(
                Changes,
                corrector=name,
                sentences=(12, 8, 2),
                below=tuple(np.linspace(0, share, len(THRESHOLDS)).tolist()),
            )
            for name, share in zip(names, reordered, strict=True)
        ),
    )


CHANGES = changes(0.5, 0.25, 0.0)
RATIOS = tuple(TypeRatio(type=name, systems=1.0, references=n) for n, name in enumerate(("VERB", "DET"), start=1))
TYPES = replace(CHANGES, types=RATIOS, correlation=FrequencyCorrelation(rho=-0.35, p=0.094))
CHOICES = fill_all(Reranked, "references", (1, 2), sentences=(0.25, 0.75), gained=(-0.25, 0.25))
RERANKED = fill(Reranking, candidates=("a", "b", "c"), choices=CHOICES)

MEAN = fill(ReplicateMean)
# One Δ above 0, one whose interval ends at 0, one below, and one without an interval.
DELTAS = (
    ("R:VERB", "gleu", MEAN),
    ("R:VERB", "ld", replace(MEAN, mean=-0.5, interval=Interval(-0.75, 0.0))),
    ("M:DET", "gleu", replace(MEAN, mean=-0.25, interval=Interval(-0.5, -0.125))),
    ("M:DET", "ld", replace(MEAN, mean=1.0, interval=None)),
)


def agreeing(metric: str, **more: Any) -> MetricSummary:
    """Each figure of a metric has a value of its own."""
    figures = {figure: replace(MEAN, mean=place / 8) for place, figure in enumerate(FIGURES, start=1)}
    return fill(MetricSummary, metric=metric, **figures, **more)


DIFFERENCES = fill_all(MetricDifference, "figure", ("corpus_spearman", "sentence_tau"), metric="gleu", against="ld")
MAEGE = fill(
    Maege,
    settings=MaegeSettings(),
    metrics=(
        agreeing("gleu", best=("corpus_spearman", "sentence_tau")),
        agreeing("ld", best=("corpus_pearson",), higher_is_better=False),
    ),
    corpora=tuple(fill(CorpusScore, metric=metric, model=float(m)) for metric in ("gleu", "ld") for m in (0, 1)),
    originals=fill_all(OriginalsScore, "errors", (0, 2), metric="gleu"),
    types=tuple(fill(TypeDelta, type=type_, metric=name, delta=delta) for type_, name, delta in DELTAS),
    differences=(replace(DIFFERENCES[0], p=None), replace(DIFFERENCES[1], p=0.04)),
    example=Lattice(("a", "b", "c"), (Edit(0, 1, ("A",)), Edit(1, 1, ("x",)), Edit(2, 3, ("",)))),
)
ONE_REPLICATE = replace(
    MAEGE,
    replicates=1,
    types=tuple(replace(MAEGE.types[0], metric=f"metric {k}") for k in range(20)),
    differences=(replace(DIFFERENCES[0], p=None),),
    corpora=tuple(replace(row, score=replace(row.score, interval=None)) for row in MAEGE.corpora[:2]),
)
TRAINING = LfmTraining(
    model=Weights(intercept=2.5, weights={"length": 0.5}, judges={}, trained={"sentences": 5, "alpha": 1.0}),
    agreement=fill_all(HeldOutAgreement, "split", ("dev", "test")),
    ablations=(fill(Ablation, without=float("nan"), judge="smollm2"),),
)


def dataset_file_row(name: str, size: int | None, state: State) -> FileRow:
    return FileRow(name=name, state=state, why="", path=f"/d/{name}", address=None, bytes=size, sha256="00")


CARD = fill(
    DatasetCard, name="toy", by_hand="", sources=("a/b@1", "c/d@2"), state="partial", unknown=(),
    files=(dataset_file_row("a", 1_540_000, "present"), dataset_file_row("b", 20_000, "missing")),
)  # fmt: skip
# 50 kB more than 1.45 MB would be 1.5 MB; a file without a size adds none.
SIZES = (dataset_file_row("a", 1_449_999, "different"), dataset_file_row("b", None, "present"))
DATASETS = fill(
    DatasetList,
    datasets=tuple(fill(DatasetRow, files=3, bytes=250_000, by_hand=count, state="absent") for count in (0, 2, 3)),
)

# By name: a result, and how it is looked at.
TABLES: dict[str, tuple[Result, dict[str, Any]]] = {
    "agreement": (AGREEMENT, {}),
    "agreement where nobody edits": (replace(AGREEMENT, pairs=(), types=(), disagreements=()), {}),
    "references to buy": (BOUGHT, {}),
    "references to buy, no gain": (replace(BOUGHT, gain_of_all=0.0), {}),
    "difference": (DIFFERENCE, {}),
    "difference, no scores": (replace(DIFFERENCE, pairs=()), {}),
    "difference, steps": (WALKED, {}),
    "difference, steps that interact": (replace(WALKED, complete=False, interacts=("gleu", "m2")), {}),
    "explanation": (explanation(EDITS), {"top": 3}),
    "explanation, two edits": (explanation(EDITS), {"top": 2}),
    "explanation, every edit": (explanation(EDITS), {"top": None}),
    "explanation, twenty edits of more": (explanation([n / 100 for n in range(21)]), {}),
    "explanation with standard errors": (explanation([0.5, 0.25], error=0.125), {}),
    "history": (HISTORY, {}),
    "history, levels that differ": (replace(HISTORY, scores=(FIRST, replace(SECOND, level=0.95))), {}),
    "true precision": (TRUE, {}),
    "attacks": (ATTACKS, {}),
    "pairs": (PAIRS, {}),
    "pairs, all rows": (replace(PAIRS, where=None), {}),
    "pairs, no scores": (replace(PAIRS, means=()), {}),
    "cache": (CACHED, {}),
    "cache, no limit": (replace(CACHED, limit=None, removed=1200), {}),
    "power": (POWER, {}),
    "power by annotators": (POWER_BY_ANNOTATORS, {}),
    "power of a guess": (POWER_OF_A_GUESS, {}),
    "reproduction": (REPRODUCTION, {}),
    "doctor": (DIAGNOSIS, {}),
    "doctor, findings": (FOUND, {}),
    "doctor, no language": (replace(DIAGNOSIS, contents=replace(CONTENTS, language=None)), {}),
    "doctor, nothing read": (replace(DIAGNOSIS, contents=None), {}),
    "doctor, gold": (GOLD, {}),
    "human": (HUMAN, {}),
    "human, rankings alone": (RANKINGS, {}),
    "human, chosen metric": (CHOSEN, {}),
    "human, one metric": (replace(HUMAN, correlations=(correlated("ld"),), comparisons=(), hybrids=()), {}),
    "crowd coverage": (CROWD, {}),
    "crowd coverage, one sentence": (ONE_CROWD, {}),
    "crowd coverage, simulated": (SIMULATED_CROWD, {}),
    "reference coverage": (REFERENCES, {}),
    "reference coverage, what cannot be said": (UNKNOWN_REFERENCES, {}),
    "reference coverage, references that never agree": (replace(UNKNOWN_REFERENCES, changed=0.0, unchanged=None), {}),
    "reference coverage, true scores": (TRUE_REFERENCES, {}),
    "reference coverage, one sentence": (ONE_REFERENCE_SENTENCE, {}),
    "scores": (SCORES, {}),
    "scores, parts": (ALONE, {}),
    "scores, one system": (Scores(scores=ALONE.scores[:1]), {}),
    "scores, all parts": (SCORES, {"parts": True}),
    "paper scores": (PAPER_SCORES, {}),
    "comparisons": (COMPARISONS, {}),
    "comparisons without correction": (UNCORRECTED, {}),
    "undercorrection": (CHANGES, {}),
    "undercorrection, reference alone": (changes(0.5), {}),
    "undercorrection, types": (TYPES, {}),
    "undercorrection, types of small p": (replace(TYPES, correlation=FrequencyCorrelation(rho=-0.9, p=1e-9)), {}),
    "undercorrection, types as frequent": (
        replace(TYPES, correlation=FrequencyCorrelation(rho=float("nan"), p=float("nan"))),
        {},
    ),
    "reranking": (RERANKED, {}),
    "reranking, one number": (replace(RERANKED, choices=CHOICES[:1], higher_is_better=False), {}),
    "maege": (MAEGE, {}),
    "maege, one replicate": (ONE_REPLICATE, {}),
    "lfm training": (TRAINING, {}),
    "data set": (CARD, {}),
    "data set, of unknown size": (replace(CARD, files=SIZES, by_hand="Ask for it."), {}),
    "data set, one file of unknown size": (replace(CARD, files=SIZES[1:]), {}),
    "data sets": (DATASETS, {}),
}
CHARTS: dict[str, Callable[[], Any]] = {
    "power": lambda: power_chart(POWER_BY_ANNOTATORS),
    "history": lambda: history_chart(HISTORY),
    "rankings": lambda: human_charts.ranking_chart([ranked(), ranked(judgments="others")]),
    "human": lambda: human_charts.human_chart(HUMAN),
    "human of many sets": lambda: human_charts.human_chart(replace(RANKINGS, judgments=4 * (fill(JudgmentCounts),))),
    "scatter": lambda: human_charts.scatter_chart([correlated("gleu")], level=0.9),
    "crowd coverage": lambda: crowd_chart(CROWD),
    "crowd coverage of one sentence": lambda: crowd_chart(ONE_CROWD),
    "reference coverage": lambda: people_chart(REFERENCES),
    "scores": lambda: score_chart(SCORES),
    "scores without intervals": lambda: score_chart(ALONE),
    "comparisons": lambda: comparison_chart(COMPARISONS),
    "comparisons without correction": lambda: comparison_chart(UNCORRECTED),
    "undercorrection": lambda: changes_chart(CHANGES),
    "undercorrection of many systems": lambda: changes_chart(changes(0.45, *(k / 20 for k in range(13)))),
    "reranking": lambda: reranking_chart(RERANKED),
    **{
        f"maege {kind}": lambda kind=kind: maege_chart(kind, MAEGE, {"gleu": 0.75, "ld": 0.75})
        for kind in ("types", "corpora", "originals", "lattice", "human")
    },
    "maege corpora of one replicate": lambda: maege_chart("corpora", ONE_REPLICATE),
    "maege types of many metrics": lambda: maege_chart("types", ONE_REPLICATE),
    "lfm training": lambda: training_chart(TRAINING),
    "paper table": lambda: published_chart(PAPER_TABLE),
    "paper table of ours alone": lambda: published_chart(OURS_ALONE),
    "paper table with ends of intervals": lambda: published_chart(ENDS),
    "paper curves": lambda: paper_curves(*CURVES),
    "paper curves without intervals": lambda: paper_curves(CURVES[1]),
    "paper curves of as many systems as colours": lambda: paper_curves(*systems(len(CATEGORIES))),
    "paper curves of more systems than colours": lambda: paper_curves(PEOPLE, *systems(len(CATEGORIES) + 1)),
}
