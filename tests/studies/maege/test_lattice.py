"""The lattice of corrections: ways up, all of them or so many at random."""

from itertools import permutations

import numpy as np

from gecval import Edit
from gecval.studies.maege.lattices import Lattice

LATTICE = Lattice.of("a b c", [Edit(k, k + 1, (f"x{k}",)) for k in (2, 0, 1)])


def test_all_ways_up_where_there_are_no_more() -> None:
    for count in (6, 7):
        assert LATTICE.orders(count, np.random.default_rng(0)) == list(permutations(range(3)))


def test_so_many_different_ways_up_where_there_are_more() -> None:
    drawn = LATTICE.orders(5, np.random.default_rng(0))
    assert len(set(drawn)) == len(drawn) == 5
    assert set(drawn) < set(permutations(range(3)))
    long = Lattice.of("a " * 13, [Edit(k, k + 1, ("x",)) for k in range(13)])
    assert len(set(long.orders(4, np.random.default_rng(0)))) == 4


def test_edits_that_share_a_word_are_in_conflict() -> None:
    """Those that only touch are not, and insertions neither."""
    lattice = Lattice.of("a b c", [Edit(2, 2, ("i",)), Edit(0, 2, ("x",)), Edit(1, 3, ("y",)), Edit(2, 3, ("z",))])
    assert ([(e.start, e.end) for e in lattice.edits], lattice.conflicts) == ([(0, 2), (2, 2), (2, 3)], 1)
    assert lattice.correction([2, 0]) == "x z"
    assert lattice.chain([1, 2, 0]) == ("a b c", "a b i c", "a b i z", "x i z")
