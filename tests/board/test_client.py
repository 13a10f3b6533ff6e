"""A board from outside: what a program sends, how it waits, and what it says of boards that do not answer so."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from gecval.board import client
from gecval.board.client import Board, as_scores
from gecval.errors import InputError


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
