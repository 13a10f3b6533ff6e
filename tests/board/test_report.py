"""The report page of a system: made beside the board, kept, and shown to those alone who may see the references."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest
from sqlalchemy import select

from board import making
from board.serving import Browser, Served
from gecval.board import queue, system_report, systems
from gecval.board.database.models import Job, Submission, System, SystemScore, Version
from gecval.board.errors import BusyError, FailedError, NotFoundError
from gecval.board.system_report import MAX_BYTES, MAX_PAGES, MAX_WAITING, Reports
from gecval.studies.verify.study import verify


@pytest.fixture
def served(database, settings) -> Served:
    return Served(database, settings)


def ids_of(served: Served) -> dict[str, str]:
    with served.database.read() as session:
        return {row.name: row.id for row in session.scalars(select(System))}


def opened(browser: Browser, path: str):
    """The report, when it is made."""
    deadline = time.monotonic() + 600  # only a report that is never made takes so long
    while "is being made" in (answer := browser.client.get(path)).text:
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; ")
        assert time.monotonic() < deadline
        time.sleep(0.2)
    return answer


@pytest.mark.slow
def test_a_report_is_made_and_runs_its_own_scripts_alone(served) -> None:
    address = served.benchmark()
    anna = served.browser("anna")
    anna.submit(address, system="mine")
    anna.submit(address, system="wild", text=making.WILD, name="wild.txt")
    served.work()
    ids = ids_of(served)
    visitor = served.browser()
    page = visitor.get(f"/b/{address}/systems/{ids['mine']}")
    assert f'action="/b/{address}/systems/{ids["mine"]}/report"' in page
    answer = opened(visitor, f"/b/{address}/systems/{ids['mine']}/report?other={ids['wild']}")
    assert "<title>mine – Small</title>" in answer.text
    assert f'<a class="home" href="/b/{address}/systems/{ids["mine"]}?version=1">mine on the board</a>' in answer.text
    policy = answer.headers["content-security-policy"]
    assert policy.endswith("; frame-ancestors 'none'; sandbox allow-scripts")
    assert "unsafe" not in policy
    scripts = re.findall(r"<script(?: id=\"gecval-engine\")?>(.*?)</script>", answer.text, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    assert f"; script-src 'sha256-{hashes[0]}' 'sha256-{hashes[1]}'; " in policy
    state = visitor.client.get(f"/b/{address}/systems/{ids['mine']}/report/state?other={ids['wild']}")
    assert state.status_code == 200
    assert state.headers["hx-redirect"] == f"/b/{address}/systems/{ids['mine']}/report?version=1&other={ids['wild']}"
    assert "choose another" in visitor.get(f"/b/{address}/systems/{ids['mine']}/report?other={ids['mine']}", 400)
    visitor.get(f"/b/{address}/systems/{ids['(reference)']}/report", 404)
    served.app.state.reports.close()


def test_who_waits_for_a_report_hears_of_it_once(served, monkeypatch) -> None:
    """htmx asks on while it gets 204; a failure ends that, else the report would be tried for ever."""
    address = served.benchmark()
    served.browser("anna").submit(address)
    served.work()
    place = f"/b/{address}/systems/{ids_of(served)['mine']}/report"
    visitor = served.browser()
    said: dict[str, object] = {"page": None}

    def asked(version_id, submission_ids, scoring):
        if isinstance(said["page"], Exception):
            raise said["page"]
        return said["page"]

    monkeypatch.setattr(served.app.state.reports, "page", asked)
    waiting = visitor.get(place)
    assert f'hx-get="{place}/state?version=1" hx-trigger="every 1000ms"' in waiting
    assert visitor.client.get(f"{place}/state").status_code == 204
    said["page"] = FailedError("it broke")
    for path, status in ((place, 500), (f"{place}/state", 200)):
        broken = visitor.get(path, status)
        assert '<p class="error" role="alert">it broke</p>' in broken
        assert "hx-get" not in broken
        assert f'<a href="{place}?version=1">Try again</a>' in broken
    said["page"] = BusyError("many")
    visitor.get(f"{place}/state", 503)


def test_hidden_references_have_no_report(served) -> None:
    address = served.benchmark(data=making.small_data(hidden=True))
    anna = served.browser("anna")
    anna.submit(address)
    served.work()
    place = f"/b/{address}/systems/{ids_of(served)['mine']}"
    for browser in (served.browser(), anna):
        browser.get(f"{place}/report", 404)
        browser.get(f"{place}/report/state", 404)
        assert "Explore" not in browser.get(place)
    assert "Its output can be read when the phase is over." in served.browser().get(place)
    assert "Look at its sentences" in anna.get(place)
    olga = served.browser("olga")
    assert "Explore its sentences" in olga.get(place)
    assert "is being made" in olga.get(f"{place}/report")
    served.app.state.reports.close()


def test_a_report_has_the_numbers_of_the_board(served, monkeypatch) -> None:
    """The kept statistics are taken: nothing is scored again."""
    address = served.benchmark()
    anna, ben = served.browser("anna"), served.browser("ben")
    anna.submit(address, system="mine")
    ben.submit(address, system="mine", text=making.WILD)
    served.work()
    seen = []
    monkeypatch.setattr(system_report, "page", lambda overview, **more: seen.append((overview, more)) or "page")
    monkeypatch.setattr("gecval.metrics.gleu.GLEU.statistics", lambda *_, **__: pytest.fail("scored again"))
    with served.database.read() as session:
        version = session.scalar(select(Version))
        rows = session.scalars(select(Submission).where(Submission.version_id.is_(None)).order_by(Submission.created))
        rows = list(rows)
        system_report.report_page(session, version, rows)
        kept = system_report.load_scores(session, version)
        [(overview, more)] = seen
        names = ("mine (team anna)", "mine (team ben)")
        assert set(overview.systems) == set(names)
        for score in overview.scores:
            row = kept[rows[names.index(score.system)].id][score.metric]
            assert (score.score, score.interval.low, score.interval.high) == (row.score, row.low, row.high)
            assert score.signature == row.signature
        assert overview.commands[0].startswith(
            "gecval score 1-mine.txt 2-mine.txt -s src.txt -r ref0.txt -r ref1.txt -m gleu"
        )
        assert more["title"] == "mine – Small"


def test_reports_wait_for_each_other_and_few_are_kept(monkeypatch) -> None:
    made = []
    kept = Reports("sqlite:///nowhere")
    monkeypatch.setattr(kept, "_make", lambda key: made.append(key) or repr(key).encode())
    for number in range(MAX_PAGES + 3):
        while kept.page("v", [str(number)]) is None:
            time.sleep(0.001)
    assert kept.page("v", ["18"]) == b"('v', '18')"
    assert kept.page("v", ["3"]) == b"('v', '3')"
    assert len(made) == MAX_PAGES + 3
    assert kept.page("v", ["0"]) is None or len(made) == MAX_PAGES + 4  # it was forgotten
    kept.close()


def test_large_reports_are_not_kept_long(monkeypatch) -> None:
    made = []
    kept = Reports("sqlite:///nowhere")
    monkeypatch.setattr(system_report, "MAX_BYTES", 25)
    monkeypatch.setattr(kept, "_make", lambda key: made.append(key[1]) or 10 * b"x")
    for name in ("a", "b", "c", "d", "c", "b", "a"):  # three pages are too large together; a fourth is being made then
        while kept.page("v", [name]) is None:
            time.sleep(0.001)
    assert made == ["a", "b", "c", "d", "a"]
    kept.close()


def test_too_many_reports_at_once_are_refused(monkeypatch) -> None:
    go = threading.Event()
    kept = Reports("sqlite:///nowhere")
    monkeypatch.setattr(kept, "_make", lambda key: go.wait(60) and b"page")
    try:
        for number in range(8):
            assert kept.page("v", [str(number)]) is None
        assert kept.page("v", ["0"]) is None  # it waits already
        with pytest.raises(BusyError, match="try again in a minute") as refused:
            kept.page("v", ["one more"])
    finally:
        go.set()
        kept.close()
    assert refused.value.status == 503


def waited_for(kept: Reports, name: str = "s") -> bytes:
    """A page as soon as it is there. It may fail before anybody waits."""
    while (page := kept.page("v", [name])) is None:
        kept._pages["v", name, ""].exception(60)
    return page


def test_a_report_that_fails_says_so_and_can_be_asked_for_again(monkeypatch) -> None:
    monkeypatch.setattr(sys, "executable", "false")  # the program that fails
    kept = Reports("sqlite:///nowhere")
    made = []
    make = kept._make
    monkeypatch.setattr(kept, "_make", lambda key: (made.append(key), make(key)))
    for tries in (1, 2):
        with pytest.raises(FailedError, match="could not be made; the reason is in the board's log"):
            waited_for(kept)
        assert len(made) == tries
    with pytest.raises(FailedError):
        waited_for(kept, "other")
    kept.close()


def test_the_end_of_the_board_ends_a_report(monkeypatch) -> None:
    started = []
    popen = subprocess.Popen

    def sleeping(command, **options):
        started.append(popen(["sleep", "600"], stdout=options["stdout"], stderr=options["stderr"]))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", sleeping)
    kept = Reports("sqlite:///nowhere")
    assert kept.page("v", ["s"]) is None
    while not started:
        time.sleep(0.01)
    kept.close()
    assert started[0].wait(30) == -9


def test_the_passport_of_a_system_is_verified(served, tmp_path, monkeypatch) -> None:
    address = served.benchmark()
    served.browser("anna").submit(address, system="mine; drop")
    served.work()
    ids = ids_of(served)
    visitor = served.browser()
    place = f"/b/{address}/systems/{ids['mine; drop']}"
    assert f'href="{place}/passport?version=1"' in visitor.get(place)
    answer = visitor.client.get(f"{place}/passport")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="mine__drop.passport"'
    path = tmp_path / "mine.passport"
    path.write_bytes(answer.content)
    verified = verify(path)
    assert verified.same is True
    with served.database.read() as session:
        rows = session.scalars(select(SystemScore).join(Submission).where(Submission.version_id.is_(None))).all()
        kept = {(row.metric, row.score, row.low, row.high, row.signature) for row in rows}
    assert {(row.metric, row.score, *row.interval, row.signature) for row in verified.scores} == kept
    assert {row.system for row in verified.scores} == {"mine; drop"}
    visitor.get(f"/b/{address}/systems/{ids['(reference)']}/passport", 404)
    monkeypatch.setattr(systems, "_make_lines", lambda *_: pytest.fail("made again"))
    assert visitor.client.get(f"{place}/passport").content == answer.content


def test_scores_of_two_gecvals_have_no_passport(monkeypatch) -> None:
    rows = {name: SimpleNamespace(job_id=f"gecval {name}") for name in ("1", "2")}
    monkeypatch.setattr(systems, "load_scores", lambda session, version, of: {"id": rows})
    session = SimpleNamespace(get_one=lambda kind, name: SimpleNamespace(software=name))
    with pytest.raises(NotFoundError, match="two versions of gecval made these scores"):
        systems._make_lines(session, None, SimpleNamespace(id="id"))


def test_scores_of_another_gecval_make_a_new_passport_and_report(served, monkeypatch) -> None:
    address = served.benchmark(data=making.small_data(decoys=()))
    served.browser("anna").submit(address)
    served.work()
    with served.database.write() as session:
        session.execute(Job.__table__.update().values(software="0.0.7"))
        assert queue.queue_rescoring(session) == 1
    place = f"/b/{address}/systems/{ids_of(served)['mine']}"
    visitor, made = served.browser(), []
    monkeypatch.setattr(served.app.state.reports, "_make", lambda key: made.append(key) or b"page")
    assert "0.0.7" in visitor.get(f"{place}/passport")
    assert opened(visitor, f"{place}/report").text == "page"
    served.work()
    assert "0.0.7" not in visitor.get(f"{place}/passport")
    assert opened(visitor, f"{place}/report").text == "page"
    assert len(made) == 2
    assert made[0] == made[1]


def test_hidden_references_have_no_passport(served) -> None:
    address = served.benchmark(data=making.small_data(hidden=True))
    served.browser("anna").submit(address)
    served.work()
    place = f"/b/{address}/systems/{ids_of(served)['mine']}"
    for browser in (served.browser(), served.browser("anna")):
        assert "passport" not in browser.get(place)
        browser.get(f"{place}/passport", 404)
    served.browser("olga").get(f"{place}/passport")


def ended(status: int, said: bytes = b"", *, slow: bool = False):
    """A process that has made a page, or has failed, or takes too long."""
    did = []

    def wait(timeout: float) -> tuple[bytes, bytes]:
        did.append(timeout)
        if slow:
            raise subprocess.TimeoutExpired("report", timeout)
        return b"page", said

    process = SimpleNamespace(returncode=status, communicate=wait, kill=lambda: did.append("kill"), poll=lambda: status)
    return process, did


class Process:
    def __init__(self, given: SimpleNamespace) -> None:
        self.given = given

    def __enter__(self) -> SimpleNamespace:
        return self.given

    def __exit__(self, *_: object) -> None: ...


def test_the_process_of_a_report(monkeypatch, caplog) -> None:
    commands = []
    kept = Reports("sqlite:///there")
    process, did = ended(0)
    monkeypatch.setattr(
        subprocess, "Popen", lambda command, **more: commands.append((command, more)) or Process(process)
    )
    assert kept._make(("v", "s", "t")) == b"page"
    [(command, more)] = commands
    assert command[1:] == ["-m", "gecval.board.system_report", "v", "s", "t"]
    assert more["env"]["GECVAL_DATABASE"] == "sqlite:///there"
    assert did == [600]
    process, did = ended(1, b"x" + b"y" * 1999 + b"\xff")
    with pytest.raises(FailedError, match="the reason is in the board's log"):
        kept._make(("v", "s"))
    [record] = [record for record in caplog.records if record.name.startswith("gecval.board")]
    assert (record.message, record.said) == ("no report", "y" * 1999 + "\ufffd")
    process, did = ended(0, slow=True)
    with pytest.raises(FailedError, match=r"^the report took too long, and was given up$"):
        kept._make(("v", "s"))
    assert did == [600, "kill"]
    kept.close()  # the last process has ended
    assert did == [600, "kill"]
    process, did = ended(0)
    kept._make(("v", "s"))
    assert did == ["kill", 600]  # it began when the board was being closed
    assert (MAX_PAGES, MAX_BYTES, MAX_WAITING) == (16, 200_000_000, 8)


def test_the_process_prints_a_report_or_says_why_not(served, monkeypatch, capsysbinary) -> None:
    address = served.benchmark(data=making.small_data(decoys=()))
    served.browser("anna").submit(address)
    with served.database.read() as session:
        ids = [session.scalars(select(Version.id)).one(), session.scalars(select(Submission.id)).one()]
    priorities: list[int] = []
    monkeypatch.setattr(os, "nice", priorities.append)
    monkeypatch.setattr(sys, "argv", ["report", *ids])
    monkeypatch.setenv("GECVAL_DATABASE", served.database.engine.url.render_as_string(hide_password=False))
    with pytest.raises(SystemExit, match=r"^there are no scores yet$"):
        system_report.main()
    monkeypatch.setattr(system_report, "page", lambda *_, **__: "half a pair \ud800é")
    served.work()
    system_report.main()
    assert capsysbinary.readouterr().out == "half a pair \ud800é".encode("utf-8", "surrogatepass")
    assert priorities == [10, 10]
