"""The verdict: metrics that say the same share a sentence, and two systems get only one. What references hide."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest

from gecval import Corpus
from gecval.stats import Resampling
from gecval.studies.coverage.own_references import reference_coverage
from gecval.studies.report.verdicts import hidden_words, listed, p_text, verdicts

Rankings = dict[str, str]  # metric: systems from best to worst, one letter each


def said(rankings: Rankings, p_values: dict[tuple[str, str], float] | None = None) -> list[str]:
    """The verdict on rankings. ``p_values`` are of (metric, pair); all others are .001."""
    scores: list[Any] = [
        SimpleNamespace(system=system, metric=metric, score=-place)
        for metric, ranking in rankings.items()
        for place, system in enumerate(ranking)
    ]
    pairs: list[Any] = []
    for metric, ranking in rankings.items():
        for system, baseline in combinations(ranking, 2):
            p = (p_values or {}).get((metric, system + baseline), 0.001)
            pairs.append(SimpleNamespace(metric=metric, system=system, baseline=baseline, p=p, significant=p < 0.05))
    return list(verdicts(scores, pairs, 100))


@pytest.mark.parametrize(
    ("rankings", "p_values", "sentence"),
    [
        ({"errant": "BA"}, {("errant", "BA"): 0.003}, "B is better than A under errant (p = .003)."),
        ({"m2": "BA"}, {("m2", "BA"): 0.2}, "m2 cannot tell B and A apart (p = .200)."),
        (
            {"errant": "BA", "m2": "AB"},
            {("errant", "BA"): 0.003, ("m2", "AB"): 0.2},
            "B is better than A under errant (p = .003). m2 cannot tell A and B apart (p = .200).",
        ),
        (
            {"m2": "AB", "errant": "BA", "gleu": "BA"},
            {("errant", "BA"): 0.003, ("gleu", "BA"): 0.01},
            "A is better than B under m2 (p = .001). B is better than A under errant and gleu (p ≤ .010).",
        ),
        (
            {"m2": "AB", "gleu": "BA"},
            {("m2", "AB"): 0.3, ("gleu", "BA"): 0.2},
            "m2 and gleu cannot tell A and B apart (p ≥ .200).",
        ),
    ],
)
def test_two_systems_get_a_sentence_for_each_finding(rankings: Rankings, p_values: Any, sentence: str) -> None:
    assert " ".join(said(rankings, p_values)) == sentence


def test_many_systems_get_a_sentence_for_each_finding() -> None:
    assert said({"m2": "ABC", "gleu": "ACB"}) == ["A is better than all others under m2 and gleu (p ≤ .001)."]
    tied = {("m2", "AB"): 0.3, ("green", "AB"): 0.4, ("gleu", "AC"): 0.5, ("gleu", "AB"): 0.5}
    assert said({"m2": "ABC", "gleu": "ACB", "green": "ABC", "sari": "CAB"}, tied) == [
        "m2 and green put A first, but cannot tell it from B.",
        "gleu puts A first, but cannot tell it from any other system.",
        "C is better than all others under sari (p ≤ .001).",
    ]


def test_p_values_at_the_edges() -> None:
    assert p_text(0.0005) == "p = .001"
    assert p_text(0.00049) == "p < .001"
    assert p_text(0.9995) == "p = 1"
    assert p_text(0.9994) == "p = .999"
    assert p_text(0.05, 0.01) == p_text(0.07, 0.01) == "p ≥ .010"
    assert p_text(0.049, 0.01) == "p ≤ .049"
    assert listed(list("ABCD")) == "A, B, C and D"


def test_one_sentence_or_one_system() -> None:
    score: Any = SimpleNamespace(system="A", metric="m2", score=0.5)
    alone = "There is only one system, so there is nothing to compare it with."
    short = "One sentence does not show what chance can do, so no systems are compared."
    for sentences, why in ((1, short), (2, alone)):
        assert list(verdicts([score], [], sentences)) == ["A scores 0.5000 under m2.", why]


def test_nothing_to_compare() -> None:
    assert said({"m2": "A"}) == [
        "A scores 0.0000 under m2.",
        "There is only one system, so there is nothing to compare it with.",
    ]


def test_hidden_words_have_the_numbers_of_the_table() -> None:
    sources = [f"a{i} b c" for i in range(40)]
    references = [
        [f"a{i} b d", f"a{i} b {'d' if i % 3 else 'e'}", f"a{i} {'b' if i % 2 else 'x'} d"] for i in range(40)
    ]
    corpus = Corpus.from_texts(sources, references)
    systems = [corpus.system("bold", [f"a{i} b d" for i in range(40)])]
    result = reference_coverage(corpus, systems, confidence=Resampling(50))
    first, *others = hidden_words(result)
    assert "here it has 3 references" in first
    assert f"about {result.coverage:.0%} are among these" in first
    assert f"The other {1 - result.coverage:.0%} count as errors" in first
    [score] = result.true_scores
    assert others[-1].startswith(f"bold gets {score.accuracy:.0%} of the sentences right by the references")
    assert result.to_halve is not None
    assert any(text.startswith("To halve what is hidden, every sentence would need") for text in others)
    assert not any(sign in " ".join([first, *others]) for sign in ("[", "p_correct", "nan"))
