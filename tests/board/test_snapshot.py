"""A static snapshot: what anybody may see, links that lead to files, and nothing that needs a server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the board needs gecval[board]")
from board import making
from board.serving import Served
from gecval.board.snapshot import take_snapshot
from gecval.errors import InputError


def test_a_snapshot_holds_the_public_leaderboards(database, settings, tmp_path: Path) -> None:
    served = Served(database, settings)
    public = served.benchmark(name="Public one", data=making.small_data(hidden=True))
    private = served.benchmark(name="Private one", visibility="private")
    linked = served.benchmark(name="Linked one", visibility="link")
    served.browser("anna").submit(public, system="<b>mine</b>")
    served.work()
    count = take_snapshot(database, settings, tmp_path / "site")
    pages = {path.name: path.read_text("utf-8") for path in (tmp_path / "site").iterdir()}
    assert count == len(pages) - 3  # three are styles and the icon
    assert "Public one" in pages["index.html"]
    text = "".join(pages.values())
    for name in (
        "Private one",
        "Linked one",
        private,
        linked,
        making.FIRST.splitlines()[1],
        "<form",
        "<script",
        "csrf",
    ):
        assert name not in text
    board = pages["b-public-one.html"]
    assert "&lt;b&gt;mine&lt;/b&gt;" in board
    assert "Log in" not in board
    for page, content in pages.items():
        if page.endswith(".html"):
            links = re.findall(r'href="([^"]*)"', content)
            assert all(link in pages or link.startswith("#") for link in links), page
            assert content.count("<svg") == content.count("</svg>")
            assert content.count("<a ") == content.count("</a>")
    assert any(name.endswith(".csv") for name in pages)
    assert any("-systems-" in name for name in pages)
    assert pages[next(name for name in pages if name.startswith("b-public-one-files-src"))] == making.SOURCE
    with pytest.raises(InputError, match="exists already"):
        take_snapshot(database, settings, tmp_path / "site")
