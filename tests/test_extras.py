"""Tests of parts that are not installed skip by name; where all is installed, a failure is a failure."""

from __future__ import annotations

import pytest

import extras
from gecval.errors import MissingExtraError


def failed(text: str = "") -> pytest.TestReport:
    return pytest.TestReport(
        nodeid="t", location=("tests/t.py", 4, "t"), keywords={}, outcome="failed", longrepr=text, when="call"
    )


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where no extra but pandas is installed."""
    monkeypatch.setattr(extras, "missing", lambda extra: extra != "pandas")


def skipped(report: pytest.TestReport) -> object:
    extras.skip_if_missing(report)
    return report.outcome == "skipped" and report.longrepr


@pytest.mark.usefixtures("lacking")
def test_what_a_test_or_its_program_lacked_is_named() -> None:
    said = ("tests/t.py", 5, "needs the extra: pip install 'gecval[errant]'")
    assert skipped(failed("gecval: errant needs an optional part: pip install 'gecval[errant]'")) == said
    assert not skipped(failed("pip install 'gecval[pandas]'"))  # it is installed
    assert not skipped(failed("assert 1 == 2"))
    extras.pytest_runtest_setup()
    with pytest.raises(MissingExtraError):
        raise MissingExtraError("annotating", "errant")
    assert skipped(failed("assert 1 == 2")) == said
    extras.pytest_runtest_setup()


def test_nothing_is_missing_where_all_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["numpy>=1", 'rich>=1; extra == "here"', 'no-such-package; extra == "gone"']
    lines += ['gecval[gone,here]; extra == "all"', 'gecval[here]; extra == "some"']
    monkeypatch.setattr(extras, "requires", lambda name: lines)
    extras.missing.cache_clear()
    assert [extras.missing(extra) for extra in ("here", "some", "gone", "all", "unknown")] == [
        False,
        False,
        True,
        True,
        False,
    ]
    extras.missing.cache_clear()
