"""The native M2 reader: what it takes, it reads as the parser does; what the parser refuses, it leaves alone."""

from __future__ import annotations

import os
import tempfile
import threading
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from gecval import Corpus, InputError
from gecval.corpus.encoding import Encoded
from gecval.formats import MISSING, M2File, load_corpus, read_m2
from gecval.formats import m2_files as m2_columns
from gecval.formats.m2_files import ListedAnnotations, M2Columns, parse_m2, read_columns
from gecval.runtime.run import Run
from oracles import annotators as oracle

SPANS = st.tuples(st.integers(0, 3), st.integers(0, 2)).map(lambda span: f"{span[0]} {span[0] + span[1]}")
ODD_SPANS = st.sampled_from(
    ["+1 2", "1_0 2", "٠ 1", "-0 1", "01\u00a02", " 0\t1 ", "1", "0 1 2", "2 1", "0 99", "0 9999999999"]
)
CORRECTIONS = st.sampled_from(["x", "x y", " é ", "-NONE-", "", "a|b", "x||y", "x|| -NONE- ", "||", "\u3000z"])
REQUIRED = st.sampled_from(["REQUIRED", "OPTIONAL", " optional\u00a0", "optıonal", ""])
ANNOTATORS = st.sampled_from(["0", "1", " 1 ", "10", "2", "", "ann\u2028", "\u00a0ann"])
SENTENCES = st.lists(st.sampled_from(["a", "b", "é", "👩", "|||", "a\u200bb"]), max_size=4)
BLANKS = st.sampled_from([" ", "  ", "\t", "\u00a0", "\u2028", "\x1c"])
BETWEEN = st.sampled_from(["", "", " \t", "\u2003", "\n"])
ODD_LINES = st.sampled_from(
    ["I remark", "S", "Sx", "A", "A ", "A 0 1|||R", "A 0 1||||R|||x|||y|||z|||0", "x", "\ufeff"]
)


@st.composite
def paragraphs(draw: st.DrawFn, odd: bool) -> list[str]:
    """A paragraph that is plain, or may hold anything."""
    blank = draw(BLANKS)
    lines = ["S " + blank.join(tokens) for tokens in draw(st.lists(SENTENCES, min_size=1, max_size=2 if odd else 1))]
    length = sum(len(line[2:].split()) for line in lines)
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, length))
        plain = st.integers(start, length).map(lambda end, start=start: f"{start} {end}")
        span = draw(st.one_of(plain, SPANS, ODD_SPANS) if odd else plain)
        kind = draw(st.sampled_from(["R", "M:DET", "noop", " noop"]))
        fields = [span, kind, draw(CORRECTIONS), draw(REQUIRED), "-NONE-", draw(ANNOTATORS)]
        lines.append("A " + "|||".join(fields))
    if odd and draw(st.booleans()):
        lines.insert(draw(st.integers(0, len(lines))), draw(ODD_LINES))
    return [*lines, draw(BETWEEN)]


@st.composite
def files(draw: st.DrawFn) -> bytes:
    odd = st.integers(0, 4).map(lambda number: number == 0)
    lines = [line for _ in range(draw(st.integers(0, 5))) for line in draw(paragraphs(draw(odd)))]
    content = draw(st.sampled_from(["", "", "\ufeff"])) + draw(st.sampled_from(["\n", "\r\n"])).join(lines)
    end = draw(st.sampled_from([b""] * 10 + [b"\n\n", b"\r\r\n", b"\0", b"\xff", "é".encode()[:1], b"\xed\xa0\x80"]))
    return content.encode() + end


def from_columns(path: Path, columns: M2Columns) -> M2File:
    return M2File(path, columns.sources, ListedAnnotations(columns.table), columns.noops)


def as_objects(corpus: Corpus) -> Corpus:
    return Corpus(list(corpus.sources), list(corpus.references))


@given(files(), st.integers(1, 3), st.integers(1, 200))
def test_reads_what_the_parser_reads(content: bytes, jobs: int, block: int):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gold.m2"
        path.write_bytes(content)
        columns = read_columns(path, run=Run(jobs=jobs), block=block)
        try:
            sources, annotations, noops = parse_m2(path)
        except InputError:
            assert columns is None
            return
    event("read" if columns else "left to the parser")
    parsed = M2File(path, sources, annotations, noops)
    file = from_columns(path, columns) if columns else parsed
    assert file == parsed
    assert file.annotators == parsed.annotators == (sorted_names(annotations) or ["0"])
    assert file.notes("absent") == parsed.notes("absent")
    assert file.table.count_overlapping() == oracle.overlapping(annotations)
    noted = any("annotators lack" in note for note in file.notes("absent"))
    can_matter = noops == 0 or len(file.annotators) > 2
    assert noted == (can_matter and oracle.silent(annotations, file.annotators) > 0)
    for missing in MISSING:
        expected = oracle.references(annotations, file.annotators, noops, missing)
        assert file.references(missing) == parsed.references(missing) == expected
        check_same_corpus(Corpus(file.sources, file.references(missing)))


@given(st.lists(paragraphs(odd=False), min_size=1, max_size=5), st.sampled_from(["\n", "\r\n"]), st.integers(1, 3))
def test_what_is_plain_is_never_left_to_the_parser(listed: list[list[str]], line_break: str, jobs: int):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gold.m2"
        path.write_bytes(line_break.join(line for lines in listed for line in lines).encode())
        columns = read_columns(path, run=Run(jobs=jobs))
        assert columns is not None
        assert from_columns(path, columns) == M2File(path, *parse_m2(path))


def sorted_names(annotations: list[dict[str, object]]) -> list[str]:
    names = {name for listed in annotations for name in listed}
    return [*sorted(filter(str.isdigit, names), key=int), *sorted(name for name in names if not name.isdigit())]


def check_same_corpus(corpus: Corpus) -> None:
    """What is made of columns is what is made of the objects."""
    objects = as_objects(corpus)
    assert corpus.reference_hash == objects.reference_hash
    assert corpus.reference_slots.tolist() == objects.reference_slots.tolist()
    for blanks in ("unicode", "ascii", "space"):
        assert words(corpus, blanks) == words(objects, blanks)


def words(corpus: Corpus, blanks: str) -> list[list[str]]:
    ids, offsets = Encoded.of(corpus).reference_tokens(blanks, run=Run(jobs=2))
    tokens = Encoded.of(corpus).vocabulary.tokens()
    return [[tokens[id] for id in ids[a:b]] for a, b in pairwise(offsets)]


@pytest.mark.parametrize("name", ["conll14/official-2014.combined-withalt.m2", "bryant-ng-2015/BN.m2"])
def test_published_files(data: Path, name: str):
    path = data / name
    columns = read_columns(path, run=Run(jobs=2))
    assert columns is not None
    assert from_columns(path, columns) == M2File(path, *parse_m2(path))
    check_same_corpus(load_corpus(None, [path]))


def test_other_sources_are_checked(tmp_path: Path):
    path = tmp_path / "gold.m2"
    path.write_text("S a b\nA 1 2|||R|||x|||REQUIRED|||-NONE-|||0\n")
    corpus = load_corpus(None, [path])
    with pytest.raises(InputError, match=r"^sentence 1: edit 1 2 is out of range; it has 1 tokens$"):
        Corpus(["a"], corpus.references)


def test_a_file_without_empty_lines_is_read_in_few_steps(tmp_path: Path):
    """Each step reads as much as there is, so that a rest of any length is copied a few times only."""
    path = tmp_path / "gold.m2"
    path.write_bytes(b"S a b\n" * 1000)
    assert [len(block) for block in m2_columns._paragraphs(path, 10)] == [0] * 10 + [6000]


def test_a_pipe_is_read_once(tmp_path: Path):
    pipe = tmp_path / "gold.m2"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=["S a\nA + 1|||R|||x|||REQUIRED|||-NONE-|||0\n"])
    writer.start()
    with pytest.raises(InputError, match=r"line 2: '\+ 1' are not two token offsets$"):
        read_m2(pipe)
    writer.join()


def test_sequences_made_on_demand(tmp_path: Path):
    path = tmp_path / "gold.m2"
    path.write_text("S a\n\nS b\n\nS c\n")
    references = read_m2(path).references()
    assert references[-1] == references[2]
    assert references[:2] == [references[0], references[1]]
    assert references != references[:2]
    with pytest.raises(IndexError):
        references[3]


def test_annotators_are_ordered_by_number_and_then_by_name(tmp_path: Path) -> None:
    path = tmp_path / "gold.m2"
    names = ["b", "10", "²", "9", "a", "٣"]
    path.write_text("S a b\n" + "".join(f"A 0 1|||R|||x|||REQUIRED|||-NONE-|||{name}\n" for name in names), "utf-8")
    assert read_m2(path).annotators == ["٣", "9", "10", "a", "b", "²"]
