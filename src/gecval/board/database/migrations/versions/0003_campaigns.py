"""People rank outputs"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "campaigns",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("benchmark_id", sa.String(length=16), nullable=False),
        sa.Column("version_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("again", sa.Integer(), nullable=False),
        sa.Column("closed", sa.Float(precision=53), nullable=True),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmarks.id"], name=op.f("fk_campaigns_benchmark_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_campaigns_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaigns")),
    )
    with op.batch_alter_table("campaigns", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_campaigns_benchmark_id"), ["benchmark_id"], unique=False)
    op.create_table(
        "contestants",
        sa.Column("campaign_id", sa.String(length=16), nullable=False),
        sa.Column("label", sa.String(length=100), nullable=False),
        sa.Column("submission_id", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_contestants_campaign_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_contestants_submission_id")),
        sa.PrimaryKeyConstraint("campaign_id", "label", name=op.f("pk_contestants")),
    )
    op.create_table(
        "jurors",
        sa.Column("campaign_id", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("left", sa.Float(precision=53), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_jurors_campaign_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_jurors_user_id")),
        sa.PrimaryKeyConstraint("campaign_id", "user_id", name=op.f("pk_jurors")),
    )
    with op.batch_alter_table("jurors", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_jurors_user_id"), ["user_id"], unique=False)
    op.create_table(
        "items",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("campaign_id", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sentence", sa.Integer(), nullable=False),
        sa.Column("shown", sa.JSON(), nullable=False),
        sa.Column("ranks", sa.JSON(), nullable=False),
        sa.Column("answered", sa.Float(precision=53), nullable=True),
        sa.Column("repeats", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_items_campaign_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_items_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_items")),
        sa.UniqueConstraint("campaign_id", "user_id", "number", name=op.f("uq_items_campaign_id_user_id_number")),
    )
