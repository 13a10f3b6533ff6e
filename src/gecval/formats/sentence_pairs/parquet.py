"""Parquet: a unit is a row group. A row group of any size is read some thousand rows at a time."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gecval.errors import InputError, import_extra, shorten
from gecval.formats.files import is_read_only, put_in_place, readable
from gecval.formats.sentence_pairs.engines import ROWS, Batch, Unit, units_of


@dataclass(frozen=True)
class ParquetPairs:
    path: Path
    names: tuple[str, ...]
    units: tuple[Unit, ...]

    @classmethod
    def of(cls, path: Path) -> ParquetPairs:
        with _opened(path) as file:
            sizes = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
            units = tuple(unit for unit in units_of(sizes) if unit.rows)
            return cls(path, tuple(file.schema_arrow.names), units)

    def batches(self, unit: Unit) -> Iterator[tuple[int, Batch]]:
        """The rows as pyarrow RecordBatches, each with the number of its first row, from 0."""
        first = unit.first
        with _opened(self.path) as file:
            batches = file.iter_batches(batch_size=ROWS, row_groups=[unit.number])
            while (batch := _next(self.path, batches)) is not None:
                yield first, batch
                first += batch.num_rows
        if first - unit.first != unit.rows:
            raise InputError(
                f"{self.path} cannot be read as Parquet: a row group has {first - unit.first} rows, not {unit.rows}"
            )


def write_parquet(path: Path, batches: Iterable[Batch]) -> None:
    """Write batches, whole or not at all. A batch of no rows says which columns there are."""
    arrow = parquet()[0]
    tables = (batch if isinstance(batch, arrow.Table) else _table(arrow, batch) for batch in batches)
    with _writing(path) as write:
        for table in tables:
            write(table, table.schema)


def join_parquet(parts: Sequence[Path], path: Path) -> None:
    """All parts as one file. Where types differ between parts, as nulls and texts, the wider one is taken."""
    arrow, files = parquet()
    schemas = [files.read_schema(part) for part in parts]
    try:
        schema = schemas[0] if all(map(schemas[0].equals, schemas)) else arrow.unify_schemas(
            schemas, promote_options="permissive"
        )  # fmt: skip
    except arrow.ArrowException as error:
        raise InputError(f"cannot write {path}: the types of a column differ: {shorten(error)}") from None
    with _writing(path) as write:
        for part in parts:
            with files.ParquetFile(part) as file:
                for group in range(file.num_row_groups):
                    write(_cast(arrow, file.read_row_group(group), schema), schema)
                if not file.num_row_groups:
                    write(_cast(arrow, file.read(), schema), schema)


def parquet() -> tuple[Any, Any]:
    """pyarrow, and its module for Parquet."""
    return import_extra("pyarrow", "Parquet", "arrow"), import_extra("pyarrow.parquet", "Parquet", "arrow")


def _table(arrow: Any, batch: Batch) -> Any:
    if isinstance(batch, dict):
        try:
            return arrow.table(batch)
        except (arrow.ArrowException, OverflowError, UnicodeEncodeError) as error:
            raise InputError(f"rows do not fit into columns of one type each: {shorten(error)}") from None
    return arrow.Table.from_batches([batch])


def _cast(arrow: Any, table: Any, schema: Any) -> Any:
    lacking = [field for field in schema if field.name not in table.schema.names]
    for field in lacking:
        table = table.append_column(field, arrow.nulls(table.num_rows, field.type))
    return table.select(schema.names).cast(schema)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    arrow, files = parquet()
    with readable(path):
        if path.is_dir():
            raise IsADirectoryError
        try:
            file = files.ParquetFile(path)
            _ = file.schema_arrow.names  # where the file is damaged, these may be no text
        except (arrow.ArrowException, UnicodeDecodeError) as error:
            raise _unreadable(path, error) from None
    with file:
        yield file


def _next(path: Path, batches: Iterator[Any]) -> Any:
    """The next batch; None at the end."""
    try:
        return next(batches, None)
    except (parquet()[0].ArrowException, OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from None


def _said(error: Exception) -> str:
    """The first line of what pyarrow says."""
    return shorten(str(error).partition("\n")[0])


def _unreadable(path: Path, error: Exception) -> InputError:
    return InputError(f"{path} cannot be read as Parquet: {_said(error)}")


@contextmanager
def _writing(path: Path) -> Iterator[Any]:
    """A function that writes a table; the file appears when the block ends."""
    if is_read_only(path):
        raise InputError(f"cannot write {shorten(path)}: it is read-only")
    arrow, files = parquet()
    writer: list[Any] = []
    temporary = _temporary(path)

    def write(table: Any, schema: Any) -> None:
        if not writer:
            writer.append(files.ParquetWriter(temporary, schema))
        writer[0].write_table(table)

    try:
        yield write
        writer[0].close()
        put_in_place(temporary, path)
    except OSError as error:
        raise InputError(f"cannot write {shorten(path)}: {error.strerror or error}") from None
    except arrow.ArrowException as error:
        raise InputError(f"cannot write {shorten(path)}: {_said(error)}") from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _temporary(path: Path) -> Path:
    """An empty file next to another."""
    try:
        handle, name = tempfile.mkstemp(prefix=".gecval-", suffix=".parquet", dir=path.parent)
    except OSError as error:
        raise InputError(f"cannot write {shorten(path)}: {error.strerror or error}") from None
    os.close(handle)
    return Path(name)
