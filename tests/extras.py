"""A test that fails because an optional part is not installed is skipped, and says which part.

Where all extras are installed, nothing is skipped: a test fails as ever. This is a plugin of pytest, since the doctests
in ``src`` are tests too.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution, requires

import pytest

from gecval.errors import MissingExtraError

INSTALL = re.compile(r"pip install '?gecval\[(\w+)\]")
REQUIREMENT = re.compile(r"([\w.\-]+)(?:\[([\w,\-]+)\])?.*;.*extra == ['\"]([\w\-]+)['\"]")
_ASKED: list[str] = []  # the extras that this test lacked


def pytest_configure() -> None:
    """Note from now on which extras are asked for in vain."""
    make = MissingExtraError.__init__

    def noted(self: MissingExtraError, what: str, extra: str) -> None:
        _ASKED.append(extra)
        make(self, what, extra)

    MissingExtraError.__init__ = noted  # type: ignore[method-assign]


def pytest_runtest_setup() -> None:
    _ASKED.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    skip_if_missing(report)
    return report


def skip_if_missing(report: pytest.TestReport) -> None:
    """Turn a failure into a skip where the test, or a program that it ran, lacked an extra."""
    named = [*_ASKED, *INSTALL.findall(f"{report.longreprtext}\n{report.capstdout}\n{report.capstderr}")]
    extra = next((name for name in named if missing(name)), None)
    if report.failed and extra is not None:
        path, line, _ = report.location
        report.outcome = "skipped"
        report.longrepr = (path, (line or 0) + 1, f"needs the extra: pip install 'gecval[{extra}]'")


@lru_cache
def missing(extra: str) -> bool:
    """Whether some package of an extra is not installed."""
    wanted = [match for line in requires("gecval") or () if (match := REQUIREMENT.match(line)) and match[3] == extra]
    return any(
        any(map(missing, match[2].split(","))) if match[1] == "gecval" else not _installed(match[1]) for match in wanted
    )


def _installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True
