"""The program itself: interrupts, pipes, full disks, other encodings."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gecval.studies
from gecval.cli.program import entries
from gecval.studies import STUDIES
from running import running

PROGRAM = [sys.executable, "-m", "gecval"]
SCORE = [*PROGRAM, "score", "good.txt", "-r", "gold.m2"]


def run(*words: str | Path, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False, **options)


def listen_to_interrupts() -> None:
    """Tests that run in the background of a shell (`make test &`) inherit that interrupts are ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_python_m_gecval_and_gecval_are_the_same(folder):
    installed = shutil.which("gecval", path=str(Path(sys.executable).parent))
    assert installed is not None
    words = ["score", "good.txt", "-r", "gold.m2", "-m", "m2", "--format", "json"]
    first, second = run(*PROGRAM, *words), run(installed, *words)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == second.stdout
    assert json.loads(first.stdout)["scores"][0]["parts"]["correct"] == 5


def test_a_refusal_is_one_line(folder):
    result = run(*PROGRAM, "score", "nothing.txt", "-r", "gold.m2", "-m", "m2", "-o", "out.json")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "gecval: nothing.txt: no such file\n"
    assert not (folder / "out.json").exists()


def test_text_that_is_not_unicode_on_a_strict_output(folder):
    """Python keeps a byte that is no UTF-8 as half of a surrogate pair, which a strict output refuses."""
    result = run(*PROGRAM, "score", "good.txt", "-r", "gold.m2", "-m", "m2", "--format", "json")
    signature = json.loads(result.stdout)["scores"][0]["signature"]
    other = os.fsencode(signature.replace("level:correction", "level:")) + b"\xff"
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    result = run(*PROGRAM, "explain", "difference", signature, other, env=strict)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("gecval: the output cannot be written as utf-8")
    assert result.stderr.count("\n") == 1


def test_a_metric_beside_the_data(folder):
    (folder / "mine.py").write_text("def f(source, hypothesis, references): return 0.25\n")
    result = run(*SCORE, "-m", "mine:f", "--format", "json", "--ci")
    assert json.loads(result.stdout)["scores"][0]["interval"] == [0.25, 0.25]


A_METRIC_THAT_FAILS = """
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
from gecval.metrics.base import Metric
from gecval.metrics.reference_rules import Pooled
@dataclass(frozen=True, repr=False)
class Bad(Metric):
    name: ClassVar[str] = "bad"
    summary: ClassVar[str] = "fails"
    paper: ClassVar[str] = ""
    rule: ClassVar[Pooled] = Pooled()
    def statistics(self, corpus, system, *, run):
        return np.zeros(3).reshape(2, 2)
    def score(self, totals):
        return totals[..., 0]
"""


def test_a_metric_class_that_fails(folder):
    """Also deep in a library that it calls."""
    (folder / "mine.py").write_text(A_METRIC_THAT_FAILS)
    result = run(*SCORE, "-m", "mine:Bad")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        "gecval: mine:Bad failed in statistics (mine.py, line 14): ValueError: "
        "cannot reshape array of size 3 into shape (2,2)\n"
    )


def test_interrupted(folder):
    (folder / "slow.py").write_text(
        "import pathlib, time\n"
        "def f(source, hypothesis, references):\n"
        "    pathlib.Path('started').touch()\n"
        "    time.sleep(60)\n"
    )
    (folder / "out.json").write_text("as it was")
    words = [*SCORE, "-m", "slow:f", "-o", "out.json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, **pipes, preexec_fn=listen_to_interrupts) as process:
        while process.poll() is None and not (folder / "started").exists():
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert err == "gecval: interrupted; no output file was touched\n"
    assert (folder / "out.json").read_text() == "as it was"
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def interrupted_when_started(folder: Path, *words: str) -> tuple[int, str, str]:
    """What a program ends with that is interrupted, as by Ctrl-C, once there is a file ``started``."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, **pipes, preexec_fn=listen_to_interrupts, start_new_session=True) as process:
        while process.poll() is None and not (folder / "started").exists():
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate()
    return process.returncode, out, err


# What C code does with an interrupt: it turns it into another error, or prints it and goes on.
AN_IMPORT = """
import pathlib, time
pathlib.Path('started').touch()
try:
    for _ in range(10):
        time.sleep(0.05)
except BaseException:
    raise ImportError('numpy.core.multiarray failed to import') from None
def f(source, hypothesis, references):
    time.sleep(60)
"""
A_FINALIZER = """
import pathlib, time
class Held:
    def __del__(self):
        pathlib.Path('started').touch()
        for _ in range(10):
            time.sleep(0.05)
def f(source, hypothesis, references):
    Held()
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals and a clock for them")
@pytest.mark.parametrize("module", [AN_IMPORT, A_FINALIZER], ids=["import", "finalizer"])
def test_interrupted_where_an_interrupt_would_be_lost(folder, module):
    (folder / "slow.py").write_text(module)
    status, out, err = interrupted_when_started(folder, *SCORE, "-m", "slow:f")
    assert (status, out, err) == (130, "", "gecval: interrupted; no output file was touched\n")


def test_interrupted_while_the_command_line_is_read(folder):
    """click would print an empty line first."""
    reading = (
        "import click\n"
        "def interrupted(*_args, **_options): raise KeyboardInterrupt\n"
        "click.Context.__init__ = interrupted\n"
        "from gecval.__main__ import main\n"
        "main()\n"
    )
    ran = subprocess.run([sys.executable, "-c", reading], capture_output=True, text=True)
    expected = (130, "", "gecval: interrupted; no output file was touched\n")
    assert (ran.returncode, ran.stdout, ran.stderr) == expected


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals and a clock for them")
@pytest.mark.parametrize("module", ["click", "numpy", "gecval.studies.scores.command"])
def test_interrupted_while_it_starts(folder, module):
    """Also before there is a command."""
    (folder / "slow.py").write_text("import time\ndef f(source, hypothesis, references): time.sleep(60)\n")
    starts = (
        "import sys, pathlib, time\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r} and not pathlib.Path('started').exists():\n"
        "            pathlib.Path('started').touch()\n"
        "            time.sleep(0.5)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv[1:] = ['score', 'good.txt', '-r', 'gold.m2', '-m', 'slow:f']\n"
        "from gecval.__main__ import main\n"
        "main()\n"
    )
    status, out, err = interrupted_when_started(folder, sys.executable, "-c", starts)
    assert (status, out, err) == (130, "", "gecval: interrupted; no output file was touched\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_workers_are_interrupted_without_a_word(folder):
    """A terminal sends Ctrl-C to them too."""
    (folder / "slow.py").write_text(
        "import os, pathlib, time\n"
        "def f(source, hypothesis, references):\n"
        "    pathlib.Path('started').touch()\n"
        "    pathlib.Path(f'{os.getpid()}.worker').touch()\n"
        "    time.sleep(60)\n"
    )
    rows = "".join(f"He go home {number} .\tHe goes home .\tHe goes home .\n" for number in range(2000))
    (folder / "pairs.tsv").write_text("source\thypothesis\treference\n" + rows * 40)
    words = [*PROGRAM, "score", "pairs.tsv", "-m", "slow:f", "-o", "scored.tsv", "--jobs", "2", "--quiet"]
    status, out, err = interrupted_when_started(folder, *words)
    assert (status, out, err) == (130, "", "gecval: interrupted; no output file was touched\n")
    for worker in folder.glob("*.worker"):
        assert worker.stem.isdecimal()
        assert not running(int(worker.stem))
    assert not [path.name for path in folder.iterdir() if "scored" in path.name]


LITTLE_MEMORY = """
import resource, sys
from pathlib import Path
import gecval.studies.scores.command, gecval.studies.undercorrection.command
pages = int(Path("/proc/self/statm").read_text().split()[0])
most = pages * resource.getpagesize() + 80 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (most, most))
sys.argv[0] = "gecval"
gecval.cli.program.main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit a process's memory")
@pytest.mark.parametrize(
    "command", ["score out -m index-match", "score out -m m2 --edits plain", "coverage undercorrection out"]
)
def test_not_enough_memory(folder, command):
    for name, word in (("src", "a"), ("ref", "b"), ("out", "c")):
        (folder / name).write_text(" ".join(f"{word}{i}" for i in range(20_000)) + "\n")
    result = run(sys.executable, "-c", LITTLE_MEMORY, *command.split(), "-s", "src", "-r", "ref")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "gecval: not enough memory: split very long sentences, or lower --jobs\n"


@pytest.mark.parametrize("verb", ["demo", "metrics"])
def test_a_reader_that_leaves(verb):
    with subprocess.Popen([*PROGRAM, verb], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode in (1, 141)


def test_into_head(folder):
    command = f"{sys.executable} -m gecval metrics | head -n 2 | wc -l"
    result = run("bash", "-c", command)
    assert (result.returncode, result.stdout.strip(), result.stderr) == (0, "2", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk(folder):
    with Path("/dev/full").open("w") as full:
        result = subprocess.run([*PROGRAM, "metrics"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == "gecval: the output: No space left on device\n"


def test_devices_as_output(folder):
    result = run(*SCORE, "-m", "m2", "--format", "tsv", "-o", "/dev/stdout")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == run(*SCORE, "-m", "m2", "--format", "tsv").stdout
    assert run(*SCORE, "-m", "m2", "-o", "/dev/null").returncode == 0
    assert Path("/dev/null").is_char_device()


def test_a_terminal_that_knows_only_ascii(folder):
    result = run(*SCORE, "-m", "m2", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0, result.stderr
    assert "0.9615" in result.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take only Unicode file names")
def test_a_file_name_that_is_not_unicode(folder):
    Path("caf\udce9.txt").write_bytes((folder / "good.txt").read_bytes())
    for more in ([], ["--format", "json"], ["-o", "out"], ["--format", "json", "-o", "out.json"]):
        result = run(*PROGRAM, "score", "caf\udce9.txt", "-r", "gold.m2", "-m", "m2", *more)
        assert (result.returncode, result.stderr) == (0, "")
    assert json.loads((folder / "out.json").read_text())["scores"][0]["system"] == "caf\ufffd"


def test_input_from_a_pipe(folder):
    line = f"{sys.executable} -m gecval score <(cat good.txt) -r gold.m2 -m m2 --format tsv"
    assert run("bash", "-c", line).stdout.splitlines()[1].split("\t")[2].startswith("0.96153846153846")
    line = f"{sys.executable} -m gecval score <(printf '\\xff') -r gold.m2 -m m2"
    result = run("bash", "-c", line)
    assert result.returncode == 2
    assert result.stderr.endswith(": line 1 is not UTF-8; convert the file, e.g. with iconv\n")


def test_help_lists_every_verb_and_imports_none() -> None:
    folders = {path.parent.name for path in Path(gecval.studies.__file__).parent.glob("*/command.py")}
    assert {study.folder for study in STUDIES} == folders
    heavy = "{'numpy', 'scipy', 'rich', 'joblib', 'gecval._native'}"
    code = "import sys; from gecval.cli.program import cli; cli(['--help'], standalone_mode=False); "
    code += f"print({heavy} & {{*sys.modules}})"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.endswith("\nset()\n")
    assert all(f"  {name} " in printed for name in entries() if " " not in name)


@pytest.mark.parametrize("as_module", [False, True])
def test_the_last_line_of_the_demo_can_be_pasted(tmp_path, as_module):
    """In a shell that does not find gecval by its name, as after `make demo`."""
    script = shutil.which("gecval", path=str(Path(sys.executable).parent))
    assert script is not None
    system = os.environ | {"PATH": "/usr/bin:/bin", "GECVAL_QUIET": "1"}
    shown = run(*(PROGRAM if as_module else [script]), "demo", "-o", "my demo", cwd=tmp_path, env=system)
    assert (shown.returncode, shown.stderr) == (0, "")
    label, pasted = shown.stdout.splitlines()[-1].split(":  ")
    assert label == "Your turn"
    tried = run("bash", "-c", pasted, cwd=tmp_path, env=system)
    assert (tried.returncode, "[0.777, 0.853]" in tried.stdout) == (0, True), tried.stdout + tried.stderr
