"""Texts as a tree: those that begin alike share the tokens of their beginning.

A causal model sees only what stands before a token. So a source and its corrections, which mostly begin alike, need
their common beginning once:  She likes │ apples │ .   and   She likes │ pears │ .   have six nodes, not eight tokens.

    node       a token after all that stands before it
    lines      the nodes of each text in a row, padded; texts of similar length lie in one table, for attention
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
ALIKE = 0.75  # of the longest text's length in a table of lines: the rest of a shorter one is padding


class PrefixTree:
    """The nodes of texts. Each predicts the next token of its text, from the place on where its text ``starts``.

    >>> tree = PrefixTree([[7, 8, 9], [7, 5], [7, 8, 4]], [1, 1, 1])
    >>> tree.ids.tolist(), tree.places.tolist()  # the texts are in order: [7, 5], [7, 8, 4], [7, 8, 9]
    ([7, 5, 8, 4, 9], [0, 1, 1, 2, 2])
    >>> tree.predicted.tolist(), tree.parents.tolist()  # 5 after 7, 8 after 7, 4 after 8, 9 after 8
    ([1, 2, 3, 4], [0, 0, 2, 2])
    >>> tree.texts.tolist(), tree.summed.tolist()  # the second text sums 5, the third 8 and 4, the first 8 and 9
    ([1, 2, 2, 0, 0], [1, 2, 3, 2, 4])
    >>> [(lines.tolist(), own.tolist(), nodes.tolist()) for lines, own, nodes in tree.lines()]
    [([[0, 2, 3], [0, 2, 4]], [1, 2, 5], [2, 3, 4]), ([[0, 1]], [0, 1], [0, 1])]
    """

    def __init__(self, texts: Sequence[list[int]], starts: Sequence[int]) -> None:
        order = sorted(range(len(texts)), key=texts.__getitem__)
        self._lengths = np.array([len(texts[text]) for text in order])
        places = np.arange(self._lengths.max())
        there = places < self._lengths[:, None]
        tokens = np.full(there.shape, -1)
        tokens[there] = np.concatenate([np.asarray(texts[text], dtype=np.int64) for text in order])
        # What a text shares with the one before it in order has a node already: the last one made at that place.
        self._new = there.copy()
        self._new[1:] &= ~np.logical_and.accumulate(tokens[1:] == tokens[:-1], axis=1)
        nodes = np.zeros(there.shape, dtype=np.int64)
        nodes[self._new] = np.arange(self._new.sum())
        self._nodes: Integers = np.maximum.accumulate(nodes, axis=0)
        self.ids: Integers = tokens[self._new]
        self.places: Integers = np.broadcast_to(places, there.shape)[self._new]
        asked = there & (places >= np.asarray(starts)[order][:, None])
        rows, at = np.nonzero(asked)
        self.texts: Integers = np.asarray(order)[rows]
        self.summed: Integers = self._nodes[rows, at]
        self.predicted, first = np.unique(self.summed, return_index=True)
        self.parents: Integers = self._nodes[rows[first], at[first] - 1]

    def lines(self) -> Iterator[tuple[Integers, Integers, Integers]]:
        """Tables of nodes, [text, place], the longest texts first; where in the table nodes are new, and which."""
        by_length = np.argsort(-self._lengths, kind="stable")
        lengths = self._lengths[by_length]
        start = 0
        while start < len(lengths):
            longest = int(lengths[start])
            end = int(np.searchsorted(-lengths, -ALIKE * longest, side="right"))
            rows = by_length[start:end]
            table, new = self._nodes[rows, :longest], self._new[rows, :longest]
            yield table, np.flatnonzero(new), table[new]
            start = end
