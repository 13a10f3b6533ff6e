"""People on a board, in a browser: invited, they submit and rank outputs; then the whole board moves to another one.

The report page of a system has an origin of its own; it works there, and gets at nothing of the board.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.boards import WAIT, Board, faults, join, log_in, other_database, written

OUTPUTS = {
    "careful": "He goes home .\nShe likes apple .\nFine .\nI have two cat .\n",
    "wild": "They went .\nShe like apples !\nFine .\nI has dog .\n",
    "quiet": "He go home .\nShe like apple .\nFine .\nI has two cats .\n",
}
LONG = "quiet" + 75 * "x"
PLACE = "/b/four-sentences"


def invited(olga, board: Board, role: str) -> str:
    olga.goto(f"{board.address}/people")
    olga.select_option("[name=role]", role)
    olga.click("text=Make a link")
    return olga.inner_text(".message code")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("files"), OUTPUTS)


def test_invited_people_submit(board: Board, new_page, files: Path) -> None:
    olga = new_page()
    join(olga, board.link, "olga")
    olga.click("text=New benchmark")
    olga.fill("[name=name]", "Four sentences")
    olga.set_input_files("[name=source]", files / "src.txt")
    olga.set_input_files("[name=public]", files / "ref.txt")
    olga.fill("[name=metrics]", "gleu, accuracy")
    olga.click("text=Make the benchmark")
    olga.wait_for_url(f"**{PLACE}")
    for name in OUTPUTS:
        person = new_page()
        link = invited(olga, board, "participant")
        assert link.startswith(f"{board.address}/join/")
        join(person, link, f"of {name}", team=f"team {name}")
        person.goto(board.address + PLACE)
        person.click("main >> text=Submit")
        person.set_input_files("[name=file]", files / f"{name}.txt")
        assert person.input_value("[name=system]") == name
        if name == "quiet":
            person.fill("[name=system]", LONG)
        person.select_option("[name=seen]", "no")
        person.click("main >> button.main")
        person.wait_for_selector("#status table")
        person.click("text=To the leaderboard")
        assert name in person.inner_text("table.leaderboard")
    for name in ("ada", "bao"):
        judge = new_page()
        join(judge, invited(olga, board, "judge"), name)
        assert judge.locator("text=New benchmark").count() == 0
    olga.goto(f"{board.address}/people")
    assert olga.locator("tbody tr").count() == 6


def test_two_judges_rank_by_mouse_and_by_keys(board: Board, new_page) -> None:
    olga = new_page()
    log_in(olga, board.address, "olga")
    olga.goto(f"{board.address}{PLACE}/campaigns")
    olga.fill("[name=name]", "Which is best?")
    for name in ("ada", "bao"):
        olga.check(f"label:has-text('{name}') input")
    olga.click("text=Make the campaign")
    olga.wait_for_selector("text=nobody has ranked anything yet")
    campaign = olga.url

    ada = new_page(width=380)
    log_in(ada, board.address, "ada")
    ada.click("nav >> text=Judge")
    ada.click("main >> text=Which is best?")
    ada.click("text=Begin")
    ada.wait_for_selector("[data-output]")
    assert faults(ada, 380) == []
    for done in range(3):  # on the sentence "Fine ." no outputs differ
        ada.wait_for_selector(f"text=/^{done} sentences? ranked/")
        outputs = ada.locator("[data-output]")
        # Blind: no name of a system or team anywhere.
        assert not any(name in ada.inner_text("main") for name in ("careful", "wild", "quiet", "team"))
        for number in range(outputs.count()):
            outputs.nth(number).locator("label").nth(min(number, 1)).click()
        ada.click("main >> button.main")
    ada.wait_for_selector("text=You have seen every sentence")
    assert faults(ada, 380) == []

    bao = new_page(dark=True)
    log_in(bao, board.address, "bao")
    bao.goto(f"{board.address}/campaigns")
    bao.focus("main a")
    bao.keyboard.press("Enter")
    bao.focus("main button")
    bao.keyboard.press("Enter")
    bao.wait_for_selector("[data-output]")
    for done in range(3):
        bao.wait_for_selector(f"text=/^{done} sentences? ranked/")
        if done == 0:
            assert faults(bao, 1300) == []
            assert not bao.locator("del").first.is_visible()
            bao.keyboard.press("e")
            assert bao.locator("del").first.is_visible()
        for number in range(bao.locator("[data-output]").count()):
            bao.keyboard.press(str(1 + number))
        assert bao.locator("input:checked").count() == bao.locator("[data-output]").count()
        bao.keyboard.press("Enter")
    bao.wait_for_selector("text=You have seen every sentence")

    olga.goto(campaign)
    assert "6 rankings of 3 sentences by 2 judges" in olga.inner_text("main")
    assert olga.locator("table.standings").count() == 2  # Expected Wins, TrueSkill
    assert "κ between judges" in olga.inner_text("main")
    visitor = new_page()
    assert visitor.request.get(campaign).status == 404  # open: for organisers alone
    olga.click("text=Close it and show the results")
    olga.wait_for_selector("text=Open it again")
    visitor.goto(board.address + PLACE)
    visitor.click("main >> text=Which is best?")
    assert visitor.url == campaign
    kinds = {}
    for kind, link in (("xml", "XML"), ("jsonl", "JSON Lines"), ("csv", "CSV")):
        with visitor.expect_download() as download:
            visitor.click(f"a:text-is('{link}')")
        kinds[kind] = Path(download.value.path()).read_text("utf-8")
    assert kinds["jsonl"].count("\n") == 6
    assert kinds["xml"].count("<ranking-item ") == 6
    assert "judge1" in kinds["csv"]


def test_the_report_has_an_origin_of_its_own(board: Board, new_page) -> None:
    page = new_page()
    page.goto(board.address + PLACE)
    page.click("main >> text=careful")
    page.select_option("form[action$=report] [name=other]", label="wild (team wild)")
    page.click("text=Explore its sentences")
    page.wait_for_selector("html[data-ready]", timeout=5 * WAIT)  # htmx opens it when it is made
    assert page.evaluate("self.origin") == "null"
    assert set(page.evaluate("gecval.data.systems")) == {"careful", "wild"}
    page.fill("[type=search], #controls input[type=text]", "apple")
    page.wait_for_selector("text=1 of 4 sentences")
    assert faults(page, 1300) == []
    with pytest.raises(Exception, match="SecurityError"):
        page.evaluate("document.cookie")
    page.click("text=careful on the board")
    page.wait_for_selector("h1:has-text('careful')")
    assert page.evaluate("self.origin") == board.address


@pytest.mark.parametrize(("width", "dark"), [(1300, True), (380, False)])
def test_what_people_see_fits_and_can_be_used_by_all(board: Board, new_page, width: int, dark: bool) -> None:
    olga = new_page(width=width, dark=dark)
    visitor = new_page(width=width, dark=dark)
    wrong = []
    for path in ("/login", "/signup"):
        visitor.goto(board.address + path)
        wrong += faults(visitor, width)
    log_in(olga, board.address, "olga")
    visitor.goto(invited(olga, board, "participant"))
    wrong += faults(olga, width) + faults(visitor, width)
    visitor.goto(board.address + PLACE)
    visitor.click("main >> text=Which is best?")
    wrong += faults(visitor, width)
    for system in ("careful", LONG):  # a long name is in a heading, or in a list to choose from
        visitor.goto(board.address + PLACE)
        visitor.click(f"main >> text={system}")
        visitor.wait_for_selector(f"h1:has-text('{system}')")
        wrong += faults(visitor, width)
    visitor.click("[aria-label=History] a")
    visitor.wait_for_selector("text=Fact sheet")
    wrong += faults(visitor, width)
    visitor.goto(board.address + PLACE)
    system = visitor.get_attribute("tr.system th a", "href").partition("?")[0]
    visitor.goto(f"{board.address}{system}/report?other={system.rpartition('/')[2]}")
    assert "choose another system" in visitor.inner_text("[role=alert]")
    wrong += faults(visitor, width)
    for path in (f"{PLACE}/campaigns", f"{PLACE}/submit", "/campaigns"):
        olga.goto(board.address + path)
        wrong += faults(olga, width)
    assert wrong == []


def test_a_board_moves_to_another_database(board: Board, new_page, tmp_path: Path) -> None:
    from gecval.board.export_import import export_board

    visitor = new_page()

    def seen(address: str) -> list[str]:
        visitor.goto(address + PLACE)
        table = visitor.inner_text("table.leaderboard")
        visitor.click("main >> text=Which is best?")
        return [table, *visitor.locator("table").all_inner_texts()]

    export_board(board.database, tmp_path / "all.zip", secrets=True)
    with other_database(tmp_path) as url:
        other = Board(tmp_path / "other", url=url, archive=tmp_path / "all.zip")
        assert seen(other.address) == seen(board.address)
        olga = new_page()
        log_in(olga, other.address, "olga")  # the hash of her password went along
        olga.goto(f"{other.address}/audit")
        assert "make campaign" in olga.inner_text("table")
        other.close()
