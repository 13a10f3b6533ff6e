"""People and teams: roles, accounts that are shut out, links that are revoked, teams by name; one's own submissions."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select

from board import making
from board.serving import Browser, Served
from gecval.board import accounts, clock
from gecval.board.clock import DAY
from gecval.board.database.models import Invitation, Phase, Submission, System, Team, User


@pytest.fixture
def served(on_sqlite, settings) -> Served:
    return Served(on_sqlite, settings)


def id_of(served: Served, table: type, name: str) -> str:
    with served.database.read() as session:
        return session.scalars(select(table.id).where(table.name == name)).one()


def change(browser: Browser, served: Served, name: str, **data: str):
    return browser.send(f"/people/{id_of(served, User, name)}", data, form="/account")


def test_an_account_is_disabled_and_enabled(served) -> None:
    olga, anna = served.browser("olga"), served.browser("anna")
    assert change(olga, served, "anna", disabled="true").headers["location"] == "/people"
    anna.get("/account", 303)
    guess = served.browser().send("/login", {"name": "anna", "password": making.PASSWORD}, form="/login")
    assert guess.status_code == 401
    assert "disabled 20" in olga.get("/people")
    change(olga, served, "anna", disabled="false")
    served.browser("anna").get("/account")


def test_there_is_always_an_organiser(served) -> None:
    olga = served.browser("olga")
    for data in ({"disabled": "true"}, {"role": "participant"}):
        answer = change(olga, served, "olga", **data)
        assert (answer.status_code, "olga is the only organiser; make another one first" in answer.text) == (400, True)
    assert change(olga, served, "anna", role="organiser").status_code == 303
    assert change(olga, served, "olga", role="judge").status_code == 303
    olga.get("/people", 403)
    served.browser("anna").get("/people")


def test_only_organisers_change_people(served) -> None:
    anna = served.browser("anna")
    assert change(anna, served, "ben", disabled="true").status_code == 403
    assert anna.send(f"/invitations/{'0' * 16}/revoke", {}).status_code == 403
    olga = served.browser("olga")
    assert olga.send(f"/people/{'0' * 16}", {"role": "judge"}).status_code == 404
    assert change(olga, served, "anna", role="king").status_code == 400


def test_a_link_is_revoked(served) -> None:
    olga = served.browser("olga")
    link = re.search(r"/join/[\w-]{43}", olga.send("/people", {"role": "judge"}).text)[0]
    served.browser().get(link)
    with served.database.read() as session:
        invitation = session.scalars(select(Invitation.id)).one()
    assert "1 link is not used yet" in olga.get("/people")
    for status in (303, 404):
        assert olga.send(f"/invitations/{invitation}/revoke", {}).status_code == status
    served.browser().get(link, 404)
    assert "not used yet" not in olga.get("/people")


def test_members_leave_a_team_or_are_taken_out(served) -> None:
    anna, ben, olga = (served.browser(name) for name in ("anna", "ben", "olga"))
    team = id_of(served, Team, "team anna")
    alone = anna.send(f"/account/teams/{team}/leave", {})
    assert (alone.status_code, "anna is the last member of team anna; let another" in alone.text) == (400, True)
    with served.database.write() as session:
        for _ in range(2):
            secret = accounts.invite(session, role="participant", team=session.get_one(Team, team), days=1)
        accounts.join_team(session, secret, session.get_one(User, id_of(served, User, "ben")))
    assert "team anna" in ben.get("/account")
    assert ben.send(f"/account/teams/{team}/leave", {}).status_code == 303
    assert "team anna" not in ben.get("/account")
    assert ben.send(f"/account/teams/{team}/leave", {}).status_code == 404
    assert change(olga, served, "ben", team=team).status_code == 404
    assert change(olga, served, "ben", team=id_of(served, Team, "team ben")).status_code == 400


def test_a_team_is_named_by_its_name(served) -> None:
    address = served.benchmark()
    anna = served.browser("anna")
    with served.database.write() as session:
        accounts.make_team(session, "Second", session.get_one(User, id_of(served, User, "anna")))
        secret = accounts.make_token(
            session, session.get_one(User, id_of(served, User, "anna")), name="t", scope="submit", days=1
        )
    files = {"file": ("mine.txt", making.GOOD.encode())}
    path, headers = f"/api/benchmarks/{address}/submissions", {"Authorization": f"Bearer {secret}"}
    for team, status in (("SECOND", 201), ("team ben", 403), ("none", 403)):
        data = {"system": "mine", "team": team}
        answer = anna.client.post(path, data=data, files=files, headers=headers)
        assert answer.status_code == status, answer.text
        if status == 201:
            assert answer.json()["team"] == "Second"


def test_ones_own_submissions(served) -> None:
    blind = served.benchmark(name="Blind", blind=True, closes=clock.now() + DAY)
    open_one = served.benchmark(name="Open")
    anna = served.browser("anna")
    assert "Your team has submitted nothing yet." in anna.get("/submissions")
    assert "You are in no team." in served.browser("olga").get("/submissions")
    served.browser().get("/submissions", 303)
    anna.submit(open_one, system="scored")
    anna.submit(blind, system="secret")
    served.work()
    gone = anna.submit(open_one, system="gone", text=making.WILD).headers["location"]
    anna.send(f"{gone}/delete", {}, form=gone)
    anna.submit(open_one, system="waits", text=making.SECOND)
    page = anna.get("/submissions")
    states = dict(re.findall(r"<bdi>(\w+)</bdi>.*?data-label=\"State\">([^<]+)<", page, re.DOTALL))
    assert states == {
        "scored": "scored",
        "secret": "scored; shown when the phase closes",
        "gone": "deleted",
        "waits": "number 1 in the queue",
    }
    assert re.findall(r'class="number">([\d.]+)<small>gleu', page) == ["0.6652"]
    asks_again = 'hx-get="/submissions"'
    assert asks_again in page
    served.work()
    assert asks_again not in anna.get("/submissions")  # nothing changes by itself any more
    assert "secret" not in served.browser("ben").get("/submissions")
    for other in ("/account", f"/b/{open_one}/submit"):
        assert 'href="/submissions"' in anna.get(other)


@pytest.mark.parametrize("private", [True, False, None])
@pytest.mark.parametrize("hidden", [True, False])
def test_outputs_are_private_until_the_phase_ends(served, monkeypatch, hidden: bool, private: bool | None) -> None:
    """By default where references are hidden: others could learn from what scored well."""
    data = making.small_data(hidden=hidden)
    address = served.benchmark(data=data, closes=clock.now() + DAY, private=private)
    anna = served.browser("anna")
    page = anna.submit(address).headers["location"]
    served.work()
    with served.database.read() as session:
        system = session.scalars(select(System.id).where(System.name == "mine")).one()
    sentences = f"/b/{address}/systems/{system}/sentences"
    secret = hidden if private is None else private
    for browser, seen in ((anna, True), (served.browser("olga"), True), (served.browser("ben"), not secret)):
        for path in (f"{page}/output", sentences):
            browser.get(path, 200 if seen else 404)
        assert (f"{page}/output" in browser.get(page)) == seen
        assert ("sentences?version" in browser.get(f"/b/{address}/systems/{system}")) == seen
    later = clock.now() + 2 * DAY
    monkeypatch.setattr(clock, "read_clock", lambda: later)
    served.browser().get(sentences)


def test_a_blind_phase_is_private_by_default(served) -> None:
    served.benchmark(blind=True, closes=clock.now() + DAY)
    with served.database.read() as session:
        assert session.scalars(select(Phase.private)).one() is True
        assert session.scalars(select(Submission.id).where(Submission.user_id.is_not(None))).all() == []


def make_link(browser: Browser, path: str = "/people", **data: str) -> str:
    return re.search(r"/join/[\w-]{43}", browser.send(path, data).text)[0]


def test_links_that_somebody_made_are_void_once_they_may_not_make_them(served) -> None:
    olga, ben, stranger = served.browser("olga"), served.browser("ben"), served.browser()
    change(olga, served, "ben", role="organiser")
    team = f"/account/teams/{id_of(served, Team, 'team ben')}/invite"
    to_board, to_team = make_link(ben, role="organiser"), make_link(ben, team)
    own = make_link(olga, role="judge")
    change(olga, served, "ben", role="participant")
    stranger.get(to_board, 404)
    stranger.get(to_team)  # members make these
    change(olga, served, "ben", disabled="true")
    stranger.get(to_team, 404)
    change(olga, served, "ben", disabled="false")
    answer = stranger.client.post(to_board, data={"csrf": stranger.token("/login"), "name": "eve"})
    assert answer.status_code == 404
    stranger.get(own)


def test_links_to_a_team_are_void_once_their_maker_has_left(served) -> None:
    anna, ben = served.browser("anna"), served.browser("ben")
    team = f"/account/teams/{id_of(served, Team, 'team anna')}"
    joined = make_link(anna, f"{team}/invite")
    assert ben.send(joined, {}, form=joined).status_code == 303
    bens, annas = make_link(ben, f"{team}/invite"), make_link(anna, f"{team}/invite")
    assert ben.send(f"{team}/leave", {}).status_code == 303
    served.browser().get(bens, 404)
    served.browser().get(annas)


def test_submissions_to_what_a_team_may_not_see_any_more_are_not_listed(served) -> None:
    address, anna, olga = served.benchmark(name="Closed shop"), served.browser("anna"), served.browser("olga")
    anna.submit(address)
    served.work()
    assert "Closed shop" in anna.get("/submissions")
    team, form = id_of(served, Team, "team anna"), f"/b/{address}/settings"
    for admitted, listed in (([], False), ([team], True)):
        sent = {"visibility": "private", "admitted": admitted}
        assert olga.send(form, sent, form=form).status_code == 303
        assert ("Closed shop" in anna.get("/submissions")) is listed
        anna.get(f"/b/{address}", 200 if listed else 404)
