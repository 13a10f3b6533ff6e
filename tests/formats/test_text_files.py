"""Plain text: one sentence a line, whatever program wrote it; systems as files, folders and JSONL."""

from __future__ import annotations

import gc
import gzip
import os
import subprocess
import threading
import unicodedata
from pathlib import Path

import pytest

from gecval import Corpus, InputError
from gecval.formats import files, load_corpus, load_files, load_systems, read_sentences
from gecval.formats.files import paused_collector, read_bytes, read_lines
from gecval.formats.loading import find_parting_line


@pytest.fixture
def text(tmp_path: Path):
    def write(content: bytes | str, name: str = "text.txt") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("content", "sentences"),
    [
        ("a b\nc\n", ["a b", "c"]),
        ("a b\r\nc\r\n", ["a b", "c"]),
        ("\ufeffa b\nc\n", ["a b", "c"]),
        ("a b\nc", ["a b", "c"]),
        ("a b  \n\tc \n", ["a b", "c"]),
        ("a b\n\nc\n", ["a b", "", "c"]),
        ("a b\n\n", ["a b", ""]),
        ("\n", [""]),
        ("a\u2028b\nc\u0085d\x0be\x0cf\x1cg\n", ["a\u2028b", "c\u0085d\x0be\x0cf\x1cg"]),
        ("a\rb\n", ["a\rb"]),
        ("a\tb\n", ["a\tb"]),
        ("מה שלומך\n👩🏽‍💻 e\u0301\u200b\n", ["מה שלומך", "👩🏽‍💻 e\u0301\u200b"]),
    ],
    ids=["plain", "CR LF", "BOM", "no newline", "blanks", "empty line", "empty last line", "one empty line",
         "other separators", "lone CR", "tab", "right-to-left, emoji, combining, zero width"],
)  # fmt: skip
def test_read_sentences(text, content, sentences):
    assert read_sentences(text(content)) == sentences
    for sources in ([], sentences[:1], ["another", *sentences], [*sentences, "and more"]):  # they decide memory alone
        assert read_sentences(text(content), sources=sources) == sentences


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("good\nalso good\ncaf\xe9\n".encode("latin-1"), 3),
        ("Hello\nyou\n".encode("utf-16"), 1),
        ("Hello\nyou\n".encode("utf-16-le"), 1),  # no byte-order mark: every byte alone is valid UTF-8
        (b"good\n\xed\xa0\x80\n", 2),  # half a surrogate pair
    ],
    ids=["Latin-1", "UTF-16", "UTF-16 without BOM", "surrogate"],
)
def test_wrong_encoding_names_the_line(text, content, line):
    path = text(content)
    with pytest.raises(InputError) as refusal:
        read_sentences(path)
    assert str(refusal.value) == f"{path}: line {line} is not UTF-8; convert the file, e.g. with iconv"


def test_what_is_no_file(tmp_path, text):
    empty = text("")
    for path, message in [
        (tmp_path / "nothing", f"{tmp_path}/nothing: no such file"),
        (tmp_path, f"{tmp_path} is a folder, not a file"),
        (empty, f"{empty} is empty"),
        (empty / "below", f"{empty}/below: Not a directory"),
    ]:
        with pytest.raises(InputError) as refusal:
            read_sentences(path)
        assert str(refusal.value) == message


def test_a_file_that_cannot_be_read(monkeypatch, text):
    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    path = text("a\n")
    monkeypatch.setattr(Path, "open", refuse)  # chmod would not keep root from reading
    with pytest.raises(InputError, match=rf"^{path}: Permission denied$"):
        read_sentences(path)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.from_texts(["a b", "c"])


def test_systems_in_folders_and_files(corpus, text, tmp_path):
    text("a b\nc\n", "out/beta.txt")
    text("a\nc\n", "out/Alpha")
    text("x\n", "out/.hidden")
    (tmp_path / "out" / "subfolder").mkdir()
    single = text("b\nc\n", "model.v2.txt")
    systems = load_systems([single, tmp_path / "out"], corpus)
    assert [(system.name, list(system.hypotheses)) for system in systems] == [
        ("model.v2", ["b", "c"]),
        ("Alpha", ["a", "c"]),
        ("beta", ["a b", "c"]),
    ]


def test_a_file_name_that_is_not_unicode(corpus, tmp_path):
    path = tmp_path / "caf\udce9.txt"
    try:
        path.write_text("a\nb\n")
    except OSError:
        pytest.skip("this file system takes only Unicode names")
    assert load_systems([path], corpus)[0].name == "caf\ufffd"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("AMU", "AMU"),
        ("AMU.txt", "AMU"),
        ("AMU.TXT", "AMU"),
        ("amu.v2.out", "amu.v2"),
        ("GPT-3.5", "GPT-3.5"),
        ("GPT-3.5.txt", "GPT-3.5"),
        ("nts_epoch11_10.19.t7_12_h1", "nts_epoch11_10.19.t7_12_h1"),
        ("sari30it.test.output.1best", "sari30it.test.output"),
        ("red\x1b[31m.txt", "red\ufffd[31m"),
    ],
)
def test_a_name_loses_only_what_outputs_end_in(corpus, text, file, name):
    assert load_systems([text("a b\nc\n", file)], corpus)[0].name == name


def test_gzipped_files_and_upper_case(corpus, text):
    gold = "S a b\nA 0 1|||R|||A|||REQUIRED|||-NONE-|||0\n\nS c\n\n"
    line = '{"source": "a b", "references": ["A b"]}\n{"source": "c", "references": ["c"]}\n'
    zipped = [text(gzip.compress(gold.encode()), "g.m2.gz"), text(gzip.compress(line.encode()), "g.JSONL.GZ")]
    for path in [text(gold, "GOLD.M2"), text(line, "gold.Jsonl"), *zipped]:
        assert [load_corpus(None, [path]).texts_of(i) for i in range(2)] == [["A b"], ["c"]]
    [system] = load_systems([text(gzip.compress(b"a\nc\n"), "mine.txt.gz")], corpus)
    assert (system.name, system.hypotheses) == ("mine", ["a", "c"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a b\nc\n", "Not a gzipped file (b'a ')"),
        (gzip.compress(b"a b\nc\n")[:-9], "Compressed file ended before the end-of-stream marker was reached"),
        (
            gzip.compress(b"a b\nc\n", mtime=0)[:10] + b"\xff" * 20,
            "Error -3 while decompressing data: invalid block type",
        ),
    ],
    ids=["not gzipped", "cut off", "garbled"],
)
def test_gzipped_files_refused(text, content, message):
    path = text(content, "text.gz")
    with pytest.raises(InputError) as refusal:
        read_sentences(path)
    assert str(refusal.value) == f"{path}: {message}"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"out/a.m2": "S a\n"}, "{0}/out is a folder without outputs; it holds a.m2"),
        ({"out/README": "x", "out/b.xml": "<a/>"}, "{0}/out is a folder without outputs; it holds README, b.xml"),
        ({"out/.hidden": "x"}, "{0}/out is a folder without outputs"),
        (
            {"out/a": "x\ny\n", "out/a.txt": "x\ny\n"},
            "two systems are named 'a' ({0}/out/a.txt is the second); rename one",
        ),
        (
            {"out/a.txt": "a b\n"},
            "{0}/out/a.txt has 1 lines, the source 2; they part after line 1: there is no output for line 2; write one "
            "for each, the source where the system gave none",
        ),
        ({"out/a.txt": ""}, "{0}/out/a.txt is empty"),
    ],
)
def test_systems_refused(corpus, text, tmp_path, files, message):
    for name, content in files.items():
        text(content, name)
    with pytest.raises(InputError) as refusal:
        load_systems([tmp_path / "out"], corpus)
    assert str(refusal.value) == message.format(tmp_path)


def test_an_output_of_the_first_sentences(text, tmp_path):
    """It says so, and how to score these alone, by what the source is."""
    lines = [f"He go to place {number} ." for number in range(40)]
    first = text("\n".join(lines[:12]) + "\n", "first.txt")
    says = f"{first} has the first 12 of the 40 sentences of {{0}}; write the others too, or score the first 12 alone"
    source = text("\n".join(lines) + "\n", "source.txt")
    gold = text("".join(f"S {line}\n\n" for line in lines), "gold.m2")
    cut = {
        source: f": head -n 12 {source} > first.txt, and so for each reference",
        gold: f": gecval convert {gold} -o all.jsonl && head -n 12 all.jsonl > first.jsonl, "
        "and give first.jsonl as the reference",
    }
    for origin, command in cut.items():
        with pytest.raises(InputError) as refusal:
            load_systems([first], load_corpus(origin))
        assert str(refusal.value) == f"{says.format(origin)}{command} (in Python: corpus[:12])"
        assert refusal.value.parameters == ()
    with pytest.raises(InputError, match="has the first 12 of the 40 sentences"):
        load_corpus(source, [first])
    other = text("\n".join(f"{number} birds sang" for number in range(12)) + "\n", "other.txt")
    with pytest.raises(InputError, match=r"has 12 lines, .* 40; they part"):
        load_systems([other], load_corpus(source))


def test_texts_and_m2_as_references_of_one_corpus(text):
    source = text("a b\nc\n", "source.txt")
    gold = text("S a b\nA 0 1|||R|||A|||REQUIRED|||-NONE-|||0\n\nS c\n\n", "gold.m2")
    corpus = load_corpus(source, [text("a B\nC\n", "one.txt"), gold])
    assert [corpus.texts_of(i) for i in range(2)] == [["a B", "A b"], ["C", "c"]]
    assert corpus.has_edits() is False
    assert load_corpus(None, [gold]).has_edits() is True


@pytest.mark.parametrize(
    ("source", "references", "message"),
    [
        (None, {}, "the source is missing: give it, or references that bring their own (.m2, .jsonl or .xml)"),
        (None, {"r.txt": "x\n"}, "{}/r.txt is plain text, so the source is needed too"),
        (
            "gold.m2",
            {"r.txt": "x\n"},
            "{}/gold.m2 brings its own source: give it as a reference, and leave out the source",
        ),
        (
            "G.xml.gz",
            {"r.txt": "x\n"},
            "{}/G.xml.gz brings its own source: give it as a reference, and leave out the source",
        ),
        ("src.txt", {"r.txt": "a b\n"}, "{0}/r.txt has 1 lines, {0}/src.txt 2; they part after line 1"),
        ("src.txt", {"r.m2": "S a b\n\nS d\n"}, "{0}/r.m2: sentence 2 differs from {0}/src.txt: 'd' against 'c'"),
        ("src.txt", {"r.m2": "S a b\n"}, "{0}/r.m2 has 1 sentences, {0}/src.txt 2; they part after sentence 1"),
    ],
)
def test_corpora_refused(text, tmp_path, source, references, message):
    text("a b\nc\n", "src.txt")
    text("S a b\n\nS c\n", "gold.m2")
    paths = [text(content, name) for name, content in references.items()]
    with pytest.raises(InputError) as refusal:
        load_corpus(source and tmp_path / source, paths)
    assert str(refusal.value) == message.format(tmp_path)


def test_blanks_do_not_make_another_source(text):
    gold = text("S a b\n\nS c\n", "gold.m2")
    assert load_corpus(text("a\t b \r\nc\r\n", "src.txt"), [gold]).texts_of(0) == ["a b"]


SENTENCES = [f"{unicodedata.name(chr(0x41 + i)).lower()} number {i * i * 37} of the day" for i in range(26)]


@pytest.mark.parametrize("at", [0, 1, 12, 24, 25])
def test_where_two_files_part(at):
    shorter = SENTENCES[:at] + SENTENCES[at + 1 :]
    assert find_parting_line(shorter, SENTENCES) == at
    assert find_parting_line(SENTENCES, shorter) == at


def test_where_a_system_parts_from_its_source():
    output = [sentence.replace("number", "numbers") for sentence in SENTENCES]
    assert find_parting_line(output[:7] + output[10:], SENTENCES) == 7


def test_where_equal_or_nearly_equal_lines_part():
    """Of equally good places the first is told; else the best, by however little."""
    assert find_parting_line(["a"], ["a", "a"]) == 0
    most, other = "a" * 200, "a" * 199 + "b"
    assert find_parting_line([most], [most, other]) == 1
    assert find_parting_line([most], [other, most]) == 0


def test_the_garbage_collector_rests_while_a_file_is_read():
    for switch in (gc.disable, gc.enable):
        switch()
        before = gc.isenabled()
        with paused_collector():
            assert not gc.isenabled()
        assert gc.isenabled() is before


def test_a_source_or_references_that_bring_one(text):
    gold = text("S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\n\n", "gold.m2")
    assert list(load_corpus(references=[gold]).sources) == list(load_corpus(None, [gold]).sources) == ["a b"]
    assert list(load_corpus(text("a b\n")).sources) == ["a b"]
    with pytest.raises(InputError, match="the source is missing"):
        load_corpus()


def test_several_references_in_a_line(tmp_path: Path) -> None:
    """As GECCC has them: read as one text they would be a reference twice as long."""
    (tmp_path / "src").write_text("a b\nc d\n")
    (tmp_path / "gold").write_text("a B\nc D\tC d\n")
    corpus = load_corpus(tmp_path / "src", [tmp_path / "gold"])
    assert [corpus.texts_of(i) for i in range(2)] == [["a B"], ["c D", "C d"]]


def test_a_pipe_with_tabs_is_read_once(tmp_path: Path) -> None:
    """A tab is a blank there: whether all lines have columns is not seen before the end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> threading.Thread:
        writer = threading.Thread(target=pipe.write_text, args=["a\tb\n"])
        writer.start()
        return writer

    writer = write()
    [system] = load_systems(pipe, Corpus.from_texts(["a"]))
    writer.join()
    assert list(system.hypotheses) == ["a\tb"]
    (tmp_path / "source.txt").write_text("a\n")
    writer = write()
    [[reference]] = load_corpus(tmp_path / "source.txt", pipe).references
    writer.join()
    assert reference.text == "a\tb"


def test_one_file_or_a_source_and_its_corrected_texts(text, tmp_path) -> None:
    source, first, second = text("a b\nc\n", "src"), text("A b\nc\n", "one"), text("a B\nC\n", "two")
    corpus = load_files([source, first, second])
    assert (corpus.sources, corpus.texts_of(0), corpus.texts_of(1)) == (["a b", "c"], ["A b", "a B"], ["c", "C"])
    columns = text("a b\tx\nc\n", "tabs")  # a source where others follow, and else a file with columns
    assert load_files([columns, first]).sources == ["a b\tx", "c"]
    gold = text("S a b\nA 0 1|||R|||A|||REQUIRED|||-NONE-|||0\n\nS c\n\n", "gold.m2")
    assert load_files([gold]).texts_of(0) == ["A b"]
    with pytest.raises(InputError, match=rf"^give {gold} alone, or a source text followed by its corrected texts$"):
        load_files([gold, first])
    with pytest.raises(InputError, match=rf"^{source} is plain text; give its corrected texts after it$"):
        load_files([source])


def test_a_file_that_brings_its_source_may_stand_alone(text) -> None:
    gold = text("S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\n", "gold.m2")
    alone, usual = load_corpus(gold), load_corpus(references=gold)
    assert (alone.sources, alone.texts_of(0)) == (usual.sources, usual.texts_of(0)) == (["a b"], ["c b"])


def test_columns_are_no_source(text) -> None:
    """A tab here and there is a blank; with one in every line, the file has several texts in a line."""
    assert load_corpus(text("a\tb\n")).sources == ["a\tb"]  # one line shows no columns
    assert load_corpus(text("a\tb\nc\n")).sources == ["a\tb", "c"]
    with pytest.raises(InputError, match="has a tab in every line, and a source has one text a line"):
        load_corpus(text("1\ta b\n2\tc\n"))


def test_a_source_that_is_loaded_says_language_and_tokens(text) -> None:
    """What the caller says comes first."""
    source = Corpus.from_texts(["他去家"], language="zh", tokenize="char")
    reference = text("他回家\n")
    corpus = load_corpus(source, [reference])
    assert (corpus.language, corpus.tokenize, corpus.sources) == ("zh", "char", ["他 去 家"])
    assert load_corpus(source, [reference], language="ja").language == "ja"
    plain = Corpus.from_texts(["他去家"])
    assert load_corpus(plain, [reference], tokenize="char").tokenize == "char"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs devices of Unix")
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/urandom"])
def test_devices_without_an_end_are_refused(name: str) -> None:
    for read in (read_bytes, lambda path: list(read_lines(path))):
        with pytest.raises(InputError, match=f"^{name} is a device, not a file$"):
            read(Path(name))
    assert read_bytes(Path("/dev/null")) == b""


@pytest.mark.skipif(os.name != "posix", reason="needs named pipes")
def test_named_pipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read where somebody writes, refused where nobody does."""
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["sh", "-c", "echo one > pipe"], cwd=tmp_path):
        assert list(read_lines(tmp_path / "pipe")) == ["one"]
    monkeypatch.setattr(files, "WAIT_S", 0.1)
    with pytest.raises(InputError, match="pipe is a pipe, and nobody writes into it"):
        read_bytes(tmp_path / "pipe")
