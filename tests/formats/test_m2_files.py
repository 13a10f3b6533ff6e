"""M2: what real files hold is read, what cannot be meant is refused with its file and line."""

from __future__ import annotations

import os
import tempfile
import threading
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference
from gecval.corpus.encoding import Encoded
from gecval.formats import MISSING, M2File, load_corpus, m2_files, m2_lines, read_m2
from gecval.formats.m2_files import ListedAnnotations, M2Columns, parse_m2, read_columns
from gecval.runtime.run import Run
from oracles import annotators as oracle


@pytest.fixture
def m2(tmp_path: Path):
    def write(text: str | bytes) -> Path:
        path = tmp_path / "gold.m2"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def edit(span: str, correction: str = "x", annotator: str = "0", kind: str = "R", required: str = "REQUIRED") -> str:
    return f"A {span}|||{kind}|||{correction}|||{required}|||-NONE-|||{annotator}\n"


NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{}\n"


def test_sentences_and_edits(m2):
    file = read_m2(m2("S He go home\n" + edit("1 2", "goes", kind="R:VERB:SVA") + edit("3 3", ".") + "\nS Fine .\n\n"))
    assert file.sources == ["He go home", "Fine ."]
    assert file.annotations == [{"0": (Edit(1, 2, ("goes",), "R:VERB:SVA"), Edit(3, 3, (".",), "R"))}, {}]
    assert file.annotators == ["0"]
    assert file.noops == 0


@pytest.mark.parametrize(
    ("written", "corrections"),
    [
        ("goes", ("goes",)),
        ("goes||went", ("goes", "went")),
        (" goes ||  has gone ", ("goes", "has gone")),
        ("goes||-NONE-", ("goes", "")),
        ("-NONE-", ("",)),
        ("", ("",)),
        ("a|b", ("a|b",)),
    ],
)
def test_alternatives_and_deletions(m2, written, corrections):
    file = read_m2(m2("S He go home\n" + edit("1 2", written)))
    assert file.annotations[0]["0"][0].corrections == corrections


@pytest.mark.parametrize(("written", "required"), [("REQUIRED", True), ("OPTIONAL", False), ("optional ", False)])
def test_optional_edits(m2, written, required):
    assert read_m2(m2("S a b\n" + edit("0 1", required=written))).annotations[0]["0"][0].required is required


@pytest.mark.parametrize(
    "changed",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
        lambda text: "\n\n" + text + "\n\n\n",
        lambda text: text.replace("\n\n", "\n \t\n"),
        lambda text: text.replace("S He", "I some remark\nS He"),
        lambda text: text.replace("He go home", "He  go\thome "),
    ],
    ids=["CR LF", "BOM", "no final newline", "blank lines", "blanks in the blank line", "I line", "odd spacing"],
)
def test_same_content_in_other_clothes(m2, changed):
    text = "S He go home\n" + edit("1 2", "goes") + edit("1 2", "went", "1") + "\nS Fine .\n" + NOOP.format(0)
    plain, dressed = read_m2(m2(text)), read_m2(m2(changed(text)))
    assert dressed == plain
    assert plain.sources == ["He go home", "Fine ."]


def test_offsets_run_over_all_sentences_of_a_paragraph(m2):
    file = read_m2(
        m2("S a b\nS c d e\nS f\n" + edit("1 2", "B") + edit("2 2", "+") + edit("3 5", "D") + edit("5 6", "F", "1"))
    )
    assert file.sources == ["a b", "c d e", "f"]
    assert file.annotations == [
        # An insertion between two sentences goes to the end of the first, and only there.
        {"0": (Edit(1, 2, ("B",), "R"), Edit(2, 2, ("+",), "R")), "1": ()},
        {"0": (Edit(1, 3, ("D",), "R"),), "1": ()},
        {"0": (), "1": (Edit(0, 1, ("F",), "R"),)},
    ]


TWO_ANNOTATORS = (
    "S a b\n" + edit("0 1", "A") + edit("1 2", "B", "1")  # both
    + "\nS c d\n" + edit("0 1", "C", "1")  # 0 is silent
    + "\nS e f\n"  # both are silent
    + "\nS g h\n" + edit("0 1", "G") + NOOP.format(1)  # 1 says that nothing is to be changed
)  # fmt: skip


@pytest.mark.parametrize(
    ("missing", "texts"),
    [
        ("absent", [["A b", "a B"], ["C d"], ["e f"], ["G h", "g h"]]),
        ("unchanged", [["A b", "a B"], ["c d", "C d"], ["e f", "e f"], ["G h", "g h"]]),
        ("agreed", [["A b", "a B"], ["C d", "C d"], ["e f", "e f"], ["G h", "g h"]]),
        ("inferred", [["A b", "a B"], ["C d", "C d"], ["e f", "e f"], ["G h", "g h"]]),  # it has a noop
    ],
)
def test_annotators_without_a_line(m2, missing, texts):
    corpus = load_corpus(None, [m2(TWO_ANNOTATORS)], missing=missing)
    assert [corpus.texts_of(i) for i in range(4)] == texts
    assert [reference.annotator for reference in corpus.references[1]] == (["1"] if missing == "absent" else ["0", "1"])


def test_without_any_noop_silence_is_inferred_as_unchanged(m2):
    corpus = load_corpus(None, [m2(TWO_ANNOTATORS.replace(NOOP.format(1), ""))], missing="inferred")
    assert [corpus.texts_of(i) for i in range(4)] == [["A b", "a B"], ["c d", "C d"], ["e f", "e f"], ["G h", "g h"]]


def test_silence_of_open_meaning_is_noted(m2):
    path = m2(TWO_ANNOTATORS.replace(NOOP.format(1), ""))
    [note] = load_corpus(None, [path]).notes
    assert note.startswith(f"{path}: lines that annotators lack where others have one: 2; no noop marks")
    assert "choose 'unchanged' for missing annotators" in note
    assert load_corpus(None, [path], missing="unchanged").notes == ()
    assert load_corpus(None, [m2(TWO_ANNOTATORS)]).notes == ()  # the noop says that silence is not "unchanged"


def test_annotators_are_in_numerical_order(m2):
    lines = "".join(edit("0 1", name, name) for name in ["10", "2", "editor", "0"])
    assert read_m2(m2("S a\n" + lines)).annotators == ["0", "2", "10", "editor"]


def test_overlapping_edits_are_noted(m2):
    path = m2("S a b c\n" + edit("0 2") + edit("1 3"))
    assert load_corpus(None, [path]).notes == (
        f"{path}: 1 annotations have overlapping edits; their text may be garbled",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "{} holds no sentence (no line starts with 'S ')"),
        ("\n\n", "{} holds no sentence (no line starts with 'S ')"),
        ("He go home\n", "{}: line 1: starts with neither S nor A: 'He go home'"),
        ("S a b\nB 0 1\n", "{}: line 2: starts with neither S nor A: 'B 0 1'"),
        (edit("0 1"), "{}: line 1: an edit without a sentence above it"),
        ("S a\n\n" + edit("0 1"), "{}: line 3: an edit without a sentence above it"),
        (
            "S a\n" + edit("0 1") + "S b\n",
            "{}: line 3: a sentence starts right after edits; put a blank line before it",
        ),
        ("S a b\n" + edit("1 3"), "{}: line 2: edit 1 3 is out of range; the sentence has 2 tokens"),
        ("S a b\n" + edit("3 3"), "{}: line 2: edit 3 3 is out of range; the sentence has 2 tokens"),
        ("S a b\n" + edit("2 1"), "{}: line 2: edit 2 1 is out of range; the sentence has 2 tokens"),
        ("S a b\n" + edit("-1 1"), "{}: line 2: edit -1 1 is out of range; the sentence has 2 tokens"),
        ("S a b\n" + edit("-1 -1"), "{}: line 2: edit -1 -1 is out of range; the sentence has 2 tokens"),
        ("S a b\n" + edit("one two"), "{}: line 2: 'one two' are not two token offsets"),
        (
            "S a b\n" + edit(f"0 {'9' * 5000}"),
            f"{{}}: line 2: '0 {'9' * 27}…{'9' * 29}' are not two token offsets",
        ),
        (
            "S a b\n" + edit(f"0 {'9' * 500}"),
            f"{{}}: line 2: edit 0 {'9' * 27}…{'9' * 29} is out of range; the sentence has 2 tokens",
        ),
        ("S a b\n" + edit("1"), "{}: line 2: '1' are not two token offsets"),
        ("S a b\n" + edit("0 1 2"), "{}: line 2: '0 1 2' are not two token offsets"),
        ("S a b\nA 0 1|||R|||x\n", "{}: line 2: an edit has 6 parts separated by |||, this line 3"),
        ("S a b\nS c d\n" + edit("1 3"), "{}: line 3: the edit runs over the end of a sentence"),
        (b"S a\nA 0 1|||R|||\xe9", "{}: line 2 is not UTF-8; convert the file, e.g. with iconv"),
    ],
)
def test_refused(m2, text, message):
    path = m2(text)
    with pytest.raises(InputError) as refusal:
        read_m2(path)
    assert str(refusal.value) == message.format(path)


def test_written_lines():
    corpus = Corpus(
        ["He go home", "Fine ."],
        [
            [
                Reference(edits=(Edit(1, 2, ("goes", ""), "V", required=False), Edit(2, 3, ("",)), Edit(3, 3, (".",)))),
                Reference(edits=(), annotator="1"),
            ],
            [Reference(edits=(), annotator="0")],
        ],
    )
    assert list(m2_lines(corpus)) == [
        "S He go home",
        "A 1 2|||V|||goes||-NONE-|||OPTIONAL|||-NONE-|||0",
        "A 2 3|||U||||||REQUIRED|||-NONE-|||0",
        "A 3 3|||M|||.|||REQUIRED|||-NONE-|||0",
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1",
        "",
        "S Fine .",
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0",
        "",
    ]


@pytest.mark.parametrize("text", ["a||b", "|", "a|", "|a", "-NONE-"])
def test_what_m2_cannot_say_is_not_written(text):
    corpus = Corpus(["x"], [[Reference(edits=(Edit(0, 1, (text,)),))]])
    with pytest.raises(InputError, match=r"^sentence 1: the correction .* write \.jsonl instead$"):
        list(m2_lines(corpus))


def test_a_sentence_without_references_is_not_written():
    with pytest.raises(InputError, match=r"^sentence 2 has no reference, which M2 cannot say; write \.jsonl instead$"):
        list(m2_lines(Corpus(["x", "y"], [[Reference(edits=())], []])))


def test_an_annotator_may_have_more_digits_than_python_counts(m2):
    """As a name it sorts after the numbers."""
    huge = "1" * 5000
    path = m2("S a\n" + edit("0 1", "x", huge) + edit("0 1", "y", "2") + edit("0 1", "z", "b"))
    corpus = load_corpus(None, [path])
    assert [reference.annotator for reference in corpus.references[0]] == ["2", huge, "b"]
    assert corpus.texts_of(0) == ["y", "x", "z"]
    number, name = "2" * 1000, "1" * 1001
    assert read_m2(m2("S a\n" + edit("0 1", "x", name) + edit("0 1", "y", number))).annotators == [number, name]


def test_silence_must_be_explained_where_that_is_asked(m2):
    path = m2("S a\n" + edit("0 1") + edit("0 1", "y", "1") + "\nS b\n" + edit("0 1"))
    with pytest.raises(InputError, match="lines that annotators lack where others have one: 1, and no file says") as no:
        load_corpus(None, [path], missing="ask")
    assert no.value.parameters == ("missing",)
    path = m2("S a\n" + edit("0 1") + "\nS b\n")
    assert load_corpus(None, [path], missing="ask").texts_of(1) == ["b"]


def test_sentences_that_cannot_be_annotated_are_counted(m2):
    na = "A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0\n"
    path = m2(
        "S a b\n" + edit("0 1") + edit("1 2", "y") + "\nS c\n" + edit("0 1", kind="S") + f"\nS d\n{na}\nS e\n{na}"
    )
    [note] = load_corpus(None, [path]).notes
    assert note.startswith(f"{path}: 2 annotations say that a sentence cannot be annotated (NA)")


@pytest.mark.parametrize(
    ("noops", "meaning"),
    [("", "they changed nothing, since no noop"), ("1", "they agreed with the first annotator, since some noop")],
)
def test_what_is_inferred_is_noted(m2, noops, meaning):
    noop = NOOP.format(noops) if noops else ""
    path = m2("S a\n" + edit("0 1") + edit("0 1", "y", "1") + "\nS b\n" + edit("0 1") + f"\nS c\n{noop}")
    [note] = load_corpus(None, [path], missing="inferred").notes
    count = 2 if noops else 1
    assert note == (
        f"{path}: lines that annotators lack where others have one: {count}; it is inferred that {meaning} marks an "
        "unchanged sentence"
    )
    assert load_corpus(None, [path], missing="agreed").notes == ()


# The native M2 reader: what it takes, it reads as the parser does; what the parser refuses, it leaves alone.


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
    assert [len(block) for block in m2_files._paragraphs(path, 10)] == [0] * 10 + [6000]


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
