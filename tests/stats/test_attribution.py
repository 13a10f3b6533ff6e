"""Sharing a gain among parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval.stats.attribution import METHODS, Attribution
from oracles.attribution import shapley


@st.composite
def games(draw: st.DrawFn) -> tuple[int, dict[int, float]]:
    parts = draw(st.integers(1, 5))
    worth = draw(st.lists(st.floats(-1, 1), min_size=2**parts, max_size=2**parts))
    return parts, {members: value - worth[0] for members, value in enumerate(worth)}


@given(games())
def test_shapley_equals_the_oracle(game: tuple[int, dict[int, float]]) -> None:
    parts, gains = game
    share = Attribution.plan("shapley", parts)
    assert share.values(gains).tolist() == pytest.approx(shapley(parts, gains), abs=1e-12)
    assert share.errors(gains) is None


@given(games(), st.sampled_from(METHODS), st.sampled_from([0, 10]))
def test_values_add_up_to_the_gain(game: tuple[int, dict[int, float]], method, exact: int) -> None:
    parts, gains = game
    share = Attribution.plan(method, parts, exact=exact, orders=7)
    asked = share.sets()
    assert asked == sorted(set(asked))
    values = share.values({members: gains[members] for members in asked})  # it asks for all that it needs
    total = gains[share.everything]
    if method == "shapley":
        assert values.sum() == pytest.approx(total, abs=1e-12)
    else:
        assert values.sum() == pytest.approx(total, abs=1e-6) or not values.any()


def test_add_one_in_and_leave_one_out_by_hand() -> None:
    gains = {0: 0.0, 1: 0.3, 2: 0.1, 3: 0.8}
    assert Attribution.plan("add-one-in", 2).values(gains).tolist() == pytest.approx([0.6, 0.2])
    # Without part 0 the gain falls by .7, without part 1 by .5: 1.2 in all, scaled to .8.
    assert Attribution.plan("leave-one-out", 2).values(gains).tolist() == pytest.approx([0.7 / 1.5, 0.5 / 1.5])
    nothing = {0: 0.0, 1: 0.2, 2: -0.2, 3: 0.5}
    assert Attribution.plan("add-one-in", 2).values(nothing).tolist() == [0.0, 0.0]


def test_drawn_orders_come_near_and_say_how_near() -> None:
    gains = {members: (members.bit_count() ** 2 + (members & 1)) / 37 for members in range(64)}
    exact = Attribution.plan("shapley", 6).values(gains)
    drawn = Attribution.plan("shapley", 6, exact=5, orders=400, seed=3)
    values, errors = drawn.values(gains), drawn.errors(gains)
    assert errors is not None
    assert len(drawn.orders or ()) == 400
    assert len(set(drawn.orders or ())) > 200  # each order is drawn anew
    assert (abs(values - exact) < 4 * errors).all()
    assert (errors > 0).all()
    assert drawn == Attribution.plan("shapley", 6, exact=5, orders=400, seed=3)


def test_up_to_ten_parts_are_exact_and_more_take_200_orders() -> None:
    assert Attribution.plan("shapley", 10).orders is None
    many = Attribution.plan("shapley", 11)
    assert many == Attribution.plan("shapley", 11, exact=10, orders=200, seed=1)
    assert len(many.orders or ()) == 200
    assert Attribution.plan("leave-one-out", 11).orders is None


def test_the_error_of_two_orders_by_hand() -> None:
    """Part 0 adds .2 where it comes first and .6 where it comes last, part 1 then .6 and .2: .4 ± .2 each."""
    gains = {0: 0.0, 1: 0.2, 2: 0.2, 3: 0.8}
    share = Attribution(method="shapley", parts=2, orders=((0, 1), (1, 0)))
    assert share.values(gains).tolist() == pytest.approx([0.4, 0.4])
    errors = share.errors(gains)
    assert errors is not None
    assert errors.tolist() == pytest.approx([0.2, 0.2])
