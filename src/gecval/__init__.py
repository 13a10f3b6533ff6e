"""gecval scores grammatical error correction and says how far each score can be trusted.

>>> references = [["He goes home .", "He went home ."]]
>>> scores = evaluate(["He go home ."], ["He went home ."], references, metrics=["accuracy"])
>>> scores[0].score
1.0
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

__version__ = version("gecval")

# The public names are listed in __init__.pyi, once for Python and type checkers. A name is imported when it is first
# used, so `import gecval` takes milliseconds.
_LIST = Path(__file__).with_suffix(".pyi").read_text("utf-8")
_HOMES = {name: home for home, name in re.findall(r"^from ([\w.]+) import (\w+) as \2$", _LIST, re.MULTILINE)}
__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'gecval' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
