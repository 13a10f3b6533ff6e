"""Where the real data lie, and how Hypothesis looks for counterexamples: the same way every time, and briefly."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from real_data import WANT, RealData

TESTS = Path(__file__).parent
pytest_plugins = ["command_line", "snapshots"]

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
# `make test-fast` tries fewer examples.
settings.register_profile("quick", settings.get_profile("gecval"), max_examples=20)
# `make fuzz` looks elsewhere and for longer, as --hypothesis-seed says.
settings.register_profile(
    "fuzz",
    settings.get_profile("gecval"),
    derandomize=False,
    max_examples=int(os.environ.get("GECVAL_EXAMPLES", "1000")),
)


# The slow half: browsers, PostgreSQL, engines, blocks of the documentation, models, tables of papers, programs that are
# killed. Each line is a folder or file below tests; `make test-fast` leaves them out. A single test has the marker
# itself.
SLOW = (
    "browser/",
    "docs/test_examples.py",
    "docs/test_pages.py",
    "docs/test_site.py",
    "board/test_killed.py",
    "board/test_postgres.py",
    "runtime/test_backends.py",
    "runtime/test_places.py",
    "runtime/test_processes.py",
    "models/test_language_model.py",
    "models/test_languagetool",
    "models/test_packed_texts.py",
    "studies/doctor/test_doctor_of_corpora.py",
    "studies/pairs/test_engines.py",
    "studies/reproduce/test_reproduce_seeda.py",
    "studies/reproduce/test_reproduced_papers.py",
    "studies/validate/test_agreement_table.py",
    "cli/test_as_a_program.py",
    "cli/test_board_command.py",
    "cli/test_every_format.py",
    "cli/test_every_option.py",
)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Files of tests have no doctests: to look for some would import each of them twice."""
    collectors = yield
    tests = file_path.name.startswith("test_")
    return [collector for collector in collectors if not (tests and isinstance(collector, DoctestModule))]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the slow half. Tests of the board run on SQLite quickly; the fixture of PostgreSQL has the marker itself.

    Where several processes share the tests, each gets a file at a time. The slow ones come first, so that no process is
    left alone with them in the end.
    """
    for item in items:
        place = item.path.relative_to(TESTS).as_posix() if item.path.is_relative_to(TESTS) else str(item.path)
        if place.startswith(SLOW) or "postgres" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What models say is kept for this run only, not in the user's own cache. Processes of one run share it."""
    own = tmp_path_factory.getbasetemp()
    os.environ["GECVAL_CACHE"] = str((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache")


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of this test alone: what models said to others is not known."""
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path / "cache"))


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
