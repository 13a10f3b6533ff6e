"""Decisions: the short ways of simulations against what the commands compute, and against slow and plain ones."""

from __future__ import annotations

import numpy as np
import pytest

from gecval import Corpus, Edit, Reference, Resampling, metric
from gecval.metrics.base import Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import HERE
from gecval.stats import bootstrap_interval, paired_test
from gecval.stats.contributions import halls_quantile
from gecval.stats.coverage import expected_gains, value_rows
from gecval.stats.noninferiority import interval_of_difference
from gecval.stats.paired_tests import studentised_test
from gecval.studies.reproduce import decisions, simulated_decisions, simulations

ACCURACY = metric("accuracy")


def system(name: str, right: float, total: float, sentences: int = 50) -> Evaluation:
    """A system whose every sentence has the same row."""
    rows = np.tile([right, total], (sentences, 1))
    return Evaluation(ACCURACY, Statistics.one_per_sentence(rows), system=name)


def test_a_change_that_is_never_found_has_no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = {"AMU": system("AMU", 1, 10), "CAMB": system("CAMB", 1, 10), "IPN": system("IPN", 1, 10)}
    monkeypatch.setattr(simulated_decisions, "TRACK_EXPERIMENTS", 2)
    row = simulated_decisions._track_row(ACCURACY, outputs, HERE)  # all are the same
    assert (row["false alarm"].ours, row["found"].ours, row["commits until found"].ours) == (0, 0, None)


def shares_closed(right: np.ndarray, lengths: np.ndarray, seed: int) -> dict[tuple[str, float], float]:
    """Slow and plain: ``right[system, sentence, annotator]`` says whether an output is what an annotator wrote."""
    systems, size, annotators = right.shape
    rng = np.random.default_rng(seed)
    order = rng.permutation(annotators)
    known, hidden = order[:2], order[2:]
    buyers = hidden[rng.integers(len(hidden), size=size)]
    ties = rng.random(size)

    def score(there: list[set[int]]) -> float:
        hits = [any(right[s, i, a] for a in there[i]) for s in range(systems) for i in range(size)]
        return sum(hits) / len(hits)

    at_hand = [set(known) for _ in range(size)]
    least, most = score(at_hand), score([set(range(annotators))] * size)
    rows = np.stack([right[:, :, known], np.ones_like(right[:, :, known])], axis=3).astype(float)
    there = np.ones((size, 2), dtype=bool)
    now = value_rows(rows, there, (np.array([1.0, 0]), np.array([0, 1.0])))
    gains, _ = expected_gains(now, there)
    differ = [sum(right[s, i, known[0]] != right[s, i, known[1]] for s in range(systems)) for i in range(size)]
    keys = {
        "chosen": list(zip(gains, now.best_wrong, strict=True)),
        "random": [(tie,) for tie in ties],
        "longest": list(zip(lengths, ties, strict=True)),
        "disagreement": list(zip(differ, ties, strict=True)),
    }
    closed = {}
    for rule, key in keys.items():
        ranked = sorted(range(size), key=lambda i, key=key: key[i], reverse=True)
        for share, count in ((0.1, size // 10), (0.25, size // 4), (0.5, size // 2), (1.0, size)):
            more = [at_hand[i] | ({buyers[i]} if i in ranked[:count] else set()) for i in range(size)]
            closed[rule, share] = (score(more) - least) / (most - least)
    closed["expected", 1.0] = gains.sum() / (closed["chosen", 1.0] * (most - least))
    return closed


@pytest.mark.parametrize("seed", [0, 3])
def test_the_share_of_the_bias_that_each_rule_closes(seed: int) -> None:
    rng = np.random.default_rng(5)
    right = rng.random((3, 40, 6)) < rng.random((1, 40, 1)) * 0.5
    lengths = rng.permutation(40).astype(float)  # longer sentences come in no order
    rows = np.stack([right, np.ones_like(right)], axis=3).astype(float)
    ratio = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    closed, expected = decisions.one_seed(rows, ratio, lengths, seed)
    oracle = shares_closed(right, lengths, seed)
    assert expected == pytest.approx(oracle.pop(("expected", 1.0)))
    assert closed == pytest.approx(oracle)


LOOKED_AT = Corpus.from_texts([f"w{i} a b c" for i in range(30)], [[f"w{i} a b d"] for i in range(30)])
OLD_OUTPUT = [f"w{i} a b {'d' if i % 3 else 'c'}" for i in range(30)]
NEW_OUTPUT = [f"w{i} a b {'d' if i % 2 else 'e e'}" for i in range(30)]


@pytest.mark.parametrize("name", ["gleu", "accuracy", "bleu"])
def test_a_look_is_what_the_command_computes(name: str) -> None:
    wanted = metric(name)
    old, new = (Evaluation.of(wanted, LOOKED_AT, LOOKED_AT.system("s", output)) for output in (OLD_OUTPUT, NEW_OUTPUT))
    drawn = np.sort(np.random.default_rng(3).integers(30, size=80))
    times, rows = np.bincount(drawn, minlength=30)[None], (old.statistics.rows, new.statistics.rows)
    [difference], [error], [skewness] = simulated_decisions._differences(wanted, *rows, times)
    low, high = interval_of_difference(old.over(drawn), new.over(drawn), 0.95, Resampling())
    for end, tail in ((low, 0.975), (high, 0.025)):
        assert difference - error * float(halls_quantile(tail, skewness, 80)) == pytest.approx(end)


def test_a_careless_annotator_has_edits_of_sentences_that_are_not_longer() -> None:
    sources = [" ".join("t" * length) for length in range(1, 41)]
    edits = [(Edit(length - 1, length, ("x",)),) for length in range(1, 41)]
    corpus = Corpus(sources, [[Reference(edits=listed, annotator=name) for name in "ab"] for listed in edits])
    careless = decisions._careless(corpus, 1)
    moved = [i for i in range(40) if careless.references[i][1].edits != edits[i]]
    assert 10 < len(moved) < 30
    assert all(careless.references[i][1].edits == edits[i - 1] for i in moved)
    assert all(careless.references[i][0].edits == edits[i] for i in range(40))


@pytest.mark.parametrize("name", ["gleu", "accuracy", "bleu"])
def test_quick_tests_are_those_of_the_command(name: str) -> None:
    wanted, resampling = metric(name), Resampling(150, seed=3)
    old, new = (Evaluation.of(wanted, LOOKED_AT, LOOKED_AT.system("s", output)) for output in (OLD_OUTPUT, NEW_OUTPUT))
    drawn = np.random.default_rng(3).integers(30, size=25)
    a, b = old.over(drawn), new.over(drawn)
    real = paired_test(a, b, a.concatenate(b), resampling)
    quick = simulations.QuickTests(25, resampling)
    rows = a.statistics.rows, b.statistics.rows
    p = quick.p_values(wanted, *rows)
    assert (p.bootstrap, p.randomisation) == (real.bootstrap_p, real.randomisation_p)
    assert p.studentised == pytest.approx(studentised_test(a, b, resampling))
    assert quick.interval_of_difference(wanted, *rows) == pytest.approx(real.interval)
    assert quick.interval(wanted, rows[0]) == pytest.approx(bootstrap_interval(a, resampling))
    assert bootstrap_interval(simulations.ScoreDifference(a, b), resampling) == pytest.approx(real.interval)


def test_a_share_has_wilsons_interval() -> None:
    figure = simulations.estimate_share(0, 100)
    assert (figure.ours, figure.interval.low) == (0, 0)
    assert figure.interval.high == pytest.approx(0.036994, abs=1e-6)
    assert simulations.estimate_share(100, 100).interval.low == pytest.approx(0.963006, abs=1e-6)
