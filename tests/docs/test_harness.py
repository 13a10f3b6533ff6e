"""The harness sees what is wrong with a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.folder import fill, missing
from docs.pages import steps
from docs.session import Session, matches, reshown

PAGE = """# A page

```console
$ gecval --help | head -n 1
Usage: gecval COMMAND ...
$ gecval score timid.txt -r learners.m2 \\
    -m accuracy --format tsv | cut -f1-3
system	metric	score
...
```

<!-- file: numbers_.py -->
```python
ONE = 1
```

Text.

```python
from numbers_ import ONE
print(ONE + 1)
```

```text
2
```

<!-- slow -->
<!-- not run: too long -->
```console
$ sleep 1000
```

<!-- prints: gecval score timid.txt rewriter.txt -r learners.m2 -m accuracy --format markdown -->
| system | accuracy |
| --- | ---: |
| timid | **0.1111** |
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    fill(tmp_path, None)
    return Session(tmp_path)


def test_steps_of_a_page() -> None:
    console, joined, file, python, slow, table = steps("page.md", PAGE)
    assert (console.code, console.shown) == (
        "gecval --help | head -n 1",
        ("Usage: gecval COMMAND ...",),
    )
    assert joined.code == "gecval score timid.txt -r learners.m2 -m accuracy --format tsv | cut -f1-3"
    assert (str(joined), joined.block) == ("page.md:7", console.block)
    assert (file.kind, file.file, file.code) == ("file", "numbers_.py", "ONE = 1\n")
    assert (python.kind, python.shown) == ("python", ("2",))
    assert PAGE.split("\n")[python.first : python.last] == ["2"]
    assert (slow.slow, slow.not_run) == (True, "too long")
    assert table.table
    assert PAGE.split("\n")[table.first : table.last] == list(table.shown)


def test_a_page_is_run(session: Session) -> None:
    console, joined, file, python, _, table = steps("page.md", PAGE)
    assert session.run(console) == list(console.shown)
    assert matches(list(joined.shown), session.run(joined))
    assert session.run(file) == []
    assert session.run(python) == ["2"]
    rows = session.run(table)
    assert [row.split(" | ")[0] for row in rows] == ["| system", "| ---", "| timid", "| rewriter"]
    assert not matches(list(table.shown), rows)


def test_a_command_that_fails(session: Session) -> None:
    [unexpected] = steps("page.md", "```console\n$ gecval score nothing.txt -r learners.m2 -m m2\n```")
    with pytest.raises(AssertionError, match=r"exits with 2\ngecval: nothing.txt: no such file"):
        session.run(unexpected)
    shown = "```console\n$ gecval score nothing.txt -r learners.m2 -m m2\ngecval: nothing.txt: no such file\n```"
    [expected] = steps("page.md", shown)
    assert session.run(expected) == list(expected.shown)


def test_notes_are_part_of_what_is_printed(session: Session) -> None:
    overlapping = ["S a b c", "A 0 2|||R|||x|||REQUIRED|||-NONE-|||0", "A 1 3|||R|||y|||REQUIRED|||-NONE-|||0"]
    (session.folder / "gold.m2").write_text("\n".join([*overlapping, "", ""]))
    (session.folder / "mine.txt").write_text("a b c\n")
    [step] = steps("page.md", "```console\n$ gecval score mine.txt -r gold.m2 -m m2\n```")
    assert session.run(step)[-1].startswith("gecval: note: gold.m2: 1 annotations have overlapping edits")


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a ", "b", ""], ["a", "b"], True),
        (["a", "b"], ["a", "b", "c"], False),
        (["a", "..."], ["a", "b", "c"], True),
        (["...", "b"], ["a", "b", "c"], False),
        (["a", "...", "c"], ["a", "c"], True),
        (["0.12"], ["0x12"], False),
        ([], ["a"], False),
    ],
)
def test_matching(shown: list[str], printed: list[str], same: bool) -> None:
    assert matches(shown, printed) is same


def test_refreshing_keeps_what_was_left_out() -> None:
    assert reshown(["x 1", "...", "z 3"], ["x 2", "y 2", "z 4", "w 1"]) == ["x 2", "y 2", "z 4", "w 1"]
    assert reshown(["x 1", "...", "z 3"], ["x 2", "y 2", "z 4"]) == ["x 2", "...", "z 4"]
    assert reshown(["x 1", "y 1"], ["x 2", "y 2"]) == ["x 2", "y 2"]


@pytest.mark.parametrize(
    "text",
    ["```\nno language\n```", "```console\nno command\n```", "<!-- slow -->\ntext between\n\n```python\n```"],
)
def test_pages_that_cannot_be_read(text: str) -> None:
    with pytest.raises(ValueError, match=r"^page.md:\d: "):
        steps("page.md", text)


def test_real_files_that_are_missing(tmp_path: Path) -> None:
    def named(block: str) -> list[str]:
        [step] = steps("page.md", block)
        return missing(step, tmp_path)

    score = "```console\n$ gecval score systems/{AMU,CAMB} -r official-2014.combined.m2 -m m2\n```"
    assert named(score) == ["systems", "official-2014.combined.m2"]
    assert named("```console\n$ gecval score my-systems/a -r BN.m2.txt --systems x/systems\n```") == []
    assert named("```python\nsystems = 1\n```") == []
    (tmp_path / "systems").mkdir()
    assert named(score) == ["official-2014.combined.m2"]
