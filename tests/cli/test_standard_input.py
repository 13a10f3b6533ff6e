"""``-`` is standard input: a system, a source or a reference."""

from __future__ import annotations

import io
import json
import sys
import tempfile
from pathlib import Path

import pytest

from ways import write_small_files


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch):
    """What a pipe would bring."""

    def give(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return give


def scores(result) -> list[tuple[str, float]]:
    assert result.status == 0, result.err
    return [(score["system"], score["score"]) for score in json.loads(result.out)["scores"]]


def test_a_system(gecval, folder, stdin):
    stdin((folder / "good.txt").read_bytes())
    piped = scores(gecval("score - copy.txt -r gold.m2 -m m2 --format json"))
    assert piped == [("stdin", pytest.approx(0.9615, abs=1e-4)), ("copy", 0.0)]


def test_a_source_and_references_of_every_kind(gecval, folder, stdin):
    expected = scores(gecval("score good.txt -s src.txt -r ref0.txt -m gleu --format json"))
    stdin((folder / "src.txt").read_bytes())
    assert scores(gecval("score good.txt -s - -r ref0.txt -m gleu --format json")) == expected
    stdin((folder / "ref0.txt").read_bytes())
    assert scores(gecval("score good.txt -s src.txt -r - -m gleu --format json")) == expected
    stdin((folder / "gold.m2").read_bytes())
    m2 = scores(gecval("score good.txt -r - -m m2 --format json"))
    assert m2 == scores(gecval("score good.txt -r gold.m2 -m m2 --format json"))


def test_input_without_end(gecval, folder, stdin, monkeypatch):
    monkeypatch.setattr("gecval.cli.inputs.MAX_STDIN", 10)
    stdin(b"a\n" * 1_000_001)
    result = gecval("score - -r gold.m2 -m m2")
    assert (result.status, result.err) == (2, "gecval: standard input has more than 10 bytes; give it as a file\n")


def test_compare(gecval, folder, stdin):
    stdin((folder / "good.txt").read_bytes())
    printed = json.loads(gecval("compare copy.txt - -r gold.m2 -m m2 --format json").out)
    assert [pair["system"] for pair in printed["comparisons"]] == ["stdin"]


def test_convert_and_annotate(gecval, folder, stdin):
    stdin((folder / "gold.m2").read_bytes())
    assert gecval("convert - -o piped.jsonl --missing-annotator agreed").status == 0
    gecval("convert gold.m2 -o read.jsonl --missing-annotator agreed")
    assert (folder / "piped.jsonl").read_text() == (folder / "read.jsonl").read_text()
    stdin((folder / "ref0.txt").read_bytes())
    assert gecval("annotate src.txt - -o piped.m2 --edits plain").status == 0
    gecval("annotate src.txt ref0.txt -o read.m2 --edits plain")
    assert (folder / "piped.m2").read_text() == (folder / "read.m2").read_text()


def test_it_can_be_read_once(refused, stdin):
    stdin(b"x\n")
    assert refused("score - - -r gold.m2 -m m2") == ("standard input (-) can be read once; give the other as a file")
    stdin(b"x\n")
    assert refused("score - -s - -m ld").startswith("standard input (-) can be read once")


def test_messages_name_it(gecval, folder, stdin, refused):
    stdin(b"")
    assert refused("score - -r gold.m2 -m m2") == "standard input is empty"
    stdin((folder / "gold.m2").read_bytes() + b"\nS x\nA 5 9|||R|||y|||REQUIRED|||-NONE-|||0\n")
    noted = gecval("convert - -o out.jsonl --lenient").err
    assert noted == "gecval: note: standard input: dropped 1: edits out of range (line 19)\n"


def test_nothing_stays_behind(gecval, folder, stdin, tmp_path_factory, monkeypatch):
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    stdin((folder / "good.txt").read_bytes())
    assert gecval("score - -r gold.m2 -m m2").status == 0
    stdin(b"too short\n")
    assert gecval("score - -r gold.m2 -m m2").status == 2
    assert list(Path(temporary).iterdir()) == []


def test_a_file_of_that_name(gecval, folder):
    (folder / "-").write_bytes((folder / "good.txt").read_bytes())
    assert scores(gecval("score ./- -r gold.m2 -m m2 --format json"))[0][0] == "-"


def test_other_verbs(gecval, folder, stdin):
    write_small_files(folder)
    for name, command in {
        "crowd.tsv": "coverage {} --references 3",
        "gaps.m2": "maege {} -r learners.m2 -m gleu",
        "gold.m2": "convert {} -o out.jsonl",
    }.items():
        stdin((folder / name).read_bytes())
        piped = gecval(command.format("-"))
        assert piped.status == 0, piped.err
        named = gecval(command.format(name))
        assert piped.out.replace("stdin", Path(name).stem) == named.out
