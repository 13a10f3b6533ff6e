"""The board for newcomers: four systems, and what two invented judges say of them."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import func, select

from board.serving import Served
from gecval.board import demo
from gecval.board.access import NOBODY
from gecval.board.campaign_results import compute_results
from gecval.board.database.models import Campaign, Item, Submission, User
from gecval.edits.extractors import extractor


@pytest.fixture
def filled(database, settings, monkeypatch):
    monkeypatch.setattr(demo, "_has_errant", lambda: False)  # it is slow
    with database.write() as session:
        assert demo.fill(session, settings)
    return database


def test_errant_is_among_the_metrics_where_it_can_work(monkeypatch) -> None:
    assert demo._has_errant() is True
    monkeypatch.setattr(demo, "extractor", lambda name: extractor("errant(model='none')"))
    assert demo._has_errant() is False


def test_it_has_systems_and_two_campaigns(filled, settings) -> None:
    with filled.write() as session:
        assert demo.fill(session, settings) is None
        assert [user.name for user in session.scalars(select(User).order_by(User.folded))] == ["ada", "bao", "demo"]
        over, turn = session.scalars(select(Campaign).order_by(Campaign.created))
        assert (over.name, turn.name) == ("Two invented judges", "Your turn")
        assert [row.label for row in over.contestants] == ["overeager", "rewriter", "thorough", "timid"]
        assert over.closed is not None
        assert turn.closed is None
        assert len(over.jurors) == 2
        assert [juror.user_id for juror in turn.jurors] == [session.scalar(select(User.id).where(User.name == "demo"))]
        found = compute_results(session, NOBODY, over)
        assert found.by_judge == (("judge1", 40), ("judge2", 40))
        assert session.scalar(select(func.count()).where(Item.repeats.is_not(None))) == 8  # every tenth
        counts = found.result.judgments[0]
        assert counts.between_judges.kappa == pytest.approx(0.45, abs=0.2)
        assert counts.within_judges.kappa > 0.4
        for ranking in found.result.rankings:
            assert {row.system for row in ranking.systems[:2]} == {"rewriter", "thorough"}
            assert [row.system for row in ranking.systems[2:]] == ["timid", "overeager"]


def test_everybody_sees_what_the_judges_said_beside_the_metrics(filled, settings) -> None:
    served = Served.__new__(Served)
    served.database, served.settings = filled, settings
    from gecval.board.web.app import make_app

    served.app = make_app(settings, filled)
    assert served.work() == 8
    with filled.read() as session:
        over = session.scalar(select(Campaign).where(Campaign.closed.is_not(None)))
        assert session.scalar(select(func.count()).select_from(Submission)) == 8
    page = served.browser().get(f"/c/{over.id}")
    for text in (
        "Expected Wins",
        "TrueSkill",
        "80 rankings",
        "κ between judges 0.",
        "Do the metrics agree",
        "judge2: 40",
    ):
        assert text in page
    assert f'href="/c/{over.id}"' in served.browser().get("/b/the-sample-corpus/campaigns")


def test_what_serve_says(tmp_path, monkeypatch) -> None:
    from gecval.board import serve
    from gecval.board.settings import Settings

    monkeypatch.setattr(demo, "_has_errant", lambda: False)
    monkeypatch.setattr(serve, "log_to_stderr", lambda: None)
    monkeypatch.setattr(serve.signal, "signal", lambda *_: None)
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: sockets[0].close())

    def said(**options) -> str:
        lines: list[str] = []
        with_demo = options.pop("with_demo", False)
        settings = Settings(data=tmp_path / options.pop("data"), port=0, password_cost=1, **{"workers": 0, **options})
        serve.serve(settings, lines.append, with_demo=with_demo)
        assert lines[0].startswith("The board is at http://127.0.0.1:")
        return "\n".join(lines[1:])

    assert re.fullmatch("Log in as demo with the password [\\w-]{16}", said(data="demo", with_demo=True))
    assert said(data="demo", with_demo=True) == "The board is filled already, so nothing is added to it."
    jobs: list[int] = []
    monkeypatch.setattr(serve.Workers, "start", lambda self: jobs.append(self.jobs))
    assert said(data="demo", workers=100_000) == ""
    assert jobs == [1]  # more workers than cores: each has one
    become = "There is no organiser yet. Open this link once to become one: "
    assert re.fullmatch(become + r"http://127\.0\.0\.1:\d+/join/[\w-]{43}", said(data="new"))
    # A secure cookie needs TLS: the link goes through the proxy.
    assert re.fullmatch(become + r"https://YOUR-ADDRESS/join/[\w-]{43}", said(data="behind", secure=True))
