"""Rewrite what pages and notebooks show from real runs: ``make docs-output``. Look at ``git diff`` before you commit.

``make docs-output PAGES="docs/metrics/m2.md README.md"`` does so for these pages only.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from docs.folder import fill, missing
from docs.notebooks import EXAMPLES, executed, read, write
from docs.pages import NOWHERE, PAGES, ROOT, Step, steps
from docs.session import Session, reshown

PICTURES = ROOT / "docs" / "pictures"


def refresh(page: str, data: Path | None) -> None:
    """Run a page and put in what its steps print now, and the pictures that they draw."""
    lines = (ROOT / page).read_text("utf-8").split("\n")
    new: list[tuple[Step, list[str]]] = []
    with TemporaryDirectory() as folder:
        fill(Path(folder), data)
        session = Session(Path(folder))
        for step in steps(page):
            left_out = step.not_run or (step.slow and os.environ.get("GECVAL_SLOW") != "1" and "slow")
            if left_out or missing(step, session.folder):
                print(f"{step}: left as it is ({left_out or 'real files are missing'})")
                continue
            try:
                new.append((step, reshown(list(step.shown), session.run(step))))
            except Exception as error:
                print(f"{step}: fails, left as it is: {error}")
        for picture in PICTURES.iterdir():
            if (session.folder / picture.name).exists():
                shutil.copy(session.folder / picture.name, picture)
    for step, shown in reversed(new):
        if shown != list(step.shown):
            if step.first == NOWHERE:
                print(f"{step}: prints something, but no ```text block follows")
                continue
            print(f"{step}: rewritten")
            lines[step.first : step.last] = shown
    (ROOT / page).write_text("\n".join(lines), "utf-8")


def main(pages: list[str]) -> None:
    given = os.environ.get("GECVAL_DATA")
    for page in pages or PAGES:
        refresh(page, Path(given).resolve() if given else None)
    for path in () if pages else EXAMPLES:
        write(path, executed(read(path)))


if __name__ == "__main__":
    main(sys.argv[1:])
