"""The commands that print the tables of a report again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from gecval.metrics.base import Metric
from gecval.metrics.errant import Errant
from gecval.metrics.evaluation import Aggregate
from gecval.stats import Resampling
from gecval.stats.contest import Contest

PLACEHOLDER = "SYSTEM... -s SOURCE -r REFERENCE"


def commands(
    inputs: str,
    metrics: Sequence[Metric],
    resampling: Resampling,
    *,
    aggregate: Aggregate | Contest = "corpus",
    judging: str = "",
    pairs: bool = True,
    references: int = 1,
) -> list[str]:
    """``inputs`` are the arguments that name files, as they were typed; ``references`` are those that a sentence has.

    >>> from gecval.metrics import metric
    >>> commands("a.txt -s s.txt", [metric("ld")], Resampling(), pairs=False, references=0)
    ['gecval score a.txt -s s.txt -m ld --confidence']
    """
    inputs = inputs or PLACEHOLDER
    named = " ".join(f"-m {shlex.quote(repr(metric))}" for metric in metrics)
    options = _resampling(resampling)
    together = "" if aggregate == "corpus" else f"--aggregate {aggregate}"
    errant = next((f"-m {shlex.quote(repr(metric))}" for metric in metrics if isinstance(metric, Errant)), None)

    def command(verb: str, *more: str) -> str:
        return " ".join(["gecval", verb, inputs, *filter(None, more)])

    listed = [command("score", judging, named, together, "--clusters" if pairs else "--confidence", options)]
    if pairs:
        listed.append(command("compare", judging, named, together, "--all-pairs", options))
    if errant:
        cut = "--tokenize char" if "--tokenize char" in judging else ""
        listed.append(command("score", cut, errant, "--by-type --detail full --confidence", options))
    if references:
        listed.append(command("undercorrection"))
    if references > 1:
        listed.append(command("coverage"))
    return listed


def _resampling(resampling: Resampling) -> str:
    """The options that differ from the defaults."""
    fields = {"resamples": "resamples", "level": "level", "interval-method": "method", "seed": "seed"}
    return " ".join(
        f"--{option} {getattr(resampling, field)}"
        for option, field in fields.items()
        if getattr(resampling, field) != getattr(Resampling(), field)
    )
