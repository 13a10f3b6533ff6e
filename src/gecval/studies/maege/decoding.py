"""From JSON back to the values of results: what ``gecval.result.plain`` wrote, checked on the way.

    object → dataclass with just these fields       list → tuple, or an interval       null → NaN where it may be

Whatever does not fit raises a ValueError that says where.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

from gecval.result import MaybeUndefined

LARGEST = 1e15  # no count or score of ours comes near; beyond, sums lose digits or overflow


def decode(kind: Any, value: Any, where: str) -> Any:
    """The value as one of a type. ``where`` says in an error where the value stands.

    >>> decode(tuple[float, ...], [1, 0.5], "scores")
    (1.0, 0.5)
    >>> decode(int, "1", "edits")
    Traceback (most recent call last):
    ...
    ValueError: edits is '1', not a whole number from 0 on
    """
    if kind is int:
        fits = type(value) is int and 0 <= value <= LARGEST
        return _number(value, where, fits=fits, wanted="a whole number from 0 on")
    if kind == MaybeUndefined and (value is None or value != value):
        return float("nan")
    if kind in (float, MaybeUndefined):
        fits = type(value) in (int, float) and abs(value) <= LARGEST
        return float(_number(value, where, fits=fits, wanted="a number"))
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind, include_extras=True)
        names = [field.name for field in fields(kind)]
        _check(isinstance(value, dict) and set(value) == set(names), where, f"an object of {', '.join(names)}")
        return kind(**{name: decode(hints[name], value[name], f"{where}.{name}") for name in names})
    if isinstance(kind, type) and hasattr(kind, "_fields"):  # an interval
        size = len(kind._fields)
        ends = [None] * size if value is None else value
        _check(isinstance(ends, list) and len(ends) == size, where, f"a list of {size} numbers")
        return kind(*(decode(MaybeUndefined, end, where) for end in ends))
    inner = get_args(kind)
    if get_origin(kind) is tuple:
        _check(isinstance(value, list), where, "a list")
        return tuple(decode(inner[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    assert get_origin(kind) is dict, kind
    _check(isinstance(value, dict), where, "an object")
    return {name: decode(inner[1], item, f"{where}.{name}") for name, item in value.items()}


def _number(value: Any, where: str, *, fits: bool, wanted: str) -> Any:
    if not fits:
        shown = repr(value) if isinstance(value, str | int | float) else type(value).__name__
        raise ValueError(f"{where} is {shown[:40]}, not {wanted}")
    return value


def _check(fits: bool, where: str, wanted: str) -> None:
    if not fits:
        raise ValueError(f"{where} is not {wanted}")
