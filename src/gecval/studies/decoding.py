"""Values of results as JSON and back: exact, and checked on the way.

    dataclass ↔ object with just these fields       tuple, interval, array ↔ list       NaN ↔ "nan", or null

``encode`` keeps what ``decode`` needs to give the same value again. Whatever does not fit raises a ValueError that says
where.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import lru_cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from gecval.result import MaybeUndefined

LARGEST = 1e15  # no count or score of ours comes near; beyond, sums lose digits or overflow
NOT_FINITE = ("nan", "inf", "-inf")


def encode(value: Any) -> Any:
    """The value as JSON knows it.

    >>> encode((1, 0.5, float("nan"), None))
    [1, 0.5, 'nan', None]
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float):
        return float(value) if isfinite(value) else str(float(value))
    if value is None or isinstance(value, str | bool | int):
        return value
    if is_dataclass(value):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items()}
    return [encode(item) for item in value]


def decode(kind: Any, value: Any, where: str) -> Any:
    """The value as one of a type. ``where`` says in an error where the value stands.

    >>> decode(tuple[float, ...], [1.0, 0.5], "scores")
    (1.0, 0.5)
    >>> decode(int, "1", "edits")
    Traceback (most recent call last):
    ...
    ValueError: edits is '1', not a whole number from 0 on
    """
    if kind is int:
        fits = type(value) is int and 0 <= value <= LARGEST
        return _checked(value, where, fits=fits, wanted="a whole number from 0 on")
    if kind == MaybeUndefined and (value is None or value != value):
        return float("nan")
    if kind in (float, MaybeUndefined):
        if isinstance(value, str) and value in NOT_FINITE:
            return float(value)
        # A whole number stays one: it was one.
        return _checked(value, where, fits=type(value) in (int, float) and abs(value) <= LARGEST, wanted="a number")
    if kind is str or kind is bool:
        return _checked(value, where, fits=type(value) is kind, wanted="a text" if kind is str else "true or false")
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        _check(isinstance(value, dict) and set(value) == set(hints), where, f"an object of {', '.join(hints)}")
        return kind(**{name: decode(hint, value[name], f"{where}.{name}") for name, hint in hints.items()})
    if hasattr(kind, "_fields"):  # an interval
        size = len(kind._fields)
        ends = [None] * size if value is None else value
        _check(isinstance(ends, list) and len(ends) == size, where, f"a list of {size} numbers")
        return kind(*(decode(MaybeUndefined, end, where) for end in ends))
    return _composed(get_origin(kind), get_args(kind), value, where)


def _composed(origin: Any, inner: tuple[Any, ...], value: Any, where: str) -> Any:
    """A value of a type that is made of others, such as ``tuple[float, ...]``."""
    if origin in (Union, UnionType):
        return None if value is None and NoneType in inner else _first(inner, value, where)
    if origin is Literal:
        return _checked(value, where, fits=value in inner, wanted=f"one of {', '.join(map(str, inner))}")
    if origin in (dict, Mapping):
        _check(isinstance(value, dict), where, "an object")
        return {name: decode(inner[1], item, f"{where}.{name}") for name, item in value.items()}
    assert origin in (tuple, list, Sequence, np.ndarray), origin
    _check(isinstance(value, list), where, "a list")
    if origin is np.ndarray:
        return np.array([decode(MaybeUndefined, item, f"{where}[{i}]") for i, item in enumerate(value)], dtype=float)
    listed = [decode(inner[0], item, f"{where}[{i}]") for i, item in enumerate(value)]
    return listed if origin is list else tuple(listed)


def _first(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    """The value as the first of the types that it fits."""
    *others, last = (kind for kind in kinds if kind is not NoneType)
    for kind in others:
        with suppress(ValueError):
            return decode(kind, value, where)
    return decode(last, value, where)


@lru_cache
def _hints(kind: type) -> dict[str, Any]:
    """The types of a dataclass's fields."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}


def _checked(value: Any, where: str, *, fits: bool, wanted: str) -> Any:
    if not fits:
        shown = repr(value) if isinstance(value, str | int | float) else type(value).__name__
        raise ValueError(f"{where} is {shown[:40]}, not {wanted}")
    return value


def _check(fits: bool, where: str, wanted: str) -> None:
    if not fits:
        raise ValueError(f"{where} is not {wanted}")
