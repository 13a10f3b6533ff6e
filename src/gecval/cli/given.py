"""Options that change nothing are refused: an option is there because its user expects something of it."""

from __future__ import annotations

import click
from click.core import ParameterSource

from gecval.errors import InputError


def refuse(reason: str, *parameters: str) -> None:
    """Refuse the first of these parameters that the user gave. ``reason`` says why it would change nothing."""
    context = click.get_current_context()
    for parameter in context.command.params:
        if parameter.name in parameters and was_given(parameter.name):
            option = max(parameter.opts, key=len)
            raise InputError(f"{option} would change nothing: {reason}")


def was_given(parameter: str) -> bool:
    """Whether the user gave a parameter, be it with its default value."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source not in (None, ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)
