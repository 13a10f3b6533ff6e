"""Files of pairs: units of a text file by their bytes, rows by their numbers, and parts that become one file."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from gecval import InputError
from gecval.formats.sentence_pairs import join_pairs, open_pairs, parquet, text_files, write_pairs
from gecval.formats.sentence_pairs.engines import Unit, extended, length_of, names_of, select_rows, values_of

JSONL = '{"source": "a", "n": 1}\n{"source": "é"}\n{"source": "c", "x": [1]}\n{"source": "d"}\n'
TSV = "source\tn\na\t1\né\t\nc\t3\nd\t4\n"


@pytest.fixture
def write(tmp_path: Path):
    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_units_of_jsonl(write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows each; the bytes of a letter count. The columns are those of the first unit, in their order."""
    monkeypatch.setattr(text_files, "ROWS", 2)
    pairs = open_pairs(write("mine.jsonl", JSONL + '{"source": "e"}'))
    assert pairs.names == ("source", "n")
    first = len('{"source": "a", "n": 1}\n{"source": "é"}\n'.encode())
    second = len(JSONL.encode())
    assert pairs.units == (
        Unit(0, 0, 2, 0, first),
        Unit(1, 2, 2, first, second),
        Unit(2, 4, 1, second, second + len('{"source": "e"}')),
    )
    assert [list(pairs.batches(unit)) for unit in pairs.units] == [
        [(0, {"source": ["a", "é"], "n": [1, None]})],
        [(2, {"source": ["c", "d"], "x": [[1], None]})],
        [(4, {"source": ["e"]})],
    ]
    assert len(open_pairs(write("mine.jsonl", JSONL)).units) == 2  # no empty one at the end


def test_units_of_tsv(write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "ROWS", 3)
    for content in (TSV, "\ufeff" + TSV, TSV.replace("\n", "\r\n")):
        pairs = open_pairs(write("mine.TSV", content))
        assert (pairs.names, [unit.rows for unit in pairs.units]) == (("source", "n"), [3, 1])
        assert [list(pairs.batches(unit)) for unit in pairs.units] == [
            [(0, {"source": ["a", "é", "c"], "n": ["1", "", "3"]})],
            [(3, {"source": ["d"], "n": ["4"]})],
        ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "source\tsource\n", "{}: two columns have the same name; rename one"),
        ("a.tsv", "source\tn\na\t1\nb\n", "{}: line 3 has 1 columns, the header 2"),
        ("a.tsv", b"source\tn\na\t1\n\xe9\t2\n", "{}: line 3 is not UTF-8; convert the file"),
        ("a.jsonl", '{"a": 1}\n[]\n', '{}: line 2: expected an object, such as {{"source": "..."'),
        ("a.jsonl", '{"a": 1}\n{"a": 1, "a": 2}\n', "{}: line 2: a key stands twice in one object"),
        ("a.jsonl", '{"a": 1}\n{\n', "{}: line 2 is not JSON: Expecting property name enclosed in double quotes"),
        ("a.txt", "", "{}: pairs are in a .parquet, .jsonl or .tsv file"),
        ("a.parquet", b"no parquet", "{} cannot be read as Parquet: "),
    ],
)  # fmt: skip
def test_refused(write, monkeypatch: pytest.MonkeyPatch, name: str, content: str | bytes, message: str) -> None:
    path = write(name, content)
    monkeypatch.setattr(text_files, "ROWS", 1)  # the rows after the first are in units of their own
    with pytest.raises(InputError) as refusal:
        _rows(path)
    assert str(refusal.value).startswith(message.format(path))


@pytest.mark.parametrize("kind", ["jsonl", "tsv"])
def test_parts_become_one_text(tmp_path: Path, kind: str) -> None:
    parts = [tmp_path / f"{k}.{kind}" for k in range(2)]
    for part, texts in zip(parts, (["a", "é"], ["c"]), strict=True):
        write_pairs(part, kind, [{"source": texts, "n": [1.5] * len(texts)}])
    join_pairs(parts, tmp_path / f"all.{kind}", kind)
    expected = {
        "jsonl": '{"source": "a", "n": 1.5}\n{"source": "é", "n": 1.5}\n{"source": "c", "n": 1.5}\n',
        "tsv": "source\tn\na\t1.5\né\t1.5\nc\t1.5\n",
    }
    assert (tmp_path / f"all.{kind}").read_text("utf-8") == expected[kind]
    if kind == "tsv":
        write_pairs(parts[1], kind, [{"other": ["c"]}])
        with pytest.raises(InputError, match=r"all.tsv: rows have different columns; write .jsonl$"):
            join_pairs(parts, tmp_path / "all.tsv", kind)
        with pytest.raises(InputError, match=r"^rows have different columns, which TSV cannot hold; write .jsonl$"):
            write_pairs(parts[0], kind, [{"source": ["a"]}, {"other": ["c"]}])


def test_half_of_a_surrogate_pair_stays_escaped(tmp_path: Path) -> None:
    write_pairs(tmp_path / "a.jsonl", "jsonl", [{"source": ["é \ud800", "é"]}])
    assert (tmp_path / "a.jsonl").read_text("utf-8") == '{"source": "\\u00e9 \\ud800"}\n{"source": "é"}\n'
    with pytest.raises(InputError, match=r"^a row cannot be written as JSON: "):
        write_pairs(tmp_path / "b.jsonl", "jsonl", [{"source": [float("nan")]}])
    assert not (tmp_path / "b.jsonl").exists()


def test_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit is a row group, and is read some rows at a time. Missing columns of a part are null."""
    pytest.importorskip("pyarrow", reason="needs the extra: pip install 'gecval[arrow]'")
    parts = [tmp_path / f"{k}.parquet" for k in range(3)]
    write_pairs(parts[0], "parquet", [{"source": ["a", "b", "c"]}])
    write_pairs(parts[1], "parquet", [{"source": ["d"], "n": [1.5]}])
    write_pairs(parts[2], "parquet", [{"source": [], "n": []}])
    joined = tmp_path / "all.parquet"
    join_pairs(parts, joined, "parquet")
    umask = os.umask(0)
    os.umask(umask)
    assert joined.stat().st_mode & 0o777 == 0o666 & ~umask
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.parquet", "1.parquet", "2.parquet", "all.parquet"]
    monkeypatch.setattr(parquet, "ROWS", 2)
    pairs = open_pairs(joined)
    assert (pairs.names, pairs.units) == (("source", "n"), (Unit(0, 0, 3, 0, 0), Unit(1, 3, 1, 0, 0)))
    assert [[(first, batch.to_pydict()) for first, batch in pairs.batches(unit)] for unit in pairs.units] == [
        [(0, {"source": ["a", "b"], "n": [None, None]}), (2, {"source": ["c"], "n": [None]})],
        [(3, {"source": ["d"], "n": [1.5]})],
    ]
    with pytest.raises(InputError, match="is a folder, not a file"):
        open_pairs(_folder(tmp_path / "f.parquet"))
    with pytest.raises(InputError, match=r"^cannot write .*/no/all.parquet: No such file or directory$"):
        write_pairs(tmp_path / "no/all.parquet", "parquet", [{"source": ["a"]}])


def _rows(path: Path) -> list[object]:
    pairs = open_pairs(path)
    return [batch for unit in pairs.units for batch in pairs.batches(unit)]


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_every_form_of_a_batch() -> None:
    arrow = pytest.importorskip("pyarrow", reason="needs the extra: pip install 'gecval[arrow]'")
    pandas = pytest.importorskip("pandas", reason="needs the extra: pip install 'gecval[frames]'")
    lists = {"source": ["a", "b"], "refs": [["x"], ["y", "z"]]}
    arrays = {"source": np.array(["a", "b"], dtype=object), "refs": [np.array(["x"]), np.array(["y", "z"])]}
    forms = [lists, arrays, pandas.DataFrame(lists, index=[7, 5]), arrow.table(lists)]
    more = {"score": np.array([0.5, np.nan]), "why": ["ok", None]}
    for form in forms:
        assert (names_of(form), length_of(form)) == (["source", "refs"], 2)
        assert [values_of(form, name) for name in lists] == list(lists.values())
        made = extended(form, more)
        assert (type(made), names_of(made)) == (type(form), ["source", "refs", "score", "why"])
    assert extended(lists, more)["score"] == [0.5, None]
    assert isinstance(extended(arrays, more)["why"], np.ndarray)
    assert np.isnan(extended(arrays, more)["score"][1])
    assert extended(forms[2], more)["why"].tolist()[0] == "ok"
    assert extended(forms[2], more)["why"].isna().tolist() == [False, True]
    assert extended(forms[3], more).to_pydict()["score"] == [0.5, None]
    chosen = np.array([False, True])
    assert select_rows(lists, chosen) == {"source": ["b"], "refs": [["y", "z"]]}
    assert select_rows(forms[3], chosen).to_pydict() == {"source": ["b"], "refs": [["y", "z"]]}
    assert length_of({}) == 0
    with pytest.raises(InputError, match=r"^the columns of a batch have different lengths: a 1, b 2$"):
        length_of({"a": [1], "b": [1, 2]})
    with pytest.raises(InputError, match=r"or a dict of lists, not list$"):
        names_of([])


def test_parquet_whose_parts_disagree(tmp_path: Path) -> None:
    """Where the head of a row group counts other rows than its columns hold, nothing is silently left out."""
    arrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    path = tmp_path / "mine.parquet"
    import_module("pyarrow.parquet").write_table(arrow.table({"source": ["a"] * 9, "hypothesis": ["b"] * 9}), path)
    pairs = open_pairs(path)
    (unit,) = pairs.units
    with pytest.raises(InputError, match=r"mine.parquet cannot be read as Parquet: a row group has 9 rows, not 12"):
        list(pairs.batches(unit._replace(rows=12)))


def test_parquet_with_names_that_are_no_text(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    path = tmp_path / "mine.parquet"
    import_module("pyarrow.parquet").write_table(arrow.table({"source": ["a"]}), path, store_schema=False)
    path.write_bytes(path.read_bytes().replace(b"source", b"so\xff\xferc"))
    with pytest.raises(InputError, match=r"mine.parquet"):
        open_pairs(path)
