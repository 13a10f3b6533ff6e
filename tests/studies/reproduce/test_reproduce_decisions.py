"""The tables of decisions, with experiments whose outcome is known: what is counted, over what, and in which row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace

import numpy as np
import pytest

from gecval import Corpus, Edit, Interval, Reference, Resampling, metric
from gecval.metrics.base import Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import HERE, Run
from gecval.stats.coverage import expected_gains, valued
from gecval.stats.deciding import influences
from gecval.stats.noninferiority import level_at, normal_interval
from gecval.stats.power import carriers
from gecval.stats.resampling import percentile_interval
from gecval.studies.reproduce import decisions, simulated_decisions, simulations
from gecval.studies.reproduce.conll14 import load_two_references
from gecval.studies.reproduce.result import Figure
from gecval.studies.reproduce.simulated_decisions import Pair
from gecval.studies.reproduce.simulations import PValues
from gecval.studies.true_precision.calibration import HeldOut, Trial, calibrate, held_out, system_interval

ACCURACY = metric("accuracy")


def system(name: str, right: float, total: float, sentences: int = 50) -> Evaluation:
    """A system whose every sentence has the same row."""
    rows = np.tile([right, total], (sentences, 1))
    return Evaluation(ACCURACY, Statistics.one_per_sentence(rows), system=name)


def test_parts_have_the_names_of_their_modules() -> None:
    names = ["agreement", "looks", "power", "coverage", "errors", "track", "true precision", "buying"]
    assert list(decisions.parts()) == names
    assert decisions.parts()["true precision"] is decisions.true_precision_tables


# Type-I errors


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests whose p-values go round: at 0.05 nothing is significant."""
    listed = cycle([PValues(0.01, 0.05), PValues(0.05, 0.01), PValues(0.02, 0.04), PValues(0.9, 0.9)])
    monkeypatch.setattr(simulations.QuickTests, "p_values", lambda *_: next(listed))
    monkeypatch.setattr(simulations, "ERROR_EXPERIMENTS", 8)
    monkeypatch.setattr(simulations, "FAMILIES", 4)


@pytest.mark.usefixtures("scripted")
def test_single_tests_below_alpha_are_counted() -> None:
    outputs = {name: system(name, 1, 2) for name in simulations.FAMILY}
    single = simulations._single(ACCURACY, outputs, HERE)
    assert {name: figure.ours for name, figure in single.items()} == {
        "bootstrap": 0.5,
        "randomisation": 0.5,
        "compare (both)": 0.25,
    }


def test_families_are_corrected_before_they_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four p-values the smallest times four for Holm; for bh the largest as it is, if that is smaller."""
    families = [[0.02, 0.03, 0.03, 0.04], [0.0125, 0.9, 0.9, 0.9], [0.012, 0.9, 0.9, 0.9], [0.05] * 4]
    listed = iter([PValues(p, 0.0) for family in families for p in family])
    monkeypatch.setattr(simulations.QuickTests, "p_values", lambda *_: next(listed))
    monkeypatch.setattr(simulations, "FAMILIES", 4)
    outputs = {name: system(name, 1, 2) for name in simulations.FAMILY}
    made = simulations._families(ACCURACY, outputs, HERE)
    assert {name: figure.ours for name, figure in made.items()} == {"Holm, any of 4": 0.25, "bh, any of 4": 0.5}


def test_metrics_agree_with_people_and_with_each_other_as_said(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    p_values = iter([0.05, 0.04, 0.04, 0.04])
    monkeypatch.setattr(simulations, "ERROR_EXPERIMENTS", 4)
    monkeypatch.setattr(simulations, "williams_test", lambda *columns: seen.append(columns) or next(p_values))
    monkeypatch.setattr(simulations, "permutation_test", lambda *columns, resamples: 0.05)
    correlations = []
    monkeypatch.setattr(simulations, "fisher_test", lambda *given: correlations.append(given) or 0.01)
    errors = simulations._correlations(5000, HERE)
    assert {name: figure.ours for name, figure in errors.items()} == {
        "Williams": 0.75,
        "permutation": 0.0,
        "Fisher, as if independent": 1.0,
    }
    for columns, given in zip(seen, correlations, strict=True):
        human, a, b = columns
        assert np.std(columns, axis=1) == pytest.approx([1, 1, 1], abs=0.05)
        r = [np.corrcoef(*pair)[0, 1] for pair in ((human, a), (human, b), (a, b))]
        assert r == pytest.approx([0.7, 0.7, 0.8], abs=0.04)
        assert given == (pytest.approx(r[0]), pytest.approx(r[1]), 5000)


def test_many_systems_are_swapped_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    resamples: list[int] = []
    monkeypatch.setattr(simulations, "ERROR_EXPERIMENTS", 1)
    monkeypatch.setattr(simulations, "permutation_test", lambda human, a, b, *, resamples: seen(human, a, b, resamples))

    def seen(human: np.ndarray, a: np.ndarray, b: np.ndarray, swaps: int) -> float:
        assert np.corrcoef(a, b)[0, 1] > np.corrcoef(human, b)[0, 1]  # so it is by chance here: metrics are more alike
        resamples.append(swaps)
        return 1.0

    for systems in (19, 20, 48):
        simulations._correlations(systems, HERE)
    assert resamples == [4096, 1024, 1024]


# Intervals


def test_populations_with_one_annotator_and_with_two(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def populations(corpus: object = None, **_: object) -> Iterator[tuple[object, str]]:
        asked.append(corpus)
        yield from ((metric(name), f"{corpus} {name}") for name in ("m2", "gleu"))

    monkeypatch.setattr(simulations, "score_populations", populations)
    monkeypatch.setattr(simulations, "load_two_references", lambda: "two")
    monkeypatch.setattr(simulations, "_quick", lambda wanted, outputs, progress: f"quick: {outputs}")
    monkeypatch.setattr(simulations, "_real", lambda outputs, progress: f"real: {outputs}")
    [table] = simulations.interval_tables()
    assert asked == [None, "two"]
    assert table.rows == {
        "m2, one annotator": "quick: None m2",
        "gleu, one annotator": "quick: None gleu",
        "m2, two annotators": "real: two m2",
    }
    assert table.notes[1].endswith("promised: 0.025 each")


def test_the_systems_whose_intervals_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every sentence of CAMB scores 0.25 and of AMU 0.75: no sample has another score, and all intervals are points."""
    monkeypatch.setattr(simulations, "EXPERIMENTS", 2)
    monkeypatch.setattr(simulations, "FEWER", 2)
    outputs = {"CAMB": system("CAMB", 1, 4), "AMU": system("AMU", 3, 4)}
    seen: list[tuple[Interval, Interval, float, float]] = []
    hits = np.array([1.0, 1.0, 0.0, 1.0])
    monkeypatch.setattr(simulations, "_hits", lambda *given: seen.append(given) or hits)
    for made in (simulations._quick(ACCURACY, outputs, HERE), simulations._real(outputs, HERE)):
        assert [figure.ours for figure in made.values()] == [1, 1, 0, 1]
    assert seen == [((0.25, 0.25), (0.5, 0.5), 0.25, 0.5)] * 4


# Power


def test_pairs_are_grouped_by_predicted_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    def pair(predicted: float, observed: float, carried: float = 10.0) -> Pair:
        return Pair(predicted=predicted, from_half=predicted + 0.1, observed=observed, carriers=carried)

    pairs = [pair(0.0, 0.1), pair(0.09, 0.0), pair(0.1, 0.2), pair(1.0, 0.7), pair(0.3, 0.3, 9.99)]
    monkeypatch.setattr(simulated_decisions, "score_populations", lambda **_: [(ACCURACY, {})])
    monkeypatch.setattr(simulated_decisions, "_pairs", lambda *_: pairs)
    [table] = simulated_decisions.power_tables()
    assert {name: row["pairs"].ours for name, row in table.rows.items()} == {
        "accuracy, 0% to 10%": 2,
        "accuracy, 10% to 25%": 1,
        "accuracy, 75% to 100%": 1,
        "accuracy, all of these": 4,
        "accuracy, few carriers": 1,
    }
    row = [figure.ours for figure in table.rows["accuracy, 0% to 10%"].values()]
    assert row == pytest.approx([2, 0.045, 0.145, 0.05, -0.005, 0.095, 0.1])
    assert tuple(table.rows["accuracy, 0% to 10%"]) == table.columns
    assert table.rows["accuracy, 75% to 100%"]["furthest"].ours == pytest.approx(0.3)
    assert isinstance(table.rows["accuracy, all of these"]["pairs"].ours, int)


def test_predictions_come_from_all_sentences_or_from_half_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    outputs = {
        name: Evaluation(ACCURACY, Statistics.one_per_sentence(np.column_stack([rng.random(61), np.ones(61)])))
        for name in ("AMU", "CAMB")
    }
    asked: list[np.ndarray] = []

    def simulated(pairs: list[tuple[Evaluation, Evaluation]], sizes: list[int], **how: int) -> SimpleNamespace:
        assert (sizes, how) == ([200], {"simulations": 2000, "seed": 1})
        [(a, b)] = pairs
        asked.append(np.hstack([a.statistics.rows[:, :1], b.statistics.rows[:, :1]]))
        number = len(asked)
        return SimpleNamespace(
            difference=b.score() - a.score(), chance=lambda difference, size: number + difference + size
        )

    p_values = iter([PValues(0.05, 0.01), PValues(0.04, 0.04), PValues(0.01, 0.02), PValues(0.9, 0.0)])
    monkeypatch.setattr(simulated_decisions, "simulated", simulated)
    monkeypatch.setattr(simulated_decisions, "POWER_EXPERIMENTS", 4)
    monkeypatch.setattr(simulations.QuickTests, "p_values", lambda *_: next(p_values))
    [pair] = simulated_decisions._pairs(ACCURACY, outputs, HERE)
    true = outputs["CAMB"].score() - outputs["AMU"].score()
    assert (pair.predicted, pair.from_half) == (pytest.approx(201 + true), pytest.approx(202 + true))
    assert pair.observed == 0.5
    held = carriers(influences(outputs["AMU"], outputs["CAMB"]))
    assert pair.carriers == pytest.approx(held * 200 / 61)
    whole, half = (list(map(tuple, rows)) for rows in asked)
    assert (len(whole), len(half), len(set(half))) == (61, 30, 30)
    assert [row for row in whole if row in set(half)] == half  # in their order


# Histories


def test_where_a_change_is_marked_and_how_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten commits; from the sixth on, nine of ten outputs are IPN's. A mark before the sixth commit finds nothing."""
    outputs = {"AMU": system("AMU", 1, 10), "CAMB": system("CAMB", 0, 20), "IPN": system("IPN", 0, 5)}
    marks = iter([(3,), (4, 7, 8), (), (5,), (), (4,)])  # without a change and with one, in three histories
    histories: list[list[np.ndarray]] = []

    def steps(commits: list[Evaluation], names: list[str], level: float) -> list[SimpleNamespace]:
        assert (names, level) == ([str(number) for number in range(10)], 0.95)
        histories.append([commit.statistics.rows for commit in commits])
        marked = next(marks)
        return [SimpleNamespace(changed=number in marked) for number in range(10)]

    monkeypatch.setattr(simulated_decisions, "COMMITS", 10)
    monkeypatch.setattr(simulated_decisions, "TRACK_EXPERIMENTS", 3)
    monkeypatch.setattr(simulated_decisions, "steps", steps)
    row = simulated_decisions._track_row(ACCURACY, outputs, HERE)
    assert row["false alarm"].ours == pytest.approx(1 / 3)
    assert row["found"].ours == pytest.approx(2 / 3)
    assert row["commits until found"].ours == 2  # the third commit after it, and at once
    assert row["true difference"].ours == pytest.approx(0.9 * (0 - (0.1 + 0) / 2))
    for same, changed in zip(histories[::2], histories[1::2], strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(same[:5], changed[:5], strict=True))
        for rows in same:
            assert {(1, 10), (0, 20)} == set(map(tuple, rows.tolist()))
            assert (rows[:, 0] == 1).mean() == pytest.approx(0.5, abs=0.1)
        for rows, before in zip(changed[5:], same[5:], strict=True):
            others = rows[:, 1] == 5
            assert others.mean() == pytest.approx(0.9, abs=0.05)
            assert np.array_equal(rows[~others], before[~others])


def test_a_change_that_is_never_found_has_no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = {"AMU": system("AMU", 1, 10), "CAMB": system("CAMB", 1, 10), "IPN": system("IPN", 1, 10)}
    monkeypatch.setattr(simulated_decisions, "TRACK_EXPERIMENTS", 2)
    row = simulated_decisions._track_row(ACCURACY, outputs, HERE)  # all are the same
    assert (row["false alarm"].ours, row["found"].ours, row["commits until found"].ours) == (0, 0, None)


# Looks


def test_alarms_at_the_first_look_at_any_and_at_their_own_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """new − old is truly 0.25 − 0.5; a look raises an alarm if it sees much less, in standard errors of 0.1."""
    monkeypatch.setattr(simulated_decisions, "LOOKS", 3)
    old, new = np.tile([2.0, 4.0], (8, 1)), np.tile([1.0, 4.0], (8, 1))
    own = [NormalDist().inv_cdf((1 + level_at(look, 0.95)) / 2) for look in (1, 2, 3)]
    assert own == pytest.approx([2.2414, 2.6383, 2.8653], abs=1e-4)

    def alarms(*distances: float) -> list[float]:
        made = -0.25 - 0.1 * np.array(distances), np.full(3, 0.1)
        monkeypatch.setattr(simulated_decisions, "_differences", lambda *given: made)
        return simulated_decisions._alarms(ACCURACY, old, new, np.ones((3, 8), dtype=np.int64)).tolist()

    assert alarms(1.95, 0, 0) == [0, 0, 0]
    assert alarms(1.97, 0, 0) == [1, 1, 0]
    assert alarms(-9, 1.97, -9) == [0, 1, 0]
    assert alarms(own[0] + 0.01, 0, 0) == [1, 1, 1]
    assert alarms(0, own[1] - 0.01, own[2] - 0.01) == [0, 1, 0]
    assert alarms(0, 0, own[2] + 0.01) == [0, 1, 1]


def test_the_table_of_looks(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """AMU is the new system and CAMB the old one, and each way to draw begins with the same seed."""
    monkeypatch.setattr(simulated_decisions, "METRICS", ("accuracy",))
    monkeypatch.setattr(simulated_decisions, "EXPERIMENTS", 3)
    monkeypatch.setenv("GECVAL_DATA", str(data))
    seen: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    listed = cycle([np.array([1.0, 1, 0]), np.array([0.0, 1, 0]), np.array([0.0, 1, 1])])
    monkeypatch.setattr(simulated_decisions, "_alarms", lambda _, *given: seen.append(given) or next(listed))
    [table] = simulated_decisions.look_tables()
    assert list(table.rows) == ["accuracy, drawn anew", "accuracy, growing"]
    for row in table.rows.values():
        assert [figure.ours for figure in row.values()] == pytest.approx([1 / 3, 1, 1 / 3])
        assert tuple(row) == table.columns
    population = dict(next(iter(_population(monkeypatch)))[1])
    for number, (old, new, times) in enumerate(seen):
        assert np.array_equal(new, population["AMU"].statistics.rows)
        assert np.array_equal(old, population["CAMB"].statistics.rows)
        assert set(times.sum(axis=1).tolist()) == ({500} if number < 3 else set(range(200, 1200, 10)))
    assert np.array_equal(seen[0][2], simulated_decisions._draw_again(np.random.default_rng(1), 1312))
    assert np.array_equal(seen[3][2], simulated_decisions._draw_growing(np.random.default_rng(1), 1312))


def _population(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[object, dict[str, Evaluation]]]:
    monkeypatch.setattr(simulations, "METRICS", ("accuracy",))
    return simulations.score_populations()


def test_the_population_has_thirteen_systems_and_one_annotator(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_DATA", str(data))
    [(wanted, outputs)] = _population(monkeypatch)
    assert (repr(wanted), len(outputs), list(outputs)[:3]) == ("accuracy", 13, ["AMU", "CAMB", "CUUI"])
    assert {len(output.statistics.rows) for output in outputs.values()} == {1312}
    [(_, two)] = simulations.score_populations(load_two_references())
    assert len(two["AMU"].statistics.rows) == 2400  # some sentences have one annotator in the file


# Annotators


def test_careless_annotators_are_planted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def row(name: str, distance: float, outlier: bool | None) -> SimpleNamespace:
        return SimpleNamespace(
            annotator=name, f=0.5, f_interval=None, kappa=0.25, kappa_interval=None, distance=distance,
            distance_interval=Interval(0, 1), outlier=outlier,
        )  # fmt: skip

    class Agreed(list):
        overall = SimpleNamespace(f=0.75, f_interval=None, kappa=0.125, kappa_interval=Interval(0, 0.5))

        @property
        def outliers(self) -> list[str]:
            return [row.annotator for row in self if row.outlier]

    resamples: list[object] = []

    def agreement(corpus: object, *, resampling: Resampling | None = None) -> Agreed:
        resamples.append(resampling)
        if corpus == "real":
            return Agreed([row("x", 0.1, None), row("y", 0.2, True), row("z", 0.3, False)])
        return Agreed(row(name, k + 10 * corpus, k == corpus or k == 1 or corpus == 2) for k, name in enumerate("xyz"))

    monkeypatch.setattr(decisions, "load_ten_references", lambda: "real")
    monkeypatch.setattr(decisions, "_careless", lambda corpus, annotator: annotator)
    monkeypatch.setattr(decisions, "agreement", agreement)
    [table] = decisions.agreement_tables()
    assert resamples == [None, *[Resampling(200)] * 3]
    ours = {label: {name: figure.ours for name, figure in cells.items()} for label, cells in table.rows.items()}
    both = {"F": 0.5, "κ": 0.25}
    assert ours == {
        "annotator x": {**both, "distance": 0.1, "outlier": 0, "careless": 0, "found": 1, "others found": 0},
        "annotator y": {**both, "distance": 0.2, "outlier": 1, "careless": 11, "found": 1, "others found": 0},
        "annotator z": {**both, "distance": 0.3, "outlier": 0, "careless": 22, "found": 1, "others found": 1},
        "all": {"F": 0.75, "κ": 0.125},
    }


# References to buy


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
    now = valued(rows, there, (np.array([1.0, 0]), np.array([0, 1.0])))
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


def test_the_table_of_references_to_buy(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    sources = [" ".join("s" * int(length)) for length in rng.integers(1, 9, size=40)]
    texts = rng.choice(list("abcd"), size=(40, 5)).tolist()
    corpus = Corpus.from_texts(sources, texts)
    outputs = [corpus.system(name, rng.choice(list("abcd"), size=40).tolist()) for name in ("one", "two")]
    monkeypatch.setattr(decisions, "METRICS", ("accuracy",))
    monkeypatch.setattr(decisions, "SEEDS", 3)
    monkeypatch.setattr(decisions, "load_ten_references", lambda: corpus)
    source = corpus.system("INPUT", sources)  # no system
    monkeypatch.setattr(decisions, "load_participants", lambda corpus: [outputs[0], source, outputs[1]])
    [table] = decisions.buying_tables()
    right = np.array([[[output.hypotheses[i] == text for text in texts[i]] for i in range(40)] for output in outputs])
    lengths = np.array([len(source.split()) for source in corpus.sources], dtype=float)
    rows = np.stack([right, np.ones_like(right)], axis=3).astype(float)
    ratio = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    made = [decisions.one_seed(rows, ratio, lengths, seed) for seed in range(3)]

    def mean(rule: str, share: float) -> list[float]:
        return [closed[rule, share] for closed, _ in made]

    for rule in ("chosen", "random", "longest", "disagreement"):
        cells = table.rows[f"accuracy, {rule}"]
        for share, column in ((0.1, "10%"), (0.25, "25%"), (0.5, "50%")):
            assert cells[column].ours == pytest.approx(np.mean(mean(rule, share)))
            assert cells[column].interval == pytest.approx(percentile_interval(np.array(mean(rule, share)), 0.95))
    gained = table.rows["accuracy, chosen − random"]["50%"].ours
    assert gained == pytest.approx(np.mean(mean("chosen", 0.5)) - np.mean(mean("random", 0.5)))
    everything = table.rows["accuracy, all sentences"]
    assert everything["100%"].ours == pytest.approx(np.mean(mean("chosen", 1.0)))
    assert everything["expected/real"].ours == pytest.approx(np.mean([expected for _, expected in made]))


# True precision


TYPES = ["NOUN", "VERB"]


def judged_trials() -> list[Trial]:
    """Edits of three systems, in trials with two, five and ten references; nine edits only are of verbs."""
    rng = np.random.default_rng(6)
    made = []
    for references in (2, 5, 5, 10, 7):
        size = 60
        kind = np.array([0] * (size - 9) + [1] * 9)
        covered = np.array([0.6, 0.8])[kind]
        label = (rng.random(size) < 0.6).astype(float)
        made.append(
            Trial(references, np.arange(size) % 3, np.arange(size), kind, label, covered, np.full(size, 0.4), 0.5)
        )
    return made


def test_predictions_are_averaged_over_trials_with_as_many_references() -> None:
    made = judged_trials()
    held = held_out(made, TYPES, "sentence")
    table = decisions._models({"sentences": held}, 0.25)
    for model in ("constant", "calibrated"):
        cells = table.rows[f"{model}, sentences held out"]
        assert tuple(cells) == table.columns
        assert cells["log loss, M=5"].ours == pytest.approx((held[1].log_loss(model) + held[2].log_loss(model)) / 2)
        assert cells["ranking, M=5"].ours == pytest.approx((held[1].ranking(model) + held[2].ranking(model)) / 2)
        assert cells["log loss, M=10"].ours == pytest.approx(held[3].log_loss(model))
    assert table.notes[1].endswith("differs from that of today by 0.250000 at most")


def test_each_system_is_predicted_without_its_own_judgments() -> None:
    made = judged_trials()
    table = decisions._systems(made, ["A", "B", "C"], TYPES)
    errors, inside = [], []
    for s, name in enumerate("ABC"):
        fitted = calibrate([trial.take(trial.system != s) for trial in made], TYPES)
        of_system = made[2].take(made[2].system == s)  # the last trial with five references
        predicted, interval = system_interval(of_system, fitted, TYPES, level=0.95)
        cells = table.rows[name]
        assert cells["edits, M=5"].ours == 20
        assert cells["judged, M=5"].ours == pytest.approx(of_system.label.mean())
        assert cells["predicted, M=5"] == Figure(ours=predicted, interval=interval)
        errors.append(abs(predicted - of_system.label.mean()))
        inside.append(interval.low <= of_system.label.mean() <= interval.high)
    assert table.rows["mean error"]["predicted, M=5"].ours == pytest.approx(np.mean(errors))
    assert table.rows["in the interval"]["predicted, M=5"].ours == pytest.approx(np.mean(inside))


@pytest.mark.parametrize(("verbs", "rows"), [(9, ["NOUN"]), (10, ["NOUN", "VERB"]), (40, ["VERB", "NOUN"])])
def test_types_with_ten_edits_or_more_the_most_frequent_first(verbs: int, rows: list[str]) -> None:
    kind = np.array([0] * 20 + [1] * verbs)
    number = np.arange(len(kind))
    label = (number % 4 == 0).astype(float)
    trial = Trial(10, number % 2, number, kind, label, np.full(len(kind), 0.5), np.full(len(kind), 0.5), 0.5)
    predicted = {"coverage": number / 100, "calibrated": number / 50}
    table = decisions._types(HeldOut(trial, predicted), TYPES)
    assert list(table.rows) == rows
    nouns = {name: figure.ours for name, figure in table.rows["NOUN"].items()}
    assert nouns == pytest.approx({"edits": 20, "judged": 0.25, "coverage alone": 0.095, "calibrated": 0.19})


def test_what_the_tables_of_true_precision_are_made_from(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus.from_texts(["a", "b", "c"], [["x"], ["y"], ["z"]])
    said = [SimpleNamespace(systems=("B", "INPUT")), SimpleNamespace(systems=("REF-F", "A", "REF-M"))]
    monkeypatch.setattr(decisions, "dataset_file", lambda dataset, file: f"{dataset}/{file}")
    monkeypatch.setattr(decisions, "extractor", lambda name: name)
    monkeypatch.setattr(decisions, "load_ten_references", lambda: corpus)

    def read_judged_edits(*given: object) -> list[SimpleNamespace]:
        assert given == ("seeda-edits/edits.jsonl", corpus.sources)
        return said

    monkeypatch.setattr(decisions, "read_judged_edits", read_judged_edits)

    def judged_outputs(*given: object, without: tuple[str, ...], run: Run) -> tuple[list[str], str, list[int]]:
        assert given == (said, corpus.sources, "errant")
        assert without == ("INPUT", "REF-F", "REF-M")
        return ["outputs"], "labels", [2, 0]

    monkeypatch.setattr(decisions, "judged_outputs", judged_outputs)
    monkeypatch.setattr(decisions, "gold_edits", lambda corpus, finder, **_: ["of a", "of b", "of c"])
    monkeypatch.setattr(decisions, "types_of", lambda edits: ["types", *edits])
    types = ["types", "outputs", "of c", "of a"]
    made = {(("outputs",), ("of c", "of a"), "labels", tuple(types)): ["trial"]}
    monkeypatch.setattr(decisions, "trials", lambda a, b, c, d: made[tuple(a), tuple(b), c, tuple(d)])
    monkeypatch.setattr(
        decisions, "held_out", lambda trials, types, by: [f"{trials} {by} 1", f"{trials} {by} 2", f"last {by}"]
    )
    calibrated = {("trial",): SimpleNamespace(coefficients=np.array([1.0, 2.0, 3.0]))}
    monkeypatch.setattr(decisions, "calibrate", lambda trials, types: calibrated[tuple(trials)])
    shipped = SimpleNamespace(coefficients=np.array([1.0, 2.5, 2.875]))
    monkeypatch.setattr(decisions, "shipped_calibration", lambda: shipped)
    for name in ("_models", "_systems", "_types"):
        monkeypatch.setattr(decisions, name, lambda *given: given)
    models, systems, of_types = decisions.true_precision_tables()
    ways = {by: [f"['trial'] {one} 1", f"['trial'] {one} 2", f"last {one}"]
            for by, one in (("sentences", "sentence"), ("systems", "system"))}  # fmt: skip
    assert models == (ways, 0.5)
    assert systems == (["trial"], ["A", "B"], types)
    assert of_types == ("last sentence", types)


# The short ways of simulations against the long ones


LOOKED_AT = Corpus.from_texts([f"w{i} a b c" for i in range(30)], [[f"w{i} a b d"] for i in range(30)])
OLD_OUTPUT = [f"w{i} a b {'d' if i % 3 else 'c'}" for i in range(30)]
NEW_OUTPUT = [f"w{i} a b {'d' if i % 2 else 'e e'}" for i in range(30)]


@pytest.mark.parametrize("name", ["gleu", "accuracy", "bleu"])
def test_a_look_is_what_the_command_computes(name: str) -> None:
    wanted = metric(name)
    old, new = (Evaluation.of(wanted, LOOKED_AT, LOOKED_AT.system("s", output)) for output in (OLD_OUTPUT, NEW_OUTPUT))
    drawn = np.sort(np.random.default_rng(3).integers(30, size=40))
    times = np.bincount(drawn, minlength=30)[None]
    [difference], [error] = simulated_decisions._differences(wanted, old.statistics.rows, new.statistics.rows, times)
    low, high = normal_interval(old.over(drawn), new.over(drawn), 0.95)
    assert difference == pytest.approx((low + high) / 2)
    assert 1.959963985 * error == pytest.approx((high - low) / 2)


def test_looks_see_as_many_sentences_as_they_say() -> None:
    rng = np.random.default_rng(1)
    assert set(simulated_decisions._draw_again(rng, 50).sum(axis=1)) == {500}
    growing = simulated_decisions._draw_growing(rng, 50)
    assert growing.sum(axis=1).tolist() == [200 + 10 * k for k in range(100)]
    assert (np.diff(growing, axis=0) >= 0).all()


def test_a_careless_annotator_has_edits_of_sentences_that_are_not_longer() -> None:
    sources = [" ".join("t" * length) for length in range(1, 41)]
    edits = [(Edit(length - 1, length, ("x",)),) for length in range(1, 41)]
    corpus = Corpus(sources, [[Reference(edits=listed, annotator=name) for name in "ab"] for listed in edits])
    careless = decisions._careless(corpus, 1)
    moved = [i for i in range(40) if careless.references[i][1].edits != edits[i]]
    assert 10 < len(moved) < 30
    assert all(careless.references[i][1].edits == edits[i - 1] for i in moved)
    assert all(careless.references[i][0].edits == edits[i] for i in range(40))
