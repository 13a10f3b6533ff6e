"""Under-correction: word changes, word order, splits and joins, error types, and the oracle that re-ranks."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from gecval import Corpus, Edit, InputError, load_corpus, load_systems, metric, undercorrection
from gecval.edits import plain_edits
from gecval.formats import read_sentences
from gecval.studies.reproduce.coverage import _quarters
from gecval.studies.undercorrection.charts import reranking_chart
from gecval.studies.undercorrection.reranking import _Best, rerank
from gecval.studies.undercorrection.study import (
    TypeRatio,
    _spearman,
    changes,
    frequency_correlation,
    type_ratios,
    word_changes,
)


@pytest.mark.parametrize(
    ("source", "corrected", "expected"),
    [
        ("He go home .", "He go home .", 0),
        ("He go home .", "he Go home !", 0),  # case and signs aside
        ("Its fine", "It 's fine", 2),
        ("He go home .", "He goes home .", 1),
        ("to home he go", "home he go", 1),
        ("go home", "please go back home", 2),
        ("He home go .", "He go home .", 0),  # moved, not changed
        ("a b c", "", 3),
        ("", "", 0),
    ],
)
def test_word_changes(source: str, corrected: str, expected: int) -> None:
    assert word_changes([source], [corrected]).tolist() == [expected]


@given(st.permutations(range(6)), st.integers(2, 6))
def test_order_is_spearmans(places: list[int], size: int) -> None:
    chosen = np.array(places[:size])
    assert _spearman(chosen) == pytest.approx(spearmanr(np.arange(size), chosen).statistic)


@pytest.mark.parametrize(
    ("source", "corrected", "split", "joined"),
    [
        ("I came , I saw .", "I came . I saw .", 1, 0),
        ("I came . I saw .", "I came and I saw .", 0, 1),
        ("I came .", "I came ,", 0, 1),
        ("I came .", "I came !", 0, 0),
        ("I came", "I came .", 0, 0),
        ("I paid 3.50 .", "I paid 3.50 .", 0, 0),
        ('He said " go . "', 'He said " go ! "', 0, 0),
        ("I came .", "", 0, 0),
    ],
)
def test_sentence_ends(source: str, corrected: str, split: int, joined: int) -> None:
    made = changes("x", [source], [corrected])
    assert (made.split, made.joined) == (split, joined)


def test_changes_are_summed_up() -> None:
    made = changes("x", ["a b c d", "a b c d", "a b"], ["b a c d", "a b c d e f", "a b"])
    assert made.word_changes == pytest.approx(2 / 3)
    assert made.sentences == (2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
    assert made.order == pytest.approx((0.8 + 1 + 1) / 3)
    # The thresholds of ρ are 0.80, 0.81, … 1: a ρ of 0.8 is not below 0.8.
    assert (made.below[0], made.below[1], made.reordered) == (0, pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert changes("x", ["a"], ["a b"]).order == 1  # a single word has no order
    many = changes("x", ["a"], [" ".join("bcdefghijklmno")])
    assert many.sentences == (0,) * 10 + (1,)


def test_people_change_more_than_any_system(data: Path) -> None:
    folder = data / "conll14"
    corpus = load_corpus(None, [folder / "official-2014.0.m2"])
    names = ("systems/AMU", "systems/CAMB", "systems-later/RoRo")
    reference, *systems = undercorrection(corpus, load_systems([folder / name for name in names], corpus))
    assert sum(reference.sentences) == len(corpus)
    assert reference.sentences[6] == 49  # the paper, which does not say whose reference: 36
    for system in systems:
        assert system.sentences[6] <= 7
        assert system.word_changes < reference.word_changes
        assert system.reordered < reference.reordered
        assert system.split < reference.split
        assert system.joined < reference.joined


def test_refuses_an_annotator_who_is_not_there() -> None:
    corpus = Corpus.from_texts(["a", "b"], [["x", "y"], ["z"]])
    for annotator in (1, -1):
        with pytest.raises(InputError, match=f"no annotator {annotator} for sentence 2, which has 1 references"):
            undercorrection(corpus, [], annotator=annotator)


def test_changes_and_types_in_one_call() -> None:
    corpus = Corpus.from_texts(["a b", "c d"], [["a x", "a b"], ["c d e", "c"]])
    outputs = {"mine": ["a x", "c d e f"], "copy": ["a b", "c d"]}
    result = undercorrection(corpus, outputs, annotator=1, types="plain")
    assert (result.annotator, result.sentences, result.extractor, len(result)) == (1, 2, "plain", 3)
    assert [corrector.corrector for corrector in result] == ["(reference)", "mine", "copy"]
    assert [(row.type, row.systems, row.references, row.ratio, row.word_class) for row in result.types] == [
        ("M", 0.5, 0.5, 1.0, ""),
        ("R", 0.5, 0.5, 1.0, ""),
        ("U", 0.0, 0.5, 0.0, ""),
    ]
    assert result.correlation is None  # of three types
    assert undercorrection(corpus, outputs).types == ()
    with pytest.raises(InputError, match="types compare systems with references: give the systems' outputs"):
        undercorrection(corpus, [], types="plain")


def test_four_types_are_correlated() -> None:
    class Typed:
        """An edit of the type that the corrected text names."""

        signature, language = "typed", None

        def edits(self, pairs: Sequence[tuple[str, str]], **_: object) -> list[tuple[Edit, ...]]:
            return [tuple(Edit(0, 0, (), type=kind) for kind in corrected.split()) for _, corrected in pairs]

    references, output = ["A A A A", "B B B", "C C", "D"], ["A A A", "B B", "C", ""]
    corpus = Corpus.from_texts(["a", "b", "c", "d"], [[reference] for reference in references])
    result = undercorrection(corpus, {"mine": output}, types=Typed())
    assert [row.type for row in result.types] == ["A", "B", "C", "D"]
    assert result.correlation is not None
    assert result.correlation.rho == pytest.approx(1)


def test_the_quarters_that_are_corrected_most_and_least() -> None:
    kinds = ["DET", "NOUN", "PREP", "VERB", "ADJ", "PRON", "CONJ", "ADV", "PUNCT", "SPELL", "ORTH", "PART"]
    ratios = [TypeRatio(type=kind, systems=12.0 - k, references=12.0) for k, kind in enumerate(kinds)]
    assert _quarters(ratios) == (
        "of the 3 types that are corrected most, 2 are closed-class; the 3 least: SPELL, ORTH, PART"
    )


def test_constant_ratios_have_no_correlation() -> None:
    ratios = [TypeRatio(type=name, systems=2.0, references=4.0) for name in "ABCD"]
    correlation = frequency_correlation(ratios)
    assert np.isnan([correlation.rho, correlation.p]).all()
    varied = [TypeRatio(type=str(n), systems=n / 2, references=float(n)) for n in (1, 2, 3, 4)]
    assert np.isnan(frequency_correlation(varied).rho)
    two = [TypeRatio(type=str(n), systems=float(n), references=2.0 + (n > 1)) for n in (0, 1, 2, 3)]
    assert frequency_correlation([replace(row, systems=row.references**2) for row in two]).rho == pytest.approx(1)


def test_types_of_as_many_references_as_every_sentence_has() -> None:
    corpus = Corpus.from_texts(["a b", "c d"], [["a x"], ["c y", "c d e f g"]])
    [row] = undercorrection(corpus, {"mine": ["a x", "c d"]}, types="plain").types
    assert (row.type, row.systems, row.references) == ("R", 1.0, 2.0)


def test_the_oracle_keeps_what_references_allow_to_keep() -> None:
    corpus = Corpus.from_texts(["a b"], [["a b", "a c"]])
    lists = [corpus.system("1", ["a c"]), corpus.system("2", ["a b"])]
    result = rerank(corpus, lists, "accuracy", repetitions=200)
    single, both = result
    assert single.score == both.score == 1
    assert both.unchanged == 1
    assert single.unchanged == pytest.approx(0.5, abs=0.15)
    assert single.gained == (0,) * 11
    assert both.gained[0] == pytest.approx(1 - single.unchanged)
    assert (result.candidates, result.repetitions, result.seed) == (("1", "2"), 200, 1)
    assert "|oracle:2|repetitions:200|seed:1" in result.signature
    assert rerank(corpus, [lists[0], corpus.system("3", ["a c"])], "accuracy", references=[2])[0].word_changes == 1


def test_of_equally_good_candidates_the_earlier_with_fewest_changes_is_taken() -> None:
    corpus = Corpus.from_texts(["a b c"], [["x y z"]])
    candidates = {"two": ["a d e"], "one": ["a b e"], "other": ["f b c"], "good": ["x y z"]}
    [choice] = rerank(corpus, {name: candidates[name] for name in ("two", "one", "other")}, "accuracy")
    assert (choice.score, choice.word_changes) == (0, 1)
    [choice] = rerank(corpus, candidates, "accuracy")
    assert (choice.score, choice.word_changes) == (1, 3)


def test_the_oracle_takes_the_lowest_score_where_lower_is_better() -> None:
    lower = type(
        "Lower",
        (type(metric("accuracy")),),
        {"name": "lower", "higher_is_better": False, "__repr__": lambda _: "lower"},
    )()
    corpus = Corpus.from_texts(["a b", "e"], [["a c"], ["e"]])
    candidates = {"right": ["a c", "e"], "wrong": ["a d", "e"]}
    assert rerank(corpus, candidates, "accuracy")[0].score == 1
    result = rerank(corpus, candidates, lower)
    assert (result[0].score, result.higher_is_better) == (0.5, False)


def test_scores_that_differ_in_the_last_bits_are_equal() -> None:
    best = _Best(1, 1)
    for score, changed in ((0.3, 2), (0.1 + 0.2, 3), (0.3, 1)):
        best.offer(0, np.array([score]), np.array([changed]))
    assert (best.scores[0, 0], best.changes[0, 0]) == (0.3, 1)


def test_an_oracle_that_looks_at_no_references_is_noted() -> None:
    corpus = Corpus.from_texts(["a b"], [["a c", "a d"]])
    result = rerank(corpus, {"1": ["a c"], "2": ["a b"]}, "ld")
    assert result.notes == ("ld looks at no references, so the oracle chooses the same with every number of them",)
    assert [choice.unchanged for choice in result] == [1, 1]


def test_refuses_what_cannot_be_re_ranked() -> None:
    corpus = Corpus.from_texts(["a b"], [["a c", "a d"]])
    candidates = {"1": ["a c"], "2": ["a b"]}
    with pytest.raises(InputError, match="re-ranking needs a list: give two outputs or more"):
        rerank(corpus, {"1": ["a c"]}, "accuracy")
    for repetitions, shown in ((1_000_000, "1,000,000"), (0, "0")):
        with pytest.raises(InputError, match=f"repetitions must lie between 1 and 10,000, not {shown}"):
            rerank(corpus, candidates, "accuracy", repetitions=repetitions)
    assert rerank(corpus, candidates, "accuracy", repetitions=1).repetitions == 1
    assert (rerank(corpus, candidates, "ld").repetitions, rerank(corpus, candidates, "ld").seed) == (10, 1)


@pytest.mark.parametrize("name", ["m2", "gleu", "sari", "max-sari", "accuracy"])
def test_more_references_never_lower_the_oracles_best_score(name: str) -> None:
    sources = ["he go home", "she like it"]
    texts = [["he goes home", "he went home", "he go back"], ["she likes it", "she liked it", "she like that"]]
    corpus = Corpus(
        sources,
        [
            [
                type(listed)(text, plain_edits(source.split(), text.split()), str(a))
                for a, (listed, text) in enumerate(
                    zip(Corpus.from_texts([source], [given_]).references[0], given_, strict=True)
                )
            ]
            for source, given_ in zip(sources, texts, strict=True)
        ],
    )
    lists = [corpus.system(str(k), [texts[0][k], texts[1][k]]) for k in range(3)] + [corpus.system("copy", sources)]
    few, many = rerank(corpus, lists, name, references=(1, 3), repetitions=20)
    assert sum(few.sentences) == pytest.approx(2)
    if name in ("m2", "max-sari", "accuracy"):
        assert few.score <= many.score + 1e-12


def test_refuses_more_references_than_there_are() -> None:
    corpus = Corpus.from_texts(["a", "b"], [["x", "y"], ["z"]])
    with pytest.raises(InputError, match="cannot draw 2 references: sentence 2 has 1"):
        rerank(corpus, {"1": ["a", "b"], "2": ["x", "y"]}, "accuracy", references=[2])


def test_fewer_sentences_stay_unchanged_with_more_references(data: Path) -> None:
    folder = data / "turkcorpus"
    test = folder / "test.8turkers.tok.norm"
    corpus = load_corpus(test, [folder / f"test.8turkers.tok.turk.{k}" for k in range(8)])
    paths = [folder / "nts-12best" / f"result_NTS_epoch11_10.19.t7_12_h{k}" for k in range(1, 13)]
    candidates = [corpus.system(path.name, read_sentences(path)) for path in paths]
    single, two, eight = rerank(corpus, candidates, "max-sari", references=(1, 2, 8), repetitions=3)
    assert single.unchanged > two.unchanged > eight.unchanged
    assert eight.unchanged == 28  # published: 29
    assert single.word_changes < eight.word_changes


def test_ratios_by_type_are_those_of_the_paper(golden: Path) -> None:
    folder = golden / "errant"
    references = [edits_of(folder / "nucle2_ref.m2.gz", annotator) for annotator in "01"]
    outputs = sorted(path for path in folder.glob("hyp_*.m2.gz") if "INPUT" not in path.name)
    assert len(outputs) == 12
    ratios = type_ratios(references, [edits_of(path, "0") for path in outputs])
    quarter = len(ratios) // 4
    most, least = ratios[:quarter], ratios[-quarter:]
    assert {"ORTH", "NOUN:NUM", "ADJ:FORM"} <= {row.type for row in most}
    assert all(row.word_class == "closed" for row in most)
    assert {"VERB", "NOUN", "PRON", "OTHER", "PUNCT", "PART"} >= {row.type for row in least}
    correlation = frequency_correlation(ratios)
    assert correlation.rho == pytest.approx(-0.35, abs=0.01)  # published: -0.29, p = 0.16
    assert correlation.p == pytest.approx(0.094, abs=0.01)


def edits_of(path: Path, annotator: str) -> list[tuple[Edit, ...]]:
    """The typed edits of a packed M2 file: all in one tuple, for nothing but their types is counted."""
    with gzip.open(path, "rt") as file:
        fields = [line.strip().split("|||") for line in file if line.startswith("A ")]
    types = Counter(field[1] for field in fields if field[5] == annotator and field[1] != "noop")
    return [tuple(Edit(0, 0, ("",), kind) for kind in types.elements())]


def test_one_number_of_references_gains_nothing_to_draw() -> None:
    corpus = Corpus.from_texts(["a b"], [["a c"]])
    alone = rerank(corpus, {"1": ["a c"], "2": ["a b"]}, "accuracy", repetitions=1)
    with pytest.raises(InputError, match="there is one number only: add references"):
        reranking_chart(alone)
