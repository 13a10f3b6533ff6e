"""Intervals and paired tests against scipy, against theory, and in simulation."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import InputError, Resampling
from gecval.stats import bootstrap_interval, paired_test
from gecval.stats.resampling import ANY, SHARE, SentenceMean, percentile_interval, times_drawn


@dataclass
class Mean:
    """The plainest score: the mean of one number a sentence."""

    values: np.ndarray
    blocks: list[slice] = field(default_factory=list)
    scale: tuple[float, float] = ANY

    def __len__(self):
        return len(self.values)

    def score(self):
        return float(self.values.mean())

    def scores_over(self, draws):
        return self.values[draws].mean(axis=1)

    def scores_swapped(self, first, second):
        return self.scores_over(first), self.scores_over(second)

    def scores_without(self, blocks):
        self.blocks = blocks
        return np.array([np.delete(self.values, block).mean() for block in blocks])


def normal(size: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=size)


def skewed(size: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).exponential(size=size)


def against(a: np.ndarray, b: np.ndarray, **settings):
    return paired_test(Mean(a), Mean(b), Mean(np.concatenate([a, b])), Resampling(**settings))


@pytest.mark.parametrize("method", ["bca", "percentile"])
@pytest.mark.parametrize("sample", [normal, skewed])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_as_scipy(method, sample, level):
    stats = pytest.importorskip("scipy.stats")
    values, resamples = sample(60), 20_000
    theirs = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=resamples,
        confidence_level=level,
        method={"bca": "BCa", "percentile": "percentile"}[method],
        rng=np.random.default_rng(5),
    )
    ours = bootstrap_interval(Mean(values), Resampling(resamples, level=level, method=method))
    # A quantile at p of B resamples with standard error s has the error s·√(p(1−p)/B)/φ(z): 0.019 s at p = 0.025 and
    # B = 20000. Two of them differ by √2 of that, BCa's z₀ adds about as much; 0.1 s leaves room for skewness.
    assert ours == pytest.approx(tuple(theirs.confidence_interval), abs=0.1 * theirs.standard_error)


def test_bca_moves_to_the_long_tail():
    values = skewed(60)
    plain, corrected = (bootstrap_interval(Mean(values), Resampling(5000, method=m)) for m in ("percentile", "bca"))
    assert corrected.low > plain.low
    assert corrected.high > plain.high


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("steady", [False, True])
def test_bca_by_its_formula(seed, steady):
    """Few and very skewed values: then every number of the formula shows. A steady jackknife has no acceleration."""

    class Jackknifed(Mean):
        def scores_without(self, blocks):
            return np.ones(len(blocks)) if steady else super().scores_without(blocks)

    norm = pytest.importorskip("scipy.stats").norm
    values, resampling = skewed(9, seed) ** 3, Resampling(4000, level=0.9, method="bca", seed=seed)
    means = np.concatenate([values[draws].mean(axis=1) for draws in resampling.draws(9)])
    without = np.array([1.0 if steady else np.delete(values, i).mean() for i in range(9)])
    deviations = without.mean() - without
    acceleration = 0.0 if steady else (deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5)
    shifted = norm.ppf((means < values.mean()).mean() + (means == values.mean()).mean() / 2) + norm.ppf([0.05, 0.95])
    tails = norm.cdf(shifted - norm.ppf([0.05, 0.95]) + shifted / (1 - acceleration * shifted))
    assert bootstrap_interval(Jackknifed(values), resampling) == tuple(np.quantile(means, tails, method="nearest"))


def test_percentiles_are_those_of_the_draws():
    values, resampling = normal(30), Resampling(999, level=0.9, method="percentile", seed=4)
    means = np.sort(np.concatenate([values[draws].mean(axis=1) for draws in resampling.draws(30)]))
    # 999 order statistics cut the line into 1000 parts: of 998 gaps, 5% and 95% lie at numbers 49.9 and 948.1.
    assert bootstrap_interval(Mean(values), resampling) == (means[50], means[948])


@pytest.mark.parametrize("method", ["bca", "percentile"])
@pytest.mark.parametrize("sample", [normal, skewed])
def test_coverage(method, sample):
    """90% intervals hold the true mean about 9 times in 10; the bootstrap is known to fall a little short at n = 50."""
    truth = {normal: 0.0, skewed: 1.0}[sample]
    intervals = [
        bootstrap_interval(Mean(sample(50, seed)), Resampling(400, level=0.9, method=method, seed=seed))
        for seed in range(500)
    ]
    held = np.mean([low <= truth <= high for low, high in intervals])
    assert 0.845 < held < 0.94  # ±3 standard errors of 0.0134 around 0.885 to 0.9


@given(
    st.lists(st.sampled_from([-1e6, -1.0, 0.0, 0.5, 1.0, 1e6]), min_size=1, max_size=12),
    st.sampled_from([0.5, 0.95, 0.999, 0.99999]),
    st.sampled_from(["bca", "percentile"]),
)
def test_an_interval_is_one_whatever_the_values(values, level, method):
    scored = Mean(np.array(values))
    low, high = bootstrap_interval(scored, Resampling(100, level=level, method=method))
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9


def test_scores_equal_to_the_observed_count_half():
    """Half the sentences right: a quarter of the resamples ties with the corpus, and there is no bias to correct."""
    half = Mean(np.repeat([0.0, 1.0], 5))
    plain, corrected = (bootstrap_interval(half, Resampling(2000, method=m)) for m in ("percentile", "bca"))
    assert corrected == plain


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_equal_values_and_single_sentences(method):
    assert bootstrap_interval(Mean(np.full(20, 0.25)), Resampling(method=method)) == (0.25, 0.25)
    assert bootstrap_interval(Mean(np.array([0.75])), Resampling(method=method)) == (0.75, 0.75)


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_shifting_and_stretching(method):
    values, resampling = skewed(40), Resampling(500, method=method)
    low, high = bootstrap_interval(Mean(values), resampling)
    assert bootstrap_interval(Mean(10 * values - 3), resampling) == pytest.approx((10 * low - 3, 10 * high - 3))


def test_a_score_that_resamples_never_reach():
    """Where every resample scores higher than the corpus, the bias is bounded and the interval stays finite."""

    class Biased(Mean):
        def scores_over(self, draws):
            return super().scores_over(draws) + 5

    low, high = bootstrap_interval(Biased(normal(50)), Resampling(200, method="bca"))
    assert 4 < low <= high < 6


@pytest.mark.parametrize(("shift", "nearest"), [(5, np.min), (-5, np.max)])
def test_a_bias_is_bounded_by_half_a_resample(shift, nearest):
    """With 20 resamples, all on one side of the corpus, z₀ = ±1.96: both ends are the resample nearest to it."""

    class Biased(Mean):
        def scores_over(self, draws):
            return super().scores_over(draws) + shift

    values, few = normal(50), Resampling(20, method="bca")
    end = nearest(Biased(values).scores_over(np.concatenate(list(few.draws(50)))))
    assert bootstrap_interval(Biased(values), few) == pytest.approx((end, end))


def test_the_same_seed_gives_the_same_draws():
    first, again, other = (np.concatenate(list(Resampling(50, seed=s).draws(7))) for s in (3, 3, 4))
    assert (first == again).all()
    assert (first != other).any()
    assert first.shape == (50, 7)
    assert set(first.ravel()) == set(range(7))


def test_large_corpora_are_drawn_in_pieces():
    pieces = list(Resampling(3).draws(3_000_000))
    assert [len(piece) for piece in pieces] == [1, 1, 1]
    assert [len(piece) for piece in Resampling(10).swaps(1_000_000)] == [4, 4, 2]
    assert [len(piece) for piece in Resampling(2).swaps(4_000_001)] == [1, 1]


@pytest.mark.parametrize(("size", "most", "count"), [(10, 100, 10), (100, 100, 100), (1000, 100, 100), (101, 100, 100)])
def test_jackknife_leaves_each_sentence_out_once(size, most, count):
    scored = Mean(normal(size))
    bootstrap_interval(scored, Resampling(50, jackknife_blocks=most))
    assert len(scored.blocks) == count
    assert [i for block in scored.blocks for i in range(block.start, block.stop)] == list(range(size))


def test_blocks_hardly_change_the_interval():
    values = skewed(2000)
    single, blocks = (bootstrap_interval(Mean(values), Resampling(2000, jackknife_blocks=n)) for n in (2000, 100))
    assert blocks == pytest.approx(single, abs=0.1 * values.std() / np.sqrt(2000))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"resamples": 1}, "resampling takes from 2 to 1,000,000 resamples, not 1"),
        ({"resamples": 10**12}, "resampling takes from 2 to 1,000,000 resamples, not 1,000,000,000,000"),
        ({"level": 0}, "the confidence level must lie between 0 and 1, not 0"),
        ({"level": 1.0}, "the confidence level must lie between 0 and 1, not 1.0"),
        ({"method": "t"}, "the interval method must be one of auto, bca, percentile, studentised, annotators, not 't'"),
    ],
)
def test_settings_refused(settings, message):
    with pytest.raises(InputError) as refusal:
        Resampling(**settings)
    assert str(refusal.value) == message


class TestPairs:
    def test_identical(self):
        values = normal(40)
        result = against(values, values.copy())
        assert result.difference == 0
        assert result.interval == (0, 0)
        assert result.bootstrap_p == result.randomisation_p == 1

    def test_clearly_different(self):
        values = normal(40)
        result = against(values, values + 1 + 0.1 * normal(40, 1), resamples=999)
        assert result.bootstrap_p == result.randomisation_p == 1 / 1000
        assert 0.9 < result.interval.low < result.difference < result.interval.high < 1.1

    def test_turned_round(self):
        a, b = normal(40), normal(40, 1)
        there, back = against(a, b), against(b, a)
        assert back.difference == -there.difference
        assert (back.bootstrap_p, back.randomisation_p) == (there.bootstrap_p, there.randomisation_p)

    @pytest.mark.parametrize(
        ("differences", "exact"),
        [
            ([1, 1, 1, 1], 2 / 16),  # only all or none swapped
            ([1, 2, 4, 8], 2 / 16),
            ([-1, 2, 4, 8], 4 / 16),  # 13 and 15 of 16 sums
            ([-1, -2, 4, 8], 8 / 16),  # 9, 11, 13, 15
            ([1, -1, 2, -2], 1.0),  # no difference at all
            ([0, 0, 0, 5], 1.0),  # one sentence alone says nothing
        ],
    )
    def test_randomisation_by_counting(self, differences, exact):
        a = normal(4)
        result = against(a, a + np.array(differences), resamples=20_000)
        # ±4 standard errors √(p(1−p)/20000) ≤ 0.0035
        assert result.randomisation_p == pytest.approx(exact, abs=0.0142)

    def test_bootstrap_by_theory(self):
        """Means of n differences: p is about that of a z-test with the spread of the sample itself."""
        stats = pytest.importorskip("scipy.stats")
        differences = normal(400) + 0.1
        result = against(np.zeros(400), differences, resamples=20_000)
        z = differences.mean() / (differences.std() / 20)
        assert result.bootstrap_p == pytest.approx(2 * stats.norm.sf(abs(z)), abs=0.015)
        assert result.randomisation_p == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, abs=0.015)

    def test_uniform_under_the_null_hypothesis(self):
        stats = pytest.importorskip("scipy.stats")
        results = [against(normal(40, 2 * i), normal(40, 2 * i + 1), resamples=199, seed=i) for i in range(500)]
        for p_values, slack in [
            (np.array([result.randomisation_p for result in results]), 0.0),
            (np.array([result.bootstrap_p for result in results]), 0.02),  # its variance is too small by 1/n
        ]:
            assert 0.05 - 0.03 < np.mean(p_values <= 0.05) < 0.05 + 0.03 + slack  # 3 standard errors of 0.0097
            assert np.mean(p_values) == pytest.approx(0.5, abs=0.04 + slack)
        assert stats.kstest([result.randomisation_p for result in results], "uniform").pvalue > 0.01

    def test_never_zero(self):
        result = against(np.zeros(50), np.ones(50), resamples=99)
        assert result.bootstrap_p == result.randomisation_p == 1 / 100


def test_groups_are_drawn_whole_and_as_many_as_there_are():
    groups = np.array([7, 3, 7, 9])
    times = times_drawn(groups, 500, np.random.default_rng(0))
    assert times.shape == (500, 4)
    np.testing.assert_array_equal(times[:, 0], times[:, 2])
    assert (times[:, [0, 1, 3]].sum(axis=1) == 3).all()
    np.testing.assert_allclose(times.mean(axis=0), 1, atol=0.15)


def test_percentiles_of_nothing_are_undefined():
    assert np.isnan(percentile_interval(np.array([np.nan, np.nan]), 0.9)).all()
    assert percentile_interval(np.arange(101.0), 0.9) == pytest.approx((5, 95))


def test_draws_of_one_block_are_kept() -> None:
    """All systems share them, so nobody may write to them. Level and method draw nothing."""
    [draws] = Resampling(20, seed=5).draws(7)
    [again] = Resampling(20, seed=5, level=0.9, method="percentile", jackknife_blocks=3).draws(7)
    assert again is draws
    assert not draws.flags.writeable
    assert (draws == np.random.default_rng(5).integers(7, size=(20, 7))).all()
    [fewer], [longer] = Resampling(19, seed=5).draws(7), Resampling(20, seed=5).draws(8)
    assert (fewer.shape, longer.shape) == ((19, 7), (20, 8))


@pytest.mark.parametrize("size", [6, 1_500_000])
def test_swapped_lists(size: int) -> None:
    """Either system has each sentence once, its own or the other's; several blocks where there are many sentences."""
    resampling, trials = Resampling(3, seed=2), 0
    for (first, second), swap in zip(resampling.draw_swaps(size), resampling.swaps(size), strict=True):
        assert (first % size == np.arange(size)).all()
        assert ((first < size) == swap).all()
        assert (first + second == 2 * np.arange(size) + size).all()
        trials += len(first)
    assert trials == 3
    [[first, _]] = resampling.draw_swaps(6)
    assert next(Resampling(3, seed=2, level=0.5).draw_swaps(6))[0] is first
    assert not first.flags.writeable


def test_a_studentised_interval_ends_with_the_scale():
    few_right = np.repeat([1.0, 0.0], [1, 59])
    resampling = Resampling(method="studentised")
    beyond, within = (bootstrap_interval(SentenceMean(few_right, scale), resampling) for scale in (ANY, SHARE))
    assert beyond.low < 0 == within.low < within.high == beyond.high < 1
    # A score that lies outside, as no scale foresees, stays within its interval.
    assert bootstrap_interval(SentenceMean(few_right - 1, SHARE), resampling).low == pytest.approx(-59 / 60)
