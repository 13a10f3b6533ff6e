"""Public pages in a folder, without a server: what goes in, and what needs a server is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gecval.board import snapshot
from gecval.board.database.storage import digest
from gecval.board.snapshot import _file_name, _find_links, _is_wanted, _make_static, take_snapshot
from gecval.errors import InputError

pytest.importorskip("fastapi", reason="the board needs gecval[board]")
from board import making
from board.serving import Served


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


@pytest.mark.parametrize(
    ("link", "wanted"),
    [
        ("/b/small", True),
        ("/b/small?sort=gleu", True),
        ("/b/submit", True),  # a benchmark of this name
        ("/b/small/systems/1", True),
        ("/b/small/systems/1/sentences?page=2", False),
        ("/b/small/submit", False),
        ("/c/1", True),
        ("/c/1/judge", False),
        ("/api/benchmarks/small/leaderboard", True),
        ("/api/queue", False),
        ("/account", False),
        ("/", False),
    ],
)
def test_links_that_are_followed(link: str, wanted: bool) -> None:
    assert _is_wanted(link) is wanted


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("/b/small", "b-small.html"),
        ("/b/small?", "b-small.html"),
        ("/b/v1.2", "b-v1.2.html"),
        ("/b/small?version=1", f"b-small-{digest('version=1')[:8]}.html"),
        ("/b/small/leaderboard.csv", "b-small-leaderboard.csv"),
        ("/c/1/judgments.xml", "c-1-judgments.xml"),
        ("/c/1/judgments.jsonl", "c-1-judgments.jsonl"),
        ("/b/small/files/gold.m2", "b-small-files-gold.m2"),
        ("/api/benchmarks/v1.2/leaderboard", "api-benchmarks-v1.2-leaderboard.json"),
    ],
)
def test_names_of_files(link: str, name: str) -> None:
    assert _file_name(link) == name


def test_links_of_a_page() -> None:
    page = '<a href="/b/x">x</a><a href="?sort=y">y</a><a href="#z">z</a><a href="http://e.org">e</a>'
    page += '<link href="/s.css"><a>n</a>'
    assert _find_links(page + '<a href="/b/x">again</a>', "/b/here") == ["/b/x", "/b/here?sort=y"]


def test_what_is_left_of_a_page() -> None:
    pages = {"/b/x": "b-x.html", "/b/here?sort=y": "b-here-y.html", "/s.css": "s.css"}
    page = (
        '<!doctype html><head><link rel="s" href="/s.css"><link href="/t.css"></head>'
        '<nav><a href="/b/x">gone</a><form><b>too</b></form></nav>'
        '<a href="/b/x" class="k">x &amp; &#233; y</a> <a href="?sort=y">y</a> <a href="/lost"><b>lost</b></a>'
        '<a class="button main" href="/lost">Submit &lt;<br/></a>'
        '<a href="#top">top</a><a href="http://e.org">e</a><hr/>'
        "<form><input><p>form</p></form><script>x()</script><p>end</p>"
    )
    assert _make_static(page, "/b/here", pages) == (
        '<!doctype html><head><link rel="s" href="s.css"><link href="/t.css"></head>'
        '<a href="b-x.html" class="k">x &amp; &#233; y</a> <a href="b-here-y.html">y</a> <b>lost</b>'
        '<a href="#top">top</a><a href="http://e.org">e</a><hr/>'
        "<p>end</p>"
    )


def test_a_snapshot_has_a_bound(on_sqlite, settings, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(snapshot, "MAX_PAGES", 1)
    assert take_snapshot(on_sqlite, settings, tmp_path / "one") == 1
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [
        *("icon.svg", "index.html", "style.css", "theme.css")
    ]
    monkeypatch.setattr(snapshot, "MAX_PAGES", 0)
    with pytest.raises(InputError, match=r"^the snapshot has more than 0 pages$"):
        take_snapshot(on_sqlite, settings, tmp_path / "none")
    assert not (tmp_path / "none").exists()
