"""board export, import, snapshot and password, as typed."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the board needs gecval[board]")


@pytest.fixture
def filled(folder: Path) -> Path:
    """A board with the sample corpus, nothing scored yet."""
    from gecval.board import demo
    from gecval.board.database import open_database
    from gecval.board.settings import Settings

    settings = Settings(data=folder / "board", password_cost=1)
    settings.check()
    database = open_database(settings.url)
    with database.write() as session:
        demo.fill(session, settings)
    database.close()
    return folder


def test_out_and_back(gecval, filled: Path) -> None:
    out = gecval("board export out.zip --secrets")
    assert out.status == 0, out.err
    back = gecval(f"board import out.zip --max-size 1 --database sqlite:///{filled / 'copy.sqlite'} --data copy")
    assert back.status == 0, back.err
    assert out.out.removeprefix("out.zip: ") == back.out.removeprefix("copy: ")
    assert gecval(f"board export again.zip --secrets --database sqlite:///{filled / 'copy.sqlite'}").status == 0
    assert (filled / "out.zip").read_bytes() == (filled / "again.zip").read_bytes()
    plain = gecval("board export plain")
    assert int(plain.out.split()[1]) < int(out.out.split()[1]) + 1
    assert '"password":""' in (filled / "plain/tables/users.jsonl").read_text()


def test_a_new_password(gecval, filled: Path) -> None:
    made = gecval("board password demo")
    assert made.status == 0
    assert len(made.out.strip()) == 16
    assert "there is no account 'eve'" in gecval("board password eve").err


def test_a_new_password_disconnects_single_sign_on_and_says_so(gecval, filled: Path) -> None:
    from sqlalchemy import select

    from gecval.board.database import open_database
    from gecval.board.database.models import Identity, User

    database = open_database(f"sqlite:///{filled / 'board' / 'board.sqlite'}")
    with database.write() as session:
        demo = session.scalars(select(User.id).where(User.name == "demo")).one()
        session.add(Identity(issuer="https://login.example.org", subject="thief", user_id=demo))
    for said in ("single sign-on is disconnected", ""):
        made = gecval("board password demo")
        assert (made.status, len(made.out.strip())) == (0, 16)
        assert said in made.err
        assert bool(said) is ("single sign-on" in made.err)
    database.close()


def test_a_snapshot(gecval, filled: Path) -> None:
    made = gecval("board snapshot site --data board")
    assert made.status == 0, made.err
    assert "The sample corpus" in (filled / "site/index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("board import nowhere --data new", "no such file or folder"),
        ("board export board", "exists already"),
        ("board snapshot board", "exists already"),
        ("board import board --max-size 0", "not in the range"),
        ("board import board --data new", "which is no piece of an export"),
        *(
            (
                f"board {verb} --database mysql://x",
                "the database is sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME (option --database)",
            )
            for verb in ("export new", "import board", "snapshot new", "password olga")
        ),
    ],
)
def test_what_is_refused(gecval, filled: Path, typed: str, said: str) -> None:
    status, out, err = gecval(typed)  # SQLite touches its files, so that not even refusals leave the folder as it was
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_copy_may_have_so_many_gigabytes(gecval, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(
        "gecval.board.export_import.import_board", lambda opened, path, max_bytes: asked.append(max_bytes) or {"a": 2}
    )
    assert gecval("board import copy.zip --max-size 3 --data new").out == "new: 2 rows of 1 tables\n"
    gecval("board import copy.zip --data new")
    assert asked == [3 * 10**9, 20 * 10**9]
