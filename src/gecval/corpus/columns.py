"""Texts in whatever holds them: lists, numpy arrays, Series of pandas or polars, columns of Arrow or Hugging Face.

None of these libraries is imported. A column says itself how it becomes a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gecval.corpus.references import MadeOnDemand
from gecval.errors import InputError, shorten

Texts: TypeAlias = Iterable[str]
NestedTexts: TypeAlias = Iterable[Iterable[str]] | Texts
TO_LIST = ("to_pylist", "to_list", "tolist")  # of Arrow; of pandas and polars; of numpy


def as_texts(column: Texts, what: str, *, parameter: str = "") -> Sequence[str]:
    """The texts of a column. Lists and tuples stay as they are.

    >>> as_texts(np.array(["He go .", "Fine ."]), "sources")
    ['He go .', 'Fine .']
    """
    if isinstance(column, str):
        raise InputError(f"{what} must be a list of texts, not a text", parameter=parameter)
    if isinstance(column, list | tuple | MadeOnDemand):
        return column
    listed = _listed(column, what, parameter)
    for number, text in enumerate(listed, start=1):
        if not isinstance(text, str):
            raise InputError(f"sentence {number} of {what} is {shorten(repr(text), 60)}, not text", parameter=parameter)
    return listed


def as_references(references: NestedTexts, sources: Sequence[str]) -> Sequence[Sequence[str]]:
    """The references of each sentence. A plain column is one reference for each.

    >>> as_references(["He goes ."], ["He go ."])
    [['He goes .']]
    """
    if isinstance(references, str):
        return references  # refused where their shape is checked
    outer = references if isinstance(references, list | tuple) else _listed(references, "references", "references")
    if len(outer) == len(sources) and outer and all(isinstance(item, str) for item in outer):
        return [[text] for text in outer]
    lists = (list, tuple, str, MadeOnDemand)
    return [
        item if isinstance(item, lists) else [] if item is None else _listed(item, "references", "references")
        for item in outer
    ]


def is_column(value: object) -> bool:
    """Whether a value is a list of texts, rather than of systems or names."""
    if isinstance(value, list | tuple):
        return bool(value) and isinstance(value[0], str)
    return not isinstance(value, str | Mapping) and any(hasattr(value, name) for name in (*TO_LIST, "__array__"))


def chosen_places(chosen: object, size: int) -> NDArray[np.int64]:
    """Which places a slice, a list of places, or a mask chooses.

    >>> chosen_places(slice(2), 3), chosen_places([True, False, True], 3)
    (array([0, 1]), array([0, 2]))
    """
    if isinstance(chosen, int | str):
        raise TypeError(f"a slice, a list of places or a mask chooses sentences, not {chosen!r}")
    if isinstance(chosen, slice):
        return np.arange(size)[chosen]
    places = np.asarray(chosen if hasattr(chosen, "__array__") else list(chosen))  # type: ignore[call-overload]
    if places.size == 0:
        places = places.astype(np.int64)
    if places.ndim != 1 or places.dtype.kind not in "bi":
        raise InputError("sentences are chosen by a slice, a list of places, or True and False for each")
    if places.dtype.kind == "b" and len(places) != size:
        raise InputError(f"True or False is given for {len(places)} sentences, and there are {size}")
    try:
        taken: NDArray[np.int64] = np.arange(size)[places]
        return taken
    except IndexError:
        raise InputError(f"there are {size} sentences, and number {places.max()} is chosen, counted from 0") from None


def _listed(column: Any, what: str, parameter: str) -> list[Any]:
    if isinstance(column, Mapping) or hasattr(column, "columns") or hasattr(column, "column_names"):
        raise InputError(f"{what} must be one column of texts, not a whole table", parameter=parameter)
    for name in TO_LIST:
        if hasattr(column, name):
            listed: list[Any] = getattr(column, name)()
            return listed
    try:
        return list(column)
    except TypeError:
        raise InputError(f"{what} must be a list of texts, not {shorten(column, 60)}", parameter=parameter) from None
