"""From an alignment of characters to edits, as ChERRANT merges them (Zhang & al. 2022).

1. Neighbouring insertions become one edit, so do deletions, and whatever neighbours hold a substitution.
2. What stands on both sides of unchanged tokens is one change of order (W) if the two are exchanged, or if the one is
   taken away and the other put in: 我 昨天 → 昨天 我.
3. A substitution loses the tokens that its two sides share at their start and end.

Types: W (word order), R (redundant), M (missing), S (substituted).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rapidfuzz.distance import Levenshtein

from gecval.edits.alignment import Step

TYPES = {"T": "W", "D": "R", "I": "M", "S": "S"}
# A mark that moves alone is no change of order. The test is whether a text is part of this one.
MARKS = (
    "！？｡＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢"
    "｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟–—‘'‛“”„‟…‧."
)


def merged(steps: Sequence[Step], source: Sequence[str], corrected: Sequence[str]) -> list[Step]:
    """The edits as steps: their operations are S, I, D, and T with the number of source tokens."""
    items = _runs(steps)
    kept: list[Step] = []
    place = 0
    while place < len(items):
        window = items[place : place + 3]
        if len(window) == 3 and _exchanged(window, source, corrected):
            kept.append(_joined("T", window))
            place += 3
            continue
        if items[place].operation != "M":
            kept.append(items[place])
        place += 1
    return [edit for step in kept if (edit := _trimmed(step, source, corrected))]


def _runs(steps: Sequence[Step]) -> list[Step]:
    """Runs of equal tokens as one step, runs of changes as one or several."""
    items: list[Step] = []
    for kind, group in groupby(steps, key=lambda step: step.operation[0] if step.operation[0] in "MT" else ""):
        run = list(group)
        operations = {step.operation for step in run}
        if kind == "M":
            items.append(_joined("M", run))
        elif kind == "T" or len(run) == 1 or operations == {"D", "I"}:
            items += run
        else:
            items.append(_joined(operations.pop() if len(operations) == 1 else "S", run))
    return items


def _joined(operation: str, run: Sequence[Step]) -> Step:
    first, last = run[0], run[-1]
    name = f"T{last.end - first.start}" if operation == "T" else operation
    return Step(name, first.start, last.end, first.start_corrected, last.end_corrected)


def _exchanged(window: Sequence[Step], source: Sequence[str], corrected: Sequence[str]) -> bool:
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


def _trimmed(step: Step, source: Sequence[str], corrected: Sequence[str]) -> Step | None:
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
    return Step(operation, start, end, start_corrected, end_corrected)


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """How many tokens two sequences share at their start."""
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count


def _text(source: Sequence[str], step: Step) -> str:
    return "".join(source[step.start : step.end])


def _corrected_text(corrected: Sequence[str], step: Step) -> str:
    return "".join(corrected[step.start_corrected : step.end_corrected])
