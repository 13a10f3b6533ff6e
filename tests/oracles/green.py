"""GREEN as its page of the specification says it: n-grams in dictionaries, one sentence at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def tokens_of(text: str, unit: str, form: str) -> list[str]:
    text = text.strip()
    if unit == "char":
        return list(text)
    if form == "author":
        return text.split()
    return text.split(" ") if text else []


def counts(source: Sequence[str], hypothesis: Sequence[str], reference: Sequence[str], n: int) -> tuple[int, int, int]:
    """TP, FP and FN of one order."""
    s, c, r = (Counter(tuple(t[i : i + n]) for i in range(len(t) - n + 1)) for t in (source, hypothesis, reference))
    tp = fp = fn = 0
    for x in s.keys() | c.keys() | r.keys():
        tp += min(s[x], r[x], c[x]) + max(s[x] - max(r[x], c[x]), 0) + max(min(r[x], c[x]) - s[x], 0)
        fp += max(min(s[x], r[x]) - c[x], 0) + max(c[x] - max(s[x], r[x]), 0)
        fn += max(min(s[x], c[x]) - r[x], 0) + max(r[x] - max(s[x], c[x]), 0)
    return tp, fp, fn


def f(row: Sequence[tuple[int, int, int]], beta: float, form: str) -> float:
    """The score of the orders in a row."""
    precision = recall = 1.0
    for tp, fp, fn in row:
        precision *= tp / (tp + fp) if tp + fp else 1.0
        recall *= tp / (tp + fn) if tp + fn else float(form == "gec-metrics")
    precision, recall = precision ** (1 / len(row)), recall ** (1 / len(row))
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def green(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    beta: float = 2.0,
    n: int = 4,
    unit: str = "word",
    form: str = "gec-metrics",
) -> tuple[float, list[float]]:
    """The corpus score and the score of each sentence."""
    totals = [(0, 0, 0)] * n
    sentences = []
    for source, hypothesis, texts in zip(sources, hypotheses, references, strict=True):
        s, c = tokens_of(source, unit, form), tokens_of(hypothesis, unit, form)
        rows = [[counts(s, c, tokens_of(text, unit, form), k) for k in range(1, n + 1)] for text in texts]

        def preference(row: Sequence[tuple[int, int, int]]) -> list[float]:
            orders = range(n, 0, -1) if form == "author" else [n]
            return [f(row[:k], beta, form) for k in orders]

        best = max(rows, key=preference)  # the first of equals
        sentences.append(f(best, beta, form))
        totals = [(a + d, b + e, g + h) for (a, b, g), (d, e, h) in zip(totals, best, strict=True)]
    return f(totals, beta, form), sentences
