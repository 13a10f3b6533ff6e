"""Out and back: the same bytes by way of the other database; hostile archives are refused in one line."""

from __future__ import annotations

import json
import shutil
import stat
import zipfile
from hashlib import sha256
from inspect import signature
from pathlib import Path

import pytest
from sqlalchemy import select

pytest.importorskip("fastapi", reason="the board needs gecval[board]")
from board import making
from board.serving import Served
from gecval.board import accounts
from gecval.board.audit import entries, record
from gecval.board.campaigns import items
from gecval.board.campaigns.making import candidates, make_campaign
from gecval.board.database import open_database
from gecval.board.database.models import Base, Benchmark, Blob, Invitation, Remembered, User
from gecval.board.exchange import archive, copying, export_board, import_board
from gecval.board.operator import new_password
from gecval.board.tokens import make_token
from gecval.board.web.asking import board_secret
from gecval.errors import InputError


@pytest.fixture
def other(request, tmp_path: Path):
    """An empty board on the database that ``database`` is not on."""
    postgres = request.getfixturevalue("postgres")

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
        chosen = [row.id for row in candidates(session, benchmark.versions[-1])][:2]
        campaign = make_campaign(session, anna, benchmark, name="Judges", submissions=chosen, judges=[anna.id])
        items.next_item(session, campaign, anna)
        items.answer(session, campaign, anna, number=1, ranks=[1, 2])


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
    assert set(counts) == set(Base.metadata.tables) - {"sessions", "attempts"}
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
            assert entries(session)[0].object == "nothing"
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
    export_board(database, tmp_path / "out")
    names = everything(tmp_path / "out")
    assert "tables/tokens.jsonl" not in names
    assert "tables/invitations.jsonl" not in names
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
            assert accounts.log_in(session, settings, password=guess, **login) is None
        assert accounts.log_in(session, settings, password=new_password(session, settings, "Anna"), **login)
        with pytest.raises(InputError, match="there is no account 'nobody'"):
            new_password(session, settings, "nobody")
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
    "name is no Unicode": lambda folder: _table(folder, "users", _set("name", "\ud800")),
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


def test_hostile_zip_files(database, exported: Path, tmp_path: Path, monkeypatch) -> None:
    def refused(name: str, message: str, **more: int) -> None:
        with pytest.raises(InputError, match=message):
            import_board(database, tmp_path / name, **more)

    with zipfile.ZipFile(tmp_path / "slip.zip", "w") as file:
        file.writestr("../../evil", "x")
    refused("slip.zip", r"it holds '../../evil', which is no piece")
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("board.json", b" " * 30_000_000)
    refused("bomb.zip", "it unpacks to 30000000 bytes; at most 1000000", most=1_000_000)
    refused("bomb.zip", "board.json has more than 1000000 bytes")
    lying = (tmp_path / "bomb.zip").read_bytes().replace((30_000_000).to_bytes(4, "little"), (9).to_bytes(4, "little"))
    (tmp_path / "lying.zip").write_bytes(lying)
    refused("lying.zip", "is not imported")
    (tmp_path / "text.zip").write_text("no zip file")
    refused("text.zip", "no zip file")
    refused("nowhere", "no such file")
    monkeypatch.setattr(archive, "MOST_PIECES", 3)
    monkeypatch.setattr(copying, "BATCH", 1)
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
        with archive.new_archive(tmp_path / "half") as writer:
            writer.write("board.json", b"{}")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stumble()
    assert not (tmp_path / "half").exists()
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith("board")) == ["file", "there"]


def test_the_secret_of_forms_stays_that_of_this_board(on_sqlite, exported: Path, tmp_path: Path, monkeypatch) -> None:
    """A board that was started has a secret, and is empty all the same. Rows go in by the batch."""
    own = board_secret(on_sqlite)
    assert len(own) == 64
    folder = tmp_path / "forged"
    shutil.copytree(exported, folder)
    _table(
        folder, "settings", lambda rows: rows.extend([{"key": "secret", "value": "x"}, {"key": "other", "value": "y"}])
    )
    monkeypatch.setattr(copying, "BATCH", 2)
    counts = import_board(on_sqlite, folder)
    assert (counts["users"], counts["settings"]) == (3, 1)
    with on_sqlite.read() as session:
        assert dict(map(tuple, session.execute(select(Remembered.key, Remembered.value)))) == {
            "secret": own,
            "other": "y",
        }
        assert len(session.scalars(select(User)).all()) == 3
    export_board(on_sqlite, tmp_path / "again", secrets=True)
    again, first = everything(tmp_path / "again"), everything(exported)
    assert {name for name in first if again[name] != first[name]} == {"board.json", "tables/settings.jsonl"}
    assert signature(import_board).parameters["most"].default == 20_000_000_000
