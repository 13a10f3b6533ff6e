"""LanguageTool behind its HTTP API v2: a server of the user's, or our own."""

from __future__ import annotations

import atexit
import json
import socket
import time
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import lru_cache
from http.client import HTTPException
from importlib import import_module
from io import StringIO
from subprocess import DEVNULL, Popen, TimeoutExpired
from tempfile import TemporaryFile
from typing import IO, Any, ClassVar
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import ProxyHandler, build_opener, urlopen

from gecval.errors import InputError, MissingExtraError
from gecval.models.checkers import CACHED, LANGUAGE, CheckerFinding
from gecval.runtime.run import Run, announce

ANSWER_LIMIT_S = 60.0
_NEARBY = build_opener(ProxyHandler({}))  # a proxy elsewhere knows nothing of this machine's ports


@dataclass(frozen=True)
class LanguageToolServer:
    """A server such as ``http://localhost:8081``, and whether it is our own, on whatever port was free."""

    isolated: ClassVar[bool] = True
    language: ClassVar[str | None] = "en"
    url: str
    ours: bool = False

    @property
    def signature(self) -> str:
        """Our own server is the same on any port. What another server finds depends on how it was set up."""
        name = f"languagetool:{_version(self.url)}"
        return name if self.ours else f"{name}|{self.url}"

    def find(self, text: str) -> list[CheckerFinding]:
        units = text.encode("utf-16-le")  # Java counts in these

        def characters(size: int) -> int:
            return len(units[: 2 * size].decode("utf-16-le", errors="ignore"))

        return [
            CheckerFinding(
                characters(match["offset"]),
                characters(match["offset"] + match["length"]),
                rule=match["rule"]["id"],
                category=match["rule"]["category"]["id"],
            )
            for match in _ask(self.url, text)["matches"]
        ]


@lru_cache
def _version(url: str) -> str:
    software = _ask(url, "A").get("software", {})
    return f"{software.get('version', 'unknown')}-{software.get('buildDate', 'unknown')}"


def _ask(url: str, text: str) -> Any:
    form = urlencode({"language": LANGUAGE, "text": text}).encode()
    nearby = urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")
    try:
        with (_NEARBY.open if nearby else urlopen)(f"{url}/v2/check", form, timeout=ANSWER_LIMIT_S) as response:
            answer = json.load(response)
    except HTTPError as error:
        raise InputError(f"the LanguageTool server {url} answers {error.code} at {text[:60]!r}; {CACHED}") from None
    except (OSError, HTTPException, ValueError) as error:
        reason = str(getattr(error, "reason", error)) or type(error).__name__
        raise InputError(f"no LanguageTool server answers at {url} ({reason}); {CACHED}") from None
    if not (isinstance(answer, dict) and "matches" in answer):
        raise InputError(f"what answers at {url} is no LanguageTool server")
    return answer


# A LanguageTool server of our own, for the checker ``languagetool``.
#
# The library language-tool-python fetches LanguageTool (250 MB, once) and knows the command that starts it. We run that
# command ourselves: where Java fails, the library would try 900 ports one after the other. A process starts one server
# and stops it at its end. Its workers get the address.


HOST = "127.0.0.1"
START_LIMIT_S = 60.0
NEEDS = "it needs Java 17 or later and, the first time, the Internet; the checker lingotweaker needs neither"


def own_server(run: Run) -> LanguageToolServer:
    """The server of this process, started at the first call."""
    announce(run.progress, "starting LanguageTool, which is downloaded the first time")
    return _start()


@lru_cache
def _start() -> LanguageToolServer:
    port = _free_port()
    command = _command(port)
    with TemporaryFile() as log:
        process = Popen(command, stdin=DEVNULL, stdout=DEVNULL, stderr=log)
        atexit.register(_stop, process)
        _await(process, port, log)
    return LanguageToolServer(f"http://{HOST}:{port}", ours=True)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((HOST, 0))
        port: int = free.getsockname()[1]
        return port


def _command(port: int) -> list[str]:
    """What starts LanguageTool, which is downloaded if need be."""
    try:
        library = import_module("language_tool_python.download_lt").LocalLanguageTool
    except (ImportError, AttributeError):
        raise MissingExtraError("checking grammar (language-tool-python)", "grammar") from None
    try:
        with redirect_stderr(StringIO()):  # a bar of the library's own
            local = library.from_version_name()
            local.download()
            command: list[str] = local.get_server_cmd(port)
    except (Exception, SystemExit) as error:  # it raises a dozen kinds, and SystemExit at a Java that it does not know
        request = getattr(error, "request", None)  # of the network's, whose messages are long
        reason = f"no connection to {request.url}" if request else (str(error).splitlines() or [repr(error)])[0]
        raise InputError(f"cannot start LanguageTool: {reason.rstrip('.')}; {NEEDS}") from None
    return command


def _await(process: Popen[bytes], port: int, log: IO[bytes]) -> None:
    """Until the server listens."""
    end = time.monotonic() + START_LIMIT_S
    while time.monotonic() < end:
        if process.poll() is not None:
            log.seek(0)
            said = log.read().decode(errors="replace").splitlines() or [f"Java ended with {process.returncode}"]
            raise InputError(f"cannot start LanguageTool: {said[0]}; {NEEDS}")
        try:
            socket.create_connection((HOST, port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise InputError(f"cannot start LanguageTool: it does not answer after {START_LIMIT_S:.0f} s; {NEEDS}")


def _stop(process: Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except TimeoutExpired:
        process.kill()
