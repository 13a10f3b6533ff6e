"""Texts on several devices: each has a process of its own, as one process could not feed two fast GPUs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from functools import lru_cache, partial
from importlib import import_module
from itertools import chain
from threading import RLock

from gecval.errors import InputError
from gecval.places import at_places

Answers = dict[str, str]
Asker = Callable[[str, list[str]], Iterator[Answers]]
PARTS = 4  # for each device, at least: the fastest then waits little for the slowest


def shared_among(
    devices: Sequence[str], texts: Sequence[str], ask: Asker, *, least: int, most: int
) -> Iterator[Answers]:
    """What ``ask(device, texts)`` says, part after part; a part has from ``least`` to ``most`` texts.

    Texts that begin alike are in one part, as a device reads their beginning once.
    """
    length = min(most, max(least, -(-len(texts) // (PARTS * len(devices)))))
    in_order = sorted(texts)
    parts = (in_order[start : start + length] for start in range(0, len(texts), length))
    try:
        yield from at_places(partial(_answers, ask), devices, parts)
    except BrokenExecutor:
        raise InputError(
            f"a process of {', '.join(devices)} was lost, perhaps for lack of memory: choose a smaller batch size, or "
            "fewer devices; what was found before is kept",
            parameter=("batch_size", "device"),
        ) from None


def _answers(ask: Asker, device: str, texts: list[str]) -> Answers:
    _share_no_lock()
    return dict(chain.from_iterable(answers.items() for answers in ask(device, texts)))


@lru_cache(maxsize=1)
def _share_no_lock() -> None:
    """Let the bars that libraries draw (tqdm) use a lock of this process alone.

    Theirs is one that processes share. A process that is ended leaves it behind, and Python warns the user of a leak.
    """
    with suppress(ImportError):
        import_module("tqdm").tqdm.set_lock(RLock())
