"""The API: schemathesis calls every route, and the client that submits and waits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from sqlalchemy import select

from board.serving import Served
from gecval.board import accounts, client
from gecval.board.client import Board, as_scores
from gecval.board.database import open_database
from gecval.board.database.models import User
from gecval.board.recent_cache import RecentCache
from gecval.board.settings import Settings
from gecval.errors import InputError


@pytest.fixture
def calls(new_url: Callable[[], str], tmp_path: Path):
    served = Served(
        open_database(new_url()), Settings(data=tmp_path, password_cost=1, uploads=10_000, address="http://testserver")
    )
    served.benchmark()
    served.browser("anna").submit("small")
    served.work()
    with served.database.write() as session:
        anna = session.scalar(select(User).where(User.name == "anna"))
        secret = accounts.make_token(session, anna, name="t", scope="submit", days=1)
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", served.app)
    yield schema, {"Authorization": f"Bearer {secret}"}
    served.database.close()


def test_no_call_breaks_the_board(calls) -> None:
    schema, headers = calls
    tried = []

    for operation in schema.get_all_operations():
        inner = operation.ok()

        @hypothesis_settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
        @given(case=inner.as_strategy())
        def of_operation(case) -> None:
            for named in ({}, headers):
                answer = case.call(headers=named)
                assert answer.status_code < 500, (case.method, case.path, answer.text)
            tried.append(case.path)

        of_operation()
    assert {"/api/benchmarks/{address}/submissions", "/api/benchmarks/{address}/leaderboard", "/metrics"} <= set(tried)


class Answers:
    """A board that says what a test wants, and keeps what it was asked."""

    def __init__(self, *answers: object) -> None:
        self.answers, self.asked = list(answers), []

    def __call__(self, request: object) -> object:
        self.asked.append(request)
        answer = self.answers.pop(0)
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)

    def board(self, address: str = "https://board.example.org/", token: str = "gecval_x") -> Board:
        return Board(address, token, transport=httpx.MockTransport(self))


def state(state: str, **more: object) -> dict[str, object]:
    return {"id": "7", "state": state, "place": 1, "log": "", **more}


def test_a_file_is_sent_with_its_sheet(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("He goes .\n")
    answers = Answers(state("queued"))
    given = {"system": "mine", "team": "t1", "sheet": {"size": "7B"}}
    assert answers.board().submit("small", tmp_path / "mine.txt", **given) == state("queued")
    [request] = answers.asked
    assert (request.method, str(request.url)) == ("POST", "https://board.example.org/api/benchmarks/small/submissions")
    assert request.headers["authorization"] == "Bearer gecval_x"
    body = request.read().decode()
    for part in (
        'name="system"\r\n\r\nmine\r\n',
        'name="team"\r\n\r\nt1\r\n',
        'name="size"\r\n\r\n7B\r\n',
        "He goes .\n",
    ):
        assert part in body
    assert 'filename="mine.txt"\r\nContent-Type: text/plain' in body
    with pytest.raises(InputError, match=r"nowhere\.txt: no such file"):
        answers.board().submit("small", tmp_path / "nowhere.txt", system="mine")


def test_without_a_token_none_is_sent() -> None:
    answers = Answers(state("done"))
    answers.board(token="").submission("small", "7")
    assert "authorization" not in answers.asked[0].headers
    assert answers.asked[0].url.path == "/api/benchmarks/small/submissions/7"


def test_waiting_says_every_change_once_and_asks_less_and_less(monkeypatch) -> None:
    pauses, said = [], []
    monkeypatch.setattr(client, "time", SimpleNamespace(sleep=pauses.append))
    later = [state("queued", place=2), state("queued"), state("leased"), *[state("leased")] * 14, state("done")]
    answers = Answers(*later)
    done = answers.board().wait("small", state("queued", place=2), said.append)
    assert done["state"] == "done"
    assert said == ["waiting, number 2", "waiting, number 1", "being scored"]
    assert pauses == pytest.approx([min(5.0, 0.5 * 1.2**number) for number in range(18)])
    assert pauses[-1] == 5.0
    assert answers.board().wait("small", state("withdrawn"), said.append)["state"] == "withdrawn"


@pytest.mark.parametrize(("log", "why"), [("out of luck", "out of luck"), ("", "ask the organisers")])
def test_what_failed_is_told(log: str, why: str) -> None:
    with pytest.raises(InputError, match=f"^it could not be scored: {why}$"):
        Answers().board().wait("small", state("failed", log=log), print)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (httpx.Response(400, json={"error": "no such thing"}), "no such thing"),
        (httpx.Response(500, json={}), "the board says 500"),
        (httpx.Response(200, text="<html>"), "https://board.example.org/ does not answer like a board"),
        (httpx.Response(200, json=[1]), "https://board.example.org/ does not answer like a board"),
    ],
)
def test_boards_that_refuse_or_are_none(answer: object, why: str) -> None:
    with pytest.raises(InputError) as refused:
        Answers(answer).board().submission("small", "7")
    assert str(refused.value) == why
    assert Answers(httpx.Response(399, json={"a": 1})).board().submission("small", "7") == {"a": 1}


@pytest.mark.parametrize("address", ["board.example.org", "ftp://x/http://", ""])
def test_an_address_starts_with_http(address: str) -> None:
    with pytest.raises(InputError, match=r"^the address of a board starts with http:// or https://$"):
        Board(address, "t").submission("small", "7")


def test_scores_as_a_result() -> None:
    row = {"metric": "gleu", "score": 0.5, "parts": {}, "low": 0.4, "high": 0.7, "level": 0.95, "signature": "s"}
    row |= {"notes": ["n"], "higher_is_better": False}
    told = {"system": "mine", "scores": [row, {**row, "low": None, "high": None, "level": None}]}
    first, second = as_scores(told).scores
    assert (first.system, first.metric, first.score, tuple(first.interval), first.level) == (
        *("mine", "gleu", 0.5),
        (0.4, 0.7),
        0.95,
    )
    assert (first.notes, first.higher_is_better, first.signature) == (("n",), False, "s")
    assert (second.interval, second.level) == (None, None)
    assert as_scores(told).notes == ()
    assert as_scores({**told, "kept_back": True}).notes == (client.KEPT_BACK,)


# Values that were asked for last are held, and made once.


def test_the_value_that_nobody_asked_for_longest_makes_room() -> None:
    cache: RecentCache[str] = RecentCache(4)
    made: list[str] = []
    for key in "abcdaeb":
        assert cache.get(key, lambda key=key: made.append(key) or key.upper()) == key.upper()
    assert "".join(made) == "abcdeb"  # b was the oldest when e came


def test_of_many_who_ask_one_makes_it_and_nobody_else_waits() -> None:
    cache: RecentCache[int] = RecentCache(2)
    cache.get("held", lambda: 0)
    go, made = threading.Event(), []

    def slow() -> int:
        go.wait(60)
        made.append(1)
        return 7

    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(cache.get, "new", slow) for _ in range(4)]
        assert cache.get("held", lambda: 1) == 0
        go.set()
        assert [one.result() for one in asked] == [7] * 4
    assert made == [1]


def test_what_could_not_be_made_is_tried_again() -> None:
    cache: RecentCache[float] = RecentCache(2)
    for _ in range(2):
        try:
            cache.get("a", lambda: 1 / 0)
        except ZeroDivisionError:
            continue
        raise AssertionError
    assert cache.get("a", lambda: 1.0) == 1.0
