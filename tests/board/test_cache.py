"""Pages that were made before: fresh where something changed, compressed where asked, old ones only for a moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import SimpleNamespace

import pytest
from fastapi.responses import HTMLResponse

from board import making
from board.serving import Served
from gecval.board.access import NOBODY
from gecval.board.database.storage import record
from gecval.board.web.pages import benchmark


@pytest.fixture
def served(database, settings) -> Served:
    made = Served(database, settings)
    made.benchmark(data=making.small_data(decoys=()))
    return made


def test_a_page_is_made_again_where_something_changed(served, monkeypatch) -> None:
    monkeypatch.setattr("gecval.board.clock._clock", lambda: 1_800_000_000.0)  # no page grows too old
    browser, made = served.browser(), []
    renewed = benchmark.PageCache._renew
    monkeypatch.setattr(benchmark.PageCache, "_renew", lambda *given: (made.append(1), renewed(*given))[1])
    assert "Nothing is scored yet" in browser.get("/b/small")
    browser.get("/b/small")
    assert len(made) == 1
    served.browser("anna").submit("small")
    assert "1 waiting" in browser.get("/b/small")
    assert len(made) == 2
    served.work()
    assert "mine" in browser.get("/b/small")
    browser.get("/b/small")
    assert len(made) == 3
    assert "mine" in browser.get("/b/small?sort=accuracy")
    assert len(made) == 4


def test_pages_are_compressed_for_who_takes_it(served) -> None:
    client = served.browser().client
    plain = client.get("/b/small", headers={"Accept-Encoding": "br"})
    small = client.get("/b/small", headers={"Accept-Encoding": "br, gzip;q=0.8"})
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert plain.headers["vary"] == small.headers["vary"] == "Accept-Encoding"
    assert plain.text == small.text
    assert int(small.headers["content-length"]) < int(plain.headers["content-length"])


def test_while_one_waits_for_the_new_page_others_get_the_last(served, monkeypatch) -> None:
    monkeypatch.setattr("gecval.board.clock._clock", lambda: 1_800_000_000.0)
    monkeypatch.setattr(benchmark, "MAX_AGE", 3600.0)  # however slow this machine is
    browser = served.browser()
    browser.get("/b/small")
    served.browser("anna").submit("small")
    served.work()
    begun, go_on = Event(), Event()
    render = benchmark.gzip.compress

    def slow(*given: object, **more: object) -> bytes:
        begun.set()
        assert go_on.wait(30)
        return render(*given, **more)

    monkeypatch.setattr(benchmark.gzip, "compress", slow)
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(lambda: served.browser().get("/b/small"))
        assert begun.wait(30)
        assert "mine" not in browser.get("/b/small")  # the last page
        monkeypatch.setattr(benchmark, "MAX_AGE", 0.0)
        second = ThreadPoolExecutor(1).submit(lambda: served.browser().get("/b/small"))
        assert not second.done()  # the last one is too old: this one waits
        go_on.set()
        assert "mine" in first.result(30)
        assert "mine" in second.result(30)


class Pages:
    """A cache that is asked for pages by name; ``made`` lists those that had to be made."""

    def __init__(self, session) -> None:
        self.cache, self.session, self.made = benchmark.PageCache(), session, []

    def ask(self, name: str, query: str = "") -> None:
        url = SimpleNamespace(path=f"/b/{name}", query=query)
        asked = SimpleNamespace(viewer=NOBODY, request=SimpleNamespace(url=url, headers={}))
        answer = self.cache.answer(asked, self.session, lambda: self.made.append(name + query) or HTMLResponse(name))
        assert answer.body == name.encode()


def test_sixty_four_pages_are_kept(on_sqlite, monkeypatch) -> None:
    monkeypatch.setattr("gecval.board.clock._clock", lambda: 1_800_000_000.0)
    with on_sqlite.read() as session:
        pages = Pages(session)
        for number in range(64):
            pages.ask(str(number))
        pages.ask("0")
        assert len(pages.made) == 64
        pages.ask("64")
        pages.ask("63")
        pages.ask("1")
        assert pages.made[64:] == ["64"]
        pages.ask("0", "sort=x")
        assert pages.made[65:] == ["0sort=x"]
        pages.ask("0")  # it was the oldest
        assert pages.made[66:] == ["0"]


def test_a_page_holds_for_five_seconds_and_until_a_trace(on_sqlite, monkeypatch) -> None:
    time = [1_800_000_000.0]
    monkeypatch.setattr("gecval.board.clock._clock", lambda: time[0])
    with on_sqlite.read() as session:
        pages = Pages(session)
        for seconds, made in ((0.0, 1), (4.9, 1), (5.0, 2), (9.9, 2), (10.0, 3)):
            time[0] = 1_800_000_000.0 + seconds
            pages.ask("a")
            assert len(pages.made) == made
        states: dict[str, int] = {}
        monkeypatch.setattr(benchmark.queue, "count_by_state", lambda _: dict(states))
        for change, made in (
            ({"queued": 2}, 4),
            ({"queued": 1, "leased": 1}, 4),  # a page does not tell one from the other
            ({"leased": 1}, 5),
            ({"leased": 1, "done": 1}, 6),
        ):
            states.clear()
            states.update(change)
            pages.ask("a")
            assert len(pages.made) == made
    with on_sqlite.write() as session:
        record(session, "olga", "test", "nothing")
        record(session, "olga", "test", "nothing")
    with on_sqlite.read() as session:
        pages.session = session
        pages.ask("a")
    assert len(pages.made) == 7
    with on_sqlite.write() as session:
        record(session, "olga", "test", "nothing")
    with on_sqlite.read() as session:
        pages.session = session
        pages.ask("a")
    assert len(pages.made) == 8


@pytest.mark.parametrize(("age", "waits"), [(29.0, False), (30.0, False), (30.5, True), (60.0, True)])
def test_a_page_that_is_too_old_is_waited_for(monkeypatch, age: float, waits: bool) -> None:
    tried = []
    pages = benchmark.PageCache(_lock=SimpleNamespace(acquire=lambda blocking: tried.append(blocking), release=None))
    last = benchmark.CachedPage(b"last", b"", (0,), 1000.0)
    monkeypatch.setattr(benchmark.time, "monotonic", lambda: 1000.0 + age)
    assert pages._renew(("a", ""), (1,), last, None) is last
    assert tried == [waits]
