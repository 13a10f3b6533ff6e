"""Every option changes something or is refused. A verb says here which options do nothing in the way it is called."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.core import ParameterSource

from gecval.errors import InputError

RESAMPLING = ("resamples", "level", "method", "seed")
MODELS = ("device", "batch_size")


def refuse_idle(parameters: Iterable[str], why: str) -> None:
    """Refuse options that were typed, but change nothing. Name them by the parameters that they set.

    ``why`` ends the sentence "--alpha changes nothing ...", e.g. "without -r".
    """
    context, idle = click.get_current_context(), set(parameters)
    typed = [
        parameter.opts[-1]
        for parameter in context.command.params
        if parameter.name in idle and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    ]
    if typed:
        *others, last = typed
        names = f"{', '.join(others)} and {last}" if others else last
        raise InputError(f"{names} {'change' if others else 'changes'} nothing {why}")
