"""A cache of the values that were used last. What they are made from never changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class RecentCache(Generic[Value]):
    """At most ``size`` values; the one that was not used for longest is dropped.

    >>> cache = RecentCache[str](2)
    >>> [cache.get(key, lambda: key.upper()) for key in "aba"], len(cache)
    (['A', 'B', 'A'], 2)
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock, self._making = Lock(), Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value, made where it is not held. Where several threads need a new one, one of them makes it."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        with self._making:
            if key not in self._values:
                value = make()
                with self._lock:
                    self._values[key] = value
                    while len(self._values) > self.size:
                        self._values.popitem(last=False)
                return value
        return self.get(key, make)
