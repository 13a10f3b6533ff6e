"""The Ladder on a board: which submissions climb, and that no road leads around the decision, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from board import making
from board.rungs import (
    STEP,
    board_of,
    climbed,
    hidden_data,
    rungs_board,
    shown_scores,
    submitted,
    text,
)
from board.serving import Served
from gecval.board import accounts, benchmarks, history, queue, retention, submissions
from gecval.board.benchmarks import PhaseRules
from gecval.board.clock import DAY
from gecval.board.database import open_database
from gecval.board.database.models import Benchmark, Job, Rung, Submission, SystemScore, User
from gecval.board.exchange import export_board, import_board
from gecval.board.worker import Worker
from gecval.errors import InputError
from gecval.metrics.accuracy import Accuracy


@pytest.fixture
def served(database, settings) -> Served:
    return rungs_board(database, settings)


def test_a_score_moves_only_by_more_than_chance(served) -> None:
    moves = []
    for right in (5, 7, 20, 4, 22, 30):  # two more are 1.4 standard errors, fifteen are 3.9, ten 3.2
        submitted(served, right)
        moves.append(shown_scores(served))
    assert moves == [{"s5": 0.125}] * 2 + [{"s20": 0.5}] * 3 + [{"s30": 0.75}]
    assert climbed(served) == [0.125, 0.5, 0.75]
    with served.database.read() as session:
        assert sorted(session.scalars(select(SystemScore.score).where(SystemScore.metric == "accuracy"))) == [
            0.1,
            0.125,
            0.175,
            0.5,
            0.55,
            0.75,
        ]


def test_each_team_has_its_own(served) -> None:
    submitted(served, 20)
    submitted(served, 5, by="ben")
    assert shown_scores(served) == {"s20": 0.5, "s5": 0.125}


def test_a_new_team_of_the_same_person_is_no_new_ladder(served) -> None:
    with served.database.write() as session:
        anna = session.scalar(select(User).where(User.name == "anna"))
        teams = [accounts.teams_of(session, anna)[0].id, accounts.make_team(session, "another", anna).id]
    browser, page = served.browser("anna"), "/b/rungs/submit"

    def submit(team: str, right: int):
        given = {"system": f"s{right}", "team": team, "seen": "no"}
        return browser.send(page, given, form=page, files={"file": ("o.txt", text(right).encode(), "text/plain")})

    place = submit(teams[0], 20).headers["location"]
    refused = submit(teams[1], 21)
    assert (refused.status_code, "you have submitted for another team" in refused.text) == (403, True)
    browser.send(f"{place}/withdraw", {})  # before it was scored: nothing was learnt from it
    assert submit(teams[1], 21).status_code == 303
    assert browser.send(f"{place}/undo", {}).status_code == 403
    assert submit(teams[0], 22).status_code == 403
    served.work()
    assert shown_scores(served) == {"s21": 0.525}


def test_withdrawing_and_deleting_is_no_way_around(served) -> None:
    submitted(served, 5)
    best = submitted(served, 20)
    submitted(served, 21)
    with served.database.write() as session:
        row, anna = session.get_one(Submission, best), session.scalar(select(User).where(User.name == "anna"))
        submissions.delete(session, row, anna)
    assert shown_scores(served) == {"s5": 0.125}  # what was shown before, and not what was kept back
    submitted(served, 15)
    assert shown_scores(served) == {"s5": 0.125}
    with served.database.write() as session:
        submissions.undo(session, session.get_one(Submission, best), anna, days=30)
    assert shown_scores(served) == {"s20": 0.5}
    with served.database.write() as session:
        row = session.get_one(Submission, best)
        submissions.delete(session, row, anna)
        row.deleted -= 31 * DAY
        session.flush()
        retention.forget(session, served.settings)
    with served.database.read() as session:
        assert session.get(Submission, best) is None
    submitted(served, 16)
    assert shown_scores(served) == {"s5": 0.125}
    assert climbed(served) == [0.125, 0.5]
    submitted(served, 35)
    assert shown_scores(served) == {"s35": 0.875}


def test_scoring_again_decides_nothing_anew(served, monkeypatch) -> None:
    """A new gecval that gives all but the first a point more: the shown one is updated, the others stay kept back."""
    submitted(served, 20)
    submitted(served, 22)
    with served.database.write() as session:
        session.execute(Job.__table__.update().values(software="0.0"))
        assert history.score_again(session) == 2
        for row in session.scalars(select(Rung)):
            row.score = 0.1  # as if the old gecval had given less
    served.work()
    assert shown_scores(served) == {"s20": 0.5}
    assert climbed(served) == [0.5]
    assert served.browser().get("/b/rungs/changes").count("0.55") == 0


def test_a_version_has_its_own_ladder(served) -> None:
    submitted(served, 20)
    submitted(served, 22)
    with served.database.write() as session:
        olga = session.scalar(select(User).where(User.name == "olga"))
        benchmarks.add_version(
            session, served.settings, olga, session.scalar(select(Benchmark)), hidden_data("gleu,accuracy")
        )
    served.work()
    board = board_of(served)
    assert (board.version, [line.system for line in board.lines]) == (2, ["s20"])
    assert len(climbed(served)) == 2


def test_lower_may_be_better(served, monkeypatch) -> None:
    monkeypatch.setattr(Accuracy, "higher_is_better", False)  # of our metrics, only perplexity is like this
    for right, standing in ((20, "s20"), (22, "s20"), (18, "s20"), (35, "s20"), (4, "s4"), (12, "s4")):
        submitted(served, right)
        assert [line.system for line in board_of(served).lines] == [standing], right


def test_it_travels(served, new_url, tmp_path: Path) -> None:
    submitted(served, 20)
    submitted(served, 22)
    export_board(served.database, tmp_path / "copy")
    copy = open_database(new_url())
    import_board(copy, tmp_path / "copy")
    again = Served.__new__(Served)
    again.database, again.settings = copy, served.settings
    assert shown_scores(again) == {"s20": 0.5}
    assert climbed(again) == [0.5]
    copy.close()


def test_two_that_end_at_once_are_compared(served) -> None:
    """Both beat what is shown, and neither beats the other: one of them climbs."""
    submitted(served, 5)
    browser = served.browser("anna")
    for system, first in (("first", 5), ("second", 4)):
        browser.submit("rungs", text=text(25, first), system=system, seen="no")
    with ThreadPoolExecutor(2) as threads:
        assert all(threads.map(lambda _: Worker(served.database, served.settings).work(), range(2)))
    with served.database.read() as session:
        assert queue.waiting(session) == {"done": 3}
    assert climbed(served) == [0.125, 0.625]


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"rule": "last"}, "the best submission of each team"),
        ({"entry": "system"}, "the best submission of each team"),
        ({"ladder": 0.9}, "1 to 10 standard errors"),
        ({"ladder": 10.5}, "1 to 10 standard errors"),
        ({"ladder": float("nan")}, "1 to 10 standard errors"),
    ],
)
def test_rules_that_would_lead_around_it_are_refused(database, settings, rules: dict[str, object], why: str) -> None:
    given = {"ladder": 1.0, "entry": "team", **rules}
    with database.write() as session:
        olga = making.user(session, settings, "olga", "organiser")
        with pytest.raises(InputError, match=why):
            making.benchmark(session, settings, olga, data=hidden_data(), **given)


def test_it_needs_hidden_references(database, settings) -> None:
    rules = PhaseRules(ladder=10.0, entry="team", name="strict")
    with database.write() as session:
        olga = making.user(session, settings, "olga", "organiser")
        with pytest.raises(InputError, match="for hidden references"):
            making.benchmark(session, settings, olga, ladder=1.0, entry="team")
        public = making.benchmark(session, settings, olga, name="Public")
        secret = making.benchmark(session, settings, olga, data=hidden_data(), name="Secret")
        with pytest.raises(InputError, match="for hidden references"):
            benchmarks.add_phase(session, olga, public, rules)
        assert benchmarks.add_phase(session, olga, secret, rules).ladder == 10.0
        with pytest.raises(InputError, match="the best"):
            benchmarks.add_phase(session, olga, secret, replace(rules, entry="system"))


def test_the_form_has_it(served) -> None:
    olga = served.browser("olga")
    form = {"phase": "second", "entry": "team", "ladder": "2"}
    page = "/b/rungs/settings"
    assert olga.send("/b/rungs/phases", form, form=page).status_code == 303
    assert "Ladder of 2.0 standard errors" in olga.get(page)
    told = served.browser().client.get("/api/benchmarks/rungs").json()
    assert [phase["ladder"] for phase in told["phases"]] == [STEP, 2.0]
    for wrong in ("two", "1e1", "-1", "1.0000", "nan"):
        answer = olga.send("/b/rungs/phases", {**form, "ladder": wrong}, form=page)
        assert (answer.status_code, "a number of standard errors" in answer.text) == (400, True)
