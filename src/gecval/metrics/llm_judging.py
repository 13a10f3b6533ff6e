"""Judging sentences with a chat model: targets are dealt to prompts, and answers become scores.

An answer that cannot be used is asked for once more, with the reason. If that fails too, the sentence is unjudged, for
all systems alike: to judge some of them would compare systems on different sentences.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gecval.corpus import Corpus
from gecval.edits.extractors import Extractor, extract
from gecval.errors import InputError
from gecval.metrics.llm_prompt import HIGHEST, LOWEST, Target, UnusableError, asked_again, read_scores
from gecval.models.chat import Chat, Prompt
from gecval.models.chat_endpoint import Reply
from gecval.progress import Progress, silent

Group = tuple[str, tuple[Target, ...]]  # a source, and the targets of one prompt in their order
NAMED = 10  # unjudged sentences in a note
MIDDLE = (LOWEST + HIGHEST) / 2
SCORED_BY = ("temperature", "seed")  # fields of a request that may change a score


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """The score of each target of each sentence, None for unjudged ones; why they are; and all answers."""

    scores: list[dict[Target, int] | None]
    reasons: dict[int, str]
    replies: list[Reply]

    def notes(self, model: str) -> tuple[str, ...]:
        notes = []
        if self.reasons:
            first, reason = next(iter(self.reasons.items()))
            numbers = ", ".join(str(i + 1) for i in list(self.reasons)[:NAMED])
            more = ", ..." if len(self.reasons) > NAMED else ""
            notes.append(
                f"{len(self.reasons)} of {len(self.scores)} sentences are unjudged: {numbers}{more}. The corpus score "
                f"leaves them out, and as sentence scores they show {MIDDLE:g} "
                f"(the answer to {first + 1} cannot be used: {reason})"
            )
        others = sorted({reply.model for reply in self.replies} - {"", model})
        if others:
            notes.append(f"the server says that {' and '.join(others[:3])} answered for {model}")
        without = sorted({name for reply in self.replies for name in reply.without} & set(SCORED_BY))
        if without:
            notes.append(f"the server takes no {' and no '.join(without)}: its own choice holds")
        return tuple(notes)


def judge(
    chat: Chat, sentences: Sequence[Sequence[Group]], prompt_of: Callable[[Group], Prompt], progress: Progress = silent
) -> Verdicts:
    """Ask about all groups of targets, and read the answers."""
    prompts = {group: prompt_of(group) for groups in sentences for group in groups}
    scores: dict[Group, list[int]] = {}
    wrong: dict[Group, str] = {}
    all_replies: list[Reply] = []
    for _ in range(2):
        replies = dict(zip(prompts, chat.answers(list(prompts.values()), progress=progress), strict=True))
        all_replies += replies.values()
        wrong = {}
        for group, reply in replies.items():
            try:
                scores[group] = read_scores(reply, len(group[1]))
            except UnusableError as why:
                wrong[group] = str(why)
        prompts = {group: asked_again(prompts[group], replies[group], why) for group, why in wrong.items()}
        if not prompts:
            break
    reasons = {i: wrong[group] for i, groups in enumerate(sentences) for group in groups if group in wrong}
    if sentences and len(reasons) == len(sentences):
        raise InputError(f"no answer of {chat.model} can be used; the answer to sentence 1: {reasons[0]}")
    return Verdicts(
        scores=[None if i in reasons else _by_target(groups, scores) for i, groups in enumerate(sentences)],
        reasons=reasons,
        replies=all_replies,
    )


def _by_target(groups: Iterable[Group], scores: dict[Group, list[int]]) -> dict[Target, int]:
    return {target: score for group in groups for target, score in zip(group[1], scores[group], strict=True)}


def dealt(source: str, distinct: Iterable[Target], *, size: int, shuffled: bool, seed: int) -> list[Group]:
    """The targets of a sentence in their order, in as few prompts of about equal size as may be.

    >>> dealt("a", {"b", "c", "d"}, size=2, shuffled=False, seed=1)
    [('a', ('b',)), ('a', ('c', 'd'))]
    """
    ordered = sorted(distinct, key=lambda target: (target,) if isinstance(target, str) else target)
    if shuffled:
        digest = hashlib.sha256(json.dumps([seed, source, ordered]).encode()).digest()
        random.Random(int.from_bytes(digest, "big")).shuffle(ordered)
    prompts = -(-len(ordered) // size)
    bounds = [len(ordered) * i // prompts for i in range(prompts + 1)]
    return [(source, tuple(ordered[start:end])) for start, end in pairwise(bounds)]


class EditTargets:
    """The edits of outputs as a chat model sees them, kept with the corpus: every system needs those of all."""

    def __init__(self, corpus: Corpus) -> None:
        self._sources = corpus.sources
        self._kept: dict[tuple[str, tuple[str, ...]], list[Target]] = {}

    def of(self, finder: Extractor, hypotheses: Sequence[str], *, jobs: int) -> list[Target]:
        """old→new for each edit of each output."""
        key = finder.signature, tuple(hypotheses)
        if key not in self._kept:
            found = extract(finder, list(zip(self._sources, hypotheses, strict=True)), jobs=jobs)
            self._kept[key] = [
                tuple(f"{' '.join(words[edit.start : edit.end])}→{edit.correction}" for edit in edits)
                for words, edits in zip(map(str.split, self._sources), found, strict=True)
            ]
        return self._kept[key]
