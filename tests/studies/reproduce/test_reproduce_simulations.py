"""The simulations of decisions: their short ways against what the commands compute, and their counts."""

from __future__ import annotations

import numpy as np
import pytest

from gecval import Corpus, Interval, Resampling, metric
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import SERIAL
from gecval.stats import bootstrap_interval, paired_test
from gecval.studies.reproduce import simulated_decisions as decisions_power
from gecval.studies.reproduce import simulated_decisions as decisions_track
from gecval.studies.reproduce import simulations as decisions_coverage
from gecval.studies.reproduce import simulations as decisions_errors
from gecval.studies.reproduce import simulations as population

SIZE = 30
CORPUS = Corpus.from_texts([f"w{i} a b c" for i in range(SIZE)], [[f"w{i} a b d"] for i in range(SIZE)])
OLD = [f"w{i} a b {'d' if i % 3 else 'c'}" for i in range(SIZE)]
NEW = [f"w{i} a b {'d' if i % 2 else 'e e'}" for i in range(SIZE)]


@pytest.mark.parametrize("name", ["gleu", "accuracy", "bleu"])
def test_quick_tests_are_those_of_the_command(name: str) -> None:
    wanted, resampling = metric(name), Resampling(150, seed=3)
    old, new = (Evaluation.of(wanted, CORPUS, CORPUS.system("s", output)) for output in (OLD, NEW))
    drawn = np.random.default_rng(3).integers(SIZE, size=25)
    a, b = old.over(drawn), new.over(drawn)
    real = paired_test(a, b, a.concatenate(b), resampling)
    quick = population.QuickTests(25, resampling)
    rows = a.statistics.rows, b.statistics.rows
    p = quick.p_values(wanted, *rows)
    assert (p.bootstrap, p.randomisation) == (real.bootstrap_p, real.randomisation_p)
    assert p.both == max(real.bootstrap_p, real.randomisation_p)
    assert quick.interval_of_difference(wanted, *rows) == pytest.approx(real.interval)
    assert quick.interval(wanted, rows[0]) == pytest.approx(bootstrap_interval(a, resampling))
    assert bootstrap_interval(population.Difference(a, b), resampling) == pytest.approx(real.interval)


def test_a_share_has_wilsons_interval() -> None:
    figure = population.estimate_share(0, 100)
    assert (figure.ours, figure.interval.low) == (0, 0)
    assert figure.interval.high == pytest.approx(0.036994, abs=1e-6)
    assert population.estimate_share(100, 100).interval.low == pytest.approx(0.963006, abs=1e-6)


def test_outputs_are_dealt_out_sentence_by_sentence() -> None:
    outputs = np.arange(3 * 40).reshape(3, 40, 1).astype(float)
    dealt = np.stack(decisions_errors.deal_outputs(outputs, np.random.default_rng(1)))
    assert dealt.shape == (3, decisions_errors.ERROR_SENTENCES, 1)
    sentences = dealt % 40
    assert (sentences == sentences[0]).all()  # all systems see the same sentences
    assert len(set(sentences[0].ravel().tolist())) > 35  # of all forty
    assert (np.sort(dealt // 40, axis=0) == np.arange(3)[:, None, None]).all()  # each output goes to one of them
    assert all(40 < (dealt[0] // 40 == which).sum() < 95 for which in range(3))


def test_what_an_interval_hits() -> None:
    score, left, right = Interval(0.1, 0.3), Interval(-0.3, -0.2), Interval(0.1, 0.2)
    assert decisions_coverage._hits(score, left, 0.2, -0.1).tolist() == [1, 0, 1, 0]
    assert decisions_coverage._hits(score, right, 0.4, -0.1).tolist() == [0, 0, 0, 1]
    assert decisions_coverage._hits(score, right, 0.1, 0.2).tolist() == [1, 1, 0, 0]


@pytest.fixture
def outputs() -> dict[str, Evaluation]:
    rng = np.random.default_rng(2)
    names = ("AMU", "CAMB", "CUUI", "POST", "RAC", "IPN")
    right = {name: rng.random(200) < 0.3 + 0.1 * number for number, name in enumerate(names)}
    corpus = Corpus.from_texts(["a"] * 200, [["b"]] * 200)
    return {
        name: Evaluation.of(metric("accuracy"), corpus, corpus.system(name, ["b" if r else "a" for r in listed]))
        for name, listed in right.items()
    }


def test_type_one_errors_are_near_what_is_promised(outputs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions_errors, "ERROR_EXPERIMENTS", 150)
    monkeypatch.setattr(decisions_errors, "FAMILIES", 40)
    single = decisions_errors._single(metric("accuracy"), outputs, SERIAL)
    assert list(single) == ["bootstrap", "randomisation", "compare (both)"]
    assert all(figure.ours <= 0.12 for figure in single.values())
    assert single["compare (both)"].ours <= min(single["bootstrap"].ours, single["randomisation"].ours)
    families = decisions_errors._families(metric("accuracy"), outputs, SERIAL)
    assert families["Holm, any of 4"].ours <= families["bh, any of 4"].ours <= 0.2


def test_coverage_is_near_what_is_promised(outputs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions_coverage, "EXPERIMENTS", 60)
    monkeypatch.setattr(decisions_coverage, "FEWER", 15)
    quick = decisions_coverage._quick(metric("accuracy"), outputs, SERIAL)
    assert tuple(quick) == decisions_coverage.COLUMNS
    assert quick["of a score"].ours > 0.85
    assert sum(quick[name].ours for name in decisions_coverage.COLUMNS[1:]) == pytest.approx(1)
    real = decisions_coverage._real(outputs, SERIAL)
    assert real["of a difference"].ours > 0.7


def test_predicted_and_observed_chances(outputs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions_power, "POWER_EXPERIMENTS", 20)
    some = {name: outputs[name] for name in ("AMU", "CAMB", "IPN")}
    pairs = decisions_power._pairs(metric("accuracy"), some, SERIAL)
    assert len(pairs) == 3
    assert max(pair.observed for pair in pairs) == 1.0
    assert all(abs(pair.predicted - pair.observed) < 0.35 for pair in pairs)
    row = decisions_power._row(pairs)
    assert row["pairs"].ours == 3
    assert row["error"].ours == pytest.approx(row["predicted"].ours - row["observed"].ours)
    assert row["furthest"].ours == max(abs(pair.predicted - pair.observed) for pair in pairs)


def test_changes_are_found_and_rarely_made_up(outputs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions_track, "TRACK_EXPERIMENTS", 5)
    monkeypatch.setattr(decisions_track, "COMMITS", 10)
    row = decisions_track._track_row(metric("accuracy"), outputs, SERIAL)
    assert row["false alarm"].ours <= 0.2
    assert row["found"].ours == 1
    assert 1 <= row["commits until found"].ours <= 2
    assert row["true difference"].ours == pytest.approx(
        0.9 * (outputs["IPN"].score() - (outputs["AMU"].score() + outputs["CAMB"].score()) / 2)
    )


def test_tests_of_correlations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions_errors, "ERROR_EXPERIMENTS", 40)
    monkeypatch.setattr(decisions_errors, "SWAPS", 256)
    errors = decisions_errors._correlations(8, SERIAL)
    assert errors["Williams"].ours <= 0.2
    assert errors["permutation"].ours <= 0.25
    assert errors["Fisher, as if independent"].ours <= errors["Williams"].ours
