"""A corpus of texts becomes a corpus of edits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gecval import Corpus, Edit, InputError, Reference, load_corpus, load_systems, metric, score
from gecval.edits.annotate import annotate
from gecval.edits.extractors import M2Extractor, extractor
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


# Edits that come with the outputs are taken as they are.


# Two edits where any extractor of ours would find one.
M2 = """S He go to home .
A 1 2|||R|||goes|||REQUIRED|||-NONE-|||0
A 2 3|||U||||||REQUIRED|||-NONE-|||0

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""
EDITS = (Edit(1, 2, ("goes",), type="R"), Edit(2, 3, ("",), type="U"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.m2"
    path.write_text(M2)
    return path


def test_a_file_and_a_folder(file: Path) -> None:
    for name in (str(file), str(file.parent)):
        found = extractor(name)
        assert isinstance(found, M2Extractor)
        assert found.language is None
        pairs = [("He go to home .", "He goes  home ."), ("Fine .", "Fine ."), ("He go to home .", "He go to home .")]
        assert found.edits(pairs) == [EDITS, (), ()]
        assert found.signature == extractor(str(file)).signature
        assert re.fullmatch("given:[0-9a-f]{8}", found.signature)


def test_a_file_that_changed_is_read_again(file: Path) -> None:
    pairs = [("He go to home .", "He went home .")]
    before = extractor(str(file)).signature
    file.write_text(M2.replace("goes", "went"))
    assert extractor(str(file)).edits(pairs) == [(Edit(1, 2, ("went",), type="R"), EDITS[1])]
    assert extractor(str(file)).signature != before


def test_edits_of_other_outputs(file: Path) -> None:
    with pytest.raises(InputError, match=r"mine\.m2 has no edits that make 'He went home \.' of 'He go to home \.'"):
        extractor(str(file)).edits([("He go to home .", "He went home .")])
    with pytest.raises(InputError, match="no such file"):
        extractor("nowhere.m2").edits([("a", "b")])


@pytest.mark.parametrize("metric", ['cleme(edits="{}")', 'errant(model="{}")', 'gotoscorer("none", edits="{}")'])
def test_metrics_take_them(file: Path, metric: str) -> None:
    corpus = load_corpus(None, [file])
    spelled = metric.format(file)
    [result] = score(corpus, {"mine": ["He goes home .", "Fine ."]}, [spelled])
    assert result.score == 1.0
    assert "|given:" in result.signature
    one = Corpus(corpus.sources, load_corpus(None, [file]).references)
    with pytest.raises(InputError, match="has no edits"):
        score(one, {"mine": ["He went home .", "Fine ."]}, [spelled])


def test_the_tools_own_edits(golden: Path, data: Path) -> None:
    """CLEME from files alone: as in test_cleme.py, where the edits are handed over in Python."""
    corpus = load_corpus(None, [golden / "errant" / "nucle2_ref.m2.gz"])
    systems = load_systems([data / "conll14" / "systems" / "AMU"], corpus)
    file = golden / "errant" / "hyp_AMU.m2.gz"
    [result] = score(corpus, systems, [f'cleme(edits="{file}")'])
    assert round(result.score, 4) == 0.2514
    assert result.parts["tp"] == pytest.approx(313.5272790862255, abs=1e-9)
