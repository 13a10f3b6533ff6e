"""gecval files cache, as typed."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gecval.models.cache import Cache


@pytest.fixture(autouse=True)
def kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GECVAL_CACHE", str(folder / "cache"))
    monkeypatch.delenv("GECVAL_CACHE_LIMIT", raising=False)
    Cache(folder / "cache" / "small.sqlite").put_many({"a": "x" * 944})
    Cache(folder / "cache" / "large.sqlite").put_many(dict.fromkeys("abc", "y" * 944))
    return folder / "cache"


def test_stats(gecval, kept: Path) -> None:
    for command in ("files cache",):
        said = gecval(command)
        assert said.status == 0
        assert said.out.splitlines()[0] == f"{kept}: 0.0 MB cached, 10,000 MB allowed"
        assert re.search(r"large\.sqlite +3 +3000 +\d{4}-\d\d-\d\d", said.out)
    printed = gecval("files cache --format json").json
    assert (printed["bytes"], printed["limit"], printed["removed"]) == (4000, 10**10, 0)
    assert [model["file"] for model in printed["models"]] == ["large.sqlite", "small.sqlite"]
    (kept / "models" / "tiny").mkdir(parents=True)
    (kept / "models" / "tiny" / "weights").write_bytes(b"x" * 50)
    converted = gecval("files cache --format json").json["models"][-1]
    assert (converted["file"], converted["answers"], converted["bytes"]) == ("models/tiny", 0, 50)
    rows = gecval("files cache --format tsv").out.splitlines()
    assert rows[0] == "file\tanswers\tbytes\tlast used"
    assert rows[2].startswith("small.sqlite\t1\t1000\t")


def test_prune(gecval, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gecval("files cache --prune --format json").json["removed"] == 0
    pruned = gecval("files cache --prune --limit 3KB --format json").json
    assert (pruned["removed"], pruned["bytes"], pruned["limit"]) == (2, 2000, 3000)
    monkeypatch.setenv("GECVAL_CACHE_LIMIT", "1.5KB")
    assert (
        json.loads(gecval("files cache --prune --format json -o out.json").out or Path("out.json").read_text())[
            "removed"
        ]
        == 1
    )
    monkeypatch.setenv("GECVAL_CACHE_LIMIT", "none")
    said = gecval("files cache --prune")
    assert "no limit" in said.out


def test_clear(gecval, kept: Path) -> None:
    said = gecval("files cache --clear")
    assert said.out.splitlines()[0] == f"{kept}: 0.0 MB cached, 10,000 MB allowed; 4 answers removed"
    assert list(kept.iterdir()) == []
    assert gecval("files cache").status == 0


def test_a_file_that_another_process_writes(gecval, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gecval.models.cache._LIMIT_PATIENCE_S", 0.01)
    with closing(sqlite3.connect(kept / "large.sqlite")) as other:
        other.execute("BEGIN IMMEDIATE")
        said = gecval("files cache --prune --limit 1KB")
    assert said.status == 2
    assert f"{kept} cannot be pruned (database is locked); try again when no other process uses it" in said.err


def test_refusals(answered, refused) -> None:
    assert answered("files cache --limit 3KB") == "note: --limit changes nothing without --prune"
    said = "'3XB' is no size of a cache (GECVAL_CACHE_LIMIT): write 500MB, 10GB or none (option --limit)"
    assert refused("files cache --prune --limit 3XB") == said


@pytest.mark.parametrize("typed", ["--clear --prune", "--prune --clear"])
def test_one_thing_at_a_time(refused, kept: Path, typed: str) -> None:
    """The last one would win otherwise, and --clear is for good."""
    before = sorted(path.name for path in kept.iterdir())
    assert refused("files cache", *typed.split()) == "choose one of --prune and --clear"
    assert sorted(path.name for path in kept.iterdir()) == before
