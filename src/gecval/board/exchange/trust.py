"""What an import does not believe: names that become paths, metrics that would load code, files under another hash."""

from __future__ import annotations

import zlib
from typing import Any, get_args

from gecval.board.database.people import Role, Scope
from gecval.board.exchange.rows import digest
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
    elif table == "blobs":
        plain = zlib.decompress(row["content"])
        if (digest(plain), len(plain)) != (row["hash"], row["size"]):
            raise ValueError("its content is that of another file")
    elif table == "campaigns":
        if not (2 <= row["most"] <= 5 and 2 <= row["again"] <= 1000):
            raise ValueError("a campaign shows 2 to 5 outputs, and every 2nd to 1000th item again")
    elif table == "items":
        _check_item(row["shown"], row["ranks"])


def _check_name(name: str | None) -> None:
    """A file is written under this name: it must not lead anywhere."""
    if name is not None and file_name(name, "") != name:
        raise ValueError(f"{name[:60]!r} is no plain name of a file")


def _check_item(shown: Any, ranks: Any) -> None:
    groups = isinstance(shown, list) and all(
        isinstance(group, list) and group and all(isinstance(label, str) for label in group) for group in shown
    )
    if not groups or not 2 <= len(shown) <= 5:
        raise ValueError("shown is no list of two to five outputs")
    if not isinstance(ranks, list) or (ranks and len(ranks) != len(shown)):
        raise ValueError("ranks is no list of a rank for each output")
    if not all(type(rank) is int and 1 <= rank <= len(shown) for rank in ranks):
        raise ValueError(f"a rank is from 1 to {len(shown)}")


def _check_word(what: str, word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise ValueError(f"{what} is {', '.join(known)}; not {word[:20]!r}")
