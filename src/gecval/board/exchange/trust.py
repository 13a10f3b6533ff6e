"""What an import does not believe: names that become paths, metrics that would load code, files under another hash."""

from __future__ import annotations

from typing import Any, get_args

from gecval.board.database.people import Role, Scope
from gecval.board.metrics import board_edits, board_metrics
from gecval.board.names import file_name


def check_row(table: str, row: dict[str, Any]) -> None:
    """Refuse, with ValueError or InputError, what the board itself would never have stored."""
    if table == "versions":
        _check_name(row["source_name"])
        if board_metrics(row["metrics"]) != row["metrics"]:
            raise ValueError("metrics are spelled in another way than a board spells them")
        board_edits(row["edits"])
    elif table == "reference_sets":
        _check_name(row["name"])
    elif table == "users":
        _check_word("role", row["role"], get_args(Role))
    elif table == "tokens":
        _check_word("scope", row["scope"], get_args(Scope))


def _check_name(name: str | None) -> None:
    """A file is written under this name: it must not lead anywhere."""
    if name is not None and file_name(name, "") != name:
        raise ValueError(f"{name[:60]!r} is no plain name of a file")


def _check_word(what: str, word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise ValueError(f"{what} is {', '.join(known)}; not {word[:20]!r}")
