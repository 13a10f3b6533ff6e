"""gecval maege --backend, as typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ways import MAEGE, write_small_files


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    write_small_files(folder)


def test_the_same_on_processes(gecval) -> None:
    here = gecval(f"{MAEGE} --replicates 2 --format json")
    there = gecval(f"{MAEGE} --replicates 2 --format json --backend processes:2")
    assert (there.status, there.out) == (0, here.out)


def test_refusals(refused) -> None:
    said = "'moon' is no backend: write processes, processes:8, dask://host:port or ray://host:port (option --backend)"
    assert refused(f"{MAEGE} --backend moon") == said
    assert refused(f"{MAEGE} --backend processes --jobs 2") == (
        "--jobs changes nothing with --backend, which has its own workers"
    )
