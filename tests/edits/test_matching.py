"""The optimal matching of words against trying all of them."""

from __future__ import annotations

import tracemalloc

from hypothesis import given, settings
from hypothesis import strategies as st

from gecval.edit import apply_edits
from gecval.edits.matching import Pair, match_words, matching_edits
from oracles.unseen import cheapest_matching, edit_distance

WORDS = st.lists(st.sampled_from(["a", "ab", "b", "bc", "abc", "é"]), max_size=5)


@settings(max_examples=60)
@given(WORDS, WORDS)
def test_costs_the_least_there_is(source: list[str], corrected: list[str]) -> None:
    pairs = match_words(source, corrected)
    assert sorted(i for i, _ in pairs if i is not None) == list(range(len(source)))
    assert sorted(j for _, j in pairs if j is not None) == list(range(len(corrected)))
    cost = sum(edit_distance("" if i is None else source[i], "" if j is None else corrected[j]) for i, j in pairs)
    assert cost == cheapest_matching(source, corrected)


@given(WORDS, WORDS)
def test_equal_words_never_cross(source: list[str], corrected: list[str]) -> None:
    matched = [(i, j) for i, j in match_words(source, corrected) if i is not None and j is not None]
    for i, j in matched:
        for k, m in matched:
            if i < k and source[i] == source[k] and corrected[j] == corrected[m]:
                assert j < m


@given(WORDS, WORDS)
def test_edits_lead_to_the_correction_where_no_word_moves(source: list[str], corrected: list[str]) -> None:
    places = [j for i, j in match_words(source, corrected) if i is not None and j is not None]
    edits = matching_edits(source, corrected)
    if places == sorted(places):
        assert apply_edits(source, edits).split() == corrected
    if source == corrected:
        assert edits == ()


def test_memory_for_twice_the_costs_is_enough() -> None:
    """Long texts take gigabytes for the costs alone."""
    size = 500
    source, corrected = [f"s{i}" for i in range(size)], [f"c{i}" for i in range(size)]
    tracemalloc.start()
    assert match_words(source, corrected) == [Pair(i, i) for i in range(size)]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2 * 8 * size**2
