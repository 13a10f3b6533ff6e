"""The doctor: what is suspicious is found, by value; its measures are scores; its remedies fix it."""

from __future__ import annotations

import gzip
import unicodedata
from pathlib import Path

import pytest

from gecval import Corpus, Edit, Reference, doctor, score
from gecval.formats.fixes import FIXES, fix_text
from gecval.studies.doctor.findings import check_text, check_tokenisation, find_suspicious_edits, visible
from gecval.studies.doctor.result import Finding
from gecval.studies.doctor.study import doctor_files

SOURCE = ["He go home .", "She like it .", "We is here ."]


def gold(*edits: Edit, source: str = "He go to home now .") -> Corpus:
    return Corpus([source], [[Reference(edits=edits)]])


def kinds(corpus: Corpus) -> list[tuple[str, int, int]]:
    return [(odd.kind, odd.edit.start, odd.edit.end) for odd in find_suspicious_edits(corpus)]


@pytest.mark.parametrize(
    ("edits", "odd"),
    [
        ([Edit(1, 2, ("goes",)), Edit(2, 3, ("",))], []),
        ([Edit(1, 2, ("goes",)), Edit(1, 2, ("goes",), type="R")], [("duplicated edits", 1, 2)]),
        ([Edit(1, 2, ("a  b",)), Edit(1, 2, ("a b",)), Edit(1, 2, ("a b",))], [("duplicated edits", 1, 2)] * 2),
        (
            [Edit(2, 3, ("",)), Edit(1, 2, ("goes",)), Edit(1, 1, ("x",))],
            [("edits out of order", *s) for s in ((1, 2), (1, 1))],
        ),
        ([Edit(1, 2, ("go",))], [("edits that do nothing", 1, 2)]),
        ([Edit(1, 2, ("go", "goes"))], []),
        ([Edit(2, 2, ("",))], [("empty edits", 2, 2)]),
        ([Edit(1, 4, ("x",)), Edit(2, 3, ("y",))], [("contained edits", 1, 4), ("contained edits", 2, 3)]),
        ([Edit(1, 4, ("x",)), Edit(2, 2, ("y",))], [("contained edits", 1, 4), ("contained edits", 2, 2)]),
        ([Edit(1, 3, ("x",)), Edit(2, 4, ("y",))], [("overlapping edits", 1, 3), ("overlapping edits", 2, 4)]),
        ([Edit(1, 1, ("z",)), Edit(1, 3, ("x",)), Edit(3, 3, ("z",)), Edit(3, 4, ("y",))], []),
        ([Edit(1, 2, ("x",)), Edit(1, 2, ("y",))], [("contained edits", 1, 2)] * 2),
    ],
)
def test_suspicious_edits(edits: list[Edit], odd: list[tuple[str, int, int]]) -> None:
    assert kinds(gold(*edits)) == odd


@pytest.mark.parametrize(
    ("line", "kind", "example", "fix"),
    [
        ("a\u200bb c", "zero-width characters", "a⟨U+200B⟩b c", "invisible"),
        ("soft\u00adhyphen", "zero-width characters", "soft⟨U+00AD⟩hyphen", "invisible"),
        ("mi\u200cravam", "zero-width joiners", "mi⟨U+200C⟩ravam", ""),
        ("a \u200f b", "direction marks", "a ⟨U+200F⟩ b", "marks"),
        ("ю\u0301н", "combining marks", "ю⟨U+0301⟩н", ""),
        ("10\u00a0000", "other blanks", "10⟨U+00A0⟩000", "blanks"),
        ("a\tb", "tabs", "a⟨U+0009⟩b", ""),
        ("a &amp; b", "character entities", "a &amp; b", "entities"),
        ("a\x07b", "control characters", "a⟨U+0007⟩b", ""),
        ("a\ufffdb", "replacement characters", "a\ufffdb", ""),
        ("cafe\u0301", "decomposed letters (NFD)", "cafe⟨U+0301⟩", "nfc"),
        ("ＡＢ", "full-width forms", "ＡＢ", "width"),
    ],
)
def test_suspicious_characters(line: str, kind: str, example: str, fix: str) -> None:
    [odd] = check_text(["fine", line, "fine", line])
    assert (odd.kind, odd.count, odd.of, odd.lines, odd.example, odd.fix) == (kind, 2, 4, (2, 4), example, fix)


def test_plain_text_is_not_suspicious() -> None:
    assert list(check_text(["Він пішов додому , й усе .", "« So » – “ quoted ” …", "日本語 。", "हिन्दी में"])) == []


def test_both_unicode_forms_are_mixed() -> None:
    [odd] = check_text(["café", "cafe\u0301", "plain"])
    assert (odd.kind, odd.lines) == ("mixed Unicode forms", (2,))


def test_full_width_punctuation_is_chinese() -> None:
    chinese = ["我 喜欢 猫 ， 狗 。", "你 呢 ？"]
    assert list(check_text(chinese, language="zh")) == []
    [odd] = check_text([*chinese, "我 , 你"], language="zh")
    assert (odd.kind, odd.lines, odd.fix) == ("signs in two widths", (1,), "width")
    [odd] = check_text([*chinese, "Ａ 班"], language="zh")
    assert (odd.kind, odd.lines) == ("full-width letters", (3,))


def test_lines_in_another_script() -> None:
    text = ["Вона любить яблука і груші , а також сливи ."] * 9
    [odd] = check_text([*text, "This is plain English in the middle ."])
    assert (odd.kind, odd.count, odd.lines, odd.example) == ("other languages", 1, (10,), "This is plain English in")
    assert list(check_text([*text, "Short www.example"])) == []
    assert list(check_text([*text[:3], "This is plain English in the middle ."])) == []  # a quarter: two languages


def test_untokenised_lines() -> None:
    glued = check_tokenisation(["He went.", "She went .", "No end"])
    assert glued is not None
    assert (glued.count, glued.lines, glued.example, glued.fix) == (1, (1,), "went.", "tokens")
    assert check_tokenisation(["He went ."] * 19 + ["in Nr."]) is None  # a twentieth: abbreviations
    assert check_tokenisation(["He went ."] * 18 + ["in Nr."]) is not None


def test_what_cannot_be_seen_is_named() -> None:
    assert visible("a\u0301\u202eb") == "a⟨U+0301⟩⟨U+202E⟩b"


def only(found: list[Finding], kind: str) -> Finding:
    [finding] = [finding for finding in found if finding.kind == kind]
    return finding


def test_a_contained_edit_is_measured_and_blamed() -> None:
    edits = (Edit(1, 3, ("likes an apple",), type="R:WO"), Edit(1, 2, ("likes",), type="R:VERB"))
    corpus = Corpus(["She like apple .", "Fine ."], [[Reference(edits=edits)], [Reference(edits=())]])
    diagnosis = doctor(corpus)
    finding = only(list(diagnosis), "contained edits")
    # The text is garbled: "She likes likes an apple ." is made of two insertions that are no gold edits.
    assert (finding.count, finding.of, finding.unit, finding.lines) == (2, 2, "edits", (1,))
    assert finding.example == "1 3 'like apple' → 'likes an apple'"
    assert finding.score < 1
    assert finding.fixed == 1.0
    assert finding.remedy == 'gecval.formats.fixes.fix_corpus(corpus, ["overlaps"])'
    imperfect = only(list(diagnosis), "gold is not 1 against itself")
    assert (imperfect.count, imperfect.of, imperfect.lines) == (1, 2, (1,))
    assert imperfect.score == diagnosis.gold[0].f == finding.score
    assert [(row.imperfect, row.annotations, row.edits) for row in diagnosis.gold] == [(1, 2, 2)]
    assert {edit.reason for edit in diagnosis.blamed} == {"shares words with another edit"}
    assert {(edit.sentence, edit.annotator, edit.type) for edit in diagnosis.blamed} <= {
        (1, "0", "R:WO"),
        (1, "0", "R:VERB"),
    }


def test_an_idle_edit_costs_recall() -> None:
    diagnosis = doctor(gold(Edit(1, 2, ("goes",)), Edit(2, 3, ("to",))))
    finding = only(list(diagnosis), "edits that do nothing")
    assert finding.score == pytest.approx(1.25 / (1 + 0.25 * 2))  # P = 1, R = 1/2
    assert finding.fixed == 1.0
    [blamed] = diagnosis.blamed
    assert (blamed.start, blamed.end, blamed.words, blamed.reason) == (2, 3, "to", "changes nothing")


def test_a_longer_way_is_to_blame() -> None:
    """The annotator deletes a word and writes it anew elsewhere; the shortest way keeps it."""
    diagnosis = doctor(gold(Edit(0, 0, ("Der",)), Edit(0, 1, (", der",)), source="Der mehr gelernt hat ."))
    assert {edit.reason for edit in diagnosis.blamed} == {
        "belongs to changes that are longer than the shortest way from source to text"
    }
    assert [finding.kind for finding in diagnosis] == ["gold is not 1 against itself"]


def test_a_shortest_way_that_is_not_taken() -> None:
    """Four words are written anew, and no way writes fewer."""
    edits = (Edit(0, 1, ("b c b",)), Edit(2, 2, ("c",)))
    corpus = Corpus(["a b"], [[Reference(edits=edits), Reference(edits=(Edit(0, 1, ("c",)),), annotator="1")]])
    diagnosis = doctor(corpus)
    assert {edit.reason for edit in diagnosis.blamed} == {"lies on a shortest way that M² does not take"}
    assert [(row.annotator, row.imperfect, row.blamed) for row in diagnosis.gold] == [("0", 1, 1), ("1", 0, 0)]


def test_an_edit_out_of_order_is_missed() -> None:
    diagnosis = doctor(gold(Edit(2, 3, ("",)), Edit(1, 2, ("goes",))))
    finding = only(list(diagnosis), "edits out of order")
    assert (finding.score, finding.fixed) == (0.5, 1.0)
    [blamed] = diagnosis.blamed
    assert (blamed.start, blamed.reason) == (1, "stands after an edit that comes later in the sentence")


@pytest.mark.parametrize(("kept", "blamed"), [("b c", []), ("b c d", ["keeps more than 2 of its words"])])
def test_an_edit_that_keeps_words(kept: str, blamed: list[str]) -> None:
    """M² joins changes over two unchanged words at most."""
    width = len(kept.split()) + 1
    diagnosis = doctor(gold(Edit(0, width, (f"{kept} x",)), source=f"x {kept} ."))
    assert [edit.reason.partition(",")[0] for edit in diagnosis.blamed] == blamed


def test_a_repeated_edit_passes_one() -> None:
    diagnosis = doctor(gold(Edit(1, 2, ("goes",)), Edit(1, 2, ("goes",))))
    finding = only(list(diagnosis), "duplicated edits")
    assert (finding.score, finding.fixed) == (pytest.approx(1.25 * 2 / (1 + 0.25 * 2)), 1.0)
    assert [edit.reason for edit in diagnosis.blamed] == ["repeats another edit"]


def test_healthy() -> None:
    diagnosis = doctor(Corpus.from_texts(SOURCE, [["He goes home ."], ["She likes it ."], ["We are here ."]]))
    assert diagnosis.healthy
    assert diagnosis.contents is not None
    contents = diagnosis.contents
    assert (contents.sentences, contents.tokens, contents.longest, contents.annotators) == (3, 12, 4, 1)
    assert (contents.references, contents.edits, contents.systems, contents.language) == ("1", None, 0, None)
    assert [row.f for row in diagnosis.gold] == [1.0]


def test_an_output_in_another_form_is_measured() -> None:
    corpus = Corpus(["Le cafe est bon ."], [[Reference(edits=(Edit(1, 2, ("café",)),))]])
    output = [unicodedata.normalize("NFD", "Le café est bon .")]
    finding = only(list(doctor(corpus, {"mine": output})), "decomposed letters (NFD)")
    assert (finding.where, finding.scored, finding.score, finding.fixed) == ("mine", "m2", 0.0, 1.0)


@pytest.mark.parametrize(
    ("outputs", "kind", "count"),
    [
        (SOURCE, "copy of the source", 3),
        (["He goes home .", "", "We are here ."], "empty outputs", 1),
        (["He goes home .", "a " * 34, "We are here ."], "run-away outputs", 1),
        (["He goes home.", "She likes it.", "We are here ."], "untokenised lines", 2),
    ],
)
def test_suspicious_outputs(outputs: list[str], kind: str, count: int) -> None:
    corpus = Corpus.from_texts(SOURCE, [["He goes home ."], ["She likes it ."], ["We are here ."]])
    diagnosis = doctor(corpus, {"mine": outputs})
    assert [(finding.kind, finding.count) for finding in diagnosis] == [(kind, count)]


def test_thirty_two_words_are_no_run_away() -> None:
    corpus = Corpus.from_texts(["He go home ."])
    assert doctor(corpus, {"mine": [" ".join(["a"] * 32)]}).healthy  # 3 × 4 + 20
    assert not doctor(corpus, {"mine": [" ".join(["a"] * 33)]}).healthy


def test_an_output_that_equals_a_reference() -> None:
    sources = [f"He go home {i} ." for i in range(25)]
    right = [f"He goes home {i} ." for i in range(25)]
    diagnosis = doctor(Corpus.from_texts(sources, [[text] for text in right]), {"mine": right})
    [finding] = diagnosis
    assert (finding.kind, finding.count, finding.of) == ("equals a reference", 25, 25)
    assert finding.effect.startswith("it equals one in 25 of 25 sentences that it changes")


def test_a_file_with_wrong_lines(tmp_path: Path) -> None:
    path = tmp_path / "bad.m2"
    path.write_text("S He go .\nA 1 9|||R|||goes|||REQUIRED|||-NONE-|||0\nA 1 2|||R|||go|||REQUIRED|||-NONE-|||0\n")
    diagnosis = doctor_files([path])
    assert [(finding.kind, finding.where) for finding in diagnosis][:2] == [
        ("lines that are wrong", str(path)),
        ("edits that do nothing", str(path)),
    ]
    assert "dropped 1: edits out of range (line 2)" in diagnosis[0].effect
    assert diagnosis[0].remedy == f"gecval convert {path} -o fixed.m2 --lenient"
    assert diagnosis[1].remedy == f"gecval doctor {path} --fix idle"
    assert "bad.fixed.m2 written (fixes: idle)" in doctor_files([path], fixes=["all"]).notes[-1]
    assert (tmp_path / "bad.fixed.m2").read_text().startswith("S He go .\nA -1 -1|||noop|||")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "src.txt").write_text("a b\nc d\n")
    (tmp_path / "ref.txt").write_text("a b\n")
    (tmp_path / "out.txt").write_text("a b\nc d\n")
    diagnosis = doctor_files([tmp_path / "src.txt", tmp_path / "ref.txt"], [tmp_path / "out.txt"])
    assert diagnosis.contents is None
    [finding] = diagnosis
    assert (finding.kind, finding.where) == ("cannot be read", str(tmp_path / "src.txt"))
    assert "ref.txt has 1 lines" in finding.effect


def test_an_output_with_other_line_breaks(tmp_path: Path) -> None:
    gold, output = tmp_path / "gold.m2", tmp_path / "out.txt"
    gold.write_text("S He go .\nA 1 2|||R|||goes|||REQUIRED|||-NONE-|||0\n\nS Fine .\n\nS Good .\n")
    output.write_text("He goes . Fine .\n")
    diagnosis = doctor_files([gold, output])
    found = {finding.kind: finding for finding in diagnosis}
    assert list(found) == ["other line breaks", "empty outputs"]
    breaks = found["other line breaks"]
    assert (breaks.where, breaks.scored, breaks.fixed) == (str(output), "m2", pytest.approx(1.25 / (2 + 0.25)))
    assert breaks.score != breaks.score  # it is refused
    assert len(diagnosis.notes) == 1
    assert breaks.effect == f"it is not scored line by line; {diagnosis.notes[0]}"
    assert breaks.remedy == f"gecval score {output} -r {gold} -m m2 --realign"
    assert found["empty outputs"].lines == (3,)
    assert found["empty outputs"].remedy == f"{breaks.remedy} --sentences"


def test_a_folder_of_outputs(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text("S He go .\nA 1 2|||R|||goes|||REQUIRED|||-NONE-|||0\n\nS Fine .\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a.txt").write_text("He goes .\nFi\u200bne .\n")
    (tmp_path / "out/b.txt").write_text("He go .\nFine .\n")
    (tmp_path / "out/README.md").write_text("x\n")
    diagnosis = doctor_files([tmp_path / "gold.m2"], [tmp_path / "out"])
    assert diagnosis.contents is not None
    assert diagnosis.contents.systems == 2
    assert [(finding.kind, Path(finding.where).name) for finding in diagnosis] == [
        ("zero-width characters", "a.txt"),
        ("copy of the source", "b.txt"),
    ]
    assert diagnosis[0].remedy == f"gecval doctor {tmp_path}/gold.m2 {tmp_path}/out/a.txt --fix invisible"


def test_what_a_file_counts_as_is_found_or_said(tmp_path: Path) -> None:
    """A second M2 file is gold where it has annotators that an output has not, or where the user says so."""
    lines = "S He go .\nA 1 2|||R|||goes|||REQUIRED|||-NONE-|||{}\n"
    one, same, other, out = (tmp_path / name for name in ("one.m2", "same.m2", "other.m2", "out.txt"))
    for path, annotator in ((one, 0), (same, 0), (other, 1)):
        path.write_text(lines.format(annotator))
    out.write_text("He goes .\n")

    def found(*given: Path, **options: bool) -> tuple[int, int, list[str]]:
        diagnosis = doctor_files(given, **options)
        assert diagnosis.contents is not None
        return diagnosis.contents.annotators, diagnosis.contents.systems, list(diagnosis.notes)

    assert found(one, other, out) == (2, 1, [])
    assert found(one, same, named=True) == (2, 0, [])
    said = f"same.m2 counts as an output; if it is gold of another annotator: gecval doctor -r {one} -r {same}"
    assert found(one, same) == (1, 1, [said])
    for name in ("src.txt", "ref0.txt", "ref1.txt"):
        (tmp_path / name).write_text("He go .\n" if name == "src.txt" else f"He goes {name[3]} .\n")
    source, *references = (tmp_path / name for name in ("src.txt", "ref0.txt", "ref1.txt"))
    assert found(source, *references) == (2, 0, [])
    said = "out.txt, ref0.txt count as corrected texts by annotators; if one is an output, name it behind --systems"
    assert found(source, out, references[0]) == (2, 0, [said])


def test_text_without_blanks(tmp_path: Path) -> None:
    diagnosis = doctor(Corpus.from_texts(["因为在冰箱里没什么东西"], [["因为在冰箱里没有什么东西"]]))
    finding = only(list(diagnosis), "no blanks between words")
    assert (finding.count, finding.example) == (1, "因为在冰箱里没什么东西")
    assert finding.remedy.endswith("--tokenize char")
    assert doctor(Corpus.from_texts(["因 为 在 冰 箱 里"], [["因 为 在 冰 箱"]])).healthy


def test_tabs_are_seen_in_m2_though_its_reader_splits_at_them(tmp_path: Path) -> None:
    (tmp_path / "tabs.m2").write_text("S He\tgo .\nA 1 2|||R|||goes\u00a0on|||REQUIRED|||-NONE-|||0\n\nS Fine .\n")
    found = [(finding.kind, finding.lines, finding.example) for finding in doctor_files([tmp_path / "tabs.m2"])]
    assert found == [("other blanks", (2,), "goes⟨U+00A0⟩on"), ("tabs", (1,), "He⟨U+0009⟩go .")]
    (tmp_path / "short.m2").write_text("S He go .\nA 1 2|||R|||go\u00a0es\n")
    assert doctor_files([tmp_path / "short.m2"])[1].example == "go⟨U+00A0⟩es"


def test_lines_are_shown_by_a_command(tmp_path: Path) -> None:
    path = tmp_path / "a b.txt"
    path.write_text("Fine .\n\nGood .\n\n")
    [finding] = doctor_files([path])
    assert (finding.kind, finding.lines) == ("empty lines", (2, 4))
    assert finding.remedy == f"sed -n '2p;4p' '{path}'"


def test_fixes() -> None:
    assert (
        fix_text("cafe\u0301 ＡＢ\u200b\u200e x\u200dy don't,he", ["nfc"]) == "café ＡＢ\u200b\u200e x\u200dy don't,he"
    )
    assert fix_text("Ａ，　Ｂ", ["width"]) == "A, B"
    assert fix_text("\ufeffa\u200b\u00adb\u200d", ["invisible"]) == "ab\u200d"
    assert fix_text("a\u200f\u2066b\u061c", ["marks"]) == "ab"
    assert fix_text("He don't go-home,now...", ["tokens"]) == "He don't go-home , now . . ."
    for word in ("हिन्दी", "cafe\u0301", "שָׁלוֹם", "می\u200cروم"):  # marks and joiners stay with their letters
        assert fix_text(f"{word},{word}.", ["tokens"]) == f"{word} , {word} ."
    assert fix_text("a\u0301\u0301!\ufe0f \u0301b", ["tokens"]) == "a\u0301\u0301 !\ufe0f \u0301 b"
    with pytest.raises(ValueError, match="'teeth' is not a fix; there is duplicates, idle, order"):
        fix_text("a", ["teeth"])
    assert set(FIXES) == {
        "duplicates",
        "idle",
        "order",
        "overlaps",
        "nfc",
        "width",
        "invisible",
        "marks",
        "tokens",
        "entities",
        "blanks",
    }


def test_five_lines_and_a_dozen_letters_are_shown() -> None:
    [odd] = check_text([f"{'a' * 20}\u200b{'b' * 20}"] * 7)
    assert odd.lines == (1, 2, 3, 4, 5)
    assert odd.example == f"{'a' * 12}⟨U+200B⟩{'b' * 11}"
    [decomposed] = check_text(["e\u0301"] * 7)
    assert (decomposed.count, decomposed.lines) == (7, (1, 2, 3, 4, 5))
    [other] = check_text(["a" * 30] * 7 + ["слово " * 30] * 40)
    assert (other.kind, other.count, other.lines) == ("other languages", 7, (1, 2, 3, 4, 5))
    assert other.example == "a" * 24


@pytest.mark.parametrize(("latin", "lines", "odd"), [(19, 9, 0), (20, 9, 1), (20, 4, 1), (20, 3, 0)])
def test_twenty_letters_and_a_fifth_of_the_lines(latin: int, lines: int, odd: int) -> None:
    """Shorter lines may be names; more lines than a fifth are a second language."""
    text = ["слово " * 30] * lines + ["a" * latin]
    assert sum(found.kind == "other languages" for found in check_text(text)) == odd


def test_half_of_a_line_may_be_in_another_script() -> None:
    text = ["слово " * 30] * 9
    assert list(check_text([*text, "абвгдежзик abcdefghij"])) == []
    assert [odd.lines for odd in check_text([*text, "абвгдежзи abcdefghijk"])] == [(10,)]


def test_gold_of_many_annotations_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    from gecval.studies.doctor import study as run

    corpus = Corpus.from_texts(SOURCE, [["He goes home ."], ["She likes it ."], ["We are here ."]])
    assert doctor(corpus).notes == ()
    monkeypatch.setattr(run, "MOST_ANNOTATIONS", 2)
    diagnosis = doctor(corpus)
    assert [row.annotations for row in diagnosis.gold] == [2]
    assert diagnosis.notes == ("gold is scored against itself in the first 2 annotations",)


def test_contents_are_counted() -> None:
    references = [[Reference(edits=(Edit(1, 2, ("goes",)),)), Reference(edits=(), annotator="1")]] * 2
    corpus = Corpus(["He go home now .", "He go ."], references)
    contents = doctor(corpus, {"mine": ["He goes home now .", "He goes ."]}).contents
    assert contents is not None
    assert (contents.sentences, contents.tokens, contents.longest, contents.annotators) == (2, 8, 5, 2)
    assert (contents.references, contents.edits, contents.systems) == ("2", 2, 1)


def test_five_sentences_are_named_and_the_worst_annotator_is_scored() -> None:
    """The first annotator repeats every edit, the second has one of two that does nothing in a single sentence."""
    twice, idle = (Edit(1, 2, ("goes",)),) * 2, (Edit(1, 2, ("goes",)), Edit(2, 3, ("home",)))
    right = (Edit(1, 2, ("goes",)),)
    references = [[Reference(edits=twice), Reference(edits=idle if i == 6 else right, annotator="1")] for i in range(7)]
    diagnosis = doctor(Corpus(["He go home ."] * 7, references))
    repeated = only(list(diagnosis), "duplicated edits")
    assert (repeated.count, repeated.of, repeated.lines) == (7, 22, (1, 2, 3, 4, 5))
    assert repeated.example == "1 2 'go' → 'goes'"
    assert only(list(diagnosis), "edits that do nothing").lines == (7,)
    gold = only(list(diagnosis), "gold is not 1 against itself")
    assert (gold.count, gold.of, gold.unit, gold.lines) == (8, 14, "annotations", (1, 2, 3, 4, 5))
    assert gold.example == "1 2 'go' → 'goes'"
    first, second = (row.f for row in diagnosis.gold)
    assert (first, second) == (pytest.approx(1.25 * 2 / (1 + 0.25 * 2)), pytest.approx(1.25 / (1 + 0.25 * 8 / 7)))
    assert gold.score == first
    assert gold.effect == "a perfect output is not perfect: an edit repeats another edit, or changes nothing"
    assert [(row.annotator, row.annotations, row.edits, row.imperfect, row.blamed) for row in diagnosis.gold] == [
        ("0", 7, 14, 7, 7),
        ("1", 7, 8, 1, 1),
    ]


def test_below_one_may_be_farther_than_above() -> None:
    right = Edit(1, 2, ("goes",))
    references = [
        [Reference(edits=(right, Edit(2, 3, ("home",)))), Reference(edits=(right,) * (2 if i else 1), annotator="1")]
        for i in (0, 0, 0, 0, 0, 0, 1)
    ]
    diagnosis = doctor(Corpus(["He go home ."] * 7, references))
    first, second = (row.f for row in diagnosis.gold)
    assert first == pytest.approx(1.25 / (1 + 0.25 * 2))
    assert 1 < second < 2 - first
    assert only(list(diagnosis), "gold is not 1 against itself").score == first


def test_text_without_blanks_by_value() -> None:
    source = "因为在冰箱里没什么东西所以我们今天去商店买东西吃"
    [bare] = doctor(Corpus.from_texts([source]))
    assert (bare.kind, bare.lines, bare.of, bare.example) == ("no blanks between words", (1,), 1, source[:20])
    assert bare.remedy == "gecval score SYSTEM -r 'the source' -m m2 --tokenize char"
    annotated = Corpus([source], [[Reference(edits=(Edit(0, 1, ("x",)),))]])
    remedy = only(list(doctor(annotated)), "no blanks between words").remedy
    assert remedy == (
        "gecval convert 'the source' -o texts && "
        "gecval score SYSTEM -s texts/source.txt -r texts/reference-0.txt -m m2 --tokenize char"
    )
    half = Corpus.from_texts(["因为在冰箱 word"])
    assert [finding.kind for finding in doctor(half)] == []
    cut = Corpus.from_texts([source], [[source]], tokenize="char")
    assert [finding.kind for finding in doctor(cut)] == []


def test_a_zipped_text_is_shown_by_a_command(tmp_path: Path) -> None:
    path = tmp_path / "src.txt.GZ"
    path.write_bytes(gzip.compress(b"Fine .\n\nGood .\n"))
    [finding] = doctor_files([path])
    assert finding.remedy == f"gzip -dc {path} | sed -n '2p'"


def test_where_a_sentence_lacks_an_annotator_each_file_is_fixed(tmp_path: Path) -> None:
    edit = "A 1 2|||R|||go\u200bes|||REQUIRED|||-NONE-|||"
    source, gold = tmp_path / "src.txt", tmp_path / "gold.m2"
    source.write_text("He go .\nWe go .\n")
    for second in ("", f"{edit}1\n"):
        gold.write_text(f"S He go .\n{edit}0\n{edit}1\n\nS We go .\n{edit}0\n{second}")
        [finding] = (row for row in doctor_files([source, gold]) if row.kind == "zero-width characters")
        assert finding.remedy == f"gecval doctor {source} {gold} --fix invisible"
        notes = doctor_files([source, gold], fixes=["invisible"]).notes
        assert notes[-1] == f"{tmp_path}/gold.fixed.m2 written (fixes: invisible)"
        assert (tmp_path / "gold.fixed.m2").read_text().rstrip() == gold.read_text().rstrip().replace("\u200b", "")


@pytest.mark.parametrize(
    ("reference", "options", "scored"),
    [(None, "-r REFERENCE -m m2", ""), ("He goes .\nFine .\nGood .\n", "-r {} -m gleu", "gleu")],
)
def test_other_line_breaks_without_edits(tmp_path: Path, reference: str | None, options: str, scored: str) -> None:
    source, gold, output = (tmp_path / name for name in ("src.txt", "ref.txt", "out.txt"))
    source.write_text("He go .\nFine .\nGood .\n")
    output.write_text("He goes . Fine .\nGood .\n")
    if reference:
        gold.write_text(reference)
    [breaks] = doctor_files([source, gold] if reference else [source], [output])
    assert (breaks.kind, breaks.scored, breaks.count, breaks.unit) == ("other line breaks", scored, 1, "file")
    lines = ["He go .", "Fine .", "Good ."], [["He goes ."], ["Fine ."], ["Good ."]]
    [again] = score(Corpus.from_texts(*lines), {"mine": [text for [text] in lines[1]]}, ["gleu"])
    assert breaks.fixed == again.score if scored else breaks.fixed != breaks.fixed
    assert breaks.remedy == f"gecval score {output} -s {source} {options.format(gold)} --realign"


def test_long_lines_in_another_form_are_shown_around_it() -> None:
    [odd] = check_text([f"{'a' * 20}e\u0301{'b' * 20}"])
    assert odd.example == f"{'a' * 12}e⟨U+0301⟩{'b' * 10}"


def test_the_rarer_of_two_widths_is_shown() -> None:
    """Of the sign that stands in both widths most often, the rarer form."""
    text = ["我 ， 你 ，", "他 , 她 ，", "好 ？", "好 ?", "好 ?", "对 ？"]
    [odd] = check_text(text, language="zh")
    assert (odd.kind, odd.count, odd.lines) == ("signs in two widths", 2, (3, 6))
    [odd] = check_text(["我 ， 你", "他 ， 她", "好 , 吗"], language="ja")
    assert (odd.count, odd.lines, odd.example) == (1, (3,), "好 , 吗")


def test_blanks_at_the_end_of_a_line_do_not_matter() -> None:
    glued = check_tokenisation(["He went.  ", "She went . ", "She came ."])
    assert glued is not None
    assert (glued.count, glued.lines, glued.example) == (1, (1,), "went.")
    assert check_tokenisation([" He went ."] * 19 + ["in Nr. "]) is None


@pytest.mark.parametrize(("letters", "odd"), [(19, 0), (20, 1)])
def test_twenty_letters_tell_a_script(letters: int, odd: int) -> None:
    """Of the text as a whole: here half of it, and one letter more, is in the script of the most lines."""
    assert sum(found.kind == "other languages" for found in check_text(["а" * 21, *["."] * 8, "a" * letters])) == odd
    assert list(check_text(["а" * 20, *["."] * 8, "a" * 20])) == []


def test_japanese_has_three_scripts() -> None:
    kana, han, latin = "ひ" * 25, "漢" * 21, "a" * 25
    assert list(check_text([*[kana] * 9, han], language="ja")) == []
    assert [odd.lines for odd in check_text([*[kana] * 9, latin], language="ja")] == [(10,)]
    assert [odd.lines for odd in check_text([*[latin] * 9, han])] == [(10,)]


def test_lines_of_a_corpus_are_looked_at_too() -> None:
    found = [
        (finding.kind, finding.where, finding.lines, finding.remedy)
        for finding in doctor(Corpus.from_texts(["", "a\tb"]))
    ]
    assert found == [("tabs", "the source", (2,), ""), ("empty lines", "the source", (1,), "")]
    corpus = Corpus.from_texts(["a", "b"], [["a", "x\u00a0z"], ["b\u00a0c", "y"]])
    [finding] = doctor(corpus, {"mine": ["a", "c"]})
    assert (finding.kind, finding.where, finding.count, finding.of) == ("other blanks", "the references", 2, 4)


def test_which_lines_of_an_output_are_shown(tmp_path: Path) -> None:
    """Those of its file; where lines were cut anew, the sentences of the source are shown by scoring them."""
    gold, output = tmp_path / "gold.m2", tmp_path / "out.txt"
    gold.write_text("S He go .\n\nS Fine .\n\nS Good .\n")
    output.write_text("He go .\n\nGood now .\n")
    [empty] = doctor_files([gold, output])
    assert (empty.kind, empty.lines, empty.fix) == ("empty outputs", (2,), "empty")
    output.write_text("He\tgo .\nFine .\nGood now .\n")
    [tabs] = doctor_files([gold, output])
    assert (tabs.kind, tabs.where, tabs.lines) == ("tabs", str(output), (1,))
    output.write_text("He\u00a0go . Fine .\n")
    found = {finding.kind: finding for finding in doctor_files([gold, output])}
    assert found["other blanks"].remedy == f"gecval doctor {gold} {output} --fix blanks"
    assert found["empty outputs"].remedy == f"gecval score {output} -r {gold} -m m2 --realign --sentences"


def test_an_output_in_m2_is_looked_at_as_text(tmp_path: Path) -> None:
    gold, output = tmp_path / "gold.m2", tmp_path / "hyp.m2"
    edit = "A 1 2|||R|||go\u200bes|||REQUIRED|||-NONE-|||0\n"
    output.write_text(f"S Fine .\n\nS He go .\n{edit}")
    gold.write_text("S Fine .\n\nS He go .\n" + edit.replace("\u200b", ""))
    [finding] = doctor_files([gold], [output])
    assert (finding.where, finding.lines, finding.example) == ("hyp", (2,), "He go⟨U+200B⟩es .")


def test_an_output_that_cannot_be_read(tmp_path: Path) -> None:
    gold, output = tmp_path / "gold.m2", tmp_path / "out.jsonl"
    gold.write_text("S He go .\n")
    output.write_text('{"source": "He go ."}\n')
    diagnosis = doctor_files([gold], [output])
    [finding] = diagnosis
    assert (finding.kind, finding.where, finding.count, finding.remedy) == ("cannot be read", str(output), 1, "")
    assert diagnosis.contents is not None
    assert diagnosis.contents.systems == 0


def test_gold_is_fixed_with_the_output() -> None:
    gold = Corpus(["He go ."], [[Reference(edits=(Edit(1, 2, ("go\u200bes",)),))]])
    finding = next(row for row in doctor(gold, {"mine": ["He goes\u200b ."]}) if row.where == "mine")
    assert (finding.kind, finding.score, finding.fixed) == ("zero-width characters", 0.0, 1.0)


def test_texts_whose_punctuation_is_glued() -> None:
    """Gold as plain text may be cut anew; where edits count its words, nothing is said."""
    found = [(row.kind, row.where, row.remedy) for row in doctor(Corpus.from_texts(["He go."], [["He goes."]]))]
    remedy = 'gecval.formats.fixes.fix_corpus(corpus, ["tokens"])'
    assert found == [("untokenised lines", where, remedy) for where in ("the source", "the references")]
    assert doctor(Corpus(["He go."], [[Reference(edits=())]])).healthy
