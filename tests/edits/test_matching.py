"""The optimal matching of words against trying all of them."""

from __future__ import annotations

import tracemalloc
from itertools import permutations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from gecval.corpus.edit import apply_edits
from gecval.edits.alignment import AlignedWords, match_words, matching_edits
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
    assert match_words(source, corrected) == [AlignedWords(i, i) for i in range(size)]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2 * 8 * size**2


def figures(source: list[str], corrected: list[str], pairs: list[AlignedWords]) -> tuple[int, int, int]:
    """What is made as small as can be: the cost, then the words that change, then how far they move, squared."""
    cost = sum(edit_distance("" if i is None else source[i], "" if j is None else corrected[j]) for i, j in pairs)
    both = [(i, j) for i, j in pairs if i is not None and j is not None]
    return cost, sum(source[i] != corrected[j] for i, j in both), sum((i - j) ** 2 for i, j in both)


def test_of_equally_cheap_matchings_the_one_that_changes_and_moves_least() -> None:
    """Against all matchings of all texts of up to three words; as many are matched as there are in the shorter."""
    texts = [list(words) for size in range(4) for words in product(("a", "b", "abc"), repeat=size)]
    for source, corrected in product(texts, texts):
        n, m = len(source), len(corrected)
        matchings = []
        for places in permutations(range(max(n, m)), min(n, m)):
            matched = [(k, j) if n <= m else (j, k) for k, j in enumerate(places)]
            alone = [AlignedWords(i, None) for i in range(n) if i not in dict(matched)]
            added = [AlignedWords(None, j) for j in range(m) if j not in {j for _, j in matched}]
            matchings.append([*(AlignedWords(*pair) for pair in matched), *alone, *added])
        least = min(figures(source, corrected, pairs) for pairs in matchings)
        assert figures(source, corrected, match_words(source, corrected)) == least


def test_added_words_stand_behind_the_word_before_them() -> None:
    edits = matching_edits(["he", "home"], ["he", "goes", "on", "home", "now"])
    assert [(edit.start, edit.end, edit.correction) for edit in edits] == [(1, 1, "goes on"), (2, 2, "now")]
