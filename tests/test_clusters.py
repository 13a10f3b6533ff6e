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


def alternatives(*annotations: list[tuple[int, int]]) -> list[list[list[tuple[int, int]]]]:
    made = cluster_edits([[Edit(*span, ("x",)) for span in spans] for spans in annotations])
    return [[[(edit.start, edit.end) for edit in edits] for edits in cluster.alternatives] for cluster in made]


@pytest.mark.parametrize("mirror", [False, True])
def test_a_cluster_reaches_as_far_as_its_edits(mirror: bool) -> None:
    """The third edit overlaps the second, and lies beyond the first."""
    spans = [(5 - end, 5 - start) if mirror else (start, end) for start, end in ((0, 3), (2, 5), (4, 5))]
    assert alternatives(*([span] for span in spans)) == [[[span] for span in spans]]


def test_the_longest_edits_come_first() -> None:
    """A short edit joins the long one that holds it, though it stands before it; the edits of one are in order."""
    assert alternatives([(4, 5), (3, 4)], [(3, 7)]) == [[[(3, 4), (4, 5)], [(3, 7)]]]
    assert alternatives([(3, 7)], [(3, 4), (4, 5)]) == [[[(3, 7)], [(3, 4), (4, 5)]]]


def test_clusters_are_in_the_order_of_the_sentence() -> None:
    assert alternatives([(6, 9), (0, 1), (2, 2)], [(6, 7)]) == [[[(0, 1)]], [[(2, 2)]], [[(6, 9)], [(6, 7)]]]
