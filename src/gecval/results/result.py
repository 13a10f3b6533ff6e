"""What a study returns: one complete, frozen result. Everything shown is a view of it.

    result ──┬─► print(result), to_markdown(), to_latex(), notebook     tables; ``report`` renders them
             ├─► to_dict(), to_json(), to_jsonl()                       by field name, with a schema and its version
             └─► to_frame()                                             pandas

A result is a frozen dataclass of plain values, tuples, mappings and further dataclasses. Nothing that is shown may be
missing from its fields, so a number has one origin however it is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from html import escape
from importlib import import_module
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from gecval.errors import import_extra
from gecval.results.table import Numbers, Table, render_tables

if TYPE_CHECKING:
    from pandas import DataFrame

Row = TypeVar("Row")


@dataclass(frozen=True, kw_only=True, repr=False)
class Result:
    """The base of every study's result.

    A subclass says what it is called in JSON (``kind``), which version its fields have, and which field holds its rows
    (``main``), of which ``to_frame`` makes a data frame. ``view`` names the function that makes its tables: in the
    module of the result, or in the module ``tables`` next to it. ``derived`` names properties of any dataclass in the
    result that go into JSON like fields, ``hidden`` fields that do not go there.
    """

    kind: ClassVar[str]
    view: ClassVar[str]
    version: ClassVar[int] = 1
    main: ClassVar[str]
    hidden: ClassVar[tuple[str, ...]] = ()

    notes: tuple[str, ...] = ()  # what a reader should not miss, though it is no error

    @classmethod
    def schema(cls) -> str:
        """The name and version of the JSON Schema that ``to_dict`` follows, e.g. ``gecval.scores/1``."""
        return f"gecval.{cls.kind}/{cls.version}"

    def to_dict(self) -> dict[str, Any]:
        """The result by field name, in values that JSON knows. A number that is undefined becomes None."""
        return {"schema": self.schema(), **_object(self)}

    def to_json(self) -> str:
        """The result as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)

    def to_jsonl(self) -> str:
        """The rows of the result, a line of JSON each."""
        rows = (plain(row) for row in getattr(self, self.main))
        return "\n".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)

    def to_frame(self) -> DataFrame:
        """The rows of the result as a pandas DataFrame. Nested values get names such as ``interval_low``."""
        pandas = import_extra("pandas", "a data frame", "pandas")
        frame: DataFrame = pandas.DataFrame([dict(_flat("", row)) for row in getattr(self, self.main)])
        return frame

    def to_tables(self, style: str = "text", **view: Any) -> list[Table]:
        """The tables that show the result. ``view`` is for the function that makes them, such as ``parts`` for scores.

        The function gets the style too, since programs that read TSV want other tables than people do.
        """
        return self.table_maker()(self, style, **view)

    @classmethod
    def table_maker(cls) -> Callable[..., list[Table]]:
        """The function that ``view`` names."""
        module = import_module(cls.__module__)
        if not hasattr(module, cls.view):
            module = import_module(f"{module.__package__}.tables")
        maker: Callable[..., list[Table]] = getattr(module, cls.view)
        return maker

    def render(
        self, style: str = "text", *, width: int | None = None, numbers: Numbers | None = None, **view: Any
    ) -> str:
        """The result as ``text``, ``markdown``, ``latex``, ``html``, ``tsv``, ``csv``, ``json`` or ``jsonl``."""
        if style == "json":
            return self.to_json()
        if style == "jsonl":
            return self.to_jsonl()
        return render_tables(self.to_tables(style, **view), style, width=width, numbers=numbers)

    def to_markdown(self) -> str:
        """The tables in Markdown."""
        return "\n\n".join([self.render("markdown"), *(f"note: {note}" for note in self.notes)])

    def to_latex(self) -> str:
        """The tables in LaTeX; they need the package booktabs."""
        return "\n".join([self.render("latex"), *(f"% note: {' '.join(note.split())}" for note in self.notes)])

    def _repr_html_(self) -> str:
        return self.render("html") + "".join(f"<div>note: {escape(note)}</div>" for note in self.notes)

    def __str__(self) -> str:
        return "\n".join([self.render("text"), *(f"note: {note}" for note in self.notes)])

    __repr__ = __str__


@dataclass(frozen=True, kw_only=True, repr=False)
class ResultSequence(Result, Generic[Row]):
    """A result that is a sequence of its rows, those of ``main``."""

    @property
    def _rows(self) -> tuple[Row, ...]:
        rows: tuple[Row, ...] = getattr(self, self.main)
        return rows

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __getitem__(self, index: int) -> Row:
        return self._rows[index]


def plain(value: Any) -> Any:
    """A value as JSON knows it: objects for dataclasses, lists for sequences, None for what is undefined."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if is_dataclass(value):
        return _object(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        return plain(value.tolist())
    listed = [plain(item) for item in value]
    # A named tuple is an interval or the like: half of it says nothing.
    return None if hasattr(value, "_fields") and None in listed else listed


def _object(value: Any) -> dict[str, Any]:
    hidden = getattr(value, "hidden", ())
    names = [field.name for field in fields(value) if field.name not in hidden] + list(getattr(value, "derived", ()))
    return {name: plain(getattr(value, name)) for name in names}


def _flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The columns of one row: nested dataclasses, mappings and named tuples are unfolded."""
    if is_dataclass(value):
        names = [field.name for field in fields(value)] + list(getattr(value, "derived", ()))
        inner = {part: getattr(value, part) for part in names}
    elif isinstance(value, Mapping):
        inner = dict(value)
    elif hasattr(value, "_fields"):
        inner = value._asdict()
    else:
        yield name, list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
        return
    for part, item in inner.items():
        yield from _flat(f"{name}_{part}" if name else str(part), item)
