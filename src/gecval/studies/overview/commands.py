"""The commands that print the tables of a report again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from gecval.metrics.base import Metric
from gecval.metrics.errant import Errant
from gecval.metrics.evaluation import Aggregate
from gecval.stats import Resampling

PLACEHOLDER = "SYSTEM... -s SOURCE -r REFERENCE"


def commands(
    inputs: str,
    metrics: Sequence[Metric],
    resampling: Resampling,
    aggregate: Aggregate,
    *,
    pairs: bool,
    references: int,
) -> list[str]:
    """``inputs`` are the arguments that name files, as they were typed; ``references`` are those that a sentence has.

    >>> from gecval.metrics import metric
    >>> commands("a.txt -s s.txt", [metric("ld")], Resampling(), "corpus", pairs=False, references=0)
    ['gecval score a.txt -s s.txt -m ld --confidence']
    """
    inputs = inputs or PLACEHOLDER
    named = " ".join(f"-m {shlex.quote(repr(metric))}" for metric in metrics)
    default = Resampling()
    options = [
        f"--{option} {getattr(resampling, field)}"
        for option, field in (
            ("resamples", "resamples"),
            ("level", "level"),
            ("interval-method", "method"),
            ("seed", "seed"),
        )
        if getattr(resampling, field) != getattr(default, field)
    ]
    mean = ["--aggregate mean"] if aggregate == "mean" else []

    def command(verb: str, *more: str) -> str:
        return " ".join(["gecval", verb, inputs, *more])

    listed = [command("score", named, *mean, "--clusters" if pairs else "--confidence", *options)]
    if pairs:
        listed.append(command("compare", named, *mean, "--all-pairs", *options))
    for metric in metrics:
        if isinstance(metric, Errant):
            listed.append(command("score", f"-m {shlex.quote(repr(metric))}", "--by-type --confidence", *options))
            break
    if references:
        listed.append(command("undercorrection"))
    if references > 1:
        listed.append(command("coverage"))
    return listed
