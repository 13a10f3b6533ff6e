"""From an empty board to a leaderboard, through the pages, on both databases."""

from __future__ import annotations

import re
from html import unescape

import pytest
from sqlalchemy import select

from board import making
from board.serving import Served
from gecval.board import accounts
from gecval.board.clock import DAY
from gecval.board.database.models import Phase, Submission
from gecval.board.database.storage import record


@pytest.fixture
def served(database, settings) -> Served:
    return Served(database, settings)


def test_the_first_link_makes_the_first_organiser_once(database, settings) -> None:
    with database.write() as session:
        first = accounts.make_first_link(session)
    with database.write() as session:
        link = accounts.make_first_link(session)  # the board was started again
    served = Served.__new__(Served)
    served.database, served.settings = database, settings
    from gecval.board.web.app import make_app

    served.app = make_app(settings, database)
    browser = served.browser()
    browser.get(f"/join/{first}", 404)
    assert "Become an organiser" in browser.get(f"/join/{link}")
    given = {"name": "olga", "password": making.PASSWORD, "team": "lab"}
    assert "at least 10" in browser.send(f"/join/{link}", {**given, "password": "short"}, form=f"/join/{link}").text
    assert browser.send(f"/join/{link}", given, form=f"/join/{link}").status_code == 303
    assert "New benchmark" in browser.get("/")
    served.browser().get(f"/join/{link}", 404)
    with database.write() as session:
        assert accounts.make_first_link(session) is None


def test_from_files_to_the_leaderboard(served) -> None:
    olga = served.browser("olga")
    files = [
        ("source", ("src.txt", making.SOURCE.encode())),
        ("public", ("ref0.txt", making.FIRST.encode())),
        ("public", ("ref1.txt", making.SECOND.encode())),
    ]
    fields = {"name": "Four sentences", "metrics": "gleu, accuracy", "per_day": "2", "phase": "open"}
    answer = olga.send("/new", fields, form="/new", files=files)
    assert answer.headers["location"] == "/b/four-sentences"

    anna = served.browser("anna")
    answer = anna.submit("four-sentences", seen="no", paper="https://example.org/p", data="<script>alert(1)</script>")
    assert answer.status_code == 303, answer.text
    page = answer.headers["location"]
    assert "number 5 in the queue" in anna.get(page)  # after the four decoys
    assert served.work() == 5
    shown = anna.get(page)
    assert "<script>alert" not in shown
    assert "&lt;script&gt;alert" in shown

    board = served.browser().get("/b/four-sentences")
    assert "mine" in board
    assert "team anna" in board
    for decoy in ("(source)", "(reference)", "(constant)", "(shuffled)"):
        assert decoy in board
    assert unescape(re.search(r'<code class="command">(.*?)</code>', board)[1]).startswith("gecval score ")
    system = re.search(r"/b/four-sentences/systems/(\w+)\?version=1\"><bdi>mine", board)[1]
    source = re.search(r"/b/four-sentences/systems/(\w+)\?version=1\"><bdi>\(source\)", board)[1]
    visitor = served.browser()
    assert "team anna" in visitor.get(f"/b/four-sentences/systems/{system}")
    assert "Paired tests" in visitor.get(f"/b/four-sentences/systems/{system}/against?other={source}")
    sentences = visitor.get(f"/b/four-sentences/systems/{system}/sentences")
    assert "She likes an apple ." in sentences
    assert "gleu 1.000" in sentences
    assert visitor.client.get("/b/four-sentences/files/ref0.txt").text == making.FIRST
    csv = visitor.client.get("/b/four-sentences/leaderboard.csv")
    assert csv.headers["content-type"].startswith("text/csv")
    assert len(csv.text.splitlines()) == 1 + 5 * 2
    assert "No score has changed so far." in visitor.get("/b/four-sentences/changes")


def test_a_refused_file_costs_nothing_and_says_why(served) -> None:
    address = served.benchmark(per_day=1)
    anna = served.browser("anna")
    answer = anna.submit(address, text="one\ntwo\n", name="mine.txt")
    assert answer.status_code == 400
    assert "mine.txt has 2 lines, src.txt 4" in unescape(answer.text)
    assert (
        "is not UTF-8"
        in anna.client.post(
            f"/b/{address}/submit",
            data={"csrf": anna.token("/account"), "system": "mine"},
            files={"file": ("x.txt", b"\xff\xfe\n" * 4)},
        ).text
    )
    assert "1 more time today" in anna.get(f"/b/{address}/submit")
    assert anna.submit(address).status_code == 303
    assert "used its 1 submissions of today" in anna.submit(address, text=making.WILD).text
    assert served.browser("ben").submit(address).status_code == 303


def test_withdraw_and_undo(served) -> None:
    address = served.benchmark(per_day=1)
    anna = served.browser("anna")
    page = anna.submit(address).headers["location"]
    served.work()
    assert anna.send(f"{page}/withdraw", {}, form=page).status_code == 303
    assert "mine" not in served.browser().get(f"/b/{address}")
    served.browser().get(page, 404)
    assert "Withdrawn" in anna.get(page)
    assert "Bring it back" in anna.get(page)
    anna.send(f"{page}/undo", {}, form=page)
    assert "mine" in served.browser().get(f"/b/{address}")
    anna.send(f"{page}/delete", {}, form=page)
    assert "mine" not in served.browser().get(f"/b/{address}")


def test_what_was_withdrawn_too_long_ago_offers_no_return(served) -> None:
    anna = served.browser("anna")
    page = anna.submit(served.benchmark()).headers["location"]
    anna.send(f"{page}/withdraw", {}, form=page)
    with served.database.write() as session:
        session.get_one(Submission, page.rsplit("/", 1)[1]).withdrawn -= 31 * DAY
    assert "Withdrawn" in (shown := anna.get(page))
    assert "Bring it back" not in shown


def test_a_new_version_adds_scores_and_keeps_the_old(served) -> None:
    address = served.benchmark()
    anna, olga = served.browser("anna"), served.browser("olga")
    anna.submit(address)
    served.work()
    files = [("source", ("src.txt", making.SOURCE.encode())), ("public", ("ref0.txt", making.FIRST.encode()))]
    answer = olga.send(
        f"/b/{address}/versions",
        {"metrics": "gleu, accuracy", "note": "one reference was wrong"},
        form=f"/b/{address}/settings",
        files=files,
    )
    assert answer.status_code == 303, answer.text
    assert served.work() == 4  # three decoys, since there is one reference, and mine
    visitor = served.browser()
    old, new = (visitor.client.get(f"/api/benchmarks/{address}/leaderboard?version={n}").json() for n in (1, 2))
    scores = [
        next(line for line in board["lines"] if line["system"] == "mine")["cells"]["gleu"]["score"]["score"]
        for board in (old, new)
    ]
    assert scores[0] != scores[1]
    changes = visitor.get(f"/b/{address}/changes")
    assert "1 → 2" in changes
    assert "refs:2 → refs:1" in changes


def test_a_phase_is_what_its_form_says(served, database) -> None:
    address = served.benchmark()
    olga, settings = served.browser("olga"), f"/b/{address}/settings"
    given = {"phase": "final", "opens": "2031-05-01", "closes": "2031-05-03", "per_day": "3", "in_all": "7",
             "rule": "last", "entry": "team", "blind": "true"}  # fmt: skip
    assert olga.send(f"/b/{address}/phases", given, form=settings).status_code == 303
    assert "a limit is a number" in olga.send(f"/b/{address}/phases", given | {"in_all": "-1"}, form=settings).text
    with database.read() as session:
        [phase] = session.scalars(select(Phase).where(Phase.name == "final"))
        assert (phase.closes - phase.opens, phase.per_day, phase.in_all) == (2 * 86400, 3, 7)
        assert (phase.rule, phase.entry, phase.blind) == ("last", "team", True)


def test_blind_until_closed(served, monkeypatch) -> None:
    from gecval.board import clock

    address = served.benchmark(blind=True, closes=clock.now() + 1000)
    anna = served.browser("anna")
    page = anna.submit(address).headers["location"]
    served.work()
    assert "This phase is blind" in anna.get(f"/b/{address}")
    assert "when the phase is closed" in anna.get(page)
    assert "gecval score" not in anna.get(page)
    assert "mine" in served.browser("olga").get(f"/b/{address}")
    system = served.browser("olga").client.get(f"/api/benchmarks/{address}/leaderboard").json()
    assert [line["system"] for line in system["lines"] if not line["decoy"]] == []  # the API knows no cookies
    late = clock.now() + 2000
    monkeypatch.setattr(clock, "read_clock", lambda: late)
    assert "mine" in served.browser().get(f"/b/{address}")


def test_values_that_no_column_can_hold_are_not_there(served) -> None:
    served.benchmark()
    visitor, olga = served.browser(), served.browser("olga")
    visitor.get("/b/a%00b", 404)
    for path in (f"/audit?before={10**30}", "/join/a%00b", "/b/small/systems/a%00b", f"/b/small?version={10**30}"):
        answer = olga.client.get(path)
        assert answer.status_code in (200, 404), path


def test_organisers_see_who_is_there_and_the_log_ends(served, monkeypatch) -> None:
    olga = served.browser("olga")
    people = olga.get("/people")
    assert re.findall(r'<th scope="row"><bdi>(\w+)</bdi></th><td[^>]*>(\w+)</td><td[^>]*>([^<]*)</td>', people) == [
        ("anna", "participant", "team anna"),
        ("ben", "participant", "team ben"),
        ("olga", "organiser", "–"),
    ]
    served.browser("anna").get("/people", 403)
    assert "Earlier" not in olga.get("/audit")
    for _ in range(201):
        with served.database.write() as session:
            record(session, "olga", "try", "nothing")
    last = re.search(r'href="(/audit\?before=\d+)">Earlier', olga.get("/audit"))[1]
    assert "Earlier" not in olga.get(last)
    assert "make team" in olga.get(last)


def test_references_that_are_public_but_not_offered(served) -> None:
    """Scores have their command, and only organisers can download the references. Nothing says that they are hidden."""
    address = served.benchmark(data=making.small_data(offered=False))
    served.work()
    visitor, olga = served.browser(), served.browser("olga")
    page = visitor.get(f"/b/{address}")
    assert "2 sets of references are public, but not offered here" in page
    assert "references are hidden" not in page
    assert "This reference is scored against the others, which no command does." in page
    assert "gecval score" in page
    assert f"/b/{address}/files/ref0.txt" not in page
    assert visitor.get(f"/b/{address}/files/src.txt?version=1") == making.SOURCE
    visitor.get(f"/b/{address}/files/ref0.txt?version=1", 404)
    assert olga.get(f"/b/{address}/files/ref0.txt?version=1") == making.FIRST
    assert '"files":["src.txt"]' in visitor.get(f"/api/benchmarks/{address}")


def test_a_new_benchmark_says_that_no_system_is_there(served) -> None:
    address = served.benchmark(data=making.small_data(hidden=True))
    visitor = served.browser()
    assert "Nothing is scored yet." in visitor.get(f"/b/{address}")
    served.work()
    assert "No system is scored yet. The lines below are decoys." in visitor.get(f"/b/{address}")
    assert "2 sets of references are hidden" in visitor.get(f"/b/{address}")
    assert "The references are hidden, so only the organisers" in visitor.get(f"/b/{address}")
    served.browser("anna").submit(address)
    served.work()
    assert "No system is scored yet" not in visitor.get(f"/b/{address}")
