"""GoToScorer as its page of the specification says it: every chunk of a reference against every chunk of an output."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.corpus.edit import Edit

Chunk = tuple[int, int, list[str], bool]  # start, end, words, whether it is an edit


def chunks(source: Sequence[str], edits: Sequence[Edit]) -> list[Chunk]:
    """For edits that do not overlap."""
    covered = {k for edit in edits for k in range(edit.start, edit.end)}
    consuming: list[Chunk] = [(k, k + 1, [source[k]], False) for k in range(len(source)) if k not in covered]
    consuming += [(e.start, e.end, e.correction.split(), True) for e in edits if e.start < e.end]
    insertions: list[Chunk] = [(e.start, e.end, e.correction.split(), True) for e in edits if e.start == e.end]
    taken = {start for start, *_ in insertions}
    places = [start for start, *_ in consuming] + [len(source)]
    empty: list[Chunk] = [(k, k, [], False) for k in places if k not in taken]
    return sorted([*consuming, *insertions, *empty], key=lambda chunk: chunk[:2])


def judge(gold: Chunk, outputs: Sequence[Chunk], form: str) -> tuple[bool, bool]:
    """Tried, right."""
    state: tuple[bool, bool] | None = None
    start, end, words, is_edit = gold
    for its_start, its_end, its_words, its_edit in outputs:
        tried_so_far = state[0] if state else False
        if (its_start, its_end) == (start, end):
            if its_words == words or form == "gec-metrics":
                return its_edit, its_words == words
            state = tried_so_far or its_edit, False
        elif start != end and (start <= its_start < end or its_start <= start < its_end):
            state = tried_so_far or its_edit, False
    if state is None:
        return False, form == "gec-metrics" or not is_edit
    return state


def right(gold: Chunk, outputs: Sequence[Chunk], form: str) -> bool:
    """Whether a system of the pool is right."""
    if form == "gec-metrics":
        return any(gold[2] == words for _, _, words, _ in outputs)
    return judge(gold, outputs, form)[1]


def rows(
    sources: Sequence[Sequence[str]],
    hypotheses: Sequence[Sequence[Edit]],
    references: Sequence[Sequence[Edit]],
    pool: Sequence[Sequence[Sequence[Edit]]] = (),
    *,
    form: str = "author",
) -> list[list[float]]:
    """tp, fp, fn and tn of each sentence. Without a pool every weight is 1."""
    counted = []
    for i, (source, proposed, gold_edits) in enumerate(zip(sources, hypotheses, references, strict=True)):
        tp = fp = fn = tn = 0.0
        outputs = chunks(source, proposed)
        others = [chunks(source, of_system[i]) for of_system in pool]
        for gold in chunks(source, gold_edits):
            weight = 1 - sum(right(gold, other, form) for other in others) / len(others) if others else 1.0
            tried, is_right = judge(gold, outputs, form)
            if tried and is_right:
                tp += weight
            elif tried:
                fp += weight
                fn += weight if gold[3] else 0.0
            elif is_right:
                tn += weight
            else:
                fn += weight
        counted.append([tp, fp, fn, tn])
    return counted
