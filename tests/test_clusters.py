"""Which edits of several annotators correct the same error."""

import pytest

from gecval.clusters import cluster_edits
from gecval.edit import Edit


@pytest.mark.parametrize(
    ("first", "second", "clusters"),
    [
        ((1, 1), (1, 1), 1),  # two insertions at one place
        ((1, 1), (2, 2), 2),
        ((1, 2), (1, 2), 1),
        ((1, 3), (2, 4), 1),
        ((1, 2), (2, 3), 2),
        ((1, 3), (2, 2), 1),  # within
        ((1, 3), (1, 1), 2),  # at the border
        ((1, 3), (3, 3), 2),
    ],
)
def test_edits_that_overlap_are_alternatives(first: tuple[int, int], second: tuple[int, int], clusters: int) -> None:
    made = cluster_edits([[Edit(*first, ("a",))], [Edit(*second, ("b",))]])
    assert [cluster.required for cluster in made] == [clusters == 1] * clusters
