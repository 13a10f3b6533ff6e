"""What a file holds, whatever its name; folders of outputs with other files in them; who opens files."""

from __future__ import annotations

import ast
import gzip
from pathlib import Path

import pytest

import gecval
from gecval import Corpus, Edit, InputError, load_corpus, load_systems, score
from gecval.formats.kinds import kind_of

M2 = "S a b\nA 0 1|||R|||A|||REQUIRED|||-NONE-|||0\n\nS c\n\n"


@pytest.fixture
def write(tmp_path: Path):
    def write(content: str, name: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    return write


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.from_texts(["a b", "c"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.xml", "<a/>"),
        ("a.sgml", "<DOC>"),
        ("mine.json", '{"text": "a", "edits": []}'),  # by its first lines
    ],
)
def test_edits_are_no_output_but_in_m2(corpus, write, name, content):
    path = write(content, name)
    with pytest.raises(InputError) as refusal:
        load_systems([path], corpus)
    assert str(refusal.value) == f"{path} holds edits, and a system's output is plain text or M2; is it a reference?"
    assert refusal.value.parameters == ("references",)


@pytest.mark.parametrize("name", ["mine.m2", "mine.txt", "mine"])
def test_an_output_may_be_the_edits_in_an_m2_file(corpus, write, name):
    [system] = load_systems([write(f"\n\n{M2}", name)], corpus)
    assert (system.name, system.hypotheses, system.edits) == ("mine", ["A b", "c"], [(Edit(0, 1, ("A",), "R"),), ()])


def test_a_folder_of_outputs_with_other_files(corpus, write, tmp_path):
    """What cannot be an output is skipped, and a note says so; what may be one must fit."""
    for name in ("b.txt", "a", "GPT-3.5"):
        write("x\ny\n", f"out/{name}")
    for name in ("README.md", "LICENSE", "run.log", "scores.tsv", "plot.png", ".DS_Store", "gold.m2.gz"):
        write("not an output\n", f"out/{name}")
    write(M2, "out/gold.txt")
    systems = load_systems([tmp_path / "out"], corpus)
    assert [system.name for system in systems] == ["GPT-3.5", "a", "b"]
    skipped = "LICENSE, README.md, gold.m2.gz, gold.txt, plot.png, run.log, scores.tsv"
    assert systems[0].notes == (f"{tmp_path}/out: {skipped} skipped: not an output",)
    assert [system.notes for system in systems[1:]] == [(), ()]
    [result, *_] = score(corpus, systems, ["ld"])
    assert result.score == 0.0
    assert score(corpus, systems, ["ld"]).notes[-1] == systems[0].notes[0]
    assert systems[0] == corpus.system("GPT-3.5", ["x", "y"])  # a note does not make another system
    write("x\n", "out/c")
    with pytest.raises(InputError, match=r"out/c has 1 lines"):
        load_systems([tmp_path / "out"], corpus)


@pytest.mark.parametrize("name", ["gold.txt", "gold.m2.char", "gold", "gold.txt.gz", "GOLD.M2"])
def test_m2_under_other_names(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(M2.encode()) if name.endswith(".gz") else M2.encode())
    corpus = load_corpus(None, [path])
    assert (corpus.sources, corpus.texts_of(0), corpus.has_edits()) == (["a b", "c"], ["A b"], True)
    alone = load_corpus(path)  # as in load_corpus("gold.m2")
    assert (alone.sources, alone.texts_of(0), alone.has_edits()) == (["a b", "c"], ["A b"], True)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (M2, "m2"),
        ("S\n\nS a\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n", "text"),  # S alone may be any text
        ("S Korea is in Asia .\nA 1 2 is no edit\n", "text"),
        ("S a\n\n" * 60 + M2, "m2"),  # the first edit comes late
        ("S a\n" * 60 + "b\n" + M2, "text"),
        ("S a\n\n" * 60, "text"),
        ("A 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n", "text"),
        ('{"source": "a"}\n', "jsonl"),
        ('{"a": 1}\n', "text"),
        ("{ and } are brackets\n", "text"),
        ('<?xml version="1.0"?>\n<a/>\n', "xml"),
        ("< 5 years\n", "text"),
        ('<DOC nid="1">\n', "nucle"),
        ("<DOCTOR> Who\n", "text"),
        ('{"text": "a", "edits": []}\n', "wi-json"),
        ('{"text": "a"}\n', "text"),
        ("x\n### essay_id = a\ntext\n", "essays"),
        ("S a b\nT0-A0 A b\nA 0 1|||S|||A|||REQUIRED|||-NONE-|||0\n", "m2"),
        ("1\ta b\tA b\n", "text"),  # ``tabular`` tells
        ("", "text"),
    ],
)
def test_kinds_by_their_first_lines(write, content, kind):
    assert kind_of(write(content, "mine")) == kind


def test_only_this_room_opens_text_files():
    """Others may open what is no text of a user's: weights, downloads, standard input, logs that grow, charts,
    addresses, passports, and what a board sends and keeps byte for byte."""
    allowed = {
        "formats/files.py",
        "formats/datasets/fetching.py",
        "formats/datasets/folder.py",
        "runtime/processes.py",
        "models/model_files.py",
        "__init__.py",  # its own list of names
        "models/chat.py",
        "models/chat_endpoint.py",
        "metrics/lfm/metric.py",
        "studies/reproduce/lfm.py",
        "cli/inputs.py",
        "results/checkpoint.py",
        "studies/reproduce/study.py",  # hashes of data sets
        "studies/scores/metric_digest.py",  # hashes of a user's own code and scores
        "runtime/backends.py",  # pickled work
        "studies/compare/gate.py",  # looks of earlier runs
        "studies/scores/passport.py",
        "studies/explain_difference/settings.py",
        "studies/track/study.py",
        "results/chart_files.py",
        "schemas/__main__.py",
        "board/client.py",
        "cli/board.py",
        "board/benchmark_data.py",
        "board/database/session.py",  # its own file, empty, for nobody else to read
        "studies/validate/measuring.py",  # times of processes
        "board/export_import.py",
    }
    root = Path(gecval.__file__).parent
    opening = set()
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func
                if isinstance(called, ast.Attribute) and called.attr in ("open", "read_bytes", "write_text"):
                    if ast.unparse(called.value) == "formatter":
                        continue  # click's, which writes help
                    opening.add(path.relative_to(root).as_posix())
                if isinstance(called, ast.Name) and called.id == "open":
                    opening.add(path.relative_to(root).as_posix())
    assert opening - allowed == set()
    assert "formats/files.py" in opening


@pytest.mark.parametrize(("before", "kind"), [(49, "essays"), (50, "text")])
def test_fifty_lines_are_looked_at(tmp_path: Path, before: int, kind: str) -> None:
    path = tmp_path / "mine"
    path.write_text("x\n" * before + "### essay_id = a\ny\n")
    assert kind_of(path) == kind
