"""Levenshtein likeness, accuracy and exact index match against the oracles."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gecval import Corpus, System, metric
from gecval.metrics.distance import likeness
from gecval.metrics.evaluation import Evaluation
from oracles import distance
from strategies import corpora


@given(st.text(max_size=8), st.text(max_size=8))
def test_likeness_equals_oracle(a: str, b: str) -> None:
    assert likeness([a], [b]) == pytest.approx([distance.similarity(a, b)])


@given(corpora())
def test_sentence_scores_equal_oracles(drawn: tuple[Corpus, System]) -> None:
    corpus, system = drawn
    texts = [corpus.texts_of(i) for i in range(len(corpus))]
    pairs = list(zip(corpus.sources, system.hypotheses, texts, strict=True))
    expected = {
        "ld": [distance.ld(source, output) for source, output, _ in pairs],
        "min-ld": [distance.min_ld(output, references) for _, output, references in pairs],
        "accuracy": [float(output in references) for _, output, references in pairs],
        "index-match": [
            float(distance.exact_index_match(source.split(), output.split(), [r.split() for r in references]))
            for source, output, references in pairs
        ],
    }
    for name, scores in expected.items():
        evaluation = Evaluation.of(metric(name), corpus, system)
        assert evaluation.sentence_scores() == pytest.approx(scores)
        assert evaluation.score() == pytest.approx(sum(scores) / len(scores))


def assert_index_match_equals_oracle(source: list[str], output: list[str]) -> None:
    """Against a reference that replaces just the words which the output changes, and one that spares one of them."""
    changed = sorted(distance.changed_indices(source, output))
    for replaced in (changed, changed[1:]):
        reference = ["x" if i in replaced else word for i, word in enumerate(source)]
        corpus = Corpus.from_texts([" ".join(source)], [[" ".join(reference)]])
        expected = float(distance.exact_index_match(source, output, [reference]))
        system = corpus.system("h", [" ".join(output)])
        assert Evaluation.of(metric("index-match"), corpus, system).score() == expected


@settings(max_examples=60)
@given(st.data())
def test_index_match_of_texts_that_take_several_machine_words(data: st.DataObject) -> None:
    words = st.lists(st.sampled_from("abcd"), min_size=60, max_size=140)
    assert_index_match_equals_oracle(data.draw(words), data.draw(words))


@settings(max_examples=60)
@given(st.data())
def test_index_match_of_a_short_text_that_became_long(data: st.DataObject) -> None:
    """What one machine word hands on to the next passes through machine words that have nothing in common."""
    words = st.lists(st.sampled_from("abc"), min_size=1, max_size=6)
    added = ["y"] * data.draw(st.integers(100, 200))
    assert_index_match_equals_oracle(data.draw(words), [*data.draw(words), *added, *data.draw(words)])


def test_index_match_sees_where_but_not_what() -> None:
    corpus = Corpus.from_texts(["He go home ."] * 3, [["He goes home ."]] * 3)
    system = corpus.system("h", ["He went home .", "He go house .", "He goes back home ."])
    assert Evaluation.of(metric("index-match"), corpus, system).sentence_scores().tolist() == [1.0, 0.0, 1.0]
    assert Evaluation.of(metric("accuracy"), corpus, system).score() == 0.0
