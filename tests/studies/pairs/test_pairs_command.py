"""gecval score pairs.parquet and gecval files filter, as typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gecval import batch_scorer
from ways import PAIRS, write_small_files

COLUMNS = {name: [row[name] for row in PAIRS] for name in PAIRS[0]}


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    write_small_files(folder)


def rows(path: str) -> list[dict]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_score(gecval) -> None:
    said = gecval("score pairs.jsonl -m gleu -m m2 --edits plain --statistics --jobs 1 -o scored.jsonl")
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines()[0] == "2 rows in scored.jsonl"
    expected = batch_scorer("gleu", "m2", edits="plain", statistics=True)(COLUMNS)
    assert rows("scored.jsonl") == [{name: column[i] for name, column in expected.items()} for i in range(2)]
    sentences = gecval("score pairs.jsonl -m ld -o ld.tsv --format json")
    assert sentences.status == 2  # references are lists
    parquet = pytest.importorskip("pyarrow.parquet")
    assert gecval("score pairs.jsonl -m gleu -o scored.parquet").status == 0
    again = gecval("score scored.parquet -m ld -o again.parquet --format json")
    assert again.json["means"][0]["rows"] == 2
    assert list(parquet.read_table("again.parquet").column_names) == [*COLUMNS, "gleu", "ld"]


def test_a_row_has_the_sentence_score_of_the_command_line(gecval, folder: Path) -> None:
    for name in ("source", "hypothesis"):
        Path(f"{name}.txt").write_text("".join(f"{text}\n" for text in COLUMNS[name]))
    Path("reference.txt").write_text("".join(f"{text}\n" for [text] in COLUMNS["references"]))
    command = (
        "score hypothesis.txt -s source.txt -r reference.txt -m gleu -m m2 --edits plain --sentences --format json"
    )
    scores = gecval(command).json["scores"]
    gecval("score pairs.jsonl -m gleu -m m2 --edits plain -o scored.jsonl")
    for score in scores:
        assert [row[score["metric"]] for row in rows("scored.jsonl")] == score["sentences"]


def test_columns(gecval) -> None:
    assert gecval("score pairs.jsonl -m ld --column hypothesis=other -o other.jsonl").status == 0
    assert rows("other.jsonl")[0]["ld"] == batch_scorer("ld", columns={"hypothesis": "other"})(COLUMNS)["ld"][0]
    both = "--column references=references --column references=other"
    assert gecval(f"score pairs.jsonl -m gleu {both} -o both.jsonl").status == 0
    expected = batch_scorer("gleu", columns={"references": ["references", "other"]})(COLUMNS)["gleu"]
    assert [row["gleu"] for row in rows("both.jsonl")] == expected


def test_filter(gecval) -> None:
    said = gecval("files filter pairs.jsonl --where 'gleu > 0.5' -o kept.jsonl")
    assert said.out.splitlines()[0] == "1 of 2 rows in kept.jsonl"
    assert [row["source"] for row in rows("kept.jsonl")] == ["He go to home ."]
    assert gecval("files filter kept.jsonl --where 'gleu > 2' -o none.jsonl").status == 0
    assert Path("none.jsonl").read_text() == ""
    bare = "files filter pairs.jsonl --where 'other == \"b\"' -o bare.jsonl"  # no metric: the rows alone
    assert gecval(bare).out.splitlines()[0] == f"{len(rows('bare.jsonl'))} of 2 rows in bare.jsonl"
    assert gecval(f"{bare} --format csv").out.splitlines()[-2:] == ["rows,kept", f"2,{len(rows('bare.jsonl'))}"]
    assert gecval("files filter pairs.jsonl --where 'm2.fp == 0' --edits plain -m ld -o m2.jsonl").status == 0
    assert [row["ld"] for row in rows("m2.jsonl")] == [batch_scorer("ld")(COLUMNS)["ld"][0]]


def test_refusals(answered, refused, matches_transcript) -> None:
    matches_transcript("refusals/pairs.txt", answered)
    pytest.importorskip("pyarrow")
    Path("pairs.parquet").touch()
    assert refused("score pairs.parquet -m gleu") == "name the file for the scored rows (option -o)"


def test_bad_rows(gecval, refused) -> None:
    Path("bad.jsonl").write_text('{"source": "a", "hypothesis": "a"}\n{"source": null, "hypothesis": "a"}\n')
    assert refused("score bad.jsonl -m ld -o a.jsonl") == "bad.jsonl: row 2: the source is missing (option --bad-rows)"
    said = gecval("score bad.jsonl -m ld --bad-rows note -o a.jsonl")
    assert said.err == "gecval: note: 1 rows have no scores; the column note says why\n"
    assert rows("a.jsonl")[1] == {"source": None, "hypothesis": "a", "ld": None, "note": "the source is missing"}
