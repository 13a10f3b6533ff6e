"""What the parameters of metrics may be. A check looks at the type first, so it refuses any value in one clear line.

>>> positive("m2", beta="a")
Traceback (most recent call last):
gecval.errors.InputError: m2: beta must be a number above 0 and at most a million, not 'a'
"""

from gecval.errors import InputError

MILLION = 1_000_000


def positive(metric: str, **values: float) -> None:
    """Refuse parameters that are not above zero, or beyond any use."""
    for name, value in values.items():
        if not _is_number(value) or not 0 < value <= MILLION:
            raise InputError(f"{metric}: {name} must be a number above 0 and at most a million, not {value!r}")


def number(metric: str, *, least: int = -MILLION, most: int = MILLION, **values: float) -> None:
    """Refuse parameters that are no numbers in a range."""
    for name, value in values.items():
        if not _is_number(value) or not least <= value <= most:
            raise InputError(f"{metric}: {name} must be a number from {least} to {most}, not {value!r}")


def whole(metric: str, *, least: int = 1, most: int = 1000, **values: int) -> None:
    """Refuse parameters that are no whole numbers in a range."""
    for name, value in values.items():
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise InputError(f"{metric}: {name} must be a whole number from {least} to {most}, not {value!r}")


def flag(metric: str, **values: bool) -> None:
    """Refuse parameters that are neither True nor False."""
    for name, value in values.items():
        if not isinstance(value, bool):
            raise InputError(f"{metric}: {name} must be True or False, not {value!r}")


def text(metric: str, **values: str) -> None:
    """Refuse parameters that are no text."""
    for name, value in values.items():
        if not isinstance(value, str):
            raise InputError(f"{metric}: {name} must be a text in quotes, not {value!r}")


def texts(metric: str, example: str, **values: tuple[str, ...]) -> None:
    """Refuse parameters that are no lists of texts. A single text would count as the list of its letters."""
    for name, value in values.items():
        if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
            raise InputError(f'{metric}: {name} must be a list such as ("{example}",), not {value!r}')


def numbers(metric: str, *, count: int, **values: tuple[float, ...]) -> None:
    """Refuse parameters that are no lists of so many numbers from 0 on."""
    for name, value in values.items():
        listed = isinstance(value, tuple) and len(value) == count
        if not listed or not all(_is_number(item) and 0 <= item <= MILLION for item in value):
            raise InputError(f"{metric}: {name} must be {count} numbers from 0 on in brackets, not {value!r}")


def one_of(metric: str, allowed: tuple[str, ...], **values: str) -> None:
    """Refuse parameters that are none of the allowed texts."""
    for name, value in values.items():
        if not isinstance(value, str) or value not in allowed:
            listed = map(repr, allowed) if str(value) in allowed else allowed  # '3.2', not 3.2
            raise InputError(f"{metric}: {name} must be one of {', '.join(listed)}, not {value!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
