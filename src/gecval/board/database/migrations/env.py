"""How Alembic runs here: within the transaction that ``migrate`` opened."""

from alembic import context

from gecval.board.database.models import Base


def run() -> None:
    connection = context.config.attributes["connection"]
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        transactional_ddl=False,
        render_as_batch=connection.dialect.name == "sqlite",
    )
    context.run_migrations()


if hasattr(context, "config"):  # Alembic runs this file; whoever only imports it has no connection
    run()
