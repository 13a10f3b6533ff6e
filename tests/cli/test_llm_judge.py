"""A chat model as a judge, as typed: scores, tests, reports, contests, and the dry run that asks nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chat_server import Answer, ChatServer, chat_server, quality
from gecval.models import chat_endpoint

SYSTEMS = "good.txt copy.txt wild.txt"
Run = Callable[..., tuple[int, str, str]]
Refused = Callable[..., str]


@pytest.fixture(autouse=True)
def _alone(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path_factory.mktemp("answers")))
    monkeypatch.setenv("GECVAL_LLM_KEY", "sk-very-secret-key")
    monkeypatch.setattr(chat_endpoint, "FIRST_WAIT_S", 0.01)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as listening:
        yield listening


def judge(server: ChatServer, more: str = "") -> str:
    return f'-m \'llm-judge(model="toy", url="{server.url}"{more})\''


def test_one_set_of_answers_serves_all_verbs(gecval: Run, folder: Path, server: ChatServer) -> None:
    line = f"{SYSTEMS} -s src.txt {judge(server)}"
    status, out, err = gecval(f"score {line} --ci --sentences --format json")
    assert (status, err) == (0, "gecval: note: 4 sentences are few: intervals and p-values are rough below 100\n")
    for row in json.loads(out)["scores"]:
        outputs = (folder / f"{row['system']}.txt").read_text().splitlines()
        assert row["sentences"] == list(map(quality, outputs))
        assert row["score"] == pytest.approx(sum(map(quality, outputs)) / 4)
        assert row["interval"][0] <= row["score"] <= row["interval"][1]
    for command in (
        f"score {line} --clusters",
        f"score {line} --aggregate trueskill",
        f"score {line} --aggregate expected-wins --ci",
        f"compare {line}",
        f"report {line} -o out.html --resamples 20",
    ):
        status, out, err = gecval(command)
        assert status == 0, err
        assert "sk-very-secret-key" not in out + err
    assert "sk-very-secret-key" not in (folder / "out.html").read_text()
    assert len(server.seen) == 4
    assert {seen.headers["Authorization"] for seen in server.seen} == {"Bearer sk-very-secret-key"}


def test_the_dry_run_asks_nothing(gecval: Run, folder: Path, server: ChatServer) -> None:
    line = f"{SYSTEMS} -s src.txt {judge(server)}"
    status, out, _ = gecval(f"metrics cost {line} --format json")
    [before] = json.loads(out)["costs"]
    assert status == 0
    assert [before[name] for name in ("prompts", "answered", "to_ask", "most_answer_tokens")] == [4, 0, 4, 4096]
    assert before["prompt_tokens"] > 400
    assert server.seen == []
    assert not Path(before["audit"]).exists()
    assert gecval(f"score {line}")[0] == 0
    prompt_bytes = sum(len(m["content"].encode()) for seen in server.seen for m in seen.body["messages"])
    assert before["prompt_tokens"] == pytest.approx(prompt_bytes / 4, abs=8)
    status, out, err = gecval(f"metrics cost {SYSTEMS} -s gold.m2 {judge(server)}")
    assert status == 0
    assert out.split("\n")[3].split()[-5:] == ["4", "4", "0", "0", "0"]
    assert "tokens are estimated" in err
    assert len(Path(before["audit"]).read_text().splitlines()) == len(server.seen) == 4


def test_refusals(refused: Refused, server: ChatServer) -> None:
    line = f"{SYSTEMS} -s src.txt"
    assert refused(f"metrics cost {line} -m gleu").startswith("gleu asks no chat model")
    assert refused(f"score {line} -m llm-judge").startswith("llm-judge needs a model and the URL of a server")
    budget = refused(f"score {line} {judge(server, ', most_requests=3')}")
    assert budget.startswith("4 prompts of about")
    assert "over the budget of 3 requests" in budget
    assert server.seen == []
    secret = 'llm-judge(model="toy", url="http://me:secret@x/v1")'
    assert "secret" not in refused(f"score {line} -m '{secret}'")
    with chat_server(lambda seen, number: Answer(b"sk-very-secret-key", 401)) as wrong:
        said = refused(f"score {line} {judge(wrong)}")
    assert "answers 401 (***): the key in GECVAL_LLM_KEY is not accepted" in said
