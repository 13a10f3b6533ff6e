"""Errors that a user can fix. The message is one line that names the file, the line and the remedy."""

from __future__ import annotations

from typing import Any


class InputError(ValueError):
    """Invalid input. The command line prints it and exits with 2.

    ``parameter`` names the arguments that would fix it. The message itself names no command-line option: the command
    line adds the options that set these parameters.

    Examples
    --------
    >>> InputError("gleu needs references", parameter="references").parameters
    ('references',)
    """

    def __init__(self, message: str, *, parameter: str | tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.parameters = (parameter,) if isinstance(parameter, str) else parameter


def shorten(value: object, most: int = 200) -> str:
    """What a user gave, for a message of one line: with dots for the middle where it is long.

    >>> shorten("abcdefghij", 5)
    'ab…ij'
    """
    text = str(value)
    half = (most - 1) // 2
    return text if len(text) <= most else f"{text[:half]}…{text[-half:]}"


class MissingExtraError(InputError):
    """An optional dependency is absent. The message holds the install line."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional part: pip install 'gecval[{extra}]'")
        self._made_from = what, extra

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made_from  # worker processes send errors back pickled
