"""Every command and every Python block of the documentation runs as written and prints what the page shows."""

from __future__ import annotations

import os
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path

import pytest

from docs.folder import fill, missing
from docs.pages import PAGES, Step, steps
from docs.session import Session, matches
from real_data import WANT

STEPS = [step for page in PAGES for step in steps(page)]
Print = Callable[[Step], list[str]]


@pytest.fixture(scope="session")
def printed(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Print:
    """Runs a step after those before it on its page, each once."""
    sessions: dict[str, Session] = {}
    known: dict[Step, list[str] | Exception | pytest.skip.Exception] = {}
    failures: dict[str, Exception] = {}

    def session(page: str) -> Session:
        if page not in sessions:
            folder = tmp_path_factory.mktemp("page")
            try:
                data: Path | None = Path(request.getfixturevalue("data"))  # plain: a missing set skips few steps
            except pytest.skip.Exception:
                data = None
            fill(folder, data)
            sessions[page] = Session(folder)
        return sessions[page]

    def run(step: Step) -> list[str]:
        reader = session(step.page)
        if step.not_run:
            pytest.skip(f"not run: {step.not_run}")
        if step.slow and os.environ.get("GECVAL_SLOW") != "1":
            pytest.skip("slow: set GECVAL_SLOW=1 to run it")
        block = [other for other in STEPS if (other.page, other.block) == (step.page, step.block)]
        if any(missing(other, reader.folder) for other in block):
            pytest.skip(f"{WANT}: the folder lacks files that {step.page} uses")
        return reader.run(step)

    def run_up_to(step: Step) -> list[str]:
        for other in STEPS:
            if other.page == step.page and other not in known:
                try:
                    known[other] = run(other)
                except (Exception, pytest.skip.Exception) as error:
                    if isinstance(error, Exception):
                        # What a step lacks may be what the first that failed should have made.
                        error.__cause__ = failures.get(other.page)
                        failures.setdefault(other.page, error)
                    known[other] = error
            if other is step:
                break
        outcome = known[step]
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    return run_up_to


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_prints_what_the_page_shows(step: Step, printed: Print) -> None:
    lines = printed(step)
    if not matches(list(step.shown), lines):
        difference = unified_diff(list(step.shown), lines, "the page shows", "printed now", lineterm="", n=1)
        pytest.fail(
            "\n".join([f"{step}: {step.code}", *difference, "If this is right: make docs-output"]), pytrace=False
        )


def test_every_page_is_read() -> None:
    assert len(STEPS) > 40
    assert len({step.page for step in STEPS}) > 10
