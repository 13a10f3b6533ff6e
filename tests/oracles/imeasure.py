"""I-measure (Felice & Briscoe 2015), slow and plain: every candidate reference is built, aligned and compared.

Scores are fractions, so equal means equal. Where the original divides by zero, 0 / 0 is 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from fractions import Fraction
from itertools import product

Token = str
Sentence = tuple[Token, ...]
Column = tuple[Token | None, Token | None, Token | None]  # source, hypothesis, reference; None is a gap
Edit = tuple[int, int, Sentence]  # start, end, correction
Alternative = tuple[Edit, ...]
Cluster = Sequence[Alternative]

# The order in which the backtrace tries them; source, hypothesis, reference.
MOVES = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))


def pair_cost(a: Token | None, b: Token | None) -> int:
    if a == b:
        return 0
    return 2 if a is None or b is None else 3


def align_three(source: Sentence, hypothesis: Sentence, reference: Sentence) -> list[Column]:
    """The sum-of-pairs alignment of least cost that the backtrace finds."""

    def column(i: int, j: int, k: int, move: tuple[int, int, int]) -> Column:
        return (
            source[i - 1] if move[0] else None,
            hypothesis[j - 1] if move[1] else None,
            reference[k - 1] if move[2] else None,
        )

    def steps(i: int, j: int, k: int) -> Iterable[tuple[int, Column, tuple[int, int, int]]]:
        for move in MOVES:
            before = (i - move[0], j - move[1], k - move[2])
            if min(before) >= 0:
                s, h, r = column(i, j, k, move)
                yield cost[before] + pair_cost(s, h) + pair_cost(s, r) + pair_cost(h, r), (s, h, r), before

    cost = {(0, 0, 0): 0}
    for cell in product(range(len(source) + 1), range(len(hypothesis) + 1), range(len(reference) + 1)):
        if cell != (0, 0, 0):
            cost[cell] = min(total for total, _, _ in steps(*cell))
    columns = []
    cell = (len(source), len(hypothesis), len(reference))
    while cell != (0, 0, 0):
        chosen, before = next((c, b) for total, c, b in steps(*cell) if total == cost[cell])
        columns.append(chosen)
        cell = before
    return columns[::-1]


def align_two(first: Sentence, second: Sentence) -> list[tuple[Token | None, Token | None]]:
    """Pairwise alignment; the backtrace tries both tokens, a gap in the second, a gap in the first."""
    cost: dict[tuple[int, int], int] = {}
    for i, j in product(range(len(first) + 1), range(len(second) + 1)):
        options = [0] if i == j == 0 else []
        if i and j:
            options.append(cost[i - 1, j - 1] + pair_cost(first[i - 1], second[j - 1]))
        if i:
            options.append(cost[i - 1, j] + 2)
        if j:
            options.append(cost[i, j - 1] + 2)
        cost[i, j] = min(options)
    pairs: list[tuple[Token | None, Token | None]] = []
    i, j = len(first), len(second)
    while i or j:
        if i and j and cost[i, j] == cost[i - 1, j - 1] + pair_cost(first[i - 1], second[j - 1]):
            i, j = i - 1, j - 1
            pairs.append((first[i], second[j]))
        elif i and cost[i, j] == cost[i - 1, j] + 2:
            i -= 1
            pairs.append((first[i], None))
        else:
            j -= 1
            pairs.append((None, second[j]))
    return pairs[::-1]


def align(source: Sentence, hypothesis: Sentence, reference: Sentence) -> list[Column]:
    if source == hypothesis:
        return [(s, s, r) for s, r in align_two(source, reference)]
    if source == reference:
        return [(s, h, s) for s, h in align_two(source, hypothesis)]
    return align_three(source, hypothesis, reference)


@dataclass(frozen=True)
class Counts:
    """Correction counts of the system, and the baseline's: the source as its own hypothesis."""

    tp: int = 0
    tn: int = 0
    fp: int = 0
    fn: int = 0
    fpn: int = 0
    base_tn: int = 0
    base_fn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


NOTHING = Counts()


def count(source: Sentence, hypothesis: Sentence, reference: Sentence) -> Counts:
    n = dict.fromkeys(("tp", "tn", "fp", "fn", "fpn"), 0)
    for s, h, r in align(source, hypothesis, reference):
        if s == h:
            n["tn" if h == r else "fn"] += 1
        elif s == r:
            n["fp"] += 1
        elif h == r:
            n["tp"] += 1
        else:
            for name in ("fp", "fn", "fpn"):
                n[name] += 1
    base = [s == r for s, _, r in align(source, source, reference)]
    return Counts(**n, base_tn=sum(base), base_fn=len(base) - sum(base))


def _ratio(over: Fraction | int, under: Fraction | int) -> Fraction:
    return Fraction(over) / under if under else Fraction(1)


def improvement(wacc: Fraction, base: Fraction) -> Fraction:
    if wacc == base:
        return Fraction(int(wacc))
    return (wacc - base) / (1 - base) if wacc > base else wacc / base - 1


def scores(c: Counts, aspect: str, weight: Fraction = Fraction(2), beta: Fraction = Fraction(1)) -> dict[str, Fraction]:
    """All measures of one aspect, 'd'etection or 'c'orrection."""
    tp, tn, fp, fn, fpn = c.tp, c.tn, c.fp, c.fn, c.fpn
    if aspect == "d":
        tp, fp, fn, fpn = tp + fpn, fp - fpn, fn - fpn, 0
    p, r = _ratio(tp, tp + fp), _ratio(tp, tp + fn)
    f = (1 + beta**2) * p * r / (beta**2 * p + r) if beta**2 * p + r else Fraction(0)
    acc = _ratio(tp + tn, tp + tn + fp + fn - fpn)
    wacc = _ratio(weight * tp + tn, weight * (tp + fp) + tn + fn - (weight + 1) * fpn / 2)
    base = _ratio(c.base_tn, c.base_tn + c.base_fn)
    i = improvement(wacc, base)
    counts = {"tp": tp, "tn": tn, "fp": fp, "fn": fn}
    return {k: Fraction(v) for k, v in counts.items()} | {"p": p, "r": r, "f": f, "acc": acc, "wacc": wacc, "i": i}


def rank(
    c: Counts, measure: str = "cwacc", weight: Fraction = Fraction(2), beta: Fraction = Fraction(1)
) -> tuple[Fraction | int, ...]:
    """What candidates are compared on; the counts at the end only make the choice independent of their order."""
    aspect, name = measure[0], measure[1:]
    key: list[Fraction | int] = []
    for a in (aspect, "c" if aspect == "d" else "d"):
        s = scores(c, a, weight, beta)
        key += [s[name], s["i"], s["wacc"], s["acc"]]
    return (*key, c.tp, c.tn, -c.fp, -c.fn, -c.fpn, c.base_tn, -c.base_fn)


def apply(source: Sentence, edits: Iterable[Edit]) -> Sentence:
    """Splice edits in from the last to the first; one that would leave nothing is skipped."""
    tokens = list(source)
    for start, end, correction in sorted(edits, key=lambda e: e[:2], reverse=True):
        changed = tokens[:start] + list(correction) + tokens[max(start, end) :]
        if changed:
            tokens = changed
    return tuple(tokens)


def mixed_candidates(source: Sentence, clusters: Sequence[Cluster]) -> set[Sentence]:
    """One alternative per cluster, all combinations, unless two edits have the same span."""
    candidates = set()
    for combination in product(*clusters):
        edits = [edit for alternative in combination for edit in alternative]
        if len({edit[:2] for edit in edits}) == len(edits):
            candidates.add(apply(source, edits))
    return candidates or {source}


def best(
    source: Sentence,
    hypothesis: Sentence,
    candidates: Iterable[Sentence],
    measure: str = "cwacc",
    offset: Counts = NOTHING,
    weight: Fraction = Fraction(2),
    beta: Fraction = Fraction(1),
) -> Counts:
    """The counts of the best candidate; `offset` holds the totals so far where the corpus score is optimised."""
    rows = {count(source, hypothesis, candidate) for candidate in candidates}
    return max(rows, key=lambda row: rank(offset + row, measure, weight, beta))


def total(rows: Iterable[Counts]) -> Counts:
    return sum(rows, NOTHING)
