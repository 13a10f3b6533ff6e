"""A batch of rows in the form in which an engine has it: its columns as lists, and the same form with columns added.

    pyarrow Table, RecordBatch    Spark, datasets, Ray, files
    pandas DataFrame              Dask, Spark, Ray
    dict of lists                 datasets
    dict of numpy arrays          Ray

Nothing is imported for a form that is not there. A number that a row lacks is NaN here; each form has its own way to
say so. A batch is never changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.formats.chat_outputs import value_at

Batch: TypeAlias = Any  # one of the four forms
Column: TypeAlias = NDArray[np.float64] | Sequence[str | None]


def names_of(batch: Batch) -> list[str]:
    """The names of its columns."""
    if _from(batch, "pyarrow"):
        return list(batch.schema.names)
    if _from(batch, "pandas"):
        return list(batch.columns)
    if isinstance(batch, Mapping):
        return list(batch)
    raise InputError(
        f"a batch is a pyarrow Table or RecordBatch, a DataFrame or a dict of lists, not {type(batch).__name__}"
    )


def length_of(batch: Batch) -> int:
    """How many rows it has."""
    if not isinstance(batch, Mapping):
        return int(batch.num_rows) if _from(batch, "pyarrow") else len(batch)
    lengths = {name: len(values) for name, values in batch.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} {count}" for name, count in lengths.items())
        raise InputError(f"the columns of a batch have different lengths: {listed}")
    return next(iter(lengths.values()), 0)


def values_of(batch: Batch, name: str) -> list[Any]:
    """A column as a list. An array within a cell is a list too.

    A name with dots that no column has leads into the cells: ``choices.0.message.content``.

    >>> values_of({"choices": [[{"text": "Fine ."}]]}, "choices.0.text")
    ['Fine .']
    """
    outer, dot, path = name.partition(".")
    if dot and name not in names_of(batch) and outer in names_of(batch):
        return [value_at(cell, path) for cell in values_of(batch, outer)]
    if _from(batch, "pyarrow"):
        try:
            values: list[Any] = batch.column(batch.schema.get_field_index(name)).to_pylist()
        except UnicodeDecodeError:
            raise InputError(f"the column {name!r} holds bytes that are not UTF-8") from None
        return values
    column = batch[name]
    listed = column.tolist() if hasattr(column, "tolist") else list(column)
    return [cell.tolist() if isinstance(cell, np.ndarray) else cell for cell in listed]


def extended(batch: Batch, columns: Mapping[str, Column]) -> Batch:
    """The batch with further columns at its end, in the form that it has."""
    if _from(batch, "pyarrow"):
        arrow = import_module("pyarrow")
        for name, column in columns.items():
            batch = batch.append_column(name, _arrow_array(arrow, column))
        return batch
    if _from(batch, "pandas"):
        return batch.assign(**{name: _pandas_column(batch, column) for name, column in columns.items()})
    as_arrays = any(isinstance(values, np.ndarray) for values in batch.values())
    return {**batch, **{name: _cells(column, as_array=as_arrays) for name, column in columns.items()}}


def select_rows(batch: Batch, chosen: NDArray[np.bool_]) -> Batch:
    """The rows that are chosen, of a pyarrow batch or a dict of lists."""
    if _from(batch, "pyarrow"):
        return batch.filter(import_module("pyarrow").array(chosen))
    places = np.flatnonzero(chosen).tolist()
    return {name: [values[place] for place in places] for name, values in batch.items()}


def is_unicode(text: str) -> bool:
    """Whether a text can be written: it holds no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _arrow_array(arrow: Any, column: Column) -> Any:
    if isinstance(column, np.ndarray):
        return arrow.array(column, type=arrow.float64(), from_pandas=True)  # NaN becomes null
    return arrow.array(column, type=arrow.string())


def _pandas_column(batch: Any, column: Column) -> Any:
    if isinstance(column, np.ndarray):
        return column
    return import_module("pandas").Series(list(column), index=batch.index, dtype="string")


def _cells(column: Column, *, as_array: bool) -> Any:
    if not isinstance(column, np.ndarray):
        return np.array(column, dtype=object) if as_array else list(column)
    if as_array:
        return column
    return [None if number != number else number for number in column.tolist()]


def _from(value: Any, package: str) -> bool:
    """Whether a value is of a package's own type; a type derived from one counts too."""
    return any(base.__module__.partition(".")[0] == package for base in type(value).__mro__)


# A piece of a file of pairs, and how many rows are held at a time.


ROWS = 25_000  # of a batch, whatever the size of units: some ten megabytes of texts


class Unit(NamedTuple):
    """Rows ``first`` to ``first + rows`` of a file; ``start`` and ``stop`` are bytes of a text file."""

    number: int
    first: int
    rows: int
    start: int = 0
    stop: int = 0


def units_of(sizes: Iterable[int]) -> Iterator[Unit]:
    """Units of so many rows, one after the other.

    >>> [unit.first for unit in units_of([3, 2, 4])]
    [0, 3, 5]
    """
    first = 0
    for number, rows in enumerate(sizes):
        yield Unit(number, first, rows)
        first += rows
