"""Files appear complete or not at all."""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from gecval import Corpus, Edit, InputError, Reference, annotate, load_corpus, write_corpus
from gecval.formats import write_files


def listing(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_lines_end_with_line_feeds(tmp_path):
    write_files({tmp_path / "new" / "folder" / "a.txt": ["é", "", "b\u2028c"], tmp_path / "b.txt": []})
    assert (tmp_path / "new" / "folder" / "a.txt").read_bytes() == "é\n\nb\u2028c\n".encode()
    assert (tmp_path / "b.txt").read_bytes() == b""
    assert set(listing(tmp_path)) == {"new/folder/a.txt", "b.txt"}


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, OSError(errno.ENOSPC, "No space left on device")])
def test_nothing_is_left_when_it_breaks_off(tmp_path, error):
    def lines():
        yield "half"
        raise error

    (tmp_path / "old.txt").write_text("as it was")
    with pytest.raises((KeyboardInterrupt, RuntimeError, InputError)):
        write_files({tmp_path / "whole.txt": ["complete"], tmp_path / "old.txt": lines(), tmp_path / "last.txt": []})
    assert listing(tmp_path) == {"old.txt": "as it was"}


def test_a_full_disk_names_the_file(tmp_path):
    def lines():
        yield "half"
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(InputError) as refusal:
        write_files({tmp_path / "x.txt": lines()})
    assert str(refusal.value) == f"cannot write {tmp_path}/x.txt: No space left on device"


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_permissions_follow_the_umask(tmp_path, umask, mode):
    before = os.umask(umask)
    try:
        write_files({tmp_path / "x.txt": ["a"]})
        assert os.umask(umask) == umask  # looking at it must not change it
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x.txt").stat().st_mode) == mode


def test_what_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.m2").mkdir()
    for path, message in [
        (tmp_path / "folder.m2", "it is a folder"),
        (tmp_path / "file" / "x.txt", f"{tmp_path}/file is not a folder"),
        (tmp_path / "file" / "below" / "x.txt", "Not a directory"),
    ]:
        with pytest.raises(InputError) as refusal:
            write_files({tmp_path / "first.txt": ["a"], path: ["b"]})
        assert str(refusal.value) == f"cannot write {path}: {message}"
    assert listing(tmp_path) == {"file": ""}


def test_a_name_that_is_too_long_gets_a_short_line(tmp_path):
    with pytest.raises(InputError) as refusal:
        write_files({tmp_path / "first.txt": ["a"], tmp_path / ("x" * 3000): ["b"]})
    assert str(refusal.value).startswith(f"cannot write {tmp_path}/xxx")
    assert str(refusal.value).endswith("xxx: File name too long")
    assert len(str(refusal.value)) < 250
    assert listing(tmp_path) == {}


def test_a_long_name_that_the_disk_takes(tmp_path):
    write_files({tmp_path / ("x" * 255): ["a"]})
    assert listing(tmp_path) == {"x" * 255: "a\n"}


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    write_files({tmp_path / "link.txt": ["new"]})
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new\n"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()))
    reader.start()
    write_files({pipe: ["a", "b"]})
    reader.join()
    assert received == ["a\nb\n"]
    assert pipe.is_fifo()


def test_a_corpus_is_written_by_the_name_of_the_file(tmp_path):
    corpus = Corpus.from_texts(["a b", "c"], [["a B"], ["c"]])
    write_corpus(corpus, tmp_path / "texts")
    write_corpus(corpus, str(tmp_path / "gold.jsonl"))
    write_corpus(annotate(corpus, "plain"), tmp_path / "gold.M2")
    read = [load_corpus(tmp_path / "texts/source.txt", [tmp_path / "texts/reference-0.txt"])]
    read += [load_corpus(None, [tmp_path / name]) for name in ("gold.jsonl", "gold.M2")]
    assert [again.reference_texts for again in read] == [corpus.reference_texts] * 3
    assert [again.source_hash for again in read] == [corpus.source_hash] * 3


def named(*annotators: str) -> list[Reference]:
    return [Reference(f"b {name}", (Edit(0, 1, (f"b {name}",), "R"),), name) for name in annotators]


def test_annotators_keep_their_names_unless_two_have_the_same(tmp_path):
    """Names of files, where edits were found, become numbers, as M2 has them."""
    for corpus, names in [
        (Corpus(["a"], [named("ann", "ben")]), ["ann", "ben"]),
        (Corpus(["a"], [named("ann", "ann")]), ["0", "1"]),
        (Corpus(["a"], [named("one.txt", "two.txt")], extractor="plain"), ["0", "1"]),
    ]:
        write_corpus(corpus, tmp_path / "gold.m2")
        lines = (tmp_path / "gold.m2").read_text().splitlines()
        assert [line.rpartition("|||")[2] for line in lines if line.startswith("A ")] == names
        write_corpus(corpus, tmp_path / "gold.jsonl")
        [listed] = load_corpus(None, [tmp_path / "gold.jsonl"]).references
        kept = ["ann", "ann"] if names == ["0", "1"] and not corpus.extractor else names
        assert [reference.annotator for reference in listed] == kept


def test_texts_of_annotators(tmp_path):
    write_corpus(Corpus(["a", "c"], [named("ann", "ben")] * 2), tmp_path / "out")
    assert listing(tmp_path / "out") == {
        "source.txt": "a\nc\n",
        "reference-ann.txt": "b ann\nb ann\n",
        "reference-ben.txt": "b ben\nb ben\n",
    }
    for others in (named("ann"), named("ben", "ann"), []):
        for references in ([named("ann", "ben"), others], [others, named("ann", "ben")]):
            with pytest.raises(InputError, match=r"^some sentences lack some annotators") as refusal:
                write_corpus(Corpus(["a", "c"], references), tmp_path / "new")
            assert refusal.value.parameters == ("missing",)
    with pytest.raises(InputError, match=r"^the annotator 'a/b' cannot be part of a file name$"):
        write_corpus(Corpus(["a"], [named("a/b")]), tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gold.m2", "M2 needs edits, and some references are only text: annotate them first"),
        ("gold.m2.gz", "gold.m2.gz: gzipped files are read, not written; gzip the result"),
        ("gold.txt", "gold.txt is a file; plain texts go to a folder (or name it .m2 or .jsonl)"),
    ],
)
def test_a_corpus_that_cannot_be_written_so(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as refusal:
        write_corpus(Corpus.from_texts(["a"], [["b"]]), name)
    assert str(refusal.value) == message
    assert listing(tmp_path) == {}


def test_a_read_only_file_is_kept(tmp_path: Path) -> None:
    """Also behind a link, and for root: whoever protects a file wants to keep it, as fetched data are."""
    gold, link = tmp_path / "gold.m2", tmp_path / "link.m2"
    gold.write_text("S a\n")
    gold.chmod(0o444)
    link.symlink_to(gold)
    for path in (gold, link):
        with pytest.raises(InputError, match=f"cannot write {path}: it is read-only"):
            write_files({tmp_path / "first.txt": ["a"], path: ["b"]})
    assert gold.read_text() == "S a\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.m2", "link.m2"]
