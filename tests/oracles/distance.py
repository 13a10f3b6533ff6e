"""Levenshtein distances as metrics (MAEGE, Choshen and Abend 2018) and exact index match (low coverage bias, 2.2).

LD S->O    = 1 - LD(source, output) / len(source)             in characters; 1 if the divisor is 0
MinLD O->R = max over R of 1 - LD(reference, output) / len(reference)
exact index match: output and reference change the same source words, whatever they change them to.
"""


def levenshtein(a: str, b: str) -> int:
    """Textbook dynamic programme, unit costs, over characters."""
    cost = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if i == 0 or j == 0:
                cost[i][j] = i + j
            else:
                diagonal = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])
                cost[i][j] = min(diagonal, cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    return cost[len(a)][len(b)]


def similarity(a: str, b: str) -> float:
    """1 - LD(a, b) / len(a): normalised by the first string."""
    return 1 - levenshtein(a, b) / len(a) if a else 1.0


def ld(source: str, output: str) -> float:
    """LD S->O: how much of the source the output leaves alone."""
    return similarity(source, output)


def min_ld(output: str, references: list[str]) -> float:
    """MinLD O->R: similarity to the closest reference."""
    return max(similarity(reference, output) for reference in references)


def changed_indices(source: list[str], target: list[str]) -> set[int]:
    """Source words (0-based) that the target replaces or deletes.

    Token alignment with unit costs; traced back from the end, preferring the diagonal, then deletion, then insertion.
    """
    cost = [[i + j for j in range(len(target) + 1)] for i in range(len(source) + 1)]
    for i in range(1, len(source) + 1):
        for j in range(1, len(target) + 1):
            diagonal = cost[i - 1][j - 1] + (source[i - 1] != target[j - 1])
            cost[i][j] = min(diagonal, cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    changed: set[int] = set()
    i, j = len(source), len(target)
    while i > 0 or j > 0:
        if i > 0 and j > 0 and cost[i][j] == cost[i - 1][j - 1] + (source[i - 1] != target[j - 1]):
            i, j = i - 1, j - 1
            if source[i] != target[j]:
                changed.add(i)
        elif i > 0 and cost[i][j] == cost[i - 1][j] + 1:
            i -= 1
            changed.add(i)
        else:
            j -= 1
    return changed


def exact_index_match(source: list[str], output: list[str], references: list[list[str]]) -> bool:
    """Whether some reference changes exactly the source words that the output changes."""
    return any(changed_indices(source, output) == changed_indices(source, reference) for reference in references)
