"""What would it cost? A dry run: the prompts that metrics would ask a chat model, counted, and none asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.interpolated import Interpolated
from gecval.metrics.llm_judge import LLMJudge
from gecval.result import Result
from gecval.studies.inputs import Metrics, Systems, given_jobs, given_metrics, given_systems

ESTIMATE = "tokens are estimated: 4 bytes of UTF-8 are about one; the server's own count is in the file for audit"


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What one metric would ask. ``answers`` is the most that can come back; kept answers cost nothing."""

    metric: str
    model: str
    prompts: int
    answered: int
    to_ask: int
    prompt_tokens: int
    most_answer_tokens: int
    audit: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Costs(Result):
    """What each metric would ask a chat model."""

    kind: ClassVar[str] = "costs"
    main: ClassVar[str] = "costs"

    sentences: int
    systems: int
    costs: tuple[Cost, ...]


def cost(corpus: Corpus, systems: Systems, metrics: Metrics, *, jobs: int | None = None) -> Costs:
    """Count the prompts that scoring these systems would take, without asking.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."])
    >>> outputs = {"a": ["He goes home .", "Fine ."], "b": ["He went home .", "Fine ."]}
    >>> [judge] = cost(corpus, outputs, ['llm-judge(model="m", url="http://localhost:8000/v1")']).costs
    >>> judge.prompts, judge.answered, judge.to_ask
    (2, 0, 2)
    """
    listed = given_systems(systems, corpus)
    costs = []
    for metric in given_metrics(metrics):
        judges = list(_judges(metric))
        if not judges:
            raise InputError(f"{metric!r} asks no chat model, so it costs nothing; name metrics such as llm-judge")
        for judge in judges:
            load = judge.workload(corpus, listed, jobs=given_jobs(jobs))
            to_ask = load.prompts - load.answered
            costs.append(
                Cost(
                    metric=repr(judge),
                    model=judge.model,
                    prompts=load.prompts,
                    answered=load.answered,
                    to_ask=to_ask,
                    prompt_tokens=load.tokens,
                    most_answer_tokens=to_ask * judge.answer_tokens,
                    audit=str(judge.chat.audit_file),
                )
            )
    return Costs(sentences=len(corpus), systems=len(listed), costs=tuple(costs), notes=(*corpus.notes, ESTIMATE))


def _judges(metric: Metric) -> Iterator[LLMJudge]:
    """The metric itself, or its parts, where they ask a chat model."""
    if isinstance(metric, LLMJudge):
        yield metric
    elif isinstance(metric, Interpolated):
        yield from _judges(metric.with_references)
        yield from _judges(metric.without)
