"""Metrics against people: accuracy by hand, names and order that must not matter, and the published SEEDA scores."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gecval import Corpus, InputError, System, load_corpus, load_systems, metric
from gecval.formats.judgments import Judgment, Judgments, Placement, read_judgments
from gecval.metrics import FunctionMetric
from gecval.studies.human.ranking import Ranker, rank
from gecval.studies.human.run import HumanOptions, human
from gecval.studies.human.sentences import TIE_POLICIES, sentence_accuracy
from gecval.studies.human.system_scores import AGGREGATIONS, Evaluations, judged_systems

LENGTH = FunctionMetric(lambda source, hypothesis, references: float(len(hypothesis)), "length")
FAST = Ranker(methods=("expected-wins",), resamples=50)

RANKS = st.lists(st.lists(st.integers(1, 3), min_size=4, max_size=4), min_size=1, max_size=5)
TEXTS = st.lists(st.lists(st.sampled_from(["x", "xx", "xxx"]), min_size=4, max_size=4), min_size=5, max_size=5)


def study_of(ranks: list[list[int]], texts: list[list[str]], names: str) -> tuple[Judgments, Corpus, list[System]]:
    """Item *i* ranks four systems on sentence *i*; texts[sentence][system]."""
    items = tuple(
        Judgment(i, "anna", tuple(Placement((name,), rank) for name, rank in zip(names, row, strict=True)))
        for i, row in enumerate(ranks)
    )
    corpus = Corpus.from_texts(["source"] * len(texts))
    systems = [corpus.system(name, [row[s] for row in texts]) for s, name in enumerate(names)]
    return Judgments("mine", items, first=0), corpus, systems


def accuracy(ranks: list[list[int]], texts: list[list[str]], names: str, policy: str) -> object:
    judgments, corpus, systems = study_of(ranks, texts, names)
    placed, judged = judged_systems(judgments, corpus, systems)
    return sentence_accuracy(placed, Evaluations.of(LENGTH, corpus, judged), ties=policy, resamples=10)


@given(RANKS, TEXTS, st.permutations("abcd"))
@settings(max_examples=40)
def test_accuracy_counts_pairs_and_ignores_names_and_order(
    ranks: list[list[int]], texts: list[list[str]], renamed: list[str]
) -> None:
    agree = disagree = ties = 0
    for row, outputs in zip(ranks, texts, strict=False):
        for a, b in combinations(range(4), 2):
            people, mine = row[b] - row[a], len(outputs[a]) - len(outputs[b])
            if people:
                agree += people * mine > 0
                disagree += people * mine < 0
                ties += mine == 0
    for policy in TIE_POLICIES:
        found = accuracy(ranks, texts, "abcd", policy)
        assert (found.agree, found.disagree, found.ties) == (agree, disagree, ties)
        judged = agree + disagree + (0 if policy == "skip" else ties)
        if judged:
            right = agree + (ties / 2 if policy == "half" else 0)
            assert found.accuracy == pytest.approx(right / judged)
            assert found.tau == pytest.approx(2 * right / judged - 1)
        assert repr(accuracy(ranks, texts, "".join(renamed), policy)) == repr(found)  # NaN is not itself


def test_repeated_judgments_count_each_time() -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 3]], [["xxx", "xx", "x", "x"]], "abcd")
    twice = Judgments("mine", judgments.items * 2, first=0)
    evaluations = Evaluations.of(LENGTH, corpus, systems)
    assert sentence_accuracy(twice, evaluations).agree == 2 * sentence_accuracy(judgments, evaluations).agree == 10


def test_system_scores_four_ways() -> None:
    _, corpus, systems = study_of([[1, 2, 3, 4]], [["xxx", "xx", "x", "x"], ["x", "xx", "x", "x"]], "abcd")
    evaluations = Evaluations.of(LENGTH, corpus, systems)
    both, first = np.array([0, 1]), np.array([0])
    assert evaluations.scores(both, "corpus").tolist() == evaluations.scores(both, "mean").tolist() == [2, 2, 1, 1]
    assert evaluations.scores(first, "expected-wins").tolist() == [1, 2 / 3, 0, 0]
    skills = evaluations.scores(first, "trueskill", runs=3)
    assert skills[0] > skills[1] > skills[2]


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_a_metric_that_says_what_people_say_correlates_perfectly(aggregation: str) -> None:
    texts = [["xxxx", "xxx", "xx", "x"]] * 4 + [["xxx", "xxxx", "xx", "x"]]
    judgments, corpus, systems = study_of([[1, 2, 3, 4]] * 4 + [[2, 1, 3, 4]], texts, "abcd")
    study = human([judgments], corpus, systems, [LENGTH], options=HumanOptions(FAST, aggregation, window=3))
    (found,) = study.correlations
    assert found.spearman.value == found.kendall.value == 1.0
    assert [window.systems for window in found.windows] == [("a", "b", "c"), ("b", "c", "d")]
    assert study.accuracies[0].accuracy == 1.0


def test_names_that_do_not_fit_are_refused() -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["x"] * 4], "abcd")
    with pytest.raises(InputError, match=r"mine judges d, of which there is no output: .* --without d"):
        human([judgments], corpus, systems[:3], [LENGTH])
    with pytest.raises(InputError, match="no judged system 'e' to leave out; there is a, b, c, d"):
        human([judgments], corpus, systems, [LENGTH], options=HumanOptions(without=("e",)))
    with pytest.raises(InputError, match="three systems or more, not 2"):
        human([judgments], corpus, systems, [LENGTH], options=HumanOptions(without=("a", "b")))
    with pytest.raises(InputError, match="metrics need what was judged"):
        human([judgments], metrics=[LENGTH])
    with pytest.raises(InputError, match="a window takes 3 to 4 systems, not 5"):
        human([judgments], corpus, systems, [LENGTH], options=HumanOptions(window=5))


def test_a_judged_source_needs_no_output() -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["x"] * 4], ["a", "b", "c", "src"])
    _, judged = judged_systems(judgments, corpus, systems[:3])
    assert [system.hypotheses[0] for system in judged] == ["x", "x", "x", "source"]


def test_a_system_ranked_alone_cannot_be_ranked() -> None:
    items = (Judgment(1, "", (Placement(("a",), 1), Placement(("b",), 2))), Judgment(1, "", (Placement(("c",), 1),)))
    with pytest.raises(InputError, match="mine: c was never ranked beside another system"):
        rank(Judgments("mine", items), "expected-wins", FAST)


def test_a_constant_metric_has_no_correlation_and_half_the_accuracy() -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["x"] * 4], "abcd")
    study = human([judgments], corpus, systems, [LENGTH], options=HumanOptions(FAST))
    assert np.isnan(study.correlations[0].pearson.value)
    assert study.accuracies[0].accuracy == 0.5


def test_seeda_is_as_published(data: Path) -> None:
    """Human scores (Expected Wins to 0.002: theirs are means of resamples), and M2 to the two decimals printed."""
    corpus = load_corpus(None, [data / "conll14" / "official-2014.combined.m2"])
    systems = load_systems([data / "seeda" / "outputs"], corpus)
    for kind in ("edit", "sent"):
        judgments = read_judgments(data / "seeda" / f"judgments_{kind}.xml")
        published = (data / "seeda" / "scores" / "human" / f"EW_{kind}.txt").read_text().split()
        found = rank(judgments, "expected-wins", FAST).scores
        assert [found[name] for name in sorted(found)] == pytest.approx(list(map(float, published)), abs=0.002)
    scores = Evaluations.of(metric("m2"), corpus, systems, jobs=2).scores(np.arange(1312))
    found = {system.name: round(100 * value, 2) for system, value in zip(systems, scores, strict=True)}
    assert {name: found[name] for name in ("BART", "T5", "TransGEC")} == {"BART": 50.3, "T5": 65.07, "TransGEC": 68.08}
    assert (found["GPT-3.5"], found["INPUT"], found["REF-F"]) == (53.5, 0.0, 47.48)


def test_gjg15_as_the_papers_have_it(data: Path) -> None:
    """M2 against Expected Wins is ρ = 0.69 in GJG15's Table 5, and its r 0.627."""
    corpus = load_corpus(None, [data / "conll14" / "official-2014.combined.m2"])
    systems = load_systems([data / "conll14" / "systems"], corpus)
    judgments = read_judgments(data / "gjg15" / "judgments.xml")
    study = human([judgments], corpus, systems, [metric("m2")], options=HumanOptions(FAST, scope="all"), jobs=2)
    (found,) = study.correlations
    assert found.spearman.value == pytest.approx(0.692, abs=0.01)
    assert found.pearson.value == pytest.approx(0.627, abs=0.01)
    (counts,) = study.counts
    assert (counts.rankings, counts.output_pairs, counts.output_ties) == (2319, 20_516, 5694)
    assert (counts.pairs, counts.ties) == (109_098, 59_117)


def test_a_model_is_asked_about_all_outputs_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def prepare(self: FunctionMetric, corpus: Corpus, systems: list[System], **options: object) -> None:
        asked.append([system.name for system in systems])

    monkeypatch.setattr(FunctionMetric, "prepare", prepare)
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["xxx", "xx", "x", "x"]], "abcd")
    human([judgments], corpus, systems, [LENGTH], options=HumanOptions(FAST))
    assert asked == [["a", "b", "c", "d"]]
