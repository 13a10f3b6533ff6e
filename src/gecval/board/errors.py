"""What the board refuses. Pages and the API turn each into a status."""

from __future__ import annotations

from gecval.errors import InputError


class NotFoundError(InputError):
    """There is no such thing, or the asker may not know that there is."""

    status = 404


class ForbiddenError(InputError):
    """The asker may know of the thing, but may not do this to it."""

    status = 403


class LogInFirstError(ForbiddenError):
    """The asker is not known. A browser is led to the log-in and back."""


class TooManyError(InputError):
    """A limit is reached: a quota or a rate."""

    status = 429


class BusyError(InputError):
    """The board has enough to do for now."""

    status = 503


class FailedError(InputError):
    """The board could not do it, and it is not the asker's fault."""

    status = 500
