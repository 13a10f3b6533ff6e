"""A chat model of the tests' own: a real HTTP server on this machine that scores what it is shown, or misbehaves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any

from gecval.models.chat import Prompt
from gecval.models.chat_endpoint import Reply


@dataclass
class Answer:
    """What the server sends: ``pause`` seconds before each part."""

    body: bytes | list[bytes] = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pause: float = 0.0


@dataclass
class Seen:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def shown(self) -> dict[str, Any]:
        """The data in the prompt: the only JSON object that stands alone between empty lines."""
        shown: dict[str, Any] = json.loads(self.user.split("\n\n")[1])
        return shown

    @property
    def user(self) -> str:
        return next(str(message["content"]) for message in self.body["messages"] if message["role"] == "user")

    @property
    def again(self) -> bool:
        """Whether this asks once more."""
        return len(self.body["messages"]) > 2


Behaviour = Callable[[Seen, int], Answer]


def quality(target: str | list[str]) -> int:
    """What the model of these tests thinks of a target."""
    text = target if isinstance(target, str) else " ".join(target)
    return 1 + sum(map(ord, text)) % 5


def saying(text: str | None, *, finish: str = "stop", model: str = "toy", **more: Any) -> Answer:
    """A usual answer that says this."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **more}, "finish_reason": finish}
    envelope = {"id": "1", "object": "chat.completion", "model": model, "choices": [choice]}
    return Answer(json.dumps(envelope | {"usage": {"total_tokens": 100}}).encode())


def scoring(seen: Seen) -> dict[str, int]:
    return {f"target{i}_score": quality(target) for i, target in seen.shown["targets"].items()}


def well(seen: Seen, number: int) -> Answer:
    return saying(json.dumps(scoring(seen)))


def as_seen(prompt: Prompt) -> Seen:
    return Seen("", {}, {"messages": [{"role": role, "content": text} for role, text in prompt.messages]})


def quick_answers(chat: object, prompts: Sequence[Prompt], **options: object) -> list[Reply]:
    """What the server would answer, without one: a stand-in for ``Chat.answers``."""
    return [Reply(text=json.dumps(scoring(as_seen(prompt)))) for prompt in prompts]


@dataclass
class ChatServer:
    url: str
    seen: list[Seen]


@contextmanager
def chat_server(behave: Behaviour = well) -> Iterator[ChatServer]:
    """A server for as long as it is needed. ``behave`` gets the request and its number, from 0."""
    seen: list[Seen] = []
    lock, over = Lock(), Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the library asks for this name
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = Seen(self.path, dict(self.headers), body)
            with lock:
                number = len(seen)
                seen.append(request)
            answer = behave(request, number)
            try:
                if answer.pause and over.wait(answer.pause):
                    return
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for part in [answer.body] if isinstance(answer.body, bytes) else answer.body:
                    self.wfile.write(part)
                    self.wfile.flush()
                    if answer.pause and over.wait(answer.pause):
                        return
            except OSError:
                pass  # the client has lost its patience

        def do_GET(self) -> None:  # what a redirect would become
            seen.append(Seen(self.path, dict(self.headers), {}))

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=lambda: server.serve_forever(poll_interval=0.01))
    thread.start()
    try:
        yield ChatServer(f"http://127.0.0.1:{server.server_port}/v1", seen)
    finally:
        over.set()
        server.shutdown()
        thread.join()
        server.server_close()
