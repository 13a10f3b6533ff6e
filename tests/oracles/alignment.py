"""Damerau-Levenshtein over tokens as ERRANT aligns, cell by cell: the check of native/edits/word_steps.cpp."""

from collections.abc import Sequence
from math import inf

Costs = list[list[float]]
Step = tuple[str, int, int, int, int]  # operation, source tokens from … to, corrected tokens from … to


def steps(source: Sequence[str], corrected: Sequence[str], substitution: Costs) -> list[Step]:
    """The cheapest steps from source to corrected."""
    return _trace(_operations(source, corrected, substitution))


def _operations(source: Sequence[str], corrected: Sequence[str], substitution: Costs) -> list[list[str]]:
    """The operation that ends in each cell."""
    lower, lower_corrected = [word.lower() for word in source], [word.lower() for word in corrected]
    shared = set(lower) & set(lower_corrected)
    cost = [[float(j) for j in range(len(corrected) + 1)]]
    operations = [["I"] * (len(corrected) + 1)]
    for i, word in enumerate(source):
        above, row, chosen = cost[i], [i + 1.0], ["D"]
        cost.append(row)
        operations.append(chosen)
        for j, other in enumerate(corrected):
            if word == other:
                row.append(above[j])
                chosen.append("M")
                continue
            best, operation = above[j] + substitution[i][j], "S"
            if row[j] + 1 < best:
                best, operation = row[j] + 1, "I"
            if above[j + 1] + 1 < best:
                best, operation = above[j + 1] + 1, "D"
            if lower[i] in shared and lower_corrected[j] in shared:
                moved, count = _word_order(i, j, cost, lower, lower_corrected)
                if moved <= best:
                    best, operation = moved, f"T{count}"
            row.append(best)
            chosen.append(operation)
    return operations


def _word_order(i: int, j: int, cost: Costs, lower: list[str], lower_corrected: list[str]) -> tuple[float, int]:
    """The cost of a change of order that ends in words i and j, and over how many words it goes.

    It reaches back along the diagonal over words that differ, until both sides hold the same ones.
    """
    excess: dict[str, int] = {}  # how many more of a word there are on the source side
    for k in range(min(i, j) + 1):
        if k and cost[i - k + 1][j - k + 1] == cost[i - k][j - k]:
            break
        for word, change in ((lower[i - k], 1), (lower_corrected[j - k], -1)):
            excess[word] = excess.get(word, 0) + change
            if not excess[word]:
                del excess[word]
        if k and not excess:
            return cost[i - k][j - k] + k, k + 1
    return inf, 0


def _trace(operations: list[list[str]]) -> list[Step]:
    """The steps that lead to the last cell."""
    i, j = len(operations) - 1, len(operations[0]) - 1
    path: list[Step] = []
    while i or j:
        operation = operations[i][j]
        length = int(operation[1:] or 1)
        start, start_corrected = i - length * (operation != "I"), j - length * (operation != "D")
        path.append((operation, start, i, start_corrected, j))
        i, j = start, start_corrected
    return path[::-1]
