"""Hands that have no mouse: Tab, letters, Enter. On the way, focus must be seen and must go down the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browser.watching import until

if TYPE_CHECKING:
    from playwright.sync_api import Page

# The new_page fixture lets no complaint of the console pass, so a mouse fails the test.
NO_MOUSE = """
for (const kind of ["pointerdown", "mousedown", "touchstart", "wheel"])
  addEventListener(kind, () => console.error(`a ${kind}`), true);
"""
# What has the focus: its place in the document, whether one sees it, and whether one sees that it has the focus.
FOCUSED = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return null;
  const box = node.getBoundingClientRect();
  const outlined = [node, node.closest("label")].some((part) => {
    const style = part && getComputedStyle(part);
    return style && style.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 3;
  });
  return {
    place: [...document.querySelectorAll("*")].indexOf(node),
    html: node.outerHTML.slice(0, 120),
    shown: box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    outlined,
    tabindex: node.tabIndex,
  };
}"""


class Keyboard:
    """Somebody who uses keys alone. Every stop on the way is looked at."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.add_init_script(NO_MOUSE)
        # Windows to choose a file from are waited for all the time: who begins with the key may miss the window.
        self.file: Path | None = None
        page.on("filechooser", lambda chooser: chooser.set_files(self.file))

    def press(self, *keys: str) -> None:
        self.page.wait_for_load_state()  # a key that comes before the page's scripts is lost
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def focused(self) -> dict[str, Any] | None:
        return self.page.evaluate(FOCUSED)

    def tab(self) -> dict[str, Any] | None:
        """One stop further; None behind the last."""
        self.press("Tab")
        stop = self.focused()
        if stop is not None:
            assert stop["shown"], f"{self.page.url}: the focus is out of sight: {stop['html']}"
            assert stop["outlined"], f"{self.page.url}: nobody sees the focus: {stop['html']}"
            assert stop["tabindex"] == 0, stop["html"]
        return stop

    def to(self, selector: str) -> None:
        """Tab forward until this has the focus."""
        self.page.wait_for_selector(selector)
        seen = []
        for _ in range(80):
            stop = self.tab()
            seen.append(stop)
            if stop and self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"{self.page.url}: Tab does not get to {selector}: {seen}")

    def choose_file(self, path: Path) -> None:
        """The file's field has the focus: a key opens the window to choose from."""
        self.file = path
        self.press("Enter")
        until(self.page, f"document.activeElement.files[0]?.name === {json.dumps(path.name)}")

    def walk(self) -> int:
        """Tab through the whole page: forward in the order of the document, and out at its end. How many stops?"""
        self.page.evaluate("document.activeElement.blur(), getSelection().removeAllRanges(), scrollTo(0, 0)")
        first, last, count = None, -1, 0
        while True:
            stop = self.tab()
            if stop is None or stop["place"] == first != last:
                return count
            assert stop["place"] >= last, f"{self.page.url}: the focus goes back to {stop['html']}"
            count += stop["place"] > last  # a date has several fields
            first, last = first or stop["place"], stop["place"]
            assert count < 300, f"{self.page.url}: no way out"
