"""M²'s recall by type of error, sentence by sentence, from the edits that the plain search of ``m2.py`` finds."""

from __future__ import annotations

from collections import defaultdict

from oracles.m2 import Edit, Triple, max_match, running_best

Typed = tuple[int, int, tuple[str, ...], str]  # start, end, alternative corrections, type


def _inside(order: Typed, edit: Typed) -> bool:
    return order[3] == "R:WO" and edit[3] != "R:WO" and order[0] <= edit[0] and edit[1] <= order[1]


def _annotations(real: list[list[Typed]], estgec: bool) -> list[list[Typed]]:
    """Real annotators, then two for every word-order edit with others inside: without these, and without it."""
    made = [list(edits) for edits in real]
    for edits in real if estgec else []:
        for k, order in enumerate(edits):
            if any(_inside(order, edit) for edit in edits):
                made.append([edit for edit in edits if not _inside(order, edit)])
                made.append([*edits[:k], *edits[k + 1 :]])
    return made


def _equal(own: Edit, gold: Typed) -> bool:
    return own[:2] == gold[:2] and len(own[2].split()) == gold[1] - gold[0] and own[3] in gold[2]


def recall_by_type(
    sentences: list[tuple[list[str], list[str], list[list[Typed]]]],
    *,
    estgec: bool,
    max_unchanged: int,
    version: str,
) -> dict[str, list[int]]:
    """Per type: gold, correct, span, overlap, within."""
    annotations = [_annotations(real, estgec) for _, _, real in sentences]
    searched = [
        max_match(
            source, output, [[(e[0], e[1], list(e[2])) for e in gold] for gold in golds], max_unchanged, False, version
        )
        for (source, output, _), golds in zip(sentences, annotations, strict=True)
    ]
    triples: list[list[Triple]] = [[row[:3] for row in rows] for rows in searched]
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    for i, k in enumerate(running_best(triples, 0.5)):
        gold, path = annotations[i][k], searched[i][k][3]
        correct: set[int] = set()
        for own in path:
            later = [n for n in range(max(correct, default=-1) + 1, len(gold)) if _equal(own, gold[n])]
            correct.update(later)
        for n, edit in enumerate(gold):
            row = counts[edit[3]]
            row[0] += 1
            row[1] += n in correct
            row[2] += n in correct or any(own[:2] == edit[:2] and not _equal(own, edit) for own in path)
            row[3] += n in correct or any(
                own[:2] == edit[:2] or (own[0] < edit[1] and edit[0] < own[1]) for own in path
            )
        for order in gold if estgec else []:
            within = {edit for edits in sentences[i][2] if order in edits for edit in edits if _inside(order, edit)}
            for edit in within - {gold[n] for n in correct}:
                counts[edit[3]][4] += 1
    return dict(counts)
