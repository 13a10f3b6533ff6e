"""Migrations run at every start. Whoever comes second waits, and finds nothing left to do.

They lead forward only: to go back, take a backup from before.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Engine, text

from gecval.errors import InputError

if TYPE_CHECKING:
    from alembic.config import Config

LOCK = 0x6765637661  # any number that no other program takes


def migrate(engine: Engine) -> None:
    """Bring the tables of a database up to date, in one transaction."""
    from alembic import command
    from alembic.util import CommandError

    config = _config()
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError:
            raise InputError(
                "the tables of the database are of another version of gecval: take that version, or a backup",
                parameter="database",
            ) from None


def revisions() -> list[str]:
    """All states of the tables, the oldest first."""
    from alembic.script import ScriptDirectory

    return [script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()][::-1]


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
