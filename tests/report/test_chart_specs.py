"""Every chart as Vega-Lite sees it, of small results made by hand: data, marks, scales, sizes, titles.

``python tests/report/test_chart_specs.py`` writes tests/expected/charts.json anew: look at the differences first.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gecval import (
    Comparisons,
    CrowdCoverage,
    Interval,
    LfmTraining,
    ReferenceCoverage,
    Reranking,
    Scores,
    UnderCorrection,
)
from gecval.edit import Edit
from gecval.edits import Lattice
from gecval.models.lfm.weights import Weights
from gecval.report.coverage.charts import crowd_chart, people_chart
from gecval.report.human.charts import ranking_chart, scatter_chart
from gecval.report.lfm import training_chart
from gecval.report.maege.charts import maege_chart
from gecval.report.power import power_chart
from gecval.report.scores.charts import comparison_chart, score_chart
from gecval.report.track import history_chart
from gecval.report.undercorrection.charts import changes_chart, reranking_chart
from gecval.stats.correlation import Correlation
from gecval.stats.ranking import Standing
from gecval.studies.coverage.annotators import AgainstPeople
from gecval.studies.coverage.break_even import break_even_values
from gecval.studies.coverage.perfect_system import PerfectScore
from gecval.studies.coverage.variants import Coverage, Threshold
from gecval.studies.human.ranking import Ranking
from gecval.studies.human.results import HumanCorrelation, SystemScore
from gecval.studies.lfm import Ablation, HeldOutAgreement
from gecval.studies.maege import Maege, MaegeSettings
from gecval.studies.maege.results import CorpusScore, MetricSummary, OriginalsScore, ReplicateMean, TypeDelta
from gecval.studies.power.results import ChancePoint, Power, PowerCurve
from gecval.studies.scores.results import Comparison, Score
from gecval.studies.track.results import History, TrackedScore
from gecval.studies.undercorrection.changes import THRESHOLDS, Changes
from gecval.studies.undercorrection.results import Reranked

EXPECTED = Path(__file__).parents[1] / "expected" / "charts.json"
COMMON = {"$schema", "config", "name", "usermeta"}  # what altair and the theme say about every chart


def correlated(value: float) -> Correlation:
    return Correlation(value=value, p=0.25, interval=Interval(value - 0.25, value + 0.125), n=4)


def mean(value: float) -> ReplicateMean:
    return ReplicateMean(mean=value, interval=Interval(value - 0.25, value + 0.5), deviation=0.125)


def judged(scores: dict[str, tuple[float, float]]) -> HumanCorrelation:
    systems = tuple(
        SystemScore(
            system=name,
            human=human,
            human_interval=Interval(human - 0.125, human + 0.25),
            metric=metric,
            metric_interval=Interval(metric - 0.5, metric + 0.25) if name != "copy" else None,
        )
        for name, (human, metric) in scores.items()
    )
    r = correlated(0.5)
    return HumanCorrelation(
        judgments="mine",
        target="expected-wins",
        metric="gleu",
        pearson=r,
        spearman=correlated(0.25),
        kendall=r,
        systems=systems,
        signature="",
    )


def ranked() -> Ranking:
    places = {"good": (0.75, (1, 2), 1), "fair": (0.5, (1, 3), 1), "copy": (0.25, (3, 3), 2)}
    standings = (
        Standing(system=name, score=score, interval=Interval(score - 0.125, score), ranks=ranks, cluster=cluster)
        for name, (score, ranks, cluster) in places.items()
    )
    return Ranking(judgments="mine", method="expected-wins", systems=tuple(standings), level=0.9, signature="")


def crowd() -> CrowdCoverage:
    curve = tuple(
        Coverage(references=m, with_replacement=m / 4, interval=Interval(m / 8, m / 4), without_replacement=m / 4)
        for m in (1, 2)
    )
    perfect = PerfectScore(metric="ld", references=1, score=3.5, interval=Interval(3.0, 4.0), signature="")
    return CrowdCoverage(
        sentences=5,
        thresholds=(Threshold(frequency=0.0, variants=2.0, mass=1.0),),
        curve=curve,
        level=0.9,
        scores=(perfect,),
    )


def people() -> ReferenceCoverage:
    beside = AgainstPeople(
        system="good",
        metric="gleu",
        score=0.5,
        people=0.75,
        interval=Interval(0.25, 0.625),
        people_interval=Interval(0.5, 0.875),
        signature="",
    )
    rows = (beside, replace(beside, system="best", score=0.875), replace(beside, metric="ld", higher_is_better=False))
    return ReferenceCoverage(
        sentences=4,
        references=10,
        coverage=0.5,
        range=Interval(0.25, 0.75),
        changed=0.25,
        unchanged=0.875,
        to_halve=None,
        alpha=0.0,
        break_even=break_even_values(0.25, alpha=0.0),
        level=0.9,
        people=rows,
    )


def scores() -> Scores:
    first = Score(
        system="good",
        metric="m2",
        score=0.5,
        parts={},
        signature="",
        interval=Interval(0.25, 0.75),
        level=0.9,
        ranks=(1, 2),
        cluster=1,
    )
    better = replace(first, system="best", score=0.625, interval=Interval(0.5, 0.75), cluster=2)
    lower = replace(first, metric="ld", higher_is_better=False, cluster=None, ranks=None, level=None, interval=None)
    return Scores(scores=(first, lower, better, replace(lower, system="best", score=0.625)))


def comparisons() -> Comparisons:
    first = Comparison(
        metric="m2",
        baseline="copy",
        baseline_score=0.25,
        system="good",
        score=0.5,
        difference=0.25,
        interval=Interval(0.125, 0.375),
        p_bootstrap=0.001,
        p_randomisation=0.002,
        p=0.002,
        level=0.9,
        signature="",
        correction="holm",
    )
    worse = replace(first, system="bad", difference=-0.25, interval=Interval(-0.5, -0.125), type="NOUN")
    return Comparisons(comparisons=(first, worse, replace(first, system="like", p=0.5)))


def changes() -> UnderCorrection:
    correctors = (
        Changes(
            corrector=name,
            word_changes=1.5,
            sentences=(12, 8 - k, k),
            order=0.875,
            below=tuple(share * i / (len(THRESHOLDS) - 1) for i in range(len(THRESHOLDS))),
            split=k,
            joined=2,
        )
        for k, (name, share) in enumerate({"(reference)": 0.5, "good": 0.25, "copy": 0.0}.items())
    )
    return UnderCorrection(annotator=1, sentences=20, correctors=tuple(correctors))


def reranked() -> Reranking:
    return Reranking(
        metric="sari",
        candidates=("a", "b", "c"),
        repetitions=3,
        seed=1,
        choices=(
            Reranked(references=1, score=0.5, word_changes=1.0, sentences=(0.25, 0.75), gained=(0.0, 0.0)),
            Reranked(references=2, score=0.25, word_changes=2.0, sentences=(0.0, 1.0), gained=(-0.25, 0.25)),
        ),
        signature="",
    )


def study() -> Maege:
    summaries = (
        MetricSummary(
            metric=metric,
            corpus_spearman=mean(rho),
            corpus_pearson=mean(0.25),
            sentence_tau=mean(0.5),
            sentence_pearson=mean(0.125),
            tie_rate=0.25,
        )
        for metric, rho in {"gleu": 0.5, "ld": -0.25}.items()
    )
    deltas = {("R:VERB", "gleu"): 0.5, ("R:VERB", "ld"): -0.25, ("M:DET", "gleu"): 0.125, ("M:DET", "ld"): 0.0}
    return Maege(
        settings=MaegeSettings(),
        replicates=2,
        seed=1,
        sentences=5,
        conflicts=0,
        level=0.9,
        metrics=tuple(summaries),
        corpora=tuple(
            CorpusScore(metric=metric, model=float(m), score=mean(m / 4)) for metric in ("gleu", "ld") for m in (0, 1)
        ),
        originals=(
            OriginalsScore(metric="gleu", errors=0, score=0.75, sentences=3),
            OriginalsScore(metric="gleu", errors=2, score=0.5, sentences=1),
        ),
        by_replicate=(),
        signature="",
        types=tuple(
            TypeDelta(type=kind, metric=metric, edits=4, delta=mean(delta)) for (kind, metric), delta in deltas.items()
        ),
        example=Lattice(("a", "b", "c"), (Edit(0, 1, ("A",)), Edit(1, 1, ("x",)), Edit(2, 3, ("",)))),
    )


def training() -> LfmTraining:
    held_out = HeldOutAgreement(
        split="dev", pearson=correlated(0.5), spearman=correlated(0.25), accuracy=0.75, majority=0.5
    )
    return LfmTraining(
        model=Weights(intercept=2.5, weights={"length": 0.5}, judges={}, trained={"sentences": 5, "alpha": 1.0}),
        agreement=(held_out, replace(held_out, split="test", pearson=correlated(0.25))),
        ablations=(Ablation(features="lm", alone=0.25, without=float("nan"), judge="smollm2"),),
    )


def chances() -> Power:
    points = (ChancePoint(sentences=10, chance=0.25), ChancePoint(sentences=40, chance=0.5))
    curve = PowerCurve(
        metric="gleu", baseline="old", system="new", annotators=None, difference=0.125, observed=True, sentences=40,
        chance=0.5, needed=80, detectable=0.25, carriers=20.0, points=points, signature="",
    )  # fmt: skip
    fewer = replace(curve, metric="ld", annotators=2, difference=-0.5)
    return Power(wanted=0.75, curves=(curve, replace(curve, difference=0.25), fewer))


def tracked() -> History:
    first = TrackedScore(
        series=1, commit="b", time="2026-01-01", system="mine", metric="gleu", score=0.5, interval=Interval(0.25, 0.75),
        level=0.9, since="b", look=0, difference=0.0, change_interval=None, change_level=None, changed=False,
        output="", signature="",
    )  # fmt: skip
    second = replace(first, commit="a", score=0.875, look=1, difference=0.375, changed=True)
    return History(level=0.9, scores=(first, second, replace(first, series=2, interval=None, level=None)))


CHARTS: dict[str, Callable[[], Any]] = {
    "chances": lambda: power_chart(chances()),
    "history": lambda: history_chart(tracked()),
    "rankings": lambda: ranking_chart([ranked(), replace(ranked(), judgments="others")]),
    "scatter": lambda: scatter_chart(
        [judged({"good": (0.75, 0.5), "fair": (0.5, 0.5), "near": (0.5, 0.5), "copy": (0.25, 0.125)})], level=0.9
    ),
    "crowd": lambda: crowd_chart(crowd()),
    "people": lambda: people_chart(people()),
    "scores": lambda: score_chart(scores()),
    "comparisons": lambda: comparison_chart(comparisons()),
    "changes": lambda: changes_chart(changes()),
    "reranking": lambda: reranking_chart(reranked()),
    **{
        f"maege {kind}": lambda kind=kind: maege_chart(kind, study(), {"gleu": 0.75, "ld": 0.75})
        for kind in ("types", "corpora", "originals", "lattice", "human")
    },
    "training": lambda: training_chart(training()),
}


def drawn(chart: Any) -> Any:
    """What a chart draws, each layer with its own data, numbers to nine decimals."""
    spec = chart.to_dict()
    datasets = spec.pop("datasets", {})

    def plain(part: Any) -> Any:
        if isinstance(part, dict):
            if set(part) == {"name"} and part["name"] in datasets:
                return {"values": plain(datasets[part["name"]])}
            return {key: plain(value) for key, value in part.items() if key not in COMMON}
        if isinstance(part, list):
            return [plain(value) for value in part]
        return round(part, 9) if isinstance(part, float) else part

    return plain(spec)


@pytest.mark.parametrize("name", CHARTS)
def test_charts(name: str) -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    assert drawn(CHARTS[name]()) == json.loads(EXPECTED.read_text("utf-8"))[name]


if __name__ == "__main__":
    specs = {name: drawn(chart()) for name, chart in CHARTS.items()}
    EXPECTED.write_text(json.dumps(specs, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
