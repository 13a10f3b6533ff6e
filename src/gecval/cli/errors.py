"""From errors of the library to errors of the command line: options join the parameters that an error names.

    InputError("gleu needs references", parameter="references")  ──►  gleu needs references (option -r)

A parameter's option is the one of the called verb that fills the verb's argument of the same name.
"""

from __future__ import annotations

from collections.abc import Iterator

import click

from gecval.errors import InputError


def with_options(error: InputError, verb: click.Command | None) -> InputError:
    """The error, with the verb's options for the parameters that it names.

    >>> verb = click.Command("score", params=[click.Option(["-r", "--reference", "references"])])
    >>> print(with_options(InputError("gleu needs references", parameter="references"), verb))
    gleu needs references (option -r)
    """
    options = dict.fromkeys(option for name in error.parameters for option in _options(verb, name))
    if not options:
        return error
    return InputError(f"{error} (option{'s' * (len(options) > 1)} {' and '.join(options)})")


def _options(verb: click.Command | None, parameter: str) -> Iterator[str]:
    """The first spelling of each option that sets a parameter; that of the sub-verbs where the verb has some."""
    if isinstance(verb, click.Group):
        for command in verb.commands.values():
            yield from _options(command, parameter)
    elif verb is not None:
        yield from (
            option.opts[0] for option in verb.params if isinstance(option, click.Option) and option.name == parameter
        )
