"""A chat model as a judge (Kobayashi et al. 2024): it sees all outputs for a sentence in one prompt, and scores each.

    score of a sentence    a whole number from 1 to 5, from the model at ``url`` (OpenAI-compatible)
    score of a system      the mean over its sentences

``level="sentence"`` shows outputs, ``level="edit"`` their edits as old→new (``edits`` says who finds them).
``criterion`` names what to look at: grammaticality, fluency or meaning of sentences, difficulty or impact of edits.
Equal outputs are asked about once and share their score. A prompt has at most ``targets`` outputs; where a sentence has
more, they are dealt to several prompts. ``order`` is shuffled (by ``seed``, again for each sentence) or sorted.

``pool`` says whose outputs stand together: ``outputs`` (all systems that are scored), a file or folder of outputs, or
``none`` (each output alone). Its hash is in the signature, since neighbours sway a judge.

An answer that cannot be used is asked for once more. After that the sentence is unjudged for all systems: a note names
it, the corpus score leaves it out, and its sentence score is 3, the middle of the scale. Answers are cached, and kept
with their prompts for audit. ``most_requests`` and ``most_tokens`` limit what a run may spend.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.corpus.tokenization import close_up
from gecval.edits.extractors import Extractor, choose_extractor, extract, extractor
from gecval.errors import InputError, list_first
from gecval.metrics.base import (
    MILLION,
    AveragedMetric,
    Need,
    Statistics,
    check_number,
    check_one_of,
    check_positive,
    check_text,
    check_whole,
)
from gecval.metrics.llm_judge.prompt import (
    CRITERIA,
    HIGHEST,
    LOWEST,
    VERSION,
    Target,
    UnusableError,
    ask_again,
    judging_prompt,
    read_scores,
)
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.metrics.system_pool import OUTPUTS, pool_signature, pool_systems
from gecval.models.chat import Chat, Prompt, Workload
from gecval.models.chat_endpoint import Reply, check_url
from gecval.models.model_files import check_text_lengths
from gecval.runtime.run import HERE, SERIAL, Run

KEY = "GECVAL_LLM_KEY"
# What an unjudged sentence weighs: nothing next to others, but enough to have a score by itself.
FEATHER = 2.0**-40
# How the model is reached and what it may cost: not what it is asked.
NOT_SIGNED = ("url", "key", "timeout", "retries", "concurrency", "most_requests", "most_tokens")
ORDERS = ("shuffled", "sorted")


@dataclass(frozen=True, repr=False)
class LLMJudge(AveragedMetric):
    """``key`` names the environment variable that holds the key, where the server wants one."""

    name: ClassVar[str] = "llm-judge"
    title: ClassVar[str] = "LLM judge"
    summary: ClassVar[str] = "what a chat model that sees all systems says of the output, from 1 to 5"
    paper: ClassVar[str] = "Kobayashi et al. 2024"
    needs: ClassVar[Need | None] = None
    rule: ClassVar[ReferenceRule] = Pooled()
    pays: ClassVar[bool] = True

    model: str = ""
    url: str = ""
    level: str = "sentence"
    criterion: str = ""
    pool: str = field(default=OUTPUTS, kw_only=True)
    targets: int = field(default=5, kw_only=True)
    order: str = field(default="shuffled", kw_only=True)
    seed: int = field(default=1, kw_only=True)
    edits: str = field(default="", kw_only=True)
    temperature: float = field(default=0.0, kw_only=True)
    answer_tokens: int = field(default=1024, kw_only=True)
    key: str = field(default=KEY, kw_only=True)
    timeout: float = field(default=60.0, kw_only=True)
    retries: int = field(default=4, kw_only=True)
    concurrency: int = field(default=4, kw_only=True)
    most_requests: int = field(default=5000, kw_only=True)
    most_tokens: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check_text(self.name, model=self.model, url=self.url, pool=self.pool, edits=self.edits, key=self.key)
        check_one_of(self.name, tuple(CRITERIA), level=self.level)
        check_one_of(self.name, ("", *CRITERIA[self.level]), criterion=self.criterion)
        check_one_of(self.name, ORDERS, order=self.order)
        check_whole(self.name, most=100, targets=self.targets, concurrency=self.concurrency)
        check_whole(self.name, least=0, most=100, retries=self.retries)
        check_whole(self.name, least=0, most=MILLION, seed=self.seed)
        check_whole(self.name, most=MILLION, answer_tokens=self.answer_tokens)
        check_whole(self.name, least=0, most=1000 * MILLION, most_requests=self.most_requests)
        if self.most_tokens is not None:
            check_whole(self.name, least=0, most=1000 * MILLION, most_tokens=self.most_tokens)
        check_number(self.name, least=0, most=2, temperature=self.temperature)
        check_positive(self.name, timeout=self.timeout)
        if not re.fullmatch("[A-Z_][A-Z0-9_]*", self.key):  # it may be the key itself, so it is not shown
            raise InputError(f"{self.name}: key must be the name of an environment variable, such as {KEY}")
        if self.edits and self.level != "edit":
            raise InputError(f'{self.name}: edits changes nothing without level="edit", so not {self.edits!r}')
        if self.url:
            try:
                check_url(self.url)
            except InputError as error:
                raise InputError(f"{self.name}: {error}") from None

    @property
    def extractor(self) -> Extractor | None:
        return extractor(self.edits) if self.edits else None

    @property
    def finds_edits(self) -> bool:
        return self.level == "edit"

    def extractor_for(self, corpus: Corpus) -> Extractor | None:
        if self.level != "edit":
            return None
        return self.extractor or corpus.derive(choose_extractor).extractor

    @property
    def chat(self) -> Chat:
        return Chat(
            model=self.model,
            url=check_url(self.url),
            key=self.key,
            temperature=float(self.temperature),
            seed=self.seed,
            answer_tokens=self.answer_tokens,
            timeout=self.timeout,
            retries=self.retries,
            concurrency=self.concurrency,
            most_requests=self.most_requests,
            most_tokens=self.most_tokens,
        )

    def check(self, corpus: Corpus) -> None:
        super().check(corpus)
        if not self.model or not self.url:
            raise InputError(
                f"{self.name} needs a model and the URL of a server: "
                f'{self.name}(model="my-model", url="http://localhost:8000/v1")'
            )

    def parameters(self) -> dict[str, Any]:
        signed = {name: value for name, value in super().parameters().items() if name not in NOT_SIGNED}
        return signed | {"prompt": VERSION}

    @property
    def needs_pool(self) -> bool:
        return self.pool == OUTPUTS

    def data_signature(self, corpus: Corpus) -> list[str]:
        return pool_signature(corpus, self.pool)

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Ask about the outputs of all systems in one go."""
        judge(self.chat, self._all_groups(corpus, systems, run=run.quiet()), self._prompt, run)

    def workload(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> Workload:
        """What scoring these systems would ask, without asking. Answers that must be asked for again are not in it."""
        sentences = self._all_groups(corpus, systems, run=run.quiet())
        return self.chat.workload([self._prompt(group) for groups in sentences for group in groups])

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        self.check(corpus)
        verdicts = judge(self.chat, self._groups(corpus, system, run=run), self._prompt)
        rows = [
            (float(scores[target]), 1.0) if scores else (MIDDLE * FEATHER, FEATHER)
            for scores, target in zip(verdicts.scores, self._targets(corpus, system, run=run), strict=True)
        ]
        notes = tuple(f"{self.name}: {note}" for note in verdicts.notes(self.model))
        return Statistics.one_per_sentence(np.array(rows, dtype=np.float64), notes)

    def has_score(self, statistics: Statistics) -> NDArray[np.bool_]:
        judged: NDArray[np.bool_] = statistics.rows[:, 1] > FEATHER
        return judged

    def _all_groups(self, corpus: Corpus, systems: Sequence[System], *, run: Run) -> list[list[Group]]:
        """What stands in the prompts about each sentence of each system, where these are scored together."""
        self.check(corpus)
        together = corpus.with_pool(systems)
        return [groups for system in systems for groups in self._groups(together, system, run=run)]

    def _groups(self, corpus: Corpus, system: System, *, run: Run) -> list[list[Group]]:
        """For each sentence, the distinct targets of the pool and of this system, as they stand in prompts."""
        members = (*(pool_systems(corpus, self.pool) or ()), system)
        for texts in (corpus.sources, *(member.hypotheses for member in members)):
            check_text_lengths("a chat model", texts)
        columns = [self._targets(corpus, member, run=run) for member in members]
        return [
            deal(close_up(source), set(targets), size=self.targets, shuffled=self.order == "shuffled", seed=self.seed)
            for source, *targets in zip(corpus.sources, *columns, strict=True)
        ]

    def _targets(self, corpus: Corpus, system: System, *, run: Run) -> Sequence[Target]:
        """What the model sees of each output."""
        finder = self.extractor_for(corpus)
        if finder is None:
            return list(map(close_up, system.hypotheses))
        return corpus.derive(EditTargets).of(finder, system.hypotheses, run=run.quiet())

    def _prompt(self, group: Group) -> Prompt:
        return judging_prompt(self.level, self.criterion, *group)


# Judging sentences with a chat model: targets are dealt to prompts, and answers become scores.
#
# An answer that cannot be used is asked for once more, with the reason. If that fails too, the sentence is unjudged,
# for all systems alike: to judge some of them would compare systems on different sentences.


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
            numbers = list_first([i + 1 for i in self.reasons], NAMED)
            notes.append(
                f"{len(self.reasons)} of {len(self.scores)} sentences are unjudged: {numbers}. The corpus score "
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
    chat: Chat, sentences: Sequence[Sequence[Group]], prompt_of: Callable[[Group], Prompt], run: Run = HERE
) -> Verdicts:
    """Ask about all groups of targets, and read the answers."""
    prompts = {group: prompt_of(group) for groups in sentences for group in groups}
    scores: dict[Group, list[int]] = {}
    wrong: dict[Group, str] = {}
    all_replies: list[Reply] = []
    for _ in range(2):
        replies = dict(zip(prompts, chat.answers(list(prompts.values()), run=run), strict=True))
        all_replies += replies.values()
        wrong = {}
        for group, reply in replies.items():
            try:
                scores[group] = read_scores(reply, len(group[1]))
            except UnusableError as why:
                wrong[group] = str(why)
        prompts = {group: ask_again(prompts[group], replies[group], why) for group, why in wrong.items()}
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


def deal(source: str, distinct: Iterable[Target], *, size: int, shuffled: bool, seed: int) -> list[Group]:
    """The targets of a sentence in their order, in as few prompts of about equal size as may be.

    >>> deal("a", {"b", "c", "d"}, size=2, shuffled=False, seed=1)
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

    def of(self, finder: Extractor, hypotheses: Sequence[str], *, run: Run) -> list[Target]:
        """old→new for each edit of each output."""
        key = finder.signature, tuple(hypotheses)
        if key not in self._kept:
            found = extract(finder, list(zip(self._sources, hypotheses, strict=True)), run=run.quiet())
            self._kept[key] = [
                tuple(close_up(f"{' '.join(words[edit.start : edit.end])}→{edit.correction}") for edit in edits)
                for words, edits in zip(map(str.split, self._sources), found, strict=True)
            ]
        return self._kept[key]
