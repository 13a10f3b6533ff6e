"""gecval convert, and the traps of the published files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest


def lines(path: Path) -> list[str]:
    return [line.strip() for line in path.read_bytes().decode("utf-8-sig").split("\n")[:-1]]


class TestPublished:
    """The plain references that others made from the same annotations."""

    def test_official_conll14(self, gecval, data, tmp_path):
        gold = data / "conll14" / "official-2014.combined.m2"
        assert gecval("convert --missing-annotator agreed", gold, "-o", tmp_path / "out") == (0, "", "")
        assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
            "reference-0.txt",
            "reference-1.txt",
            "source.txt",
        ]
        assert lines(tmp_path / "out" / "source.txt") == lines(data / "conll14" / "source.txt")
        assert lines(tmp_path / "out" / "reference-0.txt") == lines(data / "references" / "NUCLEA")
        assert lines(tmp_path / "out" / "reference-1.txt") == lines(data / "references" / "NUCLEB")

    def test_the_88_sentences_where_the_second_annotator_agreed(self, gecval, data, tmp_path):
        """Taken as unchanged they would be 88 false references."""
        gold = data / "conll14" / "official-2014.combined.m2"
        gecval("convert --missing-annotator unchanged", gold, "-o", tmp_path / "out")
        naive = lines(tmp_path / "out" / "reference-1.txt")
        published = lines(data / "references" / "NUCLEB")
        source = lines(data / "conll14" / "source.txt")
        wrong = [i for i in range(1312) if naive[i] != published[i]]
        assert len(wrong) == 88
        assert all(naive[i] == source[i] for i in wrong)

    def test_bryant_and_ng(self, gecval, data, tmp_path):
        """The ids of BN.m2 are lexicographic: 0 = A1, 1 = A10, 2 = A2 … 9 = A9."""
        gold = data / "bryant-ng-2015" / "BN.m2"
        result = gecval("convert --missing-annotator unchanged", gold, "-o", tmp_path / "out")
        assert (result.status, result.out) == (0, "")
        assert result.err.count("\n") == 1
        assert "33 annotations have overlapping edits" in result.err
        for number, name in enumerate(sorted(f"BN{n}" for n in range(1, 11))):
            assert lines(tmp_path / "out" / f"reference-{number}.txt") == lines(data / "references" / name), name

    @pytest.mark.parametrize("number", [1, 3, 10])
    def test_a_single_annotator(self, gecval, data, tmp_path, number):
        gecval("convert", data / "bryant-ng-2015" / f"A{number}.m2", "-o", tmp_path / "out")
        assert lines(tmp_path / "out" / "reference-0.txt") == lines(data / "references" / f"BN{number}")

    def test_there_and_back(self, gecval, data, tmp_path):
        """M2 → text → M2 → text: the texts are the same; M2 → JSONL → M2: the file is the same."""
        gold = data / "conll14" / "official-2014.combined.m2"
        gecval("convert --missing-annotator agreed", gold, "-o", tmp_path / "one")
        texts = [tmp_path / "one" / name for name in ("source.txt", "reference-0.txt", "reference-1.txt")]
        assert gecval("convert", *texts, "-o", tmp_path / "plain.m2").status == 0
        gecval("convert", tmp_path / "plain.m2", "-o", tmp_path / "two")
        for path in texts:
            assert (tmp_path / "two" / path.name).read_bytes() == path.read_bytes()
        gecval("convert", gold, "-o", tmp_path / "a.m2")
        gecval("convert", gold, "-o", tmp_path / "b.jsonl")
        gecval("convert", tmp_path / "b.jsonl", "-o", tmp_path / "b.m2")
        assert (tmp_path / "a.m2").read_bytes() == (tmp_path / "b.m2").read_bytes()


@pytest.mark.parametrize(
    ("missing", "second"),
    [
        ("inferred", ["He went home .", "She like apple .", "Fine .", "I have two cats ."]),  # it has a noop: agreed
        ("agreed", ["He went home .", "She like apple .", "Fine .", "I have two cats ."]),
        ("unchanged", ["He went home .", "She like apple .", "Fine .", "I has two cat ."]),
    ],
)
def test_annotators_without_a_line(gecval, folder, missing, second):
    result = gecval(f"convert gold.m2 -o out --missing-annotator {missing}")
    assert (result.status, result.out) == (0, "")
    assert ("it is inferred" in result.err) == (missing == "inferred")
    assert lines(folder / "out" / "reference-0.txt") == lines(folder / "ref0.txt")
    assert lines(folder / "out" / "reference-1.txt") == second


def test_what_an_annotator_without_a_line_did_is_asked(gecval, folder):
    """No file says it: to guess was wrong in 9,551 lines of one public file, and in 48 of JFLEG's."""
    status, out, err = gecval("convert gold.m2 -o out")
    assert (status, out, (folder / "out").exists()) == (2, "", False)
    assert err == (
        "gecval: gold.m2: lines that annotators lack where others have one: 1, and no file says why; choose whether "
        "these annotators left the sentence 'unchanged' or 'agreed' with the first one (option --missing-annotator)\n"
    )
    assert gecval("convert gold.m2 -o new.m2") == (0, "", "")  # M2 can say that nobody says anything
    assert lines(folder / "new.m2").count("S I has two cat .") == 1
    assert next(line for line in lines(folder / "new.m2") if "cats" in line).endswith("|||0")


def test_a_sentence_without_any_line_needs_no_question(gecval, folder):
    edits = "".join(f"A 0 1|||R|||{name}|||REQUIRED|||-NONE-|||{name}\n" for name in (0, 1))
    (folder / "full.m2").write_text(f"S a b\n{edits}\nS c\n\n")
    assert gecval("convert full.m2 -o out") == (0, "", "")
    assert [lines(folder / "out" / f"reference-{name}.txt") for name in (0, 1)] == [["0 b", "c"], ["1 b", "c"]]


XML = """<x><sentence id="1" numann="1"><text>He go .</text><error-list><error id="1" req="yes" type="SVA">
<alt ann="0"><c start="1" end="2">goes</c></alt></error></error-list></sentence></x>"""


def test_xml_gzipped_to_m2(gecval, folder):
    (folder / "gold.ieval.xml.gz").write_bytes(gzip.compress(XML.encode()))
    assert gecval("convert gold.ieval.xml.gz -o NEW.M2") == (0, "", "")
    assert lines(folder / "NEW.M2") == ["S He go .", "A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0", ""]


def test_gzipped_files_are_not_written(refused, folder):
    message = "new.m2.gz: gzipped files are read, not written; gzip the result"
    assert refused("convert gold.m2 -o new.m2.gz") == message


def test_text_to_m2(gecval, folder):
    (folder / "new").mkdir()
    assert gecval("convert src.txt ref0.txt ref1.txt -o new/own.m2") == (0, "", "")
    written = (folder / "new" / "own.m2").read_text()
    assert "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n" in written
    assert gecval("convert new/own.m2 -o out") == (0, "", "")
    for name, original in [("source", "src"), ("reference-0", "ref0"), ("reference-1", "ref1")]:
        assert lines(folder / "out" / f"{name}.txt") == lines(folder / f"{original}.txt")


def test_annotators_of_two_files_are_kept_apart(gecval, folder):
    (folder / "other.m2").write_text((folder / "gold.m2").read_text().replace("goes", "walks"))
    for output in ("out", "both.m2", "both.jsonl"):
        assert gecval(f"convert src.txt gold.m2 other.m2 -o {output} --missing-annotator agreed") == (0, "", "")
    gecval("convert both.m2 -o from_m2")
    gecval("convert both.jsonl -o from_jsonl")
    for made in ("out", "from_m2", "from_jsonl"):
        first = [lines(folder / made / f"reference-{a}.txt")[0] for a in range(4)]
        assert first == ["He goes home .", "He went home .", "He walks home .", "He went home ."], made


def test_an_annotator_may_not_choose_the_folder(refused, folder):
    (folder / "evil.m2").write_text("S a\nA 0 1|||R|||b|||REQUIRED|||-NONE-|||x/../../evil\n")
    assert refused("convert evil.m2 -o out") == "the annotator 'x/../../evil' cannot be part of a file name"


def test_what_m2_cannot_say(gecval, folder):
    (folder / "bars.txt").write_text("a || b\nShe like apple .\nFine .\nI has two cat .\n")
    result = gecval("convert src.txt bars.txt -o bars.m2")
    assert result.status == 2
    assert result.err.startswith("gecval: sentence 1: the correction ")
    assert not (folder / "bars.m2").exists()
    assert gecval("convert src.txt bars.txt -o bars.jsonl").status == 0


def test_onto_itself(gecval, folder):
    assert gecval("convert gold.m2 -o gold.m2 --missing-annotator absent").status == 0
    once = (folder / "gold.m2").read_text()
    gecval("convert gold.m2 -o gold.m2 --missing-annotator absent")
    assert (folder / "gold.m2").read_text() == once


def test_unequal_lengths(refused, folder):
    (folder / "short.txt").write_text("He goes home .\nFine .\nI have two cats .\n")
    assert refused("convert src.txt short.txt -o out.m2") == "short.txt has 3 lines, src.txt 4; they part after line 1"
