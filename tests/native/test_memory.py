"""The kernels where memory is short: in a process of its own, which may have so much more than it has at the start."""

import os
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit a process's memory")

START = """
import resource
from pathlib import Path
from gecval import Corpus, Edit, Reference, metric
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import Run

def score(spelling, source, hypothesis, reference, *, megabytes, sentences=1, jobs=1):
    corpus = Corpus([source] * sentences, [[reference]] * sentences)
    scored = metric(spelling)  # what it imports does not count
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    system = corpus.system("h", [hypothesis] * sentences)
    print(Evaluation.of(scored, corpus, system, run=Run(jobs=jobs)).score())

words = [f"w{i % 5000}" for i in range(12_000)]
source = " ".join(words)
"""


def printed(code: str, *, stack: int | None = None) -> str:
    """What a process prints whose threads take so many bytes of addresses each; by default 8 MB."""
    limit = [] if stack is None else ["prlimit", f"--stack={stack}:"]
    command = [*limit, sys.executable, "-c", START + code]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


BLEU = 'score("bleu", "a b c d", "a b c e", Reference("a b c e"), sentences=40_000, '


def test_a_thousand_jobs() -> None:
    """There are never more threads than twice the cores: a thousand would take 8 GB of addresses from the work."""
    megabytes = 200 + 160 * (os.cpu_count() or 1)  # a stack and a heap for each
    assert printed(BLEU + f"megabytes={megabytes}, jobs=1000)") == "1.0"


@pytest.mark.skipif(not shutil.which("prlimit"), reason="needs prlimit")
def test_threads_that_cannot_be_started() -> None:
    """A thread would take a gigabyte, so that none starts. The thread that is there does the work."""
    assert printed(BLEU + "megabytes=100, jobs=4)", stack=2**30) == "1.0"


def test_index_match_of_a_long_text() -> None:
    """12,000 by 12,000 words at two bits each are 36 MB; as integers they were 576."""
    code = 'score("index-match", source, source + " x", Reference(source + " y"), megabytes=200)'
    assert printed(code) == "1.0"


def test_m2_of_a_long_text_that_hardly_changes() -> None:
    """12,000 by 12,000 cells would be gigabytes. Those that shortest paths can pass are a hundred thousand."""
    code = """
words[5000:5003] = ["x", "y"]
edits = (Edit(5000, 5003, ("x y",)),)
score("m2", source, " ".join(words), Reference(edits=edits), megabytes=100)
"""
    assert printed(code) == "1.0"
