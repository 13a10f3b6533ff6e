"""The Ladder on a board: which submissions climb, and that no other way leads to their scores, on both databases."""

from __future__ import annotations

import csv
import io
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from board import making
from board.serving import Served
from gecval.board import accounts, benchmarks, queue, retention, submissions, systems
from gecval.board.access import NOBODY, Viewer
from gecval.board.benchmark_data import UploadedFile, VersionData
from gecval.board.benchmarks import PhaseRules
from gecval.board.client import KEPT_BACK, as_scores
from gecval.board.clock import DAY, now
from gecval.board.database import Database, open_database
from gecval.board.database.models import Benchmark, Job, Phase, Rung, Submission, System, SystemScore, User
from gecval.board.export_import import export_board, import_board
from gecval.board.leaderboard import find_default_phase, make_leaderboard
from gecval.board.public_scores import make_public
from gecval.board.settings import Settings
from gecval.board.snapshot import take_snapshot
from gecval.board.worker import Worker
from gecval.errors import InputError
from gecval.metrics.accuracy import Accuracy

SIZE = 40  # with m of them better, the score rises by √m standard errors
STEP = 2.0


def text(right: int, first: int = 0) -> str:
    """An output that gets so many sentences right, from the first on."""
    return "".join(f"He {'goes' if first <= number < first + right else 'go'} {number} .\n" for number in range(SIZE))


def hidden_data(metrics: str = "accuracy,gleu", **more: object) -> VersionData:
    return VersionData(
        source=UploadedFile(name="src.txt", content=text(0).encode()),
        references=(UploadedFile(name="ref.txt", content=text(SIZE).encode(), hidden=True),),
        metrics=metrics,
        decoys=(),
        **more,
    )


def rungs_board(database: Database, settings: Settings) -> Served:
    """A board whose benchmark ``rungs`` has hidden references and a Ladder."""
    made = Served(database, settings)
    made.benchmark(data=hidden_data(), name="Rungs", ladder=STEP, entry="team")
    return made


def submitted(served: Served, right: int, *, system: str = "", by: str = "anna", first: int = 0) -> str:
    """A submission that is scored at once."""
    answer = served.browser(by).submit("rungs", text=text(right, first), system=system or f"s{right}", seen="no")
    assert answer.status_code == 303, answer.text
    served.work()
    return answer.headers["location"].rpartition("/")[2]


def board_of(served: Served, viewer: Viewer = NOBODY):
    with served.database.read() as session:
        benchmark = session.scalar(select(Benchmark))
        return make_leaderboard(session, viewer, benchmark.versions[-1], find_default_phase(benchmark))


def shown_scores(served: Served, viewer: Viewer = NOBODY) -> dict[str, float]:
    return {line.system: line.cells["accuracy"].score.score for line in board_of(served, viewer).lines}


def numbers_of(served: Served, kept: set[str]) -> set[str]:
    """The numbers about some submissions, as they would be written, that are not those of another one too."""
    numbers: dict[bool, set[str]] = {True: set(), False: set()}
    with served.database.read() as session:
        for row in session.scalars(select(SystemScore)):
            numbers[row.submission_id in kept] |= {str(round(value, 3)) for value in (row.score, row.low, row.high)}
    return numbers[True] - numbers[False]


def numbers_in(body: str) -> set[str]:
    """The numbers of a page or file, whole, and without zeros at their ends."""
    return {str(float(number)) for number in re.findall(r"\d+\.\d+", body)}


def organiser(served: Served) -> Viewer:
    with served.database.read() as session:
        return Viewer.load(session, session.scalar(select(User).where(User.name == "olga")))


def climbed(served: Served) -> list[float]:
    with served.database.read() as session:
        return list(session.scalars(select(Rung.score).order_by(Rung.created)))


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
        teams = [accounts.list_teams(session, anna)[0].id, accounts.make_team(session, "another", anna).id]
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
        assert queue.queue_rescoring(session) == 2
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
        assert queue.count_by_state(session) == {"done": 3}
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
    assert "Ladder of 2 standard errors" in olga.get(page)
    told = served.browser().client.get("/api/benchmarks/rungs").json()
    assert [phase["ladder"] for phase in told["phases"]] == [STEP, 2.0]
    for wrong in ("two", "1e1", "-1", "1.0000", "nan"):
        answer = olga.send("/b/rungs/phases", {**form, "ladder": wrong}, form=page)
        assert (answer.status_code, "a number of standard errors" in answer.text) == (400, True)


def test_what_did_not_climb_is_nowhere(served, tmp_path: Path) -> None:
    submitted(served, 20, system="mine")
    submitted(served, 19, by="ben", system="bens")
    held = submitted(served, 22, system="mine")
    other = submitted(served, 23, system="other", first=3)
    secrets = numbers_of(served, {held, other})
    assert {"0.55", "0.575"} & secrets
    with served.database.write() as session:
        anna = session.scalar(select(User).where(User.name == "anna"))
        secret = accounts.make_token(session, anna, name="t", scope="submit", days=1)
        ids = {row.name: row.id for row in session.scalars(select(System))}
    browsers = [served.browser("anna"), served.browser("ben"), served.browser()]
    pages = ["/b/rungs", "/b/rungs/leaderboard.csv", "/b/rungs/changes", "/api/benchmarks/rungs/leaderboard"]
    pages += [f"/b/rungs/systems/{ids['mine']}", f"/b/rungs/systems/{ids['mine']}/against?other={ids['bens']}"]
    for browser in browsers:
        for road in ("passport", "report"):
            browser.get(f"/b/rungs/systems/{ids['mine']}/{road}", status=404)
        for page in pages:
            body = browser.get(page)
            assert not secrets & numbers_in(body), page
        assert "0.5" in numbers_in(browser.get("/b/rungs"))
    anna = browsers[0]
    for submission_id in (held, other):
        body = anna.get(f"/b/rungs/submissions/{submission_id}")
        assert "not better than what its team has shown by more than chance" in body
        told = anna.client.get(
            f"/api/benchmarks/rungs/submissions/{submission_id}", headers={"Authorization": f"Bearer {secret}"}
        ).json()
        assert (told["state"], told["scores"], told["kept_back"]) == ("done", [], True)
        assert as_scores(told).notes == (KEPT_BACK,)
        assert not secrets & numbers_in(body)
        for stranger in browsers[1:]:
            stranger.get(f"/b/rungs/submissions/{submission_id}", status=404)
            stranger.get(f"/b/rungs/submissions/{submission_id}/output", status=404)
            stranger.get(f"/api/benchmarks/rungs/submissions/{submission_id}", status=404)
    assert "kept back" in anna.get(f"/b/rungs/systems/{ids['mine']}")
    assert not secrets & numbers_in(anna.get(f"/b/rungs/systems/{ids['other']}"))
    anna.get(f"/b/rungs/systems/{ids['other']}/sentences", status=404)
    anna.get(f"/b/rungs/systems/{ids['other']}/against?other={ids['mine']}", status=404)
    for stranger in browsers[1:]:
        stranger.get(f"/b/rungs/systems/{ids['other']}", status=404)
    take_snapshot(served.database, served.settings, tmp_path / "still")
    written = {path.name: path.read_text() for path in (tmp_path / "still").rglob("*.*")}
    assert any("0.5" in numbers_in(body) for body in written.values())
    assert not any(secrets & numbers_in(body) for body in written.values())
    assert f"b-rungs-systems-{ids['mine']}" in " ".join(written)
    assert ids["other"] not in " ".join(written) + " ".join(written.values())


def test_a_blind_phase_tells_nobody_who_climbed(served) -> None:
    ids = [submitted(served, right, system="mine") for right in (20, 22)]
    anna, olga = served.browser("anna"), served.browser("olga")
    with served.database.write() as session:
        phase, page = session.scalar(select(Phase)), f"/b/rungs/systems/{session.scalar(select(System.id))}"
        phase.blind, phase.closes = True, now() + DAY
    for address in (page, *(f"/b/rungs/submissions/{one}" for one in ids)):
        body = anna.get(address)
        assert "kept back" not in body
        assert "not better" not in body
    assert "kept back" in olga.get(page)
    assert "not better" in olga.get(f"/b/rungs/submissions/{ids[1]}")
    with served.database.write() as session:
        session.scalar(select(Phase)).closes = now() - 1.0
    assert "kept back" in anna.get(page)


def test_what_is_not_scored_on_a_version_is_not_kept_back_there(served) -> None:
    with served.database.write() as session:
        olga = session.scalar(select(User).where(User.name == "olga"))
        benchmarks.add_version(session, served.settings, olga, session.scalar(select(Benchmark)), hidden_data())
    submitted(served, 20)
    with served.database.read() as session:
        page = f"/b/rungs/systems/{session.scalar(select(System.id))}?version=1"
    assert "kept back" not in served.browser("anna").get(page)


def test_the_last_gate_refuses_too(served) -> None:
    submitted(served, 20)
    held = submitted(served, 22)
    viewer = organiser(served)
    with served.database.read() as session:
        row = session.get_one(Submission, held)
        version = row.system.benchmark.versions[-1]
        score = session.scalars(select(SystemScore).where(SystemScore.submission_id == held)).first()
        with pytest.raises(InputError, match="no such score"):
            make_public(NOBODY, version, row, score)
        assert make_public(viewer, version, row, score).score == score.score


def test_organisers_see_both(served) -> None:
    submitted(served, 20)
    submitted(served, 21)
    held = submitted(served, 22)
    submitted(served, 3)
    submitted(served, 7, by="ben")
    viewer = organiser(served)
    assert {line.system: line.kept_back for line in board_of(served, viewer).lines} == {"s20": 0.55, "s7": None}
    assert {line.kept_back for line in board_of(served).lines} == {None}
    olga = served.browser("olga")
    assert "kept back by the Ladder: 0.55" in olga.get("/b/rungs")
    page = olga.get(f"/b/rungs/submissions/{held}")
    assert "0.55" in page
    assert "Only organisers see these scores" in page
    with served.database.read() as session:
        kept = session.get_one(Submission, held).system
        version = kept.benchmark.versions[-1]
        assert "0.55" in olga.get(f"/b/rungs/systems/{kept.id}")
        assert kept.id not in {row.id for row in systems.list_others(session, viewer, System(id=""), version)}
    rows = list(csv.DictReader(io.StringIO(served.browser().get("/b/rungs/leaderboard.csv"))))
    assert [(row["system"], row["score"]) for row in rows if row["metric"] == "accuracy"] == [
        ("s20", "0.5"),
        ("s7", "0.175"),
    ]
