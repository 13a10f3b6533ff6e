"""Metrics against people: accuracy by hand, names and order that must not matter, and the published SEEDA scores."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gecval import Corpus, InputError, Reference, System, load_corpus, load_schema, load_systems, metric
from gecval.formats.judgments import Judgment, Judgments, Placement, read_judgments
from gecval.metrics import FunctionMetric
from gecval.runtime.run import Run
from gecval.stats.correlation import permutation_test, williams_test
from gecval.studies.human.correlations import explain_comparisons, explain_correlations
from gecval.studies.human.preferences import measure_accuracy
from gecval.studies.human.ranking import Method, Ranker, count_judgments, rank
from gecval.studies.human.result import human_tables
from gecval.studies.human.study import human
from gecval.studies.human.system_scores import (
    AGGREGATIONS,
    TIE_POLICIES,
    Evaluations,
    HumanOptions,
    select_judged_systems,
)

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
    placed, judged = select_judged_systems(judgments, corpus, systems)
    return measure_accuracy(placed, Evaluations.of(LENGTH, corpus, judged), ties=policy, resamples=10)


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
        result = accuracy(ranks, texts, "abcd", policy)
        assert (result.agree, result.disagree, result.ties) == (agree, disagree, ties)
        judged = agree + disagree + (0 if policy == "skip" else ties)
        if judged:
            right = agree + (ties / 2 if policy == "half" else 0)
            assert result.accuracy == pytest.approx(right / judged)
            assert result.tau == pytest.approx(2 * right / judged - 1)
        assert repr(accuracy(ranks, texts, "".join(renamed), policy)) == repr(result)  # NaN is not itself


def test_repeated_judgments_count_each_time() -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 3]], [["xxx", "xx", "x", "x"]], "abcd")
    twice = Judgments("mine", judgments.items * 2, first=0)
    evaluations = Evaluations.of(LENGTH, corpus, systems)
    assert measure_accuracy(twice, evaluations).agree == 2 * measure_accuracy(judgments, evaluations).agree == 10


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
    study = human(
        [judgments], corpus, systems, [LENGTH], options=HumanOptions(ranker=FAST, aggregate=aggregation, window=3)
    )
    (correlation,) = study.correlations
    assert correlation.spearman.value == correlation.kendall.value == 1.0
    assert [(window.first, window.systems) for window in correlation.windows] == [
        (1, ("a", "b", "c")),
        (2, ("b", "c", "d")),
    ]
    assert study.accuracies[0].accuracy == 1.0


def test_a_ranking_and_systems_left_out_are_named_apart_from_other_options() -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["x"] * 4], "abcd")
    assert [ranking.method for ranking in human([judgments], ranking="expected-wins").rankings] == ["expected-wins"]
    assert Ranker(methods="trueskill").methods == ("trueskill",)  # type: ignore[arg-type]
    named = human([judgments], corpus, systems[:3], [LENGTH], ranking=["expected-wins"], without="d")
    options = HumanOptions(ranker=Ranker(methods=("expected-wins",)), without=("d",))
    assert str(named) == str(human([judgments], corpus, systems[:3], [LENGTH], options=options))
    with pytest.raises(InputError, match="methods must be one of expected-wins, trueskill, not 'wins'"):
        human([judgments], ranking="wins")  # type: ignore[arg-type]


def test_names_that_do_not_fit_are_refused() -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["x"] * 4], "abcd")
    with pytest.raises(InputError, match="mine ranks d, but systems lacks it: add its outputs, or leave it out"):
        human([judgments], corpus, systems[:3], [LENGTH])
    with pytest.raises(InputError, match="no judged system 'e' to leave out; there is a, b, c, d"):
        human([judgments], corpus, systems, [LENGTH], options=HumanOptions(without=("e",)))
    with pytest.raises(InputError, match="three systems or more, not 2"):
        human([judgments], corpus, systems, [LENGTH], options=HumanOptions(without=("a", "b")))
    with pytest.raises(InputError, match="metrics need what was judged"):
        human([judgments], metrics=[LENGTH])
    with pytest.raises(InputError, match="systems need the corpus that they correct"):
        human([judgments], systems=systems)
    with pytest.raises(InputError, match="the corpus and the systems change nothing without metrics"):
        human([judgments], corpus, systems)
    for size in (2, 5):
        with pytest.raises(InputError, match=f"a window takes 3 to 4 systems, not {size}"):
            human([judgments], corpus, systems, [LENGTH], options=HumanOptions(window=size))
    whole = HumanOptions(ranker=FAST, window=4)
    assert len(human([judgments], corpus, systems, [LENGTH], options=whole).correlations[0].windows) == 1


def test_what_is_no_set_of_judgments_is_refused() -> None:
    judgments, _, _ = study_of([[1, 2, 3, 4]], [["x"] * 4], "abcd")
    with pytest.raises(InputError, match=r"judgments are given as str; read them with read_judgments\(path\)"):
        human("mine")
    with pytest.raises(InputError, match="there are no judgments: give one set or more"):
        human([])
    with pytest.raises(InputError, match="two sets of judgments are named 'mine'; rename one"):
        human([judgments, judgments])
    combined = replace(judgments, name="combined")
    with pytest.raises(InputError, match="two sets of judgments are named 'combined'; rename one"):
        human([judgments, combined], options=HumanOptions(ranker=FAST, combined=True))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"combined": True}, "combined changes nothing with one set of judgments"),
        ({"window": 3}, "window changes nothing without metrics"),
        ({"aggregate": "mean"}, "aggregate changes nothing without metrics"),
        ({"ties": "skip"}, "ties changes nothing without metrics"),
        ({"confidence": True}, "confidence changes nothing without metrics"),
        ({"scope": "all"}, "scope changes nothing without metrics"),
        ({"without": ("a",)}, "without changes nothing without metrics"),
        ({"ranker": Ranker(methods=("trueskill",), opponents="beaten")}, "opponents changes nothing without expected"),
        ({"ranker": Ranker(methods=("trueskill",), human_ties="both-win")}, "human_ties changes nothing without exp"),
        (
            {"ranker": Ranker(methods=("trueskill",), unit="pairs", resamples=20)},
            "resamples changes nothing where TrueSkill draws pairs",
        ),
        ({"ranker": Ranker(methods=("expected-wins",), runs=20)}, "runs changes nothing without trueskill"),
    ],
)
def test_options_that_would_change_nothing_are_refused(options: dict[str, object], message: str) -> None:
    judgments, _, _ = study_of([[1, 2, 3, 4]], [["x"] * 4], "abcd")
    with pytest.raises(InputError, match=message):
        human(judgments, options=HumanOptions(**options))


@pytest.mark.parametrize(
    "options",
    [
        HumanOptions(ranker=Ranker(methods=("expected-wins",), resamples=20, runs=3), aggregate="trueskill"),
        HumanOptions(ranker=Ranker(methods=("trueskill",), unit="pairs", resamples=20, runs=3)),
        HumanOptions(ranker=FAST, scope="all", without=("a",), ties="wrong", confidence=True, window=3),
    ],
)
def test_options_that_metrics_use_are_taken(options: HumanOptions) -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]] * 2, [["xxx", "xx", "x", "x"]] * 2, "abcd")
    result = human(judgments, corpus, systems, [LENGTH], options=options)
    assert len(result.correlations) == 1
    with pytest.raises(InputError, match="changes nothing"):
        human(judgments, options=options)


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@pytest.mark.parametrize("confidence", [True, False])
def test_which_scores_have_intervals(aggregation: str, confidence: bool) -> None:
    texts = [["xxxx", "xxx", "xx", "x"]] * 4 + [["xxx", "xxxx", "xx", "x"]]
    judgments, corpus, systems = study_of([[1, 2, 3, 4]] * 5, texts, "abcd")
    options = HumanOptions(ranker=FAST, aggregate=aggregation, confidence=confidence)
    [correlation] = human(judgments, corpus, systems, [LENGTH], options=options).correlations
    for row in correlation.systems:
        if confidence and aggregation in ("corpus", "mean"):
            assert row.metric_interval.low <= row.metric <= row.metric_interval.high
        else:
            assert row.metric_interval is None


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_where_lower_scores_are_better(aggregation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Agreement stays positive. In contests the better output wins, so there higher is better again."""
    monkeypatch.setattr(FunctionMetric, "higher_is_better", False)
    texts = [["x", "xx", "xxx", "xxxx"]] * 4
    judgments, corpus, systems = study_of([[1, 2, 3, 4]] * 4, texts, "abcd")
    result = human(judgments, corpus, systems, [LENGTH], options=HumanOptions(ranker=FAST, aggregate=aggregation))
    [correlation], [accuracy] = result.correlations, result.accuracies
    assert (correlation.spearman.value, accuracy.accuracy, accuracy.higher_is_better) == (1.0, 1.0, False)
    assert correlation.higher_is_better is (aggregation not in ("corpus", "mean"))


@pytest.mark.parametrize(
    ("systems", "notes"),
    [
        (3, ["mine: 3 systems are too few to test metrics against each other: it takes 4"]),
        (
            4,
            ["mine: with 4 systems there are 16 ways to swap two metrics, so the permutation test cannot give a p bel"],
        ),
        (
            5,
            ["mine: with 5 systems there are 32 ways to swap two metrics, so the permutation test cannot give a p bel"],
        ),
        (6, []),
    ],
)
def test_how_many_systems_tests_need(systems: int, notes: list[str]) -> None:
    scores = SimpleNamespace(systems=tuple("abcdef"[:systems]))
    assert [note[: len(notes[0])] for note in explain_comparisons("mine", [scores, scores])] == notes
    assert list(explain_comparisons("mine", [scores])) == []


@pytest.mark.parametrize(("systems", "few"), [(4, "too few for intervals"), (9, "chance alone"), (10, None)])
def test_few_systems_are_noted_beside_correlations(systems: int, few: str | None) -> None:
    notes = list(explain_correlations("mine", [SimpleNamespace(systems=tuple("abcdefghij"[:systems]))]))
    assert [few in note for note in notes] == ([True] if few else [])
    assert list(explain_correlations("mine", [])) == []


def test_counts_of_judgments() -> None:
    """Anna says the same twice, with one tie; Ben turns it round. Two systems share an output."""
    first, tie = Placement(("a", "b"), 1), Placement(("c",), 2)
    anna = Judgment(1, "anna", (first, tie, Placement(("d",), 2)))
    ben = Judgment(1, "ben", (Placement(("a", "b"), 3), Placement(("c",), 1), Placement(("d",), 1)))
    [counts] = human(Judgments("mine", (anna, anna, ben)), options=HumanOptions(ranker=FAST)).judgments
    assert (counts.rankings, counts.sentences, counts.judges) == (3, 1, 2)
    # Of outputs: three pairs in each ranking, one of them a tie. Of systems: six pairs, two of them ties.
    assert (counts.output_pairs, counts.output_ties, counts.pairs, counts.ties) == (9, 3, 18, 6)
    assert (counts.within_judges.comparisons, counts.within_judges.agree) == (3, 1.0)
    assert (counts.between_judges.comparisons, counts.between_judges.agree) == (6, pytest.approx(1 / 3))


def test_sets_are_taken_together_where_that_is_asked_for() -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["xxx", "xx", "x", "x"]], "abcd")
    other = replace(judgments, name="other")
    counted: list[tuple[int, int]] = []
    options = HumanOptions(ranker=FAST, combined=True, hybrids=((LENGTH, metric("ld")),))
    result = human(
        [judgments, other],
        corpus,
        systems,
        [LENGTH, metric("ld")],
        options=options,
        run=Run(progress=lambda *numbers: counted.append(numbers)),
    )
    sets = ["mine", "other", "combined"]
    assert [ranking.judgments for ranking in result.rankings] == sets
    assert [(counts.judgments, counts.rankings) for counts in result.judgments] == list(
        zip(sets, (1, 1, 2), strict=True)
    )
    assert [(row.judgments, row.metric) for row in result.correlations] == [
        (s, m) for s in sets for m in ("length", "ld")
    ]
    assert [(row.judgments, row.metric, row.agree) for row in result.accuracies][::2] == [
        *(("mine", "length", 5), ("other", "length", 5), ("combined", "length", 10)),
    ]
    assert [(row.judgments, row.metric, row.other) for row in result.comparisons] == [(s, "length", "ld") for s in sets]
    assert [(row.judgments, row.coefficient) for row in result.hybrids] == [
        (s, coefficient) for s in sets for coefficient in ("pearson", "spearman")
    ]
    # Three rankings, two metrics and five controls; then, of each ranking, a comparison and a hybrid.
    assert counted[-18:] == [*((done, 10) for done in range(11)), *((done, 6) for done in range(7))]


def test_metrics_that_cannot_score_are_refused_before_anything_is_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["x"] * 4], "abcd")
    monkeypatch.setattr("gecval.studies.human.ranking.rank", lambda *_, **__: pytest.fail("ranked"))
    with pytest.raises(InputError, match="gleu needs references"):
        human(judgments, corpus, systems, [LENGTH, "gleu"])


@pytest.mark.parametrize(("scope", "scores"), [("judged", [3, 2, 1, 1]), ("all", [2.0, 2.5, 1.0, 1.5])])
def test_metrics_score_judged_sentences_or_all(scope: str, scores: list[float]) -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["xxx", "xx", "x", "x"], ["x", "xxx", "x", "xx"]], "abcd")
    result = human(judgments, corpus, systems, [LENGTH], options=HumanOptions(ranker=FAST, scope=scope))
    assert [row.metric for row in result.correlations[0].systems] == scores
    assert result.correlations[0].signature.endswith(f"|scope:{scope}")
    assert (result.accuracies[0].agree, result.accuracies[0].ties) == (5, 1)  # judged sentences alone, in any case


def test_metrics_are_tested_and_mixed_by_their_scores_of_systems() -> None:
    """Oracle: the tests of ``stats``, of the scores that the correlations list."""
    other = FunctionMetric(lambda source, hypothesis, references: float(hypothesis.count("y")), "ys")
    texts = [["xxxyxx", "xxy", "xxxx", "xy"], ["xxy", "yyxx", "x", "yx"], ["xxxx", "xxx", "yxx", "x"]]
    judgments, corpus, systems = study_of([[1, 2, 3, 4], [2, 1, 3, 4], [1, 3, 2, 4]], texts, "abcd")
    options = HumanOptions(ranker=FAST, hybrids=((LENGTH, other),))
    result = human(judgments, corpus, systems, [LENGTH, other, "ld"], options=options)
    first, second, _ = result.correlations
    people = np.array([row.human for row in first.systems])
    a, b = (np.array([row.metric for row in correlation.systems]) for correlation in (first, second))
    compared, *_ = result.comparisons
    assert [(row.metric, row.other) for row in result.comparisons] == [("length", "ys"), ("length", "ld"), ("ys", "ld")]
    assert compared.difference == pytest.approx(first.pearson.value - second.pearson.value)
    assert compared.williams_p == pytest.approx(williams_test(people, a, b))
    assert compared.permutation_p == pytest.approx(permutation_test(people, a, b))
    for hybrid, name in zip(result.hybrids, ("pearson", "spearman"), strict=True):
        assert (hybrid.with_references, hybrid.without, hybrid.coefficient) == ("length", "ys", name)
        ends = hybrid.swept.reference_based_alone, hybrid.swept.reference_less_alone
        assert ends == pytest.approx((getattr(first, name).value, getattr(second, name).value))


def test_sets_are_taken_together_without_metrics() -> None:
    """Then nothing is scored: two systems are enough, and what is odd about outputs is nobody's business."""
    first = Judgment(0, "anna", (Placement(("a",), 1), Placement(("b",), 2)))
    sets = [Judgments(name, (first,), first=0) for name in ("mine", "other")]
    corpus = Corpus.from_texts(["He go home ."], [["He goes home ."]])
    outputs = {"a": ["He goes home."], "b": ["He go home ."]}
    result = human(sets, corpus, outputs, options=HumanOptions(ranker=FAST, combined=True))
    assert [ranking.judgments for ranking in result.rankings] == ["mine", "other", "combined"]
    assert [ranking.scores for ranking in result.rankings] == [{"a": 1.0, "b": 0.0}] * 3
    assert result.notes == ()
    scored = [Judgments("mine", (replace(first, placements=(*first.placements, Placement(("src",), 3))),), first=0)]
    noted = human(scored, corpus, outputs, ["ld"], options=HumanOptions(ranker=FAST)).notes
    assert noted[1].startswith("a is not tokenised like the source")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"unit": "documents"}, "unit must be one of judges.sentences, sentences, pairs, not 'documents'"),
        ({"methods": ("elo",)}, "methods must be one of expected-wins, trueskill, not 'elo'"),
        ({"methods": ()}, "methods names no ranking; there is expected-wins, trueskill"),
        ({"human_ties": "half"}, "human_ties must be one of ignored, both-win, not 'half'"),
        ({"opponents": "some"}, "opponents must be one of met, all, beaten, not 'some'"),
        ({"resamples": 1}, "ranges of ranks need two resamples or more, not 1"),
        ({"runs": 1}, "ranges of ranks need two runs or more, not 1"),
        ({"level": 1.0}, "the confidence level must lie between 0 and 1, not 1.0"),
    ],
)
def test_what_is_no_way_to_rank_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Ranker(**settings)
    with pytest.raises(InputError, match="ranker is a Ranker, not 'trueskill': write ranker=Ranker"):
        HumanOptions(ranker="trueskill")


def test_sentences_are_drawn_by_default_and_pairs_with_the_preset_of_the_tools() -> None:
    rng = np.random.default_rng(3)
    ranks = [rng.permutation(4).tolist() for _ in range(20)]
    judgments, _, _ = study_of([[1 + rank for rank in row] for row in ranks for _ in range(5)], [["x"] * 4], "abcd")
    # Five judges say the same of each sentence: for pairs this is five times the evidence.
    items = tuple(replace(item, sentence=i // 5) for i, item in enumerate(judgments.items))
    rankings = {
        ranker.unit: rank(replace(judgments, items=items), "expected-wins", ranker)
        for ranker in (Ranker(unit="sentences"), Ranker.preset("tools"))
    }
    by_sentence, by_pair = rankings["sentences"], rankings["pairs"]
    assert by_sentence.scores == by_pair.scores
    widths = [[high - low for low, high in (s.interval for s in ranking.systems)] for ranking in (by_sentence, by_pair)]
    assert min(np.divide(*widths)) > 1.5
    assert "unit:sentences" in by_sentence.signature
    assert by_sentence.notes == ()
    assert by_pair.notes == (
        "these ranges are too narrow: they draw pairs, and pairs of one ranking are not independent",
    )
    with pytest.raises(InputError, match="the preset tools sets unit: leave one out"):
        Ranker.preset("tools", unit="sentences")
    with pytest.raises(InputError, match="there is no preset 'mine'; there is tools"):
        Ranker.preset("mine")


def test_a_sentence_that_all_judges_skipped_changes_no_range() -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4], [2, 1, 3, 4], [1, 3, 2, 4]], [["x"] * 4] * 4, "abcd")
    skipped = replace(judgments, items=(*judgments.items, Judgment(3, "anna", ())))
    expected = rank(judgments, "expected-wins", FAST)
    assert rank(skipped, "expected-wins", FAST) == expected
    placed = human(skipped, corpus, systems, [LENGTH], options=HumanOptions(ranker=FAST)).rankings[0]
    assert placed == expected


def test_names_and_dicts_do_for_metrics_and_systems() -> None:
    judgments, _, systems = study_of([[1, 2, 3, 4]], [["xxx", "xx", "x", "x"]], "abcd")
    corpus = Corpus.from_texts(["source"], [["xxx"]])
    outputs = {system.name: system.hypotheses for system in systems}
    options = HumanOptions(ranker=FAST, hybrids=(("gleu", "ld"),))
    by_name = human(judgments, corpus, outputs, ["gleu"], options=options)
    by_value = human([judgments], corpus, systems, [metric("gleu")], options=options)
    assert by_name.to_json() == by_value.to_json()
    assert [(hybrid.with_references, hybrid.without) for hybrid in by_name.hybrids] == [("gleu", "ld")] * 2
    with pytest.raises(InputError, match="a hybrid takes two metrics, not 1"):
        human(judgments, corpus, outputs, options=HumanOptions(hybrids=(("gleu",),)))


def test_a_hybrid_of_too_few_systems_is_refused_before_metrics_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["x"] * 4], "abcd")
    monkeypatch.setattr(FunctionMetric, "prepare", lambda *_, **__: pytest.fail("asked"))
    with pytest.raises(InputError, match="choosing a weight needs four systems or more, not 3"):
        human(judgments, corpus, systems, options=HumanOptions(without=("a",), hybrids=((LENGTH, LENGTH),)))


def test_few_systems_are_noted_beside_the_tests_of_metrics() -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["xxx", "xx", "x", "x"]], "abcd")
    options = HumanOptions(ranker=FAST)
    result = human(judgments, corpus, systems, [LENGTH, metric("ld")], options=options)
    few = "mine: 4 systems are too few for intervals of correlations, and p is never below 0.083"
    assert result.notes == (
        few,
        "mine: with 4 systems there are 16 ways to swap two metrics, so the permutation test cannot give a p below "
        "0.125",
        "mine: over pairs of outputs, not distinguishable from *more changes*: ld",
    )
    assert len(result.comparisons) == 1
    without = replace(options, without=("d",))
    result = human(judgments, corpus, systems, [LENGTH, metric("ld")], options=without)
    assert result.notes == (
        "mine: 3 systems are too few for intervals of correlations, and p is never below 0.33",
        "mine: 3 systems are too few to test metrics against each other: it takes 4",
        "mine: over pairs of outputs, not distinguishable from *more changes*: ld",
    )
    assert result.comparisons == ()
    assert human(judgments, corpus, systems, [LENGTH], options=options).notes == (few,)


def test_p_is_corrected_for_the_number_of_metrics() -> None:
    """Every metric gives the four systems some order: of three p, the smallest counts three times."""
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["xxxx", "xxx", "xx", "x"]], "abcd")
    texts = ["xxxx", "xxx", "xx", "x"]

    def of_text(values: tuple[float, ...], name: str) -> FunctionMetric:
        table = dict(zip(texts, values, strict=True))
        return FunctionMetric(lambda source, hypothesis, references: table[hypothesis], name)

    lengths = [of_text((4, 3, 2, 1), "right"), of_text((3, 4, 2, 1), "nearly"), of_text((1, 1, 1, 1), "none")]
    result = human(judgments, corpus, systems, lengths, options=HumanOptions(ranker=FAST))
    right, nearly, none = result.correlations
    assert right.spearman.p == pytest.approx(2 / 24)
    assert nearly.spearman.p == pytest.approx(8 / 24)
    assert right.p_corrected["spearman"] == pytest.approx(2 * 2 / 24)  # a metric without a correlation is no test
    assert nearly.p_corrected["spearman"] == pytest.approx(8 / 24)
    assert np.isnan(none.p_corrected["spearman"])
    assert "p holm" in str(result)
    assert "p holm" not in str(human(judgments, corpus, systems, lengths[:1], options=HumanOptions(ranker=FAST)))


@pytest.mark.parametrize(("method", "few"), [("trueskill", "39 runs"), ("expected-wins", "38 resamples")])
def test_too_few_runs_or_resamples_are_noted(method: Method, few: str) -> None:
    ranker, counts = Ranker(unit="pairs", runs=39, resamples=38), {"sentences": 100, "judges": 9}
    assert next(iter(ranker.notes(method, **counts))) == f"{few} are too few for ranges of 95%: take 40 or more"
    [note, _] = replace(ranker, runs=33, resamples=33, level=0.94).notes(method, **counts)
    assert note.endswith(" are too few for ranges of 94%: take 34 or more")
    drawn = replace(ranker, unit="judges+sentences", resamples=201)  # TrueSkill takes 200 of them
    assert list(drawn.notes(method, **counts)) == []
    assert ("resamples:200" in drawn.signature(method)) is (method == "trueskill")


@pytest.mark.parametrize(
    ("judges", "note"),
    [
        (1, ["all judgments are by one judge: ranges do not show what other judges would say"]),
        (7, ["7 judges are few: ranges hardly show what other judges would say, and may be too narrow"]),
        (8, []),
    ],
)
def test_few_judges_are_noted_where_judges_are_drawn(judges: int, note: list[str]) -> None:
    assert list(Ranker().notes("expected-wins", sentences=100, judges=judges)) == note
    assert list(Ranker(unit="sentences").notes("trueskill", sentences=100, judges=judges)) == []


def test_opponents_that_were_not_met_are_no_defeats() -> None:
    """A won 20 : 0 against B, who met all others. Before, A ranked below B, with an interval of [0.333, 0.333]."""

    def meet(winner: str, loser: str, times: int) -> list[Judgment]:
        return [Judgment(i, f"judge{i % 10}", (Placement((winner,), 1), Placement((loser,), 2))) for i in range(times)]

    items = [*meet("A", "B", 20), *meet("B", "C", 15), *meet("C", "B", 5), *meet("B", "D", 15), *meet("D", "B", 5)]
    judgments = Judgments("mine", tuple(items), first=0)
    met = rank(judgments, "expected-wins", FAST)
    assert met.scores == {"A": 1.0, "B": 0.5, "C": 0.25, "D": 0.25}
    assert met.opponents_met == {"A": 1, "B": 3, "C": 1, "D": 1}
    [note] = met.notes
    assert note.startswith("3 of 4 systems did not meet all 3 opponents, the fewest are 1: Expected Wins is the mean")
    published = rank(judgments, "expected-wins", replace(FAST, opponents="all"))
    assert published.scores["A"] == pytest.approx(1 / 3)
    assert published.systems[0].system == "B"
    assert published.notes[0].endswith("in Expected Wins opponents not met count as defeats")


@pytest.mark.parametrize("method", ["expected-wins", "trueskill"])
def test_judges_who_differ_widen_the_ranges(method: Method) -> None:
    """Each of four judges ranks all sentences alike, by a taste of their own: sentences alone show no doubt at all."""
    tastes = [[1, 2, 3], [1, 2, 3], [2, 1, 3], [3, 2, 1]]
    items = tuple(
        Judgment(i, f"judge{j}", tuple(Placement((name,), rank) for name, rank in zip("abc", taste, strict=True)))
        for i in range(40)
        for j, taste in enumerate(tastes)
    )
    judgments = Judgments("mine", items, first=0)
    ranker = Ranker(methods=(method,), resamples=100, runs=5)
    by_sentences = rank(judgments, method, replace(ranker, unit="sentences"))
    by_both = rank(judgments, method, ranker)
    assert by_both.scores == by_sentences.scores
    assert by_both.signature == by_sentences.signature.replace("unit:sentences", "unit:judges+sentences")
    widths = [max(s.interval.high - s.interval.low for s in ranking.systems) for ranking in (by_sentences, by_both)]
    assert widths[1] > 4 * widths[0]
    assert [standing.cluster for standing in by_both.systems] == [1, 1, 1]
    assert by_both.systems[0].ranks[1] > 1


def test_reliability_compares_halves_of_the_sentences() -> None:
    rng = np.random.default_rng(5)
    clear = [[1, 2, 3, 4]] * 40
    random = [[1 + r for r in rng.permutation(4).tolist()] for _ in range(400)]
    found = []
    for ranks in (clear, random, clear[:1]):
        judgments, _, _ = study_of(ranks, [["x"] * 4], "abcd")
        found.append(count_judgments(judgments).reliability)
    assert found[0] == pytest.approx(1.0)
    assert found[1] < 0.3  # people who click at random
    assert np.isnan(found[2])


def test_a_result_is_complete_and_shows_itself() -> None:
    judgments, _, systems = study_of([[1, 2, 3, 4]], [["xxx", "xx", "x", "x"]], "abcd")
    corpus = Corpus(["source"], [[Reference("xxx")]], notes=("a note of the corpus",))
    options = HumanOptions(ranker=FAST, hybrids=(("gleu", "ld"),), window=3)
    result = human(judgments, corpus, systems, ["gleu", "ld"], options=options)
    assert "a note of the corpus" in result.notes
    (first, *_) = result.correlations
    assert first.signature.startswith("gleu|")
    assert f"source:{corpus.source_hash}" in first.signature
    assert first.signature.endswith("|scope:judged")
    text, latex = str(result), result.to_latex()
    for part in ("Judgments", "mine: expected-wins", "over systems", "over pairs of outputs", "neighbours", "Hybrids"):
        assert part in text
    digits = {table.title: table.digits for table in human_tables(result)}
    assert (digits.pop("Judgments"), digits.pop("mine: expected-wins"), set(digits.values())) == (2, 4, {3})
    differ = replace(result, comparisons=(replace(result.comparisons[0], difference=0.12345),))
    assert " +0.123 " in str(differ).partition("Metric against metric")[2]
    assert "mine: expected-wins" in latex
    assert "<table" in result._repr_html_()


def test_frames() -> None:
    pytest.importorskip("pandas", reason="needs the extra: pip install 'gecval[pandas]'")
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["xxx", "xx", "x", "x"]], "abcd")
    frame = human(judgments, corpus, systems, [LENGTH], options=HumanOptions(ranker=FAST)).to_frame()
    assert frame.loc[0, ["judgments", "target", "metric", "spearman_n"]].tolist() == [
        "mine",
        "expected-wins",
        "length",
        4,
    ]
    ranks = human(judgments, options=HumanOptions(ranker=FAST)).to_frame()
    assert ranks[["system", "score", "cluster"]].iloc[0].tolist() == ["a", 1.0, 1]


def test_undefined_numbers_are_null() -> None:
    """Judges who only tie, a constant metric: no κ, no correlation, no accuracy."""
    judgments, corpus, systems = study_of([[1, 1, 1, 1], [2, 2, 2, 2]], [["x"] * 4] * 2, "abcd")
    options = HumanOptions(ranker=FAST, window=3, hybrids=((LENGTH, LENGTH),))
    as_json = human(judgments, corpus, systems, [LENGTH, metric("ld")], options=options).to_dict()
    assert as_json["judgments"][0]["between_judges"]["kappa"] is None
    (first, _) = as_json["correlations"]
    assert (first["pearson"]["value"], first["pearson"]["interval"], first["windows"][0]["pearson"]) == (None,) * 3
    assert (as_json["accuracies"][0]["accuracy"], as_json["accuracies"][0]["tau"]) == (None, None)
    assert as_json["comparisons"][0]["williams_p"] is None
    assert as_json["hybrids"][0]["swept"]["correlations"][0] is None
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(as_json, load_schema("human"))


def test_a_judged_source_needs_no_output() -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["x"] * 4], ["a", "b", "c", "src"])
    _, judged = select_judged_systems(judgments, corpus, systems[:3])
    assert [system.hypotheses[0] for system in judged] == ["x", "x", "x", "source"]
    _, judged = select_judged_systems(judgments, corpus, systems)  # but an output of that name is what was judged
    assert [system.hypotheses[0] for system in judged] == ["x", "x", "x", "x"]


def test_a_system_ranked_alone_cannot_be_ranked() -> None:
    items = (Judgment(1, "", (Placement(("a",), 1), Placement(("b",), 2))), Judgment(1, "", (Placement(("c",), 1),)))
    with pytest.raises(InputError, match="mine: c was never ranked together with another system"):
        rank(Judgments("mine", items), "expected-wins", FAST)


def test_a_constant_metric_has_no_correlation_and_half_the_accuracy() -> None:
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["x"] * 4], "abcd")
    study = human([judgments], corpus, systems, [LENGTH], options=HumanOptions(ranker=FAST))
    assert np.isnan(study.correlations[0].pearson.value)
    assert study.accuracies[0].accuracy == 0.5


def test_seeda_is_as_published(data: Path) -> None:
    """Human scores (Expected Wins to 0.002: theirs are means of resamples), and M2 to the two decimals printed."""
    corpus = load_corpus(None, [data / "conll14" / "official-2014.combined.m2"])
    systems = load_systems([data / "seeda" / "outputs"], corpus)
    for kind in ("edit", "sent"):
        judgments = read_judgments(data / "seeda" / f"judgments_{kind}.xml")
        published = (data / "seeda" / "scores" / "human" / f"EW_{kind}.txt").read_text().split()
        human_scores = rank(judgments, "expected-wins", FAST).scores
        assert [human_scores[name] for name in sorted(human_scores)] == pytest.approx(
            list(map(float, published)), abs=0.002
        )
    scores = Evaluations.of(metric("m2"), corpus, systems, run=Run(jobs=2)).scores(np.arange(1312))
    ours = {system.name: round(100 * value, 2) for system, value in zip(systems, scores, strict=True)}
    assert {name: ours[name] for name in ("BART", "T5", "TransGEC")} == {"BART": 50.3, "T5": 65.07, "TransGEC": 68.08}
    assert (ours["GPT-3.5"], ours["INPUT"], ours["REF-F"]) == (53.5, 0.0, 47.48)


def test_gjg15_as_the_papers_have_it(data: Path) -> None:
    """M2 against Expected Wins is ρ = 0.69 in GJG15's Table 5, and its r 0.627."""
    corpus = load_corpus(None, [data / "conll14" / "official-2014.combined.m2"])
    systems = load_systems([data / "conll14" / "systems"], corpus)
    judgments = read_judgments(data / "gjg15" / "judgments.xml")
    study = human(
        [judgments], corpus, systems, [metric("m2")], options=HumanOptions(ranker=FAST, scope="all"), run=Run(jobs=2)
    )
    (correlation,) = study.correlations
    assert correlation.spearman.value == pytest.approx(0.692, abs=0.01)
    assert correlation.pearson.value == pytest.approx(0.627, abs=0.01)
    (counts,) = study.judgments
    assert (counts.rankings, counts.output_pairs, counts.output_ties) == (2319, 20_516, 5694)
    assert (counts.pairs, counts.ties) == (109_098, 59_117)


def test_a_model_is_asked_about_all_outputs_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def prepare(self: FunctionMetric, corpus: Corpus, systems: list[System], **options: object) -> None:
        asked.append([system.name for system in systems])

    monkeypatch.setattr(FunctionMetric, "prepare", prepare)
    judgments, corpus, systems = study_of([[1, 2, 3, 4]], [["xxx", "xx", "x", "x"]], "abcd")
    human([judgments], corpus, systems, [LENGTH], options=HumanOptions(ranker=FAST))
    assert asked == [["a", "b", "c", "d"]]
