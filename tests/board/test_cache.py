"""Pages that were made before: fresh where something changed, compressed where asked, old ones only for a moment."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from types import SimpleNamespace

import pytest
from sqlalchemy import select

from board import making
from board.serving import Served
from gecval.board import accounts, clock, score_cache, submissions
from gecval.board.access import NOBODY
from gecval.board.database.models import Phase, Submission, System, User
from gecval.board.database.storage import record
from gecval.board.web import api
from gecval.board.web.pages import benchmark
from gecval.board.web.security import Piece


@pytest.fixture
def served(database, settings) -> Served:
    made = Served(database, settings)
    made.benchmark(data=making.small_data(decoys=()))
    return made


def test_a_page_is_made_again_where_something_changed(served, monkeypatch) -> None:
    monkeypatch.setattr("gecval.board.clock.read_clock", lambda: 1_800_000_000.0)  # no page grows too old
    browser, made = served.browser(), []
    renewed = benchmark.PageCache._renew
    monkeypatch.setattr(
        benchmark.PageCache, "_renew", lambda *given, **more: (made.append(1), renewed(*given, **more))[1]
    )
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


@pytest.mark.parametrize("address", ["/b/small", "/people", "/new"])
def test_so_are_pages_of_who_is_logged_in_without_telling_of_their_secret(served, address) -> None:
    client = served.browser("olga").client
    plain = client.get(address, headers={"Accept-Encoding": "br"})
    small = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert plain.text == small.text
    assert int(small.headers["content-length"]) < 0.75 * int(plain.headers["content-length"])
    [token] = set(re.findall(r'name="csrf" value="(\w+)"', plain.text))
    with client.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as answer:
        sent = b"".join(answer.iter_raw())
    assert sent.count(token.encode()) == plain.text.count(token)  # it stands there as it is: no guess makes it shorter


def test_while_one_waits_for_the_new_page_others_get_the_last(served, monkeypatch) -> None:
    monkeypatch.setattr("gecval.board.clock.read_clock", lambda: 1_800_000_000.0)
    monkeypatch.setattr(benchmark, "MAX_AGE", 3600.0)  # however slow this machine is
    browser = served.browser()
    browser.get("/b/small")
    served.browser("anna").submit("small")
    served.work()
    begun, go_on = Event(), Event()
    make = benchmark.make_leaderboard

    def slow(*given: object, **more: object) -> object:
        begun.set()
        assert go_on.wait(30)
        return make(*given, **more)

    monkeypatch.setattr(benchmark, "make_leaderboard", slow)
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


PAGES = ("/b/small", "/b/small/leaderboard.csv", "/b/small/changes", "/api/benchmarks/small/leaderboard")


@pytest.mark.parametrize("path", PAGES)
def test_who_changed_something_waits_for_the_new_page_and_others_do_not(served, monkeypatch, path: str) -> None:
    """Logged in or not. The system's team waits too, when it was scored."""
    monkeypatch.setattr(benchmark, "MAX_AGE", 3600.0)  # however slow this machine is
    monkeypatch.setattr(benchmark, "CLOCKS", -1.0)  # all that was before this page was made is on it
    time = [1_800_000_000.0]
    monkeypatch.setattr("gecval.board.clock.read_clock", lambda: time[0])
    browsers = {name: served.browser(name) for name in ("anna", "ben", "")}
    with served.database.write() as session:
        anna = session.scalar(select(User).where(User.name == "anna"))
        shown = {"anna": accounts.make_token(session, anna, name="t", scope="read", days=1)}

    def ask(name: str) -> str:
        headers = {"Authorization": f"Bearer {shown[name]}"} if path.startswith("/api") and name in shown else {}
        return browsers[name].client.get(path, headers=headers).text

    last = {name: ask(name) for name in ("", "ben", "anna")}
    time[0] += 2.0
    browsers["anna"].submit("small")
    served.work()
    with making_slowly(monkeypatch) as making:
        first = making.start(lambda: ask(""))
        assert making.begun.wait(30)
        assert ask("") == last[""]
        assert ask("ben") == last["ben"]
        waiting = making.start(lambda: ask("anna"))
        wait([waiting], timeout=0.2)
        assert not waiting.done()
        making.go_on.set()
        pages = [first.result(30), waiting.result(30)]
    if path != "/b/small/changes":  # there are none
        assert all("mine" in page for page in pages)


@dataclass
class Making:
    """Pages are begun, and made when the test says so."""

    threads: ThreadPoolExecutor
    begun: Event = field(default_factory=Event)
    go_on: Event = field(default_factory=Event)

    def start(self, ask: Callable[[], str]) -> Future[str]:
        return self.threads.submit(ask)


@contextmanager
def making_slowly(monkeypatch) -> Iterator[Making]:
    with ThreadPoolExecutor(2) as threads:
        making = Making(threads)
        for place, name in ((benchmark, "make_leaderboard"), (api, "make_leaderboard"), (benchmark, "list_changes")):
            make = getattr(place, name)

            def slow(*given: object, make: Callable[..., object] = make) -> object:
                making.begun.set()
                assert making.go_on.wait(30)
                return make(*given)

            monkeypatch.setattr(place, name, slow)
        try:
            yield making
        finally:
            making.go_on.set()


class Pages:
    """A cache that is asked for pages by name; ``made`` lists those that had to be made."""

    def __init__(self, session) -> None:
        self.cache, self.session, self.made = benchmark.PageCache(), session, []

    def ask(self, name: str, query: str = "") -> None:
        url = SimpleNamespace(path=f"/b/{name}", query=query)
        state = SimpleNamespace(pages=self.cache)
        request = SimpleNamespace(url=url, headers={}, app=SimpleNamespace(state=state))
        asked = SimpleNamespace(viewer=NOBODY, request=request, settings=None)
        found = benchmark.find_shared(
            asked, self.session, SimpleNamespace(phases=[]), lambda: self.made.append(name + query) or name
        )
        assert (found.before.content, found.answer(asked).body) == (name.encode(), name.encode())


def test_sixty_four_pages_are_kept(on_sqlite, monkeypatch) -> None:
    monkeypatch.setattr("gecval.board.clock.read_clock", lambda: 1_800_000_000.0)
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
    monkeypatch.setattr("gecval.board.clock.read_clock", lambda: time[0])
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
    lock = SimpleNamespace(acquire=lambda blocking=True: tried.append(blocking) or blocking, release=lambda: None)
    pages = benchmark.PageCache(_lock=lock)
    last, new = (benchmark.SharedText(Piece.of(text), None, (0,), 1000.0) for text in (b"last", b"new"))
    monkeypatch.setattr(benchmark.time, "monotonic", lambda: 1000.0 + age)

    def ask(*, patient: bool) -> benchmark.SharedText:
        given = {"asked": 0.0, "is_patient": lambda _: patient}
        return pages._renew(("a", "", False), (1,), last, lambda _: new, **given)

    assert ask(patient=False) is (new if waits else last)
    assert tried == [False] + [True] * waits
    assert ask(patient=True) is new
    assert tried[-2:] == [False, True]


def test_what_is_shared_is_made_once_and_what_is_personal_is_added(served, monkeypatch) -> None:
    """Pages, CSV, JSON and changes; organisers have theirs."""
    monkeypatch.setattr("gecval.board.clock.read_clock", lambda: 1_800_000_000.0)
    served.browser("anna").submit("small")
    served.work()
    made = []
    for place, name in ((benchmark, "make_leaderboard"), (api, "make_leaderboard"), (benchmark, "list_changes")):
        real = getattr(place, name)
        monkeypatch.setattr(place, name, lambda *given, real=real, name=name: (made.append(name), real(*given))[1])
    for path in ("/b/small", "/b/small/leaderboard.csv", "/b/small/changes", "/api/benchmarks/small/leaderboard"):
        made.clear()
        pages = [served.browser(name).get(path) for name in ("", "anna", "ben")]
        assert len(made) == 1, path
        olga = served.browser("olga").get(path)
        assert len(made) == 1 + (not path.startswith("/api")), path  # a cookie says nothing to the API
        if path in ("/b/small", "/b/small/changes"):
            assert ['href="/account">anna<' in page for page in pages] == [False, True, False]
            assert ['href="/account">ben<' in page for page in pages] == [False, False, True]
            assert ['name="csrf"' in page for page in pages] == [False, True, True]
            assert 'href="/login"' in pages[0]
            assert 'href="/people"' in olga
        else:
            assert pages[0] == pages[1] == pages[2]
    assert 'href="/b/small/settings"' in served.browser("olga").get("/b/small")
    assert 'href="/b/small/settings"' not in served.browser("anna").get("/b/small")


def test_only_new_scores_are_read_and_shown_again(served, monkeypatch) -> None:
    """Whatever page asks; organisers see other numbers where references are hidden."""
    shown = []
    publish = score_cache.publish_score
    monkeypatch.setattr(
        score_cache, "publish_score", lambda *given, **more: (shown.append(1), publish(*given, **more))[1]
    )
    address = served.benchmark(name="Hidden", data=making.small_data(decoys=(), hidden=True))
    anna, olga = served.browser("anna"), served.browser("olga")
    for number, (system, text) in enumerate((("one", making.GOOD), ("two", making.WILD)), 1):
        anna.submit(address, system=system, text=text)
        served.work()
        page = anna.get(f"/b/{address}")
        rows = json.loads(anna.get(f"/api/benchmarks/{address}/leaderboard"))["lines"]
        assert len(rows) == number
        assert len(shown) == 2 * number  # of two metrics
    assert page.count("only the organisers can compute this score again") == 4
    assert "only the organisers" not in olga.get(f"/b/{address}")
    assert len(shown) == 8
    with served.database.write() as session:
        row = session.scalars(select(Submission).join(System).where(System.name == "one")).one()
        submissions.withdraw(session, row, session.scalars(select(User).where(User.name == "anna")).one())
    assert "one</bdi>" not in anna.get(f"/b/{address}")
    assert len(shown) == 8


def test_a_phase_that_closes_shows_its_scores_at_once(served, monkeypatch) -> None:
    """It closes by the clock, and leaves no trace in the log."""
    start = 1_800_000_000.0
    monkeypatch.setattr("gecval.board.clock.read_clock", lambda: start)
    with served.database.write() as session:
        phase = session.scalar(select(Phase))
        phase.opens, phase.blind, phase.closes = start - 9.0, True, start + 1.0
    served.browser("anna").submit("small")
    served.work()
    assert "This phase is blind" in served.browser("ben").get("/b/small")
    monkeypatch.setattr("gecval.board.clock.read_clock", lambda: start + 1.5)
    assert "This phase is blind" not in served.browser("ben").get("/b/small")


def test_who_waited_takes_a_newer_page_and_makes_no_older_one() -> None:
    """Else readers with traces of before and after a change would make the page again, one after the other."""
    pages, made = benchmark.PageCache(), []

    def make(trace: tuple[object, ...], asked: float) -> benchmark.SharedText:
        made.append(trace)
        return benchmark.SharedText(Piece.of(b""), None, trace, asked)

    def ask(trace: int, asked: float) -> tuple[object, ...]:
        key = ("a", "", False)
        return pages.find(key, (trace,), lambda new: make(new, asked), asked=asked, is_patient=lambda _: True).trace

    assert [ask(2, 2.0), ask(1, 1.0), ask(2, 3.0), ask(1, 1.5), ask(3, 4.0), ask(2, 3.5)] == [(2,)] * 4 + [(3,)] * 2
    assert made == [(2,), (3,)]


def test_cards_of_the_first_page_need_no_place_among_the_pages(on_sqlite, settings, monkeypatch) -> None:
    monkeypatch.setattr(benchmark, "MAX_PAGES", 2)
    moment = clock.now()
    monkeypatch.setattr(clock, "read_clock", lambda: moment)
    served = Served(on_sqlite, settings)
    for number in range(4):
        served.benchmark(name=f"Number {number}")
    visitor, made = served.browser(), []
    make = benchmark.make_leaderboard
    monkeypatch.setattr(benchmark, "make_leaderboard", lambda *given: (made.append(1), make(*given))[1])
    first = visitor.get("/")
    assert (visitor.get("/"), len(made)) == (first, 4)
