"""Who sees what of submissions, systems and campaigns, decided without a page: one row after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from board import making
from gecval.board import access, benchmarks, clock, queue
from gecval.board.access import NOBODY, Viewer
from gecval.board.campaigns import add_campaign, close, set_judges
from gecval.board.database.models import Admission, Benchmark, Campaign, Job, Submission, System, User, Version
from gecval.board.errors import ForbiddenError, NotFoundError

TIME = 1_800_000_000.0


@dataclass
class Small:
    """A benchmark with hidden references and the decoy made of them, and a submission of anna's, all scored."""

    session: Session
    viewers: dict[str, Viewer]
    benchmark: Benchmark
    submission: Submission
    decoy: Submission

    def who(self, sees: Callable[[Viewer], object]) -> str:
        """Those who see a thing, or for whom it is true."""
        return " ".join(name for name, viewer in self.viewers.items() if allowed(partial(sees, viewer)))


def allowed(ask: Callable[[], object]) -> bool:
    try:
        return ask() is not False
    except (NotFoundError, ForbiddenError):
        return False


@pytest.fixture
def small(on_sqlite, settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Small]:
    monkeypatch.setattr(clock, "read_clock", lambda: TIME)
    with on_sqlite.write() as session:
        olga = making.user(session, settings, "olga", "organiser")
        teams = {name: making.participant(session, settings, name) for name in ("anna", "ben")}
        jo = making.user(session, settings, "jo", "judge")
        data = making.small_data(hidden=True, decoys=("(reference)",))
        benchmark = making.benchmark(session, settings, olga, data=data, closes=TIME + 100)
        anna, team = teams["anna"]
        submission = making.submission(session, benchmark, team, anna)
        session.flush()
        for job in session.scalars(select(Job)):
            job.state = "done"
        decoy = session.scalars(select(Submission).join(System).where(System.decoy.is_not(None))).one()
        people = {"olga": olga, "anna": anna, "ben": teams["ben"][0], "jo": jo}
        viewers = {name: Viewer.load(session, user) for name, user in people.items()} | {"anybody": NOBODY}
        session.refresh(benchmark)
        yield Small(session, viewers, benchmark, submission, decoy)


ALL = "olga anna ben jo anybody"


def test_names_and_scopes(small) -> None:
    assert [viewer.name for viewer in small.viewers.values()] == ALL.split()
    olga = small.viewers["olga"].user
    for scope, enough in (("read", ["read"]), ("submit", ["read", "submit"]), ("organise", list(access.SCOPES))):
        viewer = Viewer.load(small.session, olga, scope)
        assert [known for known in access.SCOPES if allowed(partial(access.must_act, viewer, known))] == enough
        assert viewer.organiser == (scope == "organise")
        if scope != "organise":
            with pytest.raises(ForbiddenError, match=r"^only organisers may do this, with that scope$"):
                access.must_organise(viewer)
    with pytest.raises(ForbiddenError, match=r"^only organisers may do this$"):
        access.must_organise(small.viewers["anna"])
    with pytest.raises(ForbiddenError, match=r"^log in first$"):
        access.must_act(NOBODY, "read")


def test_a_public_benchmark_is_at_its_name_alone(small) -> None:

    def see(address: str) -> str:
        return small.who(lambda viewer: access.find_benchmark(small.session, viewer, address))

    assert see("small") == ALL
    assert see(small.benchmark.link) == "olga"
    assert see("nothing") == ""
    small.benchmark.visibility = "link"
    assert (see("small"), see(small.benchmark.link)) == ("olga", ALL)
    small.benchmark.visibility = "private"
    small.session.add(Admission(benchmark_id=small.benchmark.id, team_id=small.submission.system.team_id))
    assert (see("small"), see(small.benchmark.link)) == ("olga anna", "olga")


def test_a_blind_phase_ends_with_the_moment_in_which_it_closes(small, monkeypatch: pytest.MonkeyPatch) -> None:
    phase = small.submission.phase

    def see() -> str:
        return small.who(lambda viewer: access.sees_scores(viewer, phase))

    assert see() == ALL
    phase.blind = True
    assert see() == "olga"
    monkeypatch.setattr(clock, "read_clock", lambda: TIME + 99.9)
    assert see() == "olga"
    monkeypatch.setattr(clock, "read_clock", lambda: TIME + 100.0)
    assert see() == ALL
    phase.closes = None
    assert see() == "olga"
    assert small.who(lambda viewer: access.sees_scores(viewer, None)) == ALL


def test_who_sees_a_submission(small) -> None:
    session, row = small.session, small.submission

    def see() -> str:
        return small.who(lambda viewer: access.find_submission(session, viewer, small.benchmark, row.id))

    def own() -> str:
        return small.who(lambda viewer: access.find_own_submission(session, viewer, small.benchmark, row.id))

    assert (see(), own()) == (ALL, "olga anna")
    queue.enqueue(session, row.id, row.system.benchmark.versions[-1].id, "another gecval")
    session.flush()
    session.refresh(row)
    assert see() == ALL  # one of its jobs is done
    row.jobs[0].state = "failed"
    assert see() == "olga anna"
    row.jobs[0].state, row.withdrawn = "done", TIME
    assert (see(), own()) == ("olga anna", "olga anna")
    row.deleted = TIME
    assert (see(), own()) == ("olga anna", "olga anna")  # who deleted it can bring it back
    row.withdrawn = None
    assert see() == "olga anna"
    assert small.who(lambda viewer: access.find_submission(session, viewer, small.benchmark, "none")) == ""
    assert small.who(lambda viewer: access.find_own_submission(session, viewer, small.benchmark, "none")) == ""


def test_nothing_of_one_benchmark_is_seen_at_another(small, settings) -> None:
    session, row = small.session, small.submission
    other = making.benchmark(session, settings, small.viewers["olga"].user, name="Other")
    assert small.who(lambda viewer: access.find_submission(session, viewer, other, row.id)) == ""
    assert small.who(lambda viewer: access.find_own_submission(session, viewer, other, row.id)) == ""
    assert small.who(lambda viewer: access.find_system(session, viewer, other, row.system_id)) == ""


def test_whose_submission_it_is_not(small) -> None:
    with pytest.raises(ForbiddenError, match=r"^this submission is not yours, ben$"):
        access.find_own_submission(small.session, small.viewers["ben"], small.benchmark, small.submission.id)
    small.submission.withdrawn = TIME
    with pytest.raises(NotFoundError):
        access.find_own_submission(small.session, small.viewers["ben"], small.benchmark, small.submission.id)


def test_who_sees_a_system(small) -> None:
    session, row = small.session, small.submission

    def see() -> str:
        return small.who(lambda viewer: access.find_system(session, viewer, small.benchmark, row.system_id))

    making.submission(session, small.benchmark, row.system.team, small.viewers["anna"].user, text=making.SECOND)
    session.flush()
    session.refresh(row.system)
    assert see() == ALL  # one of the two is scored
    row.withdrawn = TIME
    assert see() == "olga anna"
    assert small.who(lambda viewer: access.find_system(session, viewer, small.benchmark, "none")) == ""


def test_who_reads_what_a_decoy_wrote(small) -> None:

    def see(row: Submission) -> str:
        return small.who(lambda viewer: access.sees_output(viewer, row))

    assert see(small.submission) == "olga anna"  # until the phase ends, as references are hidden
    small.submission.phase.private = False
    assert see(small.submission) == ALL
    assert see(small.decoy) == "olga"
    small.decoy.system.name = "(source)"
    assert see(small.decoy) == ALL
    small.decoy.system.name = "(reference)"
    for reference in small.benchmark.versions[-1].references:
        reference.hidden = False
    assert see(small.decoy) == ALL


def test_who_owns_a_system(small) -> None:
    assert small.who(lambda viewer: access.owns(viewer, small.submission.system)) == "olga anna"
    assert small.who(lambda viewer: access.owns(viewer, small.decoy.system)) == "olga"


def test_what_was_kept_back_on_which_version(small, settings) -> None:
    session, row, old = small.session, small.submission, small.benchmark.versions[-1]

    def kept(version: Version) -> str:
        return small.who(lambda viewer: access.is_kept_back(viewer, row, version.id))

    assert kept(old) == ""  # there is no Ladder
    row.phase.ladder = 1.0
    assert kept(old) == ALL
    new = benchmarks.add_version(
        session, settings, small.viewers["olga"].user, small.benchmark, making.small_data(hidden=True)
    )
    session.flush()
    session.refresh(row)
    assert (kept(old), kept(new)) == (ALL, "")
    assert small.who(lambda viewer: access.sees_submission_scores(viewer, row, old.id)) == "olga"


def campaign_of(small) -> Campaign:
    version, olga = small.benchmark.versions[-1], small.viewers["olga"].user
    made = add_campaign(small.session, olga, version, [small.submission, small.decoy], name="People")
    set_judges(small.session, olga, made, [small.viewers["jo"].user.id, small.viewers["ben"].user.id])
    return made


def test_who_sees_a_campaign(small) -> None:
    session, made = small.session, campaign_of(small)
    olga, team = small.viewers["olga"].user, small.submission.system.team_id

    def see() -> str:
        return small.who(lambda viewer: access.find_campaign(session, viewer, made.id))

    def listed() -> str:
        return small.who(lambda viewer: access.list_campaigns(session, viewer, small.benchmark) == [made])

    assert (see(), listed()) == ("olga", "olga")
    close(session, olga, made, closed=True)
    assert (see(), listed()) == (ALL, ALL)
    small.benchmark.visibility = "link"  # its random id is as good as the link
    assert see() == ALL
    small.benchmark.visibility = "private"
    assert see() == "olga"
    session.add(Admission(benchmark_id=small.benchmark.id, team_id=team))
    assert see() == "olga anna"
    small.benchmark.visibility, small.benchmark.deleted = "public", TIME
    assert see() == ""
    assert small.who(lambda viewer: access.find_campaign(session, viewer, "none")) == ""


def test_who_judges(small) -> None:
    session, made = small.session, campaign_of(small)
    olga = small.viewers["olga"].user

    def may() -> str:
        return small.who(lambda viewer: access.find_campaign_to_judge(session, viewer, made.id))

    def listed() -> str:
        return small.who(lambda viewer: access.list_campaigns_to_judge(session, viewer) == [made])

    assert (may(), listed()) == ("ben jo", "ben jo")
    set_judges(session, olga, made, [small.viewers["jo"].user.id])
    assert (may(), listed()) == ("jo", "jo")
    close(session, olga, made, closed=True)
    assert (may(), listed()) == ("jo", "")  # the page says that it is closed
    close(session, olga, made, closed=False)
    small.benchmark.deleted = TIME
    assert (may(), listed()) == ("", "")
    assert small.who(lambda viewer: access.find_campaign_to_judge(session, viewer, "none")) == ""


def test_deleted_benchmarks_are_for_organisers(small) -> None:

    def see() -> str:
        return small.who(lambda viewer: access.find_deleted_benchmark(small.session, viewer, "small"))

    def listed() -> str:
        return small.who(lambda viewer: access.list_benchmarks(small.session, viewer) == [small.benchmark])

    assert (see(), listed()) == ("", ALL)
    small.benchmark.deleted = TIME
    assert (see(), listed()) == ("olga", "")


def test_who_is_disabled_is_nobody(small, settings) -> None:
    from gecval.board import accounts

    session, anna = small.session, session_user(small, "anna")
    secret = accounts.make_token(session, anna, name="t", scope="read", days=1)
    cookie = accounts.start_session(session, settings, anna)
    assert accounts.find_token_viewer(session, secret).user is anna
    assert accounts.find_session_viewer(session, cookie).user is anna
    anna.disabled = TIME
    with pytest.raises(ForbiddenError, match="this token does not hold"):
        accounts.find_token_viewer(session, secret)
    assert accounts.find_session_viewer(session, cookie) is None
    login = {"name": "anna", "password": making.PASSWORD, "address": "::1"}
    assert making.log_in(session, settings, **login) is None


def session_user(small, name: str) -> User:
    user = small.viewers[name].user
    assert user is not None
    return user
