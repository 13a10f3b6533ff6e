"""Weighted edits as their page of the specification says them: one sentence at a time, plain lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from gecval.corpus.edit import Edit, apply_edits

Row = tuple[float, float, float]  # tp, fp, fn


def word_f1(text: str, reference: str) -> float:
    a, b = Counter(text.split()), Counter(reference.split())
    if not a and not b:
        return 1.0
    common = sum(min(a[word], b[word]) for word in a)
    precision, recall = common / sum(a.values()) if a else 0.0, common / sum(b.values()) if b else 0.0
    return 2 * precision * recall / (precision + recall) if common else 0.0


def errant_row(
    source: str,
    reference: str,
    proposed: Sequence[Edit],
    gold: Sequence[Edit],
    f: Callable[[str, str], float] = word_f1,
) -> Row:
    def weight(edit: Edit) -> float:
        return abs(f(apply_edits(source.split(), [edit]), reference) - f(source, reference))

    ours, theirs = ([(e.start, e.end, e.corrections) for e in edits] for edits in (proposed, gold))
    return (
        sum(weight(edit) for edit, key in zip(proposed, ours, strict=True) if key in theirs),
        sum(weight(edit) for edit, key in zip(proposed, ours, strict=True) if key not in theirs),
        sum(weight(edit) for edit, key in zip(gold, theirs, strict=True) if key not in ours),
    )


def f_score(row: Sequence[float], beta: float) -> float:
    tp, fp, fn = row
    p, r = (1.0 if fp == 0 else tp / (tp + fp)), (1.0 if fn == 0 else tp / (tp + fn))
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0


def running_best(sentences: Sequence[Sequence[Row]], beta: float) -> list[int]:
    """By (F, tp, −fp, −fn) of totals and row, all to twelve decimals, then the earlier."""
    totals, chosen = [0.0, 0.0, 0.0], []
    for rows in sentences:
        sums = [[a + b for a, b in zip(totals, row, strict=True)] for row in rows]
        keys = [tuple(round(x, 12) for x in (f_score(s, beta), s[0], -s[1], -s[2])) for s in sums]
        chosen.append(keys.index(max(keys)))
        totals = sums[chosen[-1]]
    return chosen
