"""Under-correction: word changes, word order, splits and joins, error types, and the oracle that re-ranks."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from gecval import Corpus, Edit, InputError, load_corpus, load_systems, metric
from gecval.edits import plain_edits
from gecval.formats import read_sentences
from gecval.studies.undercorrection.changes import _spearman, changes, under_correction, word_changes
from gecval.studies.undercorrection.error_types import frequency_correlation, type_ratios
from gecval.studies.undercorrection.reranking import rerank


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
    found = changes("x", [source], [corrected])
    assert (found.split, found.joined) == (split, joined)


def test_people_change_more_than_any_system(data: Path) -> None:
    folder = data / "conll14"
    corpus = load_corpus(None, [folder / "official-2014.0.m2"])
    names = ("systems/AMU", "systems/CAMB", "systems-later/RoRo")
    reference, *systems = under_correction(corpus, load_systems([folder / name for name in names], corpus))
    assert sum(reference.histogram()) == len(corpus)
    assert reference.histogram()[6] == 49  # the paper, which does not say whose reference: 36
    for one in systems:
        assert one.histogram()[6] <= 7
        assert one.word_changes.mean() < reference.word_changes.mean()
        assert one.reordered() < reference.reordered()
        assert one.split < reference.split
        assert one.joined < reference.joined


def test_refuses_an_annotator_who_is_not_there() -> None:
    corpus = Corpus.from_texts(["a", "b"], [["x", "y"], ["z"]])
    with pytest.raises(InputError, match="no annotator 1 for sentence 2, which has 1 references"):
        under_correction(corpus, [], annotator=1)


def test_the_oracle_keeps_what_references_allow_to_keep() -> None:
    corpus = Corpus.from_texts(["a b"], [["a b", "a c"]])
    lists = [corpus.system("1", ["a c"]), corpus.system("2", ["a b"])]
    [one, both] = rerank(corpus, lists, metric("accuracy"), (1, 2), repetitions=200)
    assert one.score == both.score == 1
    assert both.unchanged == 1
    assert one.unchanged == pytest.approx(0.5, abs=0.15)
    assert rerank(corpus, lists[:1], metric("accuracy"), (2,))[0].word_changes == 1


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
    few, many = rerank(corpus, lists, metric(name), (1, 3), repetitions=20)
    assert sum(few.sentences) == pytest.approx(2)
    if name in ("m2", "max-sari", "accuracy"):
        assert few.score <= many.score + 1e-12


def test_refuses_more_references_than_there_are() -> None:
    corpus = Corpus.from_texts(["a", "b"], [["x", "y"], ["z"]])
    with pytest.raises(InputError, match="cannot draw 2 references: sentence 2 has 1"):
        rerank(corpus, [corpus.system("1", ["a", "b"])], metric("accuracy"), [2])


def test_fewer_sentences_stay_unchanged_with_more_references(data: Path) -> None:
    folder = data / "turkcorpus"
    test = folder / "test.8turkers.tok.norm"
    corpus = load_corpus(test, [folder / f"test.8turkers.tok.turk.{k}" for k in range(8)])
    paths = [folder / "nts-12best" / f"result_NTS_epoch11_10.19.t7_12_h{k}" for k in range(1, 13)]
    candidates = [corpus.system(path.name, read_sentences(path)) for path in paths]
    one, two, eight = rerank(corpus, candidates, metric("max-sari"), (1, 2, 8), repetitions=3)
    assert one.unchanged > two.unchanged > eight.unchanged
    assert eight.unchanged == 28  # published: 29
    assert one.word_changes < eight.word_changes


def test_ratios_by_type_are_those_of_the_paper(golden: Path) -> None:
    folder = golden / "errant"
    references = [edits_of(folder / "nucle2_ref.m2.gz", annotator) for annotator in "01"]
    outputs = sorted(path for path in folder.glob("hyp_*.m2.gz") if "INPUT" not in path.name)
    assert len(outputs) == 12
    ratios = type_ratios(references, [edits_of(path, "0") for path in outputs])
    quarter = len(ratios) // 4
    most, least = ratios[:quarter], ratios[-quarter:]
    assert {"ORTH", "NOUN:NUM", "ADJ:FORM"} <= {one.type for one in most}
    assert all(one.word_class == "closed" for one in most)
    assert {"VERB", "NOUN", "PRON", "OTHER", "PUNCT", "PART"} >= {one.type for one in least}
    rho, p = frequency_correlation(ratios)
    assert rho == pytest.approx(-0.35, abs=0.01)  # published: -0.29, p = 0.16
    assert p == pytest.approx(0.094, abs=0.01)


def edits_of(path: Path, annotator: str) -> list[tuple[Edit, ...]]:
    """The typed edits of a packed M2 file: all in one tuple, for nothing but their types is counted."""
    with gzip.open(path, "rt") as file:
        fields = [line.strip().split("|||") for line in file if line.startswith("A ")]
    types = Counter(one[1] for one in fields if one[5] == annotator and one[1] != "noop")
    return [tuple(Edit(0, 0, ("",), kind) for kind in types.elements())]
