"""A tree of texts has a node for every different beginning, and gives back every text."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gecval.models.packed_texts import ALIKE_LENGTH, PrefixTree

texts = st.lists(st.lists(st.integers(0, 2), max_size=6).map(lambda ids: [9, *ids]), min_size=1, max_size=8)


def beginnings(tree: PrefixTree) -> dict[int, tuple[int, ...]]:
    """The beginning that each node stands for, from the lines in which it is."""
    found: dict[int, tuple[int, ...]] = {}
    for lines, own, nodes in tree.lines():
        for at, node in zip(own.tolist(), nodes.tolist(), strict=True):
            row, place = divmod(at, lines.shape[1])
            assert node not in found
            assert lines[row, place] == node
            found[node] = tuple(tree.ids[lines[row, : place + 1]].tolist())
    return found


@given(texts)
def test_a_node_for_every_beginning(given_texts: list[list[int]]) -> None:
    tree = PrefixTree(given_texts, [1] * len(given_texts))
    found = beginnings(tree)
    expected = {tuple(text[:end]) for text in given_texts for end in range(1, len(text) + 1)}
    assert sorted(found.values()) == sorted(expected)
    assert sorted(found) == list(range(len(tree.ids)))
    assert all(len(found[node]) - 1 == place for node, place in enumerate(tree.places.tolist()))


@given(texts, st.data())
def test_a_text_sums_the_tokens_from_its_start_on(given_texts: list[list[int]], data: st.DataObject) -> None:
    starts = [data.draw(st.integers(1, len(text))) for text in given_texts]
    tree = PrefixTree(given_texts, starts)
    found = beginnings(tree)
    for number, (text, start) in enumerate(zip(given_texts, starts, strict=True)):
        summed = sorted(found[node] for node in tree.summed[tree.texts == number].tolist())
        assert summed == [tuple(text[: place + 1]) for place in range(start, len(text))]
    assert tree.predicted.tolist() == sorted(set(tree.summed.tolist()))
    for node, parent in zip(tree.predicted.tolist(), tree.parents.tolist(), strict=True):
        assert found[parent] == found[node][:-1]


def test_lines_of_similar_length_go_together() -> None:
    lengths = [8, 6, 5, 100, 80, 76, 75, 74]
    tree = PrefixTree([list(range(number, number + length)) for number, length in enumerate(lengths)], [1] * 8)
    assert ALIKE_LENGTH == 0.75
    assert [lines.shape for lines, _, _ in tree.lines()] == [(4, 100), (1, 74), (2, 8), (1, 5)]
    assert np.concatenate([nodes for _, _, nodes in tree.lines()]).tolist() != []
