"""The first tables"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "attempts",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("at", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
    )
    with op.batch_alter_table("attempts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_attempts_key_at"), ["key", "at"], unique=False)

    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", sa.Float(precision=53), nullable=False),
        sa.Column("actor", sa.String(length=80), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("object", sa.String(length=120), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_table(
        "blobs",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_blobs")),
    )
    op.create_table(
        "rankings",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_rankings")),
    )
    op.create_table(
        "settings",
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_settings")),
    )
    op.create_table(
        "teams",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("folded", sa.String(length=240), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teams")),
        sa.UniqueConstraint("folded", name=op.f("uq_teams_folded")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("folded", sa.String(length=240), nullable=False),
        sa.Column("password", sa.String(length=200), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("disabled", sa.Float(precision=53), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("folded", name=op.f("uq_users_folded")),
    )
    op.create_table(
        "benchmarks",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("slug", sa.String(length=80), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("visibility", sa.String(length=16), nullable=False),
        sa.Column("link", sa.String(length=64), nullable=False),
        sa.Column("owner_id", sa.String(length=16), nullable=False),
        sa.Column("deleted", sa.Float(precision=53), nullable=True),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_benchmarks_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_benchmarks")),
        sa.UniqueConstraint("link", name=op.f("uq_benchmarks_link")),
        sa.UniqueConstraint("slug", name=op.f("uq_benchmarks_slug")),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("team_id", sa.String(length=16), nullable=True),
        sa.Column("made_by", sa.String(length=16), nullable=True),
        sa.Column("expires", sa.Float(precision=53), nullable=False),
        sa.Column("used", sa.Float(precision=53), nullable=True),
        sa.Column("used_by", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(["made_by"], ["users.id"], name=op.f("fk_invitations_made_by")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_invitations_team_id")),
        sa.ForeignKeyConstraint(["used_by"], ["users.id"], name=op.f("fk_invitations_used_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("hash", name=op.f("uq_invitations_hash")),
    )
    op.create_table(
        "members",
        sa.Column("team_id", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_members_team_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_members_user_id")),
        sa.PrimaryKeyConstraint("team_id", "user_id", name=op.f("pk_members")),
    )
    with op.batch_alter_table("members", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_members_user_id"), ["user_id"], unique=False)

    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=16), nullable=False),
        sa.Column("expires", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sessions_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("hash", name=op.f("uq_sessions_hash")),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_user_id"), ["user_id"], unique=False)

    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("scope", sa.String(length=16), nullable=False),
        sa.Column("expires", sa.Float(precision=53), nullable=False),
        sa.Column("used", sa.Float(precision=53), nullable=True),
        sa.Column("revoked", sa.Float(precision=53), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_tokens_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("hash", name=op.f("uq_tokens_hash")),
    )
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tokens_user_id"), ["user_id"], unique=False)

    op.create_table(
        "admissions",
        sa.Column("benchmark_id", sa.String(length=16), nullable=False),
        sa.Column("team_id", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmarks.id"], name=op.f("fk_admissions_benchmark_id")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_admissions_team_id")),
        sa.PrimaryKeyConstraint("benchmark_id", "team_id", name=op.f("pk_admissions")),
    )
    op.create_table(
        "phases",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("benchmark_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("opens", sa.Float(precision=53), nullable=False),
        sa.Column("closes", sa.Float(precision=53), nullable=True),
        sa.Column("per_day", sa.Integer(), nullable=True),
        sa.Column("in_all", sa.Integer(), nullable=True),
        sa.Column("rule", sa.String(length=16), nullable=False),
        sa.Column("entry", sa.String(length=16), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmarks.id"], name=op.f("fk_phases_benchmark_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_phases")),
    )
    with op.batch_alter_table("phases", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_phases_benchmark_id"), ["benchmark_id"], unique=False)

    op.create_table(
        "systems",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("benchmark_id", sa.String(length=16), nullable=False),
        sa.Column("team_id", sa.String(length=16), nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("decoy", sa.String(length=200), nullable=True),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmarks.id"], name=op.f("fk_systems_benchmark_id")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_systems_team_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_systems")),
        sa.UniqueConstraint("benchmark_id", "team_id", "name", name=op.f("uq_systems_benchmark_id_team_id_name")),
    )
    op.create_table(
        "versions",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("benchmark_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("source_name", sa.String(length=80), nullable=True),
        sa.Column("source", sa.String(length=64), nullable=True),
        sa.Column("missing", sa.String(length=16), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=True),
        sa.Column("edits", sa.String(length=80), nullable=True),
        sa.Column("aggregate", sa.String(length=16), nullable=False),
        sa.Column("metrics", sa.JSON(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("digits", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmarks.id"], name=op.f("fk_versions_benchmark_id")),
        sa.ForeignKeyConstraint(["source"], ["blobs.hash"], name=op.f("fk_versions_source")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("benchmark_id", "number", name=op.f("uq_versions_benchmark_id_number")),
    )
    op.create_table(
        "reference_sets",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("version_id", sa.String(length=16), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("blob", sa.String(length=64), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["blob"], ["blobs.hash"], name=op.f("fk_reference_sets_blob")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_reference_sets_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reference_sets")),
    )
    with op.batch_alter_table("reference_sets", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reference_sets_version_id"), ["version_id"], unique=False)

    op.create_table(
        "submissions",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("system_id", sa.String(length=16), nullable=False),
        sa.Column("phase_id", sa.String(length=16), nullable=True),
        sa.Column("user_id", sa.String(length=16), nullable=True),
        sa.Column("version_id", sa.String(length=16), nullable=True),
        sa.Column("file_name", sa.String(length=80), nullable=False),
        sa.Column("blob", sa.String(length=64), nullable=False),
        sa.Column("sheet", sa.JSON(), nullable=False),
        sa.Column("withdrawn", sa.Float(precision=53), nullable=True),
        sa.Column("deleted", sa.Float(precision=53), nullable=True),
        sa.Column("chosen", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["blob"], ["blobs.hash"], name=op.f("fk_submissions_blob")),
        sa.ForeignKeyConstraint(["phase_id"], ["phases.id"], name=op.f("fk_submissions_phase_id")),
        sa.ForeignKeyConstraint(["system_id"], ["systems.id"], name=op.f("fk_submissions_system_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_submissions_user_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_submissions_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
    )
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_submissions_phase_id"), ["phase_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_submissions_system_id"), ["system_id"], unique=False)

    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("submission_id", sa.String(length=16), nullable=False),
        sa.Column("version_id", sa.String(length=16), nullable=False),
        sa.Column("software", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("lease", sa.String(length=32), nullable=True),
        sa.Column("until", sa.Float(precision=53), nullable=True),
        sa.Column("started", sa.Float(precision=53), nullable=True),
        sa.Column("finished", sa.Float(precision=53), nullable=True),
        sa.Column("log", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_jobs_submission_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_jobs_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint(
            "submission_id", "version_id", "software", name=op.f("uq_jobs_submission_id_version_id_software")
        ),
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_jobs_state_created"), ["state", "created"], unique=False)
        batch_op.create_index(batch_op.f("ix_jobs_version_id"), ["version_id"], unique=False)

    op.create_table(
        "details",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("job_id", sa.String(length=16), nullable=False),
        sa.Column("submission_id", sa.String(length=16), nullable=False),
        sa.Column("version_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_details_job_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_details_submission_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_details_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_details")),
        sa.UniqueConstraint("job_id", "kind", name=op.f("uq_details_job_id_kind")),
    )
    with op.batch_alter_table("details", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_details_submission_id"), ["submission_id"], unique=False)

    op.create_table(
        "scores",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=False),
        sa.Column("job_id", sa.String(length=16), nullable=False),
        sa.Column("submission_id", sa.String(length=16), nullable=False),
        sa.Column("version_id", sa.String(length=16), nullable=False),
        sa.Column("metric", sa.String(length=400), nullable=False),
        sa.Column("score", sa.Float(precision=53), nullable=False),
        sa.Column("low", sa.Float(precision=53), nullable=True),
        sa.Column("high", sa.Float(precision=53), nullable=True),
        sa.Column("level", sa.Float(precision=53), nullable=True),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.Column("higher_is_better", sa.Boolean(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("statistics", sa.LargeBinary(), nullable=False),
        sa.Column("resampled", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_scores_job_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_scores_submission_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_scores_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scores")),
        sa.UniqueConstraint("job_id", "metric", name=op.f("uq_scores_job_id_metric")),
    )
    with op.batch_alter_table("scores", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_scores_submission_id"), ["submission_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_scores_version_id"), ["version_id"], unique=False)
