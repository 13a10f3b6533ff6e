"""A LanguageTool server of our own, for the checker ``languagetool``.

The library language-tool-python fetches LanguageTool (250 MB, once) and knows the command that starts it. We run that
command ourselves: where Java fails, the library would try 900 ports one after the other. A process starts one server
and stops it at its end. Its workers get the address.
"""

from __future__ import annotations

import atexit
import socket
import time
from contextlib import redirect_stderr
from functools import lru_cache
from importlib import import_module
from io import StringIO
from subprocess import DEVNULL, Popen, TimeoutExpired
from tempfile import TemporaryFile
from typing import IO

from gecval.errors import InputError, MissingExtraError
from gecval.models.languagetool import LanguageToolServer
from gecval.progress import Progress, announce

HOST = "127.0.0.1"
START_PATIENCE_S = 60.0
NEEDS = "it needs Java 17 or later and, the first time, the Internet; the checker lingotweaker needs neither"


def own_server(progress: Progress) -> LanguageToolServer:
    """The server of this process, started at the first call."""
    announce(progress, "starting LanguageTool, which is downloaded the first time")
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
    end = time.monotonic() + START_PATIENCE_S
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
    raise InputError(f"cannot start LanguageTool: it does not answer after {START_PATIENCE_S:.0f} s; {NEEDS}")


def _stop(process: Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except TimeoutExpired:
        process.kill()
