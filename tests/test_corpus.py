"""Corpus and System: what the gate lets through, what it refuses, and what a signature can rely on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, load_corpus
from gecval.corpus import offsets_of
from gecval.edit import apply_edits, overlap
from gecval.edits import plain_edits


def test_ragged_references():
    corpus = Corpus.from_texts(["a", "b", "c"], [["x"], ["y", "z"], []])
    assert len(corpus) == 3
    assert corpus.reference_slots.tolist() == [0, 1, 3, 3]
    assert corpus.reference_texts == ["x", "y", "z"]
    assert corpus.reference_count == "0-2"
    assert [one.annotator for one in corpus.references[1]] == ["0", "1"]


def test_no_references_at_all():
    corpus = Corpus.from_texts(["a", "b"])
    assert corpus.references == [[], []]
    assert corpus.reference_count == "0"


def test_text_from_edits_unless_it_is_given():
    edits = (Edit(1, 2, ("goes", "went")), Edit(3, 3, (".",)))
    corpus = Corpus(["He go home"], [[Reference(edits=edits), Reference("He left .", edits), Reference(edits=())]])
    assert corpus.texts_of(0) == ["He goes home .", "He left .", "He go home"]
    assert corpus.has_edits()


def test_tokens():
    corpus = Corpus.from_texts(["a b", "", "b  a\tc"], [["a"], ["é"], ["b"]])
    ids, offsets = corpus.source_tokens()
    assert offsets.tolist() == [0, 2, 2, 5]
    assert [corpus.vocabulary.tokens()[i] for i in ids] == ["a", "b", "b", "a", "c"]
    hypotheses = corpus.hypothesis_tokens(corpus.system("x", ["c", "", "a"]))
    assert hypotheses.offsets.tolist() == [0, 1, 1, 2]
    assert hypotheses.ids.tolist() == [ids[4], ids[0]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Corpus.from_texts([]), "the source has no sentences"),
        (lambda: Corpus.from_texts(["a"], [["b"], ["c"]]), "1 sources but references for 2 sentences"),
        (lambda: Corpus.from_texts(["a", None]), "sentence 2: the source is NoneType, not text"),
        (lambda: Corpus.from_texts(["a"], [[None]]), "sentence 1: a reference has neither text nor edits"),
        (lambda: Corpus(["a"], [[Reference()]]), "sentence 1: a reference has neither text nor edits"),
        (lambda: Corpus.from_texts(["a"]).system("mine", ["a", "b"]), "mine has 2 sentences, the source 1"),
    ],
)
def test_refused(make, message):
    with pytest.raises(InputError) as refusal:
        make()
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    "make",
    [
        lambda: Corpus.from_texts(["ab"], ["cd"]),  # a list of texts, where lists of references belong
        lambda: Corpus.from_texts(["ab"]).system("mine", [None]),
        lambda: Corpus.from_texts(["ab"]).system("mine", "a"),
        lambda: Corpus(["ab"], [[Reference(edits=(Edit(0, 5, ("x",)),))]]),
    ],
    ids=["text for a list", "hypothesis without text", "text for hypotheses", "edit out of range"],
)
def test_what_python_users_get_wrong(make):
    with pytest.raises(InputError):
        make()


def test_input_errors_are_value_errors():
    assert issubclass(InputError, ValueError)


class TestHashes:
    """What the signature of a score says about its data."""

    BASE = Corpus(["a b", "c"], [[Reference(edits=(Edit(0, 1, ("x",)),))], [Reference(edits=())]])

    def test_the_same_for_the_same_data(self):
        again = Corpus(["a b", "c"], [[Reference(edits=(Edit(0, 1, ("x",)),), annotator="9")], [Reference(edits=())]])
        assert again.source_hash == self.BASE.source_hash
        assert again.reference_hash == self.BASE.reference_hash  # the annotator's name does not count
        assert len(again.source_hash) == 8

    @pytest.mark.parametrize(
        "references",
        [
            [[Reference(edits=(Edit(0, 1, ("y",)),))], [Reference(edits=())]],
            [[Reference(edits=(Edit(0, 1, ("x", "y")),))], [Reference(edits=())]],
            [[Reference(edits=(Edit(0, 1, ("x",), required=False),))], [Reference(edits=())]],
            [[Reference(edits=())], [Reference(edits=(Edit(0, 1, ("x",)),))]],
            [[Reference(edits=(Edit(0, 1, ("x",)),)), Reference(edits=())], []],
            [[Reference("x b")], [Reference("c")]],
        ],
        ids=["correction", "alternative", "optional", "moved", "other sentence", "text"],
    )
    def test_another_for_other_references(self, references):
        other = Corpus(self.BASE.sources, references)
        assert other.source_hash == self.BASE.source_hash
        assert other.reference_hash != self.BASE.reference_hash

    def test_sentences_do_not_run_together(self):
        assert Corpus.from_texts(["a", "b c"]).source_hash != Corpus.from_texts(["a b", "c"]).source_hash


def test_a_loaded_corpus_knows_where_it_came_from(tmp_path):
    (tmp_path / "src.txt").write_text("a\nb\n")
    corpus = load_corpus(tmp_path / "src.txt", [])
    with pytest.raises(InputError, match=rf"^mine has 1 sentences, {tmp_path}/src\.txt 2$"):
        corpus.system("mine", ["a"])


@given(st.lists(st.integers(0, 9)))
def test_offsets(lengths):
    offsets = offsets_of(lengths)
    assert offsets[0] == 0
    assert (offsets[1:] - offsets[:-1]).tolist() == lengths


WORDS = st.lists(st.sampled_from("abc"), max_size=6)


@given(WORDS, WORDS)
def test_plain_edits_lead_to_the_corrected_text(source, corrected):
    edits = plain_edits(source, corrected)
    assert apply_edits(source, edits) == " ".join(corrected)
    assert not overlap(edits)
    assert (edits == ()) == (source == corrected)
