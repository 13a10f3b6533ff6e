"""What papers print is data: a digit that slips changes no score of ours, only what we say of theirs.

`python tests/studies/reproduce/test_published_figures.py` prints the sums again, for figures that were compared with
the paper.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import json
import pkgutil
import re
from pathlib import Path
from typing import Any

import gecval.studies.reproduce as papers

SIMULATED = (
    "agreement",
    "calibration",
    "charts",
    "decisions",
    "simulated_decisions",
    "simulated_people",
    "simulated_scores",
    "simulations",
)  # ours
EXPECTED = Path(__file__).parents[2] / "expected" / "published.json"


def has_figures(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(has_figures, [*value, *value.values()]))
    if isinstance(value, tuple | list):
        return any(map(has_figures, value))
    return isinstance(value, float)


def sums() -> dict[str, str]:
    """A sum of each table with figures, under its module and name."""
    found = {}
    for part in pkgutil.iter_modules(papers.__path__):
        module = importlib.import_module(f"{papers.__name__}.{part.name}")
        own = re.findall(r"^([A-Z]\w+)(?:: [^=\n]+)? = ", inspect.getsource(module), re.MULTILINE)
        for name, value in ((name, getattr(module, name)) for name in own):
            if part.name not in SIMULATED and isinstance(value, dict | tuple | list) and has_figures(value):
                found[f"{part.name}.{name}"] = hashlib.sha256(repr(value).encode()).hexdigest()[:16]
    return dict(sorted(found.items()))


def test_published_figures_stay_as_they_were_compared() -> None:
    expected = json.loads(EXPECTED.read_text())
    assert len(expected) > 10
    assert sums() == expected


if __name__ == "__main__":
    print(json.dumps(sums(), indent=1))
