"""Values that were asked for last are held, and made once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from gecval.board.recent import RecentCache


def test_the_value_that_nobody_asked_for_longest_makes_room() -> None:
    cache: RecentCache[str] = RecentCache(4)
    made: list[str] = []
    for key in "abcdaeb":
        assert cache.get(key, lambda key=key: made.append(key) or key.upper()) == key.upper()
    assert "".join(made) == "abcdeb"  # b was the oldest when e came


def test_of_many_who_ask_one_makes_it_and_nobody_else_waits() -> None:
    cache: RecentCache[int] = RecentCache(2)
    cache.get("held", lambda: 0)
    go, made = threading.Event(), []

    def slow() -> int:
        go.wait(60)
        made.append(1)
        return 7

    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(cache.get, "new", slow) for _ in range(4)]
        assert cache.get("held", lambda: 1) == 0
        go.set()
        assert [one.result() for one in asked] == [7] * 4
    assert made == [1]


def test_what_could_not_be_made_is_tried_again() -> None:
    cache: RecentCache[float] = RecentCache(2)
    for _ in range(2):
        try:
            cache.get("a", lambda: 1 / 0)
        except ZeroDivisionError:
            continue
        raise AssertionError
    assert cache.get("a", lambda: 1.0) == 1.0
