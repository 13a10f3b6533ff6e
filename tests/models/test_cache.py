"""The cache remembers, is shared by processes, and never stands in the way."""

import logging
import multiprocessing
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval.models import cache as cache_room
from gecval.models.cache import Cache, cache_folder, open_cache


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
    tries, connected = [], cache_room._connected

    def busy(path: Path) -> sqlite3.Connection:
        tries.append(path)
        if len(tries) < 3:
            raise sqlite3.OperationalError("database is locked")
        return connected(path)

    monkeypatch.setattr(cache_room, "_connected", busy)
    monkeypatch.setattr(cache_room, "_PATIENCE_S", patience)
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
