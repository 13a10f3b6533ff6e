"""Migrations run at every start. Whoever comes second waits, and finds nothing left to do."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine, text

LOCK = 0x6765637661  # any number that no other program takes


def migrate(engine: Engine) -> None:
    """Bring the tables of a database up to date, in one transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
