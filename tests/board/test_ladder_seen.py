"""What did not climb the Ladder is seen by organisers alone, on every road, on both databases."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from sqlalchemy import select

from board.rungs import (
    board_of,
    hidden_data,
    numbers_in,
    numbers_of,
    organiser,
    rungs_board,
    submitted,
)
from board.serving import Served
from gecval.board import benchmarks, systems, tokens
from gecval.board.access import NOBODY
from gecval.board.client import KEPT_BACK, as_scores
from gecval.board.clock import DAY, now
from gecval.board.database.models import Benchmark, Phase, Submission, System, SystemScore, User
from gecval.board.shown import shown
from gecval.board.snapshot import take_snapshot
from gecval.errors import InputError


@pytest.fixture
def served(database, settings) -> Served:
    return rungs_board(database, settings)


def test_what_did_not_climb_is_nowhere(served, tmp_path: Path) -> None:
    submitted(served, 20, system="mine")
    submitted(served, 19, by="ben", system="bens")
    held = submitted(served, 22, system="mine")
    other = submitted(served, 23, system="other", first=3)
    secrets = numbers_of(served, {held, other})
    assert {"0.55", "0.575"} & secrets
    with served.database.write() as session:
        anna = session.scalar(select(User).where(User.name == "anna"))
        secret = tokens.make_token(session, anna, name="t", scope="submit", days=1)
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
            shown(NOBODY, version, row, score)
        assert shown(viewer, version, row, score).score == score.score


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
        assert kept.id not in {row.id for row in systems.others(session, viewer, System(id=""), version, {})}
    rows = list(csv.DictReader(io.StringIO(served.browser().get("/b/rungs/leaderboard.csv"))))
    assert [(row["system"], row["score"]) for row in rows if row["metric"] == "accuracy"] == [
        ("s20", "0.5"),
        ("s7", "0.175"),
    ]
