"""Where to write names in a chart so that none lies on another. All places are pixels, from the upper left corner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from gecval.report.theme import LABEL_SIZE

FONT_SIZE = LABEL_SIZE
HEIGHT = 10.0  # of a line of text in this size
_LETTER = 6.2  # the width of a capital
_DOT = 4.0  # the radius of a point, with a little air


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, point: tuple[float, float]) -> Box:
        return cls(point[0] - _DOT, point[1] - _DOT, point[0] + _DOT, point[1] + _DOT)

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    def overlaps(self, other: Box) -> bool:
        beside = self.right <= other.left or other.right <= self.left
        return not (beside or self.bottom <= other.top or other.bottom <= self.top)


def spread(places: Sequence[float], end: float, gap: float = HEIGHT) -> list[float]:
    """Places along a line, moved on until each is ``gap`` from the next, then back where they would pass the end.

    >>> spread([50.0, 0.0, 48.0], end=60.0)
    [58.0, 0.0, 48.0]
    >>> spread([59.0, 0.0, 60.0], end=60.0)
    [50.0, 0.0, 60.0]
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    moved = list(places)
    last = float("-inf")
    for i in order:
        moved[i] = last = max(moved[i], last + gap)
    last = end + gap
    for i in reversed(order):
        moved[i] = last = min(moved[i], last - gap)
    return moved


def beside_points(points: Sequence[tuple[float, float]], texts: Sequence[str], width: float) -> list[Box]:
    """A box for the name of each point, as near as is free: right or left of it, a little above or below, then farther.

    Points are served from the top down. A name may leave a chart of this ``width`` on the right, never on the left.
    """
    taken = [Box.around(point) for point in points]
    boxes: dict[int, Box] = {}
    for i in sorted(range(len(points)), key=lambda i: (points[i][1], points[i][0], texts[i])):
        free = (box for box in _candidates(points[i], texts[i], width) if not any(map(box.overlaps, taken)))
        boxes[i] = next(free)
        taken.append(boxes[i])
    return [boxes[i] for i in range(len(points))]


def _candidates(point: tuple[float, float], text: str, width: float) -> Iterator[Box]:
    size = len(text) * _LETTER
    sides = [left for left in (point[0] + _DOT, point[0] - _DOT - size) if 0 <= left <= width]
    # Above or below the middle, where the bar of an interval would strike it out. One is free in the end.
    for away in count(6, 4):
        for middle in (point[1] - away, point[1] + away):
            for left in sides:
                yield Box(left, middle - HEIGHT / 2, left + size, middle + HEIGHT / 2)
