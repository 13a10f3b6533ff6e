"""GLEU, BLEU, iBLEU and SARI from plain n-gram counters over lists of tokens; the caller tokenises and lower-cases.

GLEU (Napoles et al. 2015, 2016 "GLEU without tuning"), hypothesis C, source S, reference R, order N:
    exp( min(0, 1 - r/c) + 1/N sum_n ln(num_n / den_n) ),  den_n = number of n-grams of C,
    tool:  num_n = max(0, sum min(C, R) - sum min(C, S without the n-gram types of R))
    paper: num_n = sum_{C and R} min(C, R) - sum_{C and S} max(0, min(C, S) - min(C, R))
BLEU (Papineni et al. 2002): the same with num_n = sum min(C, max over R) and r the reference length closest to c.
iBLEU (Sun and Zhou 2012): a BLEU(C, R) - (1 - a) BLEU(C, S); the MAEGE code adds instead.
SARI (Xu et al. 2016): mean over keep F1, delete precision, add F1, each a mean over n = 1..4.
"""

import random
from collections import Counter
from math import exp, log
from typing import Literal

Tokens = list[str]
Gram = tuple[str, ...]
Form = Literal["tool", "paper"]


def grams(tokens: Tokens, n: int) -> Counter[Gram]:
    """Multiset of the n-grams."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def gram_count(tokens: Tokens, n: int) -> int:
    return max(len(tokens) - n + 1, 0)


def _geometric_mean(c: int, r: int, numerators: list[float], denominators: list[float]) -> float:
    """Brevity penalty times the geometric mean of the precisions, none of which is 0."""
    logs = [log(num / den) for num, den in zip(numerators, denominators, strict=True)]
    return exp(min(0.0, 1 - r / c) + sum(logs) / len(logs))


# --- GLEU -----------------------------------------------------------------------------


def gleu_statistics(
    source: Tokens, hypothesis: Tokens, reference: Tokens, order: int = 4, form: Form = "tool"
) -> list[int]:
    """[c, r, num_1, den_1, ..., num_N, den_N] for one sentence and one reference."""
    statistics = [len(hypothesis), len(reference)]
    for n in range(1, order + 1):
        h, s, r = grams(hypothesis, n), grams(source, n), grams(reference, n)
        reward = sum(min(h[g], r[g]) for g in h)
        if form == "tool":
            numerator = max(0, reward - sum(min(h[g], s[g]) for g in h if g not in r))
        else:
            numerator = reward - sum(max(0, min(h[g], s[g]) - min(h[g], r[g])) for g in h)
        statistics += [numerator, gram_count(hypothesis, n)]
    return statistics


def gleu_score(statistics: list[int], smooth: bool = False) -> float:
    """GLEU of a row of statistics; 0 if any entry is not above 0, or, smoothed, with every such entry replaced by 1."""
    if smooth:
        statistics = [value if value > 0 else 1 for value in statistics]
    if min(statistics) <= 0:
        return 0.0
    c, r = statistics[:2]
    return _geometric_mean(c, r, [*statistics[2::2]], [*statistics[3::2]])


def gleu_sentence(
    source: Tokens, hypothesis: Tokens, references: list[Tokens], order: int = 4, form: Form = "tool"
) -> float:
    """Mean over the references of the smoothed GLEU."""
    scores = [gleu_score(gleu_statistics(source, hypothesis, r, order, form), smooth=True) for r in references]
    return sum(scores) / len(scores)


def gleu_sampled_references(sentences: int, references: int, iteration: int) -> list[int]:
    """Which reference each sentence gets in one iteration: Python 2's randint, seeded by 101 times the iteration."""
    rng = random.Random(iteration * 101)
    return [int(rng.random() * references) for _ in range(sentences)]


def gleu_corpus(
    sources: list[Tokens],
    hypotheses: list[Tokens],
    references: list[list[Tokens]],
    order: int = 4,
    form: Form = "tool",
    iterations: int = 500,
) -> tuple[float, float]:
    """Mean and population standard deviation over the iterations; all sentences have equally many references."""
    rows = [
        [gleu_statistics(source, hypothesis, reference, order, form) for reference in choices]
        for source, hypothesis, choices in zip(sources, hypotheses, references, strict=True)
    ]
    count = len(references[0])
    scores = []
    for iteration in range(iterations if count > 1 else 1):
        picks = gleu_sampled_references(len(rows), count, iteration)
        picked = [row[pick] for row, pick in zip(rows, picks, strict=True)]
        scores.append(gleu_score([sum(column) for column in zip(*picked, strict=True)]))
    mean = sum(scores) / len(scores)
    return mean, (sum((score - mean) ** 2 for score in scores) / len(scores)) ** 0.5


# --- BLEU and iBLEU -------------------------------------------------------------------


def bleu_statistics(hypothesis: Tokens, references: list[Tokens], order: int = 4) -> list[int]:
    """[c, r, num_1, den_1, ..., num_N, den_N]; references pooled, r the closest length, the shorter one on ties."""
    closest = min((abs(len(reference) - len(hypothesis)), len(reference)) for reference in references)[1]
    statistics = [len(hypothesis), closest]
    for n in range(1, order + 1):
        h = grams(hypothesis, n)
        pooled: Counter[Gram] = Counter()
        for reference in references:
            pooled |= grams(reference, n)  # the larger count
        statistics += [sum(min(h[g], pooled[g]) for g in h), gram_count(hypothesis, n)]
    return statistics


def bleu_score(statistics: list[int]) -> float:
    """Unsmoothed BLEU of a row of (summed) statistics; 0 if some order has no match."""
    c, r = statistics[:2]
    numerators, denominators = statistics[2::2], statistics[3::2]
    if 0 in numerators:
        return 0.0
    return _geometric_mean(c, r, [*numerators], [*denominators])


def bleu_corpus(hypotheses: list[Tokens], references: list[list[Tokens]], order: int = 4) -> float:
    rows = [bleu_statistics(h, choices, order) for h, choices in zip(hypotheses, references, strict=True)]
    return bleu_score([sum(column) for column in zip(*rows, strict=True)])


def bleu_sentence(hypothesis: Tokens, references: list[Tokens], order: int = 4) -> float:
    """Sentence BLEU smoothed by NIST's rule (nltk's method 3): the k-th order without a match gets 1 / (2^k den).

    The order is at most the length of the hypothesis and of the shortest reference (MAEGE's code), so an empty one
    among them gives 0, as does a hypothesis without a matching word.
    """
    order = min(order, len(hypothesis), *(len(reference) for reference in references))
    if order == 0:
        return 0.0
    c, r, *counts = bleu_statistics(hypothesis, references, order)
    if counts[0] == 0:
        return 0.0
    numerators: list[float] = []
    zeros = 0
    for numerator in counts[0::2]:
        if numerator == 0:
            zeros += 1
        numerators.append(numerator or 1 / 2**zeros)
    return _geometric_mean(c, r, numerators, [*counts[1::2]])


def ibleu_sentence(
    source: Tokens,
    hypothesis: Tokens,
    references: list[Tokens],
    alpha: float = 0.8,
    sign: Literal["plus", "minus"] = "plus",
    order: int = 4,
) -> float:
    to_source = (1 - alpha) * bleu_sentence(hypothesis, [source], order)
    to_references = alpha * bleu_sentence(hypothesis, references, order)
    return to_references + to_source if sign == "plus" else to_references - to_source


# --- SARI -----------------------------------------------------------------------------


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _f1(precision: float, recall: float) -> float:
    return _ratio(2 * precision * recall, precision + recall)


def _times(counts: Counter[Gram], factor: int) -> Counter[Gram]:
    return Counter({g: count * factor for g, count in counts.items()})


def _pooled(references: list[Tokens], n: int) -> Counter[Gram]:
    pooled: Counter[Gram] = Counter()
    for reference in references:
        pooled += grams(reference, n)
    return pooled


def sari_parts(source: Tokens, hypothesis: Tokens, references: list[Tokens], n: int) -> tuple[float, float, float]:
    """Keep F1, delete precision and add F1 of one order, as means over n-gram types."""
    r = _pooled(references, n)
    s = _times(grams(source, n), len(references))
    c = _times(grams(hypothesis, n), len(references))

    kept = s & c
    kept_well = kept & r
    to_keep = s & r
    keep_precision = _ratio(sum(kept_well[g] / kept[g] for g in kept_well), len(kept))
    keep_recall = _ratio(sum(kept_well[g] / to_keep[g] for g in kept_well), len(to_keep))

    deleted = s - c
    deleted_well = deleted - r
    delete_precision = _ratio(sum(deleted_well[g] / deleted[g] for g in deleted_well), len(deleted))

    added = set(c) - set(s)
    to_add = set(r) - set(s)
    added_well = added & set(r)
    add_precision = _ratio(len(added_well), len(added))
    add_recall = _ratio(len(added_well), len(to_add))

    return _f1(keep_precision, keep_recall), delete_precision, _f1(add_precision, add_recall)


def sari_sentence(source: Tokens, hypothesis: Tokens, references: list[Tokens], order: int = 4) -> float:
    parts = [sari_parts(source, hypothesis, references, n) for n in range(1, order + 1)]
    keep = sum(part[0] for part in parts) / order
    delete = sum(part[1] for part in parts) / order
    add = sum(part[2] for part in parts) / order
    return (keep + delete + add) / 3


def max_sari_sentence(source: Tokens, hypothesis: Tokens, references: list[Tokens], order: int = 4) -> float:
    """The best SARI against a single reference (Choshen and Abend 2018)."""
    return max(sari_sentence(source, hypothesis, [reference], order) for reference in references)


def sari_statistics(source: Tokens, hypothesis: Tokens, references: list[Tokens], order: int = 4) -> list[int]:
    """For n = 1..N: good, proposed and wanted counts of keeping, then of deleting, then of adding (types): 9 N numbers.

    Counts of source and hypothesis are multiplied by the number of references, to weigh as much as the pooled ones.
    """
    statistics: list[int] = []
    for n in range(1, order + 1):
        r = _pooled(references, n)
        s = _times(grams(source, n), len(references))
        c = _times(grams(hypothesis, n), len(references))
        added = set(c) - set(s)
        to_add = set(r) - set(s)
        statistics += [(s & c & r).total(), (s & c).total(), (s & r).total()]
        statistics += [((s - c) & (s - r)).total(), (s - c).total(), (s - r).total()]
        statistics += [len(added & to_add), len(added), len(to_add)]
    return statistics


def sari_score(statistics: list[int], delete_by: Literal["f1", "precision"] = "f1") -> float:
    """Corpus SARI in 0..1 of summed statistics: mean over n of each operation's F1, then over the three operations."""
    scores = []
    for at in range(0, len(statistics), 3):
        good, proposed, wanted = statistics[at : at + 3]
        precision, recall = _ratio(good, proposed), _ratio(good, wanted)
        deletes = at % 9 == 3
        scores.append(precision if deletes and delete_by == "precision" else _f1(precision, recall))
    return sum(scores) / len(scores)


def sari_corpus(
    sources: list[Tokens],
    hypotheses: list[Tokens],
    references: list[list[Tokens]],
    order: int = 4,
    delete_by: Literal["f1", "precision"] = "f1",
) -> float:
    rows = [
        sari_statistics(source, hypothesis, choices, order)
        for source, hypothesis, choices in zip(sources, hypotheses, references, strict=True)
    ]
    return sari_score([sum(column) for column in zip(*rows, strict=True)], delete_by)
