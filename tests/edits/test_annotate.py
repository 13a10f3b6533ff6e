"""A corpus of texts becomes a corpus of edits."""

import pytest

from gecval import Corpus, Edit, InputError, Reference, metric, score
from gecval.edits.annotate import annotate
from gecval.edits.plain import PlainExtractor

KNOWN = (Edit(0, 1, ("We",), "R:PRON"),)


def test_only_references_without_edits_get_some() -> None:
    corpus = Corpus(
        ["I go .", "Fine ."],
        [[Reference("I went .", annotator="x"), Reference(edits=KNOWN, annotator="y")], [Reference("Fine .")]],
        ("a note",),
        "there",
    )
    annotated = annotate(corpus, PlainExtractor())
    assert annotated.references == [
        [Reference("I went .", (Edit(1, 2, ("went",), "R"),), "x"), Reference(edits=KNOWN, annotator="y")],
        [Reference("Fine .", ())],
    ]
    assert (annotated.notes, annotated.origin) == (("a note",), "there")
    assert annotated.has_edits()
    assert not corpus.has_edits()
    assert annotate(annotated, PlainExtractor()) is annotated


def test_a_source_with_the_same_references_is_annotated_once() -> None:
    shared, other = [Reference("I went ."), Reference("We go .", annotator="1")], [Reference("He goes .")]
    sources = ["I go .", "I go .", "We go .", "I go ."]
    corpus = Corpus(sources, [shared, shared, shared, other])
    annotated = annotate(corpus, PlainExtractor())
    alone = [annotate(Corpus([s], [r]), PlainExtractor()) for s, r in zip(sources, corpus.references, strict=True)]
    assert annotated.references == [single.references[0] for single in alone]
    assert annotated.references[0] is annotated.references[1]
    assert [len(reference.edits or ()) for reference in annotated.references[2]] == [2, 0]


def test_m2_scores_plain_references() -> None:
    corpus = Corpus.from_texts(["He go to home ."], [["He goes home ."]])
    with pytest.raises(InputError, match="needs edits"):
        metric("m2").check(corpus)
    annotated = annotate(corpus, PlainExtractor())
    outputs = [annotated.system("half", ["He goes to home ."]), annotated.system("all", ["He goes home ."])]
    half, everything = score(annotated, outputs, [metric("m2")])
    assert (half.parts["correct"], half.parts["gold"]) == (1, 2)
    assert everything.score == 1.0


def test_an_extractor_by_its_name() -> None:
    corpus = Corpus.from_texts(["I go ."], [["I went ."]])
    assert annotate(corpus, "plain").references == annotate(corpus, PlainExtractor()).references
    with pytest.raises(InputError, match="there is no extractor 'plaim'; did you mean plain"):
        annotate(corpus, "plaim")
