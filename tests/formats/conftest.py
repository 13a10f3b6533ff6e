"""A registry with one small data set, ``toy``, and a server that has its files."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gecval.formats.datasets import catalog, fetching
from mirror import Mirror, serve
from toy_dataset import CONTENTS, PATHS, facts


@pytest.fixture
def sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A registry with one set, ``toy``; its folder, so that tests can add others."""
    folder = tmp_path / "registry"
    folder.mkdir()
    (folder / "toy.json").write_text(json.dumps(facts(CONTENTS)))
    monkeypatch.setattr(catalog, "FOLDER", folder)
    catalog.datasets.cache_clear()
    yield folder
    catalog.datasets.cache_clear()


@pytest.fixture
def mirror(sets: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    with serve() as mirror:
        mirror.files = {PATHS[name]: text for name, text in CONTENTS.items()}
        monkeypatch.setenv("GECVAL_MIRROR", mirror.address)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        monkeypatch.setattr(fetching, "PAUSES_S", (0.0, 0.0, 0.0))
        yield mirror


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "data"
