"""No name lies on another or on a point, whatever the points."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval.results.theme import LABEL_HEIGHT, Box, beside_points, spread

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


def test_a_box_lies_around_its_point() -> None:
    assert Box.around((10.0, 20.0)) == Box(6.0, 16.0, 14.0, 24.0)


@pytest.mark.parametrize(("right", "down"), [(8, 0), (-8, 0), (0, 8), (0, -8), (8, 8)])
def test_boxes_that_touch_do_not_overlap(right: float, down: float) -> None:
    box = Box.around((50.0, 50.0))
    assert not box.overlaps(Box.around((50.0 + right, 50.0 + down)))
    assert box.overlaps(Box.around((50.0 + right * 0.9, 50.0 + down * 0.9)))


def test_names_of_one_point_go_right_and_left_above_and_below_then_farther() -> None:
    boxes = beside_points([(100.0, 50.0)] * 5, ["A1", "A2", "A3", "A4", "A5"], 280)
    right, left = 104.0, 96 - 2 * 6.2
    places = [(box.left, box.middle) for box in boxes]
    assert places == [(right, 44.0), (left, 44.0), (right, 56.0), (left, 56.0), (right, 32.0)]
    assert all((box.right - box.left, box.bottom - box.top) == pytest.approx((2 * 6.2, LABEL_HEIGHT)) for box in boxes)


def test_a_point_at_the_right_edge_has_its_name_on_the_left() -> None:
    (box,) = beside_points([(278.0, 50.0)], ["AMU"], 280)
    assert box.right == pytest.approx(274)


@given(st.lists(st.integers(0, 200).map(float), min_size=1, max_size=20))
def test_spread_places_are_apart_in_order_and_before_the_end(places: list[float]) -> None:
    moved = spread(places, 200)
    in_order = sorted(range(len(places)), key=lambda i: moved[i])
    assert [places[i] for i in in_order] == sorted(places)
    assert all(b - a >= LABEL_HEIGHT - 1e-9 for a, b in pairwise(sorted(moved)))
    assert max(moved) <= 200
