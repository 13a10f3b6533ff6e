"""A chat model as a judge (Kobayashi et al. 2024): it sees all outputs for a sentence in one prompt, and scores each.

    score of a sentence    a whole number from 1 to 5, from the model at ``url`` (OpenAI-compatible)
    score of a system      the mean over its sentences

``level="sentence"`` shows outputs, ``level="edit"`` their edits as old→new (``edits`` says who finds them).
``criterion`` names what to look at: grammaticality, fluency or meaning of sentences, difficulty or impact of edits.
Equal outputs are asked about once and share their score. A prompt has at most ``targets`` outputs; where a sentence has
more, they are dealt to several prompts. ``order`` is shuffled (by ``seed``, anew for each sentence) or sorted.

``pool`` says whose outputs stand together: ``outputs`` (all systems that are scored), a file or folder of outputs, or
``none`` (each output alone). Its hash is in the signature, since neighbours sway a judge.

An answer that cannot be used is asked for once more. After that the sentence is unjudged for all systems: a note names
it, the corpus score leaves it out, and its sentence score is 3, the middle of the scale. Answers are cached, and kept
with their prompts for audit. ``most_requests`` and ``most_tokens`` limit what a run may spend.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.edits.choice import choose_extractor
from gecval.edits.extractors import Extractor, extractor
from gecval.errors import InputError
from gecval.metrics.averaged import AveragedMetric
from gecval.metrics.base import Need, Statistics
from gecval.metrics.goto_pool import OUTPUTS, Pools
from gecval.metrics.llm_judging import MIDDLE, EditTargets, Group, dealt, judge
from gecval.metrics.llm_prompt import CRITERIA, VERSION, Target, judging_prompt
from gecval.metrics.parameters import MILLION, number, one_of, positive, text, whole
from gecval.metrics.rules import Pooled, ReferenceRule
from gecval.models.chat import Chat, Prompt, Workload
from gecval.models.chat_endpoint import checked_url
from gecval.models.lengths import check_lengths_for
from gecval.progress import Progress, silent

KEY = "GECVAL_LLM_KEY"
# What an unjudged sentence weighs: nothing beside others, but enough to have a score by itself.
FEATHER = 2.0**-40
# How the model is reached and what it may cost: not what it is asked.
NOT_SIGNED = ("url", "key", "timeout", "retries", "concurrency", "most_requests", "most_tokens")
ORDERS = ("shuffled", "sorted")
ALONE = "none"


@dataclass(frozen=True, repr=False)
class LLMJudge(AveragedMetric):
    """``key`` names the environment variable that holds the key, where the server wants one."""

    name: ClassVar[str] = "llm-judge"
    summary: ClassVar[str] = "what a chat model says of the output, from 1 to 5, seeing those of all systems"
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
        text(self.name, model=self.model, url=self.url, pool=self.pool, edits=self.edits, key=self.key)
        one_of(self.name, tuple(CRITERIA), level=self.level)
        one_of(self.name, ("", *CRITERIA[self.level]), criterion=self.criterion)
        one_of(self.name, ORDERS, order=self.order)
        whole(self.name, most=100, targets=self.targets, concurrency=self.concurrency)
        whole(self.name, least=0, most=100, retries=self.retries)
        whole(self.name, least=0, most=MILLION, seed=self.seed)
        whole(self.name, most=MILLION, answer_tokens=self.answer_tokens)
        whole(self.name, least=0, most=1000 * MILLION, most_requests=self.most_requests)
        if self.most_tokens is not None:
            whole(self.name, least=0, most=1000 * MILLION, most_tokens=self.most_tokens)
        number(self.name, least=0, most=2, temperature=self.temperature)
        positive(self.name, timeout=self.timeout)
        if not re.fullmatch("[A-Z_][A-Z0-9_]*", self.key):  # it may be the key itself, so it is not shown
            raise InputError(f"{self.name}: key must be the name of an environment variable, such as {KEY}")
        if self.edits and self.level != "edit":
            raise InputError(f'{self.name}: edits changes nothing without level="edit", so not {self.edits!r}')
        if self.url:
            try:
                checked_url(self.url)
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
        return self.extractor or corpus.derived(choose_extractor).extractor

    @property
    def chat(self) -> Chat:
        return Chat(
            model=self.model,
            url=checked_url(self.url),
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

    def data_signature(self, corpus: Corpus) -> list[str]:
        pool = corpus.derived(Pools).announced(self)
        return [f"pool-hash:{pool.hash}"] if pool else []

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1, progress: Progress = silent) -> None:
        """Ask about the outputs of all systems in one go."""
        judge(self.chat, self._all_groups(corpus, systems, jobs=jobs), self._prompt, progress)

    def workload(self, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1) -> Workload:
        """What scoring these systems would ask, without asking. Answers that must be asked for again are not in it."""
        sentences = self._all_groups(corpus, systems, jobs=jobs)
        return self.chat.workload([self._prompt(group) for groups in sentences for group in groups])

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        self.check(corpus)
        verdicts = judge(self.chat, self._groups(corpus, system, jobs=jobs), self._prompt)
        rows = [
            (float(scores[target]), 1.0) if scores else (MIDDLE * FEATHER, FEATHER)
            for scores, target in zip(verdicts.scores, self._targets(corpus, system, jobs=jobs), strict=True)
        ]
        notes = tuple(f"{self.name}: {note}" for note in verdicts.notes(self.model))
        return Statistics.one_per_sentence(np.array(rows, dtype=np.float64), notes)

    def judged(self, statistics: Statistics) -> NDArray[np.bool_]:
        judged: NDArray[np.bool_] = statistics.rows[:, 1] > FEATHER
        return judged

    def _all_groups(self, corpus: Corpus, systems: Sequence[System], *, jobs: int) -> list[list[Group]]:
        """Set the pool, and list what stands in the prompts about each sentence of each system."""
        self.check(corpus)
        self._announce(corpus, systems)
        return [groups for system in systems for groups in self._groups(corpus, system, jobs=jobs)]

    def _announce(self, corpus: Corpus, systems: Sequence[System]) -> None:
        if self.pool != ALONE:
            corpus.derived(Pools).announce(self, self.pool, systems)

    def _groups(self, corpus: Corpus, system: System, *, jobs: int) -> list[list[Group]]:
        """For each sentence, the distinct targets of the pool and of this system, as they stand in prompts."""
        pools = corpus.derived(Pools)
        if self.pool not in (OUTPUTS, ALONE) and pools.announced(self) is None:
            self._announce(corpus, ())
        pool = pools.announced(self)
        members = (*pool.systems, system) if pool else (system,)
        for texts in (corpus.sources, *(member.hypotheses for member in members)):
            check_lengths_for("a chat model", texts)
        columns = [self._targets(corpus, member, jobs=jobs) for member in members]
        return [
            dealt(source, set(targets), size=self.targets, shuffled=self.order == "shuffled", seed=self.seed)
            for source, *targets in zip(corpus.sources, *columns, strict=True)
        ]

    def _targets(self, corpus: Corpus, system: System, *, jobs: int) -> Sequence[Target]:
        """What the model sees of each output."""
        finder = self.extractor_for(corpus)
        if finder is None:
            return system.hypotheses
        return corpus.derived(EditTargets).of(finder, system.hypotheses, jobs=jobs)

    def _prompt(self, group: Group) -> Prompt:
        return judging_prompt(self.level, self.criterion, *group)
