"""JSONL: sentences, references with text or edits, systems' outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gecval import Corpus, Edit, InputError, Reference
from gecval.formats import jsonl_lines, load_corpus, load_systems


@pytest.fixture
def jsonl(tmp_path: Path):
    def write(*lines: object) -> Path:
        path = tmp_path / "corpus.jsonl"
        path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
        return path

    return write


def test_references_as_text_and_as_edits(jsonl):
    corpus = load_corpus(
        None,
        [
            jsonl(
                {"source": "He go", "references": ["He goes", {"text": "He went", "annotator": "Ann"}]},
                "",
                {"source": " a\nb ", "references": [{"edits": [[0, 1, ["A", ""], "R", False], [2, 2, ["c"]]]}]},
                {"source": "", "references": [], "id": 7},
            )
        ],
    )
    assert corpus.sources == ["He go", "a b", ""]
    assert corpus.references == [
        [Reference("He goes", annotator="0"), Reference("He went", annotator="Ann")],
        [Reference(None, (Edit(0, 1, ("A", ""), "R", False), Edit(2, 2, ("c",))), "0")],
        [],
    ]
    assert corpus.texts_of(1) == ["A b c"]


def test_hypotheses(jsonl):
    path = jsonl(
        {"source": "a", "hypotheses": {"x": "A", "y": "b "}}, {"source": "c", "hypotheses": {"y": "", "x": "C"}}
    )
    systems = load_systems([path], Corpus.from_texts(["a", "c"]))
    assert [(system.name, system.hypotheses) for system in systems] == [("x", ["A", "C"]), ("y", ["b", ""])]


EDIT = 'an edit is [start, end, ["correction", ...], "type"]'
OUT = "is out of range; the sentence has 1 tokens"
REFERENCE = 'a reference is a text or an object with "text" or "edits"'
NAMELESS = "cannot be a system's name: empty, or with control characters"
SURROGATE = r"half of a surrogate pair (\ud800-\udfff) is not text"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", " is not JSON: Expecting property name enclosed in double quotes"),
        ("[" * 100_000, " is not JSON: maximum recursion depth exceeded"),
        ('{"source": ' + "1" * 5000 + "}", " is not JSON: Exceeds the limit"),
        ([], ": expected an object"),
        ({"source": 1}, ': expected an object with a text "source"'),
        ({"src": "a"}, ': expected an object with a text "source"'),
        ({"source": "\ud800"}, f": {SURROGATE}"),
        ({"source": "a", "references": "a"}, ': "references" must be a list'),
        ({"source": "a", "references": [1]}, f": {REFERENCE}"),
        ({"source": "a", "references": [None]}, f": {REFERENCE}"),
        ({"source": "a", "references": [{}]}, f": {REFERENCE}"),
        ({"source": "a", "references": [{"text": None}]}, f": {REFERENCE}"),
        ({"source": "a", "references": [{"text": 1}]}, ": expected text, found int"),
        ({"source": "a", "references": [{"edits": {}}]}, ': "edits" must be a list'),
        ({"source": "a", "references": [{"edits": [[0, 1]]}]}, f": {EDIT}"),
        ({"source": "a", "references": [{"edits": [[0, 1, "b"]]}]}, f": {EDIT}"),
        ({"source": "a", "references": [{"edits": [[0, 1, []]]}]}, f": {EDIT}"),
        ({"source": "a", "references": [{"edits": [[0.5, 1, ["b"]]]}]}, f": {EDIT}"),
        ({"source": "a", "references": [{"edits": [["0", "1", ["b"]]]}]}, f": {EDIT}"),
        ({"source": "a", "references": [{"edits": [[0, 1, ["b"], 3]]}]}, f": {EDIT}"),
        ({"source": "a", "references": [{"edits": [[0, 1, ["b"], "R", True, 1]]}]}, f": {EDIT}"),
        ({"source": "a", "references": [{"edits": [[False, True, ["b"]]]}]}, ": an edit starts and ends at numbers"),
        ({"source": "a", "references": [{"edits": [[False, 1, ["b"]]]}]}, ": an edit starts and ends at numbers"),
        ({"source": "a", "references": [{"edits": [[0, True, ["b"]]]}]}, ": an edit starts and ends at numbers"),
        ('{"source": "a", "references": [], "source": "b"}', ": the key 'source' stands twice in one object"),
        ('{"source": "a", "references": [{"text": "a", "text": "b"}]}', ": the key 'text' stands twice in one object"),
        ({"source": "a", "references": [{"edits": [[0, 1, [1]]]}]}, ": expected text, found int"),
        ({"source": "a", "references": [{"edits": [[0, 1, ["\ud800"]]]}]}, f": {SURROGATE}"),
        ({"source": "a", "references": [{"edits": [[0, 2, ["b"]]]}]}, f": edit 0 2 {OUT}"),
        ({"source": "a", "references": [{"edits": [[1, 0, ["b"]]]}]}, f": edit 1 0 {OUT}"),
        ({"source": "a", "references": [{"edits": [[-1, 0, ["b"]]]}]}, f": edit -1 0 {OUT}"),
    ],
)
def test_corpora_refused(jsonl, line, message):
    path = jsonl({"source": "so far so fine", "references": ["fine"]}, line)
    with pytest.raises(InputError) as refusal:
        load_corpus(None, [path])
    assert str(refusal.value).startswith(f"{path}: line 2{message}")
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"source": "a"}, ': line 2: expected "hypotheses": {"system": "its output"}'),
        ({"source": "a", "hypotheses": {}}, ': line 2: expected "hypotheses": {"system": "its output"}'),
        ({"source": "a", "hypotheses": ["a"]}, ': line 2: expected "hypotheses": {"system": "its output"}'),
        ({"source": "a", "hypotheses": {"y": "a"}}, ": line 2: other systems than in the lines before"),
        ({"source": "a", "hypotheses": {"x": None}}, ": line 2: expected text, found NoneType"),
        ({"source": "a", "hypotheses": {"x": "\udc80"}}, f": line 2: {SURROGATE}"),
        ({"source": "a", "hypotheses": {" ": "a"}}, f": line 2: ' ' {NAMELESS}"),
        ({"source": "a", "hypotheses": {"\x1b[31mx": "a"}}, f": line 2: '\\x1b[31mx' {NAMELESS}"),
        (
            {"source": "a", "hypotheses": {"x": "a", "x ": "b"}},
            ": line 2: the names of two systems differ in blanks alone",
        ),
    ],
)
def test_systems_refused(jsonl, line, message):
    path = jsonl({"source": "fine", "hypotheses": {"x": "fine"}}, line)
    with pytest.raises(InputError) as refusal:
        load_systems([path], Corpus.from_texts(["fine", "a"]))
    assert str(refusal.value) == f"{path}{message}"


def test_an_empty_file(jsonl):
    for load in (lambda path: load_corpus(None, [path]), lambda path: load_systems([path], Corpus.from_texts(["a"]))):
        with pytest.raises(InputError, match=r"corpus\.jsonl is empty$"):
            load(jsonl())


def test_written_lines():
    corpus = Corpus(["né a"], [[Reference("né b", annotator="x"), Reference(edits=(Edit(1, 2, ("", "c"), "U"),))]])
    assert '"né a"' in next(jsonl_lines(corpus))  # people read it too
    assert [json.loads(line) for line in jsonl_lines(corpus)] == [
        {
            "source": "né a",
            "references": [
                {"annotator": "x", "text": "né b"},
                {"annotator": "0", "text": "né", "edits": [[1, 2, ["", "c"], "U", True]]},
            ],
        }
    ]
