"""No name lies on another or on a point, whatever the points."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval.report.labels import HEIGHT, Box, beside_points, spread

PIXELS = st.integers(0, 40).map(float)


@given(st.lists(st.tuples(PIXELS, PIXELS), min_size=1, max_size=14))
def test_names_avoid_each_other_and_all_points(points: list[tuple[float, float]]) -> None:
    names = [f"SYS{i}" for i in range(len(points))]
    boxes = beside_points(points, names, 280)
    for a, b in combinations(boxes, 2):
        assert not a.overlaps(b)
    for point in points:
        assert not any(box.overlaps(Box.around(point)) for box in boxes)
    assert all(box.left >= 0 for box in boxes)
    assert beside_points(points[::-1], names[::-1], 280) == boxes[::-1]  # the order of systems does not matter


def test_a_point_alone_has_its_name_on_the_right_above_the_bar_of_its_interval() -> None:
    (box,) = beside_points([(100.0, 50.0)], ["AMU"], 280)
    assert (box.left, box.middle) == (104.0, 44.0)
    assert box.right == pytest.approx(104 + 3 * 6.2)


@given(st.lists(st.integers(0, 200).map(float), min_size=1, max_size=20))
def test_spread_places_are_apart_in_order_and_before_the_end(places: list[float]) -> None:
    moved = spread(places, 200)
    in_order = sorted(range(len(places)), key=lambda i: moved[i])
    assert [places[i] for i in in_order] == sorted(places)
    assert all(b - a >= HEIGHT - 1e-9 for a, b in pairwise(sorted(moved)))
    assert max(moved) <= 200
