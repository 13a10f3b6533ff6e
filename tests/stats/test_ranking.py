"""Rankings against what the original tools gave, and against the trueskill library."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from gecval import InputError, _native
from gecval.formats.judgments import Judgments, read_judgments
from gecval.runtime.run import Run
from gecval.stats.ranking import HeadToHead, count_opponents, expected_wins, standings, trueskill
from gecval.stats.resampling import times_drawn
from oracles.trueskill import sampled, update

library = pytest.importorskip("trueskill", reason="needs the extra: pip install 'gecval[test]'")

# Mean and standard deviation of 15 (GJG15) and 40 (NSPT15) runs of the original, from specs/human-rankings.md.
GJG15_RUNS = {
    "AMU": (0.270, 0.010),
    "CAMB": (0.178, 0.013),
    "RAC": (0.111, 0.012),
    "CUUI": (0.107, 0.008),
    "POST": (0.087, 0.010),
    "PKU": (-0.005, 0.007),
    "UMC": (-0.026, 0.009),
    "UFC": (-0.040, 0.006),
    "IITB": (-0.055, 0.006),
    "INPUT": (-0.057, 0.011),
    "SJTU": (-0.073, 0.008),
    "NTHU": (-0.142, 0.010),
    "IPN": (-0.355, 0.011),
}


@pytest.fixture(scope="module")
def gjg15(data: Path) -> Judgments:
    return read_judgments(data / "gjg15" / "judgments.xml")


@pytest.fixture(scope="module")
def nspt15(data: Path) -> Judgments:
    return read_judgments(data / "nspt15" / "all_judgments.xml")


def head(judgments: Judgments) -> HeadToHead:
    return HeadToHead.of(judgments.systems, judgments.preferences)


def test_wins_of_gjg15_are_exact(gjg15: Judgments, golden: Path) -> None:
    expected = json.loads((golden / "human" / "gjg15_exact_EW.json").read_text())
    mine = head(gjg15)
    assert (mine.pairs, mine.ties.sum() / 2) == (109_098, 59_117)
    assert HeadToHead.of(gjg15.systems, gjg15.output_preferences).pairs == 20_516
    place = {name: i for i, name in enumerate(mine.systems)}
    for names, count in expected["wins"].items():
        winner, loser = names.split(">")
        assert mine.wins[place[winner], place[loser]] == count


@pytest.mark.parametrize("name", ["gjg15", "nspt15"])
def test_expected_wins_are_exact(name: str, golden: Path, request: pytest.FixtureRequest) -> None:
    expected = json.loads((golden / "human" / f"{name}_exact_EW.json").read_text())["EW"]
    mine = head(request.getfixturevalue(name))
    wins = dict(zip(mine.systems, expected_wins(mine), strict=True))
    assert wins == pytest.approx(expected, abs=1e-12)
    other = dict(zip(mine.systems, expected_wins(mine, opponents="beaten"), strict=True))
    never = {"IITB"} if name == "nspt15" else set()  # it never beat refmix1, everybody else beat everybody once
    assert {system for system in wins if wins[system] != pytest.approx(other[system])} == never


@pytest.mark.parametrize(("file", "ties"), [("gjg15.EW.pl.txt", "ignored"), ("gjg15.EW.pl.ties.txt", "both-win")])
def test_scores_ranges_and_clusters_of_ew_pl(gjg15: Judgments, golden: Path, file: str, ties: str) -> None:
    """Scores to the four decimals printed, clusters exactly, ranges but for one rank: they are bootstrapped."""
    mine = head(gjg15)
    again = mine.resample(1000, np.random.default_rng(1))
    ranked = standings(mine.systems, expected_wins(mine, ties=ties), expected_wins(again, ties=ties))
    cluster, place = 1, 0
    for line in (golden / "human" / file).read_text().splitlines():
        if line.startswith("+"):
            cluster += 1
            continue
        name, score, *ranks = line.replace("(", "").replace(")", "").replace(",", "").split()
        standing = ranked[place]
        assert (standing.system, round(standing.score, 4), standing.cluster) == (name, float(score), cluster)
        assert np.abs(np.subtract(standing.ranks, [int(rank) for rank in ranks])).max() <= 1
        place += 1
    assert place == 13


def test_opponents_never_beaten_and_never_met() -> None:
    """EW.pl divides by the opponents beaten, infer_EW by all; 0/0 adds nothing."""
    wins = np.array([[0.0, 3.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    mine = HeadToHead(("a", "b", "c"), wins, np.zeros((3, 3)))
    assert expected_wins(mine, opponents="all").tolist() == [0.375, 0.125, 0.0]
    assert count_opponents(mine).tolist() == [1, 1, 0]
    np.testing.assert_array_equal(expected_wins(mine), [0.75, 0.25, np.nan])
    tied = HeadToHead(mine.systems, wins, np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]))
    assert expected_wins(tied).tolist() == [0.75, 0.25, 0.5]  # ties decide nothing, but they are no defeats
    assert expected_wins(tied, ties="both-win").tolist() == [0.625, 0.25, 0.5]
    assert count_opponents(tied, ties="both-win").tolist() == [2, 1, 1]
    assert expected_wins(HeadToHead(("a", "b"), np.array([[0.0, 1.0], [0.0, 0.0]]), np.zeros((2, 2)))).tolist() == [
        1,
        0,
    ]
    assert expected_wins(mine, opponents="beaten").tolist() == [0.75, 0.25, 0.0]
    # a beat b three times in four, and c once; b beat a once.
    once = np.array([[0.0, 3.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    two = HeadToHead(mine.systems, np.stack([once, once]), np.zeros((2, 3, 3)))
    assert expected_wins(two, opponents="beaten").tolist() == [[0.875, 0.25, 0.0]] * 2
    twice = HeadToHead(mine.systems, np.stack([wins, wins.T]), np.zeros((2, 3, 3)))
    assert expected_wins(twice, opponents="beaten").tolist() == [[0.75, 0.25, 0.0], [0.25, 0.75, 0.0]]


def test_resamples_keep_the_number_of_pairs_and_the_mean(nspt15: Judgments) -> None:
    mine = head(nspt15)
    again = mine.resample(400, np.random.default_rng(0))
    assert (again.wins.sum(axis=(1, 2)) + again.ties.sum(axis=(1, 2)) / 2 == mine.pairs).all()
    np.testing.assert_array_equal(again.ties, np.swapaxes(again.ties, 1, 2))
    np.testing.assert_allclose(again.wins.mean(axis=0), mine.wins, atol=2.5)
    weights = times_drawn(nspt15.sentences, 200, np.random.default_rng(0))
    by_sentence = HeadToHead.of(mine.systems, nspt15.preferences, weights)
    # Judgments of a sentence hang together, so that whole sentences vary more than single pairs.
    assert (expected_wins(by_sentence).std(axis=0) > expected_wins(again).std(axis=0)).all()


def test_update_is_that_of_the_library() -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        beta = float(np.exp(rng.uniform(-2, 7)))
        environment = library.TrueSkill(mu=0, sigma=0.5, beta=beta, tau=0, draw_probability=0.25, backend="scipy")
        (mu_a, mu_b), (variance_a, variance_b) = rng.normal(0, 0.5, 2), rng.uniform(0.01, 0.25, 2)
        for result in (1, -1, 0):
            a = environment.create_rating(mu_a, variance_a**0.5)
            b = environment.create_rating(mu_b, variance_b**0.5)
            if result < 0:
                b, a = library.rate_1vs1(b, a, env=environment)
            else:
                a, b = library.rate_1vs1(a, b, drawn=result == 0, env=environment)
            arguments = (np.array([value]) for value in (mu_a, variance_a, mu_b, variance_b, result))
            updated = np.concatenate(update(*arguments, beta=beta))
            np.testing.assert_allclose(updated, [a.mu, a.sigma**2, b.mu, b.sigma**2], rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["gjg15", "nspt15"])
def test_trueskill_is_within_three_standard_deviations_of_the_original_and_stable(
    name: str, golden: Path, request: pytest.FixtureRequest
) -> None:
    mine = head(request.getfixturevalue(name))
    listed = json.loads((golden / "human" / "ts_ew_runs.json").read_text())[f"{name}_ts"]
    expected = {system: (mean, spread) for system, mean, spread, *_ in listed["ranking"]}
    if listed["runs"] < 5:  # three runs say little about their spread
        expected = GJG15_RUNS
    first = trueskill(mine, np.random.default_rng(1), runs=50)
    for system, score in zip(mine.systems, first.scores, strict=True):
        mean, spread = expected[system]
        assert abs(score - mean) < 3 * spread, system
    if name == "nspt15":  # the noisier set; the other takes four times as long
        second = trueskill(mine, np.random.default_rng(2), runs=50)
        assert np.abs(first.scores - second.scores).max() < 0.02


@pytest.mark.parametrize("judgments", [6, 340])  # 18 comparisons, and more than 1000, which are drawn at a time
def test_trueskill_is_the_procedure_step_by_step(judgments: int) -> None:
    """One run, as the first lines of the module describe it, with the random numbers that the module draws."""
    preferences = np.random.default_rng(2).integers(0, 3, size=(judgments, 3)).astype(float)
    mine = HeadToHead.of(("a", "b", "c"), preferences)
    steps = mine.pairs + 1
    draws = np.random.default_rng(7).random((steps, 2, 1))[:, :, 0]
    mu, variance = dict.fromkeys("abc", 0.0), dict.fromkeys("abc", 0.25)
    for pick, outcome in draws:
        first = max("cba", key=lambda name: variance[name])
        others = [name for name in "cba" if name != first]
        chances = np.cumsum([math.exp(-abs(mu[name] - mu[first])) for name in others])
        second = others[int((chances <= pick * chances[-1]).sum())]
        i, j = "abc".index(first), "abc".index(second)
        met = mine.wins[i, j] + mine.wins[j, i] + mine.ties[i, j]
        won, decided = mine.wins[i, j] / met, (mine.wins[i, j] + mine.wins[j, i]) / met
        result = 1 if outcome < won else -1 if outcome < decided else 0
        before = (mu[first], variance[first], mu[second], variance[second], result)
        after = update(*(np.array([value]) for value in before), beta=0.5 * steps / 40)
        (mu[first],), (variance[first],), (mu[second],), (variance[second],) = after
    skills = trueskill(mine, np.random.default_rng(7), runs=1)
    np.testing.assert_allclose(skills.mu[0], list(mu.values()), rtol=0, atol=1e-12)
    np.testing.assert_allclose(skills.variance[0], list(variance.values()), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_trueskill_is_the_oracle_bit_by_bit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    preferences = rng.integers(0, 3, size=(200, 5)).astype(float)
    preferences[rng.random(preferences.shape) < 0.3] = np.nan
    mine = HeadToHead.of(("d", "b", "e", "a", "c"), preferences)
    for again in (None, HeadToHead.of(mine.systems, preferences[:4], rng.integers(0, 2, size=(9, 4)).astype(float))):
        ours = trueskill(mine, np.random.default_rng(seed), again=again)
        mu, variance = sampled(mine, np.random.default_rng(seed), again=again)
        np.testing.assert_array_equal(ours.mu, mu)
        np.testing.assert_array_equal(ours.variance, variance)


@pytest.mark.parametrize("jobs", [1, 4])
def test_groups_of_runs_in_threads_are_the_oracle_bit_by_bit(jobs: int) -> None:
    """60 runs are more than two groups, and 1,201 steps more than are drawn at once."""
    mine = HeadToHead.of(("a", "b", "c"), np.random.default_rng(3).integers(0, 3, size=(400, 3)).astype(float))
    ours = trueskill(mine, np.random.default_rng(1), runs=60, run=Run(jobs=jobs))
    mu, variance = sampled(mine, np.random.default_rng(1), runs=60)
    np.testing.assert_array_equal(ours.mu, mu)
    np.testing.assert_array_equal(ours.variance, variance)


def test_only_functions_of_one_number_are_called_from_the_kernel() -> None:
    table, absent = np.ones((1, 2, 2)), np.zeros((1, 2), dtype=np.uint8)
    state = _native.TrueSkillRuns(table, table, table, absent, sigma=0.5, beta=1.0, margin=0.1)
    uniforms = np.full((3, 2, 1), 0.5)
    wrong_ones = {math.exp: "must be a ufunc", np.add: "must take a float64", np.isnan: "must take a float64"}
    for wrong, why in wrong_ones.items():
        with pytest.raises(TypeError, match=why):
            state.play(uniforms, exp=wrong, below=np.exp, jobs=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="two uniform numbers for each run"):
        state.play(np.zeros((3, 2, 2)), exp=np.exp, below=np.exp, jobs=1)


def test_trueskill_ignores_the_order_in_which_systems_are_listed() -> None:
    rng = np.random.default_rng(5)
    preferences = rng.integers(0, 3, size=(60, 4)).astype(float)
    names = ("a", "b", "c", "d")
    order = [2, 0, 3, 1]
    mine = trueskill(HeadToHead.of(names, preferences), np.random.default_rng(1), runs=3)
    other = trueskill(
        HeadToHead.of(tuple(names[i] for i in order), preferences[:, order]), np.random.default_rng(1), runs=3
    )
    np.testing.assert_array_equal(other.mu, mine.mu[:, order])
    assert trueskill(HeadToHead.of(names, preferences), np.random.default_rng(1)).mu.shape == (20, 4)


def test_clusters_end_where_all_ranges_part() -> None:
    scores = np.array([0.9, 0.5, 0.4, 0.1])
    resampled = np.array([[0.9, 0.5, 0.4, 0.1], [0.9, 0.4, 0.5, 0.1]] * 50)
    ranked = standings("abcd", scores, resampled)
    assert [standing.ranks for standing in ranked] == [(1, 1), (2, 3), (2, 3), (4, 4)]
    assert [standing.cluster for standing in ranked] == [1, 2, 2, 3]


@pytest.mark.parametrize(
    ("odd", "ranks"),
    [(5, [(1, 1), (2, 2)]), (6, [(1, 2), (1, 2)])],  # 5 of 100 resamples are 5% at either end, 6 are more
)
def test_a_range_of_90_percent_leaves_out_5_of_100_resamples_at_either_end(
    odd: int, ranks: list[tuple[int, int]]
) -> None:
    """(1 − 0.9)/2 · 100 is 4.999…: cut off, it would leave out only four."""
    resampled = np.array([[0.4, 0.6]] * odd + [[0.6, 0.4]] * (100 - odd))
    assert [standing.ranks for standing in standings("ab", np.array([0.6, 0.4]), resampled, level=0.9)] == ranks


def test_systems_that_tie_share_ranks_and_cluster_whatever_their_names() -> None:
    preferences = np.array([[2.0, 2.0, 1.0]] * 10)
    for names, columns in (("abc", [0, 1, 2]), ("cab", [2, 0, 1])):
        mine = HeadToHead.of(tuple(names), preferences[:, columns])
        again = expected_wins(mine.resample(200, np.random.default_rng(1)))
        ranked = {standing.system: standing for standing in standings(mine.systems, expected_wins(mine), again)}
        assert {name: standing.ranks for name, standing in ranked.items()} == {"a": (1, 2), "b": (1, 2), "c": (3, 3)}
        assert {name: standing.cluster for name, standing in ranked.items()} == {"a": 1, "b": 1, "c": 2}


def test_scores_that_differ_by_rounding_alone_tie() -> None:
    scores = np.array([0.1 + 0.2, 0.3, 0.1])
    ranked = standings("abc", scores, np.tile(scores, (20, 1)))
    assert [standing.ranks for standing in ranked] == [(1, 2), (1, 2), (3, 3)]


def test_a_rank_that_both_may_have_parts_no_clusters() -> None:
    """b and c lead in 5 of 100 resamples each, which are left out: a may be second as b may."""
    resampled = np.array([[3.0, 2.0, 1.0]] * 90 + [[2.0, 3.0, 1.0]] * 5 + [[2.0, 1.0, 3.0]] * 5)
    ranked = standings("abc", np.array([0.9, 0.5, 0.4]), resampled, level=0.9)
    assert [(standing.ranks, standing.cluster) for standing in ranked] == [((1, 2), 1), ((2, 2), 1), ((3, 3), 2)]


def test_a_system_without_a_score_cannot_be_ranked() -> None:
    with pytest.raises(InputError, match="a system without a score cannot be ranked"):
        standings("ab", np.array([0.5, np.nan]), np.ones((3, 2)))


def test_one_system_alone_wins_nothing() -> None:
    alone = HeadToHead.of(("a",), np.array([[1.0], [2.0]]))
    assert expected_wins(alone, opponents="all").tolist() == expected_wins(alone, opponents="beaten").tolist() == [0.0]
    assert np.isnan(expected_wins(alone)).all()


def test_equal_scores_are_one_cluster_even_where_the_resamples_part_them() -> None:
    ranked = standings("ab", np.array([0.5, 0.5]), np.array([[0.6, 0.4]] * 3))
    assert [(standing.ranks, standing.cluster) for standing in ranked] == [((1, 1), 1), ((2, 2), 1)]


def test_a_resample_that_judges_nobody_gives_no_skill() -> None:
    head = HeadToHead(("a", "b"), np.array([[0.0, 2.0], [1.0, 0.0]]), np.zeros((2, 2)))
    again = HeadToHead(("a", "b"), np.stack([head.wins, np.zeros((2, 2))]), np.zeros((2, 2, 2)))
    mu = trueskill(head, np.random.default_rng(1), again=again).mu
    assert np.isfinite(mu[0]).all()
    assert np.isnan(mu[1]).all()
