"""From an alignment of characters to edits, as ChERRANT merges them (Zhang & al. 2022).

1. Neighbouring insertions become one edit, so do deletions, and whatever neighbours hold a substitution.
2. What stands on both sides of unchanged tokens is one change of order (W) if the two are exchanged, or if the one is
   taken away and the other put in: 我 昨天 → 昨天 我.
3. A substitution loses the tokens that its two sides share at their start and end.

Types: W (word order), R (redundant), M (missing), S (substituted).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, compress, groupby, islice, product
from math import inf
from random import Random
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from gecval.edits.alignment import AlignmentStep, align_stretches

TYPES = {"T": "W", "D": "R", "I": "M", "S": "S"}
# A mark that moves alone is no change of order. The test is whether a text is part of this one.
MARKS = (
    "！？｡＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢"
    "｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟–—‘'‛“”„‟…‧."
)


def merge_steps(steps: Sequence[AlignmentStep], source: Sequence[str], corrected: Sequence[str]) -> list[AlignmentStep]:
    """The edits as steps: their operations are S, I, D, and T with the number of source tokens."""
    items = _runs(steps)
    kept: list[AlignmentStep] = []
    place = 0
    while place < len(items):
        window = items[place : place + 3]
        if len(window) == 3 and _is_exchange(window, source, corrected):
            kept.append(_join("T", window))
            place += 3
            continue
        if items[place].operation != "M":
            kept.append(items[place])
        place += 1
    return [edit for step in kept if (edit := _trim(step, source, corrected))]


def _runs(steps: Sequence[AlignmentStep]) -> list[AlignmentStep]:
    """Runs of equal tokens as one step, runs of changes as one or several."""
    items: list[AlignmentStep] = []
    for kind, group in groupby(steps, key=lambda step: step.operation[0] if step.operation[0] in "MT" else ""):
        run = list(group)
        operations = {step.operation for step in run}
        if kind == "M":
            items.append(_join("M", run))
        elif kind == "T" or len(run) == 1 or operations == {"D", "I"}:
            items += run
        else:
            items.append(_join(operations.pop() if len(operations) == 1 else "S", run))
    return items


def _join(operation: str, run: Sequence[AlignmentStep]) -> AlignmentStep:
    first, last = run[0], run[-1]
    name = f"T{last.end - first.start}" if operation == "T" else operation
    return AlignmentStep(name, first.start, last.end, first.start_corrected, last.end_corrected)


def _is_exchange(window: Sequence[AlignmentStep], source: Sequence[str], corrected: Sequence[str]) -> bool:
    """Whether three items are one change of order."""
    shape = "".join(step.operation[0] for step in window)
    first, _, last = window
    if shape == "SMS":
        before, before_last = _text(source, first), _text(source, last)
        after, after_last = _corrected_text(corrected, first), _corrected_text(corrected, last)
        most = 0 if min(map(len, (before, before_last, after, after_last))) == 1 else 1
        return Levenshtein.distance(before, after_last) <= most and Levenshtein.distance(after, before_last) <= most
    if shape not in ("DMI", "DTI", "IMD", "ITD"):
        return False
    deletion, insertion = (first, last) if first.operation == "D" else (last, first)
    deleted, inserted = _text(source, deletion), _corrected_text(corrected, insertion)
    longer, shorter = (deleted, inserted) if len(deleted) >= len(inserted) else (inserted, deleted)
    if longer in MARKS or shorter in MARKS or len(longer) - len(shorter) > 1:
        return False
    if len(shorter) == 1:
        return longer == shorter
    rotated = len(longer) == len(shorter) and shorter in longer + longer
    return rotated or Levenshtein.distance(longer, shorter) <= 1


def _trim(step: AlignmentStep, source: Sequence[str], corrected: Sequence[str]) -> AlignmentStep | None:
    """The edit without what its sides share; None if they are equal."""
    operation, start, end, start_corrected, end_corrected = step
    before, after = source[start:end], corrected[start_corrected:end_corrected]
    if "".join(before) == "".join(after):
        return None
    if operation != "S":
        return step
    common = _common(before, after)
    # The end is compared with the whole corrected side, as ChERRANT does, so it may reach into the common start.
    common_end = _common(before[common:][::-1], after[::-1])
    if common_end > len(after) - common:
        common_end = 0
    start, start_corrected = start + common, start_corrected + common
    end, end_corrected = end - common_end, end_corrected - common_end
    if start == end:
        operation = "I"
    elif start_corrected == end_corrected:
        operation = "D"
    return AlignmentStep(operation, start, end, start_corrected, end_corrected)


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """How many tokens two sequences share at their start."""
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count


def _text(source: Sequence[str], step: AlignmentStep) -> str:
    return "".join(source[step.start : step.end])


def _corrected_text(corrected: Sequence[str], step: AlignmentStep) -> str:
    return "".join(corrected[step.start_corrected : step.end_corrected])


# All cheapest alignments of two texts at the level of characters, as ChERRANT has them (Zhang & al. 2022).
#
#     insertion, deletion   1
#     substitution          meaning [0, 1] + kind {0, .25, .499} + shape {0, .5}
#     word order            k, for k + 1 neighbours on both sides that are the same tokens
#
# Equal tokens always match. A cell keeps every step that is exactly as cheap as the cheapest, in this order: word
# order, substitution, insertion, deletion. All ways back through the kept steps are alignments. Where the texts differ
# by more than 10 tokens in length, only the first step of each cell is followed. The number of ways can grow without
# bound, so the search ends at ``MOST_WAYS``. The time grows with the tokens of the one text times those of the other.
# Beyond ``MOST_CELLS``, only what lies between tokens that stay in place is aligned, each stretch by itself, one way.


Substitution = Callable[[str, str], float]
Cells = list[list[list[str]]]  # the steps that end in each cell

FAR_APART = 10  # tokens
MOST_WAYS = 1000
MOST_CELLS = 2_250_000  # texts of 1,500 characters: they take five seconds
KEPT = {kept: list(compress("SID", kept)) for kept in product((False, True), repeat=3)}


class MergedWay(NamedTuple):
    """The end of a way. Ways that end alike share it."""

    step: AlignmentStep
    rest: MergedWay | None


def cheapest_alignments(
    source: Sequence[str], corrected: Sequence[str], substitution: Substitution
) -> tuple[list[list[AlignmentStep]], bool]:
    """The alignments in ChERRANT's order, and whether there are more than are listed.

    >>> ways, more = cheapest_alignments("ab", "ca", lambda a, b: 1.0)
    >>> ["".join(step.operation for step in way) for way in ways], more
    (['SS', 'IMD'], False)
    """
    n, m = len(source), len(corrected)
    # Equal tokens match whatever the cost, and the search runs backwards. So the common end needs no search.
    while n and m and source[n - 1] == corrected[m - 1]:
        n, m = n - 1, m - 1
    end = [AlignmentStep("M", n + k, n + k + 1, m + k, m + k + 1) for k in range(len(source) - n)]
    if n * m > MOST_CELLS:
        return [[*_align_long(source[:n], corrected[:m], substitution), *end]], True
    cells = _cells(source[:n], corrected[:m], substitution)
    if abs(len(source) - len(corrected)) > FAR_APART:
        cells = [[steps[:1] for steps in row] for row in cells]
    ways = list(islice(_ways_back(cells), MOST_WAYS + 1))
    return [[*way, *end] for way in ways[:MOST_WAYS]], len(ways) > MOST_WAYS


def _align_long(source: Sequence[str], corrected: Sequence[str], substitution: Substitution) -> Iterator[AlignmentStep]:
    """The first alignment of each stretch."""

    def align_stretch(ours: slice, theirs: slice) -> list[AlignmentStep]:
        ways, _ = cheapest_alignments(source[ours], corrected[theirs], substitution)
        return ways[0]

    return align_stretches(source, corrected, align_stretch, most_cells=MOST_CELLS)


def _cells(source: Sequence[str], corrected: Sequence[str], substitution: Substitution) -> Cells:
    """The cheapest steps that end in each cell."""
    prices = {a: {b: substitution(a, b) for b in set(corrected)} for a in set(source)}
    prints = _fingerprints(set(source) & set(corrected))
    ours, theirs = (list(accumulate((prints.get(t, 0) for t in text), initial=0)) for text in (source, corrected))
    cost = [[float(j) for j in range(len(corrected) + 1)]]
    cells: Cells = [[[]] + [["I"]] * len(corrected)]
    runs: list[set[int] | None] = [None] * (len(corrected) + 1)
    for i, token in enumerate(source):
        above, row, steps, price = cost[i], [i + 1.0], [["D"]], prices[token]
        movable = token in prints
        next_runs: list[set[int] | None] = [None] * (len(corrected) + 1)
        cost.append(row)
        cells.append(steps)
        for j, other in enumerate(corrected):
            if token == other:
                row.append(above[j])
                steps.append(["M"])
                continue
            replaced, inserted, deleted = above[j] + price[other], row[j] + 1, above[j + 1] + 1
            best = min(replaced, inserted, deleted)
            kept = KEPT[replaced == best, inserted == best, deleted == best]
            if movable and other in prints:
                run = runs[j] or set()
                if ours[i + 1] - theirs[j + 1] in run:
                    moved, count = _price_move(i, j, cost, source=source, corrected=corrected)
                    if moved <= best:
                        kept = [f"T{count}", *kept] if moved == best else [f"T{count}"]
                        best = moved
                if best != above[j]:
                    run.add(ours[i] - theirs[j])
                    next_runs[j + 1] = run
            row.append(best)
            steps.append(kept)
        runs = next_runs
    return cells


def _fingerprints(tokens: Iterable[str]) -> dict[str, int]:
    """A large number for each token. Two lists of tokens are hardly ever of one sum, unless one reorders the other.

    So a change of order need not be looked for at every cell. Along a diagonal, the sum of the source's tokens less
    that of the corrected ones is the same before and after it. A *run* holds these differences, as far back as a
    change may begin.
    """
    random = Random(0)
    return {token: random.getrandbits(61) for token in sorted(tokens)}


def _price_move(
    i: int, j: int, cost: list[list[float]], *, source: Sequence[str], corrected: Sequence[str]
) -> tuple[float, int]:
    """The cost of a change of order that ends in tokens i and j, and over how many tokens it goes."""
    excess: dict[str, int] = {}  # how many more of a token there are on the source side
    for k in range(min(i, j) + 1):
        if k and cost[i - k + 1][j - k + 1] == cost[i - k][j - k]:
            break
        for token, change in ((source[i - k], 1), (corrected[j - k], -1)):
            excess[token] = excess.get(token, 0) + change
            if not excess[token]:
                del excess[token]
        if k and not excess:
            return cost[i - k][j - k] + k, k + 1
    return inf, 0


def _ways_back(cells: Cells) -> Iterator[list[AlignmentStep]]:
    """All ways from the last cell to the first, depth first."""
    waiting: list[tuple[int, int, MergedWay | None]] = [(len(cells) - 1, len(cells[0]) - 1, None)]
    while waiting:
        i, j, chain = waiting.pop()
        if not i and not j:
            way = []
            while chain is not None:
                way.append(chain.step)
                chain = chain.rest
            yield way
            continue
        for operation in reversed(cells[i][j]):
            length = int(operation[1:] or 1)
            start, start_corrected = i - length * (operation != "I"), j - length * (operation != "D")
            waiting.append(
                (start, start_corrected, MergedWay(AlignmentStep(operation, start, i, start_corrected, j), chain))
            )
