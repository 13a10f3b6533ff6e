"""The cache remembers, is shared by processes, and never stands in the way."""

from __future__ import annotations

import logging
import multiprocessing
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import InputError
from gecval.models import cache as cache_module
from gecval.models.cache import NOTED_S, Cache, cache_files, cache_folder, cache_limit, clear, open_cache, prune


@given(st.dictionaries(st.text(), st.text(st.characters(exclude_categories=["Cs"])), max_size=5), st.text())
def test_what_goes_in_comes_out(tmp_path_factory: pytest.TempPathFactory, items: dict[str, str], other: str) -> None:
    path = tmp_path_factory.mktemp("cache") / "x.sqlite"
    Cache(path).put_many(items)
    assert Cache(path).get_many([*items, other]) == items | ({other: items[other]} if other in items else {})


def test_more_keys_than_a_statement_takes(tmp_path: Path) -> None:
    items = {f"key {i}": str(i) for i in range(2500)}
    cache = Cache(tmp_path / "x.sqlite")
    cache.put_many(items)
    assert cache.get_many(items) == items


def test_namespaces_are_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path))
    open_cache("model:1|a/b").put_many({"k": "1"})
    open_cache("model:1|a_b").put_many({"k": "2"})
    assert open_cache("model:1|a/b").get_many(["k"]) == {"k": "1"}
    assert len(list(tmp_path.glob("*.sqlite"))) == 2


def test_folders_that_are_not_there_are_made(tmp_path: Path) -> None:
    path = tmp_path / "home" / ".cache" / "gecval" / "x.sqlite"
    Cache(path).put_many({"k": "1"})
    assert Cache(path).get_many(["k"]) == {"k": "1"}


def test_where_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("GECVAL_CACHE", raising=False)
    assert cache_folder() == Path("/home/someone/.cache/gecval")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_folder() == Path("/xdg/gecval")
    monkeypatch.setenv("GECVAL_CACHE", "/mine")
    assert cache_folder() == Path("/mine")


def _write(path: Path, first: int) -> None:
    for i in range(first, first + 200, 10):
        Cache(path).put_many({f"k{k}": str(k) for k in range(i, i + 10)})


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(path, first)) for first in (0, 100, 200)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    assert Cache(path).get_many(f"k{k}" for k in range(400)) == {f"k{k}": str(k) for k in range(400)}


@pytest.mark.parametrize(("patience", "warnings"), [(30.0, 0), (-1.0, 1)])
def test_a_file_that_another_process_makes_is_waited_for(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    patience: float,
    warnings: int,
) -> None:
    """Of two that turn a new file to WAL, SQLite refuses one at once, whatever patience it was told."""
    tries, connected = [], cache_module._open_connection

    def busy(path: Path) -> sqlite3.Connection:
        tries.append(path)
        if len(tries) < 3:
            raise sqlite3.OperationalError("database is locked")
        return connected(path)

    monkeypatch.setattr(cache_module, "_open_connection", busy)
    monkeypatch.setattr(cache_module, "_PATIENCE_S", patience)
    with caplog.at_level(logging.WARNING, logger="gecval"):
        Cache(tmp_path / "x.sqlite").put_many({"a": "1"})
    assert (len(tries), len(caplog.records)) == ((1, 1) if warnings else (3, 0))
    monkeypatch.undo()
    assert Cache(tmp_path / "x.sqlite").get_many(["a"]) == ({} if warnings else {"a": "1"})


def test_an_interrupt_leaves_all_or_nothing(tmp_path: Path) -> None:
    class Interrupted(dict[str, str]):
        def items(self):  # type: ignore[no-untyped-def]
            yield "a", "1"
            raise KeyboardInterrupt

    cache = Cache(tmp_path / "x.sqlite")
    cache.put_many({"before": "0"})
    with pytest.raises(KeyboardInterrupt):
        cache.put_many(Interrupted(a="1"))
    assert cache.get_many(["before", "a"]) == {"before": "0"}


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\x00" + b"\x00" * 5000])
def test_a_corrupt_file_costs_one_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes) -> None:
    path = tmp_path / "x.sqlite"
    path.write_bytes(content)
    cache = Cache(path)
    with caplog.at_level(logging.WARNING, logger="gecval"):
        assert cache.get_many(["a"]) == {}
        cache.put_many({"a": "1"})
        assert cache.get_many(["a"]) == {"a": "1"}
    assert len(caplog.records) == 1
    assert str(path) in caplog.text
    assert path.read_bytes() == content


def test_a_damaged_value_is_as_good_as_none(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    cache = Cache(path)
    cache.put_many({"a": "a long value", "b": "another"})
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE entries SET value = 'a lung value' WHERE value = 'a long value'")
    assert cache.get_many(["a", "b"]) == {"b": "another"}


def test_an_unwritable_folder_costs_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    cache = Cache(Path("/dev/null/x.sqlite"))
    with caplog.at_level(logging.WARNING, logger="gecval"):
        cache.put_many({"a": "1"})
        assert cache.get_many(["a", "b"]) == {"a": "1"}
    assert len(caplog.records) == 1


def test_readers_and_a_writer_do_not_wait_for_each_other(tmp_path: Path) -> None:
    Cache(tmp_path / "a.sqlite").put_many({"key": "value"})
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


# Caches are bounded: what was not used for longest goes first, and nothing that somebody paid for.


TEXT = "x" * 1000  # an entry has 1056 bytes: 16 of the key, 16 of the sum, 24 about


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in a list that a test may change."""
    now = [1_000_000.0]
    monkeypatch.setattr(cache_module.time, "time", lambda: now[0])
    monkeypatch.delenv("GECVAL_CACHE_LIMIT", raising=False)
    return now


def fill(path: Path, keys: str, clock: list[float]) -> Cache:
    """One entry after the other, a minute apart."""
    cache = Cache(path)
    for key in keys:
        clock[0] += 60
        cache.put_many({key: TEXT})
    return cache


@pytest.mark.parametrize(
    ("text", "most"),
    [("10GB", 10**10), ("500 mb", 5 * 10**8), ("1.5KB", 1500), ("7", 7), ("0", 0), ("2TB", 2 * 10**12), ("None", None)],
)
def test_sizes(text: str, most: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_CACHE_LIMIT", text)
    assert cache_limit() == most
    assert cache_limit("3KB") == 3000


def test_the_default_and_nonsense(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GECVAL_CACHE_LIMIT", raising=False)
    assert cache_limit() == 10**10
    for text in ("10GX", "-3MB", "much", "1e3", "9" * 400):
        with pytest.raises(
            InputError, match=r"is no size of a cache \(GECVAL_CACHE_LIMIT\): write 500MB, 10GB or none"
        ):
            cache_limit(text)


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path, clock: list[float]) -> None:
    first, second = fill(tmp_path / "a.sqlite", "abc", clock), fill(tmp_path / "b.sqlite", "def", clock)
    clock[0] += NOTED_S + 1
    assert first.get_many(["a"]) == {"a": TEXT}  # used again
    assert sum(file.bytes for file in cache_files(tmp_path)) == 6 * 1056
    assert prune(tmp_path, 6 * 1056) == 0
    assert prune(tmp_path, 4000) == 3  # three are left: 3168 of 3600 bytes
    assert first.get_many("abc") == {"a": TEXT}
    assert second.get_many("def") == {"e": TEXT, "f": TEXT}
    assert prune(tmp_path, 0) == 3
    assert cache_files(tmp_path)[0].entries == 0


def test_entries_of_the_same_second_go_as_far_as_needed(tmp_path: Path, clock: list[float]) -> None:
    Cache(tmp_path / "a.sqlite").put_many({str(number): TEXT for number in range(100)})
    before = (tmp_path / "a.sqlite").stat().st_size
    assert prune(tmp_path, 50_000) == 58
    assert cache_files(tmp_path)[0].bytes == 42 * 1056
    assert (tmp_path / "a.sqlite").stat().st_size < 0.6 * before  # the file is smaller too


def test_entries_go_until_the_last_byte_is_freed(tmp_path: Path, clock: list[float]) -> None:
    """Ten entries of 1056 bytes, of which 8447 may stay: two entries are one byte too few."""
    Cache(tmp_path / "a.sqlite").put_many({str(number): TEXT for number in range(10)})
    assert prune(tmp_path, 9386) == 3


def test_the_largest_file_comes_first(tmp_path: Path, clock: list[float]) -> None:
    for name, keys in (("b", "x"), ("c", "xyz"), ("a", "y")):
        fill(tmp_path / f"{name}.sqlite", keys, clock)
    assert [(file.path.stem, file.entries) for file in cache_files(tmp_path)] == [("c", 3), ("a", 1), ("b", 1)]


def test_what_just_fits_stays(tmp_path: Path, clock: list[float]) -> None:
    cache = Cache(tmp_path / "a.sqlite")
    cache.put_many({str(number): TEXT for number in range(50)})
    used = cache_module._measure_used(tmp_path / "a.sqlite")
    cache_module.keep_bounds(tmp_path, used)
    assert cache_files(tmp_path)[0].entries == 50
    cache_module.keep_bounds(tmp_path, used - 1)
    assert cache_files(tmp_path)[0].entries < 50


def test_a_use_is_noted_now_and_then(tmp_path: Path, clock: list[float]) -> None:
    cache = fill(tmp_path / "a.sqlite", "a", clock)
    written = int(clock[0])
    clock[0] += NOTED_S
    cache.get_many(["a"])
    assert cache_files(tmp_path)[0].used == written
    clock[0] += 1
    cache.get_many(["a", "absent"])
    assert cache_files(tmp_path)[0].used == written + NOTED_S + 1
    assert cache_files(tmp_path)[0].entries == 1


def test_writing_keeps_the_bounds(tmp_path: Path, clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_CACHE_LIMIT", "200KB")
    cache, path = Cache(tmp_path / "a.sqlite"), tmp_path / "a.sqlite"
    for number in range(30):
        clock[0] += 60
        cache.put_many({f"{number} {i}": TEXT for i in range(20)})
    assert 100_000 < cache_files(tmp_path)[0].bytes < 200_000
    assert path.stat().st_size < 260_000  # 600 entries take 800 KB
    assert len(cache.get_many(f"29 {i}" for i in range(20))) == 20
    assert cache.get_many(f"0 {i}" for i in range(20)) == {}
    monkeypatch.setenv("GECVAL_CACHE_LIMIT", "none")
    cache.put_many({f"more {i}": TEXT for i in range(300)})
    assert cache_files(tmp_path)[0].bytes > 400_000
    monkeypatch.setenv("GECVAL_CACHE_LIMIT", "10KB")
    answers = Cache(tmp_path / "b.sqlite").answers([*"abcdefghijkl"], lambda keys: [{key: TEXT} for key in keys])
    assert len(answers) == 12  # what is asked for now is not lost, whatever the bounds


def test_looking_at_all_files_is_rare(tmp_path: Path, clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    monkeypatch.setattr(cache_module, "keep_bounds", lambda folder, limit: looked.append(limit))
    monkeypatch.setenv("GECVAL_CACHE_LIMIT", "250KB")
    cache = fill(tmp_path / "a.sqlite", "abcdef", clock)
    assert looked == [250_000] * 2  # at first, and when 2.5 KB more were written
    cache.put_many({"g": TEXT * 3})
    assert len(looked) == 3

    def busy(folder: Path, limit: int) -> None:
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr(cache_module, "keep_bounds", busy)
    cache.put_many({"h": TEXT * 3})
    assert len(cache.get_many("gh")) == 2


def test_what_somebody_paid_for_stays(tmp_path: Path, clock: list[float]) -> None:
    paid = fill(tmp_path / "chat-1_gpt.0123.sqlite", "abc", clock)
    fill(tmp_path / "a.sqlite", "a", clock)
    assert prune(tmp_path, 0) == 1
    assert clear(tmp_path) == 0
    assert len(paid.get_many("abc")) == 3
    assert [file.path.name for file in cache_files(tmp_path)] == ["chat-1_gpt.0123.sqlite"]


def test_clear(tmp_path: Path, clock: list[float]) -> None:
    fill(tmp_path / "a.sqlite", "abc", clock)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "b.sqlite").write_text("no database")
    assert [file.path.name for file in cache_files(tmp_path)] == ["a.sqlite"]
    assert clear(tmp_path) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.sqlite", "notes.txt"]
    assert clear(tmp_path / "nowhere") == 0


def test_files_of_an_older_version(tmp_path: Path, clock: list[float]) -> None:
    """They have no table of uses: their entries count as the oldest, and an older version can still write."""
    old = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("CREATE TABLE entries (key BLOB PRIMARY KEY, value TEXT, sum BLOB)")
        key, total = cache_module._digest("k"), cache_module._digest(TEXT)
        connection.execute("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", (key, TEXT, total))
    old.chmod(0o444)
    if os.geteuid() != 0:
        assert Cache(old).get_many(["k"]) == {"k": TEXT}
    old.chmod(0o644)
    fill(tmp_path / "new.sqlite", "a", clock)
    assert cache_files(tmp_path)[1].used == 0
    assert Cache(old).get_many(["k"]) == {"k": TEXT}
    assert cache_files(tmp_path)[1].used == int(clock[0])
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", (b"other", TEXT, total))
        connection.execute("DELETE FROM uses")
    assert prune(tmp_path, 2500) == 1
    assert Cache(tmp_path / "new.sqlite").get_many(["a"]) == {"a": TEXT}


def test_databases_of_others_stay_as_they_are(tmp_path: Path, clock: list[float]) -> None:
    with closing(sqlite3.connect(tmp_path / "mine.sqlite")) as other, other:
        other.execute("CREATE TABLE photos (name TEXT)")
    before = (tmp_path / "mine.sqlite").read_bytes()
    assert cache_files(tmp_path) == []
    clear(tmp_path)
    prune(tmp_path, 0)
    assert (tmp_path / "mine.sqlite").read_bytes() == before
