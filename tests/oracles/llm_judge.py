"""A judge of the plainest kind: how many prompts it takes, and the mean of what it thinks of each output."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence


def prompts(outputs: Mapping[str, Sequence[str]], size: int) -> int:
    """How many prompts there are, where each shows at most ``size`` outputs of a sentence."""
    count = 0
    for texts in zip(*outputs.values(), strict=True):
        left = len(set(texts))
        while left > 0:
            count += 1
            left -= size
    return count


def means(outputs: Mapping[str, Sequence[str]], quality: Callable[[str], int]) -> dict[str, float]:
    return {name: sum(map(quality, texts)) / len(texts) for name, texts in outputs.items()}
