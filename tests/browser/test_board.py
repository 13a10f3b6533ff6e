"""A board in a browser: sign up, make a benchmark, upload, see the leaderboard; no request leaves the host.

Every page is looked at wide and phone-narrow, light and dark: nothing is wider than the window, and axe-core finds no
serious fault.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.boards import PASSWORD, REFERENCE, SOURCE, Board, faults, join, log_in, written

HTML = "<b onclick=alert(1)>bold</b>"


def test_from_the_first_link_to_the_leaderboard(board: Board, new_page, tmp_path: Path) -> None:
    written(tmp_path, {"mine": REFERENCE, "bad": "one\n"})
    olga = new_page()
    join(olga, board.link, "olga")
    olga.click("text=New benchmark")
    olga.fill("[name=name]", "Four sentences")
    olga.fill("[name=about]", HTML)
    olga.set_input_files("[name=source]", tmp_path / "src.txt")
    olga.set_input_files("[name=public]", tmp_path / "ref.txt")
    olga.fill("[name=metrics]", "gleu, accuracy")
    olga.click("text=Make the benchmark")
    olga.wait_for_url("**/b/four-sentences")

    anna = new_page()
    anna.goto(f"{board.address}/signup")
    # The keyboard alone: tab through the form, type, press Enter.
    anna.focus("[name=name]")
    anna.keyboard.type("anna")
    anna.keyboard.press("Tab")
    anna.keyboard.type(PASSWORD)
    anna.keyboard.press("Tab")
    anna.keyboard.type("team anna")
    anna.keyboard.press("Enter")
    anna.wait_for_selector("text=Log out")
    anna.goto(f"{board.address}/b/four-sentences/submit")
    anna.set_input_files("[name=file]", tmp_path / "bad.txt")
    anna.click("main >> button.main")
    assert "bad.txt has 1 lines, src.txt 4" in anna.inner_text("[role=alert]")
    anna.fill("[name=system]", "")
    anna.set_input_files("[name=file]", tmp_path / "mine.txt")
    assert anna.input_value("[name=system]") == "mine"
    anna.fill("[name=data]", HTML)
    anna.click("main >> button.main")
    anna.wait_for_selector("#status table")  # htmx asks until it is scored
    assert HTML in anna.inner_text("dl")

    visitor = new_page()
    visitor.goto(f"{board.address}/b/four-sentences")
    row = visitor.locator("tr.system")
    assert row.count() == 1
    assert "1.0000" in row.inner_text()
    assert visitor.locator("tr.decoy").count() == 3
    visitor.focus("tr.system summary >> nth=0")
    visitor.keyboard.press("Enter")
    command = visitor.locator("tr.system .command >> nth=0")
    assert command.inner_text() == "gecval score mine.txt -s src.txt -r ref.txt -m gleu --ci"
    visitor.keyboard.press("Escape")
    assert not command.is_visible()
    visitor.click("th >> text=accuracy")
    assert visitor.get_attribute("th:has-text('accuracy')", "aria-sort") == "descending"


@pytest.mark.parametrize(("width", "dark"), [(1300, False), (380, True)])
def test_every_page_fits_and_can_be_used_by_all(board: Board, new_page, width: int, dark: bool) -> None:
    page = new_page(width=width, dark=dark)
    log_in(page, board.address, "olga")
    there = f"{board.address}/b/four-sentences"
    page.goto(there)
    system = page.get_attribute("tr.system th a", "href").partition("?")[0]
    decoy = page.get_attribute("tr.decoy th a", "href").partition("?")[0].rpartition("/")[2]
    paths = ["/", "/new", "/people", "/audit", "/account", "/b/four-sentences", "/b/four-sentences/settings"]
    paths += ["/b/four-sentences/changes", system, f"{system}/sentences", f"{system}/against?other={decoy}"]
    wrong = []
    for path in paths:
        page.goto(board.address + path)
        wrong += faults(page, width)
    assert wrong == []


@pytest.mark.parametrize(("width", "dark"), [(1300, True), (380, False)])
def test_pages_that_say_more_than_usual(board: Board, new_page, width: int, dark: bool) -> None:
    """What unfolds, what is shown once, what is withdrawn or missing; two phases, one of them blind."""
    olga, anna = (new_page(width=width, dark=dark) for _ in range(2))
    log_in(olga, board.address, "olga")
    log_in(anna, board.address, "anna")
    there, wrong = f"{board.address}/b/four-sentences", []
    anna.goto(f"{board.address}/account")
    anna.click("text=Make a token")
    anna.wait_for_selector("text=shown this once")
    wrong += faults(anna, width)
    anna.click("text=Make a link to this team")
    link = anna.inner_text(".message code")
    olga.goto(link)
    assert "team anna" in olga.inner_text("main")
    wrong += faults(olga, width)

    olga.goto(f"{there}/settings")
    for summary in olga.locator("summary").all():
        summary.click()
    wrong += faults(olga, width)
    if olga.locator("li:has-text(', blind')").count() == 0:
        olga.fill("form[action$=phases] [name=phase]", "second")
        olga.fill("form[action$=phases] [name=closes]", "2099-01-01T00:00")
        olga.check("form[action$=phases] [name=blind]")
        olga.click("text=Add the phase")
        olga.wait_for_selector("li:has-text(', blind')")
    anna.goto(there)  # the last phase that is open
    anna.wait_for_selector("text=This phase is blind")
    wrong += faults(anna, width)

    anna.click(".facts a >> text=open")
    anna.wait_for_selector("tr.system")
    for summary in anna.locator("tr.system summary:visible").all():
        summary.click()
    wrong += faults(anna, width)
    anna.click("tr.system th a")
    anna.click("[aria-label=History] a")
    anna.click("text=Withdraw")
    anna.wait_for_selector(".message:has-text('Withdrawn')")
    wrong += faults(anna, width)
    anna.click("button:has-text('Bring it back')")
    anna.wait_for_selector("button:has-text('Withdraw')")

    # Chromium complains of a page that is missing, and the fixture of every complaint.
    anna.route("**/nothing", lambda route: route.fulfill(response=route.fetch(), status=200))
    anna.goto(f"{board.address}/b/nothing")
    assert "there is no such benchmark" in anna.inner_text("main")
    wrong += faults(anna, width)
    assert wrong == []


def test_a_refused_form_loses_nothing_and_says_where(board: Board, new_page, tmp_path: Path) -> None:
    """Three steps; the error stands beside its field, and the step of the field is shown; files stay chosen."""
    written(tmp_path, {})
    olga = new_page(width=380)
    olga.goto(f"{board.address}/new")  # logged out: to the log-in and back
    olga.fill("[name=name]", "olga")
    olga.fill("[name=password]", PASSWORD)
    olga.click("main >> button.main")
    olga.wait_for_url("**/new")
    olga.fill("[name=name]", "Three steps")
    olga.set_input_files("[name=source]", tmp_path / "src.txt")
    olga.set_input_files("[name=hidden]", tmp_path / "ref.txt")
    olga.fill("[name=metrics]", "glue")
    assert not olga.locator("[name=blind]").is_visible()
    olga.click("text=Next: What is hidden")
    olga.check("[name=blind]")
    olga.click("text=Next: Dates and limits")
    assert not olga.locator("text=Next:").is_visible()
    olga.click("text=Make the benchmark")
    olga.wait_for_selector("label:has([name=metrics]) + .error:has-text('did you mean gleu')")
    assert olga.locator("[name=metrics]").is_visible()
    assert olga.get_attribute("[name=metrics]", "aria-invalid") == "true"
    olga.fill("[name=metrics]", "gleu")
    olga.click("text=Make the benchmark")
    olga.wait_for_selector("label:has([name=closes]) + .error:has-text('needs a date')")
    assert olga.locator(".error").count() == 1
    assert faults(olga, 380) == []
    olga.fill("[name=closes]", "2099-01-01T00:00")
    olga.click("text=Make the benchmark")
    olga.wait_for_url("**/b/three-steps")
    assert "ref.txt reference, hidden" in olga.inner_text(".files")
    olga.goto(f"{board.address}/b/three-steps/settings")
    assert ", blind" in olga.inner_text("main")


def test_fifteen_systems_fit_on_three_screens_of_a_phone_and_tables_sort(board: Board, new_page) -> None:
    from sqlalchemy import select

    from gecval.board import benchmarks, submissions
    from gecval.board.accounts import list_teams
    from gecval.board.benchmark_data import UploadedFile, VersionData
    from gecval.board.database.models import User
    from gecval.board.settings import Settings

    data = VersionData(
        source=UploadedFile(name="src.txt", content=SOURCE.encode()),
        references=[UploadedFile(name="ref.txt", content=REFERENCE.encode())],
        metrics="gleu, accuracy",
    )
    with board.database.write() as session:
        olga, anna = (session.scalar(select(User).where(User.name == name)) for name in ("olga", "anna"))
        made = benchmarks.make_benchmark(session, Settings(), olga, name="Fifteen", about="Of **four**.", data=data)
        session.flush()
        session.refresh(made)
        for number in range(15):
            text = REFERENCE.replace("home", f"home{number}")
            submissions.submit(
                session,
                made,
                list_teams(session, anna)[0].id,
                anna,
                system=f"system {number:02}",
                name="x.txt",
                content=text.encode(),
            )
    page = new_page(width=390)
    page.set_viewport_size({"width": 390, "height": 844})
    for _ in range(600):
        page.goto(f"{board.address}/b/fifteen")
        if "waiting" not in page.inner_text(".facts"):
            break
        page.wait_for_timeout(200)
    assert page.locator("tr.system").count() == 15
    table = page.locator("table.leaderboard").bounding_box()
    assert table["y"] + table["height"] <= 3 * 844
    assert page.locator("tr.system .point").first.is_visible()
    assert page.locator("thead .plot text").count() >= 2
    assert not page.locator("tr.system td.number:not(.sorted)").first.is_visible()
    page.click("thead >> text=accuracy")
    page.wait_for_selector("th[aria-sort]:has-text('accuracy')")

    log_in(page, board.address, "anna")
    page.goto(f"{board.address}/submissions")
    for order in ("ascending", "descending"):
        page.click("thead >> text=System")
        assert page.get_attribute("th:has-text('System')", "aria-sort") == order
        names = page.locator("tbody th a").all_inner_texts()
        assert names == sorted(names, reverse=order == "descending")
    page.click("thead >> text=Score")
    scores = [float(text[:6]) for text in page.locator("td[data-label=Score]").all_inner_texts() if text.strip()]
    assert scores == sorted(scores, reverse=True)


def test_a_snapshot_opens_from_a_folder(board: Board, browser, tmp_path: Path) -> None:
    """No server, no network, no script: numbers unfold, columns sort, links lead to files."""
    from gecval.board.settings import Settings
    from gecval.board.snapshot import take_snapshot

    take_snapshot(board.database, Settings(data=tmp_path), tmp_path / "site")
    context = browser.new_context(viewport={"width": 380, "height": 900}, offline=True)
    page, complaints = context.new_page(), []
    page.on("console", lambda said: complaints.append(said.text))
    page.on("requestfailed", lambda asked: complaints.append(asked.url))
    page.on("request", lambda asked: asked.url.startswith("file:") or complaints.append(asked.url))
    page.goto((tmp_path / "site" / "index.html").as_uri())
    page.click("text=Four sentences")
    if page.locator("text=This phase is blind").count():  # as another test leaves it
        page.click(".facts a >> text=open")
    page.click("th >> text=accuracy")
    page.wait_for_selector("th[aria-sort]:has-text('accuracy')")
    page.click("tr.system .sorted summary >> nth=0")
    assert page.locator("tr.system .sorted .command >> nth=0").is_visible()
    sorted_board = page.url
    page.click("tr.system th a")
    page.wait_for_selector("h1:has-text('mine')")
    assert page.locator("form, script").count() == 0
    assert complaints == []
    wrong = faults(page, 380)  # last: it asks for the styles in ways that files do not allow
    page.goto(sorted_board)
    wrong += faults(page, 380)
    context.close()
    assert wrong == []
