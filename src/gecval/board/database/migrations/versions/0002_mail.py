"""Mail and single sign-on; and three columns that boards made before the first release may lack."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID, HASH, ADDRESS = sa.String(16), sa.String(64), sa.String(254)
NUMBER = sa.Float(53)
LATE: tuple[tuple[str, sa.Column[Any]], ...] = (
    ("campaigns", sa.Column("goal", sa.Integer())),
    ("jobs", sa.Column("rests", NUMBER)),
    ("phases", sa.Column("private", sa.Boolean(), nullable=False, server_default=sa.false())),
)


def upgrade() -> None:
    for table, column in LATE:
        if column.name not in {known["name"] for known in sa.inspect(op.get_bind()).get_columns(table)}:
            op.add_column(table, column)
    op.create_table(
        "addresses",
        sa.Column("user_id", ID, sa.ForeignKey("users.id"), primary_key=True),
        sa.Column("address", ADDRESS, nullable=False, unique=True),
        sa.Column("news", sa.Boolean(), nullable=False),
    )
    op.create_table(
        "identities",
        sa.Column("issuer", sa.String(255), primary_key=True),
        sa.Column("subject", sa.String(255), primary_key=True),
        sa.Column("user_id", ID, sa.ForeignKey("users.id"), nullable=False, index=True),
    )
    op.create_table(
        "mail_links",
        sa.Column("id", ID, primary_key=True),
        sa.Column("created", NUMBER, nullable=False),
        sa.Column("hash", HASH, nullable=False, unique=True),
        sa.Column("user_id", ID, sa.ForeignKey("users.id"), nullable=False, index=True),
        sa.Column("address", ADDRESS),
        sa.Column("expires", NUMBER, nullable=False),
    )
    op.create_table(
        "mails",
        sa.Column("id", ID, primary_key=True),
        sa.Column("created", NUMBER, nullable=False),
        sa.Column("kind", ID, nullable=False),
        sa.Column("user_id", ID, sa.ForeignKey("users.id")),
        sa.Column("address", ADDRESS),
        sa.Column("about", sa.String(80), unique=True),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due", NUMBER, index=True),
    )
