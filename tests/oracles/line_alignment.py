"""Lines in another text, by plain dynamic programming: the whole table of costs, and the way back through it."""

from __future__ import annotations

from collections.abc import Sequence

BREAK = -1
WORD, LINE, OTHER, ALIKE = 4, 1, 7, 2
NEVER = float("inf")


def alone(word: int) -> int:
    return LINE if word == BREAK else WORD


def together(word: int, stem: int, other: int, other_stem: int) -> float:
    if word == other:
        return 0
    if BREAK in (word, other):
        return NEVER
    return ALIKE if stem == other_stem else OTHER


def align_lines(
    source: Sequence[int], source_stems: Sequence[int], output: Sequence[int], output_stems: Sequence[int]
) -> tuple[list[int], list[int]]:
    """For each word of the source: how much of the output lies before its end, and whether its last is its own."""
    n, m = len(source), len(output)
    cost = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(n + 1):
        for j in range(m + 1):
            ways = [0.0] if i == j == 0 else []
            if i and j:
                pair = together(source[i - 1], source_stems[i - 1], output[j - 1], output_stems[j - 1])
                ways.append(cost[i - 1][j - 1] + pair)
            if i:
                ways.append(cost[i - 1][j] + alone(source[i - 1]))
            if j:
                ways.append(cost[i][j - 1] + alone(output[j - 1]))
            cost[i][j] = min(ways)
    places, paired = [0] * n, [0] * n
    i, j = n, m
    while i:
        if j:
            pair = together(source[i - 1], source_stems[i - 1], output[j - 1], output_stems[j - 1])
            if cost[i][j] == cost[i - 1][j - 1] + pair:
                places[i - 1], paired[i - 1] = j, 1
                i, j = i - 1, j - 1
                continue
        if cost[i][j] == cost[i - 1][j] + alone(source[i - 1]):
            places[i - 1] = j
            i -= 1
        else:
            j -= 1
    return places, paired
