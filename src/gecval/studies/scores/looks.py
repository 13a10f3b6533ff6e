"""A small file that counts looks, so that looking every night raises no more false alarms than looking once.

    {"schema": "gecval.looks/1", "looks": {"m2: 0.005 @ 0.95": ["3f2a…", "9c41…"]}}

Each rule lists its looks by a hash of what was seen: the data, the settings and both outputs. The same outputs seen
again are the same look, so a job that is run twice counts once.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from gecval.corpus import System
from gecval.errors import InputError
from gecval.formats import write_files

SCHEMA = "gecval.looks/1"
MOST_BYTES = 10_000_000


class Looks:
    """The looks of a file. ``look`` counts one more; ``save`` writes them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._looks = _read(path) if path.exists() else {}

    def look(self, rule: str, signature: str, baseline: System, system: System) -> int:
        """The number of this look under the rule, from 1."""
        digest = hashlib.sha256()
        for text in (signature, *baseline.hypotheses, "\n", *system.hypotheses):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\n")
        seen, name = self._looks.setdefault(rule, []), digest.hexdigest()[:16]
        if name not in seen:
            seen.append(name)
        return seen.index(name) + 1

    def save(self) -> None:
        content = {"schema": SCHEMA, "looks": self._looks}
        write_files({self.path: json.dumps(content, ensure_ascii=False, indent=1).split("\n")})


def _read(path: Path) -> dict[str, list[str]]:
    if path.stat().st_size > MOST_BYTES:
        raise InputError(f"{path} is too large for a file of looks")
    try:
        content: Any = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError):
        raise InputError(f"{path} is not JSON, so it counts no looks; choose another file") from None
    looks = content.get("looks") if isinstance(content, dict) and content.get("schema") == SCHEMA else None
    lists = list(looks.values()) if isinstance(looks, dict) else [None]
    if not all(isinstance(seen, list) and all(isinstance(name, str) for name in seen) for seen in lists):
        raise InputError(f"{path} is no file of looks ({SCHEMA}); choose another file")
    assert isinstance(looks, dict)
    return looks
