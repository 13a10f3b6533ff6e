"""The client of chat models, against a real server: its troubles, its patience, its budget, and what is kept."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from chat_server import Answer, Behaviour, ChatServer, Seen, chat_server, saying
from gecval.errors import InputError
from gecval.models import chat_endpoint
from gecval.models.cache import cache_folder
from gecval.models.chat import Chat, Prompt, Workload
from gecval.models.chat_endpoint import check_url, estimate_tokens
from gecval.runtime.run import Run

SECRET = "sk-very-secret-key"


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(chat_endpoint, "FIRST_WAIT_S", 0.01)
    monkeypatch.delenv("TOY_KEY", raising=False)


def chat_at(server: ChatServer, **changed: object) -> Chat:
    settings = {
        "model": "toy",
        "key": "TOY_KEY",
        "temperature": 0.0,
        "seed": 1,
        "answer_tokens": 50,
        "timeout": 60.0,  # only a server that is stuck takes so long
        "retries": 3,
        "concurrency": 3,
        "most_requests": 100,
        "most_tokens": None,
    }
    return Chat(url=server.url, **{**settings, **changed})  # type: ignore[arg-type]


def prompts(*texts: str) -> list[Prompt]:
    return [Prompt((("system", "judge"), ("user", text)), '{"type": "object"}') for text in texts]


def echo(seen: Seen, number: int) -> Answer:
    return saying(f"you said {seen.user}")


def first(*answers: Answer, then: Behaviour = echo) -> Behaviour:
    """These answers in turn, then others."""
    return lambda seen, number: answers[number] if number < len(answers) else then(seen, number)


def test_every_prompt_gets_its_own_answer() -> None:
    texts = [f"Grüße {i} 🇺🇦 \u2028 \ud800" for i in range(20)]
    with chat_server(echo) as server:
        replies = chat_at(server).answers(prompts(*texts, texts[0]))
    assert [reply.text for reply in replies] == [f"you said {text}" for text in [*texts, texts[0]]]
    assert len(server.seen) == 20  # equal prompts are asked once
    request = server.seen[0]
    assert request.path == "/v1/chat/completions"
    assert {name: request.body[name] for name in ("model", "temperature", "seed", "max_tokens")} == {
        "model": "toy",
        "temperature": 0.0,
        "seed": 1,
        "max_tokens": 50,
    }
    assert request.body["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert "Authorization" not in request.headers


def test_answers_are_kept_by_model_prompt_and_parameters_but_not_by_url() -> None:
    with chat_server(echo) as server, chat_server(echo) as elsewhere:
        asked = chat_at(server).answers(prompts("a", "b"))
        assert chat_at(elsewhere).answers(prompts("b", "a", "c")) == [
            *asked[::-1],
            *chat_at(server).answers(prompts("c")),
        ]
        assert [len(server.seen), len(elsewhere.seen)] == [2, 1]
        chat_at(server, temperature=0.5).answers(prompts("a"))
        chat_at(server, model="other").answers(prompts("a"))
        assert len(server.seen) == 4


def test_the_file_for_audit_has_prompts_and_answers_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_KEY", SECRET)
    with chat_server(lambda seen, number: saying(f"{seen.headers['Authorization']}, you said {seen.user}")) as server:
        chat = chat_at(server)
        chat.answers(prompts("ä", "b"))
        chat.answers(prompts("ä"))  # known by now
    lines = [json.loads(line) for line in chat.audit_file.read_text().splitlines()]
    assert sorted(line["request"]["messages"][1]["content"] for line in lines) == ["b", "ä"]
    assert all(line["reply"]["text"].startswith("Bearer ***, you said") for line in lines)
    assert [(line["url"], len(line["prompt"])) for line in lines] == [(server.url, 16)] * 2
    assert chat.audit_file.stat().st_mode & 0o077 == 0
    for file in cache_folder().iterdir():
        assert SECRET.encode() not in file.read_bytes()


@pytest.mark.parametrize(
    "trouble",
    [
        Answer(b"busy", 429),
        Answer(b"busy", 429, {"Retry-After": "0"}),
        Answer(b"{}", 500),
        Answer(b"", 503),
        Answer(b"{broken", 200),
        Answer(b"<html>", 200),
        Answer(b'{"choices": []}', 200),
        Answer(b'{"choices": [{"message": 5}]}', 200),
        Answer(b"[" * 100_000, 200),
        Answer(b'{"choices": [{"mess', 200, {"Content-Length": "1000"}),
        Answer(b"\xff\xfe\xff", 200),
    ],
    ids=lambda answer: f"{answer.status} {answer.body[:20]!r}",
)
def test_trouble_that_passes_is_waited_for(trouble: Answer) -> None:
    with chat_server(first(trouble, trouble)) as server:
        assert chat_at(server).answers(prompts("a"))[0].text == "you said a"
    assert len(server.seen) == 3


def test_waiting_grows_and_heeds_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float | None] = []
    monkeypatch.setattr(threading.Event, "wait", lambda self, timeout=None: waited.append(timeout) or self.is_set())
    monkeypatch.setattr(chat_endpoint, "FIRST_WAIT_S", 1.0)
    answers = [Answer(b"", 500), Answer(b"", 500), Answer(b"", 429, {"Retry-After": "7"})]
    answers += [Answer(b"", 429, {"Retry-After": "999999"}), Answer(b"", 503, {"Retry-After": "tomorrow"})]
    with chat_server(first(*answers)) as server:
        endpoint = chat_endpoint.Endpoint(
            server.url, "TOY_KEY", timeout=5, retries=5, budget=chat_endpoint.Budget(), unknown=set()
        )
        request = {"messages": [{"role": "user", "content": "a"}], "max_tokens": 1}
        assert endpoint.ask(request, threading.Event()).text == "you said a"
    assert [wait for wait in waited if wait in (1.0, 2.0, 7.0, 60.0, 16.0)] == [1.0, 2.0, 7.0, 60.0, 16.0]


def refusal(behave: Behaviour, ask: Callable[[ChatServer], object]) -> tuple[str, int]:
    """The line that ends a run, with the URL taken out, and how often the server was asked."""
    with chat_server(behave) as server, pytest.raises(InputError) as error:
        ask(server)
    message = str(error.value)
    assert SECRET not in message
    assert "\n" not in message
    return message.replace(server.url, "URL"), len(server.seen)


@pytest.mark.parametrize(
    ("answer", "line", "asked"),
    [
        (Answer(b"", 500), "URL answers 500; given up after 4 tries", 4),
        (
            Answer(b'{"error": {"message": "slow\\ndown \\u001b[31m"}}', 429),
            "URL answers 429 (slow down [31m); given up after 4 tries",
            4,
        ),
        (Answer(b"hello", 200), "URL sends no answer of a chat model (hello); given up after 4 tries", 4),
        (Answer(b"", 401), "URL answers 401: put a key into $TOY_KEY", 1),
        (
            Answer(b'{"error": {"message": "no model toy"}}', 404),
            "URL answers 404 (no model toy): there is no /chat/completions, or no such model",
            1,
        ),
        (Answer(b"", 418), "URL answers 418", 1),
    ],
)
def test_trouble_that_stays_ends_the_run(answer: Answer, line: str, asked: int) -> None:
    ended, count = refusal(lambda seen, number: answer, lambda server: chat_at(server).answers(prompts("a")))
    assert ended == f"{line}. Answers that are kept: 0 of 1"
    assert count == asked


def test_nobody_listens() -> None:
    with chat_server() as server:
        pass
    with pytest.raises(InputError, match=r"does not answer \(.*refused.*\); given up after 4 tries"):
        chat_at(server).answers(prompts("a"))


def test_a_wrong_key_is_named_but_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_KEY", SECRET)

    def refuse(seen: Seen, number: int) -> Answer:
        assert seen.headers["Authorization"] == f"Bearer {SECRET}"
        return Answer(json.dumps({"error": {"message": f"Incorrect API key: {SECRET}"}}).encode(), 401)

    ended, count = refusal(refuse, lambda server: chat_at(server).answers(prompts("a")))
    assert ended.startswith("URL answers 401 (Incorrect API key: ***): the key in TOY_KEY is not accepted")
    assert count == 1
    for wrong in (f"{SECRET}\nHost: x", f"{SECRET} é"):
        monkeypatch.setenv("TOY_KEY", wrong)
        ended, count = refusal(echo, lambda server: chat_at(server).answers(prompts("a")))
        assert ended.startswith("the key in $TOY_KEY has characters that no key has")
        assert count == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_do_not_carry_the_key_away(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    monkeypatch.setenv("TOY_KEY", SECRET)
    with chat_server(echo) as thief:
        away = Answer(b"", status, {"Location": thief.url})
        ended, _ = refusal(lambda seen, number: away, lambda server: chat_at(server).answers(prompts("a")))
    assert f"URL answers {status}: redirects are not followed" in ended
    assert thief.seen == []


def test_a_server_that_hangs_and_one_that_drips() -> None:
    begun = time.monotonic()
    for answer in (Answer(b"", pause=60), Answer([b" "] * 1000, pause=0.05)):
        ended, count = refusal(
            lambda seen, number, answer=answer: answer,  # type: ignore[misc]
            lambda server: chat_at(server, timeout=0.3, retries=1).answers(prompts("a")),
        )
        assert "is silent for 0.3 s" in ended or "takes too long to answer" in ended
        assert count == 2
    assert time.monotonic() - begun < 30


def test_a_huge_answer_is_not_read_to_the_end() -> None:
    sent: list[int] = []

    def huge(seen: Seen, number: int) -> Answer:
        sent.append(number)
        return Answer([b"x" * 100_000] * 1000)

    with chat_server(huge) as server:
        [reply] = chat_at(server).answers(prompts("a"))
    assert (reply.text, reply.refusal) == ("", "the answer is larger than 1,000,000 bytes")
    assert sent == [0]


def test_fields_that_a_server_does_not_know_are_left_out() -> None:
    def strict(seen: Seen, number: int) -> Answer:
        for name in ("temperature", "max_tokens"):
            if name in seen.body:
                return Answer(json.dumps({"error": {"message": f"Unsupported parameter: '{name}'"}}).encode(), 400)
        return Answer(b"what?", 422) if "response_format" in seen.body else echo(seen, number)

    with chat_server(strict) as server:
        chat = chat_at(server, concurrency=1)
        replies = chat.answers(prompts("a", "b"))
    assert [reply.text for reply in replies] == ["you said a", "you said b"]
    assert replies[1].without == ("response_format", "temperature", "max_tokens")
    assert len(server.seen) == 5  # the second prompt need not find out


def test_a_prompt_that_the_server_refuses_has_no_answer_and_is_not_kept() -> None:
    def picky(seen: Seen, number: int) -> Answer:
        return Answer(b'{"error": {"message": "content filter"}}', 400) if seen.user == "bad" else echo(seen, number)

    with chat_server(picky) as server:
        chat = chat_at(server)
        good, bad = chat.answers(prompts("good", "bad"))
        assert (good.text, bad.text, bad.refusal) == ("you said good", "", "the server answers 400 (content filter)")
        assert len(server.seen) == 3  # it was tried with and without a schema
        assert chat.answers(prompts("bad", "good")) == [bad, good]
        assert len(server.seen) == 3
        chat_at(server, retries=2).answers(prompts("good", "bad"))  # as another run would
        assert len(server.seen) == 5
        assert "response_format" in server.seen[-2].body
    ended, count = refusal(
        lambda seen, number: Answer(b"no", 400),
        lambda server: chat_at(server, concurrency=1).answers(prompts(*map(str, range(50)))),
    )
    assert ended == "URL: the server answers 400 (no). Answers that are kept: 0 of 50"
    assert 20 <= count <= 22  # one more prompt may be under way


def test_the_budget_is_looked_at_before_anything_is_asked() -> None:
    with chat_server(echo) as server:
        chat = chat_at(server, most_requests=5)
        chat.answers(prompts("a", "b", "c"))
        with pytest.raises(InputError) as error:
            chat.answers(prompts("a", "b", "c", "d", "e", "f"))
        assert len(server.seen) == 3
        chat.answers(prompts("a", "d", "e"))
        assert len(server.seen) == 5
    assert str(error.value) == (
        "3 prompts of about 9 tokens remain to be asked, which is over the budget of 5 requests (spent in this run: 3 "
        "requests, 300 tokens): nothing more is asked. Allow more with most_requests or most_tokens. Answers that are "
        "kept: 3 of 6"
    )


def test_tries_and_tokens_count() -> None:
    with chat_server(first(*[Answer(b"", 500)] * 9)) as server, pytest.raises(InputError, match="another request"):
        chat_at(server, most_requests=2).answers(prompts("a"))
    assert len(server.seen) == 2
    with chat_server(echo) as server:  # each answer takes 100 tokens, as the server says
        chat = chat_at(server, most_tokens=320, concurrency=1)
        with pytest.raises(InputError) as error:
            chat.answers(prompts(*"abcdef"))
        assert "budget of 100 requests and 320 tokens" in str(error.value)
        assert "spent in this run: 3 requests, 300 tokens" in str(error.value)
        assert str(error.value).endswith("Answers that are kept: 3 of 6")
        assert len(server.seen) == 3
        assert chat.workload(prompts(*"abcdefa")) == Workload(prompts=6, answered=3, tokens=9)
    assert len(server.seen) == 3


@pytest.mark.parametrize("usage", [-5, True, 10**9, "many", None, 1.5])
def test_usage_that_cannot_be_is_estimated(usage: object) -> None:
    envelope = {"choices": [{"message": {"content": "12345678"}}], "usage": {"total_tokens": usage}}
    with chat_server(lambda seen, number: Answer(json.dumps(envelope).encode())) as server:
        chat = chat_at(server, most_requests=1)
        chat.answers(prompts("a"))
        with pytest.raises(InputError, match="1 requests, 5 tokens"):
            chat.answers(prompts("b"))
    assert estimate_tokens("12345678") == 2


def test_a_refused_prompt_costs_its_own_tokens() -> None:
    with chat_server(lambda seen, number: Answer(b"no", 400) if seen.user == "bad" else echo(seen, number)) as server:
        chat = chat_at(server, most_requests=3, concurrency=1)
        chat.answers(prompts("a", "bad"))
        with pytest.raises(InputError, match="spent in this run: 3 requests, 103 tokens"):
            chat.answers(prompts("b"))


def test_requests_under_way_are_waited_for_when_a_run_ends() -> None:
    """They are paid for. One request fails while two others are under way; theirs come later."""
    failing = threading.Event()
    many = prompts(*"abcdefgh", *map(str, range(90)))  # so many that none is asked late, however slow the failure is

    def one_fails(seen: Seen, number: int) -> Answer:
        if seen.user == "b":
            while len(server.seen) < 3:
                time.sleep(0.01)
            failing.set()
            return Answer(b"", 404)
        failing.wait()
        answer = echo(seen, number)
        answer.pause = 0.3
        return answer

    with chat_server(one_fails) as server:
        chat = chat_at(server)
        with pytest.raises(InputError, match="no such model"):
            chat.answers(many)
    assert len(server.seen) < 98
    assert chat.workload(many).answered == len(server.seen) - 1


def test_an_interrupt_loses_nothing_that_was_answered() -> None:
    def slow_at_the_end(seen: Seen, number: int) -> Answer:
        return Answer(b"", pause=60) if seen.user == "c" else echo(seen, number)

    def interrupt(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    begun = time.monotonic()
    with chat_server(slow_at_the_end) as server:
        chat = chat_at(server, timeout=60.0)
        with pytest.raises(KeyboardInterrupt):
            chat.answers(prompts("a", "b", "c"), run=Run(progress=interrupt))
        assert chat.workload(prompts("a", "b", "c")).answered == 2
    assert time.monotonic() - begun < 30


def test_nothing_is_asked_after_an_interrupt() -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    before = set(threading.enumerate())
    with chat_server(echo) as server:
        chat = chat_at(server, concurrency=1, most_requests=1000)
        with pytest.raises(KeyboardInterrupt) as held:  # as a debugger would hold the traceback, and all it knows
            chat.answers(prompts(*map(str, range(500))), run=Run(progress=interrupt))
        for thread in set(threading.enumerate()) - before:
            if "(work)" in thread.name:  # it has the request that is under way, and must ask for no other
                thread.join(60)
                assert not thread.is_alive()
        assert len(server.seen) < 500
    assert held.tb is not None


def test_a_cache_that_cannot_be_written_costs_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path / "file" / "cache"))
    with chat_server(echo) as server:
        assert [reply.text for reply in chat_at(server).answers(prompts("a"))] == ["you said a"]


NO_ENDPOINTS = """localhost:8000 ftp://x/v1 file:///etc/passwd http:// http://me:pw@x/v1 http://x/v1?key=1 http://ü/v1
http://x:99999/v1 http://x/v1#a http://[::1/v1 http://x:0/v1"""


@pytest.mark.parametrize("url", ["", "http://x/v 1", "http://x/v1\n", *NO_ENDPOINTS.split()])
def test_urls_that_are_refused(url: str) -> None:
    with pytest.raises(InputError, match="url must be like"):
        check_url(url)
    assert check_url("http://x/v1/chat/completions") == "http://x/v1"
