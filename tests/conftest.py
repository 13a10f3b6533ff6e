"""Where the real data lie, and how Hypothesis looks for counterexamples: the same way every time, and briefly."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from real_data import WANT, RealData

# Libraries of numbers start a thread per core and let them wait for each other in a loop. Where several processes of
# tests share the cores, that takes several times as long as one thread each; a test that wants more says so itself.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

settings.register_profile(
    "gecval",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("gecval")
# `make fuzz` looks elsewhere and for longer, as --hypothesis-seed says.
settings.register_profile(
    "fuzz",
    settings.get_profile("gecval"),
    derandomize=False,
    max_examples=int(os.environ.get("GECVAL_EXAMPLES", "1000")),
)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What models say is kept for this run only, not in the user's own cache. Processes of one run share it."""
    own = tmp_path_factory.getbasetemp()
    os.environ["GECVAL_CACHE"] = str((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache")


@pytest.fixture(scope="session")
def data() -> Path:
    """The real corpora, in $GECVAL_DATA; a test that asks for a set that is not there is skipped."""
    return RealData(_folder("GECVAL_DATA"))


@pytest.fixture(scope="session")
def golden() -> Path:
    """What the original tools gave, in $GECVAL_GOLDEN."""
    return _folder("GECVAL_GOLDEN")


def _folder(variable: str) -> Path:
    folder = os.environ.get(variable)
    if not folder or not Path(folder).is_dir():
        pytest.skip(f"{WANT}: {variable} names no folder")
    return Path(folder)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once how to get real data, instead of once for each test that wants it."""
    skipped = terminalreporter.stats.get("skipped", [])
    wanting = [report for report in skipped if WANT in str(report.longrepr)]
    if wanting:
        terminalreporter.stats["skipped"] = [report for report in skipped if report not in wanting]
        terminalreporter.stats[f"skipped: {WANT}"] = wanting
        terminalreporter.write_line(
            f"{len(wanting)} tests skipped: {WANT}. Run `gecval data list`, then `gecval data fetch NAME...`, and set "
            "GECVAL_DATA to the folder that it shows; GECVAL_GOLDEN to the results of the original tools."
        )
