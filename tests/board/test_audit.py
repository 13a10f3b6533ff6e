"""Everything that somebody does to a board stands in its log, in order, with who and what; and a report that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from board import making
from gecval.board import accounts, benchmarks, deletion, operator, report_page, submissions, tokens
from gecval.board.audit import entries
from gecval.board.benchmarks import PhaseRules
from gecval.board.campaigns.making import add_campaign
from gecval.board.database import open_database
from gecval.board.settings import Settings
from gecval.errors import InputError


def test_every_action_is_recorded(settings: Settings, tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'audit.sqlite'}")
    with database.write() as session:
        olga = making.user(session, settings, "olga", "organiser")
        anna, team = making.participant(session, settings, "anna")
        secret = accounts.invite(session, role="participant", team=team, by=anna, days=1)
        ben = making.user(session, settings, "ben")
        accounts.join_team(session, secret, ben)
        accounts.invite(session, role="judge", days=1)
        login = {"name": "ben", "password": making.PASSWORD, "address": "::1"}
        assert accounts.log_in(session, settings, **login)
        accounts.change_password(session, settings, ben, old=making.PASSWORD, new="another long password")
        operator.new_password(session, settings, "ben")
        tokens.make_token(session, ben, name="t", scope="read", days=1)
        [token] = tokens.tokens_of(session, ben)
        tokens.revoke_token(session, ben, token.id)
        made = making.benchmark(session, settings, olga, data=making.small_data(decoys=()))
        benchmarks.add_version(session, settings, olga, made, making.small_data(decoys=()))
        session.refresh(made)
        submitted = making.submission(session, made, team, anna)
        submissions.choose(session, submitted, anna)
        submissions.withdraw(session, submitted, anna)
        submissions.undo(session, submitted, anna, days=30)
        submissions.delete(session, submitted, anna)
        benchmarks.add_phase(session, olga, made, PhaseRules(name="Late"))
        campaign = add_campaign(session, olga, made.versions[-1], [submitted, submitted], name="people")
        deletion.delete(session, made, olga)
        deletion.undo(session, made, olga, days=30)
        log = [(row.actor, row.action, row.object, row.detail) for row in reversed(entries(session))]
    by, to = f"benchmark {made.id}", f"submission {submitted.id}"
    assert log == [
        ("olga", "join", f"user {olga.id}", {"role": "organiser"}),
        ("anna", "join", f"user {anna.id}", {"role": "participant"}),
        ("anna", "make team", f"team {team.id}", {"name": "team anna"}),
        ("anna", "invite", f"team {team.id}", {"role": "participant"}),
        ("ben", "join", f"user {ben.id}", {"role": "participant"}),
        ("ben", "join team", f"team {team.id}", {}),
        ("the operator", "invite", "the board", {"role": "judge"}),
        ("ben", "log in", f"user {ben.id}", {}),
        ("ben", "change password", f"user {ben.id}", {}),
        ("operator", "new password", f"user {ben.id}", {}),
        ("ben", "make token", f"token {token.id}", {"scope": "read"}),
        ("ben", "revoke token", f"token {token.id}", {}),
        ("olga", "make benchmark", by, {"name": "Small"}),
        ("olga", "add phase", by, {"name": "open"}),
        ("olga", "add version", by, {"number": 1}),
        ("olga", "add version", by, {"number": 2}),
        ("anna", "submit", to, {"benchmark": made.id, "file": submitted.blob}),
        ("anna", "choose", to, {}),
        ("anna", "withdraw", to, {}),
        ("anna", "undo", to, {}),
        ("anna", "delete", to, {}),
        ("olga", "add phase", by, {"name": "Late"}),
        ("olga", "make campaign", f"campaign {campaign.id}", {"name": "people"}),
        ("olga", "set judges", f"campaign {campaign.id}", {"judges": 0}),
        ("olga", "delete", by, {"name": "Small"}),
        ("olga", "undo", by, {"name": "Small"}),
    ]


def test_a_report_that_cannot_be_made_says_why_in_one_line(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'report.sqlite'}"
    with open_database(url).write() as session:
        olga = making.user(session, settings, "olga", "organiser")
        anna, team = making.participant(session, settings, "anna")
        made = making.benchmark(session, settings, olga, data=making.small_data(decoys=()))
        ids = [made.versions[-1].id, making.submission(session, made, team, anna).id]

    def refuses(*given: object) -> str:
        raise InputError("there is nothing to show")

    monkeypatch.setattr(report_page, "report_page", refuses)
    monkeypatch.setattr(report_page.os, "nice", lambda by: by)
    monkeypatch.setattr(report_page.sys, "argv", ["report", *ids])
    monkeypatch.setenv("GECVAL_DATABASE", url)
    with pytest.raises(SystemExit) as end:
        report_page.main()
    assert end.value.code == "there is nothing to show"
