"""From one format to another and back nothing is lost, whatever the words are."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from gecval import Corpus, Edit, Reference
from gecval.edits import plain_edits
from gecval.formats import jsonl_lines, load_corpus, m2_lines, read_sentences, write_files

# Anything but white space, which separates tokens, half surrogates, and the signs that M2 cannot quote.
LETTERS = st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"], exclude_characters="|")
WORDS = st.text(LETTERS, min_size=1, max_size=4).filter(lambda word: word != "-NONE-")
SENTENCES = st.lists(WORDS, max_size=6).map(" ".join)


@st.composite
def annotated(draw: st.DrawFn) -> Corpus:
    """A few sentences with the same number of annotators each, edits in any order, alternatives included."""
    sources = draw(st.lists(SENTENCES, min_size=1, max_size=4))
    annotators = draw(st.integers(1, 3))

    def edits(length: int) -> st.SearchStrategy[tuple[Edit, ...]]:
        spans = st.tuples(st.integers(0, length), st.integers(0, length)).map(sorted)
        drawn = st.builds(
            lambda span, corrections, kind, required: Edit(*span, tuple(corrections), kind, required),
            spans,
            st.lists(SENTENCES, min_size=1, max_size=3),
            st.sampled_from(["R", "M:DET", "U"]),
            st.booleans(),
        )
        return st.lists(drawn, max_size=3).map(tuple)

    return Corpus(
        sources,
        [
            [Reference(edits=draw(edits(len(source.split()))), annotator=str(a)) for a in range(annotators)]
            for source in sources
        ],
    )


def written(name: str, lines: Iterable[str]) -> Corpus:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write_files({path: lines})
        return load_corpus(None, [path])


@given(annotated())
def test_m2(corpus: Corpus):
    again = written("x.m2", m2_lines(corpus))
    assert (again.sources, again.references) == (corpus.sources, corpus.references)
    assert (again.source_hash, again.reference_hash) == (corpus.source_hash, corpus.reference_hash)


@given(annotated())
def test_m2_to_jsonl_to_m2(corpus: Corpus):
    between = written("x.jsonl", jsonl_lines(corpus))
    assert [[reference.edits for reference in listed] for listed in between.references] == [
        [reference.edits for reference in listed] for listed in corpus.references
    ]
    assert list(m2_lines(between)) == list(m2_lines(corpus))


@given(st.lists(SENTENCES, min_size=1, max_size=4), st.data())
@example(["‏שלום עולם", "e\u0301 👩🏽‍💻", "a\u200bb"], None)
def test_text_to_m2_to_text(sources: list[str], data: st.DataObject | None):
    corrected = [data.draw(SENTENCES) for _ in sources] if data else [source[::-1] for source in sources]
    pairs = list(zip(sources, corrected, strict=True))
    corpus = Corpus(sources, [[Reference(edits=plain_edits(a.split(), b.split()))] for a, b in pairs])
    again = written("x.m2", m2_lines(corpus))
    assert again.sources == sources
    assert again.reference_texts == [" ".join(text.split()) for text in corrected]


ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(ANY_TEXT.filter(lambda text: "\n" not in text and "\0" not in text), min_size=1, max_size=5))
def test_text_lines(lines: list[str]):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.txt"
        write_files({path: lines})
        expected = [line.strip() for line in lines]
        expected[0] = lines[0].removeprefix("\ufeff").strip()
        assert read_sentences(path) == expected


@given(ANY_TEXT, ANY_TEXT)
def test_any_json_text_stays_on_one_line(source: str, reference: str):
    corpus = written("x.jsonl", [json.dumps({"source": source, "references": [reference]})])
    assert corpus.sources == [source.replace("\n", " ").strip()]
    assert corpus.reference_texts == [reference.replace("\n", " ").strip()]
    again = written("x.jsonl", jsonl_lines(corpus))
    assert (again.sources, again.reference_texts) == (corpus.sources, corpus.reference_texts)
