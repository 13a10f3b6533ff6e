"""The Ladder"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("phases", sa.Column("ladder", sa.Float(precision=53), nullable=True))
    op.create_table(
        "rungs",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("phase_id", sa.String(length=16), nullable=False),
        sa.Column("team_id", sa.String(length=16), nullable=False),
        sa.Column("version_id", sa.String(length=16), nullable=False),
        sa.Column("submission_id", sa.String(length=16), nullable=True),
        sa.Column("score", sa.Float(precision=53), nullable=False),
        sa.Column("resampled", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["phase_id"], ["phases.id"], name=op.f("fk_rungs_phase_id")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_rungs_team_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_rungs_version_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_rungs_submission_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rungs")),
        sa.UniqueConstraint("submission_id", "version_id", name=op.f("uq_rungs_submission_id_version_id")),
    )
    with op.batch_alter_table("rungs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_rungs_phase_id_team_id"), ["phase_id", "team_id"], unique=False)
