"""No output replaces a file that is read, or one that another option writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("score good.txt -r gold.m2 -m m2 --save gold.m2", "gold.m2 is an input, and --save would overwrite it"),
        ("score good.txt -r gold.m2 -m m2 --ci --passport good.txt", "good.txt is an input, and --passport would"),
        ("score out -r gold.m2 -m m2 -o out/good.txt", "out/good.txt is an input, and -o would overwrite it"),
        ("explain verify out/good.txt -o out/good.txt", "out/good.txt is an input, and -o would overwrite it"),
        ("track show out/good.txt -o out/good.txt", "out/good.txt is an input, and -o would overwrite it"),
        ("score good.txt -r gold.m2 -m m2 --ci --passport p.json -o p.json", "p.json is named by "),
    ],
)
def test_an_output_is_no_input(folder: Path, refused: Callable[[str], str], command: str, said: str) -> None:
    (folder / "out").mkdir()
    for path in (folder / "good.txt", folder / "out" / "good.txt"):
        path.write_text("I have two cats .\n")
    assert refused(command).startswith(said)


def test_fixed_copies_replace_no_input_and_no_other_copy(folder: Path, refused: Callable[[str], str]) -> None:
    glued = "He goes home.\nShe likes apples.\nFine .\nI have two cats.\n"
    for name in ("a.txt", "a.fixed.txt", "b.txt", "b.fixed.txt"):
        (folder / name).write_text(glued)
    assert refused("doctor gold.m2 a.txt a.fixed.txt --fix tokens").startswith(
        "the fixed copy of a.txt would be a.fixed.txt, and that is an input too"
    )
    (folder / "b.fixed.txt").chmod(0o444)
    (folder / "a.fixed.txt").unlink()
    assert refused("doctor gold.m2 a.txt b.txt --fix tokens") == "cannot write b.fixed.txt: it is read-only"
