"""How often annotators replace words where they could, counted the slow way."""

from __future__ import annotations

from collections.abc import Sequence

from gecval import Edit

Annotated = tuple[list[str], list[list[Edit]]]  # a sentence's words, and the edits of each of its references


def pair(words: Sequence[str], edit: Edit) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words before and after; what is only added goes with the next word, or with the last at the end."""
    after = edit.correction.split()
    if edit.start < edit.end:
        return tuple(words[edit.start : edit.end]), tuple(after)
    if edit.start < len(words):
        return (words[edit.start],), (*after, words[edit.start])
    return (words[-1],), (words[-1], *after)


def share(sentences: Sequence[Annotated], replacement: tuple[tuple[str, ...], tuple[str, ...]], without: int) -> float:
    before = replacement[0]
    made = chances = 0
    for number, (words, references) in enumerate(sentences):
        if number == without:
            continue
        for edits in references:
            made += [pair(words, edit) for edit in edits].count(replacement)
            chances += sum(tuple(words[i : i + len(before)]) == before for i in range(len(words)))
    return made / chances if chances else 0.0
