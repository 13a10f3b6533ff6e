"""A board without a mouse: sign up, make a benchmark, upload, read, judge, withdraw and undo, by keys alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.boards import PASSWORD, REFERENCE, Board, written
from browser.keyboard import Keyboard

OUTPUTS = {"careful": REFERENCE, "wild": "They went away .\nShe likes apples .\nFine .\nI has two dog .\n"}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("files"), OUTPUTS)


def test_a_board_by_keys_alone(board: Board, new_page, files: Path) -> None:
    page = new_page()
    keys = Keyboard(page)
    page.goto(board.link)
    stop = keys.tab()
    assert stop is not None
    assert "Skip to the content" in stop["html"]
    keys.press("Enter")
    keys.to("[name=name]")  # the next stop behind the head of the page
    keys.type("olga")
    keys.press("Tab")
    keys.type(PASSWORD)
    keys.press("Tab")
    keys.type("lab")
    keys.press("Enter")
    page.wait_for_selector("text=Log out")

    make_benchmark(keys, files)
    for name in OUTPUTS:
        submit(keys, files / f"{name}.txt")
        keys.walk()
        keys.to("#status summary")
        keys.press("Enter")
        assert page.locator("#status .signature").first.is_visible()
        keys.to("#status p > a")
        keys.press("Enter")
        page.wait_for_url("**/b/four-sentences")
    read_leaderboard(keys)
    judge(keys)
    withdraw_and_undo(keys)


def make_benchmark(keys: Keyboard, files: Path) -> None:
    keys.to("a[href='/new']")
    keys.press("Enter")
    keys.page.wait_for_url("**/new")
    assert keys.walk() > 20
    keys.to("[name=name]")
    keys.type("Four sentences")
    keys.to("[name=source]")
    keys.choose_file(files / "src.txt")
    keys.to("[name=public]")
    keys.choose_file(files / "ref.txt")
    keys.to("[name=metrics]")
    keys.press("Control+a")
    keys.type("gleu, accuracy")
    keys.to(".buttons > [type=button]")
    keys.press("Enter")  # the second step
    keys.to("[name=visibility]")
    keys.press("End")  # the last of the list; then back
    assert keys.page.input_value("[name=visibility]") == "private"
    keys.press("Home")
    keys.to("button.main")
    keys.press("Space")
    keys.page.wait_for_url("**/b/four-sentences")


def submit(keys: Keyboard, path: Path) -> None:
    keys.to("a.main")
    keys.press("Enter")
    keys.page.wait_for_url("**/submit")
    keys.to("[name=file]")
    keys.choose_file(path)
    keys.to("[name=system]")
    assert keys.page.input_value("[name=system]") == path.stem
    keys.to("[name=seen]")
    keys.type("no")
    keys.to("button.main")
    keys.press("Enter")
    keys.page.wait_for_selector("#status table")


def read_leaderboard(keys: Keyboard) -> None:
    page = keys.page
    page.reload()
    assert page.locator("tr.system").count() == 2
    assert keys.walk() > 15
    keys.to("th a[href*='sort=accuracy']")
    keys.press("Enter")
    page.wait_for_selector("th[aria-sort]:has-text('accuracy')")
    keys.to("tr.system summary")
    keys.press("Space")
    command = page.locator("tr.system .command").first
    assert command.is_visible()
    keys.press("Escape")
    assert not command.is_visible()
    assert page.evaluate("document.activeElement.matches('tr.system summary')")  # the focus is where it was
    page.reload()
    keys.to("tr.system th a")
    keys.press("Enter")
    page.wait_for_selector("h1:has-text('careful')")
    keys.walk()
    keys.to("form[action$=against] select")
    keys.type("wild")
    keys.to("form[action$=against] button")
    keys.press("Enter")
    page.wait_for_selector("h1:has-text('against')")
    assert "wild" in page.inner_text("h1")


def judge(keys: Keyboard) -> None:
    page = keys.page
    keys.to(".trail a")
    keys.press("Enter")
    keys.to("a[href$=campaigns]:not(nav a)")
    keys.press("Enter")
    keys.to("[name=name]")
    keys.type("Which is best?")
    keys.to("[name=judges]")
    keys.press("Space")
    keys.to("button.main")
    keys.press("Enter")
    page.wait_for_selector("text=nobody has ranked anything yet")
    keys.to("nav a[href='/campaigns']")
    keys.press("Enter")
    keys.to("main h2 a")
    keys.press("Enter")
    page.wait_for_selector("text=0 sentences ranked")
    keys.to("button.main")  # begin
    keys.press("Enter")
    page.wait_for_selector("[data-output]")
    count = page.locator("[data-output]").count()
    keys.walk()
    # The button that shows the edits: by its own letter, by Space, by Enter.
    shown = page.locator("del").first
    keys.to("[data-edits]")
    for key, marked in (("e", True), ("Space", False), ("Enter", True)):
        keys.press(key)
        assert page.get_attribute("[data-edits]", "aria-pressed") == str(marked).lower()
        assert shown.is_visible() == marked
    page.reload()
    # First by the radio buttons alone: the mark follows the focus, and the focus the digits.
    keys.to("[data-output] input")
    keys.press("2")
    assert page.evaluate("document.activeElement.name") == "rank1"
    assert page.locator("[data-output].current input:focus").count() == 1
    keys.press("Space")
    assert page.locator("input:checked").evaluate_all("nodes => nodes.map(node => node.name + node.value)")[:2] == [
        "rank02",
        "rank11",
    ]
    # The rank of an output that has one gets the focus, so that Space does not change it.
    keys.press("2")
    page.evaluate("document.querySelector('[name=rank0]:checked').focus()")
    keys.press("2")
    assert page.evaluate("document.activeElement.name + document.activeElement.value") == "rank12"
    keys.press("ArrowUp")
    assert page.evaluate("document.activeElement.name + document.activeElement.value") == "rank11"
    for _ in range(count - 2):
        keys.press("Tab", "Space")
    keys.press("Enter")
    # Then by digits.
    for done in (1, 2):
        page.wait_for_selector(f"text=/^{done} sentences? ranked/")
        for number in range(page.locator("[data-output]").count()):
            keys.press(str(1 + number))
        keys.press("Enter")
    page.wait_for_selector("text=You have seen every sentence")


def withdraw_and_undo(keys: Keyboard) -> None:
    page = keys.page
    keys.to(".brand")
    keys.press("Enter")
    keys.to("main h3 a")
    keys.press("Enter")
    keys.to(f"""a[href="{page.get_attribute("tr.system:has-text('wild') th a", "href")}"]""")
    keys.press("Enter")
    page.wait_for_selector("h1:has-text('wild')")
    keys.to("[aria-label=History] a")
    keys.press("Enter")
    keys.to("form[action$=withdraw] button")
    keys.press("Enter")
    page.wait_for_selector(".message:has-text('Withdrawn')")
    keys.walk()
    keys.to("form[action$=undo] button")
    keys.press("Enter")
    page.wait_for_selector("form[action$=withdraw] button")
    assert page.locator(".message").count() == 0
