"""Plain words: what readers with English as a second language stumble over does not come back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.pages import PAGES, ROOT

# What we say in place of each word.
BETTER = {
    r"mend(s|ing)?": "fix",
    r"anew": "again",
    r"beside": "next to",
    r"told apart": "distinguished, significantly different",
    r"at hand": "available",
    r"odd(ity|ities)": "suspicious, unusual",
    r"(arena|witness|riddle)s?": "a plain name",
}
WORDS = re.compile(rf"\b({'|'.join(BETTER)})\b", re.IGNORECASE)
SOURCES = [path for suffix in ("py", "pyi", "js", "css", "html") for path in (ROOT / "src").rglob(f"*.{suffix}")]
TEXTS = [*(ROOT / page for page in [*PAGES, "CHANGELOG.md"]), *SOURCES]


def rare_words(path: Path) -> Iterator[str]:
    """Where a text has one of the words, and what to say."""
    for number, line in enumerate(path.read_text("utf-8").split("\n"), start=1):
        prose = re.sub(r"`[^`]*`", "", line) if path.suffix == ".md" else line  # old names stay in the changelog
        for found in WORDS.finditer(prose):
            better = next(say for word, say in BETTER.items() if re.fullmatch(word, found[0], re.IGNORECASE))
            yield f"{path.relative_to(ROOT)}:{number}: not {found[0]!r}, but {better}"


def test_words_that_few_readers_know_are_not_used() -> None:
    assert [where for path in TEXTS if "min.js" not in path.name for where in rare_words(path)] == []


@pytest.mark.parametrize("text", ["It is drawn anew.", "Beside it", "They can be told apart.", "the data at hand"])
def test_the_words_are_found(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text(f"first\n{text}\n")
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    [found] = rare_words(tmp_path / "page.md")
    assert found.startswith("page.md:2: not ")
