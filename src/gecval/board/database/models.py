"""All tables. A new one gets a module beside these, a line here, and a migration."""

from gecval.board.database.base import Base, new_id
from gecval.board.database.campaigns import Campaign, Contestant, Item, Juror
from gecval.board.database.contests import Admission, Benchmark, Blob, Phase, ReferenceSet, Version
from gecval.board.database.entries import Detail, Job, Rung, Submission, System, SystemScore
from gecval.board.database.people import Attempt, Invitation, Member, Team, Token, User, WebSession
from gecval.board.database.records import AuditEntry, Ranking, Remembered

__all__ = [
    "Admission",
    "Attempt",
    "AuditEntry",
    "Base",
    "Benchmark",
    "Blob",
    "Campaign",
    "Contestant",
    "Detail",
    "Invitation",
    "Item",
    "Job",
    "Juror",
    "Member",
    "Phase",
    "Ranking",
    "ReferenceSet",
    "Remembered",
    "Rung",
    "Submission",
    "System",
    "SystemScore",
    "Team",
    "Token",
    "User",
    "Version",
    "WebSession",
    "new_id",
]
