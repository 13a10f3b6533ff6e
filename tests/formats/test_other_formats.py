"""Formats of other communities: tab-separated, essays, NUCLE, W&I, ChERRANT; and faults that are dropped."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, load_corpus, load_systems, score, verify, write_corpus
from gecval.errors import MissingExtraError, shorten
from gecval.formats import load_files
from gecval.formats.character_edits import CharacterEdit, correct_text
from gecval.formats.essays import _tokenizer, tokenizer_signature
from gecval.formats.files import Faults
from gecval.formats.tabular import is_tabular
from gecval.sample import load_sample

NOTHING_DROPPED = "lenient reading dropped nothing: no fault was found in the references"


@pytest.fixture
def write(tmp_path: Path):
    def write(name: str, content: str) -> Path:
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return write


def texts(corpus: Corpus) -> list[list[str]]:
    return [corpus.texts_of(i) for i in range(len(corpus))]


class TestTabs:
    @pytest.mark.parametrize(
        "content",
        [
            "7\ta b\tA b\ta B\n8\tc\tC\n",
            "a b\tA b\ta B\nc\tC\n\n",
            "source\ttarget\tother\na b\tA b\ta B\nc\tC\n",
            "ID\tSentence\ttarget\n7\ta b\tA b\ta B\n8\tc\tC\n",
        ],
    )
    def test_sources_and_targets(self, write, content):
        """The id, the header and empty lines at the end are no texts."""
        path = write("any.name", content)
        corpus = load_corpus(None, [path])
        assert (corpus.sources, texts(corpus), corpus.notes) == (["a b", "c"], [["A b", "a B"], ["C"]], ())
        assert load_files([path]).sources == corpus.sources
        beside = load_corpus(write("src", "a b\nc\n"), [path])
        assert texts(beside) == texts(corpus)

    def test_references_alone_beside_a_source(self, write):
        corpus = load_corpus(write("src", "a b\nc\nd\n"), [write("gold", "A b\ta B\nC\t\n\n")])
        assert texts(corpus) == [["A b", "a B"], ["C", ""], [""]]  # who deletes a sentence writes nothing
        assert [reference.annotator for reference in corpus.references[0]] == ["0", "1"]

    @pytest.mark.parametrize(
        ("missing", "of_second"),
        [
            ("absent", ["C"]),
            ("placeholder", ["C"]),
            ("unchanged", ["C", "c"]),
            ("agreed", ["C", "C"]),
            ("inferred", ["C", "C"]),
        ],
    )
    def test_references_that_a_line_lacks(self, write, missing, of_second):
        """As for M2: what it means is asked where text is written, and else said by the user."""
        path = write("ragged.tsv", "a b\tA b\ta B\nc\tC\n")
        corpus = load_corpus(None, [path], missing=missing)
        assert texts(corpus) == [["A b", "a B"], of_second]
        assert [reference.annotator for reference in corpus.references[1]] == ["0", "1"][: len(of_second)]
        with pytest.raises(InputError) as refusal:
            load_files([path], missing="ask")
        assert refusal.value.parameters == ("missing",)
        assert str(refusal.value).startswith(f"{path}: lines with fewer references than others: 1; choose whether")

    @pytest.mark.parametrize(("content", "of_lines"), [
        ("a b\tA b\nc\tC\n", [["A b"], ["C"]]),
        ("a b\tA b\nx\tC\n", [["a b", "A b"], ["x", "C"]]),  # the second line begins with no source
        ("a b\nc\tC\n", [["a b"], ["c", "C"]]),  # an annotator who changes nothing
    ])  # fmt: skip
    def test_the_source_stands_before_references_in_every_line_or_in_none(self, write, content, of_lines):
        assert texts(load_corpus(write("s.txt", "a b\nc\n"), [write("r.tsv", content)])) == of_lines

    def test_a_source_with_other_blanks(self, write):
        """Chinese is written with and without them. The words of command are those of MuCGEC."""
        para = write("ref.para", "1\t冬阴功\t冬阴\t没有错误\n2\t是菜\t无法标注\n")
        source = write("src", "冬 阴 功\n是 菜\n")
        with pytest.raises(InputError, match="sentence 1 differs from"):
            load_corpus(source, [para])
        corpus = load_corpus(source, [para], tokenize="char")
        assert (corpus.sources, texts(corpus)) == (["冬 阴 功", "是 菜"], [["冬 阴", "冬 阴 功"], ["是 菜"]])
        assert corpus.references[1][0].edits == (Edit(0, 0, ("",), "NA"),)
        [system] = load_systems([write("hyp.para", "1\t冬阴功\t没有错误\n2\t是菜\t是\n")], corpus)
        assert (system.name, system.hypotheses) == ("hyp", ["冬 阴 功", "是"])

    def test_a_tab_in_an_output_is_a_blank(self, write):
        corpus = Corpus.from_texts(["a b", "c"])
        for text in ("a\tb", "a\t\tb", "source\tb", "a b\tb\tc"):
            [system] = load_systems([write("mine.txt", f"{text}\nc\n")], corpus)
            assert system.hypotheses == [text, "c"]

    def test_outputs_beside_their_sources(self, write):
        corpus = Corpus.from_texts(["a b", "c"])
        for content in ("a b\tA b\nc\t\n", "source\ttarget\na b\tA b\nc\t\n", "1\ta b\tA b\n2\tc\t\n\n"):
            [system] = load_systems([write("mine.txt", content)], corpus)
            assert system.hypotheses == ["A b", ""]

    @pytest.mark.parametrize(
        ("content", "message", "kept"),
        [
            ("1\ta\tA\n2\tb\n", "line 2: expected an id, a source and a target, separated by tabs", ["a"]),
            ("a\tA\nb\n", "line 2: expected a source, a tab and a target, separated by tabs", ["a"]),
            ("a\tA\nb\tB\t\tC\n", "line 2: reference 2 is empty", ["a", "b"]),
            ("a\tA\n\tB\n", "line 2: expected a source, a tab and a target, separated by tabs", ["a"]),
            ("1\ta\tA\n2\tb\t\n", "line 2: the target is empty", ["a", "b"]),
        ],
    )
    def test_faults(self, write, content, message, kept):
        path = write("mine.tsv", content)
        with pytest.raises(InputError) as refusal:
            load_corpus(None, [path])
        assert (str(refusal.value), refusal.value.parameters) == (f"{path}: {message}", ("lenient",))
        corpus = load_corpus(None, [path], lenient=True)
        assert corpus.sources == kept
        [note] = corpus.notes
        assert note.startswith(f"{path}: dropped 1: ")
        assert note.endswith(" (line 2)")
        assert texts(corpus) == [["A"], ["B", "C"] if "C" in content else []][: len(kept)]

    @pytest.mark.parametrize(
        ("content", "sources"),
        [
            ("source\ttarget\n", ["source"]),  # a header has lines below it
            ("7\tA\nb\tB\n", ["7", "b"]),  # an id is a number in every line
        ],
    )
    def test_what_looks_like_a_header_or_an_id(self, write, content, sources):
        assert load_corpus(None, [write("mine.tsv", content)]).sources == sources

    def test_what_is_no_file_with_columns(self, write, tmp_path):
        assert is_tabular(write("a.tsv", "a\tb\n"))
        assert not is_tabular(write("b.tsv", "a b\t\n"))
        assert is_tabular(write("c.tsv", "a\n" * 999 + "a\tb\n"))
        assert not is_tabular(write("d.tsv", "a\n" * 1000 + "a\tb\n"))  # long files are not read whole
        assert not is_tabular(tmp_path / "nothing")
        assert not is_tabular(tmp_path)
        (tmp_path / "latin").write_bytes(b"a\n\xe9\tb\n")
        assert not is_tabular(tmp_path / "latin")  # whoever reads it says what is wrong

    def test_other_refusals(self, write):
        with pytest.raises(InputError, match="the first column must be the source, or an id with the source after it"):
            load_corpus(None, [write("a.tsv", "target\tsource\nA\ta\n")])
        with pytest.raises(InputError, match=r"gold has 1 lines, .*src 2"):
            load_corpus(write("src", "a\nb\n"), [write("gold", "A\tAA\n")])
        with pytest.raises(InputError, match="has no line with a source and a target"):
            load_corpus(None, [write("c.tsv", "1\ta\n")], lenient=True)


ORIG = "### essay_id = a\nHe go home.\n\nFine!\n\n### essay_id = b\nShe like it.\n"
FIRST = "### essay_id = b\nShe likes it.\n### essay_id = a\nHe goes home.\nFine!\n"
SECOND = "chatter\n### essay_id = a\nHe went home. Fine!\n### essay_id = z\nx\n### essay_id = z\ny\n"


class TestEssays:
    @pytest.fixture
    def files(self, write):
        return [write(f"{name}.md", text) for name, text in (("orig", ORIG), ("first", FIRST), ("second", SECOND))]

    @pytest.mark.parametrize(
        ("missing", "of_b", "meaning"),
        [
            ("absent", ["She likes it ."], "they have one reference less"),
            ("unchanged", ["She likes it .", "She like it ."], "the source stands for them"),
            ("agreed", ["She likes it .", "She likes it ."], "the first reference stands for them too"),
            ("placeholder", ["She likes it .", "!"], "the token ! stands for them, as in MultiGEC's code"),
        ],
    )
    def test_essays_are_lines_in_the_order_of_the_source(self, files, missing, of_b, meaning):
        orig, first, second = files
        corpus = load_corpus(orig, [first, second], missing=missing)
        assert corpus.sources == ["He go home . Fine !", "She like it ."]
        assert texts(corpus) == [["He goes home . Fine !", "He went home . Fine !"], of_b]
        assert texts(load_files(files, missing=missing)) == texts(corpus)
        assert corpus.essays == ("a", "b")
        assert corpus.notes == (
            f"{second}: 1 essay (z) stands there more than once; the last counts",
            f"{second}: 1 essay (z) left out: the source has no such essay",
            f"{second} lacks 1 essay (b); {meaning}",
        )

    def test_a_note_names_three_essays(self, write):
        names = [f"e{i}" for i in range(5)]
        orig = write("orig.md", "".join(f"### essay_id = {name}\nx\n" for name in names))
        corpus = load_corpus(orig, [write("one.md", "### essay_id = e0\ny\n")])
        assert [note.partition(";")[0] for note in corpus.notes][-1].endswith("lacks 4 essays (e1, e2, e3, …)")
        corpus = load_corpus(orig, [write("two.md", "### essay_id = e0\ny\n### essay_id = e4\ny\n")])
        assert [note.partition(";")[0] for note in corpus.notes][-1].endswith("lacks 3 essays (e1, e2, e3)")

    def test_a_note_shortens_long_names(self, write):
        names = ["e" * 40, "f" * 41]
        orig = write("orig.md", "".join(f"### essay_id = {name}\nx\n" for name in ["e0", *names]))
        corpus = load_corpus(orig, [write("one.md", "### essay_id = e0\ny\n")])
        shown = f"{'e' * 40}, {shorten('f' * 41, 40)}"
        assert corpus.notes[-1].endswith(f"lacks 2 essays ({shown}); they have one reference less")

    def test_the_signature_of_essays_needs_the_tokenizer(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "syntok.tokenizer", None)
        _tokenizer.cache_clear()
        with pytest.raises(MissingExtraError, match=r"reading essays .*gecval\[multigec\]"):
            tokenizer_signature()

    def test_the_preset_says_what_stands_for_a_missing_essay(self, files):
        orig, *references = files
        assert texts(load_corpus(orig, references, preset="multigec"))[1][1] == "!"
        assert len(texts(load_corpus(orig, references, preset="multigec", missing="absent"))[1]) == 1
        with pytest.raises(InputError, match="there is no preset 'unlp'; choose multigec"):
            load_corpus(orig, references, preset="unlp")

    def test_a_system_that_lacks_an_essay(self, files):
        orig, first, second = files
        corpus = load_corpus(orig, [first])
        [system] = load_systems([second], corpus)
        assert system.hypotheses == ["He went home . Fine !", "!"]
        assert system.notes[-1] == f"{second} lacks 1 essay (b); the token ! stands for them, as in MultiGEC's code"
        [result] = score(corpus, [system], ["gleu"])
        assert "|unit:essay|syntok:" in result.signature
        folder = orig.parent
        assert [system.name for system in load_systems([folder], corpus)] == ["first", "orig", "second"]

    def test_refusals(self, files, write):
        orig, first, second = files
        source = write("src", "a\nb\n")
        for load in (lambda: load_corpus(source, [first]), lambda: load_corpus(None, [first])):
            with pytest.raises(InputError, match=r"first.md holds essays, so the source must be a file of essays too"):
                load()
        with pytest.raises(InputError, match="holds essays, so the source must be a file of essays too"):
            load_systems([first], Corpus.from_texts(["a", "b"]))
        with pytest.raises(InputError, match=r"has no essay of the source; is it that of another corpus\?"):
            load_corpus(orig, [write("other.md", "### essay_id = q\nx\n")])
        more = write("more.md", ORIG + "### essay_id = c\nFine.\n")
        with pytest.raises(InputError, match="lacks essays: 2; choose whether the annotator left them 'unchanged'"):
            load_corpus(more, [second], missing="ask")


class TestRunningText:
    def test_w_and_i(self, write):
        first = {
            "text": "He go home.\nFine.",
            "edits": [[0, [[3, 5, "goes"], [10, 10, " now"], [0, 2, None]]], [4, []]],
        }
        second = {"id": "x", "text": "Fine", "edits": []}
        path = write("A.dev.json", f"{json.dumps(first)}\n{json.dumps(second)}\n")
        corpus = load_corpus(None, [path])
        assert corpus.sources == ["He go home. Fine.", "Fine"]
        assert texts(corpus) == [["He goes home now. Fine.", "He go home. Fine."], []]
        assert [reference.annotator for reference in corpus.references[0]] == ["0", "4"]
        assert corpus.notes == (f"{path}: the texts are running text, not tokenised; tokens are what blanks separate",)

    @pytest.mark.parametrize(
        ("edits", "message", "kind"),
        [
            ([[0, 2, "x"], [1, 3, "y"]], "edit 1 3 overlaps an edit that ends at 2; a text can take only one of them",
             "edits that overlap others"),
            ([[0, 99, "x"]], "edit 0 99 is out of range; the text has 4 characters", "edits out of range"),
            ([[2, 1, "x"]], "edit 2 1 is out of range; the text has 4 characters", "edits out of range"),
            ([["a", 1, "x"]], 'an edit is [start, end, "correction"]', "edits of another shape"),
        ],
    )  # fmt: skip
    def test_w_and_i_with_faults(self, write, edits, message, kind):
        path = write("a.json", json.dumps({"text": "abcd", "edits": [[0, edits]]}))
        with pytest.raises(InputError) as refusal:
            load_corpus(None, [path])
        assert str(refusal.value) == f"{path}: line 1: {message}"
        assert load_corpus(None, [path], lenient=True).notes[0] == f"{path}: dropped 1: {kind} (line 1)"

    @pytest.mark.parametrize(
        "line", ['{"text": "a", "edits": {}}', '{"text": 1, "edits": []}', '{"text": "a", "edits": [[0]]}']
    )
    def test_w_and_i_of_another_shape(self, write, line):
        with pytest.raises(InputError, match=r"a.json: line 1: expected \{"):
            load_corpus(None, [write("a.json", line)])

    def test_half_a_surrogate_is_no_text(self, write):
        with pytest.raises(InputError, match="half of a surrogate pair"):
            load_corpus(None, [write("a.json", '{"text": "\\ud800", "edits": []}')])

    NUCLE = (
        '<DOC nid="1">\n<TEXT>\n<TITLE>\nKeeping secret\n</TITLE>\n<P>\nHe go &amp; home.\n</P>\n</TEXT>\n'
        '<ANNOTATION teacher_id="8">\n<MISTAKE start_par="1" start_off="3" end_par="1" end_off="5">\n<TYPE>SVA</TYPE>\n'
        "<CORRECTION>goes</CORRECTION>\n</MISTAKE>\n</ANNOTATION>\n</DOC>\n"
    )

    def test_nucle(self, write):
        corpus = load_corpus(None, [write("nucle3.2.sgml", self.NUCLE + self.NUCLE.replace("8", "9"))])
        assert corpus.sources == ["Keeping secret", "He go &amp; home."] * 2
        assert texts(corpus) == [["Keeping secret"], ["He goes &amp; home."]] * 2
        assert [references[0].annotator for references in corpus.references] == ["8", "8", "9", "9"]

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ('start_off="3"', "", "line 11: <MISTAKE> needs whole numbers start_par, start_off, end_par, end_off"),
            (
                'end_par="1"',
                'end_par="2"',
                "line 11: a mistake from paragraph 1 to 2; the text has 2, and a correction",
            ),
            (
                '<ANNOTATION teacher_id="8">',
                "<ANNOTATION></ANNOTATION>",
                "line 11: a <MISTAKE> outside an <ANNOTATION>",
            ),
            ('end_off="5"', 'end_off="55"', "line 13: edit 3 55 is out of range; the text has 17 characters"),
        ],
    )
    def test_nucle_with_faults(self, write, old, new, message):
        path = write("mine", self.NUCLE.replace(old, new))
        with pytest.raises(InputError) as refusal:
            load_corpus(None, [path])
        assert str(refusal.value).startswith(f"{path}: {message}")
        corpus = load_corpus(None, [path], lenient=True)
        assert texts(corpus)[1] == ["He go &amp; home."]
        assert ": dropped 1: " in corpus.notes[0]

    def test_nucle_cut_off(self, write):
        """A document without its end would vanish without a word, or be scored without its corrections."""
        cut, lines = self.NUCLE.replace("</DOC>", ""), self.NUCLE.count("\n")
        for content, line in ((self.NUCLE + cut, lines + 1), (cut + self.NUCLE, 1), (self.NUCLE + cut[14:], lines)):
            path = write("cut.sgml", content)
            with pytest.raises(InputError, match=f"line {line}: a <DOC> without its end"):
                load_corpus(None, [path])
            corpus = load_corpus(None, [path], lenient=True)
            assert len(corpus) == 2
            assert f"dropped 1: documents that do not end (line {line})" in corpus.notes[0]

    def test_nucle_without_a_document(self, write):
        with pytest.raises(InputError, match="line 1: a <DOC> without its end"):
            load_corpus(None, [write("cut.sgml", "<P>\nHe go home.\n</P>\n")])

    @pytest.mark.parametrize(
        ("mistake", "expected"),
        [
            ("<TYPE>Nn</TYPE>\n<CORRECTION/>", "He  &amp; home."),
            ("<TYPE>Nn</TYPE>\n<CORRECTION />", "He  &amp; home."),
            ("<TYPE>Nn</TYPE>\n<CORRECTION></CORRECTION>", "He  &amp; home."),
            ("<TYPE>Nn</TYPE>\n<COMMENT>no idea</COMMENT>", "He go &amp; home."),
            ("<TYPE>Um</TYPE>\n<CORRECTION></CORRECTION>", "He go &amp; home."),
            ("<TYPE>Um</TYPE>\n<CORRECTION>went</CORRECTION>", "He went &amp; home."),
            ("<TYPE>noop</TYPE>\n<CORRECTION>-NONE-</CORRECTION>", "He go &amp; home."),
            ("<TYPE>SVA</TYPE>\n<CORRECTION>\ngoes\n</CORRECTION>\n<COMMENT>goes</COMMENT>", "He goes &amp; home."),
        ],
    )
    def test_what_a_mistake_of_nucle_may_say(self, write, mistake, expected):
        """Um (unclear) and noop (nothing to correct) must not delete words; an empty correction must."""
        old = "<TYPE>SVA</TYPE>\n<CORRECTION>goes</CORRECTION>"
        corpus = load_corpus(None, [write("nucle.sgml", self.NUCLE.replace(old, mistake))])
        assert texts(corpus)[1] == [expected]
        assert corpus.sources[1] == "He go &amp; home."

    def test_a_noop_of_nucle_has_no_place(self, write):
        placeless = self.NUCLE.replace("SVA", "noop").replace('start_off="3"', 'start_off="-1"')
        assert texts(load_corpus(None, [write("nucle.sgml", placeless)]))[1] == ["He go &amp; home."]

    def test_a_mistake_of_nucle_that_does_not_end(self, write):
        path = write("nucle.sgml", self.NUCLE.replace("</MISTAKE>\n", ""))
        with pytest.raises(InputError, match=r"nucle.sgml: line 11: a <MISTAKE> without its end"):
            load_corpus(None, [path])
        corpus = load_corpus(None, [path], lenient=True)
        assert "dropped 1: mistakes that do not end (line 11)" in corpus.notes[0]

    def test_a_mistake_of_nucle_whose_document_ends_first(self, write):
        for others in ("", self.NUCLE):
            path = write("nucle.sgml", self.NUCLE.replace("</MISTAKE>\n</ANNOTATION>\n", "") + others)
            with pytest.raises(InputError, match=r"nucle.sgml: line 11: a <MISTAKE> without its end"):
                load_corpus(None, [path])

    def test_the_example_of_nucles_own_readme(self, write):
        """Offsets count from the first character behind the line break, paragraphs from 0."""
        content = (
            '<DOC nid="3">\r\n<TEXT>\r\n<P>\r\nPeople with close blood relationship generally\r\n</P>\r\n'
            '<P>\r\nFocus\r\n</P>\r\n</TEXT>\r\n<ANNOTATION teacher_id="8">\r\n'
            '<MISTAKE start_par="0" start_off="24" end_par="0" end_off="36">\r\n<TYPE>Nn</TYPE>\r\n'
            "<CORRECTION>relationships</CORRECTION>\r\n</MISTAKE>\r\n</ANNOTATION>\r\n</DOC>\r\n"
        )
        corpus = load_corpus(None, [write("nucle.sgml", content)])
        assert texts(corpus) == [["People with close blood relationships generally"], ["Focus"]]

    @pytest.mark.parametrize("kind", ["nucle", "w&i"])
    def test_a_whole_corpus_in_running_text(self, write, kind):
        """The sample corpus, its edits as offsets of characters: both readers give the texts of its M2 file."""
        gold, _ = load_sample()
        documents, lines = [], []
        for number, (source, references) in enumerate(zip(gold.sources, gold.references, strict=True)):
            edits = [list(of_characters(source, reference.edits)) for reference in references]
            lines.append(json.dumps({"text": source, "edits": [[k, listed] for k, listed in enumerate(edits)]}))
            annotations = "".join(
                f'<ANNOTATION teacher_id="{k}">\n{"".join(map(mistake, listed))}</ANNOTATION>\n'
                for k, listed in enumerate(edits)
            )
            text = f"<TEXT>\n<P>\n{source}\n</P>\n</TEXT>\n"
            documents.append(f'<DOC nid="{number}">\n{text}{annotations}</DOC>\n')
        path = write("a.sgml", "".join(documents)) if kind == "nucle" else write("a.json", "\n".join(lines) + "\n")
        corpus = load_corpus(None, [path])
        assert corpus.sources == gold.sources
        between = "" if kind == "nucle" else " "  # NUCLE's corrections have no blanks at their ends
        for made, expected in zip(texts(corpus), texts(gold), strict=True):
            assert [between.join(text.split()) for text in made] == [between.join(text.split()) for text in expected]

    def test_w_and_i_with_types_and_other_letters(self, write):
        """The FCE adds a type; offsets count characters, not bytes or UTF-16."""
        edits = [[8, 8, "es", "R:VERB:SVA"], [6, 8, "goe"], [10, 11, "e", "x"]]
        item = {"text": " 😀 He go.\nÉ", "edits": [["a", edits]]}
        corpus = load_corpus(None, [write("fce.json", json.dumps(item))])
        assert texts(corpus) == [["😀 He goees. e"]]

    def test_nucle_brings_no_entities(self, write):
        bomb = '<DOC>\n<!DOCTYPE x [<!ENTITY a "b">]>\n<TEXT><P>&a;</P></TEXT>\n</DOC>\n'
        assert load_corpus(None, [write("bomb.sgml", bomb)]).sources == ["&a;"]
        with pytest.raises(InputError, match="holds no paragraph"):
            load_corpus(None, [write("none.sgml", "<DOC><TEXT></TEXT></DOC>")])


def of_characters(source: str, edits: Iterable[Edit]) -> Iterator[list[object]]:
    """Edits of tokens as edits of characters: with the blank behind them."""
    tokens = source.split()
    starts = [sum(len(token) + 1 for token in tokens[:k]) for k in range(len(tokens) + 1)]
    for edit in edits:
        start, end = (min(starts[k], len(source)) for k in (edit.start, edit.end))
        after = " " if edit.correction and edit.end < len(tokens) else ""
        before = " " if edit.correction and start == len(source) else ""
        yield [start, end, f"{before}{edit.correction}{after}"]


def mistake(edit: list[object]) -> str:
    start, end, correction = edit
    place = f'start_par="0" start_off="{start}" end_par="0" end_off="{end}"'
    return f"<MISTAKE {place}>\n<TYPE>X</TYPE>\n<CORRECTION>{correction}</CORRECTION>\n</MISTAKE>\n"


@given(
    st.text("abc", max_size=12), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3), st.text("XY", max_size=2)))
)
def test_edits_of_characters_as_if_made_from_the_right(text: str, drawn: list[tuple[int, int, str]]) -> None:
    made, left, edits = text, len(text), []
    for start, length, correction in sorted(drawn, reverse=True):
        if start + length <= left and start + length <= len(text) and (start < left or not edits):
            made = made[:start] + correction + made[start + length :]
            left = start
            edits.append(CharacterEdit(start, start + length, correction, 1))
    assert correct_text(text, edits, Faults(Path("a"))) == made


class TestM2:
    CHERRANT = (
        "S 我 是\nT0-A0 我 在\nA 1 2|||S|||在|||REQUIRED|||-NONE-|||0\nT1 没有错误\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
        "S 你\nT0 无法标注\nA -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    )

    def test_cherrants_lines(self, write):
        path = write("ref.m2.char", self.CHERRANT)
        corpus = load_corpus(None, [path])
        assert (corpus.sources, texts(corpus)) == (["我 是", "你"], [["我 在", "我 是"], ["你"]])
        assert corpus.references[1][0].edits == (Edit(0, 0, ("",), "NA"),)
        note = "1 annotations say that a sentence cannot be annotated (NA); as texts they are the source, and as edits "
        assert corpus.notes[-1] == f"{path}: {note}they are one that no output makes"
        write_corpus(corpus, path.with_name("new.m2"))
        written = path.with_name("new.m2").read_text("utf-8").split("\n")
        assert written == [line for line in self.CHERRANT.split("\n") if line[:1] != "T"]

    def test_what_is_wrong_is_dropped_and_counted_by_kind(self, write):
        edit = "A {}|||R|||x|||REQUIRED|||-NONE-|||0\n"
        path = write(
            "gold.m2",
            edit.format("0 1") + "\nS a b\n" + edit.format("0 9") + edit.format("0 1") + edit.format("1 7") + "A 0 1\n"
            + edit.format("x 1") + "Q\nS c\n" + edit.format("0 1") + "\nS d\nS e\n" + edit.format("0 2"),
        )  # fmt: skip
        with pytest.raises(InputError) as refusal:
            load_corpus(None, [path])
        assert str(refusal.value) == f"{path}: line 1: an edit without a sentence above it"
        corpus = load_corpus(None, [path], lenient=True)
        assert (corpus.sources, texts(corpus)) == (["a b", "c", "d", "e"], [["x b"], ["x"], ["d"], ["e"]])
        assert corpus.notes == (
            f"{path}: dropped 1: edits without a sentence (line 1)",
            f"{path}: dropped 2: edits out of range (lines 4, 6)",
            f"{path}: dropped 1: edits without 6 parts (line 7)",
            f"{path}: dropped 1: edits without offsets (line 8)",
            f"{path}: dropped 1: lines that start with neither S nor A (line 9)",
            f"{path}: dropped 1: missing blank lines, sentences kept (line 10)",
            f"{path}: dropped 1: edits over the end of a sentence (line 15)",
        )

    @pytest.mark.parametrize(("faults", "more"), [(10, ""), (11, ", …")])
    def test_a_note_names_ten_lines(self, write, faults, more):
        path = write("gold.m2", "S a\n" + "A 5 6|||R|||x|||REQUIRED|||-NONE-|||0\n" * faults)
        [note] = load_corpus(None, [path], lenient=True).notes
        assert note.endswith(f"dropped {faults}: edits out of range (lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11{more})")

    def test_nothing_to_drop(self, write):
        corpus = load_corpus(None, [write("gold.m2", "S a\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n")], lenient=True)
        assert corpus.notes == (NOTHING_DROPPED,)

    def test_three_annotators_of_whom_one_lacks_a_line(self, write):
        """Absent and agreed differ under GLEU and SARI, so `score` must say what was assumed."""
        line = "A {}|||{}|||x|||REQUIRED|||-NONE-|||{}\n"
        edits = [line.format("0 1", "R", name) for name in (0, 1)]
        noop = line.format("-1 -1", "noop", 2)
        path = write("gold.m2", f"S a b\n{''.join(edits)}\nS a b\n{noop}\n")
        [note] = load_corpus(None, [path]).notes
        assert note == (
            f"{path}: lines that annotators lack where others have one: 3; they count as absent, as in the M2 scorer; "
            "if these annotators agreed with the first one, choose 'agreed' for missing annotators: GLEU and SARI will "
            "differ"
        )
        two = write("two.m2", f"S a b\n{''.join(edits)}\nS a b\n{noop.replace('|||2', '|||1')}\n")
        assert load_corpus(None, [two]).notes == ()


class TestOutputsInM2:
    GOLD = "S a b\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||0\nA 1 2|||R|||y|||REQUIRED|||-NONE-|||0\n\n"

    @pytest.fixture
    def corpus(self, write):
        return load_corpus(None, [write("gold.m2", self.GOLD)])

    def test_edits_are_compared_as_they_are(self, write, corpus):
        """One edit over both words is another than two, though the text is the same."""
        [system] = load_systems([write("hyp.m2", "S a b\nA 0 2|||R|||x y|||REQUIRED|||-NONE-|||0\n")], corpus)
        assert (system.hypotheses, system.edits) == (["x y"], [(Edit(0, 2, ("x y",), "R"),)])
        [given_edits] = score(corpus, [system], ["errant"])
        assert (given_edits.parts["tp"], given_edits.parts["fp"], given_edits.parts["fn"]) == (0, 1, 2)
        assert f"|references:{corpus.reference_hash}|hypotheses:given|gecval:" in given_edits.signature
        assert "model:" not in given_edits.signature
        [found] = score(corpus, {"text": ["x y"]}, ['errant(model="plain")'])
        assert (found.parts["tp"], "hypotheses:given" in found.signature) == (2, False)
        [cleme] = score(corpus, [system], ["cleme"])
        assert "|hypotheses:given|" in cleme.signature
        [gleu] = score(corpus, [system], ["ld"])  # looks at no edits
        assert "hypotheses:given" not in gleu.signature

    def test_their_passport_holds(self, write, corpus, tmp_path):
        [system] = load_systems([write("hyp.m2", "S a b\nA 0 2|||R|||x y|||REQUIRED|||-NONE-|||0\n")], corpus)
        score(corpus, [system], ["errant", "cleme", "ld"]).save_passport(tmp_path / "passport")
        assert verify(tmp_path / "passport").same

    def test_no_rules_of_english_are_asked(self, write):
        """The edits are there, so nothing is refused for its language."""
        line = "Він пішов додому , а вона не знає , що це таке ."
        m2 = f"S {line}\nA 0 1|||G/Case|||Його|||REQUIRED|||-NONE-|||0\n\n"
        corpus = load_corpus(None, [write("uk.m2", m2)])
        [result] = score(corpus, load_systems([write("hyp.m2", m2)], corpus), ['errant(level="classification")'])
        assert (result.score, result.parts["tp"]) == (1.0, 1)
        with pytest.raises(InputError, match="errant judges English only"):
            score(corpus, {"text": [line]}, ["errant"])

    def test_refusals(self, write, corpus):
        [system] = load_systems([write("hyp.m2", self.GOLD)], corpus)
        text = corpus.system("text", ["x y"])
        with pytest.raises(
            InputError, match="hyp comes as edits and text as text; for errant, give all systems in the same"
        ):
            score(corpus, [system, text], ["errant"])
        assert [result.score for result in score(corpus, [system, text], ["accuracy"])] == [1.0, 1.0]
        with pytest.raises(InputError, match=r"sentence 1 differs from .*: 'ab' against 'a b'"):
            load_systems([write("joined.m2", "S ab\n\n")], corpus)
        with pytest.raises(InputError, match=r"sentence 1 differs from .*: 'a c' against 'a b'"):
            load_systems([write("other.m2", self.GOLD.replace("a b", "a c"))], corpus)
        with pytest.raises(InputError, match=r"two.m2 has edits of 2 annotators \(0, 1\), and a system has one"):
            load_systems(
                [write("two.m2", self.GOLD + self.GOLD.replace("|||0", "|||1"))],
                load_corpus(None, [write("twice.m2", self.GOLD * 2)]),
            )
        with pytest.raises(InputError, match="sentence 1: edit 0 3 is out of range; it has 2 tokens"):
            corpus.system("mine", ["x"], edits=[(Edit(0, 3, ("x",)),)])
        with pytest.raises(InputError, match="mine has 1 sentences, and edits of 2"):
            corpus.system("mine", ["x"], edits=[(), ()])

    def test_faults_of_an_output(self, write, corpus):
        bad = write("hyp.m2", "S a b\nA 0 9|||R|||x|||REQUIRED|||-NONE-|||0\n")
        with pytest.raises(InputError, match="edit 0 9 is out of range"):
            load_systems([bad], corpus)
        [system] = load_systems([bad], corpus, lenient=True)
        assert (system.edits, system.notes) == ([()], (f"{bad}: dropped 1: edits out of range (line 2)",))
