"""The pieces of a snapshot: which links are followed, what files are called, and what is left of a page."""

from __future__ import annotations

import pytest

from gecval.board import snapshot
from gecval.board.secret import digest
from gecval.board.snapshot import _file, _links, _still, _wanted, take_snapshot
from gecval.errors import InputError


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
    assert _wanted(link) is wanted


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
    assert _file(link) == name


def test_links_of_a_page() -> None:
    page = '<a href="/b/x">x</a><a href="?sort=y">y</a><a href="#z">z</a><a href="http://e.org">e</a>'
    page += '<link href="/s.css"><a>n</a>'
    assert _links(page + '<a href="/b/x">again</a>', "/b/here") == ["/b/x", "/b/here?sort=y"]


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
    assert _still(page, "/b/here", pages) == (
        '<!doctype html><head><link rel="s" href="s.css"><link href="/t.css"></head>'
        '<a href="b-x.html" class="k">x &amp; &#233; y</a> <a href="b-here-y.html">y</a> <b>lost</b>'
        '<a href="#top">top</a><a href="http://e.org">e</a><hr/>'
        "<p>end</p>"
    )


def test_a_snapshot_has_a_bound(on_sqlite, settings, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(snapshot, "MOST_PAGES", 1)
    assert take_snapshot(on_sqlite, settings, tmp_path / "one") == 1
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [
        *("icon.svg", "index.html", "style.css", "theme.css")
    ]
    monkeypatch.setattr(snapshot, "MOST_PAGES", 0)
    with pytest.raises(InputError, match=r"^the snapshot has more than 0 pages$"):
        take_snapshot(on_sqlite, settings, tmp_path / "none")
    assert not (tmp_path / "none").exists()
