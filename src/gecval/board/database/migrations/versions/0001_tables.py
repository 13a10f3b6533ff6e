"""All tables of the board, and the triggers that let the audit log grow and nothing else."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID, HASH, NAME, ADDRESS = sa.String(16), sa.String(64), sa.String(80), sa.String(254)
NUMBER = sa.Float(53)
COUNTER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
REFUSAL = "the audit log can only grow"


def upgrade() -> None:
    create_tables()
    protect_audit_log()


def protect_audit_log() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for action in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_no_{action.lower()} BEFORE {action} ON audit "
                f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()"
    )


def required(name: str, kind: Any, *more: sa.ForeignKey, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, *more, nullable=False, **options)


def optional(name: str, kind: Any, *more: sa.ForeignKey, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, *more, nullable=True, **options)


def create_dated_table(name: str, *columns: Any) -> None:
    """A table whose rows have a random identifier, and the moment at which they were made."""
    op.create_table(name, required("id", ID, primary_key=True), required("created", NUMBER), *columns)


def create_tables() -> None:
    op.create_table(
        "attempts",
        required("id", COUNTER, primary_key=True),
        required("key", HASH),
        required("at", NUMBER),
        sa.Index(None, "key", "at"),
    )
    op.create_table(
        "audit",
        required("id", COUNTER, primary_key=True),
        required("at", NUMBER),
        required("actor", NAME),
        required("action", sa.String(40)),
        required("object", sa.String(120)),
        required("detail", sa.JSON()),
    )
    op.create_table(
        "blobs",
        required("hash", HASH, primary_key=True),
        required("size", sa.Integer()),
        required("content", sa.LargeBinary()),
    )
    op.create_table(
        "rankings",
        required("key", HASH, primary_key=True),
        required("body", sa.JSON()),
    )
    op.create_table(
        "settings",
        required("key", sa.String(40), primary_key=True),
        required("value", sa.Text()),
    )
    create_dated_table(
        "teams",
        required("name", NAME),
        required("folded", sa.String(240), unique=True),
    )
    create_dated_table(
        "users",
        required("name", NAME),
        required("folded", sa.String(240), unique=True),
        required("password", sa.String(200)),
        required("role", ID),
        optional("disabled", NUMBER),
        optional("disconnected", NUMBER),
    )
    create_dated_table(
        "benchmarks",
        required("slug", NAME, unique=True),
        required("name", NAME),
        required("about", sa.Text()),
        required("visibility", ID),
        required("link", HASH, unique=True),
        required("owner_id", ID, sa.ForeignKey("users.id")),
        optional("deleted", NUMBER),
    )
    create_dated_table(
        "invitations",
        required("hash", HASH, unique=True),
        required("role", ID),
        optional("team_id", ID, sa.ForeignKey("teams.id")),
        optional("made_by", ID, sa.ForeignKey("users.id")),
        required("expires", NUMBER),
        optional("used", NUMBER),
        optional("used_by", ID, sa.ForeignKey("users.id")),
    )
    op.create_table(
        "addresses",
        required("user_id", ID, sa.ForeignKey("users.id"), primary_key=True),
        required("address", ADDRESS, unique=True),
        required("news", sa.Boolean()),
    )
    op.create_table(
        "identities",
        required("issuer", sa.String(255), primary_key=True),
        required("subject", sa.String(255), primary_key=True),
        required("user_id", ID, sa.ForeignKey("users.id"), index=True),
    )
    create_dated_table(
        "mail_links",
        required("hash", HASH, unique=True),
        required("user_id", ID, sa.ForeignKey("users.id"), index=True),
        optional("address", ADDRESS),
        required("expires", NUMBER),
    )
    create_dated_table(
        "mails",
        required("kind", ID),
        optional("user_id", ID, sa.ForeignKey("users.id")),
        optional("address", ADDRESS),
        optional("about", sa.String(80), unique=True),
        required("detail", sa.JSON()),
        required("tries", sa.Integer()),
        optional("due", NUMBER, index=True),
    )
    op.create_table(
        "members",
        required("team_id", ID, sa.ForeignKey("teams.id"), primary_key=True),
        required("user_id", ID, sa.ForeignKey("users.id"), primary_key=True, index=True),
    )
    create_dated_table(
        "sessions",
        required("hash", HASH, unique=True),
        required("user_id", ID, sa.ForeignKey("users.id"), index=True),
        required("expires", NUMBER),
    )
    create_dated_table(
        "tokens",
        required("hash", HASH, unique=True),
        required("user_id", ID, sa.ForeignKey("users.id"), index=True),
        required("name", NAME),
        required("scope", ID),
        required("expires", NUMBER),
        optional("used", NUMBER),
        optional("revoked", NUMBER),
    )
    op.create_table(
        "admissions",
        required("benchmark_id", ID, sa.ForeignKey("benchmarks.id"), primary_key=True),
        required("team_id", ID, sa.ForeignKey("teams.id"), primary_key=True),
    )
    create_dated_table(
        "phases",
        required("benchmark_id", ID, sa.ForeignKey("benchmarks.id"), index=True),
        required("name", NAME),
        required("opens", NUMBER),
        optional("closes", NUMBER),
        optional("per_day", sa.Integer()),
        optional("in_all", sa.Integer()),
        required("rule", ID),
        required("entry", ID),
        required("blind", sa.Boolean()),
        required("private", sa.Boolean()),
        optional("ladder", NUMBER),
    )
    create_dated_table(
        "systems",
        required("benchmark_id", ID, sa.ForeignKey("benchmarks.id")),
        optional("team_id", ID, sa.ForeignKey("teams.id")),
        required("name", NAME),
        optional("decoy", sa.String(200)),
        sa.UniqueConstraint("benchmark_id", "team_id", "name"),
    )
    create_dated_table(
        "versions",
        required("benchmark_id", ID, sa.ForeignKey("benchmarks.id")),
        required("number", sa.Integer()),
        required("note", sa.Text()),
        optional("source_name", NAME),
        optional("source", HASH, sa.ForeignKey("blobs.hash")),
        required("missing", ID),
        optional("language", ID),
        optional("edits", NAME),
        required("aggregate", ID),
        required("metrics", sa.JSON()),
        required("options", sa.JSON()),
        required("digits", sa.Integer()),
        sa.UniqueConstraint("benchmark_id", "number"),
    )
    create_dated_table(
        "campaigns",
        required("benchmark_id", ID, sa.ForeignKey("benchmarks.id"), index=True),
        required("version_id", ID, sa.ForeignKey("versions.id")),
        required("name", NAME),
        required("about", sa.Text()),
        optional("goal", sa.Integer()),
        required("most", sa.Integer()),
        required("again", sa.Integer()),
        optional("closed", NUMBER),
    )
    create_dated_table(
        "reference_sets",
        required("version_id", ID, sa.ForeignKey("versions.id"), index=True),
        required("position", sa.Integer()),
        required("name", NAME),
        required("blob", HASH, sa.ForeignKey("blobs.hash")),
        required("hidden", sa.Boolean()),
    )
    create_dated_table(
        "submissions",
        required("system_id", ID, sa.ForeignKey("systems.id"), index=True),
        optional("phase_id", ID, sa.ForeignKey("phases.id"), index=True),
        optional("user_id", ID, sa.ForeignKey("users.id")),
        optional("version_id", ID, sa.ForeignKey("versions.id")),
        required("file_name", NAME),
        required("blob", HASH, sa.ForeignKey("blobs.hash")),
        required("sheet", sa.JSON()),
        optional("withdrawn", NUMBER),
        optional("deleted", NUMBER),
        required("chosen", sa.Boolean()),
    )
    op.create_table(
        "contestants",
        required("campaign_id", ID, sa.ForeignKey("campaigns.id"), primary_key=True),
        required("label", sa.String(100), primary_key=True),
        optional("submission_id", ID, sa.ForeignKey("submissions.id")),
    )
    create_dated_table(
        "items",
        required("campaign_id", ID, sa.ForeignKey("campaigns.id")),
        required("user_id", ID, sa.ForeignKey("users.id")),
        required("number", sa.Integer()),
        required("sentence", sa.Integer()),
        required("shown", sa.JSON()),
        required("ranks", sa.JSON()),
        optional("answered", NUMBER),
        optional("repeats", sa.Integer()),
        sa.UniqueConstraint("campaign_id", "user_id", "number"),
    )
    create_dated_table(
        "jobs",
        required("submission_id", ID, sa.ForeignKey("submissions.id")),
        required("version_id", ID, sa.ForeignKey("versions.id"), index=True),
        required("software", sa.String(40)),
        required("state", ID),
        required("tries", sa.Integer()),
        optional("lease", sa.String(32)),
        optional("until", NUMBER),
        optional("rests", NUMBER),
        optional("started", NUMBER),
        optional("finished", NUMBER),
        required("log", sa.Text()),
        sa.UniqueConstraint("submission_id", "version_id", "software"),
        sa.Index(None, "state", "created"),
    )
    op.create_table(
        "jurors",
        required("campaign_id", ID, sa.ForeignKey("campaigns.id"), primary_key=True),
        required("user_id", ID, sa.ForeignKey("users.id"), primary_key=True, index=True),
        required("number", sa.Integer()),
        optional("left", NUMBER),
    )
    create_dated_table(
        "rungs",
        required("phase_id", ID, sa.ForeignKey("phases.id")),
        required("team_id", ID, sa.ForeignKey("teams.id")),
        required("version_id", ID, sa.ForeignKey("versions.id")),
        optional("submission_id", ID, sa.ForeignKey("submissions.id")),
        required("score", NUMBER),
        optional("resampled", sa.LargeBinary()),
        sa.UniqueConstraint("submission_id", "version_id"),
        sa.Index(None, "phase_id", "team_id"),
    )
    create_dated_table(
        "details",
        required("job_id", ID, sa.ForeignKey("jobs.id")),
        required("submission_id", ID, sa.ForeignKey("submissions.id"), index=True),
        required("version_id", ID, sa.ForeignKey("versions.id")),
        required("kind", sa.String(40)),
        required("body", sa.JSON()),
        sa.UniqueConstraint("job_id", "kind"),
    )
    create_dated_table(
        "scores",
        required("job_id", ID, sa.ForeignKey("jobs.id")),
        required("submission_id", ID, sa.ForeignKey("submissions.id"), index=True),
        required("version_id", ID, sa.ForeignKey("versions.id"), index=True),
        required("metric", sa.String(400)),
        required("score", NUMBER),
        optional("low", NUMBER),
        optional("high", NUMBER),
        optional("level", NUMBER),
        required("parts", sa.JSON()),
        required("higher_is_better", sa.Boolean()),
        required("signature", sa.Text()),
        required("notes", sa.JSON()),
        required("statistics", sa.LargeBinary()),
        optional("resampled", sa.LargeBinary()),
        sa.UniqueConstraint("job_id", "metric"),
    )
