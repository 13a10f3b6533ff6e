"""Errors that a user can fix. The message is one line that names the file, the line and the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any


class InputError(ValueError):
    """Invalid input. The command line prints it and exits with 2.

    ``parameter`` names the arguments that would fix it, with a value where one is right (``language=zh``). The message
    itself names no command-line option: the command line adds the options that set these parameters.

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


def first_line(error: BaseException) -> str:
    """What an error of somebody else's code says, in one line.

    >>> first_line(OSError("gone\\nfor good")), first_line(OSError())
    ('gone', 'OSError')
    """
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def list_first(items: Sequence[object], most: int) -> str:
    """Some of many, for a message: the first of them, and dots where there are more.

    >>> list_first([1, 2, 3], 2)
    '1, 2, …'
    """
    return ", ".join(map(str, items[:most])) + (", …" if len(items) > most else "")


class MissingExtraError(InputError):
    """An optional dependency is absent. The message holds the install line."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional part: pip install 'gecval[{extra}]'")
        self._made_from = what, extra

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made_from  # worker processes send errors back pickled


def import_extra(module: str, what: str, extra: str) -> Any:
    """A module of an optional dependency. Where it is absent, the error names what needs it and holds the install line.

    >>> import_extra("no_such_module", "a table", "report")
    Traceback (most recent call last):
    gecval.errors.MissingExtraError: a table needs an optional part: pip install 'gecval[report]'
    """
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(what, extra) from None
