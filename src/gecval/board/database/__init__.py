"""The board's tables, on SQLite or PostgreSQL, and the migrations that make them."""

from gecval.board.database.session import Database, open_database

__all__ = ["Database", "open_database"]
