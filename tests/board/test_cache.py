"""Pages that were made before: fresh where something changed, compressed where asked, old ones only for a moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from board import making
from board.serving import Served
from gecval.board.web import cache


@pytest.fixture
def served(database, settings) -> Served:
    made = Served(database, settings)
    made.benchmark(data=making.small_data(decoys=()))
    return made


def test_a_page_is_made_again_where_something_changed(served, monkeypatch) -> None:
    monkeypatch.setattr("gecval.board.clock._clock", lambda: 1_800_000_000.0)  # no page grows too old
    browser, made = served.browser(), []
    renewed = cache.PageCache._renewed
    monkeypatch.setattr(cache.PageCache, "_renewed", lambda *given: (made.append(1), renewed(*given))[1])
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
    monkeypatch.setattr(cache, "OLDEST", 3600.0)  # however slow this machine is
    browser = served.browser()
    browser.get("/b/small")
    served.browser("anna").submit("small")
    served.work()
    begun, go_on = Event(), Event()
    render = cache.gzip.compress

    def slow(*given: object, **more: object) -> bytes:
        begun.set()
        assert go_on.wait(30)
        return render(*given, **more)

    monkeypatch.setattr(cache.gzip, "compress", slow)
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(lambda: served.browser().get("/b/small"))
        assert begun.wait(30)
        assert "mine" not in browser.get("/b/small")  # the last page
        monkeypatch.setattr(cache, "OLDEST", 0.0)
        second = ThreadPoolExecutor(1).submit(lambda: served.browser().get("/b/small"))
        assert not second.done()  # the last one is too old: this one waits
        go_on.set()
        assert "mine" in first.result(30)
        assert "mine" in second.result(30)
