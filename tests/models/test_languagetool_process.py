"""The LanguageTool server that we start: the library language-tool-python is the real one, Java is a stand-in."""

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from gecval.errors import InputError, MissingExtraError
from gecval.models import languagetool
from gecval.models.checkers import GrammarError, check, checker
from gecval.runtime.run import Run

download = pytest.importorskip(
    "language_tool_python.download_lt", reason="needs the extra: pip install 'gecval[grammar]'"
)

# Finds the word "go", and writes down its number as a process and what it was asked.
JAVA = """
    import json, os, sys
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    from urllib.parse import parse_qs

    def note(line):
        with open("java.log", "a") as log:
            log.write(line + "\\n")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            text = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())["text"][0]
            note("asked " + text)
            rule = {"id": "GO", "category": {"id": "GRAMMAR"}}
            errors = [{"offset": text.index("go"), "length": 2, "rule": rule}] if "go" in text else []
            self.send_response(200)
            self.end_headers()
            software = {"version": "6.8", "buildDate": "yesterday"}
            self.wfile.write(json.dumps({"software": software, "matches": errors}).encode())

        def log_message(self, *args):
            pass

    note(f"started {os.getpid()}")
    assert sys.argv[3] == "org.languagetool.server.HTTPServer"
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("-p") + 1])), Handler).serve_forever()
"""


def install(folder: Path, version: str = "17.0.1", server: str = JAVA) -> None:
    """A java that says its version and is a server; and a LanguageTool that needs no download."""
    lines = ["#!" + sys.executable, "import sys", f"answer = 'openjdk version \"{version}\" 2021-10-19'"]
    lines += ["if '-version' in sys.argv:", "    sys.exit(print(answer))", textwrap.dedent(server)]
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin" / "java").write_text("\n".join(lines))
    (folder / "bin" / "java").chmod(0o755)
    tool = folder / f"LanguageTool-{download.LTP_DOWNLOAD_VERSION}"
    tool.mkdir(exist_ok=True)
    (tool / "languagetool-server.jar").touch()


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine with Java and LanguageTool; what a test starts on it is stopped."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LTP_PATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    install(tmp_path)
    started: list[subprocess.Popen[bytes]] = []
    monkeypatch.setattr(languagetool, "atexit", SimpleNamespace(register=lambda stop, server: started.append(server)))
    languagetool._start.cache_clear()
    yield tmp_path
    for server in started:
        languagetool._stop(server)
    languagetool._start.cache_clear()


def noted(kind: str) -> list[str]:
    lines = Path("java.log").read_text().splitlines()
    return [line.removeprefix(f"{kind} ") for line in lines if line.startswith(kind)]


def test_one_server_for_all_checks_and_workers_under_the_name_of_its_version() -> None:
    sentences = [f"{number} go ." for number in range(100)]  # two blocks, for two workers
    errors = check(checker("languagetool"), sentences, run=Run(jobs=2))
    assert errors == [(GrammarError(1, 2, "GO", "GRAMMAR"),)] * 100
    assert checker("languagetool").signature == "languagetool:6.8-yesterday"
    assert len(noted("started")) == 1


def test_what_was_found_is_known_on_any_port() -> None:
    check(checker("languagetool"), ["I go ."])
    languagetool._start.cache_clear()
    check(checker("languagetool"), ["I go .", "He go ."])
    assert len(noted("started")) == 2
    assert [text for text in noted("asked") if text != "A"] == ["I go.", "He go."]


def test_starting_is_announced() -> None:
    told = []

    class Teller:
        def __call__(self, done: int, total: int) -> None: ...

        def announce(self, what: str) -> None:
            told.append(what)

    checker("languagetool", run=Run(progress=Teller()))
    assert told == ["starting LanguageTool, which is downloaded the first time"]


@pytest.mark.parametrize(
    ("version", "server", "reason"),
    [
        ("11.0.2", JAVA, r"Detected java 11\.0\. LanguageTool requires Java >= 17 for version [\d.]+"),
        ("none", JAVA, r"Could not parse Java version from .*"),
        ("17.0.1", "sys.exit('Error: Invalid jarfile')", "Error: Invalid jarfile"),
        ("17.0.1", "sys.exit(3)", "Java ended with 3"),
        ("17.0.1", "import time; time.sleep(60)", "it does not answer after 1 s"),
    ],
)
def test_a_java_that_will_not_do(
    version: str, server: str, reason: str, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "sleep" in server:  # the others answer, however long a busy machine takes
        monkeypatch.setattr(languagetool, "START_LIMIT_S", 1.0)
    install(machine, version, server)
    with pytest.raises(InputError, match=f"^cannot start LanguageTool: {reason}; it needs Java 17 or later"):
        checker("languagetool")


@pytest.mark.parametrize("obeys", [True, False])
def test_a_server_that_does_not_end_is_killed(obeys: bool) -> None:
    did: list[str] = []

    def wait(timeout: float) -> None:
        did.append("wait")
        if not obeys:
            raise subprocess.TimeoutExpired("java", timeout)

    server = SimpleNamespace(terminate=lambda: did.append("terminate"), wait=wait, kill=lambda: did.append("kill"))
    languagetool._stop(server)  # type: ignore[arg-type]
    assert did == ["terminate", "wait", *([] if obeys else ["kill"])]


def test_no_java(machine: Path) -> None:
    (machine / "bin" / "java").unlink()
    with pytest.raises(InputError, match=r"^cannot start LanguageTool: No java install detected.*; it needs Java 17"):
        checker("languagetool")


def test_no_download(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LTP_PATH", str(machine / "empty"))
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    with pytest.raises(InputError, match=r"^cannot start LanguageTool: no connection to https://\S+\.zip; it needs"):
        checker("languagetool")


def test_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "language_tool_python.download_lt", None)
    with pytest.raises(MissingExtraError, match=r"\(language-tool-python\) needs .*: pip install 'gecval\[grammar\]'"):
        checker("languagetool")


def test_as_typed_and_the_server_ends_with_the_program(machine: Path) -> None:
    Path("source.txt").write_text("He go .\nFine .\n")
    words = [
        "score",
        "source.txt",
        "-s",
        "source.txt",
        "-m",
        'lt(checker="languagetool")',
        "--lang",
        "en",
        "--format",
        "json",
        "--quiet",
    ]
    done = subprocess.run([sys.executable, "-m", "gecval", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    [score] = json.loads(done.stdout)["scores"]
    assert score["parts"] == {"errors": 1, "tokens": 5}
    assert "|checker:languagetool:6.8-yesterday|preset:" in score["signature"]
    [number] = noted("started")
    with pytest.raises(ProcessLookupError):
        os.kill(int(number), 0)
