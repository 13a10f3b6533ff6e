"""A scorer for inspect_ai: score corpora, not means of sentences.

A metric such as ERRANT adds up counts before it divides. inspect_ai gives each sample a score and then asks a metric
for one number. So a sample keeps its texts, and the metric scores them all together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import gecval

inspect_ai: Any = import_module("inspect_ai.scorer")


def gec_scorer(metrics: str = "gleu", *, prepare: Callable[[str], str] = str.strip) -> Any:
    """A scorer whose numbers are those of ``gecval.evaluate``.

    Parameters
    ----------
    metrics
        One metric, or several: ``"errant, gleu"``.
    prepare
        What is done with an answer before it is scored, such as a function that tokenises it like the references.

    Examples
    --------
    ``Task(dataset, solver=generate(), scorer=gec_scorer("gleu"))``: a sample's input is the source, its target one
    reference or a list of them.
    """

    @inspect_ai.metric(name="gec")  # type: ignore[untyped-decorator]
    def corpus_scores() -> Callable[[Sequence[Any]], dict[str, float]]:
        def compute(scores: Sequence[Any]) -> dict[str, float]:
            kept = [score.score.metadata for score in scores]
            texts = ([sample[name] for sample in kept] for name in ("source", "output", "references"))
            sources, outputs, references = texts
            return gecval.evaluate(sources, outputs, references, metrics=metrics).to_flat_dict()

        return compute

    @inspect_ai.scorer(metrics=[corpus_scores()], name="gec")  # type: ignore[untyped-decorator]
    def make() -> Any:
        async def score(state: Any, target: Any) -> Any:
            source, output = state.input_text.strip(), prepare(state.output.completion)
            references = list(target)
            [first, *_] = gecval.evaluate([source], [output], [references], metrics=metrics)
            sample = {"source": source, "output": output, "references": references}
            return inspect_ai.Score(value=first.score, answer=output, metadata=sample)

        return score

    return make()
