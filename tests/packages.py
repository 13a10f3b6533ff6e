"""Packages of other people, installed as pip would install them: a module, its metadata and its entry points."""

from __future__ import annotations

from pathlib import Path

import pytest


def install(site: Path, name: str, module: str, entry_points: str) -> None:
    """Write a package of one module into a folder that ``use`` puts on the path."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (site / f"{name}.py").write_text(module, encoding="utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(entry_points, encoding="utf-8")


def use(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process, and those that it starts, find the packages."""
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("PYTHONPATH", str(site))
