"""Corpus and System: what the gate lets through, what it refuses, and what a signature can rely on."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, System, load_corpus, load_systems, metric, score
from gecval.corpus.edit import apply_edits, overlap
from gecval.corpus.encoding import Encoded
from gecval.corpus.references import MadeOnDemand, ReferenceTable, offsets_of
from gecval.edits import plain_edits
from gecval.edits.plain import PlainExtractor
from gecval.metrics.evaluation import Evaluation


def test_ragged_references():
    corpus = Corpus.from_texts(["a", "b", "c"], [["x"], ["y", "z"], []])
    assert len(corpus) == 3
    assert corpus.reference_slots.tolist() == [0, 1, 3, 3]
    assert corpus.reference_texts == ["x", "y", "z"]
    assert corpus.reference_count == "0-2"
    assert [reference.annotator for reference in corpus.references[1]] == ["0", "1"]


def test_no_references_at_all():
    corpus = Corpus.from_texts(["a", "b"])
    assert corpus.references == [[], []]
    assert corpus.reference_count == "0"


def test_text_from_edits_unless_it_is_given():
    edits = (Edit(1, 2, ("goes", "went")), Edit(3, 3, (".",)))
    corpus = Corpus(["He go home"], [[Reference(edits=edits), Reference("He left .", edits), Reference(edits=())]])
    assert corpus.texts_of(0) == ["He goes home .", "He left .", "He go home"]
    assert corpus.has_edits()


@pytest.mark.parametrize("shown", [slice(None), slice(None, None, -1)], ids=["in order", "the other way round"])
def test_tokens_from_edits_in_any_order(shown: slice, tmp_path: Path):
    """Edits apply by start, then by end: an insertion comes before what replaces the word after it."""
    edits = ["1 1|||M|||x", "1 2|||R|||y z", "3 3|||M|||w"][shown]
    gold = "".join(f"A {edit}|||REQUIRED|||-NONE-|||0\n" for edit in edits)
    (tmp_path / "gold.m2").write_text(f"S a b c\n{gold}\n")
    corpus = load_corpus(None, [tmp_path / "gold.m2"])
    encoded = Encoded.of(corpus)
    assert [encoded.vocabulary.tokens()[i] for i in encoded.reference_tokens().ids] == ["a", "x", "y", "z", "c", "w"]
    assert corpus.texts_of(0) == ["a x y z c w"]


def test_tokens():
    corpus = Corpus.from_texts(["a b", "", "b  a\tc"], [["a"], ["é"], ["b"]])
    encoded = Encoded.of(corpus)
    ids, offsets = encoded.source_tokens()
    assert offsets.tolist() == [0, 2, 2, 5]
    assert [encoded.vocabulary.tokens()[i] for i in ids] == ["a", "b", "b", "a", "c"]
    hypotheses = encoded.hypothesis_tokens(corpus.system("x", ["c", "", "a"]))
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
        (lambda: Corpus.from_texts(["a"]).system("mine", [None]), "sentence 1 of the output of mine is None, not text"),
        (lambda: System("mine", "a b"), "the output of mine must be a list of texts, not a text"),
    ],
)
def test_refused(make, message):
    with pytest.raises(InputError) as refusal:
        make()
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    "make",
    [
        lambda: Corpus.from_texts(["ab"]).system("mine", [None]),
        lambda: Corpus.from_texts(["ab"]).system("mine", "a"),
        lambda: Corpus(["ab"], [[Reference(edits=(Edit(0, 5, ("x",)),))]]),
    ],
    ids=["hypothesis without text", "text for hypotheses", "edit out of range"],
)
def test_what_python_users_get_wrong(make):
    with pytest.raises(InputError):
        make()


SOURCES = ["He go home .", "She like apple .", "I has two cat ."]
CORRECTED = ["He goes home .", "She likes apples .", "I have two cats ."]
REWRITTEN = ["He went home .", "She is fond of apples .", "I own a pair of cats ."]
UNTOUCHED = SOURCES
TURNED = "references[i] must be the references of sentence i; they seem to be [reference][sentence]: turn them round"
TEXTS = "references[i] must be the list of references of sentence i, not a text; with one reference a sentence, write"


@pytest.mark.parametrize(
    ("references", "hint"),
    [
        (CORRECTED[:-1], TEXTS),
        (CORRECTED[0], TEXTS),
        ([CORRECTED], TURNED),
        ([CORRECTED, REWRITTEN], TURNED),
        ([CORRECTED, REWRITTEN, UNTOUCHED], TURNED),  # a square: only the texts tell
        ([CORRECTED, REWRITTEN, UNTOUCHED, CORRECTED], TURNED),
    ],
    ids=["texts", "one text", "one reference", "fewer references", "square", "more references"],
)
def test_references_the_other_way_round_get_a_hint(references, hint):
    with pytest.raises(InputError) as refusal:
        Corpus.from_texts(SOURCES, references)
    assert str(refusal.value).startswith(hint)
    assert refusal.value.parameters == ("references",)


def test_a_square_of_references_that_is_right():
    columns = [CORRECTED, REWRITTEN, UNTOUCHED]
    corpus = Corpus.from_texts(SOURCES, list(zip(*columns, strict=True)))
    assert corpus.texts_of(1) == ["She likes apples .", "She is fond of apples .", "She like apple ."]
    alike = Corpus.from_texts(["a", "a"], [["b", "a"], ["a", "b"]])  # likeness says nothing: taken as given
    assert alike.reference_texts == ["b", "a", "a", "b"]
    doubtful = [["a b c", "x y z"], ["x y w", "x y z"]]  # one text for each way: taken as given
    assert Corpus.from_texts(["a b c", "x y z"], doubtful).texts_of(0) == ["a b c", "x y z"]
    unlike = [["a b c", "x y z"], ["qqqqq", "x y z"]]  # one text for the other way, and one that is like neither
    assert Corpus.from_texts(["a b c", "x y z"], unlike).texts_of(1) == ["qqqqq", "x y z"]
    assert Corpus.from_texts(["a"], [["z"]]).reference_texts == ["z"]


PADDED = "  About 95 species are\u3000"


class TestTextsInMemoryAreReadAsFilesAre:
    """Blanks at both ends of a text mean nothing, wherever it comes from."""

    def test_every_way_through_the_gate(self):
        corpus = Corpus([PADDED, "a\nb"], [[Reference(PADDED)], [Reference("\ta\n")]])
        assert corpus.sources == ["About 95 species are", "a b"]
        assert corpus.reference_texts == ["About 95 species are", "a"]
        assert Corpus.from_texts([PADDED], [[PADDED]]).reference_texts == ["About 95 species are"]
        assert corpus.system("mine", [" x ", "y"]).hypotheses == System("mine", ["x ", " y"]).hypotheses == ["x", "y"]

    def test_clean_texts_are_not_copied(self):
        corpus = Corpus.from_texts(SOURCES, [[text] for text in CORRECTED])
        assert corpus.sources is SOURCES
        assert corpus.system("mine", CORRECTED).hypotheses is CORRECTED

    @pytest.mark.parametrize("name", ["sari", "ld", "gleu", "accuracy", "m2"])
    def test_scores_and_signatures_are_those_of_files(self, tmp_path, name):
        texts = {"src": " a b c ", "ref": "a b d\t", "out": "  a b d  "}
        for file, text in texts.items():
            (tmp_path / file).write_text(f"{text}\n", encoding="utf-8")
        read = load_corpus(tmp_path / "src", [tmp_path / "ref"])
        given = Corpus.from_texts([texts["src"]], [[texts["ref"]]])
        [of_files] = score(read, load_systems([tmp_path / "out"], read), [metric(name)], edits=PlainExtractor())
        [of_texts] = score(given, {"out": [texts["out"]]}, [metric(name)], edits=PlainExtractor())
        assert of_texts == of_files


def test_blanks_around_a_text_are_no_tokens():
    """To SARI, which splits at single spaces, they were."""
    corpus = Corpus.from_texts([" a b "], [[" a c "]])
    evaluation = Evaluation.of(metric("sari(n=1)"), corpus, System("mine", [" a c "]))
    assert evaluation.score() == 1.0


@pytest.mark.parametrize(
    ("references", "shown"),
    [
        ([["x"], ["y"]], "<Corpus of 2 sentences with 1 reference>"),
        ([["x"], ["y", "z"]], "<Corpus of 2 sentences with 1-2 references>"),
        ([], "<Corpus of 2 sentences with no references>"),
    ],
)
def test_a_corpus_prints_in_a_line(references, shown):
    corpus = Corpus.from_texts(["a", "b"], references)
    assert repr(corpus) == str(corpus) == shown
    assert repr(corpus.system("mine", ["a", "b"])) == "<System mine with 2 sentences>"


def test_what_is_derived_from_a_corpus_is_made_once():
    made = []

    def lengths(corpus: Corpus) -> list[int]:
        made.append(corpus)
        return [len(source) for source in corpus.sources]

    corpus = Corpus.from_texts(["a b", ""])
    assert corpus.derive(lengths) is corpus.derive(lengths)
    assert corpus.derive(lengths) == [3, 0]
    assert made == [corpus]
    assert Encoded.of(corpus) is Encoded.of(corpus)


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
        assert Corpus.from_texts(["ab", "c"]).source_hash != Corpus.from_texts(["a", "bc"]).source_hash


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


def test_a_list_of_references_that_sentences_share_must_go_with_each_of_them():
    edits = [Reference("a c", edits=(Edit(1, 2, ("c",)),))]
    with pytest.raises(InputError, match="sentence 2: edit 1 2 is out of range; it has 1 tokens"):
        Corpus(["a b", "a"], [edits, edits])
    texts = [Reference("a c"), Reference("", edits=())]
    assert Corpus(["a b", "a"], [texts, texts]).reference_slots.tolist() == [0, 2, 4]
    with pytest.raises(InputError, match="sentence 2: a reference has neither text nor edits"):
        Corpus(["a b", "a"], [texts, [Reference()]])


def test_an_edit_without_any_correction_is_refused():
    with pytest.raises(InputError, match=r'^sentence 2: edit 0 1 has no correction; "" deletes$'):
        Corpus(["a", "a"], [[Reference("a")], [Reference(edits=(Edit(0, 1, ()),))]])


class TestTokensOfHypotheses:
    corpus = Corpus.from_texts(["a b"])

    def test_the_next_metric_finds_them_made(self):
        encoded = Encoded(self.corpus)
        system = self.corpus.system("A", ["a c"])
        made = encoded.hypothesis_tokens(system)
        same = self.corpus.system("another name", ["a c"])
        assert encoded.hypothesis_tokens(same) is made
        assert encoded.hypothesis_tokens(same, "space") is made  # blanks make no difference here
        assert encoded.hypothesis_tokens(self.corpus.system("A", ["c a"])).ids.tolist() == [1, 0]

    def test_kinds_of_blanks_that_differ_are_kept_apart(self):
        encoded = Encoded(self.corpus)
        system = self.corpus.system("A", ["a  c"])
        words, pieces = encoded.hypothesis_tokens(system), encoded.hypothesis_tokens(system, "space")
        assert (len(words.ids), len(pieces.ids)) == (2, 3)
        assert encoded.hypothesis_tokens(system) is words
        assert encoded.hypothesis_tokens(system, "space") is pieces

    def test_a_list_that_changes_is_read_again(self):
        encoded = Encoded(self.corpus)
        texts = ["a c"]
        system = self.corpus.system("A", texts)
        before = encoded.hypothesis_tokens(system).ids.tolist()
        texts[0] = "c c"
        assert (before, encoded.hypothesis_tokens(system).ids.tolist()) == ([0, 1], [1, 1])

    @pytest.mark.parametrize(("room", "kept"), [(4, True), (3, False)])  # two tokens, and two ends
    def test_very_large_outputs_are_not_kept(self, room, kept, monkeypatch):
        monkeypatch.setattr("gecval.corpus.encoding.KEPT", room)
        encoded = Encoded(self.corpus)
        system = self.corpus.system("A", ["a c"])
        made = encoded.hypothesis_tokens(system)
        assert (encoded.hypothesis_tokens(system) is made) == kept
        assert encoded.hypothesis_tokens(system).ids.tolist() == made.ids.tolist()
        assert encoded.source_tokens() is encoded.source_tokens()

    def test_lower_case_forms_of_all_tokens_so_far(self):
        encoded = Encoded(Corpus.from_texts(["The the cat"]))
        encoded.source_tokens()
        assert encoded.lower_case_ids().tolist() == [0, 0, 1]
        assert encoded.lower_case_ids() is encoded.lower_case_ids()
        encoded.hypothesis_tokens(self.corpus.system("A", ["CAT dog"]))
        assert encoded.lower_case_ids().tolist() == [0, 0, 1, 1, 2]

    def test_lower_case_forms_reach_the_last_token_whatever_another_thread_keeps(self):
        class Shared(Encoded):
            """Another thread, which saw fewer tokens, keeps its forms at the same moment."""

            def __setattr__(self, name, value):
                super().__setattr__(name, value[:1] if name == "_lower_case" else value)

        encoded = Shared(Corpus.from_texts(["The the cat"]))
        encoded.source_tokens()
        assert encoded.lower_case_ids().tolist() == [0, 0, 1]


def test_a_list_of_edits_that_sentences_share_is_checked_against_each():
    edits, text = [Reference(edits=(Edit(1, 2, ("x",)),)), Reference("b")], [Reference("b"), Reference(edits=())]
    assert len(Corpus(["a b", "a b"], [edits, edits])) == 2
    assert len(Corpus(["a b", "a"], [text, text])) == 2
    with pytest.raises(InputError, match=r"^sentence 2: edit 1 2 is out of range; it has 1 tokens$"):
        Corpus(["a b", "a"], [edits, edits])


ANY = 'errant(model="plain")'
TYPED = 'for types errant(lang="ru", model=...) with a parser or "none",'
RUSSIAN, CHINESE, SHORT = "ж" * 20, "文" * 20, "文" * 8


@pytest.mark.parametrize(
    ("source", "said", "likely", "message"),
    [
        ("He go .", None, None, None),
        ("He go .", "EN", "en", None),
        (RUSSIAN, "English", "en", None),
        (RUSSIAN, None, "ru", f"the source looks Russian; choose {ANY}, {TYPED} or another metric, or say that the "
         "language is en"),
        ("He go .", "ru", "ru", f"the source is Russian; choose {ANY}, {TYPED} or another metric"),
        (CHINESE, None, "zh", f'the source looks Chinese; choose errant(lang="zh"), {ANY} or another metric, or '
         "say that the language is en"),
        (SHORT, None, None, f'the source is written in other letters; choose errant(lang="zh"), {ANY} or another '
         "metric, or say what the language is"),
    ],
)  # fmt: skip
def test_texts_are_not_judged_by_the_rules_of_another_language(source, said, likely, message):
    corpus = Corpus.from_texts([source], [source], language=said)
    assert (corpus.likely_language, corpus.language) == (likely, likely if said else None)
    corpus.check_language("errant", None)  # it judges any language
    if message is None:
        corpus.check_language("errant", "en")
        return
    with pytest.raises(InputError) as refusal:
        corpus.check_language("errant", "en")
    assert str(refusal.value) == f"errant judges English only, and {message}"
    known = 'errant(lang="zh")' if likely != "ru" else ANY
    said_to_be = () if said else ("language=en" if likely else "language=zh",)
    assert refusal.value.parameters == (f"metrics={known}", *said_to_be)


def test_a_corpus_that_is_sent_away_takes_along_what_was_given():
    corpus = Corpus.from_texts(["a b"], [["c"]], language="en")
    corpus.derive(len)
    sent = pickle.loads(pickle.dumps(corpus))
    assert (sent.sources, sent.references, sent.language) == (["a b"], [[Reference("c")]], "en")
    assert sent._derived == {}
    assert sent.derive(len) == 1


def test_all_texts_are_cut_into_characters():
    corpus = Corpus.from_texts(["他去"], [["他 来"]], tokenize="char")
    assert (corpus.sources, corpus.reference_texts) == (["他 去"], ["他 来"])
    assert corpus.system("mine", ["来了"]).hypotheses == ["来 了"]
    assert corpus.system("mine", iter(["来了"])).hypotheses == ["来 了"]
    with pytest.raises(InputError, match="sentence 1 of the output of mine is None, not text"):
        corpus.system("mine", [None])


def test_texts_of_other_types_of_text():
    corpus = Corpus.from_texts(["a"])
    system = corpus.system("mine", np.array(["b"]).tolist())
    assert System("mine", [np.str_("b")]).hypotheses == system.hypotheses == ["b"]
    assert (system.realigned, corpus.given_edits) == (False, False)


# References as arrays: sentences that share a list of references share its edits, and nobody sees a difference.


EDITS = st.lists(st.sampled_from([Edit(0, 1, ("x",), "R"), Edit(1, 1, ("y", "z"), "M"), Edit(1, 2, ("",), "U")]))
REFERENCES = st.lists(
    st.builds(Reference, st.none(), EDITS.map(tuple), st.sampled_from(["0", "1", "Anna"])), min_size=1, max_size=3
)


@given(st.lists(REFERENCES, min_size=1, max_size=4), st.data())
def test_shared_lists_are_as_lists_of_their_own(lists: list[list[Reference]], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(lists) - 1), min_size=1, max_size=8))
    shared = ReferenceTable.of([lists[k] for k in chosen])
    own = ReferenceTable.of([list(lists[k]) for k in chosen])
    assert [shared.make(i) for i in range(len(chosen))] == [list(lists[k]) for k in chosen]
    assert [own.make(i) for i in range(len(chosen))] == [list(lists[k]) for k in chosen]
    assert len(shared.edits) == sum(len(reference.edits or ()) for k in set(chosen) for reference in lists[k])
    assert (shared.names, shared.types, shared.corrections) == (own.names, own.types, own.corrections)


def test_scores_of_shared_references() -> None:
    lists = [
        [
            Reference(None, (Edit(0, 1, ("x",), "R"),)),
            Reference(None, (Edit(1, 1, ("y",), "M"), Edit(1, 2, ("",), "U"))),
        ],
        [Reference(None, ())],
    ]
    sources, outputs = ["a b"] * 4, ["x b", "a y", "a b", "x"]
    chosen = [0, 0, 1, 0]
    shared = Corpus(sources, [lists[k] for k in chosen])
    own = Corpus(sources, [list(lists[k]) for k in chosen])
    for name in ("m2", "imeasure", "gleu(n=1)"):
        [of_shared], [of_own] = (score(corpus, {"s": outputs}, [name]) for corpus in (shared, own))
        assert of_shared.score == of_own.score
        assert of_shared.score > 0


class Repeated(MadeOnDemand[list[Reference]]):
    def __len__(self) -> int:
        return 3

    def make(self, i: int) -> list[Reference]:
        return [Reference(None, (Edit(0, 1, ("x",), "R"),)), Reference(None, (Edit(1, 2, ("y" * i,), "R"),))]


def test_lists_that_are_made_on_demand() -> None:
    """Whoever asks again gets another list with the same references."""
    assert [ReferenceTable.of(Repeated()).make(i) for i in range(3)] == list(Repeated())
    for name, expected in (("m2", 1.0), ("imeasure", 1.0)):
        [scored] = score(Corpus(["a b"] * 3, Repeated()), {"s": ["x b"] * 3}, [name])
        assert scored.score == expected


def test_tables_are_equal_where_all_their_references_are() -> None:
    one, other = [Reference(edits=(Edit(0, 1, ("x",)),))], [Reference(edits=())]
    table = ReferenceTable.of([one, other])
    assert table == [one, other]
    assert table != [one, one]
    assert table != [one]
    assert table != {0: one, 1: other}
