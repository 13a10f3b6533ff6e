"""Plain edits: they give back the text, are as few as can be, and read well in any script."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from gecval import Corpus, load_corpus, load_systems, score
from gecval.corpus.edit import Edit, apply_edits
from gecval.edits import plain, plain_edits
from gecval.edits.errant import UntaggedExtractor, untagged_edits
from gecval.edits.plain import PlainExtractor
from gecval.runtime.run import Run

WORDS = st.lists(st.sampled_from(["a", "A", "b", "ab", "a-b", ",", ".", "b'a", "é", "犬"]), max_size=9)


def spans(source: str, corrected: str) -> list[tuple[int, int, str, str]]:
    edits = plain_edits(source.split(), corrected.split())
    return [(edit.start, edit.end, edit.correction, edit.type) for edit in edits]


@given(WORDS, WORDS)
def test_edits_lead_to_the_corrected_text(source: list[str], corrected: list[str]) -> None:
    edits = plain_edits(source, corrected)
    assert apply_edits(source, edits) == " ".join(corrected)
    assert bool(edits) == (source != corrected)
    ends = [0, *(edit.end for edit in edits)]
    assert all(end <= edit.start for end, edit in zip(ends, edits, strict=False))
    for edit in edits:
        assert edit.type == ("M" if edit.start == edit.end else "U" if not edit.correction else "R")


@given(WORDS, WORDS)
def test_no_more_words_change_than_must(source: list[str], corrected: list[str]) -> None:
    """A change of order counts once for all its words, so the bound is that of plain Levenshtein."""
    edits = plain_edits(source, corrected)
    assert len(edits) <= Levenshtein.distance(source, corrected)


@pytest.mark.parametrize(
    ("source", "corrected", "expected"),
    [
        # English: what neighbours have to do with each other
        ("He go to home .", "He goes home .", [(1, 2, "goes", "R"), (2, 3, "", "U")]),
        ("I saw acat there", "I saw a cat there", [(2, 3, "a cat", "R")]),
        ("the sub - way", "the subway", [(1, 4, "subway", "R")]),
        ("I saw acat their", "I saw a cat there", [(2, 3, "a cat", "R"), (3, 4, "there", "R")]),
        ("it rains , we stay", "it rains . We stay", [(2, 4, ". We", "R")]),
        ("it rains we stay", "it rains . We stay", [(2, 3, ". We", "R")]),
        ("at one o'clock we stay", "at one . We stay", [(2, 3, ".", "R"), (3, 4, "We", "R")]),  # no punctuation
        ("I look at TV", "I watch TV", [(1, 3, "watch", "R")]),
        ("a small of ink", "a smear ink", [(1, 2, "smear", "R"), (2, 3, "", "U")]),  # similar: 3 of 5
        ("a big house", "a large home", [(1, 2, "large", "R"), (2, 3, "home", "R")]),
        ("what it is", "what is it", [(1, 3, "is it", "R")]),
        ("the the cat", "the cat", [(1, 2, "", "U")]),
        ("cat sat", "The old cat sat", [(0, 0, "The old", "M")]),
        # German, Russian, Arabic (right to left), Japanese (segmented), Hindi
        ("Ich gehe in die Schule zu Fuss", "Ich gehe zu Fuß in die Schule", None),
        ("Er hat das Buch geleßen .", "Er hat das Buch gelesen .", [(4, 5, "gelesen", "R")]),
        ("Я любить читать книга .", "Я люблю читать книги .", [(1, 2, "люблю", "R"), (3, 4, "книги", "R")]),
        ("ذهبت الى المدرسه أمس", "ذهبت إلى المدرسة أمس", [(1, 2, "إلى", "R"), (2, 3, "المدرسة", "R")]),
        ("私 わ 学校 に 行く", "私 は 学校 へ 行く", [(1, 2, "は", "R"), (3, 4, "へ", "R")]),
        ("मैं घर जाता है ।", "मैं घर जाता हूँ ।", [(3, 4, "हूँ", "R")]),
        # not words
        ("nice 😀", "nice 😀 😀 !", None),
        ("", "a b", [(0, 0, "a b", "M")]),
        ("a b", "", [(0, 2, "", "U")]),
        ("", "", []),
    ],
)
def test_examples(source: str, corrected: str, expected: list[tuple[int, int, str, str]] | None) -> None:
    assert apply_edits(source.split(), plain_edits(source.split(), corrected.split())) == corrected
    if expected is not None:
        assert spans(source, corrected) == expected


def test_long_sentences_end() -> None:
    source, corrected = [f"a{i}" for i in range(500)], [f"b{i}" for i in range(480)]
    assert apply_edits(source, plain_edits(source, corrected)) == " ".join(corrected)


@pytest.mark.parametrize(
    ("words", "others", "edits"),
    [
        (200, 200, 200),  # 40,000 cells are aligned, and every word is replaced by another
        (221, 181, 1),  # 40,001 are too many: a rewrite is one edit
    ],
)
def test_a_rewrite_of_hundreds_of_words_is_one_edit(words: int, others: int, edits: int) -> None:
    """The words that both texts begin with do not count."""
    source = ["the", "same", "start", *("a" * 5 for _ in range(words))]
    corrected = ["the", "same", "start", *("b" * 5 for _ in range(others))]
    made = plain_edits(source, corrected)
    assert len(made) == edits
    assert (made[0].start, made[-1].end, {edit.type for edit in made}) == (3, 3 + words, {"R"})
    assert apply_edits(source, made) == " ".join(corrected)


def test_a_long_text_is_aligned_between_words_that_stay() -> None:
    """Its edits are those of its parts."""
    source = [f"w{i}" for i in range(300)]
    corrected = [*source[:50], "W50", *source[51:100], *source[102:200], "new", "words", *source[200:298], *"xyz"]
    made = [(edit.start, edit.end, edit.correction, edit.type) for edit in plain_edits(source, corrected)]
    assert made == [
        (50, 51, "W50", "R"),
        (100, 102, "", "U"),
        (200, 200, "new words", "M"),
        (298, 300, "x y z", "R"),
    ]


def test_extractor_keeps_step_and_tells_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs go through in blocks, each distinct one once."""
    monkeypatch.setattr(plain, "BLOCK", 2)
    pairs = [("a b", "a  b"), ("", ""), ("a", "b"), ("a", ""), ("a", "b"), ("c", "c d")]
    calls: list[tuple[int, int]] = []
    extracted = PlainExtractor().edits(pairs, run=Run(progress=lambda done, total: calls.append((done, total))))
    assert [len(edits) for edits in extracted] == [0, 0, 1, 1, 1, 1]
    assert extracted[5] == (Edit(1, 1, ("d",), "M"),)
    assert calls == [(2, 5), (4, 5), (5, 5)]


def test_half_of_a_surrogate_pair_is_a_letter() -> None:
    source, corrected = "a \ud800b c", "a b\udfff c"
    [edits] = PlainExtractor().edits([(source, corrected)])
    assert edits == (Edit(1, 2, ("b\udfff",), "R"),) == plain_edits(source.split(), corrected.split())


# Edits over words without tags against MultiGEC's fork of ERRANT: its M2 files, and its scores.


pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")


def unpacked(path: Path, folder: Path) -> Path:
    target = folder / path.stem
    target.write_bytes(gzip.decompress(path.read_bytes()))
    return target


@pytest.mark.parametrize("name", ["fork-it", "fork-sv", "fork-de-nelb", "fork-uk-essays.ref12"])
def test_edits_are_those_of_the_fork(golden: Path, tmp_path: Path, name: str) -> None:
    """Spans and corrections; the fork's types mean nothing. Its own edits lead to the corrected texts."""
    corpus = load_corpus(None, [unpacked(golden / f"multi/errant/{name}.blank.m2.gz", tmp_path)])
    edits = [reference.edits or () for listed in corpus.references for reference in listed]
    sources = [source for source, listed in zip(corpus.sources, corpus.references, strict=True) for _ in listed]
    corrected = [apply_edits(source.split(), found) for source, found in zip(sources, edits, strict=True)]
    mine = UntaggedExtractor().edits(list(zip(sources, corrected, strict=True)))
    assert [[(e.start, e.end, e.correction) for e in found] for found in mine] == [
        [(e.start, e.end, e.correction) for e in found] for found in edits
    ]
    assert sum(map(len, edits)) > 1000


@pytest.mark.parametrize(("level", "flag"), [("correction", "-cs"), ("detection", "-ds")])
def test_scores_of_german(data: Path, golden: Path, level: str, flag: str) -> None:
    scores = json.loads((golden / "multi/errant/fork_scores.json").read_text())["scores"]
    corpus = load_corpus(None, [data / "multi/de/falko-merlin/fm-test.m2"])
    outputs = (data / "multi/de/systems/nelb.tok").read_text("utf-8").splitlines()
    [made] = score(corpus, {"nelb": outputs}, [f'errant(model="multigec", level="{level}")'])
    parts = made.parts
    values = [parts["tp"], parts["fp"], parts["fn"], parts["precision"], parts["recall"], made.score]
    assert [round(value, 4) for value in values] == scores[f"de-nelb vs human gold {flag}"]
    assert "|multigec|errant:3" in made.signature


@pytest.mark.parametrize(("level", "flag"), [("correction", "-cs"), ("detection", "-ds")])
def test_scores_of_ukrainian_essays(data: Path, golden: Path, level: str, flag: str) -> None:
    """MultiGEC's essays, cut by syntok; the third annotator is the system."""
    pytest.importorskip("syntok", reason="needs the extra: pip install 'gecval[multigec]'")
    expected = json.loads((golden / "multi/errant/fork_scores.json").read_text())
    files = [data / f"multi/multigec-format/uk-ua_gec-{name}-sample.md" for name in ("orig", "ref1", "ref2", "ref3")]
    corpus = load_corpus(files[0], files[1:3])
    [system] = load_systems([files[3]], corpus)
    few = expected["uk essays"]
    part = Corpus([corpus.sources[i] for i in few], [corpus.references[i] for i in few])
    outputs = {"ref3": [system.hypotheses[i] for i in few]}
    [made] = score(part, outputs, [f'errant(model="multigec", level="{level}")'])
    values = [*(made.parts[name] for name in ("tp", "fp", "fn", "precision", "recall")), made.score]
    assert [round(value, 4) for value in values] == expected["scores"][f"uk-essays hyp=ref3 refs=1,2 {flag}"]


def test_types_say_what_happens() -> None:
    assert untagged_edits("Wir gehen nach Haus", "Wir geht jetzt nach Haus") == (Edit(1, 2, ("geht jetzt",), "R"),)
    assert untagged_edits("a b", "a") == (Edit(1, 2, ("",), "U"),)
    assert untagged_edits("a", "a b") == (Edit(1, 1, ("b",), "M"),)
    assert untagged_edits("", "") == ()


def test_it_reads_any_language() -> None:
    corpus = Corpus.from_texts(["Він пішов додому ."], [["Він пішла додому ."]], language="uk")
    [made] = score(corpus, {"x": ["Він пішла додому ."]}, ['errant(model="multigec")'])
    assert made.score == 1.0
    assert "lang:" not in made.signature
