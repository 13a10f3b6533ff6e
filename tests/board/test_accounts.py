"""Accounts, teams, links, sessions and tokens: what each needs, and the moment in which it ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from board import making
from gecval.board import accounts, clock, retention
from gecval.board.clock import DAY
from gecval.board.database.models import Attempt, Invitation, Member, WebSession
from gecval.board.errors import ForbiddenError, NotFoundError, TooManyError
from gecval.errors import InputError

TIME = 1_800_000_000.0
LOGIN = {"name": "Anna", "password": making.PASSWORD, "address": "::1"}


class Clock:
    """A clock that a test sets."""

    time = TIME

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock_of_test = Clock()
    monkeypatch.setattr(clock, "read_clock", clock_of_test)
    return clock_of_test


@pytest.fixture
def session(on_sqlite, time: Clock) -> Iterator[Session]:
    with on_sqlite.write() as opened:
        yield opened


def count(session: Session, table: type) -> int:
    session.flush()
    return session.scalar(select(func.count()).select_from(table))


def test_names_are_taken_once_however_they_are_written(session, settings) -> None:
    anna, _ = making.participant(session, settings, "Anna")
    with pytest.raises(InputError, match=r"^there is an account 'ANNA' already; take another name$"):
        making.user(session, settings, "ANNA")
    with pytest.raises(InputError, match="there is a team 'TEAM anna' already; take another name, or ask"):
        accounts.make_team(session, "TEAM anna", anna)
    accounts.make_team(session, "A team", anna)
    assert [team.name for team in accounts.list_teams(session, anna)] == ["A team", "team Anna"]
    for wrong in ("an account", "a team"):
        with pytest.raises(InputError, match=f"^{wrong} needs a name$"):
            making.user(session, settings, " ") if wrong == "an account" else accounts.make_team(session, " ", anna)


@pytest.mark.parametrize("days", [accounts.INVITATION_DAYS, 0.5])
def test_a_link_holds_for_its_days(session, time: Clock, days: float) -> None:
    secret = accounts.invite(session, role="judge", days=days)
    session.flush()
    time.time += days * DAY
    assert accounts.find_invitation(session, secret).role == "judge"
    time.time += 0.001
    with pytest.raises(NotFoundError, match=r"^this link was used or has expired; ask for a new one$"):
        accounts.find_invitation(session, secret)
    with pytest.raises(NotFoundError):
        accounts.find_invitation(session, "unknown")
    assert accounts.INVITATION_DAYS == 14


def test_the_first_link_holds_for_a_day_and_the_last_one_alone(session, settings, time: Clock) -> None:
    first, judge = accounts.make_first_link(session), accounts.invite(session, role="judge", days=1)
    last = accounts.make_first_link(session)
    time.time += DAY
    with pytest.raises(NotFoundError):
        accounts.find_invitation(session, first)
    assert accounts.find_invitation(session, judge).role == "judge"
    assert accounts.join(session, last, name="olga", hashed=making.hashed()).role == "organiser"
    assert accounts.make_first_link(session) is None
    time.time += 0.001
    assert session.scalar(select(func.count()).where(Invitation.expires >= time.time)) == 0


def test_a_link_to_a_team(session, settings) -> None:
    anna, team = making.participant(session, settings, "anna")
    links = [accounts.invite(session, role="participant", team=team, by=anna, days=1) for _ in range(3)]
    ben = accounts.join(session, links[0], name="ben", hashed=making.hashed(), team="his own")
    assert [row.name for row in accounts.list_teams(session, ben)] == ["team anna"]
    with pytest.raises(NotFoundError):
        accounts.join_team(session, links[0], anna)  # it is used up
    accounts.join_team(session, links[1], anna)  # she is in it already
    assert count(session, Member) == 2
    with pytest.raises(NotFoundError):
        accounts.join_team(session, links[1], ben)
    carl = making.user(session, settings, "carl")
    accounts.join_team(session, links[2], carl)
    assert [row.name for row in accounts.list_teams(session, carl)] == ["team anna"]
    used = session.scalars(select(Invitation).order_by(Invitation.used_by)).all()
    assert {row.used_by for row in used} == {ben.id, anna.id, carl.id}
    assert {row.made_by for row in used} == {anna.id}


def test_a_link_that_makes_an_account_is_not_for_who_has_one(session, settings) -> None:
    secret = accounts.invite(session, role="participant", days=1)
    with pytest.raises(ForbiddenError, match=r"^this link makes an account, and you have one; log out to use it$"):
        accounts.join_team(session, secret, making.user(session, settings))
    made = [
        accounts.join(
            session,
            accounts.invite(session, role="participant", days=1),
            name=name,
            hashed=making.hashed(),
            team=team,
        )
        for name, team in (("ben", "bears"), ("carl", "  "))
    ]
    assert [[team.name for team in accounts.list_teams(session, user)] for user in made] == [["bears"], []]


def test_a_session_ends(session, settings, time: Clock) -> None:
    anna = making.user(session, settings)
    secret = making.log_in(session, settings, **LOGIN)
    assert making.log_in(session, settings, **{**LOGIN, "name": "  aNNa "})
    time.time += settings.session_days * DAY - 0.001
    assert accounts.find_session_viewer(session, secret).user is anna
    time.time += 0.001
    assert accounts.find_session_viewer(session, secret) is None
    assert accounts.find_session_viewer(session, "unknown") is None
    assert count(session, WebSession) == 2
    retention.forget(session, settings)
    assert count(session, WebSession) == 2  # it ends in this moment
    time.time += 0.001
    retention.forget(session, settings)
    assert count(session, WebSession) == 0
    secret = making.log_in(session, settings, **LOGIN)
    accounts.end_session(session, "unknown")
    accounts.end_session(session, secret)
    assert accounts.find_session_viewer(session, secret) is None
    assert settings.session_days == 14


def test_of_a_name_800_letters_are_looked_at(session, settings) -> None:
    making.user(session, settings)
    assert making.log_in(session, settings, **{**LOGIN, "name": "anna" + 796 * " " + "x"})
    assert making.log_in(session, settings, **{**LOGIN, "name": "anna" + 795 * " " + "x"}) is None


def test_a_quarter_of_an_hour_after_the_first_guess(session, settings, time: Clock) -> None:
    making.user(session, settings)
    wrong = {**LOGIN, "password": "wrong wrong"}
    for _ in range(settings.logins):
        assert making.log_in(session, settings, **wrong) is None
    time.time += 899.999
    with pytest.raises(TooManyError, match=r"^too many attempts: wait 15 minutes, then try again$"):
        making.log_in(session, settings, **LOGIN)
    assert making.log_in(session, settings, **{**LOGIN, "address": "::2"})  # another address
    time.time += 0.001
    assert making.log_in(session, settings, **LOGIN)
    assert settings.logins == 10


def test_attempts_are_forgotten_when_no_limit_counts_them(session, settings, time: Clock) -> None:
    accounts.count_attempt(session, "upload", "anna")
    for pause, left in ((3600.0, 1), (0.001, 0)):
        time.time += pause
        retention.forget(session, settings)
        assert count(session, Attempt) == left


def test_changing_a_password_is_limited(on_sqlite, settings) -> None:
    with on_sqlite.write() as session:
        anna = making.user(session, settings)
    for _ in range(settings.logins):
        with pytest.raises(ForbiddenError, match="the old password is wrong"):
            accounts.change_password(on_sqlite, settings, anna.id, old="wrong", new="another long password")
    with pytest.raises(TooManyError, match="wait 15 minutes"):
        accounts.change_password(on_sqlite, settings, anna.id, old=making.PASSWORD, new="another long password")


def test_the_operator_gives_a_password_and_ends_all_sessions(session, settings) -> None:
    anna, ben = making.user(session, settings), making.user(session, settings, "ben")
    old = accounts.start_session(session, settings, anna)
    other = accounts.start_session(session, settings, ben)
    password = accounts.reset_password(session, settings, "  ANNA ")
    assert len(password) == 16  # 12 random bytes
    assert accounts.find_session_viewer(session, old) is None
    assert accounts.find_session_viewer(session, other).user is ben
    assert making.log_in(session, settings, **LOGIN) is None
    assert making.log_in(session, settings, **{**LOGIN, "password": password})


def test_the_operator_acts_for_the_first_organiser(session, settings, time: Clock) -> None:
    with pytest.raises(InputError, match="`gecval serve` makes the first one; open the link that it prints"):
        accounts.find_first_organiser(session)
    with pytest.raises(InputError, match="`gecval serve --data there` makes the first one"):
        accounts.find_first_organiser(session, serve="gecval serve --data there")
    for name, role in (("anna", "participant"), ("olga", "organiser"), ("ada", "organiser")):
        time.time += 1
        making.user(session, settings, name, role)
    assert accounts.find_first_organiser(session).name == "olga"


def test_a_token_holds_for_its_days(session, settings, time: Clock) -> None:
    anna = making.user(session, settings)
    for days in (1, 366):
        secret = accounts.make_token(session, anna, name=" my  laptop ", scope="submit", days=days)
        assert secret.startswith("gecval_")
        begin, time.time = time.time, time.time + days * DAY - 0.001
        assert [token.name for token in accounts.list_tokens(session, anna)] == ["my laptop"]
        time.time = begin + days * DAY
        assert accounts.find_token_viewer(session, secret).scope == "submit"
        assert accounts.list_tokens(session, anna) == []
        time.time += 0.001
        with pytest.raises(ForbiddenError, match=r"^this token does not hold: it is unknown, revoked or expired$"):
            accounts.find_token_viewer(session, secret)
    for days in (0, 367):
        with pytest.raises(InputError, match=r"^a token holds for 1 to 366 days$"):
            accounts.make_token(session, anna, name="t", scope="submit", days=days)
    with pytest.raises(InputError, match="the scope of a token is read, submit, organise, not 'everything and every'"):
        accounts.make_token(session, anna, name="t", scope="everything and everybody", days=1)
    with pytest.raises(ForbiddenError, match=r"^only organisers may make a token with the scope organise$"):
        accounts.make_token(session, anna, name="t", scope="organise", days=1)
    olga = making.user(session, settings, "olga", "organiser")
    assert accounts.find_token_viewer(
        session, accounts.make_token(session, olga, name="t", scope="organise", days=1)
    ).organiser


def test_a_person_has_twenty_tokens(session, settings) -> None:
    anna, ben = making.user(session, settings), making.user(session, settings, "ben")
    for number in range(20):
        accounts.make_token(session, anna, name=f"t{number}", scope="read", days=1)
    with pytest.raises(InputError, match=r"^you have 20 tokens; revoke one first$"):
        accounts.make_token(session, anna, name="one more", scope="read", days=1)
    first = accounts.list_tokens(session, anna)[0]
    for user, token_id in ((ben, first.id), (anna, "unknown")):
        with pytest.raises(NotFoundError, match=r"^there is no such token$"):
            accounts.revoke_token(session, user, token_id)
    accounts.revoke_token(session, anna, first.id)
    assert first.id not in {token.id for token in accounts.list_tokens(session, anna)}
    assert accounts.make_token(session, anna, name="one more", scope="read", days=1)
