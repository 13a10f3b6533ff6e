"""A small data set for tests: its files, its entry in the registry, and where a mirror has them."""

from __future__ import annotations

import hashlib
from pathlib import Path

COMMIT = "c0ffee" + 34 * "0"
CONTENTS = {"src.txt": b"He go home .\n" * 2000, "systems/A": b"He goes home .\n" * 3000, "b.txt": b"b\n"}
PATHS = {name: f"/owner/repo/{COMMIT}/data/{name}" for name in CONTENTS}


def facts(contents: dict[str, bytes]) -> dict[str, object]:
    """What a file of the registry holds for these contents."""
    files = [
        {"name": name, "path": f"data/{name}", "bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
        for name, text in contents.items()
    ]
    return {
        "title": "Toy: a few lines",
        "language": "en",
        "licence": "CC0",
        "citation": "Nobody 2020.",
        "upstream": [{"repository": "owner/repo", "commit": COMMIT, "files": files}],
    }


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


WHOLE = {f"toy/{name}": text for name, text in CONTENTS.items()}
