"""Limits that a user meets, and that no test can reach in time: to change one is to change what a user gets."""

from __future__ import annotations

import pytest

from gecval.edits import errant
from gecval.formats import realign
from gecval.formats.datasets import fetching


@pytest.mark.parametrize(
    ("limit", "value"),
    [
        (errant.LONGEST_RUN, 250),  # changed words side by side: beyond, ERRANT's merging takes minutes
        (realign.MOST, 4_000_000_000),  # words times words that are re-aligned in one piece
        (realign.LONG, 25_000_000),  # from which a text is cut at lines that both have
        (
            fetching.PAUSES_S,
            (0.5, 1.0, 2.0, 4.0),
        ),  # between tries; they start again where one brings the file further
    ],
)
def test_limits(limit: object, value: object) -> None:
    assert limit == value
