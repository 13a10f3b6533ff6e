"""Where the real data lie, and how Hypothesis looks for counterexamples: the same way every time, and briefly."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SHARED = Path(__file__).resolve().parents[2] / "shared"

settings.register_profile(
    "gecval",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("gecval")


def _folder(variable: str, default: Path) -> Path:
    folder = Path(os.environ.get(variable, default))
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}: set {variable} to the folder with the real files")
    return folder


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What models say is kept for this run only, not in the user's own cache."""
    os.environ["GECVAL_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The real corpora: $GECVAL_DATA, by default shared/data beside the repository."""
    return _folder("GECVAL_DATA", SHARED / "data")


@pytest.fixture(scope="session")
def golden() -> Path:
    """What the original tools gave: $GECVAL_GOLDEN, by default shared/golden beside the repository."""
    return _folder("GECVAL_GOLDEN", SHARED / "golden")
