"""Work in threads where threads are to be had; in this one where the system lets none start (``ulimit -u``)."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def in_threads(work: Callable[[Item], Answer], items: Iterable[Item], *, jobs: int) -> Iterator[Answer]:
    """What ``work`` gives for each item, in order, from at most ``jobs`` threads."""
    tasks: deque[tuple[Future[Answer], Item]] = deque((Future(), item) for item in items)
    answers = [answer for answer, _ in tasks]

    def run_next() -> bool:
        try:
            answer, item = tasks.popleft()
        except IndexError:
            return False
        try:
            answer.set_result(work(item))
        except BaseException as error:  # the thread that asks for the answer shall see it
            answer.set_exception(error)
        return True

    def run_all() -> None:
        while run_next():
            pass

    # More threads than twice the cores help nobody.
    threads = start_threads(run_all, min(jobs, len(tasks), 2 * cores())) if jobs > 1 else []
    try:
        for answer in answers:
            while not threads and not answer.done():
                run_next()
            yield answer.result()
    finally:
        tasks.clear()
        for thread in threads:
            thread.join()


def start_threads(work: Callable[[], object], count: int) -> list[Thread]:
    """So many threads, or as many as the system lets start."""
    threads: list[Thread] = []
    while len(threads) < count:
        thread = Thread(target=work, daemon=True)
        try:
            thread.start()
        except RuntimeError:
            break
        threads.append(thread)
    return threads


# How many cores this process may use.


def cores() -> int:
    """The number of cores. On a shared machine it is often smaller than the number of cores the machine has.

    >>> 1 <= cores() <= (os.cpu_count() or 1)
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # macOS and Windows do not say
