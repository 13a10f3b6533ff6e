"""An extractor that is asked about a pair once."""

from __future__ import annotations

from copy import copy

import pytest

from gecval.corpus import Corpus
from gecval.corpus.edit import Edit
from gecval.edits.extractors import CachedExtractor, CorpusEdits, extractor
from gecval.metrics import metric
from gecval.runtime.run import SERIAL, Run
from gecval.studies.scores.study import score

PAIRS = [("a b", "a c"), ("a b", "a b"), ("a b", "a c"), ("x", "y z")]


class Asked:
    """Plain edits; it notes what it was asked."""

    signature = "asked:1"
    language = "en"
    types = ("R",)

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def edits(
        self,
        pairs,
        *,
        run: Run = SERIAL,
    ):
        self.pairs += pairs
        return extractor("plain").edits(pairs)


class Renamed(Asked):
    """Another extractor under the same signature."""


@pytest.mark.parametrize(("limit", "again"), [(100, []), (4, [PAIRS[3]]), (2, [PAIRS[1], PAIRS[3]]), (0, "all")])
def test_each_pair_once(limit: int, again) -> None:
    asked = Asked()
    remembered = CachedExtractor(asked, limit=limit)
    right = extractor("plain").edits(PAIRS)
    assert right[0] == (Edit(1, 2, ("c",), type="R"),)
    assert remembered.edits(PAIRS) == right
    assert asked.pairs == [PAIRS[0], PAIRS[1], PAIRS[3]]
    asked.pairs.clear()
    assert remembered.edits(PAIRS) == right
    assert asked.pairs == ([PAIRS[0], PAIRS[1], PAIRS[3]] if again == "all" else again)


def test_it_is_the_extractor_otherwise() -> None:
    remembered = CachedExtractor(Asked())
    assert (remembered.signature, remembered.language, remembered.types) == ("asked:1", "en", ("R",))
    with pytest.raises(AttributeError, match="tokens"):
        remembered.tokens("a")


def test_a_copy_has_the_same_extractor() -> None:
    remembered = copy(CachedExtractor(Asked()))
    assert (remembered.signature, remembered.types) == ("asked:1", ("R",))
    assert remembered.edits(PAIRS) == extractor("plain").edits(PAIRS)


def test_metrics_of_a_corpus_share_what_an_extractor_said(monkeypatch) -> None:
    corpus = Corpus.from_texts(["a b", "x"], [["a c"], ["y z"]])
    outputs = [corpus.system("A", ["a c", "x"]), corpus.system("B", ["a b", "y"])]
    asked = Asked()
    monkeypatch.setattr("gecval.metrics.base.extractor", lambda name: asked)
    metrics = [metric(f'{name}(edits="asked")') for name in ("cleme", "cleme2", "gotoscorer")]
    score(corpus, outputs, metrics)
    assert asked.pairs == [("a b", "a c"), ("x", "y z"), ("a b", "a c"), ("x", "x"), ("a b", "a b"), ("x", "y")]


def test_extractors_are_told_apart_by_their_signatures() -> None:
    finders = CorpusEdits(Corpus.from_texts(["a"]))
    first, other = Asked(), Asked()
    other.signature = "asked:2"
    assert finders.cached(first) is finders.cached(Asked())
    assert finders.cached(other) is not finders.cached(first)
    assert finders.cached(Renamed()) is not finders.cached(first)  # another class, as of a module read anew
    finders.cached(other).edits(PAIRS)
    assert (len(first.pairs), len(other.pairs)) == (0, 3)


def test_an_edit_of_several_pairs_takes_room_once() -> None:
    pairs = [("a b", "a c"), ("x b", "x c"), ("y b", "y c")]
    asked = Asked()
    remembered = CachedExtractor(asked, limit=3)  # one edit and two pairs
    assert remembered.edits(pairs) == [(Edit(1, 2, ("c",), type="R"),)] * 3
    first, second, _ = remembered.edits(pairs)
    assert first[0] is second[0]
    assert asked.pairs == [*pairs, pairs[2]]


def test_what_is_known_takes_no_room_again() -> None:
    remembered = CachedExtractor(Asked(), limit=5)
    answers = dict(zip(PAIRS, extractor("plain").edits(PAIRS), strict=True))
    for _ in range(3):
        remembered.store(answers)
    asked = Asked()
    remembered._extractor = asked
    assert remembered.edits(PAIRS) == list(map(answers.get, PAIRS))
    assert asked.pairs == []


def test_extractors_of_two_languages_are_two() -> None:
    """Rules of a language give edits other types, and stand in the full signature alone."""
    finders = CorpusEdits(Corpus.from_texts(["a"]))
    other = Asked()
    other.language = "de"
    assert finders.cached(other) is not finders.cached(Asked())


class Loose(Asked):
    """Answers in other forms than tuples."""

    def __init__(self, form) -> None:
        super().__init__()
        self.form = form

    def edits(
        self,
        pairs,
        *,
        run: Run = SERIAL,
    ):
        return [self.form(edits) for edits in super().edits(pairs)]


@pytest.mark.parametrize(
    ("form", "asked"),
    [
        (iter, 3),  # what is read once
        (list, 3),
        (lambda edits: tuple(Edit(edit.start, edit.end, list(edit.corrections)) for edit in edits), 3 + 2),
    ],
)
def test_answers_in_other_forms_are_the_same_edits(form, asked: int) -> None:
    """An edit with a list has no hash. It is not remembered."""
    loose = Loose(form)
    remembered = CachedExtractor(loose)
    for _ in range(2):
        spans = [
            [(edit.start, edit.end, tuple(edit.corrections)) for edit in edits] for edits in remembered.edits(PAIRS)
        ]
        assert spans == [[(1, 2, ("c",))], [], [(1, 2, ("c",))], [(0, 1, ("y z",))]]
    assert len(loose.pairs) == asked
