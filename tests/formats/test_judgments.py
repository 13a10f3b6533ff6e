"""Judgments: the three published sets, a user's own, and what must be refused."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from gecval import InputError
from gecval.cli.program import cli
from gecval.formats.files import read_sentences
from gecval.formats.judgments import Judgment, Judgments, Placement, combine, place, read_judgment_sets, read_judgments
from gecval.studies.human.ranking import Ranker
from gecval.studies.human.study import human
from gecval.studies.human.system_scores import HumanOptions

TRANSLATIONS = '<translation rank="1" system="A B"/><translation rank="2" system="C"/>'
ITEM = f'<ranking-item src-id="0" user="a">{TRANSLATIONS}</ranking-item>'


def changed(old: str, new: str) -> str:
    return f"<r>{ITEM.replace(old, new)}</r>"


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def pairs(judgments: Judgments) -> tuple[int, int]:
    """Pairs of systems, and ties among them, counted the slow way."""
    count = ties = 0
    for row in judgments.preferences:
        ranked = row[~np.isnan(row)]
        count += len(ranked) * (len(ranked) - 1) // 2
        ties += sum(a == b for i, a in enumerate(ranked) for b in ranked[:i])
    return count, ties


@pytest.mark.parametrize(
    ("path", "items", "expected"),
    [
        ("gjg15/judgments.xml", 2319, (109_098, 59_117)),
        ("nspt15/all_judgments.xml", 1203, (28_146, 14_446)),
        ("nspt15/all_judgments.csv", 28_146, (28_146, 14_446)),
        ("seeda/judgments_edit.xml", 600, (33_544, 18_974)),
        ("seeda/judgments_sent.xml", 600, (33_544, 15_797)),
    ],
)
def test_published_sets_have_the_published_counts(data: Path, path: str, items: int, expected: tuple[int, int]) -> None:
    judgments = read_judgments(data / path)
    assert len(judgments.items) == items
    assert pairs(judgments) == expected


def test_the_non_native_judge_is_left_out_with_a_note_unless_wanted(data: Path) -> None:
    path = data / "nspt15/all_judgments.xml"
    assert read_judgments(path).notes == (f"{path}: 331 rankings by non-native are left out",)
    everybody = read_judgments(path, skip_judges=())
    assert (len(everybody.items), everybody.notes) == (1534, ())


@pytest.mark.parametrize(
    ("path", "outputs", "first"),
    [("gjg15/judgments.xml", "conll14/systems", 0), ("seeda/judgments_edit.xml", "seeda/outputs", 1)],
)
def test_outputs_tell_whether_sentences_count_from_0_or_1(data: Path, path: str, outputs: str, first: int) -> None:
    judgments = read_judgments(data / path)
    texts = {
        file.stem if file.suffix == ".txt" else file.name: read_sentences(file) for file in (data / outputs).iterdir()
    }
    placed = place(judgments, texts, 1312)
    assert (placed.notes, placed.first) == ((), 0)
    assert place(placed, texts, 1312) == placed
    judged = [bool(item.placements) for item in judgments.items]
    assert (placed.sentences[judged] == judgments.sentences[judged] - first).all()


def test_repaired_outputs_are_noted_and_other_outputs_refused() -> None:
    item = Judgment(0, "a", (Placement(("A", "B"), 1), Placement(("C", "D"), 2), Placement(("E",), 3)))
    judgments = Judgments("mine", (item, item))
    mended = {"A": ["x"], "B": ["x"], "C": ["y"], "D": ["z"], "E": ["e"]}  # one system alone is no group
    assert place(judgments, mended, 1).notes == (
        "mine: 2 of 4 groups that were judged as one output differ in the outputs given",
    )
    with pytest.raises(InputError, match=r"4 of 4 groups .* are these the outputs that were judged"):
        place(judgments, mended | {"B": ["w"]}, 1)
    with pytest.raises(InputError, match="judges sentences 7 to 7, but the source has 1"):
        place(Judgments("mine", (Judgment(7, "a", item.placements),)), mended, 1)


def test_all_judged_sentences_must_lie_in_the_source() -> None:
    """Where the first one is 0 they count from 0, though counting from 1 would fit the outputs better."""
    placements = (Placement(("A", "B"), 1), Placement(("C",), 2))
    texts = {"A": ["x", "y", "z"], "B": ["x", "w", "z"]}
    judgments = Judgments("mine", tuple(Judgment(number, "a", placements) for number in (0, 1)))
    assert place(judgments, texts, 3).sentences.tolist() == [0, 1]
    judgments = Judgments("mine", tuple(Judgment(number, "a", placements) for number in (0, 3)))
    with pytest.raises(InputError, match="mine judges sentences 0 to 3, but the source has 3"):
        place(judgments, texts, 3)


@pytest.mark.parametrize(("first", "last"), [(0, 1), (1, 2), (None, 2)])
def test_the_last_sentence_is_the_last_that_can_be_judged(first: int | None, last: int) -> None:
    placements = (Placement(("A",), 1), Placement(("B",), 2))
    texts = {"A": ["x", "y"], "B": ["x", "z"]}
    placed = place(Judgments("mine", (Judgment(last, "a", placements),), first=first), texts, 2)
    assert placed.sentences.tolist() == [1]
    with pytest.raises(InputError, match=f"mine judges sentences {last + 1} to {last + 1}, but the source has 2"):
        place(Judgments("mine", (Judgment(last + 1, "a", placements),), first=first), texts, 2)


def test_all_formats_say_the_same(tmp_path: Path) -> None:
    xml = written(tmp_path, "one.xml", f'<r>{ITEM}<ranking-item src-id="3" user="a" skipped="true"/></r>')
    jsonl = written(tmp_path, "one.jsonl", '{"sentence": 1, "judge": "a", "ranks": {"A": 1, "B": 1, "C": 2}}\n\n')
    csv = written(tmp_path, "one.csv", "rank,system,judge,sentence\n1,A,a,1\n1,B,a,1\n2,C,a,1\n")
    for path in (xml, jsonl, csv):
        judgments = read_judgments(path)
        assert judgments.systems == ("A", "B", "C")
        assert judgments.preferences[0].tolist() == [-1, -1, -2]
        placed = place(judgments, {"A": ["x"], "B": ["x"], "C": ["y"]}, 1)
        assert placed.sentences.tolist() == [0] * len(placed.items)
    assert np.isnan(read_judgments(xml).preferences[1]).all()
    np.testing.assert_array_equal(read_judgments(xml).output_preferences[0], [-1, np.nan, -2])


def test_pairs_of_systems_and_the_largest_rank(tmp_path: Path) -> None:
    """WMT's columns, with others beside them or without."""
    names, row = "segmentId,judgeID,system1Id,system1rank,system2Id,system2rank", "3,a,A,1,B,999999999"
    for more, cell in (("", ""), (",srclang", ",en")):
        judgments = read_judgments(written(tmp_path, "wmt.csv", f"{names}{more}\n{row}{cell}\n"))
        assert judgments.items == (Judgment(3, "a", (Placement(("A",), 1), Placement(("B",), 999_999_999))),)
        assert judgments.first is None


def test_systems_that_gave_the_same_output_in_jsonl_and_csv(tmp_path: Path) -> None:
    (tmp_path / "j.jsonl").write_text(
        '{"sentence": 1, "judge": "anna", "ranks": {"A": 1, "B": 2, "C": 1}, "equal": [["A", "C"]]}\n'
    )
    (tmp_path / "j.csv").write_text("sentence,judge,system,rank,output\n1,anna,A,1,x\n1,anna,B,2,\n1,anna,C,1,x\n")
    for name in ("j.jsonl", "j.csv"):
        [item] = read_judgments(tmp_path / name).items
        assert item.placements == (Placement(("A", "C"), 1), Placement(("B",), 2)), name


def test_a_csv_may_hold_several_rankings_of_one_sentence_by_one_judge(tmp_path: Path) -> None:
    text = "sentence,judge,item,system,rank\n1,a,1,A,1\n1,a,1,B,2\n1,a,2,A,2\n1,a,2,B,1\n"
    assert len(read_judgments(written(tmp_path, "two.csv", text)).items) == 2
    with pytest.raises(InputError, match=r"line 4: A is ranked twice by one judge of sentence 1; .* column 'item'"):
        read_judgments(written(tmp_path, "twice.csv", text.replace("item", "note")))


def test_combined_sets_know_the_source_by_one_name() -> None:
    first = Judgments("x", (Judgment(0, "a", (Placement(("INPUT", "A"), 1), Placement(("B",), 2))),))
    second = Judgments("y", (Judgment(0, "b", (Placement(("src",), 1), Placement(("B",), 2))),))
    assert combine("both", [first, second]).systems == ("A", "B", "INPUT")


def test_combined_sets_count_sentences_alike() -> None:
    placements = (Placement(("A",), 1), Placement(("B",), 2))
    from_0, from_1 = (Judgments("x", (Judgment(4 + k, "a", placements),), first=k) for k in (0, 1))
    both = combine("both", [from_0, from_1])
    assert (both.sentences.tolist(), both.first) == ([4, 4], 0)
    unclear = Judgments("y", (Judgment(4, "a", placements),))
    assert combine("both", [unclear, from_1]).first is None  # one of them may count from 0 or from 1


READER = """
from gecval.formats.judgments import Judgment, Judgments, Placement, parse_rank


def read(path):
    items = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        sentence, better, worse = line.split()
        placements = [Placement((better,), 1), Placement((worse,), 2)]
        items.append(Judgment.checked(sentence, "a judge", placements, where=f"{path}: line {number}"))
    return Judgments(path.stem, tuple(items), first=1)
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that brings a format of its own, installed as pip would: a module and its entry point."""
    site = tmp_path / "site"
    (site / "duels-1.0.dist-info").mkdir(parents=True)
    written(site, "duels.py", READER)
    written(site, "duels-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: duels\nVersion: 1.0\n")
    written(site, "duels-1.0.dist-info/entry_points.txt", "[gecval.judgments]\nduels = duels:read\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    yield site
    sys.modules.pop("duels", None)


@pytest.mark.usefixtures("installed")
def test_an_installed_package_brings_its_own_format(tmp_path: Path) -> None:
    """Nothing of gecval need change: the study and the command line read it like any other."""
    path = written(tmp_path, "mine.duels", "1 A B\n1 A C\n2 B C\n")
    judgments = read_judgments(path)
    assert (judgments.name, judgments.systems, judgments.sentences.tolist()) == ("mine", ("A", "B", "C"), [1, 1, 2])
    ranking = human(judgments, options=HumanOptions(ranker=Ranker(methods=("expected-wins",), resamples=2))).rankings[0]
    assert {standing.system: standing.score for standing in ranking.systems} == {"A": 1.0, "B": 0.5, "C": 0.0}
    table = CliRunner().invoke(cli, ["human", str(path), "--format", "tsv"])
    assert table.exit_code == 0
    assert "mine" in table.output
    with pytest.raises(InputError, match=r"mine\.duels: line 1: A is ranked twice"):
        read_judgments(written(tmp_path, "mine.duels", "1 A A\n"))
    with pytest.raises(InputError, match=r"judgments are read from \.xml, \.csv, \.jsonl, \.duels"):
        read_judgments(written(tmp_path, "mine.unknown", ""))


def test_a_reader_that_cannot_be_loaded_is_named(installed: Path, tmp_path: Path) -> None:
    (installed / "duels.py").write_text("import nothing_of_the_kind\n")
    with pytest.raises(InputError, match=r"cannot load the reader 'duels:read' of \.duels: No module named 'nothing"):
        read_judgments(written(tmp_path, "mine.duels", "1 A B\n"))


def test_names_of_files_in_capitals_and_gzipped(tmp_path: Path) -> None:
    text = '{"sentence": 1, "judge": "a", "ranks": {"A": 1, "B": 2}}\n'
    (tmp_path / "Mine.JSONL.GZ").write_bytes(gzip.compress(text.encode()))
    judgments = read_judgments(tmp_path / "Mine.JSONL.GZ")
    assert (judgments.name, judgments.systems) == ("Mine", ("A", "B"))


def test_sets_of_one_name_go_by_their_paths(tmp_path: Path) -> None:
    text = '{"sentence": 1, "judge": "a", "ranks": {"A": 1, "B": 2}}\n'
    (tmp_path / "other").mkdir()
    paths = [written(tmp_path, name, text) for name in ("mine.jsonl", "other/mine.jsonl", "yours.jsonl")]
    assert [judgments.name for judgments in read_judgment_sets(paths)] == [*map(str, paths[:2]), "yours"]
    with pytest.raises(InputError, match="the same file of judgments is given twice"):
        read_judgment_sets([paths[0], paths[0]])


def test_only_judges_who_judged_can_be_left_out(tmp_path: Path) -> None:
    lines = [f'{{"sentence": 1, "judge": "{judge}", "ranks": {{"A": 1, "B": 2}}}}\n' for judge in ("anna", "ben")]
    first, second = (written(tmp_path, f"{n}.jsonl", text) for n, text in enumerate(["".join(lines), lines[0]]))
    both = read_judgment_sets([first, second], skip_judges=["ben"])
    assert [(len(part.items), part.notes) for part in both] == [
        (1, (f"{first}: 1 rankings by ben are left out",)),
        (1, ()),
    ]
    with pytest.raises(InputError, match="no judge 'cleo' to leave out; there is anna, ben") as refusal:
        read_judgments(first, skip_judges=["cleo"])
    assert refusal.value.parameters == ("skip_judges",)


BOMB = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
EXTERNAL = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("bomb.xml", f'{BOMB}<r><ranking-item id="&b;"/></r>', "refused, XML may not bring entities"),
        ("file.xml", f'{EXTERNAL}<r><ranking-item id="1" user="&x;"/></r>', "refused, XML may not bring entities"),
        ("dtd.xml", f'<!DOCTYPE r SYSTEM "http://127.0.0.1/x.dtd"><r>{ITEM}</r>', "refused, XML may not bring"),
        ("cut.xml", f"<r>\n{ITEM}", "line 2 is not XML"),
        ("empty.xml", "", "is not XML"),
        ("none.xml", "<r/>", "holds no <ranking-item>"),
        ("skipped.xml", '<r><ranking-item id="1"/></r>', "ranks no two outputs"),
        ("rank.xml", changed('rank="2"', ""), "ranking-item 1: the rank of C is missing"),
        ("rank.xml", changed('"2"', '"-1"'), "ranking-item 1: the rank of C is '-1'; it must be a whole number from 1"),
        ("rank.xml", changed('"2"', '"0"'), "ranking-item 1: the rank of C is '0'; it must be a whole number from 1"),
        ("rank.xml", changed('"2"', '"1000000000"'), "ranking-item 1: the rank of C is '1000000000'"),
        ("rank.xml", changed('"2"', '"²"'), "ranking-item 1: the rank of C is '²'"),
        ("name.xml", changed('"C"', '" "'), "ranking-item 1: a ranked system has no name"),
        ("twice.xml", changed('"C"', '"A"'), "ranking-item 1: A is ranked twice"),
        ("id.xml", changed('src-id="0"', ""), "the number of the sentence is missing"),
        ("empty.jsonl", "\n", "is empty"),
        ("a.jsonl", "[]", 'line 1: expected {"sentence": 1'),
        ("a.jsonl", '{"ranks": {"A": 1, "B": 2}}', "line 1: the number of the sentence is missing"),
        ("a.jsonl", '{"sentence": 1, "ranks": {"A": 1.5, "B": 2}}', "line 1: the rank of A is 1.5"),
        ("a.jsonl", '{"sentence": 1, "ranks": {"A": true, "B": 2}}', "line 1: the rank of A is True"),
        ("a.jsonl", '{"sentence": 1, "ranks": {"A": 1}}', "ranks no two outputs"),
        (
            "a.jsonl",
            '{"sentence": 1, "ranks": {"A": 1, "B": 2}, "equal": [["A", "B"]]}',
            'line 1: "equal" lists groups',
        ),
        (
            "a.jsonl",
            '{"sentence": 1, "ranks": {"A": 1, "B": 1}, "equal": [["A", "C"]]}',
            'line 1: "equal" lists groups',
        ),
        ("a.jsonl", '{"sentence": 1, "ranks": {"A": 1, "B": 1}, "equal": "A"}', 'line 1: "equal" lists groups'),
        (
            "a.csv",
            "sentence,judge,system,rank,output\n1,a,A,1,x\n1,a,B,2,x\n",
            "line 3: B has rank 2, and A with the same",
        ),
        ("empty.csv", "", "the first line must name the columns sentence,judge,system,rank"),
        ("a.csv", "sentence,judge,system\n", "the first line must name the columns"),
        ("a.csv", "sentence,judge,system,rank\n1,a,A\n", "line 2 has 3 cells, the first line 4"),
        ("a.csv", "sentence,judge,system,rank\n1,a,A,best\n", "line 2: the rank of A is 'best'"),
        ("a.csv", 'sentence,judge,system,rank\n1,a,"A,1\n', "line 2 is not CSV"),
        ("a.csv", "sentence,judge,system,rank\n1,admin,A,1\n1,admin,B,2\n", "and there are no others"),
        ("a.txt", "", "judgments are read from .xml, .csv, .jsonl"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(InputError) as refusal:
        read_judgments(path)
    assert message in str(refusal.value)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_deep_and_strangely_encoded_xml_is_harmless(tmp_path: Path) -> None:
    deep = written(tmp_path, "deep.xml", "<a>" * 100_000 + "</a>" * 100_000)
    with pytest.raises(InputError):
        read_judgments(deep)
    path = tmp_path / "utf16.xml"
    path.write_text(f'<?xml version="1.0" encoding="utf-16"?><r>{ITEM}</r>', encoding="utf-16")
    with pytest.raises(InputError, match="not UTF-8"):
        read_judgments(path)
