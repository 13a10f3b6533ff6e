"""What would it cost? A dry run: the prompts that metrics would ask a chat model, counted, and none asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.results.result import Result
from gecval.results.table import Cell, Table
from gecval.runtime.run import HERE, Run
from gecval.studies.scores.preparation import Metrics, Systems, resolve_metrics, resolve_systems

ESTIMATE = "tokens are estimated: 4 bytes of UTF-8 are about one; the server's own count is in the file for audit"
COLUMNS = ["metric", "prompts", "answered", "to ask", "prompt tokens", "most answer tokens"]


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What one metric would ask. ``answers`` is the most that can come back; cached answers cost nothing."""

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
    view: ClassVar[str] = "cost_tables"
    main: ClassVar[str] = "costs"

    sentences: int
    systems: int
    costs: tuple[Cost, ...]


def cost(corpus: Corpus, systems: Systems, metrics: Metrics, *, run: Run = HERE) -> Costs:
    """Count the prompts that scoring these systems would take, without asking.

    Parameters
    ----------
    corpus
        The sources; references are not needed.
    systems
        Systems, or a mapping from a system's name to its list of outputs.
    metrics
        Metrics that ask a chat model, such as ``llm-judge``, or their names.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    Costs
        A ``Cost`` for each metric. It prints as a table.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."])
    >>> outputs = {"a": ["He goes home .", "Fine ."], "b": ["He went home .", "Fine ."]}
    >>> [judge] = cost(corpus, outputs, ['llm-judge(model="m", url="http://localhost:8000/v1")']).costs
    >>> judge.prompts, judge.answered, judge.to_ask
    (2, 0, 2)
    """
    listed = resolve_systems(systems, corpus)
    costs = []
    for metric in resolve_metrics(metrics):
        asking = list(_chat_metrics(metric))
        if not asking:
            raise InputError(f"{metric!r} asks no chat model, so it costs nothing; name metrics such as llm-judge")
        for judge in asking:
            load, chat = judge.workload(corpus, listed, run=run), judge.chat
            assert load is not None
            assert chat is not None
            to_ask = load.prompts - load.answered
            costs.append(
                Cost(
                    metric=repr(judge),
                    model=chat.model,
                    prompts=load.prompts,
                    answered=load.answered,
                    to_ask=to_ask,
                    prompt_tokens=load.tokens,
                    most_answer_tokens=to_ask * chat.answer_tokens,
                    audit=str(chat.audit_file),
                )
            )
    return Costs(sentences=len(corpus), systems=len(listed), costs=tuple(costs), notes=(*corpus.notes, ESTIMATE))


def cost_tables(result: Costs, style: str = "text") -> list[Table]:
    """A row per metric that asks a chat model."""
    rows: list[Sequence[Cell]] = [
        [row.metric, row.prompts, row.answered, row.to_ask, row.prompt_tokens, row.most_answer_tokens]
        for row in result.costs
    ]
    files = dict.fromkeys(f"{row.model}: answers are cached in {row.audit}" for row in result.costs)
    return [Table(COLUMNS, rows, footnotes=list(files))]


def _chat_metrics(metric: Metric) -> Iterator[Metric]:
    """The metric itself, or the metrics that it is made of, where they ask a chat model."""
    if metric.components:
        for component in metric.components:
            yield from _chat_metrics(component)
    elif metric.pays:
        yield metric
