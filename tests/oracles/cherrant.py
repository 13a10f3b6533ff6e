"""All cheapest alignments, every way through the table: what edits/cherrant/merging.py is checked against."""

from collections.abc import Callable, Iterator, Sequence

Way = tuple[str, ...]  # operations from the first token to the last


def cheapest_ways(
    source: Sequence[str], corrected: Sequence[str], substitution: Callable[[str, str], float]
) -> list[Way]:
    """Every way, those first that prefer word order, then substitution, insertion, deletion, from the end on."""
    costs = _table(source, corrected, substitution)
    return [tuple(reversed(way)) for way in _back(len(source), len(corrected), source, corrected, costs)]


Cell = tuple[float, list[str]]


def _table(
    source: Sequence[str], corrected: Sequence[str], substitution: Callable[[str, str], float]
) -> dict[tuple[int, int], Cell]:
    table: dict[tuple[int, int], Cell] = {}
    for i in range(len(source) + 1):
        for j in range(len(corrected) + 1):
            table[i, j] = _cell(i, j, source, corrected, substitution, table)
    return table


def _cell(
    i: int,
    j: int,
    source: Sequence[str],
    corrected: Sequence[str],
    substitution: Callable[[str, str], float],
    table: dict[tuple[int, int], Cell],
) -> Cell:
    if not i or not j:
        return float(i + j), ["D"] * bool(i) + ["I"] * bool(j)
    if source[i - 1] == corrected[j - 1]:
        return table[i - 1, j - 1][0], ["M"]
    options = [
        ("S", table[i - 1, j - 1][0] + substitution(source[i - 1], corrected[j - 1])),
        ("I", table[i, j - 1][0] + 1),
        ("D", table[i - 1, j][0] + 1),
    ]
    for count in range(2, min(i, j) + 1):
        if table[i - count + 1, j - count + 1][0] == table[i - count, j - count][0]:
            break
        if sorted(source[i - count : i]) == sorted(corrected[j - count : j]):
            options.insert(0, (f"T{count}", table[i - count, j - count][0] + count - 1))
            break
    least = min(cost for _, cost in options)
    return least, [name for name, cost in options if cost == least]


def _back(
    i: int, j: int, source: Sequence[str], corrected: Sequence[str], table: dict[tuple[int, int], Cell]
) -> Iterator[list[str]]:
    if not i and not j:
        yield []
        return
    for name in table[i, j][1]:
        length = int(name[1:] or 1)
        before = i - length * (name != "I"), j - length * (name != "D")
        for rest in _back(*before, source, corrected, table):
            yield [name, *rest]
