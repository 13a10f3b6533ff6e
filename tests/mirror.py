"""A local HTTP server that stands in for the network: it serves given files, and can be told to misbehave."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Mirror:
    """What the server has and does. A fault is used up by one request for its path.

    Faults: n, close the connection after n bytes; "503", this status; "no range", send everything whatever part is
    asked for; "no range n", the same, and close after n bytes; "elsewhere", send a part that starts at another byte;
    "hang n", send n bytes, then nothing more; "no size", do not say how large the file is; "no size n", the same, and
    close after n bytes; "wait n", status 503 and the wish to be left alone for n seconds.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.faults: dict[str, list[int | str]] = {}
        self.requests: list[tuple[str, str | None]] = []
        self.address = ""
        self.closing = threading.Event()


class _Handler(BaseHTTPRequestHandler):
    mirror: Mirror

    def do_GET(self) -> None:
        mirror, asked = self.mirror, self.headers.get("Range")
        mirror.requests.append((self.path, asked))
        faults = mirror.faults.get(self.path, [])
        fault = faults.pop(0) if faults else ""
        if isinstance(fault, str) and fault.startswith("wait"):
            self.send_response(503)
            self.send_header("Retry-After", fault.removeprefix("wait "))
            self.end_headers()
            return
        if isinstance(fault, str) and fault.isdigit():
            self.send_error(int(fault))
            return
        if self.path not in mirror.files:
            self.send_error(404)
            return
        content = mirror.files[self.path]
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and not str(fault).startswith("no range") else 0
        if start and start >= len(content):
            self.send_error(416)
            return
        if fault == "elsewhere":
            start //= 2
        self._send(content, start, fault)

    def _send(self, content: bytes, start: int, fault: int | str) -> None:
        self.send_response(206 if start else 200)
        known = not str(fault).startswith("no size")
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content) if known else '*'}")
        if known:
            self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        body = content[start:]
        last = str(fault).split()[-1:]
        if last and last[0].isdigit():
            body = body[: int(last[0])]
        self.wfile.write(body)
        self.wfile.flush()
        if str(fault).startswith("hang"):
            self.mirror.closing.wait()
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serve() -> Iterator[Mirror]:
    """A mirror on a free port of this machine, for the time of the block."""
    mirror = Mirror()
    handler = type("Handler", (_Handler,), {"mirror": mirror})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    mirror.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield mirror
    finally:
        mirror.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
