"""Chat models behind an OpenAI-compatible endpoint: prompts in, one answer for each.

Answers are cached by a hash of model, prompt and parameters, at once, so an interrupted run goes on where it was. The
URL is no part of it: a model is the same wherever it runs. Next to the cache lies a file for audit, a line of JSON for
each answer with its prompt. Neither holds the key.
"""

from __future__ import annotations

import json
import logging
import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from functools import cache
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any

from gecval.errors import InputError
from gecval.models.cache import cache_file, open_cache
from gecval.models.chat_endpoint import Budget, Endpoint, Reply, estimate_tokens
from gecval.runtime.run import HERE, Run, announce
from gecval.runtime.threads import start_threads

MOST_REFUSALS = 10  # without a single answer: then something is wrong with all prompts


@dataclass(frozen=True)
class Prompt:
    """Messages as (role, text), and the JSON Schema of the answer, as text."""

    messages: tuple[tuple[str, str], ...]
    schema: str

    @property
    def tokens(self) -> int:
        """About how many tokens it has."""
        return sum(estimate_tokens(text) for _, text in self.messages)


@dataclass(frozen=True, kw_only=True)
class Workload:
    """How many prompts there are, how many of them are answered already, and about how many tokens the others have."""

    prompts: int
    answered: int
    tokens: int


@dataclass(frozen=True, kw_only=True)
class Chat:
    """A model at a URL. ``key`` names the environment variable that holds the key, where the server wants one."""

    model: str
    url: str
    key: str
    temperature: float
    seed: int
    answer_tokens: int
    timeout: float
    retries: int
    concurrency: int
    most_requests: int | None
    most_tokens: int | None

    def answers(self, prompts: Sequence[Prompt], *, run: Run = HERE) -> list[Reply]:
        """The answer to each prompt. The budget is looked at before anything is asked."""
        requests = {self._key(prompt): prompt for prompt in prompts}
        store = open_cache(self._namespace)
        kept = store.get_many(requests)
        endpoint = _endpoint(self)
        refused = endpoint.refused  # kept for this run only: the next one may have better luck
        wanted = {key: prompt for key, prompt in requests.items() if key not in refused}
        new = [prompt for key, prompt in wanted.items() if key not in kept]
        stop = Event()

        def ask(keys: list[str]) -> Iterator[dict[str, str]]:
            announce(run.progress, f"asking {self.model}")
            for key, reply in self._ask(keys, stop):
                if reply.refusal and not reply.text:
                    refused[key] = reply
                    if len(refused) >= MOST_REFUSALS and not kept:
                        raise InputError(f"{self.url}: {reply.refusal}")
                    continue
                kept[key] = json.dumps(asdict(reply))
                self._audit(key, reply)
                yield {key: kept[key]}

        try:
            endpoint.budget.check(len(new), sum(prompt.tokens for prompt in new))
            store.answers(wanted, ask, run=run)
        except InputError as error:
            raise InputError(f"{error}. Answers that are kept: {len(kept):,} of {len(requests):,}") from None
        finally:
            stop.set()  # also after an interrupt: a suspended generator would let its threads ask on
        replies = {key: _reply(text) for key, text in kept.items()} | refused
        return [replies[self._key(prompt)] for prompt in prompts]

    def workload(self, prompts: Sequence[Prompt]) -> Workload:
        """What asking would take, without asking."""
        requests = {self._key(prompt): prompt for prompt in prompts}
        kept = open_cache(self._namespace).get_many(requests)
        tokens = sum(prompt.tokens for key, prompt in requests.items() if key not in kept)
        return Workload(prompts=len(requests), answered=len(kept), tokens=tokens)

    @property
    def audit_file(self) -> Path:
        """Where answers and their prompts lie."""
        return cache_file(self._namespace).with_suffix(".jsonl")

    @property
    def _namespace(self) -> str:
        return f"chat-1|{self.model}"

    def _key(self, prompt: Prompt) -> str:
        return json.dumps(self._request(prompt), sort_keys=True)

    def _request(self, prompt: Prompt) -> dict[str, Any]:
        schema = {"name": "answer", "strict": True, "schema": json.loads(prompt.schema)}
        return {
            "model": self.model,
            "messages": [{"role": role, "content": text} for role, text in prompt.messages],
            "temperature": self.temperature,
            "seed": self.seed,
            "max_tokens": self.answer_tokens,
            "response_format": {"type": "json_schema", "json_schema": schema},
        }

    def _ask(self, keys: Sequence[str], stop: Event) -> Iterator[tuple[str, Reply]]:
        """Answers in the order in which they come, a few requests at a time.

        After an error nothing new is asked. Requests that are under way are waited for, since they are paid for.
        """
        endpoint = _endpoint(self)
        waiting = deque(keys)
        done: SimpleQueue[tuple[str, Reply | BaseException]] = SimpleQueue()

        def ask_next() -> bool:
            if stop.is_set():
                return False
            try:
                key = waiting.popleft()
            except IndexError:
                return False
            try:
                done.put((key, endpoint.ask(json.loads(key), stop)))
            except BaseException as error:  # the thread that waits for answers shall see it
                stop.set()
                done.put((key, error))
            return True

        def work() -> None:
            while ask_next():
                pass

        threads = start_threads(work, min(self.concurrency, len(keys)))
        failed: BaseException | None = None
        try:
            for _ in keys:
                if not threads:
                    ask_next()
                key, reply = done.get()
                if isinstance(reply, BaseException):
                    failed = reply
                    break
                yield key, reply
        finally:
            stop.set()
        if failed:
            for thread in threads:
                thread.join(self.timeout)
            while not done.empty():
                key, reply = done.get()
                if isinstance(reply, Reply):
                    yield key, reply
            raise failed

    def _audit(self, key: str, reply: Reply) -> None:
        """Append an answer, with its prompt, to the file for audit."""
        line = {
            "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "prompt": sha256(key.encode()).hexdigest()[:16],
            "url": self.url,
            "request": json.loads(key),
            "reply": asdict(reply),
        }
        try:
            self.audit_file.parent.mkdir(parents=True, exist_ok=True)
            # One write of one line: several processes may append. Texts of learners are nobody else's business.
            file = os.open(self.audit_file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(file, f"{json.dumps(line)}\n".encode())
            finally:
                os.close(file)
        except OSError as error:
            _warn(f"answers cannot be kept for audit in {self.audit_file} ({error})")


def _reply(text: str) -> Reply:
    """A reply as the cache has it."""
    kept = json.loads(text)
    return Reply(**{**kept, "without": tuple(kept["without"])})


@cache
def _warn(message: str) -> None:
    """Once is enough."""
    logging.getLogger("gecval").warning("%s", message)


@cache
def _endpoint(chat: Chat) -> Endpoint:
    """One for each model and its settings in a process: the budget holds for all that is asked."""
    budget = Budget(chat.most_requests, chat.most_tokens)
    return Endpoint(chat.url, chat.key, timeout=chat.timeout, retries=chat.retries, budget=budget)
