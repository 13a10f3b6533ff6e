"""Hybrids: the interpolated metric, the sweep of its weight, and the curve over references."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from gecval import Corpus, InputError, metric
from gecval.metrics.distance import LD
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.gleu import GLEU
from gecval.metrics.interpolated import Interpolated
from gecval.metrics.m2 import M2
from gecval.runtime.run import Run
from gecval.sample import load_sample
from gecval.stats.correlation import correlate
from gecval.studies.human.correlations import WEIGHTS, sweep
from gecval.studies.reproduce.no_comparison import _t_interval, reference_curve


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("based", [GLEU(), M2()])
def test_interpolation_is_the_weighted_mean_of_sentence_scores(based: object, weight: float) -> None:
    corpus, systems = load_sample()
    hybrid = Evaluation.of(Interpolated(based, LD(), weight), corpus, systems[0])
    parts = [Evaluation.of(part, corpus, systems[0]).sentence_scores() for part in (based, LD())]
    np.testing.assert_allclose(hybrid.sentence_scores(), weight * parts[0] + (1 - weight) * parts[1])
    assert hybrid.score() == pytest.approx(hybrid.sentence_scores().mean())
    assert list(hybrid.parts().values()) == pytest.approx([part.mean() for part in parts])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((GLEU(), LD(), 1.5), "weight must lie between 0 and 1, not 1.5"),
        ((GLEU(), LD(), True), "weight must lie between 0 and 1, not True"),
        ((GLEU(), 3), "needs two metrics, not 3"),
        ((GLEU(), "nothing"), "needs two metrics, not 'nothing'"),
        ((GLEU(), LD(), M2(), 0.5), "3 metrics take 2 weights of 1 in all at most"),
        ((GLEU(), LD(), M2(), 0.6, 0.5), "there is 0.6, 0.5"),
    ],
)
def test_what_is_no_hybrid_is_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Interpolated(*arguments)


@pytest.mark.parametrize("scales", [(1.0,), (1.0, 0.0), (1.0, -2.0), (1.0, float("inf"))])
def test_scales_are_a_number_above_0_for_each_part(scales: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="scales must be a number above 0 for each metric"):
        Interpolated(GLEU(), LD(), 0.5, scales=scales)


def test_several_parts_with_scales_and_directions() -> None:
    """Scores are divided by scales; the last part gets the rest; a part that is better if lower counts negative."""
    corpus, systems = load_sample()
    spelling = "interpolated(gleu, perplexity_of, ld, 0.25, 0.5, scales=(0.5, 4.0, 0.1))"
    lengths = metric(lambda source, output, references: len(output), name="perplexity_of", higher_is_better=False)
    hybrid = Interpolated(GLEU(), lengths, LD(), 0.25, 0.5, scales=(0.5, 4.0, 0.1))
    assert repr(hybrid) == spelling
    assert hybrid.higher_is_better
    parts = [Evaluation.of(part, corpus, systems[0]).sentence_scores() for part in hybrid.components]
    expected = 0.25 * parts[0] / 0.5 - 0.5 * parts[1] / 4 + 0.25 * parts[2] / 0.1
    evaluation = Evaluation.of(hybrid, corpus, systems[0])
    np.testing.assert_allclose(evaluation.sentence_scores(), expected)
    assert list(evaluation.parts().values()) == pytest.approx([part.mean() for part in parts])
    assert hybrid.parameters()["weight"] == "0.25+0.5"
    assert hybrid.parameters()["scales"] == "0.5+4.0+0.1"


def test_a_spelling_is_read_again() -> None:
    for spelling in (
        "interpolated(gleu, ld, 0.2)",
        "interpolated(gleu, ld, 0.2, scales=(0.5, 0.1))",
        "interpolated(gleu, levenshtein, ld, 0.25, 0.5, scales=(0.5, 4.0, 0.1))",
    ):
        assert repr(metric(spelling)) == spelling
        assert replace(metric(spelling)) == metric(spelling)
    assert metric("interpolated(gleu, levenshtein, ld)").factors == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert metric("interpolated(with_references=m2, without=ld, weight=0.25)") == Interpolated(M2(), LD(), 0.25)


def test_needs_are_those_of_the_parts() -> None:
    bare = Corpus.from_texts(["a b"])
    assert Interpolated(LD(), LD()).needs is None
    Interpolated(LD(), LD()).check(bare)
    assert Interpolated(GLEU(), M2()).needs == "edits"
    with pytest.raises(InputError, match="gleu needs references"):
        Interpolated(LD(), GLEU()).check(bare)


@pytest.mark.parametrize("turned", [False, True])
def test_what_holds_for_one_part_holds_for_the_hybrid(turned: bool) -> None:
    def facts(part: str) -> tuple[object, ...]:
        hybrid = Interpolated(*(metric("gleu"), metric(part))[:: -1 if turned else 1])
        return hybrid.compares_types, hybrid.finds_edits, hybrid.pays, hybrid.extractor, hybrid.whole_corpus

    plain = metric('errant(model="plain")').extractor
    assert facts("sari") == (False, False, False, None, None)
    assert facts("llm_judge") == (False, False, True, None, None)
    assert facts('errant(model="plain", level="classification")') == (True, True, False, plain, None)
    assert facts('errant(model="plain", average="macro")') == (
        *(True, True, False, plain),
        "its columns are the types of the whole corpus",
    )


@pytest.mark.parametrize("turned", [False, True])
def test_a_hybrid_has_the_language_and_the_edits_of_the_part_that_has_any(turned: bool) -> None:
    corpus = Corpus.from_texts(["a b"], [["a c"]])

    def facts(part: str) -> tuple[object, object, list[str]]:
        hybrid = Interpolated(*(metric("gleu"), metric(part))[:: -1 if turned else 1])
        return hybrid.language, hybrid.extractor_for(corpus), hybrid.data_signature(corpus)

    plain = metric('errant(model="plain")')
    assert facts("ld") == (None, None, [])
    assert facts('lfm(model="x")')[0] == "en"
    assert facts('errant(model="plain")') == (
        *(plain.language, plain.extractor_for(corpus)),
        plain.data_signature(corpus),
    )
    assert plain.extractor_for(corpus) is not None


def test_sweep_holds_both_metrics_at_its_ends_and_finds_the_best_between() -> None:
    rng = np.random.default_rng(0)
    people = rng.normal(size=12)
    a, b = people + rng.normal(size=12), 0.01 * (people + rng.normal(size=12))
    for coefficient in ("pearson", "spearman"):
        swept = sweep(people, a, b, coefficient=coefficient)
        assert len(swept.correlations) == len(WEIGHTS) == 101
        assert swept.correlations[[0, -1]] == pytest.approx(
            [correlate(people, scores, coefficient).value for scores in (b, a)]
        )
        assert swept.oracle == swept.correlations.max()
        assert swept.correlations[round(100 * swept.oracle_weight)] == pytest.approx(swept.oracle)
        assert swept.cross_validated <= swept.oracle


def test_the_oracle_flatters_where_there_is_nothing_to_find() -> None:
    """Metrics that are noise: the oracle finds a correlation all the same, cross-validation does not."""
    rng = np.random.default_rng(1)
    swept = [sweep(*rng.normal(size=(3, 13))) for _ in range(60)]
    assert np.mean([noise.oracle for noise in swept]) > 0.15
    assert abs(np.mean([noise.cross_validated for noise in swept])) < 0.12


def test_a_metric_without_a_spread_is_no_obstacle() -> None:
    people = np.array([1.0, 2.0, 3.0, 4.0])
    swept = sweep(people, people, np.ones(4))
    assert np.isnan(swept.correlations[0])
    assert (swept.oracle, swept.oracle_weight) == (1.0, 0.01)
    with pytest.raises(InputError, match="four systems or more, not 3"):
        sweep(people[:3], people[:3], people[:3])


@pytest.mark.parametrize("values", [[0.2, 0.5], [0.2, 0.5, 0.9, 0.4]])
def test_the_interval_of_a_mean_is_students(values: list[float]) -> None:
    low, high = stats.t.interval(0.95, len(values) - 1, loc=np.mean(values), scale=stats.sem(values))
    assert _t_interval(np.array(values)) == pytest.approx((low, high))


def test_one_draw_has_no_interval() -> None:
    assert np.isnan(_t_interval(np.array([0.5]))).all()


def test_reference_curve_ends_at_all_references() -> None:
    corpus, systems = load_sample()
    people = np.array([1.0, 4.0, 2.0, 3.0])
    for name in ("gleu", "sari"):  # a row for each reference, and all references in one row
        based = metric(name)
        curve = reference_curve(
            people, corpus, systems, with_references=based, without=LD(), repeats=3, coefficient="pearson"
        )
        assert [point.references for point in curve] == [1, 2, 3]
        full = [Evaluation.of(based, corpus, system).sentence_scores().mean() for system in systems]
        assert curve[-1].alone == pytest.approx(correlate(people, np.array(full)).value)
        assert curve[-1].alone_interval.high - curve[-1].alone_interval.low == pytest.approx(0)
        assert all(point.oracle >= point.alone - 1e-12 for point in curve)
    # Every point is the mean over its own draws, which are made here once more.
    rng, gleu = np.random.default_rng(1), metric("gleu")
    draws = [np.sort(rng.choice(3, size=size, replace=False)) for size in (1, 2, 3) for _ in range(3)]
    fixed = np.array([Evaluation.of(LD(), corpus, system).sentence_scores().mean() for system in systems])
    swept = []
    for chosen in draws:
        fewer = Corpus(corpus.sources, [[listed[k] for k in chosen] for listed in corpus.references])
        scores = np.array([Evaluation.of(gleu, fewer, system).sentence_scores().mean() for system in systems])
        swept.append(sweep(people, scores, fixed, coefficient="pearson"))
    counted: list[tuple[int, int]] = []
    curve = reference_curve(
        people,
        corpus,
        systems,
        with_references=gleu,
        without=LD(),
        repeats=3,
        coefficient="pearson",
        run=Run(progress=lambda *numbers: counted.append(numbers)),
    )
    for size, point in enumerate(curve):
        own = swept[3 * size : 3 * size + 3]
        alone, oracle = ([getattr(one, name) for one in own] for name in ("reference_based_alone", "oracle"))
        assert (point.alone, point.oracle) == (pytest.approx(np.mean(alone)), pytest.approx(np.mean(oracle)))
        assert point.alone_interval == pytest.approx(_t_interval(np.array(alone)))
        assert point.oracle_interval == pytest.approx(_t_interval(np.array(oracle)))
    assert counted == [(done, 4) for done in range(1, 5)]
    ragged = Corpus.from_texts(["a", "b"], [["a"], ["b", "c"]])
    with pytest.raises(InputError, match="equally many references for every sentence, not 1-2"):
        reference_curve(people, ragged, [], with_references=GLEU(), without=LD())
