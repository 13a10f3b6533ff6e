"""I-measure's XML: names in capitals, and files that are broken in every way."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from gecval import Edit, InputError, Reference, load_corpus
from gecval.corpus.corpus import Cluster
from gecval.formats.imeasure_xml import _sentences

XML = """<?xml version="1.0" encoding="UTF-8"?>
<scripts><script id="1"><sentence id="7" numann="2"><text>He go home .</text><error-list>
<error id="1" req="no" type="SVA"><alt ann="0"><c start="1" end="2">goes</c></alt></error>
</error-list></sentence></script></scripts>
"""


@pytest.mark.parametrize("name", ["gold.xml", "GOLD.XML", "gold.xml.gz", "GOLD.XML.GZ", "gold.ieval.Xml.Gz", "gold"])
def test_names_in_any_case(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(XML.encode()) if name.lower().endswith("gz") else XML.encode())
    corpus = load_corpus(None, [path])
    edit = Edit(1, 2, ("goes",), "SVA")
    assert corpus.sources == ["He go home ."]
    assert [(reference.annotator, reference.edits) for reference in corpus.references[0]] == [
        ("0", (edit,)),
        ("unchanged", ()),
    ]
    assert corpus.clusters == [[Cluster(((edit,),), required=False)]]


def test_sentences_that_were_read_are_let_go(tmp_path: Path) -> None:
    """A large file never lies in memory as a tree."""
    path = tmp_path / "gold.xml"
    path.write_text(XML)
    [sentence] = list(_sentences(path))
    assert list(sentence) == []


def test_annotators_who_left_the_sentence_alone(tmp_path: Path) -> None:
    """``numann`` counts them; where it counts only those with edits, there is no other."""
    path = tmp_path / "gold.xml"
    for annotators, expected in ((1, ["0"]), (2, ["0", "unchanged"])):
        path.write_text(XML.replace('numann="2"', f'numann="{annotators}"'))
        assert [reference.annotator for reference in load_corpus(None, [path]).references[0]] == expected
    # Nobody is counted and nobody has an edit: the source itself is the reference.
    path.write_text('<a><sentence numann="0"><text>He go home .</text></sentence></a>')
    assert load_corpus(None, [path]).references == [[Reference(edits=(), annotator="unchanged")]]


def test_edits_at_both_ends(tmp_path: Path) -> None:
    path = tmp_path / "gold.xml"
    for start, end in ((0, 0), (0, 4), (4, 4)):
        path.write_text(XML.replace('start="1" end="2"', f'start="{start}" end="{end}"'))
        assert load_corpus(None, [path]).references[0][0].edits == (Edit(start, end, ("goes",), "SVA"),)


HUGE = "9" * 5000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1 is not XML: no element found"),
        (b"<a>", "line 1 is not XML: no element found"),
        (b"<a/>", "{} holds no <sentence>"),
        (XML.replace("UTF-8", "klingon").encode(), "unknown encoding"),
        (XML.replace("UTF-8", "utf-7").encode(), "UTF-8"),
        (XML.replace("UTF-8", "UTF-16").encode(), "is not XML"),
        (XML.replace("go", "\ud800").encode("utf-8", "surrogatepass"), ""),
        (XML.replace("go", "g\xe9").encode("latin-1"), "is not XML: not well-formed"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "refused, XML may not bring entities or document types"),
        (XML.replace('start="1"', 'start="x"').encode(), "sentence 7: <c> needs a whole number 'start'"),
        (XML.replace('start="1"', f'start="{HUGE}"').encode(), "sentence 7: <c> needs a whole number 'start'"),
        (XML.replace('end="2"', 'end="5"').encode(), "sentence 7: edit 1 5 is out of range; the sentence has 4 tokens"),
        (XML.replace('numann="2"', "").encode(), "sentence 7: <sentence> needs a whole number 'numann'"),
        (XML.replace('id="7" numann="2"', f'id="{HUGE}"').encode(), "…"),
        # Sentences without an id are counted from 1.
        (XML.replace('id="7" numann="2"', "").encode(), "sentence 1: <sentence> needs a whole number 'numann'"),
        (b'<a><sentence numann="1"/><sentence/></a>', "sentence 2: <sentence> needs a whole number 'numann'"),
    ],
)
def test_broken_files_get_one_short_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "gold.xml"
    path.write_bytes(content)
    with pytest.raises(InputError) as refusal:
        load_corpus(None, [path])
    line = str(refusal.value)
    assert message.format(path) in line
    assert str(path) in line
    assert "\n" not in line
    assert len(line) < 400


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<a/>", "Not a gzipped file (b'<a')"),
        (gzip.compress(XML.encode())[:-9], "Compressed file ended before the end-of-stream marker was reached"),
        (gzip.compress(XML.encode(), mtime=0)[:10] + b"\xff" * 40, "Error -3 while decompressing data"),
        (gzip.compress(XML.encode())[:-8] + b"\0" * 8, "CRC check failed"),
    ],
    ids=["not gzipped", "cut off", "garbled", "wrong checksum"],
)
def test_broken_gzip_streams(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "gold.xml.gz"
    path.write_bytes(content)
    with pytest.raises(InputError) as refusal:
        load_corpus(None, [path])
    assert str(refusal.value).startswith(f"{path}: {message}")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.xml: no such file$"):
        load_corpus(None, [tmp_path / "no.xml"])
    (tmp_path / "folder.xml").mkdir()
    with pytest.raises(InputError, match=r"folder\.xml is a folder, not a file$"):
        load_corpus(None, [tmp_path / "folder.xml"])
