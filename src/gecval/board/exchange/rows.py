"""Rows as JSON objects, and JSON objects as rows that the tables can take. Bytes lie in files, by their hash."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import JSON, Boolean, Column, Float, Integer, LargeBinary, String, Table

from gecval.board.database.models import Base

LEFT_OUT = ("sessions", "attempts")  # of this moment and of this machine
SECRET = ("tokens", "invitations")  # tables of hashes of secrets
NO_PASSWORD = ""  # no password fits it
LARGEST = 2**63 - 1

Row = dict[str, Any]
Keep = Callable[[bytes], str]


def tables() -> list[Table]:
    """The tables that travel, those first to which others refer."""
    return [table for table in Base.metadata.sorted_tables if table.name not in LEFT_OUT]


def written(table: Table, row: Mapping[str, Any], *, secrets: bool, keep: Keep) -> Row:
    """A row as it is exported. ``keep`` puts bytes into a file and names it."""
    told: Row = {}
    for column in table.columns:
        value = row[column.name]
        if isinstance(column.type, LargeBinary):
            value = None if value is None else keep(value)
        elif isinstance(value, float) and not math.isfinite(value):
            value = {"float": repr(value)}
        told[column.name] = value
    if table.name == "users" and not secrets:
        told["password"] = NO_PASSWORD
    return told


def line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def taken(table: Table, line: bytes, content: Callable[[str], bytes]) -> Row:
    """A row from a line, checked: every column has a value of its kind, and there are no others."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
    if not isinstance(told, dict):
        raise ValueError("it is no object")
    for name in told:
        if name not in table.columns:
            raise ValueError(f"there is no column {name[:40]!r}")
    return {column.name: _value(column, told, content) for column in table.columns}


def _value(column: Column[Any], told: Row, content: Callable[[str], bytes]) -> Any:
    value = told.get(column.name)
    if column.name not in told:
        default = getattr(column.default, "arg", None)
        if not column.nullable and (default is None or callable(default)):
            raise ValueError(f"{column.name} is missing")
        return None if callable(default) else default
    if value is None:
        if not column.nullable:
            raise ValueError(f"{column.name} is nothing")
        return None
    if isinstance(column.type, LargeBinary):
        return content(_text(column, value, 64))
    if isinstance(column.type, Float):
        return _number(column, value)
    if isinstance(column.type, JSON):
        if not isinstance(value, dict | list):
            raise ValueError(f"{column.name} is neither an object nor a list")
        return value
    if isinstance(column.type, String):
        return _text(column, value, column.type.length)
    wanted = bool if isinstance(column.type, Boolean) else int
    if type(value) is not wanted or (isinstance(column.type, Integer) and not -LARGEST <= value <= LARGEST):
        raise ValueError(f"{column.name} is no {'number' if wanted is int else 'true or false'}")
    return value


def _number(column: Column[Any], value: Any) -> float:
    if isinstance(value, dict) and value.get("float") in ("nan", "inf", "-inf"):
        return float(value["float"])
    if isinstance(value, bool) or not isinstance(value, float | int):
        raise ValueError(f"{column.name} is no number")
    return float(value)


def _text(column: Column[Any], value: Any, most: int | None) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(f"{column.name} is no text")
    if most is not None and len(value) > most:
        raise ValueError(f"{column.name} has more than {most} letters")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{column.name} is no Unicode text") from None
    return value


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
