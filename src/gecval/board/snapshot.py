"""A board as a folder of pages that need no server: what anybody may see, from the same templates, without forms.

The pages are asked for as a visitor without an account asks for them, so that ``access`` decides what goes in. Links
between them become names of files; a link to anything else of the board becomes plain text.
"""

from __future__ import annotations

import asyncio
import posixpath
import re
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx

from gecval.board.database.session import Database
from gecval.board.database.storage import digest
from gecval.board.export_import import new_archive
from gecval.board.settings import Settings
from gecval.board.web.app import make_app
from gecval.errors import InputError

MAX_PAGES = 20_000
BARRED = ("submit", "submissions", "sentences", "against", "passport", "report", "settings", "judge")
WHOLE = ("/theme.css", "/static/style.css", "/static/icon.svg")
_HREF = re.compile(r'href="[^"]*"')
_DROPPED = ("form", "script", "nav")


def take_snapshot(database: Database, settings: Settings, folder: Path) -> int:
    """Write the snapshot into a new folder; how many pages it has."""
    # In a thread of its own: where there is an event loop already, as in a notebook, there can be no second one.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(_write(database, settings, folder))).result()


async def _write(database: Database, settings: Settings, folder: Path) -> int:
    app = make_app(settings, database)
    transport = httpx.ASGITransport(app=app)
    pages: dict[str, str] = {"/": "index.html"}
    waiting = deque(pages)
    count = 0
    with new_archive(folder, public=True) as archive:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as visitor:
            for path in WHOLE:
                archive.write(posixpath.basename(path), (await visitor.get(path)).content)
                pages[path] = posixpath.basename(path)
            while waiting:
                address = waiting.popleft()
                answer = await visitor.get(address)
                if answer.status_code != 200:
                    raise InputError(f"the page {address} is not to be had: {answer.status_code}")
                content = answer.content
                if "html" in answer.headers["content-type"]:
                    for link in _find_links(answer.text, address):
                        if link not in pages and _is_wanted(link):
                            pages[link] = _file_name(link)
                            waiting.append(link)
                    content = _make_static(answer.text, address, pages).encode()
                archive.write(pages[address], content)
                count += 1
                if count > MAX_PAGES:
                    raise InputError(f"the snapshot has more than {MAX_PAGES} pages")
    return count


def _is_wanted(link: str) -> bool:
    """Whether a link leads to a page or a file of a public benchmark."""
    parts = urlsplit(link).path.split("/")
    if parts[1:2] == ["api"]:
        return parts[2:3] == ["benchmarks"]
    return parts[1:2] in (["b"], ["c"]) and not any(part in BARRED for part in parts[3:])


def _file_name(link: str) -> str:
    """The name of a page in the folder: readable where there is no query.

    >>> _file_name("/b/conll14"), _file_name("/b/conll14/leaderboard.csv?version=1")
    ('b-conll14.html', 'b-conll14-leaderboard-e4f056fd.csv')
    """
    parts = urlsplit(link)
    stem, suffix = posixpath.splitext("-".join(parts.path.strip("/").split("/")))
    if parts.path.startswith("/api/"):
        stem, suffix = stem + suffix, ".json"
    elif "/files/" not in parts.path and suffix not in (".csv", ".xml", ".jsonl"):
        stem, suffix = stem + suffix, ".html"
    return f"{stem}-{digest(parts.query)[:8]}{suffix}" if parse_qsl(parts.query) else f"{stem}{suffix}"


class _Reader(HTMLParser):
    """Hears the links of a page."""

    def __init__(self, base: str) -> None:
        super().__init__(convert_charrefs=False)
        self.base = base
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        address = dict(attrs).get("href")
        if tag == "a" and address and address.startswith(("/", "?")):
            self.links.append(urljoin(self.base, address))


def _find_links(page: str, base: str) -> list[str]:
    reader = _Reader(base)
    reader.feed(page)
    return list(dict.fromkeys(reader.links))


class _PageWriter(HTMLParser):
    """Writes a page again: links become names of files, and what needs a server is left out."""

    def __init__(self, base: str, pages: dict[str, str]) -> None:
        super().__init__(convert_charrefs=False)
        self.base, self.pages = base, pages
        self.text: list[str] = []
        self.dropped: list[str] = []  # elements that are open and left out with all that they hold
        self.bare = False  # whether a link is open that is left out, but not what it holds

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        address = attributes.get("href") or ""
        ours = address.startswith(("/", "?"))
        name = self.pages.get(urljoin(self.base, address)) if ours else None
        lost = tag == "a" and ours and name is None
        if tag in _DROPPED or (lost and "button" in (attributes.get("class") or "")):
            self.dropped.append(tag)
        if self.dropped:
            return
        if lost:
            self.bare = True
            return
        whole = self.get_starttag_text() or ""
        self.text.append(_HREF.sub(lambda _: f'href="{escape(name)}"', whole, count=1) if name else whole)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self.dropped:
            self.text.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if self.dropped:
            if tag == self.dropped[-1]:
                self.dropped.pop()
        elif tag == "a" and self.bare:
            self.bare = False
        else:
            self.text.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self.dropped:
            self.text.append(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self.text.append(f"<!{decl}>")


def _make_static(page: str, base: str, pages: dict[str, str]) -> str:
    writer = _PageWriter(base, pages)
    writer.feed(page)
    writer.close()
    return "".join(writer.text)
