"""The folder of real data as a path that skips a test where the registry knows a file and the folder lacks it.

So a developer who has fetched some of the sets runs the tests that need no more. What the registry does not know is
never skipped: a wrong path in a test stays an error.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from gecval.formats.datasets import datasets

WANT = "no real data"
_FILES = {f"{entry.folder}/{file.name}": entry.name for entry in datasets() for file in entry.files}
_KNOWN = {parent.as_posix(): name for file, name in _FILES.items() for parent in PurePosixPath(file).parents} | _FILES


class RealData(type(Path())):  # type: ignore[misc]
    """A path in the data folder."""

    def __truediv__(self, name: str | Path) -> Path:
        path: Path = super().__truediv__(name)
        if not path.exists():
            for start in range(len(path.parts)):
                known = _KNOWN.get("/".join(path.parts[start:]))
                if known:
                    pytest.skip(f"{WANT}: {path} is missing (`gecval data list {known}`)")
        return path

    def __reduce__(self) -> tuple[type[Path], tuple[str]]:
        return Path, (str(self),)  # other processes do not know this class
