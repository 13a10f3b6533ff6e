"""What an import takes: each column's kinds, each bound met exactly; and the archives that hold the rows."""

from __future__ import annotations

import json
import os
import stat
import zipfile
import zlib
from hashlib import sha256
from pathlib import Path

import pytest

from gecval.board.database.models import Base
from gecval.board.exchange import archive, rows
from gecval.board.exchange.archive import ArchiveError, lines_of, new_archive, open_pieces
from gecval.board.exchange.trust import check_row
from gecval.errors import InputError

TABLES = Base.metadata.tables
PHASE = {"id": "i", "created": 1.5, "benchmark_id": "b", "name": "n", "opens": 0, "closes": None, "per_day": 2}


def taken(table: str, **told: object) -> dict[str, object]:
    return rows.taken(TABLES[table], json.dumps(told).encode(), lambda name: f"file {name}".encode())


def test_what_an_old_export_does_not_know_has_its_default() -> None:
    row = taken("phases", **PHASE)
    assert (row["opens"], type(row["opens"]), row["created"]) == (0.0, float, 1.5)
    assert (row["rule"], row["entry"], row["blind"], row["ladder"], row["in_all"]) == (
        "best",
        "system",
        False,
        None,
        None,
    )
    with pytest.raises(ValueError, match=r"^name is missing$"):
        taken("phases", **{key: value for key, value in PHASE.items() if key != "name"})
    with pytest.raises(ValueError, match=r"^id is missing$"):  # its default is made anew for each row
        taken("phases", **{key: value for key, value in PHASE.items() if key != "id"})
    row = taken("benchmarks", id="i", created=1.0, slug="s", name="n", link="l", owner_id="o")
    assert (row["about"], row["visibility"], row["deleted"]) == ("", "public", None)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"name": None}, "name is nothing"),
        ({"name": "a\0b"}, "name is no text"),
        ({"name": "n" * 81}, "name has more than 80 letters"),
        ({"blind": 1}, "blind is no true or false"),
        ({"per_day": True}, "per_day is no number"),
        ({"per_day": 1.0}, "per_day is no number"),
        ({"per_day": 2**63}, "per_day is no number"),
        ({"per_day": -(2**63)}, "per_day is no number"),
        ({"opens": True}, "opens is no number"),
        ({"opens": {"float": "huge"}}, "opens is no number"),
        ({"n" * 41: 1}, f"there is no column '{'n' * 40}'"),
    ],
)
def test_values_that_no_column_takes(change: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        taken("phases", **{**PHASE, **change})
    assert str(refused.value) == why


def test_values_at_their_bounds() -> None:
    row = taken("phases", **{**PHASE, "name": "n" * 80, "per_day": 2**63 - 1, "in_all": -(2**63 - 1), "blind": True})
    assert (row["name"], row["per_day"], row["in_all"], row["blind"]) == ("n" * 80, 2**63 - 1, -(2**63 - 1), True)
    for written, value in (("inf", float("inf")), ("-inf", float("-inf"))):
        assert taken("phases", **{**PHASE, "closes": {"float": written}})["closes"] == value
    assert taken("details", id="i", created=0, job_id="j", submission_id="s", version_id="v", kind="k", body=[1])[
        "body"
    ] == [1]
    for line in (b"{", b"[" * 100_000):
        with pytest.raises(ValueError, match=r"^it is not JSON$"):
            rows.taken(TABLES["phases"], line, bytes)


def test_bytes_lie_in_files() -> None:
    table = TABLES["blobs"]
    assert taken("blobs", hash="h", size=1, content="a" * 64)["content"] == b"file " + b"a" * 64
    with pytest.raises(ValueError, match=r"^content has more than 64 letters$"):
        taken("blobs", hash="h", size=1, content="a" * 65)
    kept = []
    row = {"hash": "h", "size": 1, "content": b"bytes"}
    told = rows.written(table, row, secrets=False, keep=lambda content: kept.append(content) or "name")
    assert (told, kept) == ({"hash": "h", "size": 1, "content": "name"}, [b"bytes"])
    assert rows.written(table, {**row, "content": None}, secrets=False, keep=str)["content"] is None
    assert rows.line({"a": "é", "b": [1]}) == '{"a":"é","b":[1]}\n'.encode()
    assert rows.digest(b"abc") == sha256(b"abc").hexdigest()


def test_numbers_that_json_does_not_know_and_passwords() -> None:
    phase = dict.fromkeys(TABLES["phases"].columns.keys()) | {"opens": float("nan"), "closes": 1.5}
    told = rows.written(TABLES["phases"], phase, secrets=False, keep=str)
    assert (told["opens"], told["closes"]) == ({"float": "nan"}, 1.5)
    user = dict.fromkeys(TABLES["users"].columns.keys()) | {"password": "hash"}
    assert [
        rows.written(TABLES["users"], user, secrets=secrets, keep=str)["password"] for secrets in (True, False)
    ] == [
        "hash",
        "",
    ]
    assert {"sessions", "attempts"} == set(TABLES) - {table.name for table in rows.tables()}


GOOD = {
    "versions": {"source_name": "src.txt", "metrics": ["gleu"], "edits": None},
    "reference_sets": {"name": "ref.txt"},
    "users": {"role": "judge"},
    "tokens": {"scope": "read"},
    "campaigns": {"most": 2, "again": 2},
    "items": {"shown": [["a"], ["b", "c"]], "ranks": [1, 2]},
    "blobs": {"content": zlib.compress(b"abc"), "hash": sha256(b"abc").hexdigest(), "size": 3},
    "phases": {},
}


@pytest.mark.parametrize(
    ("table", "change"),
    [
        *((table, {}) for table in GOOD),
        ("versions", {"source_name": None, "edits": "errant"}),
        ("campaigns", {"most": 5, "again": 1000}),
        ("items", {"shown": [["a"]] * 5, "ranks": [1, 5, 1, 1, 1]}),
        ("items", {"ranks": []}),
    ],
)
def test_rows_that_a_board_would_have_stored(table: str, change: dict[str, object]) -> None:
    check_row(table, {**GOOD[table], **change})


@pytest.mark.parametrize(
    ("table", "change", "why"),
    [
        ("versions", {"source_name": "a/b"}, "'a/b' is no plain name of a file"),
        ("versions", {"metrics": ["gleu(n=4)"]}, "metrics are spelled in another way than a board spells them"),
        ("versions", {"edits": "magic"}, "edits are found by plain or errant"),
        ("reference_sets", {"name": "x/" + "y" * 100}, f"'x/{'y' * 58}' is no plain name of a file"),
        ("users", {"role": "g" * 30}, f"role is organiser, participant, judge; not '{'g' * 20}'"),
        ("tokens", {"scope": "all"}, "scope is read, submit, organise; not 'all'"),
        ("blobs", {"size": 4}, "its content is that of another file"),
        ("blobs", {"hash": "0" * 64}, "its content is that of another file"),
        *(
            ("campaigns", change, "a campaign shows 2 to 5 outputs, and every 2nd to 1000th item again")
            for change in ({"most": 1}, {"most": 6}, {"again": 1}, {"again": 1001})
        ),
        *(
            ("items", {"shown": shown}, "shown is no list of two to five outputs")
            for shown in ("ab", [["a"]], [["a"]] * 6, [["a"], []], [["a"], [1]], [["a"], "b"])
        ),
        *(
            ("items", {"ranks": ranks}, "ranks is no list of a rank for each output")
            for ranks in ("12", [1], [1, 1, 1])
        ),
        *(("items", {"ranks": ranks}, "a rank is from 1 to 2") for ranks in ([0, 1], [1, 3], [1, True], [1, 1.0])),
    ],
)
def test_rows_that_a_board_would_not_have_stored(table: str, change: dict[str, object], why: str) -> None:
    with pytest.raises((ValueError, InputError)) as refused:
        check_row(table, {**GOOD[table], **change})
    assert str(refused.value) == why


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An archive of 7 + 3 bytes."""
    (tmp_path / "out" / "tables").mkdir(parents=True)
    (tmp_path / "out" / "board.json").write_bytes(b"1234567")
    (tmp_path / "out" / "tables" / "users.jsonl").write_bytes(b"abc")
    return tmp_path / "out"


def test_an_archive_is_read_to_its_bounds(folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(archive, "MOST_PIECES", 2)
    pieces = open_pieces(folder, 10)
    assert pieces.sizes == {"board.json": 7, "tables/users.jsonl": 3}
    with pytest.raises(ArchiveError, match=f"^{folder} is not imported: board.json has more than 6 bytes$"):
        pieces.read("board.json", most=6)
    assert pieces.read("board.json", most=7) == b"1234567"
    assert pieces.left == 3
    assert pieces.read("tables/users.jsonl") == b"abc"
    with pytest.raises(ArchiveError, match=r"board\.json has more than 0 bytes"):
        pieces.read("board.json")
    with pytest.raises(ArchiveError, match="files/x is missing"):
        pieces.read("files/x")
    with pytest.raises(ArchiveError, match="it unpacks to 10 bytes; at most 9 are taken"):
        open_pieces(folder, 9)
    monkeypatch.setattr(archive, "MOST_PIECES", 1)
    with pytest.raises(ArchiveError, match="it holds more than 1 files"):
        open_pieces(folder, 10)


def test_devices_and_long_names_are_refused(folder: Path) -> None:
    os.mkfifo(folder / "tables" / ("p" * 70))
    with pytest.raises(ArchiveError, match=r"'pppp.{50,60}is a link or a device"):
        open_pieces(folder, 10)
    (folder / "tables" / ("p" * 70)).unlink()
    (folder / "tables" / ("p" * 41 + ".jsonl")).write_bytes(b"")
    with pytest.raises(ArchiveError, match="which is no piece of an export"):
        open_pieces(folder, 10)


def test_a_zip_file_with_a_name_twice(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "twice.zip", "w") as file:
        file.writestr("tables/", b"")
        file.writestr("board.json", b"1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            file.writestr("board.json", b"2")
    with pytest.raises(ArchiveError, match="two of its files have the same name"):
        open_pieces(tmp_path / "twice.zip", 10)


@pytest.mark.parametrize(("public", "folder_mode", "zip_mode"), [(False, 0o700, 0o600), (True, 0o755, 0o644)])
def test_who_may_read_an_archive(tmp_path: Path, public: bool, folder_mode: int, zip_mode: int) -> None:
    (tmp_path / "empty").mkdir()
    for name, mode in (("new/folder", folder_mode), ("empty", folder_mode), ("deep/file.ZIP", zip_mode)):
        with new_archive(tmp_path / name, public=public) as writer:
            writer.write("board.json", b"{}")
            writer.write("tables/users.jsonl", b"")
            writer.write("tables/teams.jsonl", b"")
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == mode
        assert open_pieces(tmp_path / name, 10).read("board.json") == b"{}"
    with zipfile.ZipFile(tmp_path / "deep" / "file.ZIP") as file:
        entry = file.getinfo("board.json")
        assert (entry.date_time, entry.external_attr >> 16) == ((1980, 1, 1, 0, 0, 0), 0o600)
        assert entry.compress_type == zipfile.ZIP_DEFLATED


def test_lines_end_with_a_line_feed_alone() -> None:
    assert list(lines_of("a\u2028b\n\n c\r\n".encode())) == ["a\u2028b\n".encode(), b" c\r\n"]
