"""A page of the documentation as steps that can be run.

    ```console              commands after "$ ", each with the lines that it prints
    ```python               code; a ```text block right after it shows what it prints
    <!-- file: NAME -->     the block after it is a file of that name; it is written, not run
    <!-- prints: gecval … --> the table in Markdown after it is what the command prints
    <!-- slow -->           the block after it runs only where GECVAL_SLOW=1 is set
    <!-- not run: why -->   the block after it cannot be run here

A line of three dots stands for lines left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]
DATA_LANGUAGES = {"text", "json", "yaml", "toml", "latex", "xml", "csv", "html", "cpp"}  # shown, not run
DOTS = "..."
NOWHERE = -1

Kind = Literal["command", "python", "file"]
_MARK = re.compile(r"\s*<!-- (?P<name>file|prints|slow|not run)(?:: (?P<value>.*?))? -->\s*")
_FENCE = re.compile(r"```(?P<language>\w*)\s*")


@dataclass(frozen=True, kw_only=True)
class Step:
    """One thing to run, and the lines that the page shows for it: lines ``first`` to ``last`` of the page, from 0.

    ``first`` is NOWHERE where the page has no place for what is printed.
    """

    page: str
    line: int  # where a reader finds it, from 1
    block: int  # the number of its block: what one command of a block makes, the next may need
    kind: Kind
    code: str
    first: int
    last: int
    shown: tuple[str, ...]
    file: str = ""
    table: bool = False  # only the rows of a table in Markdown are shown
    slow: bool = False
    not_run: str = ""

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


@dataclass(frozen=True)
class _Block:
    start: int  # the line of the opening fence, from 0
    language: str
    lines: tuple[str, ...]
    marks: dict[str, str]
    follows: bool  # nothing but blank lines stand between it and the block before


def steps(page: str, text: str | None = None) -> list[Step]:
    """What a page lets its reader run, in order."""
    lines = ((ROOT / page).read_text("utf-8") if text is None else text).split("\n")
    blocks = list(_blocks(page, lines))
    made: list[Step] = []
    for number, block in enumerate(blocks):
        after = blocks[number + 1] if number + 1 < len(blocks) else None
        made += _steps(page, number, block, after)
    return made


def _steps(page: str, number: int, block: _Block, after: _Block | None) -> Iterator[Step]:
    marks = block.marks
    common = {"page": page, "block": number, "slow": "slow" in marks, "not_run": marks.get("not run", "")}
    start = block.start + 1
    if "prints" in marks:
        place = {"first": block.start, "last": block.start + len(block.lines)}
        yield Step(line=start, kind="command", code=marks["prints"], shown=block.lines, table=True, **place, **common)
    elif "file" in marks:
        code = "".join(f"{line}\n" for line in block.lines)
        yield Step(line=start, kind="file", code=code, first=start, last=start, shown=(), file=marks["file"], **common)
    elif block.language == "python":
        output = after if after is not None and after.follows and after.language == "text" else None
        first = output.start + 1 if output else NOWHERE
        shown = output.lines if output else ()
        yield Step(
            line=start,
            kind="python",
            code="\n".join(block.lines),
            first=first,
            last=first + len(shown),
            shown=shown,
            **common,
        )
    elif block.language == "console":
        for first, code, shown in _commands(block, page):
            place = {"first": first, "last": first + len(shown)}
            yield Step(line=first, kind="command", code=code, shown=shown, **place, **common)


def _commands(block: _Block, page: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Each command of a console, the line after it, and the lines shown for it."""
    numbered = list(enumerate(block.lines, start=block.start + 1))
    if not numbered or not numbered[0][1].startswith("$ "):
        raise ValueError(f"{page}:{block.start + 1}: a console starts with '$ ' and a command")
    while numbered:
        number, line = numbered.pop(0)
        code = line.removeprefix("$ ")
        while code.endswith("\\"):
            number, line = numbered.pop(0)
            code = f"{code[:-1].rstrip()} {line.strip()}"
        shown = []
        while numbered and not numbered[0][1].startswith("$ "):
            shown.append(numbered.pop(0)[1])
        yield number + 1, code, tuple(shown)


def _blocks(page: str, lines: list[str]) -> Iterator[_Block]:
    """The fenced blocks with the marks that stand before them; a table after the mark ``prints`` is a block, too."""
    marks: dict[str, str] = {}
    follows = False
    number = 0
    while number < len(lines):
        line = lines[number]
        mark, fence = _MARK.fullmatch(line), _FENCE.fullmatch(line)
        end = number
        if mark:
            marks[mark["name"]] = mark["value"] or ""
        elif fence:
            end = lines.index("```", number + 1)
            yield _Block(
                number, _language(page, number, fence["language"]), tuple(lines[number + 1 : end]), marks, follows
            )
        elif line.startswith("|") and "prints" in marks:
            while end + 1 < len(lines) and lines[end + 1].startswith("|"):
                end += 1
            yield _Block(number, "", tuple(lines[number : end + 1]), marks, follows)
        elif line.strip() and marks:
            raise ValueError(f"{page}:{number + 1}: a mark stands directly before its block")
        if fence or (line.strip() and not mark):
            marks, follows = {}, bool(fence)
        number = end + 1


def _language(page: str, number: int, language: str) -> str:
    if language not in {"console", "python", *DATA_LANGUAGES}:
        raise ValueError(f"{page}:{number + 1}: say what the block is: ```console, ```python, ```text ...")
    return language
