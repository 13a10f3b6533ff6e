"""Phases: added without overlap, changed, ended, removed; and what hidden references give away, phase by phase."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from sqlalchemy import select

from board import making
from board.serving import Served
from gecval.board import benchmarks, clock, retention
from gecval.board.clock import format_field
from gecval.board.database.models import Benchmark, Phase, Submission, SystemScore, User
from gecval.board.leaderboard import find_default_phase

NOON = 1_800_014_400.0  # 2027-01-15 12:00 UTC
DATE = "2027-01-15T"


@pytest.fixture
def served(on_sqlite, settings, monkeypatch: pytest.MonkeyPatch) -> Served:
    made = Served(on_sqlite, settings)
    made.time = NOON  # type: ignore[attr-defined]
    monkeypatch.setattr(clock, "read_clock", lambda: made.time)  # type: ignore[attr-defined]
    return made


@pytest.fixture
def phases(served: Served) -> Callable[[], dict[str, tuple[float, float | None]]]:
    def listed() -> dict[str, tuple[float, float | None]]:
        with served.database.read() as session:
            return {row.name: (row.opens, row.closes) for row in session.scalars(select(Phase))}

    return listed


def post(served: Served, path: str, status: int = 303, **fields: object) -> str:
    answer = served.browser("olga").send(path, fields, form=f"{path.partition('/phases')[0]}/settings")
    assert answer.status_code == status, answer.text
    return answer.text


def phase_path(served: Served, address: str, name: str = "open") -> str:
    with served.database.read() as session:
        return f"/b/{address}/phases/{session.scalars(select(Phase.id).where(Phase.name == name)).one()}"


def test_a_new_phase_closes_the_one_that_had_no_end(served: Served, phases) -> None:
    address = served.benchmark(opens=NOON - 10)
    post(served, f"/b/{address}/phases", phase="final", opens=f"{DATE}13:00", closes=f"{DATE}14:00")
    assert phases() == {"open": (NOON - 10, NOON + 3600), "final": (NOON + 3600, NOON + 7200)}
    refused = post(served, f"/b/{address}/phases", 400, phase="more", opens=f"{DATE}13:30")
    assert "final is open from 2027-01-15 13:00 UTC until 2027-01-15 14:00 UTC; choose other dates" in refused
    post(served, f"/b/{address}/phases", phase="more", opens=f"{DATE}13:30", overlaps="true")
    assert "more" in phases()


def test_after_the_end_uploads_are_refused_with_the_date_and_the_last_phase_is_shown(served: Served) -> None:
    address = served.benchmark(opens=NOON - 10)
    post(served, f"/b/{address}/phases", phase="final", opens=f"{DATE}13:00", closes=f"{DATE}14:00")
    anna = served.browser("anna")
    served.time = NOON + 3600.0  # type: ignore[attr-defined]
    assert anna.submit(address).status_code == 303
    served.time = NOON + 7200.0  # type: ignore[attr-defined]
    assert "Small takes no more submissions since 2027-01-15 14:00 UTC" in anna.submit(address, system="late").text
    with served.database.read() as session:
        [submission] = session.scalars(select(Submission).where(Submission.phase_id.is_not(None)))
        assert submission.phase.name == "final"
        assert find_default_phase(session.scalar(select(Benchmark))).name == "final"


def test_a_phase_is_changed_and_ended(served: Served, phases) -> None:
    address = served.benchmark(opens=NOON - 10.5, closes=NOON + 100.5)
    path = phase_path(served, address)
    same = {"opens": format_field(NOON - 10.5), "closes": format_field(NOON + 100.5), "ladder": "0"}
    post(served, path, phase="first", per_day="3", **same)
    assert phases() == {"first": (NOON - 10.5, NOON + 100.5)}  # what nobody changed keeps its seconds
    post(served, path, **{**same, "closes": f"{DATE}20:00"})
    assert phases() == {"first": (NOON - 10.5, NOON + 8 * 3600)}
    post(served, f"{path}/end")
    assert phases() == {"first": (NOON - 10.5, NOON)}
    assert "first is closed since 2027-01-15 12:00 UTC" in post(served, f"{path}/end", 400)
    assert "there is no such action" in post(served, f"{path}/forget", 404)


def test_a_phase_without_submissions_is_removed(served: Served, phases) -> None:
    address = served.benchmark(opens=NOON - 10)
    path = phase_path(served, address)
    assert "a benchmark has a phase at least" in post(served, f"{path}/remove", 400)
    post(served, f"/b/{address}/phases", phase="final", opens=f"{DATE}13:00")
    served.browser("anna").submit(address)
    assert "somebody has submitted to open; end it instead" in post(served, f"{path}/remove", 400)
    assert "has submissions, so its Ladder" in post(served, path, 400, entry="team", ladder="0")
    post(served, f"{phase_path(served, address, 'final')}/remove")
    assert list(phases()) == ["open"]


def test_participants_change_no_phase(served: Served, phases) -> None:
    address = served.benchmark(opens=NOON - 10)
    before = phases()
    anna = served.browser("anna")
    for action in ("", "/end", "/remove"):
        assert anna.send(f"{phase_path(served, address)}{action}", {"phase": "mine"}).status_code == 403
    assert phases() == before


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({}, ("team", 2.5)),
        ({"entry": "system"}, ("system", None)),
        ({"ladder": 0.0}, ("system", None)),
        ({"ladder": 3.0}, ("team", 3.0)),
        ({"rule": "last"}, ("system", None)),
        ({"blind": True, "closes": NOON + 9}, ("system", None)),
    ],
)
def test_hidden_references_have_the_ladder_by_default(served: Served, rules, expected) -> None:
    served.benchmark(data=making.small_data(hidden=True), **{"ladder": None, **rules})
    with served.database.read() as session:
        phase = session.scalar(select(Phase))
        assert (phase.entry, phase.ladder) == expected


def test_public_references_have_no_ladder(served: Served) -> None:
    served.benchmark(ladder=None)
    with served.database.read() as session:
        assert session.scalar(select(Phase)).ladder is None


# What hidden references give away. The two outputs of anna differ by less than is shown.


@pytest.fixture
def address(served: Served) -> str:
    """Two systems of one team, each with two submissions: the first one is better by less than is shown."""
    made = served.benchmark(data=making.small_data(hidden=True, decoys=()), opens=NOON - 10, closes=NOON + 100)
    anna = served.browser("anna")
    for system in ("first", "second"):
        for text in (making.GOOD, making.GOOD.replace("apple", "appel")):
            served.time += 1  # type: ignore[attr-defined]
            anna.submit(made, system=system, text=text)
    served.work()
    with served.database.write() as session:
        entries = session.scalars(select(Submission).order_by(Submission.created)).all()
        for place, entry in enumerate(entries):
            for row in session.scalars(select(SystemScore).where(SystemScore.submission_id == entry.id)):
                row.score = 0.69951 if place % 2 else 0.70049
    return made


def test_of_equal_shown_scores_the_last_one_stands(served: Served, address: str) -> None:
    page = served.browser("anna").client.get(f"/api/benchmarks/{address}/leaderboard").json()
    with served.database.read() as session:
        for line in page["lines"]:
            own = session.scalars(select(Submission).where(Submission.system_id == line["system_id"])).all()
            assert line["submission_id"] == max(own, key=lambda one: one.created).id
            assert line["cells"]["gleu"]["score"]["score"] == 0.7


def test_a_paired_test_on_hidden_references_waits_for_the_end(served: Served, address: str) -> None:
    lines = served.browser().client.get(f"/api/benchmarks/{address}/leaderboard").json()["lines"]
    path = f"/b/{address}/systems/{lines[0]['system_id']}/against?other={lines[1]['system_id']}"
    page = served.browser("anna").get(path)
    assert "it is shown when no more submissions are taken" in page
    assert re.findall(r'<td class="number">([^<]*)</td>', page)[:3] == ["0.700", "0.700", "0.000"]
    assert "Paired tests" not in page
    assert "Paired tests" in served.browser("olga").get(path)
    served.time = NOON + 100.0  # type: ignore[attr-defined]
    assert "Paired tests" in served.browser("anna").get(path)


def test_ranks_on_hidden_references_follow_from_what_is_shown(served: Served, address: str) -> None:
    for name in ("", "olga"):
        browser = served.browser(name)
        found = browser.client.get(f"/b/{address}").text
        assert re.findall(r'<td class="rank">(\d)', found) == ["1", "1"]
    lines = served.browser().client.get(f"/api/benchmarks/{address}/leaderboard").json()["lines"]
    for line in lines:
        score = line["cells"]["gleu"]["score"]
        assert line["cells"]["gleu"]["ranks"] == [1, 2]
        margin = round(score["score"] - score["low"], 3)
        assert score["high"] == min(1.0, round(score["score"] + margin, 3))  # it ends where the scale does
        assert round(margin * 100) == pytest.approx(margin * 100)  # one digit less than the score


def test_the_source_that_references_brought_can_be_downloaded(served: Served) -> None:
    m2 = "S He go home .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\nS Fine .\n"
    data = making.VersionData(
        source=None,
        references=(making.UploadedFile(name="gold.m2", content=m2.encode(), hidden=True),),
        metrics="m2",
        decoys=(),
    )
    address = served.benchmark(data=data)
    anna = served.browser("anna")
    assert anna.get(f"/b/{address}/files/source.txt") == "He go home .\nFine .\n"
    assert f"/b/{address}/files/source.txt" in anna.get(f"/b/{address}/submit")
    anna.get(f"/b/{address}/files/gold.m2", 404)
    with served.database.read() as session:
        assert session.scalar(select(User).where(User.name == "olga")) is not None


def test_a_phase_whose_submissions_are_gone_for_good_stays_where_one_climbed_its_ladder(served, settings) -> None:
    address = served.benchmark(data=making.small_data(hidden=True), ladder=2.5)
    page = served.browser("anna").submit(address).headers["location"]
    served.work()
    post(served, f"/b/{address}/phases", phase="two", opens=f"{DATE}18:00")
    assert served.browser("anna").send(f"{page}/delete", {}, form=page).status_code == 303
    served.time += 31 * clock.DAY
    with served.database.write() as session:
        retention.forget(session, settings)
        assert session.scalars(select(Submission).where(Submission.user_id.is_not(None))).all() == []
    first = phase_path(served, address)
    assert "somebody has submitted to open; end it instead" in post(served, f"{first}/remove", 400)
    said = post(served, first, 400, closes=f"{DATE}18:00", rule="best", entry="team", ladder="3")
    assert "its Ladder and what stands for a team cannot change" in said


def test_a_ladder_stays_where_references_are_hidden_no_more(served, settings, phases) -> None:
    """The end of the phase can move, and the Ladder, which nobody may change, is no obstacle."""
    address = served.benchmark(data=making.small_data(hidden=True), ladder=2.5)
    served.browser("anna").submit(address)
    served.work()
    with served.database.write() as session:
        made, olga = session.scalars(select(Benchmark)).one(), session.scalars(select(User).limit(1)).one()
        benchmarks.add_version(session, settings, olga, made, making.small_data())
    rules = {"rule": "best", "entry": "team"}
    first = phase_path(served, address)
    post(served, first, closes=f"{DATE}18:00", ladder="2.5", **rules)
    assert phases()["open"] == (NOON, NOON + 6 * 3600)
    assert "its Ladder" in post(served, first, 400, closes=f"{DATE}18:00", ladder="0", **rules)
    assert "for hidden references" in post(served, first, 400, closes=f"{DATE}18:00", ladder="2", **rules)


@pytest.mark.parametrize("far", ["9999-12-31T23:59-12:00", "0001-01-01T00:00", "1969-12-31"])
@pytest.mark.parametrize("field", ["opens", "closes"])
def test_a_date_that_no_page_can_write_is_refused_at_its_field(served, far: str, field: str) -> None:
    address = served.benchmark()
    olga = served.browser("olga")
    form = f"/b/{address}/settings"
    data = {"csrf": olga.token(form), "phase": "far", field: far}
    answer = olga.client.post(f"/b/{address}/phases", data=data, headers={"accept": "application/json"})
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert "write a date from 1970 to 9999" in answer.json()["error"]
    for path in (form, f"/b/{address}", "/"):
        olga.get(path)


def test_the_last_minute_that_a_page_can_write(served, phases) -> None:
    address = served.benchmark()
    post(served, f"/b/{address}/phases", phase="never", opens="9999-12-31T23:58", closes="9999-12-31T23:59")
    assert "9999-12-31 23:59 UTC" in served.browser("olga").get(f"/b/{address}/settings").replace("T23", " 23") + " UTC"
    assert phases()["never"][1] == clock.LAST_MOMENT - 59


def test_nobody_chooses_once_the_scores_of_a_blind_phase_are_shown(served) -> None:
    address = served.benchmark(rule="chosen", blind=True, closes=NOON + 3600)
    anna = served.browser("anna")
    pages = [anna.submit(address, text=text).headers["location"] for text in (making.GOOD, making.WILD)]
    served.work()
    assert "Choose for the leaderboard" in anna.get(pages[0])
    assert anna.send(f"{pages[1]}/choose", {}, form=pages[1]).status_code == 303
    served.time += 3600
    assert "Choose for the leaderboard" not in anna.get(pages[0])
    refused = anna.send(f"{pages[0]}/choose", {}, form=pages[0])
    assert (refused.status_code, "this phase closed on 2027-01-15 13:00 UTC" in refused.text) == (403, True)
    with served.database.read() as session:
        rows = session.scalars(select(Submission).where(Submission.user_id.is_not(None)).order_by(Submission.file_name))
        assert sorted((row.id in pages[1], row.chosen) for row in rows) == [(False, False), (True, True)]
