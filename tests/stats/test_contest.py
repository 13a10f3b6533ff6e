"""Systems that meet on every sentence: expected wins and TrueSkill, against gec-metrics and an oracle."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, InputError, Resampling, compare, load_corpus, load_systems, score
from gecval.metrics.accuracy import Accuracy
from gecval.metrics.base import Array, Statistics
from gecval.metrics.errant import Errant, count_by_type
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.green import Green
from gecval.runtime.run import Run
from gecval.stats.ranking import duels, expected_wins_from_duels, random_orders, skills
from gecval.studies.compare.deciding import deciding
from gecval.studies.compare.study import compare_all
from gecval.studies.scores.contests import ExpectedWins, evaluate_systems
from oracles.trueskill import one_pass


def test_gec_metrics(golden: Path, data: Path) -> None:
    stored = json.loads((golden / "modern" / "gec-metrics_trueskill.json").read_text())["results"]["green_beta2"]
    corpus = load_corpus(data / "conll14" / "source.txt", [data / "references" / f"NUCLE{a}" for a in "AB"])
    systems = {system.name: system for system in load_systems([data / "conll14" / "systems"], corpus)}
    assert len(stored["order"]) == 13
    scores = np.array([Evaluation.of(Green(), corpus, systems[name]).sentence_scores() for name in stored["order"]]).T
    expected = [stored["expected_wins"][name] for name in stored["order"]]
    assert expected_wins_from_duels(duels(scores).sum(axis=1)) == pytest.approx(expected, abs=1e-9)
    single = [skill.mu for skill in skills(scores, "trueskill-pass")]
    # The library computes Φ by a formula that is good to seven digits only.
    assert single == pytest.approx([stored["trueskill"][name] for name in stored["order"]], abs=3e-8)
    many = skills(scores, "trueskill", orders=40, run=Run(jobs=2))
    assert max(skill.spread for skill in many) > 0.002  # the order of the sentences decides that much


def test_gec_metrics_takes_the_last_bit_for_a_win(golden: Path) -> None:
    """Two F over different counts may be equal on paper and differ by 1e-16. There that is a win, here it is a tie."""
    stored = json.loads((golden / "modern" / "gec-metrics_trueskill.json").read_text())["results"]["errant"]
    corpus, metric = load_corpus(None, [golden / "errant" / "nucle2_ref.m2.gz"]), Errant()
    assert len(stored["order"]) == 13
    scores = np.empty((len(corpus), 13))
    for column, name in zip(scores.T, stored["order"], strict=True):
        hypotheses = load_corpus(None, [golden / "errant" / f"hyp_{name}.m2.gz"])
        matched = metric.match(corpus, [reference.edits or () for [reference] in hypotheses.references])
        counts = [np.sum(list(count_by_type(edits, gold).values()) or [[0, 0, 0]], axis=0)
                  for edits, golds in matched for gold in golds]  # fmt: skip
        statistics = Statistics(np.array(counts, dtype=np.float64), corpus.reference_slots)
        column[:] = Evaluation(metric, statistics).sentence_scores()
    expected = [[stored[what][name] for name in stored["order"]] for what in ("trueskill", "expected_wins")]

    def contests(scores: Array) -> list[list[float]]:
        passed = [skill.mu for skill in skills(scores, "trueskill-pass")]
        return [passed, expected_wins_from_duels(duels(scores).sum(axis=1)).tolist()]

    values, places = np.unique(scores, return_inverse=True)
    by_bits = contests(places.reshape(scores.shape).astype(np.float64))
    assert by_bits[0] == pytest.approx(expected[0], abs=3e-8)
    assert by_bits[1] == pytest.approx(expected[1], abs=1e-9)
    assert (np.diff(values) < 1e-12).sum() == 23  # so many values equal the one below them on paper
    ours = contests(scores)
    assert np.abs(np.subtract(ours, expected)).max(axis=1) == pytest.approx([1.3e-4, 4.1e-4], rel=0.05)


few_scores = st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=3, max_size=3), min_size=1, max_size=12)


@given(few_scores, st.randoms())
def test_against_the_oracle(drawn: list[list[float]], random: object) -> None:
    scores = np.array(drawn)
    assert [skill.mu for skill in skills(scores, "trueskill-pass")] == pytest.approx(one_pass(drawn), abs=1e-9)
    assert all(skill.spread == 0 for skill in skills(scores, "trueskill-pass"))
    rng = np.random.default_rng(7)
    passes = np.array([one_pass(scores[rng.permutation(len(scores))].tolist()) for _ in range(5)])
    mean = skills(scores, "trueskill", orders=5, seed=7, run=Run(jobs=3))
    assert [skill.mu for skill in mean] == pytest.approx(passes.mean(axis=0), abs=1e-9)
    assert [skill.spread for skill in mean] == pytest.approx(passes.std(axis=0), abs=1e-9)


@given(few_scores)
def test_expected_wins_by_counting(drawn: list[list[float]]) -> None:
    expected = []
    for i in range(3):
        shares = []
        for j in range(3):
            wins, losses = sum(s[i] > s[j] for s in drawn), sum(s[i] < s[j] for s in drawn)
            if j != i:
                shares.append(wins / (wins + losses) if wins + losses else 0.5)
        expected.append(sum(shares) / 2)
    totals = duels(np.array(drawn)).sum(axis=1)
    assert expected_wins_from_duels(totals) == pytest.approx(expected)
    assert expected_wins_from_duels(totals[0]) == pytest.approx(expected[0])
    assert expected_wins_from_duels(np.stack([totals, totals[::-1]])) == pytest.approx(
        np.array([expected, expected[::-1]])
    )


CORPUS = Corpus.from_texts([f"a {i}" for i in range(20)], [[f"b {i}"] for i in range(20)])
SYSTEMS = {
    "all": [f"b {i}" for i in range(20)],
    "half": [f"{'b' if i % 2 else 'a'} {i}" for i in range(20)],
    "none": [f"a {i}" for i in range(20)],
}


def test_scores_of_a_contest() -> None:
    wins = score(CORPUS, SYSTEMS, ["accuracy"], aggregate="expected-wins", confidence=Resampling(100))
    assert {result.system: result.score for result in wins} == {"all": 1.0, "half": 0.5, "none": 0.0}
    assert "|aggregate:expected-wins|rivals:" in wins["half", "accuracy"].signature
    fewer = score(CORPUS, {name: SYSTEMS[name] for name in ("all", "half")}, ["accuracy"], aggregate="expected-wins")
    rivals = [r.signature.split("rivals:")[1][:8] for r in (wins["half", "accuracy"], fewer["half", "accuracy"])]
    assert rivals[0] != rivals[1]
    assert wins["half", "accuracy"].interval == (0.5, 0.5)  # it wins and loses whenever there is a difference
    skilled = score(CORPUS, SYSTEMS, ["accuracy"], aggregate="trueskill")
    by_system = {result.system: result for result in skilled}
    assert by_system["all"].score > by_system["half"].score > by_system["none"].score
    assert by_system["half"].parts["spread"] > 0


def test_lower_scores_win_where_they_are_better(tmp_path: Path) -> None:
    for name, value in (("good", 1.0), ("bad", 9.0)):
        (tmp_path / f"{name}.txt").write_text(f"{value}\n" * 20)
    metric = f'from-file(path="{tmp_path}", lower_is_better=True)'
    results = score(CORPUS, {"good": SYSTEMS["all"], "bad": SYSTEMS["none"]}, [metric], aggregate="expected-wins")
    assert [(result.system, result.score, result.higher_is_better) for result in results] == [
        ("good", 1.0, True),
        ("bad", 0.0, True),
    ]


def test_contests_that_cannot_be() -> None:
    with pytest.raises(InputError, match="give two or more"):
        score(CORPUS, {"all": SYSTEMS["all"]}, ["accuracy"], aggregate="expected-wins")
    with pytest.raises(InputError, match="trueskill has no interval"):
        score(CORPUS, SYSTEMS, ["accuracy"], aggregate="trueskill", confidence=Resampling(100))
    with pytest.raises(InputError, match="trueskill has no interval") as refused:
        score(CORPUS, SYSTEMS, ["accuracy"], aggregate="trueskill", clusters=True)
    assert refused.value.parameters == ("aggregate", "clusters")
    with pytest.raises(InputError, match="trueskill-pass has no interval and no test; choose expected-wins"):
        compare_all(CORPUS, SYSTEMS, ["accuracy"], aggregate="trueskill-pass")
    with pytest.raises(InputError, match="aggregate is corpus, mean or expected-wins, not 'median'"):
        compare_all(CORPUS, SYSTEMS, ["accuracy"], aggregate="median")  # type: ignore[arg-type]


def test_tests_of_expected_wins_swap_outputs() -> None:
    """Randomisation by the book: swap the outputs of two systems on some sentences, and let all systems meet anew."""
    rng = np.random.default_rng(3)
    outputs = [[f"{'b' if rng.random() < p else 'a'} {i}" for i in range(20)] for p in (0.7, 0.5, 0.3)]
    corpus_systems = [CORPUS.system(name, texts) for name, texts in zip("xyz", outputs, strict=True)]
    metric, draws = Accuracy(), rng.random((30, 20)) < 0.5
    first, second, third = evaluate_systems(metric, CORPUS, corpus_systems, "expected-wins")
    for a, b, i, j in ((first, third, 0, 2), (second, first, 1, 0)):
        both = a.concatenate(b)
        for swapped in draws:
            mixed = [list(texts) for texts in outputs]
            for sentence in np.flatnonzero(swapped):
                mixed[i][sentence], mixed[j][sentence] = mixed[j][sentence], mixed[i][sentence]
            again = evaluate_systems(metric, CORPUS, [CORPUS.system(n, t) for n, t in zip("xyz", mixed, strict=True)],
                                   "expected-wins")  # fmt: skip
            places = np.arange(20) + 20 * swapped
            assert both.scores_over(places[None])[0] == pytest.approx(again[i].score(), abs=1e-12)


def test_expected_wins_are_a_metric_of_all_systems() -> None:
    """A system alone gives the rows that it has among the others."""
    systems = [CORPUS.system(name, texts) for name, texts in SYSTEMS.items()]
    wins = ExpectedWins(Accuracy(), tuple(systems))
    for system, evaluation in zip(systems, evaluate_systems(Accuracy(), CORPUS, systems, "expected-wins"), strict=True):
        assert (wins.statistics(CORPUS, system).rows == evaluation.statistics.rows).all()
        assert Evaluation.of(wins, CORPUS, system).score() == evaluation.score()
    with pytest.raises(InputError, match="other is none of the systems that meet"):
        wins.statistics(CORPUS, CORPUS.system("other", SYSTEMS["all"]))


def test_expected_wins_are_compared_ranked_and_decided() -> None:
    """Under accuracy "all" beats the others wherever they err, and "half" beats "none" where it is right."""
    wins = {"aggregate": "expected-wins", "confidence": Resampling(500)}
    pairs = compare_all(CORPUS, SYSTEMS, ["accuracy"], **wins)
    assert [(result.system, result.ranks, result.cluster) for result in pairs.scores] == [
        ("all", (1, 1), 1),
        ("half", (2, 2), 2),
        ("none", (3, 3), 3),
    ]
    [_, half] = compare(CORPUS, CORPUS.system("all", SYSTEMS["all"]),
                        {"none": SYSTEMS["none"], "half": SYSTEMS["half"]}, ["accuracy"], **wins)  # fmt: skip
    assert (half.difference, half.metric, half.significant) == (-0.5, "accuracy", True)
    assert half.signature == pairs[0].signature
    assert "accuracy|aggregate:expected-wins|rivals:" in half.signature
    clustered = score(CORPUS, SYSTEMS, ["accuracy"], clusters=True, sentences=True, **wins)
    assert [result.cluster for result in clustered] == [1, 2, 3]
    assert clustered["half", "accuracy"].sentences == pytest.approx([i % 2 for i in range(20)])
    [pair] = deciding(CORPUS, CORPUS.system("all", SYSTEMS["all"]), {"half": SYSTEMS["half"]}, ["accuracy"], **wins)
    # All ten sentences on which they differ must go before neither wins.
    assert (pair.count, pair.difference_without) == (10, 0.0)
    assert all(sentence.score == (sentence.sentence - 1) % 2 for sentence in pair.influential)  # accuracy's own


def test_trueskill_takes_100_orders_unless_told_otherwise() -> None:
    scores = np.random.default_rng(3).integers(0, 3, (12, 3)).astype(float)
    assert skills(scores, "trueskill") == skills(scores, "trueskill", orders=100, seed=1)
    assert skills(scores, "trueskill") != skills(scores, "trueskill", orders=101)
    assert (random_orders(9, 4) == random_orders(9, 4, seed=1)).all()
    assert (random_orders(9, 4) != random_orders(9, 4, seed=2)).any()


@pytest.mark.parametrize(("difference", "decides"), [(2e-13, False), (3e-12, True)])
def test_scores_that_differ_by_rounding_alone_are_drawn(difference: float, decides: bool) -> None:
    first, second = skills(np.array([[0.5, 0.5 + difference]]), "trueskill-pass")
    assert (first.mu < second.mu) == decides
    assert (first.mu == second.mu) != decides
