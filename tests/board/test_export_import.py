"""Export and import: a board comes back whole, and an import takes nothing on trust."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
import zlib
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import select

from gecval.board import clock, export_import
from gecval.board.database.models import Base
from gecval.board.export_import import ArchiveError, check_row, new_archive, open_archive, split_lines
from gecval.errors import InputError

pytest.importorskip("fastapi", reason="the board needs gecval[board]")
from board import making
from board.serving import Served
from gecval.board import accounts, campaigns, mail
from gecval.board.accounts import make_token, reset_password
from gecval.board.campaigns import list_candidates, make_campaign
from gecval.board.database import open_database
from gecval.board.database.models import Benchmark, Blob, Identity, Invitation, StoredSetting, User
from gecval.board.database.storage import list_entries, record
from gecval.board.export_import import export_board, import_board
from gecval.board.web.request import load_secret


@pytest.fixture
def other(postgres: str, tmp_path: Path):
    """An empty board on the database that ``database`` is not on."""

    def opened(sqlite: bool):
        if sqlite:
            return open_database(f"sqlite:///{tmp_path / 'another.sqlite'}")
        import psycopg

        with psycopg.connect(postgres.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute("DROP DATABASE IF EXISTS another")
            connection.execute("CREATE DATABASE another")
        return open_database(postgres.replace("/postgres?", "/another?"))

    return opened


def fill(database, settings) -> None:
    """A board with scores, a withdrawn submission, names in other scripts, a token and an open invitation."""
    served = Served(database, settings)
    address = served.benchmark(data=making.small_data(hidden=True), name="Ünï \u2028 学")
    served.browser("anna").submit(address, paper="=1+1", system="学 🎓")
    served.browser("ben").submit(address, text=making.WILD, system="Ärger")
    assert served.work() == 6
    with database.write() as session:
        anna = session.scalar(select(User).where(User.name == "anna"))
        make_token(session, anna, name="laptop", scope="submit", days=3)
        accounts.invite(session, role="judge", days=3)
        benchmark = session.scalar(select(Benchmark))
        chosen = [row.id for row in list_candidates(session, benchmark.versions[-1])][:2]
        campaign = make_campaign(session, anna, benchmark, name="Judges", submissions=chosen, judges=[anna.id])
        campaigns.next_item(session, campaign, anna)
        campaigns.answer(session, campaign, anna, number=1, ranks=[1, 2])


def everything(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_there_and_back_by_the_other_database_gives_the_same_bytes(
    database, settings, other, new_url, tmp_path: Path
) -> None:
    fill(database, settings)
    counts = export_board(database, tmp_path / "first", secrets=True)
    assert counts["users"] == 3
    assert counts["tokens"] == counts["invitations"] == 1
    assert counts["scores"] == 12
    assert set(counts) == set(Base.metadata.tables) - {"sessions", "attempts", "mails", "mail_links"}
    first = everything(tmp_path / "first")
    assert len([name for name in first if name.startswith("files/")]) >= 9
    for name, content in first.items():
        if name.startswith("files/"):
            assert sha256(content).hexdigest() == name.removeprefix("files/")
    assert first["files/" + sha256(making.GOOD.encode()).hexdigest()] == making.GOOD.encode()

    there = other(not database.sqlite)
    assert import_board(there, tmp_path / "first") == counts
    export_board(there, tmp_path / "second.zip", secrets=True)
    back = open_database(new_url())
    import_board(back, tmp_path / "second.zip")
    export_board(back, tmp_path / "third", secrets=True)
    assert everything(tmp_path / "third") == first

    # Both are boards that go on: people log in, pages show the same numbers, the audit log grows, jobs run.
    board = next(row["slug"] for row in map(json.loads, first["tables/benchmarks.jsonl"].splitlines()))
    shown = []
    for copy in (database, there, back):
        with copy.write() as session:
            record(session, "olga", "test", "nothing")
        with copy.read() as session:
            assert list_entries(session)[0].object == "nothing"
        served = Served.__new__(Served)
        served.database, served.settings = copy, settings
        from gecval.board.web.app import make_app

        served.app = make_app(settings, copy)
        shown.append(served.browser("anna").client.get(f"/api/benchmarks/{board}/leaderboard").json())
    assert shown[0] == shown[1] == shown[2]
    assert len(shown[0]["lines"]) == 6
    there.close()
    back.close()


def test_secrets_stay_behind_unless_asked_for(database, settings, new_url, tmp_path: Path) -> None:
    fill(database, settings)
    with database.write() as session:
        anna = session.scalars(select(User).where(User.name == "anna")).one()
        mail.set_address(session, anna, "anna@example.org")
        session.add(Identity(issuer="https://login.example.org", subject="subject-of-anna", user_id=anna.id))
    export_board(database, tmp_path / "out")
    names = everything(tmp_path / "out")
    for table in ("tokens", "invitations", "addresses", "identities"):
        assert f"tables/{table}.jsonl" not in names
    for said in (b"anna@example.org", b"subject-of-anna"):
        assert said not in b"".join(names.values())
    assert b"argon2" not in b"".join(names.values())
    assert {json.loads(line)["password"] for line in names["tables/users.jsonl"].splitlines()} == {""}
    assert b'"key":"secret"' not in names["tables/settings.jsonl"]
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700

    copy = open_database(new_url())
    import_board(copy, tmp_path / "out")
    with copy.write() as session:
        assert session.scalar(select(Invitation)) is None
        login = {"name": "anna", "address": "there"}
        for guess in ("", making.PASSWORD):
            assert making.log_in(session, settings, password=guess, **login) is None
        assert making.log_in(session, settings, password=reset_password(session, settings, "Anna"), **login)
        with pytest.raises(InputError, match="there is no account 'nobody'"):
            reset_password(session, settings, "nobody")
    copy.close()


def _table(folder: Path, name: str, change) -> None:
    """Change the rows of a table, and its hash, as a forger does."""
    path = folder / "tables" / f"{name}.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    change(rows)
    content = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    path.write_bytes(content)
    manifest = json.loads((folder / "board.json").read_text())
    manifest["tables"][name]["sha256"] = sha256(content).hexdigest()
    (folder / "board.json").write_text(json.dumps(manifest))


def _manifest(folder: Path, **values: object) -> None:
    manifest = json.loads((folder / "board.json").read_text())
    (folder / "board.json").write_text(json.dumps({**manifest, **values}))


def _set(column: str, value: object):
    return lambda rows: rows[0].update({column: value})


HOSTILE = {
    "its format has the version 2": lambda folder: _manifest(folder, version=2),
    "its tables are of 9999": lambda folder: _manifest(folder, schema="9999"),
    "it is no export of a board": lambda folder: _manifest(folder, kind="human"),
    "board.json lists no tables": lambda folder: _manifest(folder, tables=[1]),
    "there is no table 'sqlite_master'": lambda folder: _manifest(folder, tables={"sqlite_master": {}}),
    "board.json is not JSON": lambda folder: (folder / "board.json").write_text("[" * 100_000),
    "board.json is missing": lambda folder: (folder / "board.json").unlink(),
    "which is no piece": lambda folder: (folder / "evil.sh").write_text("rm"),
    "is a link": lambda folder: (folder / "files" / "x").symlink_to("/etc/passwd"),
    "its hash is another": lambda folder: (folder / "tables" / "users.jsonl").write_text("{}"),
    "users.jsonl: line 1: role is": lambda folder: _table(folder, "users", _set("role", "god")),
    "no column 'id; DROP": lambda folder: _table(folder, "users", _set("id; DROP TABLE users", 1)),
    "name is no text": lambda folder: _table(folder, "users", _set("name", ["anna"])),
    "not JSON in Unicode": lambda folder: _table(folder, "users", _set("name", "\ud800")),
    "name has more than 80": lambda folder: _table(folder, "users", _set("name", "a" * 10**6)),
    "created is no number": lambda folder: _table(folder, "users", _set("created", "now")),
    "is no number": lambda folder: _table(folder, "versions", _set("number", 2**70)),
    "'../../evil.txt' is no plain name": lambda folder: _table(
        folder, "versions", _set("source_name", "../../evil.txt")
    ),
    "'/etc/x' is no plain name": lambda folder: _table(folder, "reference_sets", _set("name", "/etc/x")),
    "names a module or a file": lambda folder: _table(folder, "versions", _set("metrics", ["os:system"])),
    "metrics is neither": lambda folder: _table(folder, "versions", _set("metrics", "gleu")),
    "files/../../../etc/passwd is missing": lambda folder: _table(
        folder, "scores", _set("statistics", "../../../etc/passwd")
    ),
    "its rows do not fit together": lambda folder: _table(folder, "members", _set("team_id", "0" * 16)),
    "its content is that of another file": lambda folder: _table(
        folder, "blobs", lambda rows: rows[0].update(content=rows[1]["hash"])
    ),
    "shows 2 to 5 outputs": lambda folder: _table(folder, "campaigns", _set("again", 0)),
    "shown is no list": lambda folder: _table(folder, "items", _set("shown", [["x"], "y"])),
    "a rank is from 1 to": lambda folder: _table(folder, "items", _set("ranks", [0, True])),
    "it is no object": lambda folder: _table(folder, "teams", lambda rows: rows.append([1])),
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> Path:
    from gecval.board.settings import Settings

    folder = tmp_path_factory.mktemp("exported")
    database = open_database(f"sqlite:///{folder / 'board.sqlite'}")
    fill(database, Settings(data=folder, password_cost=1))
    export_board(database, folder / "out", secrets=True)
    database.close()
    return folder / "out"


def test_hostile_archives_are_refused_in_one_line(database, exported: Path, tmp_path: Path) -> None:
    for number, (message, forge) in enumerate(HOSTILE.items()):
        folder = tmp_path / f"forged{number}"
        shutil.copytree(exported, folder)
        forge(folder)
        with pytest.raises(InputError) as caught:
            import_board(database, folder)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
        assert str(caught.value).count("is not imported") == 1
    wrong = tmp_path / "wrong"
    shutil.copytree(exported, wrong)
    piece = wrong / "files" / sha256(making.GOOD.encode()).hexdigest()
    piece.write_text("another text")
    with pytest.raises(InputError, match="is not the file that was exported: its hash is another"):
        import_board(database, wrong)
    with database.read() as session:  # nothing of all this is there
        assert session.scalar(select(User)) is None
        assert session.scalar(select(Blob.hash)) is None
    assert import_board(database, exported)["users"] == 3
    with pytest.raises(InputError, match="the board is not empty: it has"):
        import_board(database, exported)


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_what_a_killed_export_left_goes_with_the_next(tmp_path: Path, name: str) -> None:
    code = f"""
import os
from pathlib import Path
from gecval.board.export_import import new_archive
with new_archive(Path({str(tmp_path / name)!r})) as archive:
    archive.write("board.json", b"half")
    os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert not (tmp_path / name).exists()
    with new_archive(tmp_path / name) as archive:
        archive.write("board.json", b"whole")
        with pytest.raises(InputError, match="another program writes"), new_archive(tmp_path / name):
            pass
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_hostile_zip_files(database, exported: Path, tmp_path: Path, monkeypatch) -> None:
    def refused(name: str, message: str, **more: int) -> None:
        with pytest.raises(InputError, match=message):
            import_board(database, tmp_path / name, **more)

    with zipfile.ZipFile(tmp_path / "slip.zip", "w") as file:
        file.writestr("../../evil", "x")
    refused("slip.zip", r"it holds '../../evil', which is no piece")
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("board.json", b" " * 30_000_000)
    refused("bomb.zip", "it unpacks to 30000000 bytes; at most 1000000", max_bytes=1_000_000)
    refused("bomb.zip", "board.json has more than 1000000 bytes")
    lying = (tmp_path / "bomb.zip").read_bytes().replace((30_000_000).to_bytes(4, "little"), (9).to_bytes(4, "little"))
    (tmp_path / "lying.zip").write_bytes(lying)
    refused("lying.zip", "is not imported")
    begun = lying.index(b"PK\x01\x02")  # the first entry of the list asks for version 21.3 of the format
    (tmp_path / "later.zip").write_bytes(lying[: begun + 6] + b"\xd5" + lying[begun + 7 :])
    refused("later.zip", r"it is no folder and no zip file \(zip file version 21.3\)")
    (tmp_path / "text.zip").write_text("no zip file")
    refused("text.zip", "no zip file")
    refused("nowhere", "no such file")
    monkeypatch.setattr(export_import, "MAX_PIECES", 3)
    monkeypatch.setattr(export_import, "BATCH", 1)
    shutil.make_archive(str(tmp_path / "many"), "zip", exported)
    refused("many.zip", "more than 3 files")


def test_an_export_overwrites_nothing_and_leaves_nothing_half_written(database, settings, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="exists already"):
        export_board(database, tmp_path / "there")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="cannot write"):
        export_board(database, tmp_path / "file" / "out")

    def stumble() -> None:
        with export_import.new_archive(tmp_path / "half") as writer:
            writer.write("board.json", b"{}")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stumble()
    assert not (tmp_path / "half").exists()
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith("board")) == ["file", "there"]


def test_the_secret_of_forms_stays_that_of_this_board(on_sqlite, exported: Path, tmp_path: Path, monkeypatch) -> None:
    """A board that was started has a secret, and is empty all the same. Rows go in by the batch."""
    own = load_secret(on_sqlite)
    assert len(own) == 64
    folder = tmp_path / "forged"
    shutil.copytree(exported, folder)
    _table(
        folder, "settings", lambda rows: rows.extend([{"key": "secret", "value": "x"}, {"key": "other", "value": "y"}])
    )
    monkeypatch.setattr(export_import, "BATCH", 2)
    counts = import_board(on_sqlite, folder)
    assert (counts["users"], counts["settings"]) == (3, 1)
    with on_sqlite.read() as session:
        assert dict(map(tuple, session.execute(select(StoredSetting.key, StoredSetting.value)))) == {
            "secret": own,
            "other": "y",
        }
        assert len(session.scalars(select(User)).all()) == 3
    export_board(on_sqlite, tmp_path / "again", secrets=True)
    again, first = everything(tmp_path / "again"), everything(exported)
    assert {name for name in first if again[name] != first[name]} == {"board.json", "tables/settings.jsonl"}


TABLES = Base.metadata.tables
PHASE = {"id": "i", "created": 1.5, "benchmark_id": "b", "name": "n", "opens": 0, "closes": None, "per_day": 2}


def taken(table: str, **told: object) -> dict[str, object]:
    return export_import.decode_row(TABLES[table], json.dumps(told).encode(), lambda name: f"file {name}".encode())


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
        ({"opens": {"float": "inf"}}, "opens is no moment from 1970 to 9999"),
        ({"opens": {"float": "nan"}}, "opens is no moment from 1970 to 9999"),
        ({"closes": clock.LAST_MOMENT + 1}, "closes is no moment from 1970 to 9999"),
        ({"created": -1.0}, "created is no moment from 1970 to 9999"),
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
        assert taken("phases", **{**PHASE, "ladder": {"float": written}})["ladder"] == value
    assert taken("phases", **{**PHASE, "closes": clock.LAST_MOMENT})["closes"] == clock.LAST_MOMENT
    assert taken("details", id="i", created=0, job_id="j", submission_id="s", version_id="v", kind="k", body=[1])[
        "body"
    ] == [1]
    for line in (b"{", b"[" * 100_000):
        with pytest.raises(ValueError, match=r"^it is not JSON in Unicode$"):
            export_import.decode_row(TABLES["phases"], line, bytes)


def test_bytes_lie_in_files() -> None:
    table = TABLES["blobs"]
    assert taken("blobs", hash="h", size=1, content="a" * 64)["content"] == b"file " + b"a" * 64
    with pytest.raises(ValueError, match=r"^content has more than 64 letters$"):
        taken("blobs", hash="h", size=1, content="a" * 65)
    kept = []
    row = {"hash": "h", "size": 1, "content": b"bytes"}
    told = export_import.encode_row(table, row, secrets=False, keep=lambda content: kept.append(content) or "name")
    assert (told, kept) == ({"hash": "h", "size": 1, "content": "name"}, [b"bytes"])
    assert export_import.encode_row(table, {**row, "content": None}, secrets=False, keep=str)["content"] is None
    assert export_import.encode_line({"a": "é", "b": [1]}) == '{"a":"é","b":[1]}\n'.encode()
    assert export_import.digest(b"abc") == sha256(b"abc").hexdigest()


def test_numbers_that_json_does_not_know_and_passwords() -> None:
    phase = dict.fromkeys(TABLES["phases"].columns.keys()) | {"opens": float("nan"), "closes": 1.5}
    told = export_import.encode_row(TABLES["phases"], phase, secrets=False, keep=str)
    assert (told["opens"], told["closes"]) == ({"float": "nan"}, 1.5)
    user = dict.fromkeys(TABLES["users"].columns.keys()) | {"password": "hash"}
    assert [
        export_import.encode_row(TABLES["users"], user, secrets=secrets, keep=str)["password"]
        for secrets in (True, False)
    ] == [
        "hash",
        "",
    ]
    exported = {table.name for table in export_import.list_exported_tables()}
    assert set(TABLES) - exported == {"sessions", "attempts", "mails", "mail_links"}


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
    monkeypatch.setattr(export_import, "MAX_PIECES", 2)
    pieces = open_archive(folder, 10)
    assert pieces.sizes == {"board.json": 7, "tables/users.jsonl": 3}
    with pytest.raises(ArchiveError, match=f"^{folder} is not imported: board.json has more than 6 bytes$"):
        pieces.read("board.json", max_bytes=6)
    assert pieces.read("board.json", max_bytes=7) == b"1234567"
    assert pieces.left == 3
    assert pieces.read("tables/users.jsonl") == b"abc"
    with pytest.raises(ArchiveError, match=r"board\.json has more than 0 bytes"):
        pieces.read("board.json")
    with pytest.raises(ArchiveError, match="files/x is missing"):
        pieces.read("files/x")
    with pytest.raises(ArchiveError, match="it unpacks to 10 bytes; at most 9 are allowed"):
        open_archive(folder, 9)
    monkeypatch.setattr(export_import, "MAX_PIECES", 1)
    with pytest.raises(ArchiveError, match="it holds more than 1 files"):
        open_archive(folder, 10)


def test_devices_and_long_names_are_refused(folder: Path) -> None:
    os.mkfifo(folder / "tables" / ("p" * 70))
    with pytest.raises(ArchiveError, match=r"'pppp.{50,60}is a link or a device"):
        open_archive(folder, 10)
    (folder / "tables" / ("p" * 70)).unlink()
    (folder / "tables" / ("p" * 41 + ".jsonl")).write_bytes(b"")
    with pytest.raises(ArchiveError, match="which is no piece of an export"):
        open_archive(folder, 10)


def test_a_zip_file_with_a_name_twice(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "twice.zip", "w") as file:
        file.writestr("tables/", b"")
        file.writestr("board.json", b"1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            file.writestr("board.json", b"2")
    with pytest.raises(ArchiveError, match="two of its files have the same name"):
        open_archive(tmp_path / "twice.zip", 10)


@pytest.mark.parametrize(("public", "folder_mode", "zip_mode"), [(False, 0o700, 0o600), (True, 0o755, 0o644)])
def test_who_may_read_an_archive(tmp_path: Path, public: bool, folder_mode: int, zip_mode: int) -> None:
    (tmp_path / "empty").mkdir()
    for name, mode in (("new/folder", folder_mode), ("empty", folder_mode), ("deep/file.ZIP", zip_mode)):
        with new_archive(tmp_path / name, public=public) as writer:
            writer.write("board.json", b"{}")
            writer.write("tables/users.jsonl", b"")
            writer.write("tables/teams.jsonl", b"")
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == mode
        assert open_archive(tmp_path / name, 10).read("board.json") == b"{}"
    with zipfile.ZipFile(tmp_path / "deep" / "file.ZIP") as file:
        entry = file.getinfo("board.json")
        assert (entry.date_time, entry.external_attr >> 16) == ((1980, 1, 1, 0, 0, 0), 0o600)
        assert entry.compress_type == zipfile.ZIP_DEFLATED


def test_lines_end_with_a_line_feed_alone() -> None:
    assert list(split_lines("a\u2028b\n\n c\r\n".encode())) == ["a\u2028b\n".encode(), b" c\r\n"]


@pytest.mark.parametrize("kind", ["missing", "no zip", "wrong hash"])
def test_an_import_that_fails_leaves_no_board(on_sqlite, settings, tmp_path: Path, kind: str) -> None:
    fill(on_sqlite, settings)
    path = tmp_path / "out.zip" if kind != "wrong hash" else tmp_path / "out"
    if kind == "no zip":
        path.write_bytes(b"no zip")
    if kind == "wrong hash":
        export_board(on_sqlite, path)
        table = path / "tables" / "systems.jsonl"
        table.write_bytes(table.read_bytes() + b"\n")
    new = tmp_path / "new" / "board.sqlite"
    new.parent.mkdir()
    with pytest.raises(InputError):
        import_board(open_database(f"sqlite:///{new}"), path)
    assert list(new.parent.iterdir()) == []


def test_an_import_that_fails_leaves_a_file_that_was_there(on_sqlite, empty_file, tmp_path: Path) -> None:
    file = tmp_path / "mine.sqlite"
    shutil.copy(empty_file, file)
    with pytest.raises(InputError):
        import_board(open_database(f"sqlite:///{file}"), tmp_path / "none.zip")
    assert file.exists()
