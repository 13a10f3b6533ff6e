"""A LanguageTool server: its answers, its troubles, and its name in signatures."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from gecval.errors import InputError
from gecval.models.checkers import GrammarError, check, checker
from gecval.models.languagetool import LanguageToolServer

pytestmark = pytest.mark.usefixtures("empty_cache")


@contextmanager
def server(status: int, answer: bytes) -> Iterator[LanguageToolServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the library asks for this name
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200 if b"text=A&" in body + b"&" else status)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = Thread(target=listening.serve_forever)
        thread.start()
        try:
            yield LanguageToolServer(f"http://127.0.0.1:{listening.server_port}")
        finally:
            listening.shutdown()
            thread.join()


def test_a_languagetool_server_counts_in_utf16() -> None:
    match = {"offset": 3, "length": 2, "rule": {"id": "R", "category": {"id": "C"}}}
    answer = json.dumps({"software": {"version": "6.6", "buildDate": "today"}, "matches": [match]}).encode()
    with server(200, answer) as languagetool:
        assert languagetool.signature.startswith("languagetool:6.6-today|http://127.0.0.1:")
        assert LanguageToolServer(languagetool.url, ours=True).signature == "languagetool:6.6-today"
        assert check(languagetool, ["😀 go home"]) == [(GrammarError(1, 2, "R", "C"),)]


@pytest.mark.parametrize(
    ("status", "answer", "message"),
    [
        (500, b'{"matches": []}', "answers 500 at 'He go'; what was found before is kept"),
        (200, b"", "no LanguageTool server answers"),
        (200, b"[]", "is no LanguageTool server"),
    ],
)
def test_a_server_in_trouble(status: int, answer: bytes, message: str) -> None:
    with server(status, answer) as languagetool, pytest.raises(InputError, match=message):
        check(languagetool, ["He go"])


def test_no_server() -> None:
    with pytest.raises(InputError, match=r"no LanguageTool server answers at http://127.0.0.1:9 \(.*refused"):
        check(checker("http://127.0.0.1:9/"), ["He go"])


def test_a_proxy_is_not_asked_for_what_is_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with server(200, b'{"matches": []}') as languagetool:
        assert check(languagetool, ["He go"]) == [()]
