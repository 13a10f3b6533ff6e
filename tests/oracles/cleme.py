"""CLEME and CLEME2.0 as their page of the specification says them: lists of tokens, one sentence at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, nan

from gecval.corpus.edit import Edit, apply_edits

Row = list[float]  # hit, wrong, over, missed, kept
Chunks = list[tuple[list[str], bool]]  # what a text has in each chunk, and whether it changed there
HIT, WRONG, OVER, MISSED, KEPT = range(5)
CLIPS = {
    "length": [(2.0, 0.75, 1.25)] * 3,
    "sentence dependent": [(10.0, 1.0, 10.0), (10.0, 0.25, 1.0), (10.0, 1.0, 1.0)],
    "sentence independent": [(10.0, 2.5, 10.0), (10.0, 0.25, 1.0), (10.0, 1.0, 1.0)],
}


def intervals(targets: Sequence[Sequence[Edit]]) -> list[list[int]]:
    merged: list[list[int]] = []
    for edit in sorted((edit for edits in targets for edit in edits), key=lambda edit: edit.start):
        if merged and edit.start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], edit.end)
        else:
            merged.append([edit.start, edit.end])
    return merged


def spans(length: int, merged: Sequence[Sequence[int]]) -> list[tuple[int, int, bool]]:
    """All chunks, those that no text changes too (False)."""
    if not merged:
        return [(0, length, False)]
    listed, at = [], 0
    for start, end in merged:
        if start > at:
            listed.append((at, start, False))
        listed.append((start, end, True))
        at = end
    return [*listed, (at, length, False)] if at < length else listed


def chunks(source: Sequence[str], edits: Sequence[Edit], cut: Sequence[tuple[int, int, bool]]) -> Chunks:
    listed = []
    for start, end, shared in cut:
        inside = [e for e in edits if shared and start <= e.start <= end]
        moved = [Edit(e.start - start, e.end - start, e.corrections) for e in inside]
        listed.append((apply_edits(source[start:end], moved).split(), bool(inside)))
    return listed


def counting(source: Sequence[str], references: Sequence[Sequence[Edit]], drop_unchanged: bool) -> list[int]:
    """Which references take part."""
    texts = [apply_edits(source, edits).split() for edits in references]
    places = list(range(len(texts)))
    if drop_unchanged:
        places = [r for r in places if texts[r] != list(source)] or places[:1]
    return [r for r in places if texts[r]] or places[:1]


def outcome_of_one(hypothesis: tuple[list[str], bool], reference: tuple[list[str], bool]) -> int:
    if hypothesis[1]:
        return HIT if hypothesis[0] == reference[0] else WRONG if reference[1] else OVER
    return MISSED if hypothesis[0] != reference[0] else KEPT


def outcome_of_all(hypothesis: tuple[list[str], bool], references: Sequence[tuple[list[str], bool]]) -> int:
    if hypothesis[1]:
        if any(hypothesis[0] == reference[0] for reference in references):
            return HIT
        return WRONG if any(reference[1] for reference in references) else OVER
    return MISSED if all(reference[1] for reference in references) else KEPT


def weight(outcome: int, length: int, b: float, clips: Sequence[tuple[float, float, float]] | None) -> float:
    if outcome == KEPT or clips is None or b != b:
        return 1.0
    alpha, least, most = clips[{HIT: 0, MISSED: 2}.get(outcome, 1)]
    away = b - length if outcome in (HIT, MISSED) else length - b
    return min(max(alpha / (1 + (alpha - 1) * exp(away)), least), most)


def rows(
    sources: Sequence[Sequence[str]],
    hypotheses: Sequence[Sequence[Edit]],
    references: Sequence[Sequence[Sequence[Edit]]],
    *,
    mode: str,
    weights: str,
    drop_unchanged: bool = False,
) -> tuple[list[list[Row]], float]:
    """The rows of each sentence, one for each reference that takes part or one in all; and b."""
    judged: list[list[list[tuple[int, int]]]] = []  # sentence, row, chunk: outcome and length
    lengths: list[int] = []
    for source, proposed, golds in zip(sources, hypotheses, references, strict=True):
        kept = [golds[r] for r in counting(source, golds, drop_unchanged)]
        cut = spans(len(source), intervals([proposed, *kept]))
        of_hypothesis = chunks(source, proposed, cut)
        of_references = [chunks(source, edits, cut) for edits in kept]
        size = [max(end - start, len(words)) for (start, end, _), (words, _) in zip(cut, of_hypothesis, strict=True)]
        for reference in of_references:
            for (start, end, _), (words, changed) in zip(cut, reference, strict=True):
                if changed:
                    lengths.append(max(end - start, len(words)))
        if mode == "independent":
            at_once = list(zip(*of_references, strict=True))
            outcomes = [[outcome_of_all(*pair) for pair in zip(of_hypothesis, at_once, strict=True)]]
        else:
            outcomes = [
                [outcome_of_one(*pair) for pair in zip(of_hypothesis, reference, strict=True)]
                for reference in of_references
            ]
        judged.append([list(zip(row, size, strict=True)) for row in outcomes])
    b = sum(lengths) / len(lengths) if lengths else nan
    clips = CLIPS.get(f"sentence {mode}" if weights == "sentence" else weights)
    summed: list[list[Row]] = []
    for sentence in judged:
        summed.append([])
        for row in sentence:
            counts = [0.0] * 5
            for outcome, length in row:
                counts[outcome] += weight(outcome, length, b, clips)
            summed[-1].append(counts)
    return summed, b


def f(row: Row, beta: float = 0.5) -> float:
    tp, fp, fn = row[HIT], row[WRONG] + row[OVER], row[MISSED]
    p = tp / (tp + fp) if tp + fp else 1.0
    r = tp / (tp + fn) if tp + fn else 1.0
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0


def heuo(row: Row, factors: Sequence[float]) -> float:
    necessary, proposed = row[HIT] + row[WRONG] + row[MISSED], row[HIT] + row[WRONG] + row[OVER]
    hit, wrong, under = (row[k] / necessary if necessary else 0.0 for k in (HIT, WRONG, MISSED))
    over = row[OVER] / proposed if proposed else 0.0
    return factors[0] * hit + factors[1] * (1 - wrong) + factors[2] * (1 - under) + factors[3] * (1 - over)


def running_totals(sentences: Sequence[Sequence[Row]], key: Callable[[Row], float]) -> Row:
    """The totals of the reference that is best with the totals so far, sentence after sentence."""
    totals = [0.0] * 5
    for options in sentences:
        best = max(
            options,
            key=lambda row: (
                key([a + b for a, b in zip(totals, row, strict=True)]),
                round(row[HIT], 9),
                -round(row[WRONG] + row[OVER], 9),
                -round(row[MISSED], 9),
                row[KEPT],
            ),
        )
        totals = [a + b for a, b in zip(totals, best, strict=True)]
    return totals


def similarity_rows(
    sources: Sequence[Sequence[str]],
    hypotheses: Sequence[Sequence[Edit]],
    references: Sequence[Sequence[Sequence[Edit]]],
    *,
    mode: str,
    f: Callable[[str, str], float],
) -> list[list[Row]]:
    """CLEME2.0's -sim: the rows of each sentence, one for each reference that takes part."""
    listed: list[list[Row]] = []
    for source, proposed, golds in zip(sources, hypotheses, references, strict=True):
        kept = [golds[r] for r in counting(source, golds, drop_unchanged=False)]
        cut = spans(len(source), intervals([proposed, *kept]))
        of_hypothesis = chunks(source, proposed, cut)
        of_references = [chunks(source, edits, cut) for edits in kept]
        listed.append([])
        for edits, reference in zip(kept, of_references, strict=True):
            text, row = apply_edits(source, edits), [0.0] * 5
            for k, (start, end, _) in enumerate(cut):
                outcome = (
                    outcome_of_all(of_hypothesis[k], [chunked[k] for chunked in of_references])
                    if mode == "independent"
                    else outcome_of_one(of_hypothesis[k], reference[k])
                )
                words = (reference if outcome == MISSED else of_hypothesis)[k][0]
                alone = " ".join([*source[:start], *words, *source[end:]]) or " ".join(source)
                row[outcome] += 1.0 if outcome == KEPT else abs(f(alone, text) - f(" ".join(source), text))
            listed[-1].append(row)
    return listed
